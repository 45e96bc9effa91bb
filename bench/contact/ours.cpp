#include <algorithm>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contest.hpp"

namespace broadside::bench {

namespace {

Answer answer(const Manifold& manifold) {
  // The separation of unused points is 0, so no branch on the number of points is needed: it would be timed.
  return {manifold.touching(), std::min(manifold.points[0].separation, manifold.points[1].separation)};
}

class Ours final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "ours"; }
  [[nodiscard]] bool takes(const Row& /*row*/) const override { return true; }
  [[nodiscard]] float tolerance(const Row& /*row*/) const override { return 0.0F; }

  void load(const Row& row, std::span<const Case> cases) override {
    function_ = row.function;
    cases_ = cases;
  }

  void run(std::span<const std::uint32_t> order, std::span<Answer> answers) override {
    switch (function_) {
      case Function::overlaps:
        return each(order, answers, [](const Case& one) {
          return Answer{overlaps(one.a, one.at_a, one.b, one.at_b), 0.0F};
        });
      case Function::collide:
        return each(order, answers,
                    [](const Case& one) { return answer(collide(one.a, one.at_a, one.b, one.at_b)); });
      case Function::distance:
        return each(order, answers, [](const Case& one) {
          const float apart = distance(one.a, one.at_a, one.b, one.at_b).distance;
          return Answer{apart == 0.0F, apart};
        });
      case Function::cast:
        return each(order, answers, [](const Case& one) {
          const auto hit = cast(one.a, one.at_a, one.motion, one.b, one.at_b);
          return Answer{hit.has_value(), hit ? hit->fraction : 0.0F};
        });
      case Function::cast_ray:
        return each(order, answers, [](const Case& one) {
          const auto hit = cast_ray(one.at_a.position, one.motion, one.b, one.at_b);
          return Answer{hit.has_value(), hit ? hit->fraction : 0.0F};
        });
      case Function::area:
        return each(order, answers, [](const Case& one) {
          const MaskOverlap common = overlap(*std::get_if<Mask>(&one.a), one.at_a, one.b, one.at_b);
          return Answer{common.touching, common.area};
        });
    }
  }

 private:
  template <typename Ask>
  void each(std::span<const std::uint32_t> order, std::span<Answer> answers, Ask ask) const {
    for (const std::uint32_t i : order) {
      answers[i] = ask(cases_[i]);
    }
  }

  Function function_ = Function::overlaps;
  std::span<const Case> cases_;
};

}  // namespace

std::unique_ptr<Contender> make_ours() {
  return std::make_unique<Ours>();
}

}  // namespace broadside::bench
