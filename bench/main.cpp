#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "broadside/scene/file.hpp"
#include "broadside/scene/workload.hpp"
#include "race.hpp"
#include "report.hpp"

namespace broadside::bench {

namespace {

struct Entry {
  const char* name;
  const char* kind;
  std::uint64_t count;
};

constexpr Entry entries[] = {
    {"U10k", "uniform", 10'000},
    {"U100k", "uniform", 100'000},
    {"U1M", "uniform", 1'000'000},
    {"S100k", "few-movers", 101'000},
    {"C100k", "clusters", 100'000},
    {"P100k", "power-law", 100'000},
    {"pinball", "pinball", 2'005},
    {"circles2k", "circles", 2'000},
    {"circles20k", "circles", 20'000},
    {"circles200k", "circles", 200'000},
    {"line-x", "line-x", 100'000},
    {"line-y", "line-y", 100'000},
    {"stack", "stack", 3'000},
    {"giant", "giant", 100'000},
    {"two-scales", "two-scales", 100'000},
    {"far-away", "far-away", 100'000},
    {"bullets", "bullets", 100'000},
    {"object-pool", "object-pool", 100'000},
    {"streaks", "streaks", 100'000},
    {"thin", "thin", 100'000},
    {"walls", "walls", 100'000},
    {"beams-v", "beams-v", 100'000},
    {"beams-h", "beams-h", 100'000},
    {"bars-v", "bars-v", 100'000},
    {"bars-h", "bars-h", 100'000},
    {"comb-v", "comb-v", 100'000},
    {"comb-h", "comb-h", 100'000},
    {"octaves", "octaves", 100'000},
    {"tiny-clusters", "tiny-clusters", 100'000},
    {"dust", "dust", 100'000},
};

struct Options {
  std::vector<std::string> workloads;
  std::vector<std::string> contenders;
  std::vector<std::string> traces;
  std::vector<std::string> trace_directories;
  std::size_t frames = 0;
  std::string json;
};

/// The input of a race: a workload to generate, or a recorded scene to read.
struct Course {
  std::string name;
  const Entry* entry = nullptr;
  std::string path;
};

constexpr std::size_t made_frames = 20;

void print(const RaceResult& result) {
  show_progress("");
  const double best_peer = result.best_peer_ms();
  fmt::print("{}: {} boxes, {} moving, {:.0f} pairs a frame, limit {:.4f} ms\n", result.workload,
             result.boxes, result.moving, result.pairs, result.limit_ms);
  fmt::print("  {:<20} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>9} {:>11} {:>9}\n", "contender", "mean ms",
             "worst ms", "p99 ms", "median ms", "ns/box", "ns/pair", "x limit", "x best peer", "bytes/box");
  for (const Score& score : result.scores) {
    fmt::print(
        "  {:<20} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f} {:>8.1f} {:>8.1f} {:>9.2f} {:>11.3f} {:>9}{}{}\n",
        score.name, score.mean_ms, score.worst_ms, score.p99_ms, score.median_ms,
        1e6 * score.mean_ms / static_cast<double>(result.moving),
        1e6 * score.mean_ms / std::max(result.pairs, 1.0), score.mean_ms / result.limit_ms,
        best_peer > 0.0 ? score.mean_ms / best_peer : 0.0,
        score.bytes == 0 ? std::string("-") : std::to_string(score.bytes / result.boxes),
        score.dropped ? fmt::format("  timed on {} frames only", score.frames) : std::string(),
        score.exact ? "" : "  NOT EXACT");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

nlohmann::ordered_json as_json(const RaceResult& result) {
  nlohmann::ordered_json contenders = nlohmann::ordered_json::array();
  const double best_peer = result.best_peer_ms();
  for (const Score& score : result.scores) {
    contenders.push_back({{"name", score.name},
                          {"ours", score.ours},
                          {"default", score.is_default},
                          {"median_ms", score.median_ms},
                          {"mean_ms", score.mean_ms},
                          {"p99_ms", score.p99_ms},
                          {"p999_ms", score.p999_ms},
                          {"worst_ms", score.worst_ms},
                          {"ns_per_box", 1e6 * score.mean_ms / static_cast<double>(result.moving)},
                          {"ns_per_pair", 1e6 * score.mean_ms / std::max(result.pairs, 1.0)},
                          {"ratio_to_limit", score.mean_ms / result.limit_ms},
                          {"ratio_to_best_peer", best_peer > 0.0 ? score.mean_ms / best_peer : 0.0},
                          {"bytes", score.bytes},
                          {"frames", score.frames},
                          {"exact", score.exact}});
  }
  return {{"name", result.workload}, {"boxes", result.boxes},       {"moving", result.moving},
          {"pairs", result.pairs},   {"limit_ms", result.limit_ms}, {"contenders", contenders}};
}

Contenders make_contenders() {
  Contenders all = make_ours();
  all.push_back(make_box_pruning());
  all.push_back(make_chipmunk_tree());
  all.push_back(make_chipmunk_hash());
  all.push_back(make_cgal_boxes());
  all.push_back(make_boost_rtree());
  all.push_back(make_bullet_dbvt());
  all.push_back(make_box2d_tree());
#ifdef BROADSIDE_BENCH_BOX2D_V3
  all.push_back(make_box2d_v3());
#endif
  return all;
}

constexpr std::string_view trace_ending = ".b2tr.xz";

std::string trace_name(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  return file.ends_with(trace_ending) ? file.substr(0, file.size() - trace_ending.size()) : file;
}

std::vector<Course> all_courses(const Options& options) {
  std::vector<Course> courses;
  for (const Entry& entry : entries) {
    courses.push_back({entry.name, &entry, {}});
  }
  std::map<std::string, std::string> recorded;
  for (const std::string& directory : options.trace_directories) {
    for (const auto& file : std::filesystem::directory_iterator(directory)) {
      if (file.path().filename().string().ends_with(trace_ending)) {
        recorded.insert_or_assign(trace_name(file.path()), file.path().string());
      }
    }
  }
  for (const auto& [name, path] : recorded) {
    courses.push_back({name, nullptr, path});
  }
  return courses;
}

Result<bool> run(const Options& options) {
  std::vector<Course> courses = all_courses(options);
  Contenders contenders = make_contenders();
  std::vector<std::string> course_names;
  for (const Course& course : courses) {
    course_names.push_back(course.name);
  }
  std::vector<std::string> contender_names;
  for (const auto& contender : contenders) {
    contender_names.push_back(contender->name());
  }
  auto wrong = unknown("workload", options.workloads, course_names);
  if (!wrong) {
    wrong = unknown("contender", options.contenders, contender_names);
  }
  if (wrong) {
    return Error{ErrorCode::invalid_argument, *wrong};
  }
  std::erase_if(contenders, [&](const auto& one) {
    return !wanted(options.contenders, one->name()) && !one->is_default();
  });
  const bool only_traces = options.workloads.empty() && !options.traces.empty();
  std::erase_if(courses,
                [&](const Course& course) { return only_traces || !wanted(options.workloads, course.name); });
  for (const std::string& path : options.traces) {
    courses.push_back({trace_name(path), nullptr, path});
  }

  auto target = JsonTarget::open(options.json);
  if (!target.has_value()) {
    return target.error();
  }
  nlohmann::ordered_json report = {{"machine", machine()}, {"workloads", nlohmann::ordered_json::array()}};
  bool all_exact = true;
  for (std::size_t i = 0; i < courses.size(); ++i) {
    const Course& course = courses[i];
    const auto progress = [&](const std::string& text) {
      show_progress(fmt::format("{} of {}, {}: {}", i + 1, courses.size(), course.name, text));
    };
    progress("making the boxes");
    std::size_t frames = options.frames == 0 ? made_frames : options.frames;
    auto trace = course.entry == nullptr
                     ? read_trace(course.path)
                     : record_workload(make_workload(course.entry->kind, course.entry->count, 1).value(),
                                       static_cast<std::uint32_t>(frames), 1);
    if (!trace.has_value()) {
      show_progress("");
      return trace.error();
    }
    if (trace->moving_count() == 0) {
      show_progress("");
      return Error{ErrorCode::invalid_argument, course.path + ": nothing moves in it"};
    }
    if (options.frames == 0 && course.entry == nullptr) {
      frames = trace->frame_count();
    }
    const RaceResult result = race(course.name, *trace, frames, contenders, progress);
    print(result);
    report["workloads"].push_back(as_json(result));
    for (const Score& score : result.scores) {
      all_exact = all_exact && (score.exact || !score.ours);
    }
  }
  if (const auto written = target->write(report); !written.has_value()) {
    return written.error();
  }
  return all_exact;
}

}  // namespace

}  // namespace broadside::bench

int main(int argc, char** argv) {
  broadside::remove_unfinished_files_on_signals();
  CLI::App app("Our techniques against peers on the same boxes, frame by frame in one process.",
               "broadside-bench");
  broadside::bench::Options options;
  app.add_option("--workload", options.workloads, "Only these, such as U100k,C100k")->delimiter(',');
  app.add_option("--contender", options.contenders, "Only these, beside our default")->delimiter(',');
  app.add_option("--trace", options.traces, "Recorded scenes, instead of or beside the workloads")
      ->delimiter(',');
  app.add_option(
         "--traces", options.trace_directories,
         "Folders whose every .b2tr.xz is one more workload, named like the file; of two with the same "
         "name the last counts")
      ->check(CLI::ExistingDirectory);
  app.add_option("--frames", options.frames,
                 "Frames of each workload; without it 20, and of a recorded scene all")
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench --traces scenes --workload U10k,tumbler --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::exit_code_of("broadside-bench", [&] { return broadside::bench::run(options); });
}
