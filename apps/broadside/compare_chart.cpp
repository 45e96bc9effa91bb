#include "compare_chart.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "canvas.hpp"

namespace broadside::app {

namespace {

constexpr double chart_width = 960.0;
constexpr double margin = 28.0;
constexpr std::string_view ink = "#1f2328";
constexpr std::string_view soft = "#59636e";
constexpr std::string_view rule = "#d8dee4";
constexpr std::string_view plain_bar = "#8c959f";
// Those of Okabe and Ito, darkened where they were faint on white.
constexpr std::array<std::string_view, 5> curve_colors = {"#b36b00", "#0b57a4", "#007a5a", "#a8487d",
                                                          "#444444"};

std::string_view curve_color(std::size_t curve) {
  return curve_colors[curve % curve_colors.size()];
}

/// Returns the thickness of a curve, such that a curve shows below a later one in the same place.
double curve_thickness(std::size_t curve, std::size_t curves) {
  return 2.0 + 2.5 * static_cast<double>(curves - 1 - curve);
}

/// Text and lines of an SVG file (unit: pixel; y points down).
class Drawing {
 public:
  void text(double x, double y, std::string_view text, std::string_view color, double size = 13.0,
            std::string_view anchor = "start", bool bold = false) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
        size, color, anchor, bold ? " font-weight=\"600\"" : "", svg_text(text));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view color, double thickness = 1.0,
            bool dashed = false) {
    add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", x1, y1, x2, y2,
        color, thickness, dashed ? " stroke-dasharray=\"4 3\"" : "");
  }
  void bar(double x, double y, double bar_width, double height, std::string_view color) {
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y, bar_width,
        height, color);
  }
  void dot(double x, double y, std::string_view color) {
    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, color);
  }
  void ring(double x, double y, std::string_view color) {
    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
        x, y, color);
  }

  /// Returns the bytes of the file.
  [[nodiscard]] std::string finish(double height) const {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
               "height=\"{1}\" "
               "font-family=\"system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif\">\n"
               "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
               chart_width, height) +
           body_ + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Arguments>(arguments)...);
  }

  std::string body_;
};

