#include <algorithm>
#include <cmath>
#include <map>

#include "contest.hpp"

namespace broadside::bench {

namespace {

/// One byte per pixel, as in a decoded picture.
struct Sprite {
  std::vector<std::uint8_t> alpha;
  int width = 0;
  int height = 0;

  [[nodiscard]] bool is_set(int column, int row) const {
    return alpha[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(column)] >= 128;
  }
};

struct Pairing {
  const Sprite* a;
  const Sprite* b;  ///< or null
  int column;       ///< of pixel (0, 0) of b, in a
  int row;
  Vec2 center;  ///< of b, in pixels of a
  Vec2 half;    ///< half size of a box; for a circle, the radius in both
  Rotation turned;
};

struct Span {
  int first;
  int last;
};

/// Returns the range of existing pixels that [low, high] touches.
Span pixels(float low, float high, int count) {
  return {std::max(static_cast<int>(std::ceil(low)) - 1, 0),
          std::min(static_cast<int>(std::floor(high)), count - 1)};
}

template <typename Visit>
void each_common(const Pairing& one, Visit visit) {
  const int last_row = std::min(one.a->height, one.row + one.b->height);
  const int last_column = std::min(one.a->width, one.column + one.b->width);
  for (int row = std::max(0, one.row); row < last_row; ++row) {
    for (int column = std::max(0, one.column); column < last_column; ++column) {
      if (one.a->is_set(column, row) && one.b->is_set(column - one.column, row - one.row)) {
        if (!visit()) {
          return;
        }
      }
    }
  }
}

Answer touch_of_masks(const Pairing& one) {
  bool touching = false;
  each_common(one, [&] {
    touching = true;
    return false;
  });
  return {touching, 0.0F};
}

Answer area_of_masks(const Pairing& one) {
  int count = 0;
  each_common(one, [&] {
    ++count;
    return true;
  });
  return {count > 0, static_cast<float>(count)};
}

template <typename Touches>
Answer touch_of_mask(const Pairing& one, Vec2 reach, Touches touches) {
  const Span rows = pixels(one.center.y - reach.y, one.center.y + reach.y, one.a->height);
  const Span columns = pixels(one.center.x - reach.x, one.center.x + reach.x, one.a->width);
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      if (one.a->is_set(column, row) && touches(static_cast<float>(column), static_cast<float>(row))) {
        return {true, 0.0F};
      }
    }
  }
  return {false, 0.0F};
}

Answer touch_of_circle(const Pairing& one) {
  return touch_of_mask(one, one.half, [&](float column, float row) {
    const float dx = one.center.x - std::clamp(one.center.x, column, column + 1.0F);
    const float dy = one.center.y - std::clamp(one.center.y, row, row + 1.0F);
    return dx * dx + dy * dy <= one.half.x * one.half.x;
  });
}

Answer touch_of_box(const Pairing& one) {
  const float cos = std::abs(one.turned.cos);
  const float sin = std::abs(one.turned.sin);
  const Vec2 reach = {cos * one.half.x + sin * one.half.y, sin * one.half.x + cos * one.half.y};
  const float pixel = 0.5F * (cos + sin);
  return touch_of_mask(one, reach, [&](float column, float row) {
    const Vec2 way = {column + 0.5F - one.center.x, row + 0.5F - one.center.y};
    return std::abs(one.turned.cos * way.x + one.turned.sin * way.y) <= one.half.x + pixel &&
           std::abs(one.turned.cos * way.y - one.turned.sin * way.x) <= one.half.y + pixel &&
           std::abs(way.x) <= reach.x + 0.5F && std::abs(way.y) <= reach.y + 0.5F;
  });
}

class PerPixel final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "pixel loop"; }

  [[nodiscard]] bool takes(const Row& row) const override {
    if (row.a != Kind::mask || (row.function != Function::overlaps && row.function != Function::area)) {
      return false;
    }
    return row.b == Kind::mask ||
           (row.function == Function::overlaps && (row.b == Kind::circle || row.b == Kind::box));
  }

  [[nodiscard]] float tolerance(const Row& /*row*/) const override { return 1e-3F; }

  void load(const Row& row, std::span<const Case> cases) override {
    row_ = row;
    pairings_.clear();
    sprites_.clear();
    for (const Case& one : cases) {
      const Vec2 way = one.at_b.position - one.at_a.position;
      Pairing made{sprite(one.a),    nullptr, 0, 0, way - std::get_if<Mask>(&one.a)->origin(), {},
                   one.at_b.rotation};
      if (std::holds_alternative<Mask>(one.b)) {
        made.b = sprite(one.b);
        made.column = static_cast<int>(std::lround(way.x));
        made.row = static_cast<int>(std::lround(way.y));
      } else if (const auto* circle = std::get_if<Circle>(&one.b)) {
        made.half = {circle->radius, circle->radius};
      } else if (const auto* box = std::get_if<Box>(&one.b)) {
        made.half = box->half_size;
      }
      pairings_.push_back(made);
    }
  }

  void run(std::span<const std::uint32_t> order, std::span<Answer> answers) override {
    if (row_.function == Function::area) {
      each(order, answers, area_of_masks);
    } else if (row_.b == Kind::mask) {
      each(order, answers, touch_of_masks);
    } else if (row_.b == Kind::circle) {
      each(order, answers, touch_of_circle);
    } else {
      each(order, answers, touch_of_box);
    }
  }

 private:
  template <typename Ask>
  void each(std::span<const std::uint32_t> order, std::span<Answer> answers, Ask ask) const {
    for (const std::uint32_t i : order) {
      answers[i] = ask(pairings_[i]);
    }
  }

  // Copies of a mask share their pixels, so they share a sprite.
  const Sprite* sprite(const Shape& shape) {
    const Mask& mask = *std::get_if<Mask>(&shape);
    auto [place, is_new] = sprites_.try_emplace(mask.words(0).data());
    Sprite& made = place->second;
    if (is_new) {
      made.width = static_cast<int>(mask.width());
      made.height = static_cast<int>(mask.height());
      for (std::uint32_t row = 0; row < mask.height(); ++row) {
        for (std::uint32_t column = 0; column < mask.width(); ++column) {
          made.alpha.push_back(mask.at(column, row) ? 255 : 0);
        }
      }
    }
    return &made;
  }

  Row row_;
  std::vector<Pairing> pairings_;
  std::map<const std::uint64_t*, Sprite> sprites_;
};

}  // namespace

std::unique_ptr<Contender> make_per_pixel() {
  return std::make_unique<PerPixel>();
}

}  // namespace broadside::bench
