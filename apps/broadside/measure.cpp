#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>

#include "shared/grid_options.hpp"

namespace broadside::app {

Result<Contender> Contender::make(const TechniqueEntry& technique, const TechniqueOptions& options,
                                  const Frames& frames) {
  auto made = technique.create(with_bounds(options, frames.boxes()));
  if (!made.has_value()) {
    return made.error();
  }
  (*made)->measure_times(true);
  return Contender(std::move(*made));
}

void Contender::take_over(const Frames& frames) {
  const auto boxes = frames.boxes();
  if (broad_phase_->size() == 0) {
    // Added in runs of one type: the index of each box is then its index in the frame.
    const auto types = frames.types();
    for (std::size_t begin = 0; begin < boxes.size();) {
      std::size_t end = begin;
      while (end < boxes.size() && types[end] == types[begin]) {
        ++end;
      }
      broad_phase_->add(boxes.subspan(begin, end - begin), types[begin]).value();
      begin = end;
    }
    return;
  }
  moved_.clear();
  for (const BoxIndex i : frames.changed()) {
    moved_.push_back(boxes[i]);
  }
  broad_phase_->move(frames.changed(), moved_).value();
}

const std::vector<Pair>& Contender::step(const Frames& frames) {
  const auto start = std::chrono::steady_clock::now();
  take_over(frames);
  const auto found = broad_phase_->find_pairs();
  const auto end = std::chrono::steady_clock::now();
  records_.milliseconds.push_back(std::chrono::duration<double, std::milli>(end - start).count());

  const Statistics statistics = broad_phase_->statistics();
  records_.tests += statistics.tests;
  records_.update_tests += statistics.update_tests;
  records_.hits += statistics.hits;
  records_.cells_visited += statistics.cells_visited + statistics.update_cells_visited;
  records_.owner_checks += statistics.owner_checks;
  records_.grown_bytes += statistics.grown_bytes;
  records_.update_seconds += statistics.update_seconds;
  records_.pairs_seconds += statistics.pairs_seconds;
  pairs_.clear();
  std::copy_if(found.begin(), found.end(), std::back_inserter(pairs_),
               [&frames](Pair pair) { return frames.counts(pair); });
  sort_pairs(pairs_);
  records_.counted_pairs += pairs_.size();
  return pairs_;
}

double Contender::mean_ms() const {
  return std::accumulate(milliseconds().begin(), milliseconds().end(), 0.0) /
         static_cast<double>(milliseconds().size());
}

double Contender::worst_ms() const {
  return *std::max_element(milliseconds().begin(), milliseconds().end());
}

double Contender::per_step(std::uint64_t sum) const {
  return static_cast<double>(sum) / static_cast<double>(milliseconds().size());
}

std::size_t Contender::bytes_per_box() const {
  const Statistics statistics = broad_phase_->statistics();
  return statistics.bytes / std::max<std::size_t>(statistics.boxes, 1);
}

std::span<const Contact> ContactFinder::step(const Frames& frames, std::span<const Pair> pairs) {
  const auto start = std::chrono::steady_clock::now();
  contacts_ = narrow_phase_.find_contacts(pairs, frames.shapes(), frames.transforms()).value();
  const auto end = std::chrono::steady_clock::now();
  milliseconds_.push_back(std::chrono::duration<double, std::milli>(end - start).count());
  counted_contacts_ += contacts_.size();
  return contacts_;
}

}  // namespace broadside::app
