#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/random.hpp"
#include "contest.hpp"
#include "measure.hpp"
#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

constexpr std::size_t shape_count = 400'000;
constexpr std::size_t pair_count = 1'000'000;
constexpr std::size_t rounds = 11;

struct Scene {
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<Pair> pairs;
};

constexpr std::string_view in_order = "-in-order";

/// Sorts the bodies in memory by their positions: by rows of cells, and along each row.
void lay_out(Scene& scene) {
  constexpr float row_height = 4.0F;
  const auto place = [](const Transform& at) {
    return std::pair(std::floor(at.position.y / row_height), at.position.x);
  };
  std::vector<std::size_t> order(scene.shapes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return place(scene.transforms[i]) < place(scene.transforms[j]);
  });
  Scene laid_out;
  for (const std::size_t i : order) {
    laid_out.shapes.push_back(scene.shapes[i]);
    laid_out.transforms.push_back(scene.transforms[i]);
  }
  scene = std::move(laid_out);
}

/// Makes a scene of the shapes of the single cases, so dense that their boxes make a million pairs.
Scene make_scene(std::string_view name) {
  const bool is_in_order = name.ends_with(in_order);
  const std::string_view kinds = is_in_order ? name.substr(0, name.size() - in_order.size()) : name;
  std::vector<Shape> stock;
  const auto add = [&](Kind kind) {
    for (const Case& one : make_cases({Function::overlaps, kind, kind}, 512)) {
      stock.push_back(one.a);
    }
  };
  if (kinds == "mixed") {
    for (const Kind kind :
         {Kind::circle, Kind::box, Kind::capsule, Kind::segment, Kind::polygon, Kind::rounded}) {
      add(kind);
    }
  } else {
    add(kinds == "circle-circle" ? Kind::circle : Kind::box);
  }
  Scene scene;
  Random random(1);
  for (std::size_t i = 0; i < shape_count; ++i) {
    scene.shapes.push_back(stock[random.below(stock.size())]);
  }
  // The world shrinks until there are enough pairs; the first million of them are used.
  for (double side = 2.5 * std::sqrt(static_cast<double>(shape_count)); scene.pairs.size() < pair_count;
       side *= 0.95) {
    scene.transforms.clear();
    for (std::size_t i = 0; i < shape_count; ++i) {
      const auto x = static_cast<float>(random.uniform(0.0, side));
      const auto y = static_cast<float>(random.uniform(0.0, side));
      const auto angle = static_cast<float>(random.uniform(0.0, 6.283185307179586));
      scene.transforms.push_back({{x, y}, Rotation::by(angle)});
    }
    if (is_in_order) {
      lay_out(scene);
    }
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < shape_count; ++i) {
      boxes.push_back(bounds(scene.shapes[i], scene.transforms[i]));
    }
    scene.pairs = find_pairs(boxes).value();
  }
  scene.pairs.resize(pair_count);
  return scene;
}

bool same(std::span<const Contact> a, std::span<const Contact> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Contact& x, const Contact& y) {
    return x.pair == y.pair && x.manifold.normal == y.manifold.normal && x.manifold.size == y.manifold.size &&
           std::equal(x.manifold.in_use().begin(), x.manifold.in_use().end(), y.manifold.in_use().begin());
  });
}

}  // namespace

BulkResult measure_bulk(std::string_view name) {
  const Scene scene = make_scene(name);
  std::vector<Contact> looped;
  const auto loop = [&]() -> std::span<const Contact> {
    looped.clear();
    for (const Pair& pair : scene.pairs) {
      const Manifold manifold = collide(scene.shapes[pair.a], scene.transforms[pair.a], scene.shapes[pair.b],
                                        scene.transforms[pair.b]);
      if (manifold.touching()) {
        looped.push_back({pair, manifold});
      }
    }
    return looped;
  };
  NarrowPhase alone;
  NarrowPhase together;
  ThreadPool pool(2);
  together.use_threads(&pool).value();
  const auto find = [&](NarrowPhase& narrow_phase) {
    return narrow_phase.find_contacts(scene.pairs, scene.shapes, scene.transforms).value();
  };
  struct Way {
    const char* name;
    std::function<std::span<const Contact>()> run;
    std::vector<double> ms;
  };
  Way ways[] = {{"loop over collide", loop, {}},
                {"find_contacts", [&] { return find(alone); }, {}},
                {"find_contacts, 2 threads", [&] { return find(together); }, {}}};
  BulkResult result{
      .scene = std::string(name), .shapes = scene.shapes.size(), .pairs = scene.pairs.size(), .scores = {}};
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (Way& way : ways) {
      const auto start = std::chrono::steady_clock::now();
      const std::span<const Contact> found = way.run();
      const auto stop = std::chrono::steady_clock::now();
      if (round == 0) {  // allocates
        result.contacts = looped.size();
        result.same = result.same && same(found, looped);
      } else {
        way.ms.push_back(std::chrono::duration<double, std::milli>(stop - start).count());
      }
    }
  }
  for (const Way& way : ways) {
    result.scores.push_back({way.name, median(way.ms)});
  }
  return result;
}

}  // namespace broadside::bench
