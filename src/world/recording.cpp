#include "broadside/world/recording.hpp"

#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::ByteReader;

bool take_flag(ByteReader& in) {
  return in.take_below<std::uint8_t>(2) != 0;
}

/// Replays a recording on a world, change by change.
class Player {
 public:
  /// @param integrate integrates the motion as the recorded world did
  /// @param slide restores the record of a `move_and_slide`
  Player(std::span<const std::byte> bytes, World& world, FunctionRef<Error(float)> integrate,
         FunctionRef<Error(ByteReader&, std::uint32_t)> slide)
      : in_(bytes), world_(world), integrate_(integrate), slide_(slide) {}

  /// Makes the next change; returns the error if the world refuses it.
  Error play(Change& change) {
    change = static_cast<Change>(in_.take_below<std::uint8_t>(static_cast<std::uint8_t>(Change::end)));
    if (in_.failed()) {
      return {};
    }
    switch (change) {
      case Change::restore:
        return restore();
      case Change::add:
        return add();
      case Change::move: {
        const auto bodies = take_all(in_, 8, [this] { return take_body(in_, number_); });
        const auto transforms = take_all(in_, 16, [this] { return take_transform(in_); });
        return in_.failed() ? Error{} : world_.move(bodies, transforms).error();
      }
      case Change::slide:
        return slide_(in_, number_);
      case Change::listen: {
        const std::string tag_a = in_.take_text();
        const std::string tag_b = in_.take_text();
        listeners_.push_back(world_.on_end(tag_a, tag_b, {}));  // only its tags matter
        return {};
      }
      case Change::remove_listener: {
        const auto tag = in_.take_below<std::uint32_t>(listeners_.size());
        if (!in_.failed()) {
          world_.remove_listener(listeners_[tag]);
        }
        return {};
      }
      case Change::set_gravity:
        return world_.set_gravity(in_.take_vec2()).error();
      case Change::detect:
        return world_.detect().error();
      case Change::respond:
        return world_.respond().error();
      case Change::integrate:
        return integrate_(in_.take_float());
      default:
        return change_body(change);
    }
  }

  [[nodiscard]] bool failed() const { return in_.failed(); }
  [[nodiscard]] bool is_done() const { return in_.rest() == 0; }
  [[nodiscard]] std::size_t at() const { return in_.at(); }
  void remove_listeners(World& world) {
    for (const ListenerId listener : listeners_) {
      world.remove_listener(listener);
    }
  }

 private:
  Error restore() {
    const std::string snapshot = in_.take_text();
    if (in_.failed()) {
      return {};
    }
    // The listeners follow; their numbers begin at 0 again.
    remove_listeners(world_);
    listeners_.clear();
    auto restored = world_.restore(std::as_bytes(std::span(snapshot)));
    number_ = world_.number();
    return restored.error();
  }

  Error add() {
    constexpr std::size_t min_body_bytes = 106;  // bytes of a body that is a circle
    constexpr std::size_t min_shape_bytes = 13;  // bytes of a circle
    const auto bodies = take_all(in_, min_body_bytes, [this] {
      BodyDef body;
      body.shape = detail::read_shape(in_);
      body.more_shapes = take_all(in_, min_shape_bytes, [this] { return detail::read_shape(in_); });
      body.type = static_cast<BodyType>(in_.take_below<std::uint8_t>(3));
      const Transform transform = take_transform(in_);
      body.position = transform.position;
      body.rotation = transform.rotation;
      body.velocity = in_.take_vec2();
      body.acceleration = in_.take_vec2();
      body.tag = in_.take_text();
      body.filter = take_filter(in_);
      body.sensor = take_flag(in_);
      body.bullet = take_flag(in_);
      body.enabled = take_flag(in_);
      const bool has_mass = take_flag(in_);
      const float mass = in_.take_float();
      body.mass = has_mass ? std::optional<float>(mass) : std::nullopt;
      body.user_data = in_.take<std::uint64_t>();
      return body;
    });
    return in_.failed() ? Error{} : world_.add(bodies).error();
  }

