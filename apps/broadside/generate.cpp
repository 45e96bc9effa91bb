#include "broadside/scene/box_list.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/workload.hpp"
#include "commands.hpp"

namespace broadside::app {

namespace {

void write_csv(OutputFile& file, const Workload& workload) {
  constexpr std::size_t block = 1U << 20U;
  std::string text(box_list_header());
  for (std::size_t i = 0; i < workload.boxes.size(); ++i) {
    append_box(text, i, workload.boxes[i]);
    if (text.size() >= block) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
}

}  // namespace

int generate(const GenerateOptions& options) {
  const auto workload = make_workload(options.name, options.count, options.seed);
  if (!workload.has_value()) {
    return fail(bad_usage, workload.error());
  }
  const bool packed = options.output.ends_with(".xz");
  const bool is_trace = packed || options.output.ends_with(".b2tr");
  constexpr double max_trace_boxes = 6e7;
  if (is_trace &&
      static_cast<double>(options.frames) * static_cast<double>(options.count) > max_trace_boxes) {
    return fail(bad_usage, "--frames: " + std::to_string(options.frames) + " frames of " +
                               std::to_string(options.count) +
                               " boxes are more than a trace may hold (1 GiB)");
  }
  auto file = OutputFile::open(options.output);
  if (!file.has_value()) {
    return fail(bad_data, file.error());
  }
  if (is_trace) {
    const auto bytes = format_trace(record_workload(*workload, options.frames, options.seed), packed);
    if (!bytes.has_value()) {
      return fail(bad_data, bytes.error());
    }
    file->write(*bytes);
  } else {
    write_csv(*file, *workload);
  }
  if (auto committed = file->commit(); !committed.has_value()) {
    return fail(bad_data, committed.error());
  }
  return ok;
}

}  // namespace broadside::app
