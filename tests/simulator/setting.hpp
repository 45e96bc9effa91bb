#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/world/world.hpp"

namespace broadside::test::simulator {

/// The durations of steps.
enum class Steps : std::uint8_t { drawn, equal, zero };

/// The setting of a program, drawn from one seed.
struct Setting {
  std::string_view technique = {};    ///< the default if empty
  std::size_t threads = 1;            ///< of the pool; 1 means no pool
  std::uint32_t instruction_set = 0;  ///< index among those of this machine; 0 is the library's choice
  std::uint32_t switches = 0;         ///< seed of the forced switches; 0 forces none
  Interest interest = Interest::all;
  std::optional<StepOrder> order = {};
  Response response = Response::none;
  float end_margin = 0.0F;  ///< (unit: that of the scene, before `scale`)
  Vec2 gravity = {};        ///< (unit: length of the scene per second squared)
  std::uint32_t tags = 4;   ///< number of different tags
  Steps steps = Steps::drawn;
  float scale = 1.0F;             ///< length of a unit of the scene
  Vec2 origin = {};               ///< position of the scene in the world
  bool lattice = false;           ///< all numbers are multiples of a power of 2
  bool bullets = false;           ///< some bodies are bullets
  std::uint32_t bodies = 0;       ///< added before the first operation
  std::uint32_t fast_one_in = 3;  ///< one body in this many has a velocity
  int parts = 0;                  ///< of a `DistributedWorld` that repeats all; 0 for none

  /// Returns whether the model computes contacts and motion itself: without bullets and bouncing.
  [[nodiscard]] bool is_modelled() const { return response == Response::none && !bullets; }
  [[nodiscard]] StepOrder step_order() const {
    return order.value_or(response == Response::bounce ? StepOrder::motion_first : StepOrder::detect_first);
  }
  [[nodiscard]] WorldOptions options() const;
};

[[nodiscard]] Setting draw_setting(std::uint64_t seed);

/// Returns the same scene with another technique, other threads, another instruction set, other switches and
/// other parts.
[[nodiscard]] Setting twin_of(const Setting& setting, std::uint64_t seed);

/// Returns settings that are simpler than this one in one option each.
[[nodiscard]] std::vector<Setting> simpler(const Setting& setting);

/// Returns a setting as C++, with designated initializers for the options that differ from their defaults.
[[nodiscard]] std::string to_text(const Setting& setting);

}  // namespace broadside::test::simulator
