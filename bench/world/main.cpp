#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "broadside/scene/file.hpp"
#include "measure.hpp"
#include "report.hpp"
#include "stages.hpp"

namespace broadside::bench {

namespace {

struct Options {
  std::vector<std::string> scenes;
  std::vector<std::string> contenders;
  std::size_t frames = 40;
  bool disagreements = false;
  std::string json;
};

Contenders all_contenders() {
  Contenders all;
  all.push_back(make_ours());
  all.push_back(make_chipmunk(false));
  all.push_back(make_chipmunk(true));
  all.push_back(make_box2d(false));
  all.push_back(make_box2d(true));
#ifdef BROADSIDE_BENCH_BOX2D_V3
  all.push_back(make_box2d_v3());
#endif
  return all;
}

/// Returns a time divided by our mean time; 0 if ours is 0.
double times_ours(const WorldResult& result, double ms) {
  const double ours = result.scores.front().mean_ms;
  return ours > 0.0 ? ms / ours : 0.0;
}

void print(const WorldResult& result, bool list) {
  show_progress("");
  fmt::print("{}: {} bodies, {} moving; a frame {:.0f} touching pairs, {:.0f} begin, {:.0f} end\n",
             result.scene, result.bodies, result.movers, result.touching, result.begun, result.ended);
  fmt::print("  {:<18} {:>11} {:>11} {:>8} {:>12} {:>11}  disagreements\n", "contender", "median ms",
             "mean ms", "x ours", "bytes/body", "differences");
  for (const WorldScore& score : result.scores) {
    fmt::print("  {:<18} {:>11.4f} {:>11.4f} {:>8.1f} {:>12} {:>11}  {}{}\n", score.name, score.median_ms,
               score.mean_ms, times_ours(result, score.mean_ms),
               score.bytes == 0 ? std::string("-") : std::to_string(score.bytes / result.bodies),
               score.differences, score.disagreements,
               score.dropped ? fmt::format(", timed on {} frames only", score.frames) : std::string());
    if (list && !score.listed.empty()) {
      fmt::print("    {}\n", fmt::join(score.listed, "\n    "));
    }
  }
  std::fflush(stdout);
}

void print(const StageTimes& times) {
  show_progress("");
  const auto line = [](const char* what, const std::vector<Stage>& stages) {
    double sum = 0.0;
    fmt::print("  {}:", what);
    for (const Stage& stage : stages) {
      fmt::print(" {} {:.4f}", stage.name, stage.ms);
      sum += stage.ms;
    }
    fmt::print(", sum {:.4f} ms\n", sum);
  };
  line("ours", times.of_world);
  line("its parts alone", times.of_parts);
  fmt::print("  {:.0f} pairs of boxes, {:.0f} contacts, events {:.2f} ns a contact, {:.0f} bytes a body\n\n",
             times.pairs, times.contacts, times.ns_per_pair, times.bytes_per_body);
  std::fflush(stdout);
}

nlohmann::ordered_json as_json(const std::vector<Stage>& stages) {
  nlohmann::ordered_json result;
  for (const Stage& stage : stages) {
    result[stage.name] = stage.ms;
  }
  return result;
}

nlohmann::ordered_json as_json(const WorldResult& result, const StageTimes& times) {
  nlohmann::ordered_json contenders = nlohmann::ordered_json::array();
  for (const WorldScore& score : result.scores) {
    contenders.push_back({{"name", score.name},
                          {"ours", score.ours},
                          {"median_ms", score.median_ms},
                          {"mean_ms", score.mean_ms},
                          {"times_ours", times_ours(result, score.mean_ms)},
                          {"frames", score.frames},
                          {"bytes", score.bytes},
                          {"differences", score.differences},
                          {"disagreements", score.disagreements}});
  }
  return {{"name", result.scene},
          {"bodies", result.bodies},
          {"moving", result.movers},
          {"touching", result.touching},
          {"begun", result.begun},
          {"ended", result.ended},
          {"best_peer_times_ours", times_ours(result, result.best_peer_mean_ms())},
          {"contenders", contenders},
          {"stages", as_json(times.of_world)},
          {"parts", as_json(times.of_parts)},
          {"box_pairs", times.pairs},
          {"event_ns_per_contact", times.ns_per_pair},
          {"bytes_per_body", times.bytes_per_body}};
}

std::optional<std::string> unknown_names(const Options& options, const Contenders& contenders) {
  std::vector<std::string> names;
  for (const auto& contender : contenders) {
    names.push_back(contender->name());
  }
  auto wrong = unknown("scene", options.scenes, {scene_names().begin(), scene_names().end()});
  return wrong ? wrong : unknown("contender", options.contenders, names);
}

Result<bool> run(const Options& options) {
  Contenders contenders = all_contenders();
  if (const auto wrong = unknown_names(options, contenders)) {
    return Error{ErrorCode::invalid_argument, *wrong};
  }
  auto target = JsonTarget::open(options.json);
  if (!target.has_value()) {
    return target.error();
  }
  std::erase_if(contenders, [&](const auto& contender) {
    return !contender->ours() && !wanted(options.contenders, contender->name());
  });
  nlohmann::ordered_json report = {{"machine", machine()}, {"scenes", nlohmann::ordered_json::array()}};
  for (const std::string_view name : scene_names()) {
    if (!wanted(options.scenes, std::string(name))) {
      continue;
    }
    show_progress(fmt::format("making {}", name));
    const Scene scene = make_scene(name, options.frames);
    const WorldResult result = measure(scene, contenders, [&](const std::string& what) {
      show_progress(fmt::format("{}: {}", name, what));
    });
    print(result, options.disagreements);
    show_progress(fmt::format("{}: stages", name));
    const StageTimes times = measure_stages(scene);
    print(times);
    report["scenes"].push_back(as_json(result, times));
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
  CLI::App app("Our world against those of physics engines on the same bodies, step by step in one process.",
               "broadside-bench-world");
  broadside::bench::Options options;
  app.add_option("--scene", options.scenes, "Only these, such as U10k,pinball")->delimiter(',');
  app.add_option("--contender", options.contenders, "Ours and only these others, such as \"Box2D 2.4\"")
      ->delimiter(',');
  app.add_option("--frames", options.frames, "Frames of each scene")->check(CLI::Range(7, 10'000));
  app.add_flag("--disagreements", options.disagreements, "List every pair that a peer sees otherwise");
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench-world --scene U10k --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::exit_code_of("broadside-bench-world",
                                        [&] { return broadside::bench::run(options); });
}
