// The document around the tenants, and the ways out: a whole text, or pieces of it as they are ready.
#include <fmt/format.h>

#include <functional>

#include "generate/message.h"

namespace cmb2kueue::generate {

namespace {

constexpr std::size_t piece = 256 * 1024;

std::string cell_name(std::uint32_t cell) {
  return fmt::format("cell-{}", cell);
}

void write_cells(Writer& writer) {
  write_list(writer, writer.options.cells, [&](std::uint32_t i) {
    Message cell(writer);
    cell.text("name", cell_name(i));
    cell.number("percent", percent_of(writer.options, i));
    cell.field("kueueEnabled", [&writer] { writer.sink.boolean(true); });
    cell.text("kubeContext", cell_name(i) + "-prod");
  });
}

void write_pools(Writer& writer) {
  write_list(writer, 1, [&](std::uint32_t) {
    Message pool(writer);
    pool.text("name", "burst");
    pool.field("capacity", [&writer] {
      Message capacity(writer);
      const Member totals = {nobody, 0, false, false, 0, 0, writer.options.tenants, {8, 32768, 40000, 1000, 1}};
      write_shape(capacity, totals);
    });
    pool.text("members", "all");
  });
}

void write_percentages(Writer& writer) {
  Message map(writer);
  for (std::uint32_t cell = 0; cell < writer.options.cells; ++cell)
    map.number(cell_name(cell), percent_of(writer.options, cell));
}

// Every other group in the shape of the older interface, which has no cells.
void write_group(Writer& writer, const Member& one, std::uint32_t member) {
  Message group(writer);
  const std::string name = fmt::format("group-{}", member);
  if (member % 2 == 0) {
    static constexpr std::string_view keys[dimensions] = {"instanceCPU", "instanceMemoryMB", "instanceDiskMB",
                                                          "instanceNetworkMbs", "instanceGPU"};
    group.text("appName", name);
    group.text("tier", "Flex");
    for (std::size_t i = 0; i < dimensions; ++i) group.number(keys[i], one.shape[i]);
    group.number("instanceCount", one.instances);
    return;
  }
  group.text("capacityGroupName", name);
  group.field("federatedCapacity", [&writer, &one] {
    Message capacity(writer);
    capacity.number("instanceCount", one.instances);
    capacity.field("resourceDimension", [&writer, &one] {
      static constexpr std::string_view keys[dimensions] = {"cpu", "memoryMB", "diskMB", "networkMbps", "gpu"};
      Message dimension(writer);
      for (std::size_t i = 0; i < dimensions; ++i) dimension.number(keys[i], one.shape[i]);
    });
  });
  group.field("cellPercentDist", [&writer] { write_percentages(writer); });
}

void write_binding(Writer& writer, std::uint32_t member) {
  Message binding(writer);
  binding.text("tenantId", id_of(writer.options, member));
  binding.text("capacityGroupName", fmt::format("group-{}", member));
}

void write_head(Writer& writer, Message& root) {
  root.text("apiVersion", "cmb-export/v1alpha1");
  root.text("kind", "TenantExport");
  root.text("exportId", export_id(writer.options));
  root.text("exportedAt", "2026-03-01T00:00:00Z");
  root.text("snapshotConsistency", "atomic");
  root.field("source", [&writer] {
    Message source(writer);
    source.text("system", "CMB");
    source.text("stack", "generated");
    source.text("timestampUnit", "milliseconds");
  });
  root.field("cells", [&writer] { write_cells(writer); });
  root.field("sharedPools", [&writer] { write_pools(writer); });
  root.field("priorityPolicy", [&writer] {
    Message policy(writer);
    policy.text("systemDefault", "Normal");
  });
}

void write_export(Writer& writer, const std::vector<Member>& all, const std::function<void()>& flush) {
  std::vector<std::uint32_t> grouped;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].in_group) grouped.push_back(i);
  const std::uint32_t groups = static_cast<std::uint32_t>(grouped.size());
  const auto list = [&](Message& root, std::string_view key, std::uint32_t count,
                        std::function<void(std::uint32_t)> item) {
    root.field(key, [&writer, &flush, count, item = std::move(item)] {
      write_list(writer, count, [&](std::uint32_t i) {
        item(i);
        flush();
      });
    });
  };
  Message root(writer);
  write_head(writer, root);
  list(root, "tenants", static_cast<std::uint32_t>(all.size()),
       [&](std::uint32_t i) { write_tenant(writer, all, i); });
  list(root, "capacityGroups", groups,
       [&, grouped](std::uint32_t i) { write_group(writer, all[grouped[i]], grouped[i]); });
  list(root, "bindings", groups, [&, grouped](std::uint32_t i) { write_binding(writer, grouped[i]); });
}

}  // namespace

std::string export_id(const Options& options) {
  return fmt::format("generated-{}-{}", options.tenants, options.seed);
}

void write(const Options& options, const Output& out) {
  const std::vector<Member> all = make_company(options);
  if (options.format == Format::jsonl) return write_jobs(options, all, out);
  std::string text;
  const std::function<void()> flush = [&] {
    if (text.size() < piece) return;
    out(text);
    text.clear();
  };
  doc::JsonSink json(text, 0);
  doc::YamlSink yaml(text);
  doc::Sink& sink = options.format == Format::yaml ? static_cast<doc::Sink&>(yaml) : json;
  Writer writer{sink, options, Random(options.shuffle.value_or(0))};
  write_export(writer, all, flush);
  text += '\n';
  out(text);
}

std::string to_text(const Options& options) {
  std::string all;
  write(options, [&](std::string_view text) { all += text; });
  return all;
}

}  // namespace cmb2kueue::generate
