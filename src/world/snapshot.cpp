#include "world/snapshot.hpp"

#include <algorithm>

#include "broadside/broad_phase/technique.hpp"
#include "world/bytes.hpp"
#include "world/state.hpp"

namespace broadside {

std::uint32_t World::number() const {
  return state_->number;
}

std::vector<std::byte> World::snapshot() const {
  return state_->write();
}

Result<void> World::restore(std::span<const std::byte> snapshot) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.telling) {
    return Error{ErrorCode::locked, "restore: listeners are being told"};
  }
  detail::ByteReader in(snapshot);
  if (in.take<std::uint32_t>() != detail::snapshot_magic) {
    return Error{ErrorCode::parse, "restore: these bytes are no snapshot of a world"};
  }
  if (const auto found = in.take<std::uint32_t>(); found != detail::snapshot_version && !in.failed()) {
    return Error{ErrorCode::version_mismatch, "restore: the snapshot is of version " + std::to_string(found) +
                                                  ", this library reads version " +
                                                  std::to_string(detail::snapshot_version)};
  }
  auto fresh = std::make_unique<State>(WorldOptions{});
  fresh->read(in);
  if (in.failed() || in.rest() != 0) {
    return Error{ErrorCode::parse,
                 "restore: the snapshot is damaged at byte " + std::to_string(in.at()) + " or before"};
  }
  fresh->runner = state.runner;
  fresh->measures_times = state.measures_times;
  fresh->narrow_phase.use_threads(state.runner);
  fresh->listeners = std::move(state.listeners);
  fresh->next_listener = state.next_listener;
  fresh->predicate = std::move(state.predicate);
  const auto rename = [&](const State& from, State& to) {  // listeners know tags by their numbers
    for (const auto& listener : fresh->listeners) {
      for (std::uint32_t* tag : {&listener->tag_a, &listener->tag_b}) {
        *tag = *tag == State::any_tag ? *tag : to.tag_number(from.tags[*tag]);
      }
    }
  };
  rename(state, *fresh);
  const auto technique = find_technique(state.broad_phase->name());
  fresh->technique_options = state.technique_options;
  if (auto rebuilt = fresh->rebuild(technique.value()->make(state.technique_options).value()); !rebuilt) {
    rename(*fresh, state);
    state.listeners = std::move(fresh->listeners);
    state.predicate = std::move(fresh->predicate);
    return rebuilt;
  }
  fresh->recording = state.recording;
  fresh->recorder = std::move(state.recorder);
  state_ = std::move(fresh);
  state_->note_all();
  return {};
}

// Source of the mixing: multiplication by the golden ratio, D. E. Knuth, The Art of Computer Programming 3,
// 1973, section 6.4.
std::uint64_t World::hash() const {
  const std::vector<std::byte> bytes = state_->write();
  std::uint64_t hash = bytes.size();
  for (std::size_t at = detail::snapshot_header_size; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) {
      word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * (i - at));
    }
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace broadside
