// The protocol's documents.
#include "protocol.h"

#include <fmt/format.h>

#include <unordered_map>

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/emit.h"
#include "cmb2kueue/doc/parse.h"

namespace cmb2kueue::hooks {

namespace {

constexpr std::size_t longest_message = 400;

void write_tenant(doc::Sink& sink, const TenantRef& tenant) {
  sink.field("tenant");
  sink.open_map();
  sink.text_field("id", tenant.id);
  sink.text_field("path", tenant.path);
  sink.text_field("hash", tenant.hash);
  sink.text_field("namespace", tenant.name_space);
  sink.text_field("localQueue", tenant.local_queue);
  sink.text_field("clusterQueue", tenant.cluster_queue);
  sink.close();
}

void write_ceilings(doc::Sink& sink, const std::vector<Ceiling>& ceilings) {
  sink.field("ceilings");
  sink.open_list();
  for (const Ceiling& one : ceilings) {
    sink.open_map();
    sink.text_field("tenant", one.tenant);
    sink.text_field("path", one.path);
    sink.text_field("flavor", one.flavor);
    sink.text_field("resource", one.resource);
    sink.text_field("own", one.own.to_string());
    sink.text_field("subtree", one.subtree.to_string());
    sink.boolean_field("closed", one.closed);
    sink.close();
  }
  sink.close();
}

// A body goes in as the document it is; one that is no JSON any more goes in as text.
void write_body(doc::Sink& sink, const std::string& body) {
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("job", body));
  if (document.ok())
    doc::copy(document.value().root(), sink);
  else
    sink.text(body);
}

void write_jobs(doc::Sink& sink, Hook hook, const std::vector<Job>& jobs) {
  sink.field("jobs");
  sink.open_list();
  for (const Job& job : jobs) {
    if (hook == Hook::withdraw) {
      sink.text(job.id);
      continue;
    }
    sink.open_map();
    sink.text_field("id", job.id);
    sink.field("job");
    write_body(sink, job.body);
    sink.close();
  }
  sink.close();
}

base::Status senseless(const std::string& what) {
  return base::Status(base::ErrorKind::cluster, "the answer makes no sense: " + what,
                      "see cmb2kueue-hooks(5) for what is answered; what became of the call is unknown, so it is "
                      "asked again by the same command");
}

std::string body_text(doc::Node node) {
  if (!node.exists()) return "";
  std::string out;
  doc::JsonSink sink(out, 0);
  doc::copy(node, sink);
  return out;
}

base::Status read_side(doc::Node root, Answer& answer) {
  const doc::Node side = root.find("side");
  if (!side.exists()) return senseless("\"side\" is missing");
  for (const Side one : {Side::cmb, Side::kueue, Side::unknown})
    if (side.text() == to_string(one)) {
      answer.side = one;
      return {};
    }
  return senseless("\"side\" is none of cmb, kueue and unknown");
}

base::Status read_uses(doc::Node root, Answer& answer) {
  const doc::Node list = root.find("usage");
  if (!list.exists() || !list.is_list()) return senseless("\"usage\" is not a list");
  for (const doc::Node item : doc::children(list)) {
    Use use;
    use.tenant = item.find("tenant").exists() ? std::string(item.find("tenant").text()) : "";
    use.flavor = item.find("flavor").exists() ? std::string(item.find("flavor").text()) : "";
    use.resource = item.find("resource").exists() ? std::string(item.find("resource").text()) : "";
    const doc::Node used = item.find("used");
    const base::Result<base::Quantity> amount = base::Quantity::parse(used.exists() ? used.text() : "");
    if (use.tenant.empty() || use.flavor.empty() || use.resource.empty())
      return senseless("an entry of \"usage\" does not say its tenant, flavor and resource");
    if (!amount.ok() || amount.value().negative()) return senseless("\"used\" is not a quantity");
    use.used = amount.value();
    answer.uses.push_back(std::move(use));
  }
  return {};
}

base::Status read_jobs(Hook hook, doc::Node root, Answer& answer) {
  const doc::Node list = root.find("jobs");
  if (!list.exists() || !list.is_list()) return senseless("\"jobs\" is not a list");
  for (const doc::Node item : doc::children(list)) {
    JobFate job;
    if (hook == Hook::pending) {
      job.id = std::string(item.text());
    } else {
      const doc::Node id = item.find("id"), outcome = item.find("outcome"), message = item.find("message");
      job.id = id.exists() ? std::string(id.text()) : "";
      if (message.exists()) job.message = std::string(message.text()).substr(0, longest_message);
      bool known = false;
      for (const Fate fate :
           {Fate::unknown, Fate::withdrawn, Fate::started, Fate::queued, Fate::exists, Fate::refused})
        if (outcome.exists() && outcome.text() == to_string(fate)) {
          job.fate = fate;
          known = true;
        }
      const bool back = job.fate == Fate::queued || job.fate == Fate::exists || job.fate == Fate::refused;
      const bool away = job.fate == Fate::withdrawn || job.fate == Fate::started;
      if (!known || (hook == Hook::withdraw ? back : away))
        return senseless(hook == Hook::withdraw ? "an \"outcome\" is none of withdrawn, started and unknown"
                                                : "an \"outcome\" is none of queued, exists, refused and unknown");
      job.body = body_text(item.find("job"));
    }
    if (job.id.empty()) return senseless("a job has no id");
    answer.jobs.push_back(std::move(job));
  }
  return {};
}

base::Status read_rest(Hook hook, doc::Node root, Answer& answer) {
  switch (hook) {
    case Hook::route:
      return read_side(root, answer);
    case Hook::usage:
      return read_uses(root, answer);
    case Hook::pending:
    case Hook::withdraw:
    case Hook::enqueue:
      return read_jobs(hook, root, answer);
    default:
      return {};
  }
}

}  // namespace

