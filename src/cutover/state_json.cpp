// Writers and readers of the parts.
#include "state_json.h"

#include "cmb2kueue/base/text.h"
#include "cmb2kueue/kueue/api.h"

namespace cmb2kueue::cutover {

namespace {

void write_shares(doc::Sink& sink, std::string_view key, const quota::Shares& shares) {
  if (shares.empty()) return;
  sink.key(key);
  sink.open_list();
  for (const quota::Share& share : shares) {
    sink.number(share.column);
    sink.number(share.count);
  }
  sink.close();
}

// Pairs of a column and its count, flat.
quota::Shares read_shares(JsonReader& reader, doc::Node list) {
  quota::Shares shares;
  const std::vector<std::int64_t> values = reader.numbers(list);
  if (values.size() % 2 != 0) reader.fail(list, "a column without a count");
  for (std::size_t i = 0; i + 1 < values.size(); i += 2)
    shares.push_back({static_cast<std::uint32_t>(values[i]), values[i + 1]});
  return shares;
}

void write_split(doc::Sink& sink, std::string_view key, const quota::Split& split) {
  sink.key(key);
  sink.open_map();
  sink.text_field("kind", word_of(split.kind));
  sink.number_field("percent", split.percent);
  sink.close();
}

quota::Split read_split(JsonReader& reader, doc::Node node) {
  quota::Split split;
  split.kind = reader.word<quota::SplitKind>(node, "kind");
  split.percent = reader.index(node, "percent");
  return split;
}

void write_node(doc::Sink& sink, const quota::EntitlementNode& node) {
  sink.open_map();
  sink.text_field("hash", node.hash);
  sink.text_field("id", node.id);
  sink.text_field("object", node.object);
  sink.text_field("display", node.display);
  sink.number_field("parent", node.parent);
  sink.boolean_field("leaf", node.leaf);
  sink.number_field("weight", node.weight);
  sink.text_field("limitRole", word_of(node.limit_role));
  sink.boolean_field("lendable", node.lendable);
  quota::Shares columns;
  if (!node.columns.empty()) {
    sink.key("columns");
    sink.open_list();
    for (const std::uint32_t column : node.columns) sink.number(column);
    sink.close();
  }
  write_shares(sink, "reserved", node.reserved);
  write_shares(sink, "total", node.total);
  write_shares(sink, "borrowing", node.borrowing);
  sink.close();
}

quota::EntitlementNode read_node(JsonReader& reader, doc::Node node) {
  quota::EntitlementNode made;
  made.hash = reader.text(node, "hash");
  made.id = reader.text(node, "id");
  made.object = reader.text(node, "object");
  made.display = reader.text(node, "display");
  made.parent = static_cast<std::int32_t>(reader.number(node, "parent"));
  made.leaf = reader.boolean(node, "leaf");
  made.weight = reader.index(node, "weight");
  made.limit_role = reader.word<quota::LimitRole>(node, "limitRole");
  made.lendable = reader.boolean(node, "lendable");
  for (const std::int64_t column : reader.numbers(node.find("columns")))
    made.columns.push_back(static_cast<std::uint32_t>(column));
  made.reserved = read_shares(reader, node.find("reserved"));
  made.total = read_shares(reader, node.find("total"));
  made.borrowing = read_shares(reader, node.find("borrowing"));
  return made;
}

}  // namespace

void write_object(doc::Sink& sink, const kueue::Object& object) {
  kueue::encode(object, sink);
}

void write_objects(doc::Sink& sink, std::string_view key, const std::vector<kueue::Object>& objects) {
  sink.key(key);
  sink.open_list();
  for (const kueue::Object& object : objects) write_object(sink, object);
  sink.close();
}

void write_texts(doc::Sink& sink, std::string_view key, const std::vector<std::string>& texts) {
  sink.key(key);
  sink.open_list();
  for (const std::string& text : texts) sink.text(text);
  sink.close();
}

void write_parts(doc::Sink& sink, const std::vector<quota::FixedPart>& parts) {
  sink.open_list();
  for (const quota::FixedPart& part : parts)
    for (const std::int64_t value :
         {static_cast<std::int64_t>(part.node), static_cast<std::int64_t>(part.column), part.kueue})
      sink.number(value);
  sink.close();
}

void write_head(doc::Sink& sink, const Head& head) {
  sink.open_map();
  sink.number_field("seq", static_cast<std::int64_t>(head.seq));
  sink.text_field("hash", head.hash);
  sink.text_field("run", head.run);
  sink.close();
}

void write_inputs(doc::Sink& sink, const Inputs& inputs) {
  sink.open_map();
  sink.text_field("exportId", inputs.export_id);
  sink.text_field("exportHash", inputs.export_hash);
  sink.text_field("mappingHash", inputs.mapping_hash);
  sink.text_field("reservationSemantics", inputs.semantics);
  sink.text_field("preset", inputs.preset);
  sink.key("split");
  sink.open_map();
  write_split(sink, "internal", inputs.splits.internal);
  write_split(sink, "pool", inputs.splits.pool);
  write_split(sink, "limit", inputs.splits.limit);
  sink.number_field("minimum", inputs.splits.minimum);
  sink.text_field("primaryResource", inputs.splits.primary_resource);
  sink.close();
  sink.key("ramp");
  sink.open_list();
  for (const std::uint32_t step : inputs.ramp) sink.number(step);
  sink.close();
  sink.boolean_field("partitioned", inputs.partitioned);
  sink.text_field("partitionSignedBy", inputs.partition_signed_by);
  sink.key("partition");
  write_parts(sink, inputs.partition);
  sink.close();
}

void write_tree(doc::Sink& sink, const quota::Entitlements& tree) {
  sink.open_map();
  sink.text_field("cell", tree.cell);
  sink.key("columns");
  sink.open_list();
  for (const quota::Column& column : tree.columns) {
    sink.open_map();
    sink.text_field("flavor", column.flavor);
    sink.text_field("resource", column.resource);
    sink.text_field("unit", word_of(column.unit));
    sink.boolean_field("limit", column.limit);
    sink.close();
  }
  sink.close();
  sink.key("nodes");
  sink.open_list();
  for (const quota::EntitlementNode& node : tree.nodes) write_node(sink, node);
  sink.close();
  sink.close();
}

void write_enrolled(doc::Sink& sink, const Enrolled& tenant) {
  sink.open_map();
  sink.text_field("hash", tenant.hash);
  sink.text_field("id", tenant.id);
  sink.text_field("object", tenant.object);
  sink.text_field("display", tenant.display);
  sink.text_field("state", to_string(tenant.state));
  sink.text_field("run", tenant.run);
  sink.text_field("nonce", tenant.nonce);
  sink.text_field("step", tenant.step);
  sink.number_field("moved", tenant.moved);
  sink.boolean_field("counts", tenant.counts);
  sink.boolean_field("held", tenant.held);
  sink.text_field("intake", word_of(tenant.intake));
  sink.boolean_field("received", tenant.received);
  sink.text_field("snapshot", tenant.snapshot);
  write_texts(sink, "acceptances", tenant.acceptances);
  write_objects(sink, "objects", tenant.objects);
  sink.close();
}

void write_shared(doc::Sink& sink, const SharedObject& shared) {
  sink.open_map();
  sink.text_field("bundle", shared.bundle);
  sink.boolean_field("adopted", shared.adopted);
  write_texts(sink, "users", shared.users);
  sink.key("object");
  write_object(sink, shared.object);
  sink.close();
}

void JsonReader::fail(doc::Node node, std::string what) {
  if (!good) return;
  good = false;
  problem = std::move(what);
  if (node.exists()) place = node.place();
}

std::string JsonReader::text(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (!found.exists()) return "";
  if (found.kind() != doc::NodeKind::text) fail(found, base::quoted(key) + " is not text");
  return std::string(found.text());
}

std::int64_t JsonReader::number(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (!found.exists()) return 0;
  if (!found.integer()) fail(found, base::quoted(key) + " is not a whole number");
  return found.integer().value_or(0);
}

std::uint32_t JsonReader::index(doc::Node map, std::string_view key) {
  const std::int64_t value = number(map, key);
  if (value < 0 || value > UINT32_MAX) fail(map.find(key), base::quoted(key) + " is out of range");
  return static_cast<std::uint32_t>(value);
}

bool JsonReader::boolean(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (found.exists() && !found.boolean()) fail(found, base::quoted(key) + " is neither true nor false");
  return found.boolean().value_or(false);
}

std::vector<std::string> JsonReader::texts(doc::Node map, std::string_view key) {
  std::vector<std::string> found;
  for (const doc::Node item : doc::children(map.find(key))) found.emplace_back(item.text());
  return found;
}

std::vector<std::int64_t> JsonReader::numbers(doc::Node list) {
  std::vector<std::int64_t> found;
  for (const doc::Node item : doc::children(list)) {
    if (!item.integer()) fail(item, "an entry is not a whole number");
    found.push_back(item.integer().value_or(0));
  }
  return found;
}

// Triples of a node, a column and a count, flat.
std::vector<quota::FixedPart> JsonReader::parts(doc::Node list) {
  std::vector<quota::FixedPart> found;
  const std::vector<std::int64_t> values = numbers(list);
  if (values.size() % 3 != 0) fail(list, "a part of the partition is cut");
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    found.push_back(
        {static_cast<std::uint32_t>(values[i]), static_cast<std::uint32_t>(values[i + 1]), values[i + 2]});
  return found;
}

kueue::Object JsonReader::object(doc::Node node) {
  base::Findings findings;
  std::vector<kueue::Decoded> decoded = kueue::decode(node, findings);
  if (decoded.size() != 1) {
    fail(node, "this is not one object");
    return kueue::Namespace();
  }
  return std::move(decoded[0].object);
}

std::vector<kueue::Object> JsonReader::objects(doc::Node map, std::string_view key) {
  std::vector<kueue::Object> found;
  for (const doc::Node item : doc::children(map.find(key))) found.push_back(object(item));
  return found;
}

Head JsonReader::head(doc::Node node) {
  return {static_cast<std::uint64_t>(number(node, "seq")), text(node, "hash"), text(node, "run")};
}

Inputs JsonReader::inputs(doc::Node node) {
  Inputs inputs;
  inputs.export_id = text(node, "exportId");
  inputs.export_hash = text(node, "exportHash");
  inputs.mapping_hash = text(node, "mappingHash");
  inputs.semantics = text(node, "reservationSemantics");
  inputs.preset = text(node, "preset");
  const doc::Node split = node.find("split");
  inputs.splits.internal = read_split(*this, split.find("internal"));
  inputs.splits.pool = read_split(*this, split.find("pool"));
  inputs.splits.limit = read_split(*this, split.find("limit"));
  inputs.splits.minimum = number(split, "minimum");
  inputs.splits.primary_resource = text(split, "primaryResource");
  if (node.find("ramp").exists()) {
    inputs.ramp.clear();
    for (const std::int64_t step : numbers(node.find("ramp"))) {
      if (step < 1 || step > 100) fail(node.find("ramp"), "a step of the ramp is not between 1 and 100");
      inputs.ramp.push_back(static_cast<std::uint32_t>(step));
    }
    if (inputs.ramp.empty() || inputs.ramp.back() != 100) fail(node.find("ramp"), "the ramp does not end at 100");
  }
  inputs.partitioned = boolean(node, "partitioned");
  inputs.partition_signed_by = text(node, "partitionSignedBy");
  inputs.partition = parts(node.find("partition"));
  return inputs;
}

quota::Entitlements JsonReader::tree(doc::Node node) {
  quota::Entitlements tree;
  tree.cell = text(node, "cell");
  for (const doc::Node item : doc::children(node.find("columns")))
    tree.columns.push_back(
        {text(item, "flavor"), text(item, "resource"), word<base::Unit>(item, "unit"), boolean(item, "limit")});
  for (const doc::Node item : doc::children(node.find("nodes"))) {
    tree.nodes.push_back(read_node(*this, item));
    const quota::EntitlementNode& made = tree.nodes.back();
    const std::int32_t own = static_cast<std::int32_t>(tree.nodes.size()) - 1;
    const bool placed = own == 0 ? made.parent == -1 : made.parent >= 0 && made.parent < own;
    if (!placed) fail(item, "a node does not come after its parent");
    bool known = true;
    for (const quota::Shares* shares : {&made.total, &made.reserved, &made.borrowing})
      for (const quota::Share& share : *shares) known &= share.column < tree.columns.size();
    for (const std::uint32_t column : made.columns) known &= column < tree.columns.size();
    if (!known) fail(item, "a node names a column that is not there");
  }
  return tree;
}

Enrolled JsonReader::enrolled(doc::Node node) {
  Enrolled tenant;
  tenant.hash = text(node, "hash");
  tenant.id = text(node, "id");
  tenant.object = text(node, "object");
  tenant.display = text(node, "display");
  tenant.state = word<TenantState>(node, "state");
  tenant.run = text(node, "run");
  tenant.nonce = text(node, "nonce");
  tenant.step = text(node, "step");
  tenant.moved = index(node, "moved");
  tenant.counts = boolean(node, "counts");
  tenant.held = boolean(node, "held");
  // Records of versions without hooks say neither: what was switched is Kueue's.
  const bool switched = tenant.state >= TenantState::switched && tenant.state <= TenantState::completed;
  tenant.intake = switched ? Intake::kueue : Intake::cmb;
  if (node.find("intake").exists()) tenant.intake = word<Intake>(node, "intake");
  tenant.received = node.find("received").exists() ? boolean(node, "received") : switched;
  tenant.snapshot = text(node, "snapshot");
  tenant.acceptances = texts(node, "acceptances");
  tenant.objects = objects(node, "objects");
  return tenant;
}

SharedObject JsonReader::shared(doc::Node node) {
  SharedObject shared;
  shared.bundle = text(node, "bundle");
  shared.adopted = boolean(node, "adopted");
  shared.users = texts(node, "users");
  shared.object = object(node.find("object"));
  return shared;
}

std::string tree_text(const quota::Entitlements& tree) {
  std::string out;
  doc::JsonSink sink(out, 0);
  write_tree(sink, tree);
  return out;
}

std::string tree_name(const quota::Entitlements& tree) {
  return "trees/" + base::sha256_hex(tree_text(tree)).substr(0, 32) + ".json";
}

}  // namespace cmb2kueue::cutover
