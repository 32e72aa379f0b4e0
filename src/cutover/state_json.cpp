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

quota::Shares read_shares(JsonReader& reader, doc::Node node) {
  quota::Shares shares;
  for (doc::Node item = node.exists() ? node.first_child() : doc::Node(); item.exists(); item = item.next()) {
    const doc::Node count = item.next();
    if (!count.exists() || !item.integer() || !count.integer()) {
      reader.good = false;
      break;
    }
    shares.push_back({static_cast<std::uint32_t>(*item.integer()), *count.integer()});
    item = count;
  }
  return shares;
}

void write_split(doc::Sink& sink, std::string_view key, const quota::Split& split) {
  sink.key(key);
  sink.open_map();
  sink.number_field("kind", static_cast<int>(split.kind));
  sink.number_field("percent", split.percent);
  sink.close();
}

quota::Split read_split(JsonReader& reader, doc::Node node) {
  quota::Split split;
  split.kind = static_cast<quota::SplitKind>(reader.number(node, "kind"));
  split.percent = static_cast<std::uint32_t>(reader.number(node, "percent"));
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
  sink.number_field("limitRole", static_cast<int>(node.limit_role));
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
  made.weight = static_cast<std::uint32_t>(reader.number(node, "weight"));
  made.limit_role = static_cast<quota::LimitRole>(reader.number(node, "limitRole"));
  made.lendable = reader.boolean(node, "lendable");
  for (const doc::Node column : doc::children(node.find("columns")))
    made.columns.push_back(static_cast<std::uint32_t>(column.integer().value_or(0)));
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
  sink.boolean_field("partitioned", inputs.partitioned);
  sink.text_field("partitionSignedBy", inputs.partition_signed_by);
  sink.key("partition");
  sink.open_list();
  for (const quota::FixedPart& part : inputs.partition)
    for (const std::int64_t value :
         {static_cast<std::int64_t>(part.node), static_cast<std::int64_t>(part.column), part.kueue})
      sink.number(value);
  sink.close();
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
    sink.number_field("unit", static_cast<int>(column.unit));
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

std::string JsonReader::text(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (!found.exists()) return "";
  if (found.kind() != doc::NodeKind::text) good = false;
  return std::string(found.text());
}

std::int64_t JsonReader::number(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (!found.exists()) return 0;
  if (!found.integer()) good = false;
  return found.integer().value_or(0);
}

bool JsonReader::boolean(doc::Node map, std::string_view key) {
  const doc::Node found = map.find(key);
  if (found.exists() && !found.boolean()) good = false;
  return found.boolean().value_or(false);
}

std::vector<std::string> JsonReader::texts(doc::Node map, std::string_view key) {
  std::vector<std::string> found;
  for (const doc::Node item : doc::children(map.find(key))) found.emplace_back(item.text());
  return found;
}

kueue::Object JsonReader::object(doc::Node node) {
  base::Findings findings;
  std::vector<kueue::Decoded> decoded = kueue::decode(node, findings);
  if (decoded.size() != 1) {
    good = false;
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
  inputs.partitioned = boolean(node, "partitioned");
  inputs.partition_signed_by = text(node, "partitionSignedBy");
  std::vector<std::int64_t> values;
  for (const doc::Node item : doc::children(node.find("partition"))) values.push_back(item.integer().value_or(0));
  good &= values.size() % 3 == 0;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    inputs.partition.push_back(
        {static_cast<std::uint32_t>(values[i]), static_cast<std::uint32_t>(values[i + 1]), values[i + 2]});
  return inputs;
}

quota::Entitlements JsonReader::tree(doc::Node node) {
  quota::Entitlements tree;
  tree.cell = text(node, "cell");
  for (const doc::Node item : doc::children(node.find("columns")))
    tree.columns.push_back({text(item, "flavor"), text(item, "resource"),
                            static_cast<base::Unit>(number(item, "unit")), boolean(item, "limit")});
  for (const doc::Node item : doc::children(node.find("nodes"))) {
    tree.nodes.push_back(read_node(*this, item));
    good &= tree.nodes.back().parent < static_cast<std::int32_t>(tree.nodes.size()) - 1;
    for (const quota::Shares* shares : {&tree.nodes.back().total, &tree.nodes.back().reserved})
      for (const quota::Share& share : *shares) good &= share.column < tree.columns.size();
  }
  return tree;
}

Enrolled JsonReader::enrolled(doc::Node node) {
  Enrolled tenant;
  tenant.hash = text(node, "hash");
  tenant.id = text(node, "id");
  tenant.object = text(node, "object");
  tenant.display = text(node, "display");
  const std::string word = text(node, "state");
  bool known = false;
  for (int i = 0; i <= static_cast<int>(TenantState::failed); ++i)
    if (word == to_string(static_cast<TenantState>(i))) {
      tenant.state = static_cast<TenantState>(i);
      known = true;
    }
  good &= known;
  tenant.run = text(node, "run");
  tenant.nonce = text(node, "nonce");
  tenant.step = text(node, "step");
  tenant.moved = static_cast<std::uint32_t>(number(node, "moved"));
  tenant.counts = boolean(node, "counts");
  tenant.held = boolean(node, "held");
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
