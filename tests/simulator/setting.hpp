#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/world/world.hpp"

namespace broadside::test::simulator {

/// How long steps are.
enum class Steps : std::uint8_t { drawn, equal, zero };

/// What a program runs on: all of it is drawn from one seed.
struct Setting {
  std::string_view technique = {};  ///< the default if empty
  std::size_t threads = 1;          ///< without the caller; 1 stands for none
  std::uint32_t instruction_set =
      0;                       ///< the n-th of this machine, from the one that the library would choose
  std::uint32_t switches = 0;  ///< of which the programs draw how they force them; 0: none is forced
  Interest interest = Interest::all;
  std::optional<StepOrder> order = {};
  Response response = Response::none;
  float end_margin = 0.0F;  ///< (unit: that of the scene, before `scale`)
  Vec2 gravity = {};        ///< (unit: length of the scene per second squared)
  std::uint32_t tags = 4;   ///< how many different ones there are
  Steps steps = Steps::drawn;
  float scale = 1.0F;             ///< length of a unit of the scene
  Vec2 origin = {};               ///< of the scene in the world
  bool lattice = false;           ///< all numbers are multiples of a power of 2
  bool bullets = false;           ///< some bodies are bullets
  std::uint32_t bodies = 0;       ///< added before the first operation
  std::uint32_t fast_one_in = 3;  ///< one body in so many has a velocity

  /// Tells whether the model knows what touches and where bodies go: without bullets and bouncing.
  [[nodiscard]] bool is_modelled() const { return response == Response::none && !bullets; }
  [[nodiscard]] StepOrder step_order() const {
    return order.value_or(response == Response::bounce ? StepOrder::motion_first : StepOrder::detect_first);
  }
  [[nodiscard]] WorldOptions options() const;
};

[[nodiscard]] Setting draw_setting(std::uint64_t seed);

/// Returns the same scene on another technique, with other threads, another instruction set and other
/// switches.
[[nodiscard]] Setting twin_of(const Setting& setting, std::uint64_t seed);

/// Returns settings that differ from this one in one thing, which is simpler.
[[nodiscard]] std::vector<Setting> simpler(const Setting& setting);

/// Writes a setting as C++: designated initializers for what is not the default.
[[nodiscard]] std::string to_text(const Setting& setting);

}  // namespace broadside::test::simulator
