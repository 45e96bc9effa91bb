#include "world/slide_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "each_allocation.hpp"

namespace broadside::detail::slide_memory_test {
namespace {

using test::Random;

constexpr std::uint32_t world = 7;

BodyId drawn_body(Random& random, std::uint32_t places) {
  return {random.below(places), 1 + random.below(random.below(2) == 0 ? 3 : ~0U), world};
}

Transform drawn_transform(Random& random) {
  const float reach = std::ldexp(1.0F, static_cast<int>(random.below(120)) - 20);
  return {{random.between(-reach, reach), random.between(-reach, reach)},
          Rotation::by(random.between(-4.0F, 4.0F))};
}

/// Returns a record of any body of a world of at least 2 places.
SlideRecord drawn_record(Random& random, std::uint32_t places) {
  SlideRecord record{drawn_body(random, places),
                     drawn_transform(random),
                     {random.between(-1e-3F, 1e-3F), random.between(-1.0F, 1.0F)}};
  if (random.below(2) == 0) {
    const Rotation normal = Rotation::by(random.between(-4.0F, 4.0F));
    record.ground = {drawn_body(random, places), drawn_transform(random), {normal.cos, normal.sin}};
    if (record.ground->body.index == record.body.index) {
      record.ground->body.index = (record.body.index + 1) % places;
    }
    record.is_dirty = random.below(2) == 0;
  }
  for (std::uint32_t i = random.below(3) == 0 ? random.below(6) : 0; i > 0; --i) {
    record.crossed.push_back(drawn_body(random, places));
  }
  std::sort(record.crossed.begin(), record.crossed.end());
  return record;
}

/// The expected records by place.
using Records = std::map<std::uint32_t, SlideRecord>;

std::vector<SlideRecord> values(const Records& records) {
  std::vector<SlideRecord> all;
  for (const auto& [place, record] : records) {
    all.push_back(record);
  }
  return all;
}

void expect_same(const SlideMemory& memory, const Records& expected, std::uint32_t places) {
  ASSERT_EQ(memory.records(), values(expected));
  for (std::uint32_t place = 0; place < places + 2; ++place) {
    const SlideRecord* found = memory.find(place);
    ASSERT_EQ(found != nullptr, expected.contains(place)) << place;
    if (found != nullptr) {
      ASSERT_EQ(*found, expected.at(place));
    }
  }
  std::size_t bytes = expected.size() * sizeof(SlideRecord);
  for (const auto& [place, record] : expected) {
    bytes += record.crossed.size() * sizeof(BodyId);
  }
  ASSERT_GE(memory.bytes(), bytes);
}

std::vector<std::byte> bytes_of_memory(const SlideMemory& memory) {
  ByteWriter out;
  memory.write(out);
  return out.take();
}

/// Reads records; returns whether the bytes are valid.
bool read(SlideMemory& memory, std::span<const std::byte> bytes, std::uint32_t places) {
  ByteReader in(bytes);
  memory.read(in, world, places);
  return !in.failed() && in.rest() == 0;
}

bool is_body(BodyId body, std::uint32_t places) {
  return body.index < places && body.generation != 0 && body.world == world;
}
bool is_unit_vector(double x, double y) {
  const double length2 = x * x + y * y;
  return length2 >= 0.99 && length2 <= 1.01;
}
bool is_pose(const Transform& at) {
  return std::isfinite(at.position.x) && std::isfinite(at.position.y) &&
         is_unit_vector(static_cast<double>(at.rotation.cos), static_cast<double>(at.rotation.sin));
}

/// Tells whether a memory may hold these records.
bool are_valid(const std::vector<SlideRecord>& records, std::uint32_t places) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const SlideRecord& record = records[i];
    bool valid = is_body(record.body, places) && is_pose(record.at) && std::isfinite(record.remainder.x) &&
                 std::isfinite(record.remainder.y) &&
                 (i == 0 || records[i - 1].body.index < record.body.index);
    if (record.ground) {
      const Vec2 normal = record.ground->normal;
      valid = valid && is_body(record.ground->body, places) && is_pose(record.ground->at) &&
              is_unit_vector(static_cast<double>(normal.x), static_cast<double>(normal.y)) &&
              record.ground->body.index != record.body.index;
    }
    for (std::size_t n = 0; n < record.crossed.size(); ++n) {
      valid = valid && is_body(record.crossed[n], places) &&
              (n == 0 || record.crossed[n - 1] <= record.crossed[n]);
    }
    if (!valid) {
      return false;
    }
  }
  return true;
}

