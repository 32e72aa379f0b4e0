// Records and checkpoints: field by field.
#include "record_json.h"

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/doc/parse.h"
#include "state_json.h"

namespace cmb2kueue::cutover {

namespace {

constexpr const char* record_format = "cmb2kueue.io/journal/v1alpha1";

using Allotments = std::map<AllotmentKey, std::optional<Allotment>>;

void write_allotments(doc::Sink& sink, const Allotments& allotments) {
  sink.key("allotments");
  sink.open_list();
  for (const auto& [at, allotment] : allotments) {
    sink.open_map();
    sink.number_field("node", at.first);
    sink.number_field("column", at.second);
    if (allotment) {
      sink.number_field("total", allotment->total);
      sink.number_field("kueue", allotment->kueue);
      sink.number_field("held", allotment->held);
      sink.number_field("cmb", allotment->cmb());
      if (allotment->told) sink.number_field("told", *allotment->told);
    }
    sink.close();
  }
  sink.close();
}

Allotments read_allotments(JsonReader& reader, doc::Node list) {
  Allotments allotments;
  for (const doc::Node item : doc::children(list)) {
    std::optional<Allotment>& slot = allotments[{reader.index(item, "node"), reader.index(item, "column")}];
    if (!item.find("total").exists()) continue;  // all with CMB again
    Allotment one{reader.number(item, "total"), reader.number(item, "kueue"), reader.number(item, "held")};
    if (one.cmb() != reader.number(item, "cmb") || one.kueue < 0 || one.held < 0 || one.cmb() < 0)
      reader.fail(item, "kueue, cmb and held do not make the total");
    if (item.find("told").exists()) one.told = reader.number(item, "told");
    if (one.told && (*one.told < 0 || *one.told > one.cmb()))
      reader.fail(item, "the ceiling CMB was told is above its part");
    slot = one;
  }
  return allotments;
}

using Versions = std::map<std::string, std::optional<std::string>>;

void write_versions(doc::Sink& sink, std::string_view key, const Versions& versions) {
  sink.key(key);
  sink.open_map();
  for (const auto& [bundle, version] : versions) {
    sink.key(bundle);
    if (version)
      sink.text(*version);
    else
      sink.literal("null");
  }
  sink.close();
}

Versions read_versions(doc::Node map) {
  Versions versions;
  for (const doc::Node item : doc::children(map))
    versions[std::string(item.key())] =
        item.kind() == doc::NodeKind::text ? std::optional<std::string>(std::string(item.text())) : std::nullopt;
  return versions;
}

void write_key(doc::Sink& sink, const kueue::ObjectKey& key) {
  sink.text_field("kind", word_of(key.kind));
  sink.text_field("name", key.name);
}

void write_users(doc::Sink& sink, std::string_view name,
                 const std::vector<std::pair<kueue::ObjectKey, std::string>>& users) {
  sink.key(name);
  sink.open_list();
  for (const auto& [key, user] : users) {
    sink.open_map();
    write_key(sink, key);
    sink.text_field("user", user);
    sink.close();
  }
  sink.close();
}

void write_all_shared(doc::Sink& sink, const Changes& changes) {
  sink.key("shared");
  sink.open_list();
  for (const auto& [key, shared] : changes.shared) {
    sink.open_map();
    write_key(sink, key);
    if (shared) {
      sink.key("value");
      write_shared(sink, *shared);
    }
    sink.close();
  }
  sink.close();
  write_users(sink, "joins", changes.joins);
  write_users(sink, "leaves", changes.leaves);
}

void write_changes(doc::Sink& sink, const Changes& changes) {
  sink.open_map();
  if (changes.head_run) sink.text_field("headRun", *changes.head_run);
  if (changes.inputs) {
    sink.key("inputs");
    write_inputs(sink, *changes.inputs);
  }
  if (changes.tree) sink.text_field("tree", tree_name(*changes.tree));
  sink.key("enrolled");
  sink.open_map();
  for (const auto& [hash, tenant] : changes.enrolled) {
    sink.key(hash);
    if (tenant)
      write_enrolled(sink, *tenant);
    else
      sink.literal("null");
  }
  sink.close();
  write_allotments(sink, changes.allotments);
  write_all_shared(sink, changes);
  write_versions(sink, "versions", changes.versions);
  write_versions(sink, "pending", changes.pending);
  write_texts(sink, "used", changes.used);
  sink.close();
}

kueue::ObjectKey read_key(JsonReader& reader, doc::Node node) {
  return {reader.word<kueue::Kind>(node, "kind"), "", reader.text(node, "name")};
}

std::vector<std::pair<kueue::ObjectKey, std::string>> read_users(JsonReader& reader, doc::Node list) {
  std::vector<std::pair<kueue::ObjectKey, std::string>> users;
  for (const doc::Node item : doc::children(list))
    users.emplace_back(read_key(reader, item), reader.text(item, "user"));
  return users;
}

std::optional<quota::Entitlements> load_tree(base::FileSystem& records, const std::string& name) {
  const base::Result<std::string> text = records.read(name);
  if (!text.ok()) return std::nullopt;
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add(name, text.value()));
  if (!document.ok()) return std::nullopt;
  JsonReader reader;
  quota::Entitlements tree = reader.tree(document.value().root());
  if (!reader.good || tree_name(tree) != name) return std::nullopt;
  return tree;
}

Changes read_changes(JsonReader& reader, base::FileSystem& records, doc::Node node) {
  Changes changes;
  if (node.find("headRun").exists()) changes.head_run = reader.text(node, "headRun");
  if (node.find("inputs").exists()) changes.inputs = reader.inputs(node.find("inputs"));
  if (node.find("tree").exists()) {
    const std::string name = reader.text(node, "tree");
    changes.tree = load_tree(records, name);
    if (!changes.tree)
      reader.fail(node.find("tree"), "needs " + base::quoted(name) + ", which is missing or damaged");
  }
  for (const doc::Node item : doc::children(node.find("enrolled")))
    changes.enrolled[std::string(item.key())] =
        item.is_map() ? std::optional<Enrolled>(reader.enrolled(item)) : std::nullopt;
  changes.allotments = read_allotments(reader, node.find("allotments"));
  for (const doc::Node item : doc::children(node.find("shared"))) {
    const doc::Node value = item.find("value");
    changes.shared[read_key(reader, item)] =
        value.exists() ? std::optional<SharedObject>(reader.shared(value)) : std::nullopt;
  }
  changes.joins = read_users(reader, node.find("joins"));
  changes.leaves = read_users(reader, node.find("leaves"));
  changes.versions = read_versions(node.find("versions"));
  changes.pending = read_versions(node.find("pending"));
  changes.used = reader.texts(node, "used");
  return changes;
}

struct RecordField {
  const char* key;
  std::string Record::*member;
};
constexpr RecordField record_fields[] = {
    {"previous", &Record::previous}, {"time", &Record::time},     {"run", &Record::run},
    {"tenant", &Record::tenant},     {"verb", &Record::verb},     {"step", &Record::step},
    {"phase", &Record::phase},       {"object", &Record::object}, {"before", &Record::before},
    {"after", &Record::after},       {"who", &Record::who},       {"reason", &Record::reason},
    {"nonce", &Record::nonce},       {"tool", &Record::tool},     {"hook", &Record::hook},
    {"answer", &Record::answer}};

}  // namespace

