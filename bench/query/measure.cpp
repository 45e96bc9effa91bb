#include <algorithm>
#include <cmath>
#include <ctime>

#include "contest.hpp"
#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

constexpr std::size_t query_count = 1000;
constexpr std::size_t rounds = 9;

/// Returns the processor time of this process, because other processes may be busy on the machine.
double seconds_of_processor() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// Sums of indices must be equal; times and distances may differ, because peers compute in float.
bool agree(const Question& question, Answer ours, Answer peer) {
  constexpr double tolerance = 1e-3;
  return question.kind == Kind::area ? ours == peer
                                     : std::abs(ours - peer) <= tolerance * std::max(1.0, std::abs(ours));
}

}  // namespace

double QueryResult::ratio(Job job) const {
  double ours = 0.0;
  double peer = 0.0;
  for (const QueryScore& score : scores) {
    double& best = score.ours ? ours : peer;
    // Of our own variants, the first counts.
    if (score.job == job && (best == 0.0 || (!score.ours && score.ns < best))) {
      best = score.ns;
    }
  }
  return peer == 0.0 ? 0.0 : ours / peer;
}

QueryResult measure(const std::string& scene, const Question& question, std::span<const Aabb> boxes,
                    Contenders& contenders) {
  const std::vector<Query> queries = make_queries(question, boxes, query_count);
  struct Runner {
    Contender* contender;
    std::vector<Answer> answers;
    std::vector<double> times;
  };
  std::vector<Runner> runners;
  for (const auto& contender : contenders) {
    if (contender->takes(question)) {
      runners.push_back({contender.get(), std::vector<Answer>(queries.size()), {}});
    }
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Runner& runner : runners) {
      // Warm the caches with a part of the queries: the previous contender filled them with its own data.
      for (std::size_t i = 0; i < queries.size(); i += 4) {
        runner.answers[i] = runner.contender->answer(question, queries[i]);
      }
      const double start = seconds_of_processor();
      for (std::size_t i = 0; i < queries.size(); ++i) {
        runner.answers[i] = runner.contender->answer(question, queries[i]);
      }
      runner.times.push_back(1e9 * (seconds_of_processor() - start) / static_cast<double>(queries.size()));
    }
  }

  QueryResult result{scene, std::string(question.name), boxes.size(), 0.0, {}};
  const std::vector<Answer>& ours = runners.front().answers;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (question.kind == Kind::area) {
      result.found +=
          static_cast<double>(std::count_if(i % 50 == 0 ? boxes.begin() : boxes.end(), boxes.end(),
                                            [&](const Aabb& box) { return overlaps(box, queries[i].area); }));
    } else {
      result.found += question.kind == Kind::ray && ours[i] <= 1.0 ? 1.0 : 0.0;
    }
  }
  result.found /= static_cast<double>(question.kind == Kind::area ? queries.size() / 50 : queries.size());
  for (const Runner& runner : runners) {
    QueryScore score{runner.contender->name(), runner.contender->is_ours(), runner.contender->job(question),
                     median(runner.times), 0};
    for (std::size_t i = 0; i < queries.size(); ++i) {
      score.disagreements += agree(question, ours[i], runner.answers[i]) ? 0U : 1U;
    }
    result.scores.push_back(std::move(score));
  }
  return result;
}

}  // namespace broadside::bench
