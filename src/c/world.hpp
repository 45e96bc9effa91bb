#pragma once

#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "broadside/base/tasks.hpp"
#include "broadside/c/world.h"
#include "broadside/world/world.hpp"
#include "call.hpp"
#include "convert.hpp"

/// A world, with the results of the last calls.
struct bs_world {
  std::optional<broadside::ThreadPool> threads;  // outlives its user
  broadside::World world;
  broadside::Recording recording;

  // What the last call of its kind returned.
  std::vector<bs_body_id> ids;
  std::vector<bs_contact> contacts;
  std::vector<bs_contact_end> ends;
  std::vector<bs_body_hit> hits;
  std::vector<bs_nearest> nearest;
  std::vector<bs_slide_hit> slide_hits;
  std::vector<bs_shape> shapes;
  std::vector<broadside::Shape> kept_shapes;  ///< that `shapes` refer to
  std::deque<bs_mask> kept_masks;             ///< likewise
  std::string text;
  std::vector<std::byte> bytes;

  std::size_t calls = 0;  ///< that run callbacks at present
  bool is_destroyed = false;
};

namespace broadside::inline v0_2::detail {

static_assert(sizeof(bs_body_id) == sizeof(BodyId) && alignof(bs_body_id) == alignof(BodyId));

[[nodiscard]] inline BodyId as_id(bs_body_id id) {
  return {id.index, id.generation, id.world};
}
[[nodiscard]] inline bs_body_id in_c(BodyId id) {
  return {id.index, id.generation, id.world};
}
[[nodiscard]] inline std::span<const BodyId> as_ids(const bs_body_id* ids, std::size_t count) {
  return {reinterpret_cast<const BodyId*>(ids), count};
}
[[nodiscard]] bs_contact in_c(const BodyContact& contact);
[[nodiscard]] bs_contact_end in_c(const ContactEnd& end);
[[nodiscard]] bs_body_hit in_c(const BodyHit& hit);
[[nodiscard]] bs_nearest in_c(const Nearest& nearest);
[[nodiscard]] bs_obstacle in_c(const Obstacle& obstacle);
[[nodiscard]] bs_slide_hit in_c(const SlideHit& hit);

/// Guards a call that may run callbacks: a world that they destroy is deleted when the outermost one ends.
class RunningCall {
 public:
  explicit RunningCall(bs_world* world) : world_(world) { ++world_->calls; }
  ~RunningCall() {
    if (--world_->calls == 0 && world_->is_destroyed) {
      delete world_;
    }
  }
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

 private:
  bs_world* world_;
};

/// Calls `call(World&)`, which returns a result or an error, unless an argument is null.
template <typename World, typename Call>
bs_status call_world(const char* function, World* world, std::initializer_list<Required> arguments,
                     const Call& call) {
  return status_of([&]() -> Error {
    Error error = find_null(function, {{world, "world"}});
    error = error ? error : find_null(function, arguments);
    if (error) {
      return error;
    }
    if constexpr (std::is_const_v<World>) {
      return call(world->world);
    } else {
      const RunningCall running(world);
      return call(world->world);
    }
  });
}

/// Replaces an array by values of C++.
template <typename To, typename From>
void convert(std::vector<To>& to, const From& from) {
  to.clear();
  to.reserve(from.size());
  for (const auto& one : from) {
    to.push_back(in_c(one));
  }
}

/// Writes the address and size of an array to the arguments of a function of C.
template <typename T>
void give(const std::vector<T>& array, const T** first, std::size_t* count) {
  *first = array.data();
  *count = array.size();
}

/// Gives values of C++, in memory of the world.
template <typename To, typename From>
void give(const From& from, std::vector<To>& kept, const To** first, std::size_t* count) {
  convert(kept, from);
  give(kept, first, count);
}

}  // namespace broadside::inline v0_2::detail