/// Returns the number as a label, such as 0.02, 50, 2k or 10M.
std::string label(double value) {
  constexpr std::array<std::pair<double, const char*>, 3> units = {{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [unit, letter] : units) {
    if (value >= unit && value < 1e3 * 1e9) {
      return fmt::format("{:.3g}{}", value / unit, letter);
    }
  }
  return fmt::format("{:.3g}", value);
}

double power_of_ten(double value) {
  return std::pow(10.0, std::floor(std::log10(value)));
}

/// Returns the last of the numbers 1, 2, 5, 10, ... that is not above the value.
double round_down(double value) {
  const double power = power_of_ten(value);
  const double digit = value / power;
  return (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0) * power;
}

/// Returns the next of the numbers 1, 2, 5, 10, ...
double next_round(double value) {
  const double power = power_of_ten(1.01 * value);
  const double digit = value / power;
  return (digit < 1.5 ? 2.0 : digit < 3.5 ? 5.0 : 10.0) * power;
}

/// A logarithmic axis. If there are values of 0, they have a place of their own before the others.
class Axis {
 public:
  /// @param from the pixel of the lower end
  /// @param to the pixel of the upper end; labels need `label_space` pixels each
  Axis(const std::vector<double>& values, double from, double to, double label_space)
      : zero_(from), from_(from), to_(to) {
    constexpr double space_of_zero = 22.0;
    for (const double value : values) {
      if (value <= 0.0) {
        has_zero_ = true;
        from_ = zero_ + (to > from ? space_of_zero : -space_of_zero);
        continue;
      }
      low_ = low_ == 0.0 ? round_down(value) : std::min(low_, round_down(value));
      high_ = std::max(high_, round_down(value) >= value ? value : next_round(round_down(value)));
    }
    if (low_ == 0.0) {
      low_ = 1.0;
    }
    if (high_ <= low_) {
      high_ = next_round(low_);
    }
    mark_ticks(static_cast<int>(std::abs(to_ - from_) / label_space));
  }

  [[nodiscard]] double place(double value) const {
    if (value <= 0.0) {
      return zero_;
    }
    return from_ + (to_ - from_) * std::log(value / low_) / std::log(high_ / low_);
  }
  /// Returns the labelled values.
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  void mark_ticks(int most) {
    std::vector<double> powers;
    for (double tick = low_; tick < 1.01 * high_; tick = next_round(tick)) {
      ticks_.push_back(tick);
      if (tick < 1.5 * power_of_ten(1.01 * tick)) {
        powers.push_back(tick);
      }
    }
    if (static_cast<int>(ticks_.size()) > most) {
      const std::size_t stride = powers.size() / static_cast<std::size_t>(std::max(most, 1)) + 1;
      ticks_.clear();
      for (std::size_t i = 0; i < powers.size(); i += stride) {
        ticks_.push_back(powers[i]);
      }
    }
    if (has_zero_) {
      ticks_.insert(ticks_.begin(), 0.0);
    }
  }

  double zero_;
  double from_;
  double to_;
  double low_ = 0.0;
  double high_ = 0.0;
  bool has_zero_ = false;
  std::vector<double> ticks_;
};

/// Draws the times as bars from y downwards, with their numbers beside them. Returns the y below.
double draw_times(Drawing& drawing, const CompareChart& chart, double y) {
  constexpr double row = 26.0;
  constexpr double left = 176.0;
  constexpr double right = 744.0;
  constexpr double mean_column = 836.0;
  constexpr double worst_column = chart_width - margin;
  const double first_column = chart.one_step ? worst_column : mean_column;
  drawing.text(margin, y, "Time for the pairs of a step", ink, 15.0, "start", true);
  drawing.text(first_column, y, chart.one_step ? "ms" : "mean, ms", soft, 13.0, "end");
  if (!chart.one_step) {
    drawing.text(worst_column, y, "worst, ms", soft, 13.0, "end");
    drawing.bar(left + 176.0, y - 10.0, 22.0, 10.0, plain_bar);
    drawing.text(left + 204.0, y, "mean", soft);
    drawing.line(left + 262.0, y - 12.0, left + 262.0, y + 2.0, ink, 2.0);
    drawing.text(left + 270.0, y, "worst step", soft);
  }
  y += 14.0;

  std::vector<double> values;
  double best = chart.bars.front().mean_ms;
  for (const CompareChart::Bar& bar : chart.bars) {
    values.insert(values.end(), {0.5 * bar.mean_ms, bar.worst_ms});  // half, so that each bar has a length
    best = std::min(best, bar.mean_ms);
  }
  const Axis axis(values, left, right, 48.0);
  const double bottom = y + row * static_cast<double>(chart.bars.size());
  for (const double tick : axis.ticks()) {
    drawing.line(axis.place(tick), y, axis.place(tick), bottom + 4.0, rule);
    drawing.text(axis.place(tick), bottom + 19.0, label(tick), soft, 12.0, "middle");
  }
  for (const CompareChart::Bar& bar : chart.bars) {
    std::string_view color = plain_bar;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
      color = chart.curves[i].technique == bar.technique ? curve_color(i) : color;
    }
    const bool is_best = bar.mean_ms == best && chart.bars.size() > 1;
    const double base = y + 0.5 * row + 4.5;
    drawing.text(left - 10.0, base, bar.technique, ink, 13.0, "end", is_best);
    drawing.bar(left, y + 5.0, axis.place(bar.mean_ms) - left, row - 10.0, color);
    drawing.text(first_column, base, label(bar.mean_ms), ink, 13.0, "end", is_best);
    if (!chart.one_step) {
      drawing.line(axis.place(bar.worst_ms), y + 3.0, axis.place(bar.worst_ms), y + row - 3.0, ink, 2.0);
      drawing.text(worst_column, base, label(bar.worst_ms), ink, 13.0, "end");
    }
    y += row;
  }
  drawing.line(left, bottom, right, bottom, soft);
  drawing.text(0.5 * (left + right), bottom + 38.0, "ms a step, logarithmic", soft, 12.0, "middle");
  return bottom + 38.0;
}

