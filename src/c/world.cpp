#include "world.hpp"

#include <algorithm>
#include <utility>

#include "base/check_threads.hpp"
#include "broadside/broad_phase/techniques.hpp"

using broadside::Error;
using broadside::Interest;
using broadside::Response;
using broadside::Result;
using broadside::StepOrder;
using broadside::World;
using broadside::WorldOptions;
using broadside::detail::as_enum;
using broadside::detail::as_vec2;
using broadside::detail::call_world;
using broadside::detail::check_size;
using broadside::detail::find_null;
using broadside::detail::in_c;
using broadside::detail::status_of;

namespace {

static_assert(static_cast<int>(Response::none) == BS_NO_RESPONSE);
static_assert(static_cast<int>(Response::bounce) == BS_BOUNCE);

/// Sets the number of threads of a world: a pool of its own, or none for one thread.
Error set_threads(const char* function, bs_world& world, std::size_t threads) {
  if (Error error = broadside::detail::check_threads(threads, function)) {
    return error;
  }
  if (threads == 1) {
    Error error = world.world.use_threads(nullptr).error();
    world.threads.reset();
    return error;
  }
  world.world.use_threads(nullptr).value();
  world.threads.emplace(threads);
  return world.world.use_threads(&*world.threads).error();
}

Result<WorldOptions> options_of(const char* function, const bs_world_options& options) {
  if (Error error = check_size(function, options.size, sizeof(bs_world_options))) {
    return error;
  }
  WorldOptions result;
  result.interest = options.only_listeners ? Interest::listeners : Interest::all;
  result.response = as_enum<Response>(options.response);
  if (options.order != BS_USUAL_ORDER) {
    result.order = options.order == BS_DETECT_FIRST   ? StepOrder::detect_first
                   : options.order == BS_MOTION_FIRST ? StepOrder::motion_first
                                                      : as_enum<StepOrder>(255);
  }
  result.restitution = options.restitution;
  result.gravity = as_vec2(options.gravity);
  result.end_margin = options.end_margin;
  return result;
}

}  // namespace

// The world.

bs_world_options bs_world_options_default(void) {
  const WorldOptions options;
  return {.size = sizeof(bs_world_options),
          .only_listeners = false,
          .response = BS_NO_RESPONSE,
          .order = BS_USUAL_ORDER,
          .restitution = options.restitution,
          .gravity = in_c(options.gravity),
          .end_margin = options.end_margin,
          .threads = 1};
}

bs_status bs_world_create(const bs_world_options* options, bs_world** world) {
  constexpr const char* function = "bs_world_create";
  return status_of([&]() -> Error {
    if (Error error = find_null(function, {{world, "world"}})) {
      return error;
    }
    const bs_world_options wanted = options == nullptr ? bs_world_options_default() : *options;
    const auto same = options_of(function, wanted);
    if (!same.has_value()) {
      return same.error();
    }
    auto created = World::create(*same);
    if (!created.has_value()) {
      return created.error();
    }
    auto made = std::make_unique<bs_world>();
    made->world = *std::move(created);
    Error error = set_threads(function, *made, wanted.threads);
    if (!error) {
      *world = made.release();
    }
    return error;
  });
}

void bs_world_destroy(bs_world* world) {
  if (world != nullptr && world->calls > 0) {
    world->is_destroyed = true;
  } else {
    delete world;
  }
}

// The broad phase, threads, memory.

bs_status bs_world_set_technique(bs_world* world, const char* technique) {
  return call_world("bs_world_set_technique", world, {{technique, "technique"}},
                    [&](World& made) { return made.set_technique(std::string_view(technique)).error(); });
}

bs_status bs_world_use_threads(bs_world* world, size_t threads) {
  constexpr const char* function = "bs_world_use_threads";
  return call_world(function, world, {},
                    [&](World& /*made*/) { return set_threads(function, *world, threads); });
}

bs_status bs_world_memory(const bs_world* world, size_t* bytes) {
  return call_world("bs_world_memory", world, {{bytes, "bytes"}}, [&](const World& made) {
    *bytes = made.bytes() + made.contact_bytes();
    return Error{};
  });
}

// Snapshots and recordings.

bs_status bs_world_snapshot(bs_world* world, const uint8_t** bytes, size_t* count) {
  return call_world("bs_world_snapshot", world, {{bytes, "bytes"}, {count, "count"}}, [&](World& made) {
    world->bytes = made.snapshot();
    *bytes = reinterpret_cast<const uint8_t*>(world->bytes.data());
    *count = world->bytes.size();
    return Error{};
  });
}

bs_status bs_world_restore(bs_world* world, const uint8_t* bytes, size_t count) {
  return call_world("bs_world_restore", world, {{bytes, "bytes", count}}, [&](World& made) {
    return made.restore(std::as_bytes(std::span(bytes, count))).error();
  });
}

bs_status bs_world_hash(const bs_world* world, uint64_t* hash) {
  return call_world("bs_world_hash", world, {{hash, "hash"}}, [&](const World& made) {
    *hash = made.hash();
    return Error{};
  });
}

bs_status bs_world_record(bs_world* world) {
  return call_world("bs_world_record", world, {},
                    [&](World& made) { return made.record(&world->recording).error(); });
}

bs_status bs_world_end_record(bs_world* world, const uint8_t** bytes, size_t* count) {
  return call_world("bs_world_end_record", world, {{bytes, "bytes"}, {count, "count"}}, [&](World& made) {
    Error error = made.record(nullptr).error();
    if (!error) {
      const auto recorded = world->recording.bytes();
      *bytes = reinterpret_cast<const uint8_t*>(recorded.data());
      *count = recorded.size();
    }
    return error;
  });
}

bs_status bs_world_replay(bs_world* world, const uint8_t* bytes, size_t count, bool (*after_step)(void* user),
                          void* user) {
  return call_world("bs_world_replay", world, {{bytes, "bytes", count}}, [&](World& made) {
    const auto all = std::as_bytes(std::span(bytes, count));
    const broadside::Recording recording(std::vector<std::byte>(all.begin(), all.end()));
    return broadside::replay(recording, made, [&] { return after_step == nullptr || after_step(user); })
        .error();
  });
}
