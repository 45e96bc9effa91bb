#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::bench {

enum class Kind : std::uint8_t { area, ray, nearest };

/// A kind of query, with its lengths as shares of the world's width.
struct Question {
  std::string_view name;
  Kind kind;
  double length;          ///< of the side of an area, or of a ray
  std::size_t count = 0;  ///< number of results of `nearest`
  bool rare = false;      ///< whether only the boxes on `rare_layer` count: one in a thousand
};

inline constexpr std::uint64_t usual_layer = 1;
inline constexpr std::uint64_t rare_layer = 2;

/// Returns the layer of a box.
[[nodiscard]] constexpr std::uint64_t layer_of(std::size_t index) {
  return index % 1000 == 0 ? rare_layer : usual_layer;
}
/// Returns the layers of the boxes that a question is about.
[[nodiscard]] constexpr std::uint64_t layers_of(const Question& question) {
  return question.rare ? rare_layer : ~std::uint64_t{0};
}

inline constexpr std::array<Question, 9> questions = {{{"area-1%", Kind::area, 0.01},
                                                       {"area-10%", Kind::area, 0.1},
                                                       {"ray-1%", Kind::ray, 0.01},
                                                       {"ray-10%", Kind::ray, 0.1},
                                                       {"ray-100%", Kind::ray, 1.0},
                                                       {"nearest-1", Kind::nearest, 0.0, 1},
                                                       {"nearest-8", Kind::nearest, 0.0, 8},
                                                       {"ray-100%-rare", Kind::ray, 1.0, 0, true},
                                                       {"nearest-8-rare", Kind::nearest, 0.0, 8, true}}};

/// The arguments of one query. Rays start outside all boxes: some peers miss shapes around the start.
struct Query {
  Aabb area;
  Vec2 start;  ///< start of a ray, or the point of `nearest`
  Vec2 way;
};

/// Makes random queries [n], the same on every machine: half of them near a box, half anywhere in the world.
[[nodiscard]] std::vector<Query> make_queries(const Question& question, std::span<const Aabb> boxes,
                                              std::size_t count);

/// A result as a number: the sum of (index + 1) in an area, the time of the first hit (2 for none), or the
/// sum of the distances.
using Answer = double;

/// What a contender tests: shapes, or only boxes, which is less work.
enum class Job : std::uint8_t { shapes, boxes };

/// A library with queries. All shapes are axis-aligned squares, so they equal their boxes.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool is_ours() const { return false; }
  [[nodiscard]] virtual bool takes(const Question& question) const = 0;
  /// Returns its job; only contenders with the same job are compared.
  [[nodiscard]] virtual Job job(const Question& /*question*/) const { return Job::shapes; }
  /// Loads the boxes; not timed.
  virtual void load(std::span<const Aabb> boxes) = 0;
  /// Answers one query; timed.
  virtual Answer answer(const Question& question, const Query& query) = 0;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] std::unique_ptr<Contender> make_ours();
[[nodiscard]] std::unique_ptr<Contender> make_ours_visited();
[[nodiscard]] std::unique_ptr<Contender> make_ours_boxes();
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk();
[[nodiscard]] std::unique_ptr<Contender> make_box2d();
[[nodiscard]] std::unique_ptr<Contender> make_box2d_v3();
[[nodiscard]] std::unique_ptr<Contender> make_boost();
[[nodiscard]] std::unique_ptr<Contender> make_boost_shapes();

/// Returns the share of a ray at which it enters a box; 2 if it misses.
[[nodiscard]] float entry_time(const Aabb& box, Vec2 start, Vec2 way);

/// Returns the distance of a point from a box.
[[nodiscard]] float distance_to(const Aabb& box, Vec2 point);

struct QueryScore {
  std::string name;
  bool ours = false;
  Job job = Job::shapes;
  double ns = 0.0;  ///< per query, median over the rounds
  std::size_t disagreements = 0;
};

struct QueryResult {
  std::string scene;
  std::string question;
  std::size_t boxes = 0;
  double found = 0.0;              ///< boxes in an area, or share of rays that hit
  std::vector<QueryScore> scores;  ///< `make_ours` first

  /// Returns our time for a job divided by that of the fastest peer; 0 if no peer does it.
  [[nodiscard]] double ratio(Job job) const;
};

/// Runs all contenders that support the question on the same queries in turns. @pre the boxes are loaded
[[nodiscard]] QueryResult measure(const std::string& scene, const Question& question,
                                  std::span<const Aabb> boxes, Contenders& contenders);

}  // namespace broadside::bench
