// What comes of answers that break off, against a server of one answer on the loopback.
#include "http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace cmb2kueue::target {
namespace {

// Sends `answer` to whoever connects first, whatever was asked, and hangs up. Waits ten seconds at most.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&here), size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &size), 0);
    port_ = ntohs(here.sin_port);
    thread_ = std::thread([this, text = std::move(answer)] { serve(text); });
  }
  ~OneAnswer() {
    thread_.join();
    ::close(socket_);
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve(const std::string& text) const {
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, 10'000) != 1) return;
    const int peer = ::accept(socket_, nullptr, nullptr);
    char asked[4096];
    EXPECT_GT(::recv(peer, asked, sizeof asked, 0), 0);
    EXPECT_EQ(::send(peer, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    ::shutdown(peer, SHUT_WR);
    ::close(peer);
  }
  int socket_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

HttpResponse answer_to_post(const std::string& answer) {
  OneAnswer server(answer);
  Connection connection;
  connection.server = server.address();
  return http_transport(connection, "test")->perform({{"POST", "/api", "{}", "application/json"}}, {})[0];
}

TEST(Http, ARefusalStandsThoughItsTextBreaksOff) {
  for (const char* status : {"401 Unauthorized", "409 Conflict", "403 Forbidden"}) {
    const HttpResponse refused =
        answer_to_post(std::string("HTTP/1.1 ") + status + "\r\nContent-Length: 100\r\n\r\n{\"kind\":\"Sta");
    EXPECT_EQ(refused.failure, Failure::none) << status;
    EXPECT_EQ(std::to_string(refused.status), std::string(status).substr(0, 3));
  }
}

TEST(Http, ASuccessThatBreaksOffIsUnknown) {
  for (const char* status : {"201 Created", "200 OK", "500 Internal Server Error", "503 Service Unavailable"}) {
    const HttpResponse broken =
        answer_to_post(std::string("HTTP/1.1 ") + status + "\r\nContent-Length: 100\r\n\r\n{\"kind\":\"Clu");
    EXPECT_EQ(broken.failure, Failure::unknown) << status;
    EXPECT_EQ(broken.status, 0);
    EXPECT_EQ(broken.body, "") << "half a text is no answer";
  }
  EXPECT_EQ(answer_to_post("HTTP/1.1 20").failure, Failure::unknown);
}

}  // namespace
}  // namespace cmb2kueue::target
