#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "broadside/scene/random.hpp"
#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

// The data of 1,024 cases fit into 2 MB for every contender.
constexpr std::size_t case_count = 1024;
constexpr std::size_t rounds = 31;

void shuffle(std::vector<std::uint32_t>& order, Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
}

}  // namespace

double ContactResult::best_peer_ns() const {
  double best = 0.0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    best = best == 0.0 ? scores[i].ns : std::min(best, scores[i].ns);
  }
  return best;
}

ContactResult measure(const Row& row, Contenders& contenders) {
  const std::vector<Case> cases = make_cases(row, case_count);
  struct Runner {
    Contender* contender;
    std::vector<Answer> answers;
    std::vector<double> times;
  };
  std::vector<Runner> runners;
  for (const auto& contender : contenders) {
    if (contender->takes(row)) {
      contender->load(row, cases);
      runners.push_back({contender.get(), std::vector<Answer>(cases.size()), {}});
    }
  }
  std::vector<std::uint32_t> order(cases.size());
  std::iota(order.begin(), order.end(), 0U);
  Random random(1);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<std::uint32_t> before = order;
    shuffle(order, random);
    for (Runner& runner : runners) {
      // One run to warm the caches, which the previous contender filled with its own data.
      runner.contender->run(before, runner.answers);
      const auto start = std::chrono::steady_clock::now();
      runner.contender->run(order, runner.answers);
      const auto stop = std::chrono::steady_clock::now();
      runner.times.push_back(std::chrono::duration<double, std::nano>(stop - start).count() /
                             static_cast<double>(cases.size()));
    }
  }

  ContactResult result{.row = row, .scores = {}};
  const std::vector<Answer>& ours = runners.front().answers;
  const auto touching =
      std::count_if(ours.begin(), ours.end(), [](const Answer& one) { return one.touching; });
  result.touching = static_cast<double>(touching) / static_cast<double>(cases.size());
  for (const Runner& runner : runners) {
    ContactScore score{.name = runner.contender->name(), .ns = median(runner.times), .listed = {}};
    const float tolerance = runner.contender->tolerance(row);
    for (std::size_t i = 0; i < cases.size() && &runner != runners.data(); ++i) {
      if (!agrees(row, cases[i], ours[i], runner.answers[i], tolerance)) {
        ++score.disagreements;
        score.listed.push_back(describe(cases[i], ours[i], runner.answers[i]));
      }
    }
    result.scores.push_back(std::move(score));
  }
  return result;
}

}  // namespace broadside::bench
