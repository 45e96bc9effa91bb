#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/scene/trace.hpp"

namespace broadside::bench {

/// The input of a race: a scene to generate, or a recorded one to read.
struct Course {
  std::string name = {};
  std::string kind = {};     ///< of the workload; empty for a recorded scene
  std::uint64_t count = 0;   ///< boxes of the workload
  std::string motion = {};   ///< empty for the usual motion of workloads
  std::uint32_t frames = 0;  ///< unless the user wants another number; 0 for all of a recorded scene
  std::string path = {};     ///< of a recorded scene
};

/// In which order the moving boxes are in their array. Programs keep theirs in any order, and the answer and
/// the cost should not depend on it.
enum class Order : std::uint8_t {
  given,
  sorted,  ///< by min x
  shuffled,
  alternating,  ///< small ones and large ones in turn, each from left to right
};

[[nodiscard]] std::string_view name_of(Order order);
[[nodiscard]] std::vector<std::string> order_names();

/// Returns the scenes that are generated.
[[nodiscard]] std::vector<Course> generated_courses();

/// Returns a recorded scene, which has the name of its file.
[[nodiscard]] Course recorded_course(const std::string& path);

/// Returns the recorded scenes in some folders, by name; of two with the same name, the last.
[[nodiscard]] std::vector<Course> recorded_courses(const std::vector<std::string>& directories);

/// Generates or reads the boxes of a scene.
/// @param frames to generate
[[nodiscard]] Result<Trace> boxes_of(const Course& course, std::size_t frames);

/// Puts the moving boxes into another order, the same in each frame.
void reorder(Trace& trace, Order order);

}  // namespace broadside::bench