std::string record_text(const Record& record) {
  std::string out;
  doc::JsonSink sink(out, 1);
  sink.open_map();
  sink.text_field("format", record_format);
  sink.number_field("seq", static_cast<std::int64_t>(record.seq));
  for (const RecordField& field : record_fields) sink.text_entry(field.key, record.*field.member);
  sink.key("changes");
  write_changes(sink, record.changes);
  sink.close();
  return out + "\n";
}

base::Result<std::optional<Record>> parse_record(base::FileSystem& records, const std::string& text) {
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("record", text));
  if (!document.ok() || !document.value().root().is_map()) return std::optional<Record>();
  JsonReader reader;
  const doc::Node root = document.value().root();
  const std::string format = reader.text(root, "format");
  if (format != record_format)
    return base::Status(base::ErrorKind::mismatch, format.empty() ? std::string("is not a record")
                                                                  : "has the format " + base::quoted(format) +
                                                                        ", which this version cannot read");
  Record record;
  record.seq = static_cast<std::uint64_t>(reader.number(root, "seq"));
  for (const RecordField& field : record_fields) record.*field.member = reader.text(root, field.key);
  record.changes = read_changes(reader, records, root.find("changes"));
  if (!reader.good) return base::Status(base::ErrorKind::mismatch, "makes no sense: " + reader.problem);
  return std::optional<Record>(std::move(record));
}

std::string state_text(const State& state) {
  std::string out;
  doc::JsonSink sink(out, 1);
  sink.open_map();
  sink.text_field("format", state.format);
  sink.text_field("cell", state.cell);
  sink.key("head");
  write_head(sink, state.head);
  Changes all;
  all.inputs = state.inputs;
  if (!state.tree.nodes.empty()) all.tree = state.tree;
  for (const auto& [hash, tenant] : state.enrolled) all.enrolled[hash] = tenant;
  for (const auto& [at, allotment] : state.allotments) all.allotments[at] = allotment;
  for (const auto& [key, shared] : state.shared) all.shared[key] = shared;
  for (const auto& [bundle, version] : state.versions) all.versions[bundle] = version;
  for (const auto& [bundle, version] : state.pending) all.pending[bundle] = version;
  all.used.assign(state.used.begin(), state.used.end());
  sink.key("state");
  write_changes(sink, all);
  sink.close();
  return out + "\n";
}

std::optional<State> parse_state(base::FileSystem& records, const std::string& text) {
  base::SourceFiles files;
  const base::Result<doc::Document> document = doc::parse_one(files, files.add("state", text));
  if (!document.ok()) return std::nullopt;
  JsonReader reader;
  const doc::Node root = document.value().root();
  State state;
  if (reader.text(root, "format") != state.format) return std::nullopt;
  state.cell = reader.text(root, "cell");
  apply(read_changes(reader, records, root.find("state")), state);
  state.head = reader.head(root.find("head"));
  if (!reader.good) return std::nullopt;
  return state;
}

}  // namespace cmb2kueue::cutover
