// The C interface gives what the classes of C++ give, for drawn calls, and reports memory that runs out.

#include "broadside/broadside.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"

namespace broadside::test::c_interface_test {
namespace {

const bs_aabb* in_c(const std::vector<Aabb>& boxes) {
  return reinterpret_cast<const bs_aabb*>(boxes.data());
}

std::vector<Pair> pairs_of(const bs_pair* pairs, std::size_t count) {
  std::vector<Pair> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back({pairs[i].a, pairs[i].b});
  }
  return result;
}

void expect_same_error(bs_status status, const Error& error) {
  ASSERT_EQ(status == BS_OK, error.code == ErrorCode::none);
  if (error) {
    ASSERT_EQ(bs_last_error(), error.message);
    ASSERT_EQ(bs_status_name(status), name(error.code));
  }
}

TEST(CInterface, finds_the_pairs_of_find_pairs) {
  bs_pair_finder* finder = nullptr;
  ASSERT_EQ(bs_pair_finder_create(&finder), BS_OK);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    auto left = draw_boxes(random, 300);
    const auto right = draw_boxes(random, 300);
    if (!left.empty() && random.below(10) == 0) {
      const auto bad = bad_boxes();
      left[random.below(static_cast<std::uint32_t>(left.size()))] =
          bad[random.below(static_cast<std::uint32_t>(bad.size()))].box;
    }
    std::vector<std::uint8_t> flags(random.below(2) == 0 ? left.size() : 0);
    std::generate(flags.begin(), flags.end(), [&] { return static_cast<std::uint8_t>(random.below(2)); });
    bs_pairs_options options = bs_pairs_options_default();
    options.sorted = random.below(2) == 0;
    options.threads = 1 + random.below(2);
    options.max_pairs = random.below(3) == 0 ? random.below(500) : options.max_pairs;
    FindPairsOptions same{
        .sorted = options.sorted, .max_pairs = options.max_pairs, .threads = options.threads};
    const bs_pair* pairs = nullptr;
    std::size_t count = 0;
    const bool between = random.below(2) == 0;
    bs_status status = BS_OK;
    if (between) {
      status = bs_find_pairs_between(finder, in_c(left), left.size(), in_c(right), right.size(), &options,
                                     &pairs, &count);
    } else {
      options.is_static = flags.empty() ? nullptr : flags.data();
      same.is_static = flags;
      status = bs_find_pairs(finder, in_c(left), left.size(), &options, &pairs, &count);
    }
    const auto expected = between ? find_pairs(left, right, same) : find_pairs(left, same);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(status, expected.error())) << "seed " << seed;
    if (expected.has_value()) {
      ASSERT_EQ(pairs_of(pairs, count), *expected) << "seed " << seed;
    }
  }
  bs_pair_finder_destroy(finder);
}

/// One broad phase in each language, which get the same calls.
class Twins {
 public:
  explicit Twins(std::uint64_t seed) : random_(seed) {
    const auto all = techniques();
    const TechniqueEntry& technique = all[random_.below(static_cast<std::uint32_t>(all.size()))];
    const std::string name(technique.name);
    bs_broad_phase_options options = bs_broad_phase_options_default();
    options.technique = name.c_str();
    options.sorted = random_.below(2) == 0;
    options.neighbor_lists = random_.below(2) == 0;
    options.row_height = random_.below(2) == 0 ? 0.0F : 3.0F;
    TechniqueOptions same{.neighbor_lists = options.neighbor_lists};
    if (options.row_height != 0.0F) {
      same.row_height = options.row_height;
    }
    cpp_ = technique.create(same).value();
    cpp_->keep_sorted(options.sorted);
    EXPECT_EQ(bs_broad_phase_create(&options, &c_), BS_OK) << bs_last_error();
  }
  ~Twins() { bs_broad_phase_destroy(c_); }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;

  void do_one() {
    switch (random_.below(7)) {
      case 0:
        return add();
      case 1:
        return move();
      case 2:
        return remove();
      case 3:
        return set_kind();
      case 4:
        return find_pairs();
      case 5:
        return find_pairs_of();
      default:
        return query();
    }
  }

 private:
  bs_box_kind draw_kind(BoxKind& same) {
    bs_box_kind kind = bs_box_kind_default();
    kind.type = static_cast<bs_body_type>(random_.below(random_.below(10) == 0 ? 4 : 3));
    kind.filter.layer = 1 + random_.below(3);
    kind.filter.mask = random_.below(4) == 0 ? 1 + random_.below(3) : kind.filter.mask;
    kind.filter.wants = random_.below(4) == 0 ? 1 + random_.below(3) : kind.filter.wants;
    kind.filter.group = static_cast<std::int32_t>(random_.below(5)) - 2;
    same = {static_cast<BodyType>(kind.type),
            {.layer = kind.filter.layer,
             .mask = kind.filter.mask,
             .wants = kind.filter.wants,
             .group = kind.filter.group}};
    return kind;
  }
  /// Returns some names of boxes, now and then one twice or one of no box.
  std::vector<BoxIndex> draw_indices() {
    std::vector<BoxIndex> indices;
    for (BoxIndex i = 0; i < cpp_->index_end() + 1; ++i) {
      if ((cpp_->contains(i) || random_.below(200) == 0) && random_.below(3) == 0) {
        indices.push_back(i);
      }
    }
    if (!indices.empty() && random_.below(20) == 0) {
      indices.push_back(indices.front());
    }
    return indices;
  }

