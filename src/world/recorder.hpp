#pragma once

#include <cstdint>

#include "world/shape_bytes.hpp"
#include "world/state.hpp"
#include "world/world_bytes.hpp"

namespace broadside::inline v0_2 {

/// A change of a world in a recording.
enum class Change : std::uint8_t {
  restore,
  add,
  remove,
  move,
  teleport,
  push,
  slide,  ///< the record of a `move_and_slide`; the move itself is a `move`
  set_velocity,
  set_acceleration,
  set_shape,
  set_enabled,
  set_sensor,
  set_bullet,
  set_user_data,
  set_filter,
  set_tag,
  set_ignored,
  set_gravity,
  listen,
  remove_listener,
  integrate,
  detect,
  skip_response,
  respond,
  end,  ///< the number of changes
};

namespace detail {

inline void put(ByteWriter& out, const Shape& shape) {
  write_shape(out, shape);
}
inline void put(ByteWriter& out, const BodyDef& body) {
  put(out, body.shape);
  put(out, std::span(body.more_shapes));
  out.put(static_cast<std::uint8_t>(body.type));
  put(out, Transform{body.position, body.rotation});
  out.put(body.velocity);
  out.put(body.acceleration);
  out.put(body.tag);
  put(out, body.filter);
  for (const bool flag : {body.sensor, body.bullet, body.enabled, body.mass.has_value()}) {
    out.put(flag);
  }
  out.put(body.mass.value_or(0.0F));
  out.put(body.user_data);
}

}  // namespace detail

/// Records a change, if a recording is active, before the change is made, as recording may fail. The
/// destructor removes the record unless `keep` was called.
class World::State::Note {
 public:
  template <typename... Arguments>
  Note(State& state, Change change, const Arguments&... arguments) : Note(state) {
    add(change, arguments...);
  }
  explicit Note(State& state)
      : state_(state), size_(state.journal.is_recording() ? state.journal.out().size() : 0) {}
  ~Note() {
    if (!kept_ && state_.journal.is_recording()) {
      state_.journal.out().shrink(size_);
    }
  }
  Note(const Note&) = delete;
  Note& operator=(const Note&) = delete;

  template <typename... Arguments>
  void add(Change change, const Arguments&... arguments) {
    if (state_.journal.is_recording()) {
      detail::ByteWriter& out = state_.journal.out();
      out.put(static_cast<std::uint8_t>(change));
      (detail::put(out, arguments), ...);
    }
  }

  void keep() { kept_ = true; }

 private:
  State& state_;
  std::size_t size_;
  bool kept_ = false;
};

}  // namespace broadside::inline v0_2
