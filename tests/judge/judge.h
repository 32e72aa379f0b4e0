// A real API server with a real Kueue, as tests/cluster/up starts them: reaching it, looking into it, making its
// programs die, and leaving it empty for the next test.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cmb2kueue/base/clock.h"
#include "cmb2kueue/base/process.h"
#include "cmb2kueue/target/target.h"
#include "kube_client.h"
#include "kube_target.h"
#include "support/files.h"
#include "support/result.h"

namespace cmb2kueue::judge {

inline constexpr const char* kueue_path = "/apis/kueue.x-k8s.io/v1beta2";
inline constexpr const char* context_name = "cmb2kueue-test";

// What passes between a client and the server, counted, and changed where a test wants it.
class Wire : public target::Transport {
 public:
  // Given a request, an answer instead of the server's, or nothing to pass it on.
  using Before = std::function<std::optional<target::HttpResponse>(const target::HttpRequest&)>;
  using After = std::function<void(const target::HttpRequest&, target::HttpResponse&)>;

  explicit Wire(std::unique_ptr<target::Transport> inner) : inner_(std::move(inner)) {}
  std::vector<target::HttpResponse> perform(const std::vector<target::HttpRequest>& requests,
                                            const target::Identity& identity) override;

  Before before;
  After after;
  std::size_t reads = 0, writes = 0;

 private:
  std::unique_ptr<target::Transport> inner_;
};

target::Connection connection();  // of the cluster under test, as its administrator
std::string release();            // of Kueue: "0.19.2"
bool has_controllers();           // Kueue's manager runs (profile kueue or full)

// Makes a program of the cluster do something: control("kill", "kueue"). Fails the test when it does not.
void control(const std::string& verb, const std::string& program);

// Asks until it is so, for at most this long.
bool eventually(const std::function<bool()>& so, int seconds = 30, int pause_ms = 50);

class Judge : public ::testing::Test {
 protected:
  Judge();
  void SetUp() override;
  void TearDown() override;

  // Raw requests as the administrator.
  target::ApiAnswer send(const std::string& method, const std::string& path, const std::string& body = "",
                         const std::string& type = "application/json");
  std::vector<target::ApiAnswer> get_all(const std::vector<std::string>& paths);  // together
  target::Json get(const std::string& path);  // fails the test when it is not there
  bool exists(const std::string& path);
  std::string field(const std::string& path, const std::string& at);  // "" when either is missing
  void make_namespace(const std::string& name);
  // kubectl edit: one merge patch by this manager.
  void edit(const std::string& path, const std::string& merge, const std::string& manager = "kubectl-edit");
  // A suspended Job of one pod with this request, sent to a LocalQueue; returns its path.
  std::string submit(const std::string& name_space, const std::string& name, const std::string& queue,
                     const std::string& cpu);
  bool runs(const std::string& job);  // Kueue has let it go

  // A target of its own, by a wire that can be watched.
  std::unique_ptr<target::KubeTarget> open(Wire*& wire, target::OpenOptions options = {});

  base::SystemClock clock_;
  std::unique_ptr<base::FileSystem> disk_ = base::real_file_system();

 private:
  void wipe();
  void remove_all(const std::string& collection, bool strip);
  std::unique_ptr<target::Transport> transport_;
  std::unique_ptr<target::Credentials> credentials_;
  std::unique_ptr<target::KubeClient> client_;
};

// The program itself.
base::ProcessResult run_tool(std::vector<std::string> words,
                             const std::vector<std::pair<std::string, std::string>>& environment = {});
std::string told(const base::ProcessResult& result);  // both outputs, for messages

}  // namespace cmb2kueue::judge