std::string request_text(Hook hook, const Call& call, const Question& question) {
  std::string out;
  doc::JsonSink sink(out, 0);
  sink.open_map();
  sink.text_field("apiVersion", protocol_version);
  sink.text_field("hook", to_string(hook));
  sink.text_field("key", call.key);
  sink.number_field("sequence", static_cast<std::int64_t>(call.sequence));
  sink.text_field("cell", call.cell);
  sink.text_field("run", call.run);
  write_tenant(sink, call.tenant);
  if (hook == Hook::cede || hook == Hook::restore) write_ceilings(sink, question.ceilings);
  if (hook == Hook::withdraw || hook == Hook::enqueue) write_jobs(sink, hook, question.jobs);
  if (hook == Hook::notify) sink.text_field("state", question.state);
  sink.close();
  return out + "\n";
}

base::Result<Answer> parse_answer(Hook hook, const std::string& text) {
  base::SourceFiles files;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return senseless("it is empty");
  if (text[first] != '{') return senseless("it is not a JSON object");
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("answer", text));
  if (!document.ok()) return senseless("it is not JSON");
  const doc::Node root = document.value().root();
  const doc::Node status = root.find("status"), message = root.find("message");
  std::string words = message.exists() ? std::string(message.text()).substr(0, longest_message) : "";
  if (!status.exists()) return senseless("\"status\" is missing");
  if (status.text() == "refused")
    return base::Status(base::ErrorKind::conflict, "CMB refuses" + (words.empty() ? words : ": " + words),
                        "settle it there; then the same command again");
  if (status.text() == "pending")
    return base::Status(
        base::ErrorKind::interrupted,
        "CMB has taken the request and not carried it out yet" + (words.empty() ? words : ": " + words),
        "the same command again goes on from here");
  if (status.text() != "done") return senseless("\"status\" is none of done, refused and pending");
  Answer answer;
  const base::Status read = read_rest(hook, root, answer);
  if (!read.ok()) return read;
  return answer;
}

base::Result<std::vector<JobFate>> in_order_of(const std::vector<std::string>& ids, std::vector<JobFate> fates) {
  std::unordered_map<std::string, std::size_t> place;
  std::vector<JobFate> ordered;
  for (const std::string& id : ids) {
    place.emplace(id, ordered.size());
    ordered.push_back({id, Fate::unknown, "", ""});
  }
  std::vector<bool> seen(ids.size());
  for (JobFate& fate : fates) {
    const auto at = place.find(fate.id);
    if (at == place.end()) return senseless("it tells of a job that was not asked about");
    if (seen[at->second]) return senseless("it tells of a job twice");
    seen[at->second] = true;
    ordered[at->second] = std::move(fate);
  }
  return ordered;
}

}  // namespace cmb2kueue::hooks
