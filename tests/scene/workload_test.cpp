#include "broadside/scene/workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "boxes.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "fnv_hash.hpp"

namespace broadside {
namespace {

TEST(Workload, every_kind_makes_valid_boxes_of_the_asked_number) {
  for (const WorkloadKind& kind : workload_kinds()) {
    for (const std::uint64_t count : {0U, 1U, 7U, 1000U}) {
      const auto workload = make_workload(kind.name, count, 3);
      ASSERT_TRUE(workload.has_value()) << kind.name;
      EXPECT_EQ(workload->boxes.size(), count) << kind.name;
      EXPECT_LE(workload->static_count, count) << kind.name;
      EXPECT_TRUE(validate(workload->boxes).has_value()) << kind.name;
    }
  }
}

TEST(Workload, the_same_seed_makes_the_same_boxes_and_another_seed_others) {
  for (const WorkloadKind& kind : workload_kinds()) {
    const auto a = make_workload(kind.name, 100, 5);
    EXPECT_EQ(a->boxes, make_workload(kind.name, 100, 5)->boxes) << kind.name;
    EXPECT_NE(a->boxes, make_workload(kind.name, 100, 6)->boxes) << kind.name;
  }
}

// The first ten hashes are those of another program, in Python, which follows the same formulas. `power-law`
// and `circles` are left out: they call `pow` and `exp`, whose last bit may differ between C libraries.
TEST(Workload, boxes_are_the_same_on_every_machine) {
  struct Expected {
    std::string_view kind;
    std::uint64_t hash;  ///< of 20 workloads of drawn counts and seeds
  };
  constexpr std::array<Expected, 27> all{
      {{"uniform", 0xD6D9FED603E06EEEU},      {"few-movers", 0x9C9CA95BD08E335CU},
       {"clusters", 0x6C68A3A1ED035D76U},     {"pinball", 0x26153FA14DDE110DU},
       {"line-x", 0x4C726C21E3A9A227U},       {"line-y", 0xF2BB36C3BD0FCB43U},
       {"stack", 0x43F8B73FC2F0D311U},        {"giant", 0x2F03D8731BA2CFEDU},
       {"two-scales", 0x062DD14528AE7C9EU},   {"far-away", 0x45A96BB3B4D4FB09U},
       {"bullets", 0xE7D68FB09138E156U},      {"bullets-100", 0xF001C24291F74021U},
       {"bullets-1000", 0xEC147207F36C3872U}, {"bullets-million", 0x98731EDF35F32172U},
       {"object-pool", 0x124DD1CF7844406BU},  {"streaks", 0x71C17922571C0A5DU},
       {"thin", 0x08D6AC4925C9B67FU},         {"walls", 0x01D43BDBDFC9EB9AU},
       {"beams-v", 0xA99EA9BF42B209A7U},      {"beams-h", 0x3F8D0E87D19AF0CBU},
       {"bars-v", 0x6CD01B2109A99144U},       {"bars-h", 0x5BE2CDBCE2FBEB6AU},
       {"comb-v", 0x1EEC48E3956D93B4U},       {"comb-h", 0x5775816DEB1D7102U},
       {"octaves", 0xD09ACCBF693F9860U},      {"tiny-clusters", 0xD5A85347FA885F9EU},
       {"dust", 0x8F116B4DE2AE5C24U}}};
  EXPECT_EQ(workload_kinds().size(), all.size() + 2);
  for (const auto& [kind, expected] : all) {
    test::Random random(31);
    test::FnvHash hash;
    for (int round = 0; round < 20; ++round) {
      const std::uint32_t count = random.below(3000);
      const std::uint64_t high = random.bits();
      const std::uint64_t seed = (high << 32U) | random.bits();
      const Workload workload = make_workload(kind, count, seed).value();
      hash.add(std::uint64_t{workload.static_count});
      for (const Aabb& box : workload.boxes) {
        hash.add(box.min);
        hash.add(box.max);
      }
    }
    EXPECT_EQ(hash.value(), expected) << kind;
  }
}

double pairs_per_box(std::string_view name) {
  const auto workload = make_workload(name, 20'000, 1);
  return static_cast<double>(find_pairs(workload->boxes)->size()) / 20'000.0;
}

TEST(Workload, densities_are_as_documented) {
  EXPECT_NEAR(pairs_per_box("uniform"), 1.5, 0.1);
  EXPECT_NEAR(pairs_per_box("far-away"), 1.5, 0.1);
  EXPECT_NEAR(pairs_per_box("clusters"), 5.0, 0.6);
  EXPECT_NEAR(pairs_per_box("power-law"), 5.0, 0.8);
  EXPECT_NEAR(pairs_per_box("two-scales"), 0.57, 0.1);
}

TEST(Workload, unknown_and_absurd_ones_are_refused) {
  const auto unknown = make_workload("unifrom", 10, 1);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("uniform, few-movers"), std::string::npos);
  EXPECT_EQ(make_workload("uniform", 1'000'000'000, 1).error().code, ErrorCode::invalid_argument);
}

TEST(Workload, a_recording_moves_the_movers_by_five_per_cent_and_no_static_box) {
  const auto workload = make_workload("few-movers", 1010, 1);
  const Trace trace = record_workload(*workload, 4, 1);
  EXPECT_EQ(trace.static_count(), 1000U);
  EXPECT_EQ(trace.moving_count(), 10U);
  EXPECT_EQ(trace.frame(0)[3], workload->boxes[1003]);
  for (std::size_t i = 0; i < 10; ++i) {
    const Vec2 way = trace.frame(1)[i].min - trace.frame(0)[i].min;
    EXPECT_NEAR(dot(way, way), 0.25F, 0.01F);
  }
}

double ulp(float number) {
  const float size = std::fabs(number);
  return static_cast<double>(std::nextafter(size, std::numeric_limits<float>::infinity()) - size);
}

// Within the rounding of both corners.
TEST(Workload, a_recording_moves_each_mover_in_a_straight_line_by_five_per_cent_of_its_shorter_side) {
  for (const WorkloadKind& kind : workload_kinds()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Workload workload = make_workload(kind.name, 400, seed).value();
      const Trace trace = record_workload(workload, 6, seed);
      ASSERT_EQ(trace.static_count(), workload.static_count);
      for (std::size_t i = 0; i < workload.static_count; ++i) {
        ASSERT_EQ(trace.static_boxes[i], workload.boxes[i]) << kind.name;
      }
      for (std::size_t i = 0; i < trace.moving_count(); ++i) {
        const Aabb start = trace.frame(0)[i];
        ASSERT_EQ(start, workload.boxes[workload.static_count + i]) << kind.name;
        const Vec2 size = start.max - start.min;
        const double step = 0.05 * static_cast<double>(std::min(size.x, size.y));
        const Vec2 first = trace.frame(1)[i].min - start.min;
        for (std::uint32_t frame = 1; frame < 6; ++frame) {
          const Aabb box = trace.frame(frame)[i];
          const double frames = frame;
          const double rounding =
              1e-5 * frames * step +
              2.0 * (frames + 1.0) *
                  std::max({ulp(start.min.x), ulp(start.min.y), ulp(start.max.x), ulp(start.max.y),
                            ulp(box.min.x), ulp(box.min.y), ulp(box.max.x), ulp(box.max.y)});
          for (const Vec2 way : {box.min - start.min, box.max - start.max}) {
            ASSERT_NEAR(std::hypot(static_cast<double>(way.x), static_cast<double>(way.y)), frames * step,
                        2.0 * rounding)
                << kind.name << ", frame " << frame;
            ASSERT_NEAR(static_cast<double>(way.x), frames * static_cast<double>(first.x), rounding);
            ASSERT_NEAR(static_cast<double>(way.y), frames * static_cast<double>(first.y), rounding);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace broadside
