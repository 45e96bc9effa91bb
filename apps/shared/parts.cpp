#include "shared/parts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "broadside/distributed/in_process.hpp"
#include "shared/share.hpp"

namespace broadside::app {

/// The boxes of a step; all parts read them.
class Parts::Source {
 public:
  explicit Source(const Frames& frames) : frames_(frames), has_changed_(frames.boxes().size()) {
    for (const BoxIndex box : frames.changed()) {
      has_changed_[box] = 1;
    }
  }
  [[nodiscard]] std::size_t size() const { return frames_.boxes().size(); }
  [[nodiscard]] Aabb box(BoxIndex box) const { return frames_.boxes()[box]; }
  [[nodiscard]] BoxKind kind(BoxIndex box) const { return {frames_.types()[box], frames_.filter(box)}; }
  [[nodiscard]] bool has_changed(BoxIndex box) const { return has_changed_[box] != 0; }

 private:
  const Frames& frames_;
  std::vector<std::uint8_t> has_changed_;
};

std::array<std::uint8_t, 3> color_of_part(int part) {
  constexpr float golden_ratio = 0.61803399F;  // spreads hues evenly, however many there are
  const float turn = golden_ratio * static_cast<float>(part);
  const float hue = 6.0F * (turn - std::floor(turn));
  const auto channel = [hue](float offset) {
    const float at = std::fmod(hue + offset, 6.0F);
    const float strength = std::clamp(std::abs(at - 3.0F) - 1.0F, 0.0F, 1.0F);
    return static_cast<std::uint8_t>(60.0F + 165.0F * strength);
  };
  return {channel(0.0F), channel(4.0F), channel(2.0F)};
}

std::vector<Aabb> cuts_of(const Partition& partition) {
  std::vector<Aabb> cuts;
  for (int part = 0; part < partition.parts(); ++part) {
    const auto [min, max] = partition.region(part);
    if (min.x >= max.x || min.y >= max.y) {
      continue;  // a part without points
    }
    if (std::isfinite(min.x)) {
      cuts.push_back({min, {min.x, max.y}});
    }
    if (std::isfinite(min.y)) {
      cuts.push_back({min, {max.x, min.y}});
    }
  }
  return cuts;
}

Parts::Parts(int count) : found_(static_cast<std::size_t>(count)), thread_([this, count] { run(count); }) {}

Parts::~Parts() {
  end();
  thread_.join();
}

void Parts::run(int count) {
  Error failed;
  std::exception_ptr thrown;
  try {
    failed = run_in_process(count, [this](Communicator& others) {
               // A part that ends early makes the others end, instead of waiting for the next step.
               const struct End {
                 Parts& parts;
                 ~End() { parts.end(); }
               } end{*this};
               run_part(others);
             }).error();
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  failed_ = std::move(failed);
  thrown_ = std::move(thrown);
  have_ended_ = true;
  changed_.notify_all();
}

/// Makes all parts end.
void Parts::end() {
  const std::lock_guard lock(mutex_);
  ends_ = true;
  changed_.notify_all();
}

void Parts::run_part(Communicator& others) {
  DistributedBroadPhase part(others);
  Share share;
  Found& found = found_[static_cast<std::size_t>(others.rank())];
  if (!others.all_gather({}).has_value()) {
    return;  // a thread was refused
  }
  for (std::uint64_t step = 1; wait_for(step); ++step) {
    const auto changed = step == 1 ? share.add(part, *source_, others) : share.move(part, *source_);
    const auto pairs = part.find_pairs();
    found.error = changed.has_value() ? pairs.error() : changed.error();
    if (pairs.has_value()) {
      found.pairs.assign(pairs->begin(), pairs->end());
      found.statistics = part.statistics();
      for (const GlobalId id : part.owned()) {  // each box has one owner, so no other part writes there
        owners_[Share::index_of(id)] = static_cast<std::uint16_t>(others.rank());
      }
      if (others.rank() == 0) {
        partition_ = part.partition();
      }
    }
    const std::lock_guard lock(mutex_);
    ++done_;
    changed_.notify_all();
  }
}

/// Returns false after the last step.
bool Parts::wait_for(std::uint64_t step) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return step_ >= step || ends_; });
  return !ends_;
}

/// Lets all parts take a step.
Result<void> Parts::search(const Source& source) {
  std::unique_lock lock(mutex_);
  source_ = &source;
  done_ = 0;
  ++step_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return done_ == found_.size() || have_ended_; });
  if (thrown_) {
    std::rethrow_exception(thrown_);
  }
  if (have_ended_) {
    return failed_;
  }
  for (const Found& found : found_) {
    if (found.error) {
      return found.error;
    }
  }
  return {};
}

void Parts::add_up() {
  pairs_.clear();
  last_ = {};
  for (const Found& found : found_) {
    for (const GlobalPair pair : found.pairs) {
      pairs_.push_back({Share::index_of(pair.a), Share::index_of(pair.b)});
    }
    last_.ghosts += found.statistics.ghosts;
    last_.migrants += found.statistics.migrants;
    last_.bytes += found.statistics.bytes;
  }
  std::sort(pairs_.begin(), pairs_.end());
  last_.rebalances = found_.front().statistics.rebalances;
  last_.imbalance = found_.front().statistics.imbalance;
  sums_.rebalances = last_.rebalances;
  if (milliseconds_.size() > 1) {
    sums_.ghosts += last_.ghosts;
    sums_.migrants += last_.migrants;
    sums_.bytes += last_.bytes;
    sums_.imbalance += last_.imbalance;
  } else {
    sums_.imbalance = 0.0;
  }
}

Result<std::span<const Pair>> Parts::step(const Frames& frames) {
  const auto start = std::chrono::steady_clock::now();
  owners_.resize(frames.boxes().size());
  const Source source(frames);
  if (auto done = search(source); !done.has_value()) {
    return done.error();
  }
  const auto end = std::chrono::steady_clock::now();
  milliseconds_.push_back(std::chrono::duration<double, std::milli>(end - start).count());
  add_up();
  return std::span<const Pair>(pairs_);
}

}  // namespace broadside::app
