#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace broadside::app {

/// What `compare` draws.
struct CompareChart {
  /// The time of a technique (unit: millisecond a step).
  struct Bar {
    std::string_view technique;
    double mean_ms = 0.0;
    double worst_ms = 0.0;
  };
  /// The cost of a technique with one cell size.
  struct Point {
    double cell_size = 0.0;  ///< side of a square of the same area (unit: length)
    double tests = 0.0;      ///< a step
    double mean_ms = 0.0;    ///< a step
  };
  struct Curve {
    std::string_view technique;
    std::vector<Point> points;
  };

  std::string input;
  std::vector<std::string> notes;  ///< sentences, a line each
  std::vector<Bar> bars;
  bool one_step = false;      ///< whether `worst_ms` is of the same single step as `mean_ms`
  std::vector<Curve> curves;  ///< may be empty
  double suggested = 0.0;     ///< the suggested cell size
};

/// Draws one panel with the times of the techniques, and one with the cost of the cell size if there are
/// curves. Returns the bytes of an SVG file.
[[nodiscard]] std::string draw_chart(const CompareChart& chart);

}  // namespace broadside::app
