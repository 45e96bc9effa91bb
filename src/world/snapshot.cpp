#include "world/snapshot.hpp"

#include <algorithm>

#include "broadside/broad_phase/technique.hpp"
#include "world/recorder.hpp"

namespace broadside {

std::uint32_t World::number() const {
  return state_->number;
}

std::vector<std::byte> World::snapshot() const {
  return state_->is_of_none ? std::vector<std::byte>() : state_->write();
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
  auto fresh = std::make_shared<State>(WorldOptions{});
  fresh->read(in);
  if (in.failed() || in.rest() != 0) {
    return Error{ErrorCode::parse,
                 "restore: the snapshot is damaged at byte " + std::to_string(in.at()) + " or before"};
  }
  fresh->runner = state.runner;
  fresh->measures_times = state.measures_times;
  fresh->watches_queries = state.watches_queries;
  for (NarrowPhase& narrow_phase : fresh->narrow_phases) {
    static_cast<void>(narrow_phase.use_threads(state.runner));  // looked at when it came
  }
  // Listeners know tags by their numbers. They move over last, when nothing can fail any more; until then
  // others stand in for them, as what they wait for decides on the filters.
  for (const auto& listener : state.listeners) {
    auto double_of = std::make_unique<State::Listener>();
    double_of->id = listener->id;
    for (const auto tag : {&State::Listener::tag_a, &State::Listener::tag_b}) {
      const std::uint32_t old = (*listener).*tag;
      (*double_of).*tag = old == State::any_tag ? old : fresh->tags.use(state.tags[old]);
    }
    fresh->listeners.push_back(std::move(double_of));
  }
  const auto technique = find_technique(state.broad_phase->name());
  fresh->technique_options = state.technique_options;
  if (auto rebuilt = fresh->rebuild(technique.value()->make(state.technique_options).value());
      !rebuilt.has_value()) {
    return rebuilt;
  }
  State::Note note(state);
  if (state.recorder != nullptr) {
    fresh->write_all(*state.recorder, fresh->recorded_listeners);
  }
  note.keep();
  for (std::size_t i = 0; i < state.listeners.size(); ++i) {
    state.listeners[i]->tag_a = fresh->listeners[i]->tag_a;
    state.listeners[i]->tag_b = fresh->listeners[i]->tag_b;
  }
  fresh->listeners = std::move(state.listeners);
  fresh->next_listener = state.next_listener;
  fresh->predicate = std::move(state.predicate);
  fresh->recording = state.recording;
  fresh->recorder = std::move(state.recorder);
  state.is_abandoned = true;
  state_ = std::move(fresh);
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