  void add() {
    const auto boxes = draw_boxes(random_, 40);
    std::vector<bs_box_kind> kinds;
    std::vector<BoxKind> same(boxes.size());
    for (BoxKind& kind : same) {
      kinds.push_back(draw_kind(kind));
    }
    const bool plain = random_.below(3) == 0;
    std::vector<std::uint32_t> indices(boxes.size());
    const bs_status status =
        bs_broad_phase_add(c_, in_c(boxes), plain ? nullptr : kinds.data(), boxes.size(), indices.data());
    const auto expected = plain ? cpp_->add(boxes) : cpp_->add(boxes, same);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(status, expected.error()));
    if (expected.has_value()) {
      ASSERT_EQ(indices, *expected);
    }
  }
  void move() {
    const auto indices = draw_indices();
    std::vector<Aabb> boxes;
    while (boxes.size() < indices.size()) {
      const auto more = draw_boxes(random_, 40);
      boxes.insert(boxes.end(), more.begin(), more.end());
    }
    boxes.resize(indices.size());
    const bs_status status = bs_broad_phase_move(c_, indices.data(), in_c(boxes), indices.size());
    expect_same_error(status, cpp_->move(indices, boxes).error());
  }
  void remove() {
    const auto indices = draw_indices();
    const bs_status status = bs_broad_phase_remove(c_, indices.data(), indices.size());
    expect_same_error(status, cpp_->remove(std::span(indices)).error());
  }
  void set_kind() {
    BoxKind same;
    const bs_box_kind kind = draw_kind(same);
    const std::uint32_t index = random_.below(cpp_->index_end() + 2);
    expect_same_error(bs_broad_phase_set_kind(c_, index, kind), cpp_->set_kind(index, same).error());
  }
  void find_pairs() {
    const bs_pair* pairs = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(bs_broad_phase_find_pairs(c_, &pairs, &count), BS_OK);
    const auto expected = cpp_->find_pairs();
    ASSERT_EQ(pairs_of(pairs, count), std::vector<Pair>(expected.begin(), expected.end()));
  }
  void find_pairs_of() {
    const auto indices = draw_indices();
    const bs_pair* pairs = nullptr;
    std::size_t count = 0;
    const bs_status status = bs_broad_phase_find_pairs_of(c_, indices.data(), indices.size(), &pairs, &count);
    const auto expected = cpp_->find_pairs_of(indices);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(status, expected.error()));
    if (expected.has_value()) {
      ASSERT_EQ(pairs_of(pairs, count), std::vector<Pair>(expected->begin(), expected->end()));
    }
  }
  void query() {
    const std::uint32_t* hits = nullptr;
    std::size_t count = 0;
    const auto area = draw_boxes(random_, 40);
    if (!area.empty()) {
      const bs_status status = bs_broad_phase_query_area(c_, *in_c(area), &hits, &count);
      std::vector<BoxIndex> expected;
      ASSERT_NO_FATAL_FAILURE(expect_same_error(status, cpp_->query_area(area[0], expected).error()));
      ASSERT_EQ(std::vector<BoxIndex>(hits, hits + count), expected);
    }
    ASSERT_EQ(bs_broad_phase_count(c_, &count), BS_OK);
    ASSERT_EQ(count, cpp_->size());
    const std::uint32_t index = random_.below(cpp_->index_end() + 2);
    bs_aabb box{};
    const auto expected = cpp_->box(index);
    ASSERT_NO_FATAL_FAILURE(expect_same_error(bs_broad_phase_box(c_, index, &box), expected.error()));
    if (expected.has_value()) {
      ASSERT_EQ((Aabb{{box.min_x, box.min_y}, {box.max_x, box.max_y}}), *expected);
    }
  }

  Random random_;
  std::unique_ptr<BroadPhase> cpp_;
  bs_broad_phase* c_ = nullptr;
};

TEST(CInterface, has_the_broad_phases_of_cpp) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Twins twins(seed);
    for (int call = 0; call < 60; ++call) {
      ASSERT_NO_FATAL_FAILURE(twins.do_one()) << "seed " << seed << ", call " << call;
    }
  }
}

TEST(CInterface, reports_that_memory_ran_out) {
#if defined(__cpp_exceptions)
  const std::vector<Aabb> boxes = make_boxes("scattered", 500, 3);
  std::size_t failed = 0;
  for (std::size_t allowed = 0; allowed < 400; ++allowed) {
    bs_pair_finder* finder = nullptr;
    bs_broad_phase* broad_phase = nullptr;
    std::vector<std::uint32_t> indices(boxes.size());
    const bs_pair* pairs = nullptr;
    std::size_t count = 0;
    bs_status status = BS_OK;
    {
      const SharedAllocationLimit limit(allowed, Failing::once);
      status = bs_pair_finder_create(&finder);
      status = status == BS_OK ? bs_find_pairs(finder, in_c(boxes), boxes.size(), nullptr, &pairs, &count)
                               : status;
      status = status == BS_OK ? bs_broad_phase_create(nullptr, &broad_phase) : status;
      status = status == BS_OK
                   ? bs_broad_phase_add(broad_phase, in_c(boxes), nullptr, boxes.size(), indices.data())
                   : status;
      status = status == BS_OK ? bs_broad_phase_find_pairs(broad_phase, &pairs, &count) : status;
      ASSERT_TRUE(status == BS_OK || (status == BS_OUT_OF_MEMORY && limit.struck())) << allowed;
    }
    failed += status == BS_OUT_OF_MEMORY ? 1 : 0;
    bs_broad_phase_destroy(broad_phase);
    bs_pair_finder_destroy(finder);
  }
  EXPECT_GT(failed, 40U);
#endif
}

}  // namespace
}  // namespace broadside::test::c_interface_test