/// Draws one figure of all curves over the cell size.
/// @param area left, top, right and bottom of the plot
void draw_curves(Drawing& drawing, const CompareChart& chart, const Aabb& area, std::string_view title,
                 double CompareChart::Point::*figure) {
  std::vector<double> sizes;
  std::vector<double> figures;
  for (const CompareChart::Curve& curve : chart.curves) {
    for (const CompareChart::Point& point : curve.points) {
      sizes.push_back(point.cell_size);
      figures.push_back(point.*figure);
    }
  }
  const double left = area.min.x;
  const double right = area.max.x;
  const double bottom = area.max.y;
  const Axis x(sizes, left, right, 44.0);
  const Axis y(figures, bottom, area.min.y, 22.0);
  drawing.text(left, area.min.y - 16.0, title, soft, 12.0);
  for (const double tick : x.ticks()) {
    drawing.line(x.place(tick), area.min.y, x.place(tick), bottom + 4.0, rule);
    drawing.text(x.place(tick), bottom + 19.0, label(tick), soft, 12.0, "middle");
  }
  for (const double tick : y.ticks()) {
    drawing.line(left - 4.0, y.place(tick), right, y.place(tick), rule);
    drawing.text(left - 8.0, y.place(tick) + 4.0, label(tick), soft, 12.0, "end");
  }
  drawing.line(left, bottom, right, bottom, soft);
  drawing.text(0.5 * (left + right), bottom + 38.0, "cell size (unit: that of the input), logarithmic", soft,
               12.0, "middle");
  if (const double suggested = x.place(chart.suggested); suggested >= left && suggested <= right) {
    drawing.line(suggested, area.min.y, suggested, bottom, ink, 1.0, true);
  }
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const std::vector<CompareChart::Point>& points = chart.curves[i].points;
    const CompareChart::Point* best = nullptr;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double here_x = x.place(points[k].cell_size);
      const double here_y = y.place(points[k].*figure);
      if (k > 0) {
        drawing.line(x.place(points[k - 1].cell_size), y.place(points[k - 1].*figure), here_x, here_y,
                     curve_color(i), curve_thickness(i, chart.curves.size()));
      }
      drawing.dot(here_x, here_y, curve_color(i));
      best = best == nullptr || points[k].mean_ms < best->mean_ms ? &points[k] : best;
    }
    if (best != nullptr) {
      drawing.ring(x.place(best->cell_size), y.place(best->*figure), curve_color(i));
    }
  }
}

/// Draws the cost of the cell size from y downwards. Returns the y below.
double draw_cell_sizes(Drawing& drawing, const CompareChart& chart, double y) {
  constexpr double character = 7.2;  // typical width at 13 pixels
  drawing.text(margin, y, "What the cell size costs", ink, 15.0, "start", true);
  double x = 248.0;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    drawing.line(x, y - 4.5, x + 22.0, y - 4.5, curve_color(i), curve_thickness(i, chart.curves.size()));
    drawing.dot(x + 11.0, y - 4.5, curve_color(i));
    drawing.text(x + 28.0, y, chart.curves[i].technique, soft);
    x += 46.0 + character * static_cast<double>(chart.curves[i].technique.size());
  }
  drawing.ring(x + 7.0, y - 4.5, soft);
  drawing.text(x + 20.0, y, "fastest", soft);
  x += 84.0;
  drawing.line(x, y - 12.0, x, y + 2.0, ink, 1.0, true);
  drawing.text(x + 8.0, y, fmt::format("suggested: {:.4g}", chart.suggested), soft);

  const auto top = static_cast<float>(y + 40.0);
  const float bottom = top + 250.0F;
  draw_curves(drawing, chart, {{78.0F, top}, {460.0F, bottom}}, "tests a step, logarithmic",
              &CompareChart::Point::tests);
  draw_curves(drawing, chart, {{550.0F, top}, {932.0F, bottom}}, "mean ms a step, logarithmic",
              &CompareChart::Point::mean_ms);
  return bottom + 38.0;
}

/// Cuts a name that is too long for its line, in front of a character of UTF-8.
std::string shortened(std::string name) {
  constexpr std::size_t most = 60;
  if (name.size() <= most) {
    return name;
  }
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return name.substr(0, end) + "...";
}

}  // namespace

std::string draw_chart(const CompareChart& chart) {
  Drawing drawing;
  double y = 40.0;
  drawing.text(margin, y, "broadside compare: " + shortened(chart.input), ink, 20.0, "start", true);
  y += 4.0;
  for (const std::string& note : chart.notes) {
    y += 19.0;
    drawing.text(margin, y, note, soft);
  }
  y = draw_times(drawing, chart, y + 44.0);
  const bool has_points = std::any_of(chart.curves.begin(), chart.curves.end(),
                                      [](const auto& curve) { return !curve.points.empty(); });
  if (has_points) {
    y = draw_cell_sizes(drawing, chart, y + 50.0);
  }
  return drawing.finish(std::ceil(y + 24.0));
}

}  // namespace broadside::app
