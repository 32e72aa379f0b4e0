// The jobs and tasks of the company, one a line, tasks after their job.
#include <fmt/format.h>

#include "generate/message.h"

namespace cmb2kueue::generate {

namespace {

constexpr std::int64_t first_second = 1'772'323'200'000;

void write_status(Writer& writer, std::string_view state, std::uint32_t row) {
  writer.sink.open_list();
  {
    Message entry(writer);
    entry.text("state", std::string(state));
    entry.text("message", "");
    entry.text("timestamp", std::to_string(first_second + std::int64_t{row} * 17));
  }
  writer.sink.close();
}

void write_container(Writer& writer, std::uint32_t row) {
  Message container(writer);
  container.field("resources", [&writer, row] {
    Message resources(writer);
    resources.number("cpu", 1 + row % 8);
    resources.number("memoryMB", 1024 * (1 + row % 16));
    resources.number("diskMB", 10000);
    resources.number("networkMbps", 128);
  });
  container.field("image", [&writer, row] {
    Message image(writer);
    image.text("name", fmt::format("generated/app-{}", row % 40));
    image.text("tag", "1.0");
  });
  container.field("entryPoint", [&writer] {
    writer.sink.open_list();
    writer.sink.text("/bin/run");
    writer.sink.close();
  });
}

void write_definition(Writer& writer, std::uint32_t tenant, std::uint32_t row) {
  static constexpr std::string_view classes[] = {"SystemDefault", "BestEffort", "Normal", "Preferred", "Critical"};
  Message definition(writer);
  definition.text("tenantId", id_of(writer.options, tenant));
  definition.text("applicationName", fmt::format("app-{}", row % 40));
  definition.field("container", [&writer, row] { write_container(writer, row); });
  definition.field("attributes", [&writer] {
    Message attributes(writer);
    attributes.text("pendingTtlSec", "86400");
    attributes.text("runtimeLimitSec", "3600");
  });
  definition.field("batch", [&writer] {
    Message batch(writer);
    batch.number("size", 1);
  });
  definition.field("priority", [&writer, row] {
    Message priority(writer);
    priority.text("class", std::string(classes[row % std::size(classes)]));
    priority.number("priorityValue", row % 100);
  });
}

void write_job(Writer& writer, std::uint32_t tenant, std::uint32_t row) {
  Message job(writer);
  job.text("jobId", fmt::format("job-{}", row));
  job.field("jobDefinition", [&writer, tenant, row] { write_definition(writer, tenant, row); });
  job.field("status", [&writer, row] { write_status(writer, "Accepted", row); });
}

void write_task(Writer& writer, std::uint32_t row) {
  Message task(writer);
  task.text("id", fmt::format("task-{}", row));
  task.text("jobId", fmt::format("job-{}", row - 1));
  task.field("status", [&writer, row] { write_status(writer, "Running", row); });
}

}  // namespace

void write_jobs(const Options& options, const std::vector<Member>& all, const Output& out) {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (!all[i].internal) leaves.push_back(i);
  std::string text;
  Random random(options.seed + 1);
  const auto line = [&](const std::function<void(Writer&)>& row) {
    doc::JsonSink one(text, 0);
    Writer writer{one, options, Random(options.shuffle.value_or(0) + random.next())};
    row(writer);
    text += '\n';
    if (text.size() < 256 * 1024) return;
    out(text);
    text.clear();
  };
  line([&](Writer& writer) {
    Message header(writer);
    header.text("apiVersion", "cmb-export/v1alpha1");
    header.text("kind", "JobExport");
    header.text("exportId", export_id(options));
  });
  for (std::uint32_t row = 0; row < options.jobs; ++row) {
    const std::uint32_t tenant = leaves[random.below(leaves.size())];
    line([&](Writer& writer) { row % 3 == 2 ? write_task(writer, row) : write_job(writer, tenant, row); });
  }
  out(text);
}

}  // namespace cmb2kueue::generate
