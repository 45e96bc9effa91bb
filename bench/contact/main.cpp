#include <fmt/core.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "broadside/scene/file.hpp"
#include "measure.hpp"
#include "report.hpp"

namespace broadside::bench {

namespace {

struct Options {
  std::vector<std::string> pairings;
  std::vector<std::string> functions;
  std::uint32_t sprite_side = usual_sprite_side;
  bool disagreements = false;
  std::string json;
};

constexpr std::string_view bulk = "bulk";

std::vector<Row> all_rows() {
  constexpr Kind convex[] = {Kind::circle,  Kind::box,     Kind::capsule,
                             Kind::segment, Kind::polygon, Kind::rounded};
  std::vector<Row> rows;
  for (const Function function :
       {Function::overlaps, Function::collide, Function::distance, Function::cast}) {
    for (std::size_t a = 0; a < std::size(convex); ++a) {
      for (std::size_t b = a; b < std::size(convex); ++b) {
        rows.push_back({function, convex[a], convex[b]});
      }
    }
    for (const Kind b : {Kind::mask, Kind::circle, Kind::box}) {
      rows.push_back({function, Kind::mask, b});
    }
  }
  for (const Kind b : convex) {
    rows.push_back({Function::cast_ray, Kind::circle, b});
  }
  rows.push_back({Function::cast_ray, Kind::circle, Kind::mask});
  for (const Kind b : {Kind::mask, Kind::circle, Kind::box}) {
    rows.push_back({Function::area, Kind::mask, b});
  }
  return rows;
}

Contenders all_contenders() {
  Contenders all;
  all.push_back(make_ours());
  all.push_back(make_chipmunk());
  all.push_back(make_box2d(false));
  all.push_back(make_box2d(true));
#ifdef BROADSIDE_BENCH_BOX2D_V3
  all.push_back(make_box2d_v3());
#endif
  all.push_back(make_per_pixel());
  return all;
}

void print_head(Function function, const Contenders& contenders) {
  fmt::print("{}, ns a call\n  {:<16}", name_of(function), "pairing");
  for (const auto& contender : contenders) {
    fmt::print(" {:>14}", contender->name());
  }
  fmt::print(" {:>12} {:>9}  disagreements\n", "x best peer", "touching");
}

void print(const ContactResult& result, const Contenders& contenders, bool list) {
  show_progress("");
  fmt::print("  {:<16}", result.row.pairing());
  std::string disagreements;
  for (const auto& contender : contenders) {
    std::string ns = "-";
    for (const ContactScore& score : result.scores) {
      if (score.name == contender->name()) {
        ns = fmt::format("{:.1f}", score.ns);
      }
    }
    fmt::print(" {:>14}", ns);
  }
  for (const ContactScore& score : result.scores) {
    if (score.disagreements > 0) {
      disagreements +=
          fmt::format("{}{}: {}", disagreements.empty() ? "" : ", ", score.name, score.disagreements);
    }
  }
  const double best = result.best_peer_ns();
  fmt::print(" {:>12} {:>8.0f}%  {}\n", best > 0.0 ? fmt::format("{:.3f}", result.scores[0].ns / best) : "-",
             100.0 * result.touching, disagreements.empty() ? "0" : disagreements);
  for (const ContactScore& score : result.scores) {
    if (list && !score.listed.empty()) {
      fmt::print("    {}:\n{}\n", score.name, fmt::join(score.listed, "\n"));
    }
  }
  std::fflush(stdout);
}

void print(const BulkResult& result) {
  show_progress("");
  fmt::print("bulk {}: {} shapes, {} pairs, {} contacts\n", result.scene, result.shapes, result.pairs,
             result.contacts);
  for (const BulkScore& score : result.scores) {
    fmt::print("  {:<26} {:>9.3f} ms {:>8.1f} ns a pair\n", score.name, score.ms,
               1e6 * score.ms / static_cast<double>(result.pairs));
  }
  if (!result.same) {
    fmt::print("  NOT THE SAME contacts\n");
  }
  std::fflush(stdout);
}

nlohmann::ordered_json as_json(const ContactResult& result) {
  nlohmann::ordered_json contenders = nlohmann::ordered_json::array();
  for (const ContactScore& score : result.scores) {
    contenders.push_back({{"name", score.name}, {"ns", score.ns}, {"disagreements", score.disagreements}});
  }
  const double best = result.best_peer_ns();
  return {{"function", name_of(result.row.function)},
          {"pairing", result.row.pairing()},
          {"touching", result.touching},
          {"ratio_to_best_peer", best > 0.0 ? result.scores[0].ns / best : 0.0},
          {"contenders", contenders}};
}

nlohmann::ordered_json as_json(const BulkResult& result) {
  nlohmann::ordered_json ways = nlohmann::ordered_json::array();
  for (const BulkScore& score : result.scores) {
    ways.push_back({{"name", score.name},
                    {"ms", score.ms},
                    {"ns_per_pair", 1e6 * score.ms / static_cast<double>(result.pairs)}});
  }
  return {{"scene", result.scene},       {"shapes", result.shapes}, {"pairs", result.pairs},
          {"contacts", result.contacts}, {"same", result.same},     {"ways", ways}};
}

std::optional<std::string> unknown_names(const Options& options) {
  std::vector<std::string> pairings(bulk_scenes.begin(), bulk_scenes.end());
  for (const Row& row : all_rows()) {
    if (std::find(pairings.begin(), pairings.end(), row.pairing()) == pairings.end()) {
      pairings.push_back(row.pairing());
    }
  }
  std::vector<std::string> functions(function_names.begin(), function_names.end());
  functions.emplace_back(bulk);
  auto wrong = unknown("pairing", options.pairings, pairings);
  return wrong ? wrong : unknown("function", options.functions, functions);
}

Result<bool> run(const Options& options) {
  if (const auto wrong = unknown_names(options)) {
    return Error{ErrorCode::invalid_argument, *wrong};
  }
  auto target = JsonTarget::open(options.json);
  if (!target.has_value()) {
    return target.error();
  }
  nlohmann::ordered_json report = {{"machine", machine()},
                                   {"calls", nlohmann::ordered_json::array()},
                                   {"bulk", nlohmann::ordered_json::array()}};
  Contenders contenders = all_contenders();
  std::optional<Function> headed;
  for (Row row : all_rows()) {
    row.sprite_side = options.sprite_side;
    if (!wanted(options.pairings, row.pairing()) ||
        !wanted(options.functions, std::string(name_of(row.function)))) {
      continue;
    }
    if (headed != row.function) {
      fmt::print("{}", headed ? "\n" : "");
      print_head(row.function, contenders);
      headed = row.function;
    }
    show_progress(fmt::format("{} {}", name_of(row.function), row.pairing()));
    const ContactResult result = measure(row, contenders);
    print(result, contenders, options.disagreements);
    report["calls"].push_back(as_json(result));
  }
  bool all_same = true;
  for (const std::string_view scene : bulk_scenes) {
    if (!wanted(options.pairings, std::string(scene)) || !wanted(options.functions, std::string(bulk))) {
      continue;
    }
    show_progress(fmt::format("bulk {}", scene));
    const BulkResult result = measure_bulk(scene);
    print(result);
    report["bulk"].push_back(as_json(result));
    all_same = all_same && result.same;
  }
  if (const auto written = target->write(report); !written.has_value()) {
    return written.error();
  }
  return all_same;
}

}  // namespace

}  // namespace broadside::bench

int main(int argc, char** argv) {
  broadside::remove_unfinished_files_on_signals();
  CLI::App app("Our narrow phase against peers on the same shapes, call by call in one process.",
               "broadside-bench-contact");
  broadside::bench::Options options;
  app.add_option(
         "--pairing", options.pairings,
         "Only these, such as circle-box,ray-polygon; for bulk circle-circle, box-box and mixed, whose "
         "bodies lie anywhere in memory, or with -in-order, where they lie as in the world")
      ->delimiter(',');
  app.add_option("--function", options.functions,
                 "Only these of overlaps, collide, distance, cast, cast_ray, area, bulk")
      ->delimiter(',');
  app.add_option("--sprite-side", options.sprite_side, "Columns and rows of masks")
      ->check(CLI::Range(8, 1024))
      ->capture_default_str();
  app.add_flag("--disagreements", options.disagreements, "List every case where a peer says something else");
  app.add_option("--json", options.json, "Write all figures to this file");
  app.footer("Example: broadside-bench-contact --function collide --pairing box-box --json figures.json");
  CLI11_PARSE(app, argc, argv);
  return broadside::bench::exit_code_of("broadside-bench-contact",
                                        [&] { return broadside::bench::run(options); });
}
