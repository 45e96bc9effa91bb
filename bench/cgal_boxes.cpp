#include <CGAL/Box_intersection_d/Box_d.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/config.h>

#include "contender.hpp"

namespace broadside::bench {

namespace {

using Box = CGAL::Box_intersection_d::Box_d<float, 2>;
using Traits = CGAL::Box_intersection_d::Box_traits_d<const Box*>;

Box as_box(const Aabb& box) {
  float low[] = {box.min.x, box.min.y};
  float high[] = {box.max.x, box.max.y};
  return {low, high};
}

// The number of boxes below which a scan replaces further division; the manual says to tune it. 200 is twice
// as fast as the default of 10 on most of our workloads.
constexpr std::ptrdiff_t cutoff = 200;

/// Sorts pointers to boxes, which its manual recommends for speed.
class CgalBoxes final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "CGAL 5.5 boxes"; }
  [[nodiscard]] std::string version() const override { return CGAL_VERSION_STR; }

  void load(const Trace& trace) override {
    static_boxes_.clear();
    for (const Aabb& box : trace.static_boxes) {
      static_boxes_.push_back(as_box(box));
    }
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    moving_boxes_.clear();
    for (const Aabb& box : moving) {
      moving_boxes_.push_back(as_box(box));
    }
    auto movers = pointers(moving_boxes_);
    const auto first = static_cast<BoxIndex>(static_boxes_.size());
    const auto number = [](const Box* box, const std::vector<Box>& all) {
      return static_cast<BoxIndex>(box - all.data());
    };
    pairs_.clear();
    const Traits traits;
    const auto take = [&](const Box* a, const Box* b) {
      pairs_.push_back(ordered_pair(first + number(a, moving_boxes_), first + number(b, moving_boxes_)));
    };
    CGAL::box_self_intersection_d(movers.begin(), movers.end(), take, traits, cutoff);
    if (!static_boxes_.empty()) {
      auto statics = pointers(static_boxes_);
      const auto take_static = [&](const Box* a, const Box* b) {
        pairs_.push_back({number(b, static_boxes_), first + number(a, moving_boxes_)});
      };
      CGAL::box_intersection_d(movers.begin(), movers.end(), statics.begin(), statics.end(), take_static,
                               traits, cutoff);
    }
    return pairs_;
  }

 private:
  static std::vector<const Box*> pointers(const std::vector<Box>& boxes) {
    std::vector<const Box*> result;
    for (const Box& box : boxes) {
      result.push_back(&box);
    }
    return result;
  }

  std::vector<Box> static_boxes_;
  std::vector<Box> moving_boxes_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_cgal_boxes() {
  return std::make_unique<CgalBoxes>();
}

}  // namespace broadside::bench
