#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "broadside/scene/file.hpp"
#include "broadside/scene/workload.hpp"
#include "race.hpp"

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
};

struct Options {
  std::vector<std::string> workloads;
  std::vector<std::string> contenders;
  std::vector<std::string> traces;
  std::size_t frames = 20;
  std::string json;
};

bool wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
}

void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
}

void print(const RaceResult& result) {
  show_progress("");
  const double best_peer = result.best_peer_ms();
  fmt::print("{}: {} boxes, {} moving, {:.0f} pairs a frame, limit {:.4f} ms\n", result.workload,
             result.boxes, result.moving, result.pairs, result.limit_ms);
  fmt::print("  {:<20} {:>10} {:>10} {:>8} {:>8} {:>9} {:>11} {:>9}\n", "contender", "ms", "p99 ms", "ns/box",
             "ns/pair", "x limit", "x best peer", "bytes/box");
  for (const Score& score : result.scores) {
    fmt::print("  {:<20} {:>10.4f} {:>10.4f} {:>8.1f} {:>8.1f} {:>9.2f} {:>11.3f} {:>9}{}\n", score.name,
               score.median_ms, score.p99_ms, 1e6 * score.median_ms / static_cast<double>(result.moving),
               1e6 * score.median_ms / std::max(result.pairs, 1.0), score.median_ms / result.limit_ms,
               best_peer > 0.0 ? score.median_ms / best_peer : 0.0,
               score.bytes == 0 ? std::string("-") : std::to_string(score.bytes / result.boxes),
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
                          {"p99_ms", score.p99_ms},
                          {"ns_per_box", 1e6 * score.median_ms / static_cast<double>(result.moving)},
                          {"ns_per_pair", 1e6 * score.median_ms / std::max(result.pairs, 1.0)},
                          {"ratio_to_limit", score.median_ms / result.limit_ms},
                          {"ratio_to_best_peer", best_peer > 0.0 ? score.median_ms / best_peer : 0.0},
                          {"bytes", score.bytes},
                          {"exact", score.exact}});
  }
  return {{"name", result.workload}, {"boxes", result.boxes},       {"moving", result.moving},
          {"pairs", result.pairs},   {"limit_ms", result.limit_ms}, {"contenders", contenders}};
}

Contenders make_contenders(const std::vector<std::string>& names) {
  Contenders all = make_ours();
  all.push_back(make_chipmunk_tree());
  all.push_back(make_chipmunk_hash());
  all.push_back(make_cgal_boxes());
  all.push_back(make_boost_rtree());
  all.push_back(make_bullet_dbvt());
  all.push_back(make_box2d_tree());
  std::erase_if(all, [&names](const auto& one) { return !wanted(names, one->name()) && !one->is_default(); });
  return all;
}

int run(const Options& options) {
  nlohmann::ordered_json report = {{"machine", machine()}, {"workloads", nlohmann::ordered_json::array()}};
  Contenders contenders = make_contenders(options.contenders);
  bool all_exact = true;
  const auto take = [&](const std::string& name, const Trace& trace) {
    const RaceResult result = race(name, trace, options.frames, contenders, show_progress);
    print(result);
    report["workloads"].push_back(as_json(result));
    for (const Score& score : result.scores) {
      all_exact = all_exact && (score.exact || !score.ours);
    }
  };
  for (const Entry& entry : entries) {
    if (!wanted(options.workloads, entry.name) || (options.workloads.empty() && !options.traces.empty())) {
      continue;
    }
    const auto frames = static_cast<std::uint32_t>(std::max<std::size_t>(options.frames, 1));
    take(entry.name, record_workload(make_workload(entry.kind, entry.count, 1).value(), frames, 1));
  }
  for (const std::string& path : options.traces) {
    const auto trace = read_trace(path);
    if (!trace) {
      fmt::print(stderr, "broadside-bench: {}\n", trace.error().message);
      return 1;
    }
    take(std::filesystem::path(path).filename().string(), *trace);
  }
  if (!options.json.empty()) {
    auto file = OutputFile::open(options.json);
    if (file) {
      file->write(report.dump(2) + "\n");
    }
    const auto written = file ? file->commit() : Result<void>(file.error());
    if (!written) {
      fmt::print(stderr, "broadside-bench: {}\n", written.error().message);
      return 1;
    }
  }
  return all_exact ? 0 : 1;
}

}  // namespace

}  // namespace broadside::bench

int main(int argc, char** argv) {
  CLI::App app("Our techniques against peers on the same boxes, frame by frame in one process.",
               "broadside-bench");
  broadside::bench::Options options;
  app.add_option("--workload", options.workloads, "Only these, such as U100k,C100k")->delimiter(',');
  app.add_option("--contender", options.contenders, "Only these, beside our default")->delimiter(',');
  app.add_option("--trace", options.traces, "Recorded scenes, instead of or beside the workloads")
      ->delimiter(',');
  app.add_option("--frames", options.frames, "Frames of each workload")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench --workload U10k,U100k --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::run(options);
}
