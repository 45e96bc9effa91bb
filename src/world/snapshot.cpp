#include <algorithm>
#include <cstring>

#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

Result<std::span<const std::byte>> detail::check_bytes(std::span<const std::byte> bytes,
                                                       std::size_t snapshot_at, const std::string& call,
                                                       const std::string& what) {
  ByteReader in(bytes.subspan(std::min(snapshot_at, bytes.size())));
  if (in.take<std::uint32_t>() != snapshot_magic) {
    return Error{ErrorCode::parse, call + ": these bytes are no " + what + " of a world, or a damaged one"};
  }
  if (const auto found = in.take<std::uint32_t>(); found != snapshot_version && !in.failed()) {
    return Error{ErrorCode::version_mismatch, call + ": the " + what + " is of version " +
                                                  std::to_string(found) + ", this library reads version " +
                                                  std::to_string(snapshot_version)};
  }
  if (bytes.size() < snapshot_at + snapshot_header_size + checksum_size ||
      !has_checksum(bytes, wide_checksum)) {
    return Error{ErrorCode::parse,
                 call + ": the " + what + " is damaged: it does not end with the checksum of its bytes"};
  }
  return bytes.first(bytes.size() - checksum_size);
}

std::uint32_t World::number() const {
  return state_->bodies.world();
}

std::vector<std::byte> World::snapshot() const {
  return state_->is_moved_from() ? std::vector<std::byte>() : state_->snapshot();
}

Result<void> World::restore(std::span<const std::byte> snapshot) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.listeners.is_dispatching()) {
    return Error{ErrorCode::locked, "restore: listeners are being called"};
  }
  const auto content = detail::check_bytes(snapshot, 0, "restore", "snapshot");
  if (!content.has_value()) {
    return content.error();
  }
  const auto damaged = [](const std::string& where) {
    return Error{ErrorCode::parse, "restore: the snapshot is damaged" + where};
  };
  detail::ByteReader in(content->subspan(detail::snapshot_number_at));
  auto new_state = std::make_shared<State>(WorldOptions{});
  new_state->read(in);
  if (in.failed() || in.rest() != 0) {
    return damaged(" at byte " + std::to_string(detail::snapshot_number_at + in.at()) + " or before");
  }
  // A state has only one encoding: other bytes were not written by a world, even if they can be read.
  detail::ByteWriter written(content->size());
  new_state->write(written);
  if (const auto ours = written.bytes();
      ours.size() != content->size() || std::memcmp(ours.data(), content->data(), ours.size()) != 0) {
    const auto at =
        std::mismatch(ours.begin(), ours.end(), content->begin(), content->end()).second - content->begin();
    return damaged(" at byte " + std::to_string(at) + " or before");
  }
  new_state->broad_phase.take_settings(state.broad_phase);
  new_state->finder.use_threads(new_state->broad_phase.runner());
  // Listeners refer to tags by number. They are moved last, when nothing can fail any more; until then
  // placeholders take their place, as the tags of listeners decide on the filters.
  new_state->listeners.add_placeholders(state.listeners);
  auto made = state.broad_phase.make_empty();
  if (!made.has_value()) {
    return made.error();
  }
  if (auto rebuilt = new_state->rebuild(*std::move(made)); !rebuilt.has_value()) {
    return damaged(": " + rebuilt.error().message);
  }
  State::Note note(state);
  std::vector<ListenerId> recorded_listeners;
  if (state.journal.is_recording()) {
    new_state->write_all(state.journal.out(), recorded_listeners);
  }
  note.keep();
  new_state->listeners.take_over(state.listeners);
  new_state->rules.take_predicate(state.rules);
  new_state->journal.take_over(state.journal, std::move(recorded_listeners));
  state.rules.abandon();
  state_ = std::move(new_state);
  return {};
}

std::uint64_t World::hash() const {
  detail::ByteWriter written;
  state_->write(written);
  return detail::hash_bytes(written.bytes().subspan(detail::snapshot_header_size), written.size());
}

}  // namespace broadside::inline v0_2
