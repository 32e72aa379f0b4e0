// Running the plugin and saying what went wrong. What it printed is nowhere in what is said.
#include "exec_plugin.h"

#include <fmt/format.h>

#include "cmb2kueue/base/text.h"
#include "exec_answer.h"
#include "plugin_policy.h"

namespace cmb2kueue::target {

namespace {

constexpr std::size_t longest_shown = 400;

std::string name_of(const Connection& connection) {
  const std::string plugin = "the credential plugin " + base::quoted(connection.exec->command, longest_shown);
  return connection.user.empty() ? plugin : plugin + " of the user " + base::quoted(connection.user);
}

base::Status failed(const Connection& connection, const std::string& what, const std::string& advice) {
  return base::Status(base::ErrorKind::cluster, name_of(connection) + " " + what, advice);
}

base::Result<bool> interactive(const Connection& connection) {
  const ExecConfig& exec = *connection.exec;
  if (exec.interactive_mode == "Always" && !exec.at_terminal)
    return failed(connection, "asks for a person, and standard input is no terminal",
                  "run this from a terminal, or log in another way here");
  return exec.interactive_mode != "Never" && exec.at_terminal;
}

base::Status could_not_run(const Connection& connection, const base::Status& status) {
  if (status.kind() != base::ErrorKind::not_found)
    return base::Status(base::ErrorKind::cluster, name_of(connection) + ": " + status.message(), status.advice());
  const std::string& hint = connection.exec->install_hint;
  return failed(connection, "is not installed",
                hint.empty() ? "install it, or put its folder on PATH" : harmless(hint));
}

base::Status check_end(const Connection& connection, const PluginAnswer& answer) {
  if (answer.timed_out) return failed(connection, "did not end within a minute", "run it by hand to see why");
  if (answer.exit_code == 0) return {};
  return failed(connection, fmt::format("failed with exit code {}", answer.exit_code),
                "see what it said; often a login of its own has run out");
}

PluginCall call_of(const Connection& connection, bool interactive) {
  PluginCall call;
  call.argv.push_back(connection.exec->command);
  call.argv.insert(call.argv.end(), connection.exec->args.begin(), connection.exec->args.end());
  call.environment = connection.exec->env;
  call.environment.emplace_back("KUBERNETES_EXEC_INFO", exec_info(connection, interactive));
  call.interactive = interactive;
  return call;
}

// A Unicode character that a hint may hold: no control, no format character, which turns directions or hides.
bool printable(std::uint32_t c) {
  if (c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r') return true;
  if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad) return false;
  const bool format = (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f);
  return !format && c != 0xfeff && c != 0x61c && c < 0xe0000;
}

// Of UTF-8 that is known to be good.
std::uint32_t take_character(std::string_view& text, std::string_view& bytes) {
  const unsigned char lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  std::uint32_t character = size == 1 ? lead : lead & (0xffU >> (size + 1));
  bytes = text.substr(0, size);
  for (const char c : bytes.substr(1)) character = character << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  text.remove_prefix(size);
  return character;
}

}  // namespace

std::string harmless(const std::string& hint) {
  if (!base::valid_utf8(hint)) return base::quoted(hint, longest_shown);
  std::string out;
  for (std::string_view rest = hint, bytes; !rest.empty();) {
    const std::uint32_t character = take_character(rest, bytes);
    out += printable(character) ? std::string(bytes) : fmt::format("U+{:04X}", character);
  }
  return out;
}

base::Result<ExecAnswer> ask_plugin(const Connection& connection, const PluginRunner& runner) {
  const base::Result<bool> terminal = interactive(connection);
  if (!terminal.ok()) return terminal.status();
  const base::Status allowed = check_allowed(connection.plugin_policy, connection.exec->command);
  if (!allowed.ok()) return allowed;
  const base::Result<PluginAnswer> answer = runner(call_of(connection, terminal.value()));
  if (!answer.ok()) return could_not_run(connection, answer.status());
  const base::Status ended = check_end(connection, answer.value());
  if (!ended.ok()) return ended;
  base::Result<ExecAnswer> credentials = read_answer(answer->out, connection.exec->api_version);
  if (!credentials.ok()) return failed(connection, credentials.status().message(), credentials.status().advice());
  return credentials;
}

}  // namespace cmb2kueue::target
