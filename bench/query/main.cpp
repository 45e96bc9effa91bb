#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "broadside/scene/file.hpp"
#include "broadside/scene/workload.hpp"
#include "contest.hpp"
#include "report.hpp"

namespace broadside::bench {

namespace {

struct Options {
  std::vector<std::string> scenes;
  std::vector<std::string> questions;
  std::uint64_t boxes = 100'000;
  std::string json;
};

const std::vector<std::string> scene_names = {"uniform", "clusters", "power-law"};

void print(const QueryResult& result, const Contenders& contenders) {
  show_progress("");
  fmt::print("  {:<10} {:>9.2f}", result.question, result.found);
  std::string disagreements;
  for (const auto& contender : contenders) {
    std::string ns = "-";
    for (const QueryScore& score : result.scores) {
      if (score.name == contender->name()) {
        ns = fmt::format("{:.0f}", score.ns);
        if (score.disagreements > 0) {
          disagreements +=
              fmt::format("{}{}: {}", disagreements.empty() ? "" : ", ", score.name, score.disagreements);
        }
      }
    }
    fmt::print(" {:>18}", ns);
  }
  for (const Job job : {Job::shapes, Job::boxes}) {
    const double ratio = result.ratio(job);
    fmt::print(" {:>12}", ratio > 0.0 ? fmt::format("{:.3f}", ratio) : "-");
  }
  fmt::print("  {}\n", disagreements.empty() ? "0" : disagreements);
  std::fflush(stdout);
}

nlohmann::ordered_json as_json(const QueryResult& result) {
  nlohmann::ordered_json contenders = nlohmann::ordered_json::array();
  for (const QueryScore& score : result.scores) {
    contenders.push_back({{"name", score.name},
                          {"ours", score.ours},
                          {"boxes_alone", score.job == Job::boxes},
                          {"ns", score.ns},
                          {"disagreements", score.disagreements}});
  }
  return {{"scene", result.scene},
          {"question", result.question},
          {"boxes", result.boxes},
          {"found", result.found},
          {"ratio_to_best_peer", result.ratio(Job::shapes)},
          {"boxes_ratio_to_best_peer", result.ratio(Job::boxes)},
          {"contenders", contenders}};
}

std::optional<std::string> unknown_names(const Options& options) {
  std::vector<std::string> names;
  for (const Question& question : questions) {
    names.emplace_back(question.name);
  }
  auto wrong = unknown("scene", options.scenes, scene_names);
  return wrong ? wrong : unknown("question", options.questions, names);
}

Result<bool> run(const Options& options) {
  if (const auto wrong = unknown_names(options)) {
    return Error{ErrorCode::invalid_argument, *wrong};
  }
  auto target = JsonTarget::open(options.json);
  if (!target.has_value()) {
    return target.error();
  }
  nlohmann::ordered_json report = {{"machine", machine()}, {"queries", nlohmann::ordered_json::array()}};
  Contenders contenders;
  contenders.push_back(make_ours());
  contenders.push_back(make_ours_visited());
  contenders.push_back(make_ours_boxes());
  contenders.push_back(make_chipmunk());
  contenders.push_back(make_box2d());
#ifdef BROADSIDE_BENCH_BOX2D_V3
  contenders.push_back(make_box2d_v3());
#endif
  contenders.push_back(make_boost());
  contenders.push_back(make_boost_shapes());
  for (const std::string& scene : scene_names) {
    if (!wanted(options.scenes, scene)) {
      continue;
    }
    const auto workload = make_workload(scene, options.boxes, 1);
    if (!workload.has_value()) {
      return workload.error();
    }
    fmt::print("{} {}, ns a query\n  {:<10} {:>9}", options.boxes, scene, "question", "found");
    for (const auto& contender : contenders) {
      show_progress(fmt::format("{}: loading {}", scene, contender->name()));
      contender->load(workload->boxes);
      fmt::print(" {:>18}", contender->name());
    }
    show_progress("");
    fmt::print(" {:>12} {:>12}  disagreements\n", "x best peer", "boxes: x");
    for (const Question& question : questions) {
      if (wanted(options.questions, std::string(question.name))) {
        show_progress(fmt::format("{}: {}", scene, question.name));
        const QueryResult result = measure(scene, question, workload->boxes, contenders);
        print(result, contenders);
        report["queries"].push_back(as_json(result));
      }
    }
  }
  if (const auto written = target->write(report); !written.has_value()) {
    return written.error();
  }
  return true;
}

}  // namespace

}  // namespace broadside::bench

int main(int argc, char** argv) {
  broadside::remove_unfinished_files_on_signals();
  CLI::App app("Our queries against peers on the same boxes, query by query in one process.",
               "broadside-bench-query");
  broadside::bench::Options options;
  app.add_option("--scene", options.scenes, "Only these of uniform, clusters, power-law")->delimiter(',');
  app.add_option("--question", options.questions, "Only these, such as ray-10%,nearest-8")->delimiter(',');
  app.add_option("--boxes", options.boxes, "How many boxes a scene has")->check(CLI::Range(10, 1'000'000));
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench-query --scene clusters --question nearest-1 --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::exit_code_of("broadside-bench-query",
                                        [&] { return broadside::bench::run(options); });
}
