// Walking a row by the table of fields.
#include "job_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "cmb2kueue/base/text.h"

namespace cmb2kueue::source {

using doc::Node;
using model::no_tenant;
using model::TenantIndex;

JobWalk::JobWalk(ProtoReader& reader, model::Model& model)
    : reader_(reader), model_(model), slots_(model.tenants.size() + 1) {}

void JobWalk::add(std::size_t field, TenantIndex tenant, std::uint64_t hash, base::Place place) {
  std::vector<std::uint32_t>& slots = slots_[std::min<std::size_t>(tenant, model_.tenants.size())];
  if (slots.empty()) slots.resize(job_fields().size());
  std::uint32_t& slot = slots[field];
  if (slot == 0) {
    const JobField& row = job_fields()[field];
    model_.facts.push_back({reader_.field(row.note, row.code, row.remedy), tenant, 0, place});
    slot = static_cast<std::uint32_t>(model_.facts.size());
  }
  model_.facts[slot - 1].value += hash;
}

void JobWalk::note(std::size_t field, std::uint64_t hash, base::Place place) {
  if (waits_for_.empty())
    add(field, tenant_, hash, place);
  else
    waiting_.push_back({waits_for_, field, hash, place});
}

Canonical JobWalk::texts(Node node) {
  std::uint64_t hash = 0;
  each(reader_, node, [&](Node item) { hash = base::fnv1a(reader_.text(item), hash ^ number_hash(1)); });
  return {hash, node.size() == 0};
}

Canonical JobWalk::messages(const JobMessage::Row& row, Node node) {
  std::uint64_t hash = 0;
  const std::string_view name = job_fields()[row.field].message;
  each(reader_, node,
       [&](Node item) { hash = number_hash(static_cast<std::int64_t>(hash ^ walk(*row.below, name, item).hash)); });
  return {hash, node.size() == 0};
}

Canonical JobWalk::value(const JobMessage::Row& row, Node node) {
  const JobField& field = job_fields()[row.field];
  switch (field.type) {
    case FieldType::text:
      static_cast<void>(reader_.text(node));
      break;
    case FieldType::flag:
      static_cast<void>(reader_.flag(node));
      break;
    case FieldType::whole32:
      static_cast<void>(reader_.u32(node));
      break;
    case FieldType::whole64:
      static_cast<void>(reader_.integer(node, 0, INT64_MAX));
      break;
    case FieldType::real:
      static_cast<void>(reader_.real(node));
      break;
    case FieldType::timestamp:
      static_cast<void>(reader_.timestamp(node));
      break;
    case FieldType::word:
      static_cast<void>(reader_.enumeration(node, job_words(field.message)));
      break;
    case FieldType::map:
      static_cast<void>(reader_.string_map(node));
      break;
    case FieldType::texts:
      return texts(node);
    case FieldType::message:
      return walk(*row.below, field.message, node);
    case FieldType::messages:
      return messages(row, node);
    case FieldType::marker:
      return {number_hash(1), false};
    case FieldType::any:
      return {value_hash(node), is_zero(node)};
  }
  return reader_.seen.value_or(Canonical{value_hash(node), is_zero(node)});
}

Canonical JobWalk::walk(const JobMessage& message, std::string_view name, Node node) {
  Canonical all = {0, true};
  if (!node.is_map()) {
    report_not_a_map(reader_, name, node);
    return all;
  }
  std::size_t at = 0;
  for (const Node child : doc::children(node)) {
    const std::string_view key = child.key();
    std::size_t tries = 0;
    const std::size_t rows = message.rows.size();
    for (; tries < rows && job_fields()[message.rows[at].field].key != key; ++tries)
      at = at + 1 < rows ? at + 1 : 0;
    if (tries == rows) {
      std::vector<std::string> known;
      for (const JobMessage::Row& row : message.rows) known.emplace_back(job_fields()[row.field].key);
      report_unknown(reader_, name, known, child);
      continue;
    }
    if (child.kind() == doc::NodeKind::null) continue;
    const Canonical one = value(message.rows[at], child);
    if (one.zero) continue;
    const JobField& field = job_fields()[message.rows[at].field];
    if (!field.code.empty()) note(message.rows[at].field, one.hash, child.place());
    all.hash += number_hash(static_cast<std::int64_t>(one.hash ^ base::fnv1a(key)));
    all.zero = false;
  }
  return all;
}

void JobWalk::take(std::string_view message, Node node, TenantIndex tenant, const std::string& waits_for) {
  tenant_ = tenant;
  waits_for_ = waits_for;
  static_cast<void>(walk(job_messages().at(message), message, node));
}

std::vector<base::Place> JobWalk::finish(const std::unordered_map<std::string, TenantIndex>& tenant_of_job) {
  std::vector<base::Place> orphans;
  for (const Waiting& one : waiting_) {
    const auto job = tenant_of_job.find(one.job);
    if (job == tenant_of_job.end() && job_fields()[one.field].key == "jobId") orphans.push_back(one.place);
    add(one.field, job == tenant_of_job.end() ? no_tenant : job->second, one.hash, one.place);
  }
  return orphans;
}

}  // namespace cmb2kueue::source