TEST(SlideMemory, agrees_with_a_map_over_any_calls) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::uint32_t places = 2 + random.below(seed % 3 == 0 ? 100 : 8);
    SlideMemory memory;
    Records expected;
    for (int call = 0; call < 200; ++call) {
      const std::uint32_t action = random.below(20);
      if (action < 10) {
        SlideRecord record = drawn_record(random, places);
        expected[record.body.index] = record;
        const std::vector<SlideRecord> before = memory.records();
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation([&] { memory.reserve_one(); },
                                                           [&] { ASSERT_EQ(memory.records(), before); }));
        const test::AllocationLimit none(0);
        memory.set(std::move(record));
      } else if (action < 18) {
        const std::uint32_t place = random.below(places + 2);
        expected.erase(place);
        const test::AllocationLimit none(0);
        memory.forget(place);
      } else if (action == 18) {
        for (auto& [place, record] : expected) {
          record.is_dirty = false;
        }
        const test::AllocationLimit none(0);
        memory.set_reported();
      } else {
        // What is read replaces what was there.
        const std::vector<std::byte> bytes = bytes_of_memory(memory);
        SlideMemory other;
        if (random.below(2) == 0) {
          other.set(drawn_record(random, places));
        }
        ASSERT_TRUE(read(other, bytes, places)) << "seed " << seed;
        ASSERT_EQ(bytes_of_memory(other), bytes);
        std::swap(memory, other);
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(memory, expected, places)) << "seed " << seed;
    }
  }
}

// Bytes of drawn records, cut off or with some bits changed, are refused, or are those of valid records.
TEST(SlideMemory, reads_what_it_would_write_and_refuses_the_rest) {
  int refused = 0;
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const std::uint32_t places = 2 + random.below(12);
    SlideMemory memory;
    for (std::uint32_t i = 1 + random.below(5); i > 0; --i) {
      memory.set(drawn_record(random, places));
    }
    const std::vector<std::byte> bytes = bytes_of_memory(memory);
    SlideMemory other;
    ASSERT_FALSE(
        read(other, std::span(bytes).first(random.below(static_cast<std::uint32_t>(bytes.size()))), places));
    for (int round = 0; round < 60; ++round) {
      std::vector<std::byte> damaged = bytes;
      for (std::uint32_t bits = 1 + random.below(3); bits > 0; --bits) {
        damaged[random.below(static_cast<std::uint32_t>(bytes.size()))] ^= std::byte{1} << random.below(8);
      }
      if (!read(other, damaged, places)) {
        ++refused;
        continue;
      }
      ++accepted;
      ASSERT_TRUE(are_valid(other.records(), places)) << "seed " << seed << ", round " << round;
      ASSERT_EQ(bytes_of_memory(other), damaged) << "seed " << seed << ", round " << round;
    }
  }
  EXPECT_GT(refused, 20'000);
  EXPECT_GT(accepted, 20'000);
}

/// Changes one property of one record to a drawn value, which may or may not be valid.
void change_one(std::vector<SlideRecord>& records, std::uint32_t places, Random& random) {
  const auto odd = [&random]() -> float {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::array<float, 5> drawn = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                                        std::numeric_limits<float>::max(), random.between(-1.2F, 1.2F)};
    return drawn[random.below(5)];
  };
  const auto spoil_body = [&](BodyId& body) {
    if (random.below(2) == 0) {
      body.index = random.below(2) == 0 ? random.below(places + 2) : random.bits();
    } else {
      body.generation = random.below(3);
    }
  };
  const auto spoil_pose = [&](Transform& at) {
    const std::array<float*, 4> members = {&at.position.x, &at.position.y, &at.rotation.cos,
                                           &at.rotation.sin};
    *members[random.below(4)] = odd();
  };
  SlideRecord& record = records[random.below(static_cast<std::uint32_t>(records.size()))];
  switch (random.below(8)) {
    case 0:
      spoil_body(record.body);
      break;
    case 1:
      spoil_pose(record.at);
      break;
    case 2:
      (random.below(2) == 0 ? record.remainder.x : record.remainder.y) = odd();
      break;
    case 3:
      if (record.ground) {
        spoil_body(record.ground->body);
      }
      break;
    case 4:
      if (record.ground) {
        spoil_pose(record.ground->at);
      }
      break;
    case 5:
      if (record.ground) {
        (random.below(2) == 0 ? record.ground->normal.x : record.ground->normal.y) = odd();
      }
      break;
    case 6:
      if (!record.crossed.empty()) {
        spoil_body(record.crossed[random.below(static_cast<std::uint32_t>(record.crossed.size()))]);
      }
      break;
    default:
      std::swap(record, records[random.below(static_cast<std::uint32_t>(records.size()))]);
      break;
  }
}

TEST(SlideMemory, refuses_exactly_the_records_that_cannot_be) {
  std::array<int, 2> refused = {0, 0};
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Random random(seed);
    const std::uint32_t places = 2 + random.below(6);
    Records records;
    for (std::uint32_t i = 1 + random.below(3); i > 0; --i) {
      const SlideRecord record = drawn_record(random, places);
      records[record.body.index] = record;
    }
    std::vector<SlideRecord> spoilt = values(records);
    change_one(spoilt, places, random);
    ByteWriter out;
    out.put_count(spoilt.size());
    for (const SlideRecord& record : spoilt) {
      put(out, record);
    }
    SlideMemory memory;
    const bool is_valid = are_valid(spoilt, places);
    ASSERT_EQ(read(memory, out.bytes(), places), is_valid) << "seed " << seed;
    if (is_valid) {
      ASSERT_EQ(memory.records(), spoilt) << "seed " << seed;
    }
    ++refused[is_valid ? 0 : 1];
  }
  EXPECT_GT(refused[0], 3000);
  EXPECT_GT(refused[1], 3000);
}

}  // namespace
}  // namespace broadside::detail::slide_memory_test
