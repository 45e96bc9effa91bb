#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "broadside/scene/file.hpp"
#include "course.hpp"
#include "race.hpp"
#include "report.hpp"

namespace broadside::bench {

namespace {

struct Options {
  std::vector<std::string> workloads;
  std::vector<std::string> contenders;
  std::vector<std::string> traces;
  std::vector<std::string> trace_directories;
  std::vector<std::string> orders;
  std::uint64_t boxes = 0;
  std::size_t frames = 0;
  std::string json;
};

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

void print_versions(const Contenders& contenders) {
  std::vector<std::string> versions;
  for (const auto& contender : contenders) {
    if (!contender->version().empty()) {
      versions.push_back(fmt::format("{} is {}", contender->name(), contender->version()));
    }
  }
  if (!versions.empty()) {
    fmt::print("Versions: {}.\n", fmt::join(versions, ", "));
  }
}

nlohmann::ordered_json as_json(const RaceResult& result) {
  nlohmann::ordered_json contenders = nlohmann::ordered_json::array();
  const double best_peer = result.best_peer_ms();
  for (const Score& score : result.scores) {
    contenders.push_back({{"name", score.name},
                          {"version", score.version},
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
  all.push_back(make_hierarchical_hash_grid());
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

/// Returns the values of an option that were wanted; an error names the first unknown one.
Result<std::vector<Order>> orders_of(const std::vector<std::string>& names) {
  if (const auto wrong = unknown("order", names, order_names())) {
    return Error{ErrorCode::invalid_argument, *wrong};
  }
  std::vector<Order> orders;
  for (const Order order : {Order::given, Order::sorted, Order::shuffled, Order::alternating}) {
    const std::string name(name_of(order));
    if (names.empty() ? order == Order::given : wanted(names, name)) {
      orders.push_back(order);
    }
  }
  return orders;
}

Result<bool> run(const Options& options) {
  std::vector<Course> courses = generated_courses();
  for (Course& course : courses) {
    course.count = options.boxes == 0 ? course.count : options.boxes;
  }
  for (Course& course : recorded_courses(options.trace_directories)) {
    courses.push_back(std::move(course));
  }
  const auto orders = orders_of(options.orders);
  if (!orders.has_value()) {
    return orders.error();
  }
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
    courses.push_back(recorded_course(path));
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
    auto trace = boxes_of(course, options.frames == 0 ? course.frames : options.frames);
    if (!trace.has_value()) {
      show_progress("");
      return trace.error();
    }
    if (trace->moving_count() == 0) {
      show_progress("");
      return Error{ErrorCode::invalid_argument, course.path + ": nothing moves in it"};
    }
    const std::size_t frames = options.frames == 0 ? trace->frame_count() : options.frames;
    for (const Order order : *orders) {
      // The last one needs no copy: a large scene takes hundreds of megabytes.
      Trace ordered = order == orders->back() ? std::move(*trace) : *trace;
      reorder(ordered, order);
      const std::string name =
          course.name + (order == Order::given ? "" : fmt::format(", {}", name_of(order)));
      const RaceResult result = race(name, ordered, frames, contenders, progress);
      print(result);
      report["workloads"].push_back(as_json(result));
      for (const Score& score : result.scores) {
        all_exact = all_exact && (score.exact || !score.ours);
      }
    }
  }
  print_versions(contenders);
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
  app.add_option("--boxes", options.boxes, "Boxes of each generated workload, instead of its own number")
      ->check(CLI::Range(2, 16'000'000));
  app.add_option("--frames", options.frames,
                 "Frames of each workload; without it 20, of moving scenes 1,000, and of recorded scenes all")
      ->check(CLI::Range(1, 1000));
  app.add_option(
         "--order", options.orders,
         "Orders of the moving boxes in their array: given, sorted, shuffled, alternating; without it "
         "given")
      ->delimiter(',');
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench --traces scenes --workload U10k,tumbler --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::exit_code_of("broadside-bench", [&] { return broadside::bench::run(options); });
}