  Error change_body(Change change) {
    const BodyId body = take_body(in_, number_);
    switch (change) {
      case Change::remove:
        return world_.remove(body).error();
      case Change::teleport:
        return world_.teleport(body, take_transform(in_)).error();
      case Change::push:
        return world_.push(body, in_.take_vec2()).error();
      case Change::set_velocity:
        return world_.set_velocity(body, in_.take_vec2()).error();
      case Change::set_acceleration:
        return world_.set_acceleration(body, in_.take_vec2()).error();
      case Change::skip_response:
        return world_.skip_response(body, take_body(in_, number_)).error();
      case Change::set_shape:
        return world_.set_shape(body, detail::read_shape(in_)).error();
      case Change::set_enabled:
        return world_.set_enabled(body, take_flag(in_)).error();
      case Change::set_sensor:
        return world_.set_sensor(body, take_flag(in_)).error();
      case Change::set_bullet:
        return world_.set_bullet(body, take_flag(in_)).error();
      case Change::set_user_data:
        return world_.set_user_data(body, in_.take<std::uint64_t>()).error();
      case Change::set_filter:
        return world_.set_filter(body, take_filter(in_)).error();
      case Change::set_tag:
        return world_.set_tag(body, in_.take_text()).error();
      default: {
        const BodyId other = take_body(in_, number_);
        return world_.set_ignored(body, other, take_flag(in_)).error();
      }
    }
  }

  ByteReader in_;
  World& world_;
  FunctionRef<Error(float)> integrate_;
  FunctionRef<Error(ByteReader&, std::uint32_t)> slide_;
  std::uint32_t number_ = 0;
  std::vector<ListenerId> listeners_;
};

}  // namespace

Result<void> World::record(Recording* recording) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.listeners.is_dispatching()) {
    return Error{ErrorCode::locked, "record: listeners are being called"};
  }
  std::unique_ptr<detail::ByteWriter> writer;
  std::vector<ListenerId> names;
  if (recording != nullptr) {
    writer = std::make_unique<detail::ByteWriter>();
    state.write_all(*writer, names);
  }
  if (state.journal.is_recording()) {
    Recording& done = *state.journal.target();
    done.bytes_ = state.journal.finish();
  }
  state.journal.start(recording, std::move(writer), std::move(names));
  return {};
}

// Writes the start of a recording, and what follows a restore: the state and the listeners.
void World::State::write_all(detail::ByteWriter& out, std::vector<ListenerId>& names) const {
  out.put(static_cast<std::uint8_t>(Change::restore));
  const std::vector<std::byte> bytes = snapshot();
  out.put_count(bytes.size());
  out.put(std::span(bytes));
  const auto text = [this](std::uint32_t tag) { return tag == Listeners::any_tag ? any : tags[tag]; };
  names.clear();
  for (const auto& listener : listeners.all()) {
    out.put(static_cast<std::uint8_t>(Change::listen));
    out.put(text(listener->tag_a));
    out.put(text(listener->tag_b));
    names.push_back(listener->id);
  }
}

Result<void> replay(const Recording& recording, World& world, const std::function<bool()>& after_step) {
  if (recording.empty()) {
    return {};
  }
  constexpr std::size_t snapshot_at = 9;  // after a change and the size of the snapshot
  const auto content = detail::check_bytes(recording.bytes(), snapshot_at, "replay", "recording");
  if (!content.has_value()) {
    return content.error();
  }
  // Not `World::integrate`: in a step, a body that would leave the range of float does not move.
  const auto integrate = [&world](float seconds) {
    Error error = world.state_->prepare_motion(seconds);
    if (!error) {
      world.state_->integrate(seconds, false);
    }
    return error;
  };
  const auto slide = [&world](ByteReader& in, std::uint32_t number) {
    World::State& state_now = *world.state_;
    detail::SlideRecord record = take_slide_record(in, number, state_now.bodies.places());
    if (in.failed()) {
      return Error{};
    }
    Error error = state_now.check_change(record.body);
    if (!error) {
      state_now.adopt_slide(std::move(record));
    }
    return error;
  };
  Player player(*content, world, integrate, slide);
  auto state = world.state_;  // the callback may throw, move the world or destroy it
  const detail::ScopeGuard without_listeners([&] { player.remove_listeners(*World::Handle(state)); });
  Result<void> result;
  for (bool first = true; !player.is_done(); first = false) {
    Change change = Change::end;
    const Error error = player.play(change);
    state = world.state_;
    if (error || player.failed() || (first && change != Change::restore)) {
      result = Error{error.code == ErrorCode::version_mismatch ? error.code : ErrorCode::parse,
                     "replay: the recording is damaged at byte " + std::to_string(player.at()) +
                         " or before" + (error ? ": " + error.message : "")};
      break;
    }
    const Change last = state->order() == StepOrder::motion_first ? Change::respond : Change::integrate;
    if (change == last && after_step && (!after_step() || state->rules.is_abandoned())) {
      break;
    }
  }
  return result;
}

}  // namespace broadside::inline v0_2
