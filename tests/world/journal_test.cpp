#include "world/journal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "base/checksum.hpp"
#include "boxes.hpp"
#include "each_allocation.hpp"

namespace broadside::test::journal_test {
namespace {

/// The expected state of a journal.
struct Expected {
  bool is_recording = false;
  std::size_t target = 0;
  std::vector<std::byte> bytes;
  std::vector<ListenerId> listeners;  ///< by number
};

std::vector<std::byte> drawn_bytes(Random& random) {
  std::vector<std::byte> bytes(random.below(40));
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(random.below(256));
  }
  return bytes;
}

std::vector<ListenerId> drawn_listeners(Random& random) {
  std::vector<ListenerId> listeners;
  for (std::uint32_t number = 0; random.below(4) != 0;) {
    number += 1 + random.below(3);
    listeners.push_back({number});
  }
  test::shuffle(listeners, random);
  return listeners;
}

void expect_same(Journal& journal, const Expected& expected, std::array<Recording, 3>& targets) {
  ASSERT_EQ(journal.is_recording(), expected.is_recording);
  if (!expected.is_recording) {
    return;
  }
  ASSERT_EQ(journal.target(), &targets[expected.target]);
  const auto written = journal.out().bytes();
  ASSERT_EQ(std::vector<std::byte>(written.begin(), written.end()), expected.bytes);
  for (std::size_t i = 0; i < expected.listeners.size(); ++i) {
    ASSERT_EQ(journal.number_of(expected.listeners[i]), i);
  }
  ASSERT_EQ(journal.number_of({}), expected.listeners.size()) << "no listener has this id";
  ASSERT_GE(journal.bytes(), expected.listeners.size() * sizeof(ListenerId));
}

// Two journals, one of which may take over the recording of the other, as when a world is replaced.
TEST(Journal, agrees_with_vectors_over_any_calls) {
  std::array<Recording, 3> targets;
  int finished = 0;
  int taken_over = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::array<Journal, 2> journals;
    std::array<Expected, 2> expected;
    std::uint32_t last_listener = 1000;
    for (int call = 0; call < 200; ++call) {
      const std::size_t at = random.below(2);
      Journal& journal = journals[at];
      Expected& model = expected[at];
      switch (random.below(8)) {
        case 0: {
          model = {true, random.below(3), drawn_bytes(random), drawn_listeners(random)};
          auto first = std::make_unique<detail::ByteWriter>(random.below(100));
          first->put(std::span<const std::byte>(model.bytes));
          std::vector<ListenerId> listeners = model.listeners;
          const AllocationLimit none(0);
          journal.start(&targets[model.target], std::move(first), std::move(listeners));
          break;
        }
        case 1:
          if (model.is_recording && random.below(3) == 0) {
            const std::uint64_t checksum = detail::wide_checksum(model.bytes);
            std::vector<std::byte> done = model.bytes;
            for (std::uint32_t bits = 0; bits < 64; bits += 8) {
              done.push_back(static_cast<std::byte>(checksum >> bits & 0xFFU));
            }
            ASSERT_EQ(journal.finish(), done) << "seed " << seed;
            ASSERT_EQ(journal.bytes(), 0U);
            ASSERT_EQ(journal.target(), nullptr);
            model = {};
            ++finished;
          }
          break;
        case 2:
          if (expected[1 - at].is_recording && random.below(3) == 0) {
            model = std::exchange(expected[1 - at], {});
            model.listeners = drawn_listeners(random);
            std::vector<ListenerId> listeners = model.listeners;
            const AllocationLimit none(0);
            journal.take_over(journals[1 - at], std::move(listeners));
            ++taken_over;
          }
          break;
        case 3:
        case 4:
          ASSERT_NO_FATAL_FAILURE(fail_each_allocation([&] { journal.reserve_listener(); },
                                                       [&] { expect_same(journal, model, targets); }))
              << "seed " << seed;
          if (random.below(4) != 0) {  // else the call that adds the listener failed
            const ListenerId listener{++last_listener};
            const std::uint32_t listeners = journal.number_of({});
            {
              const AllocationLimit none(0);
              journal.add_listener(listener);
            }
            if (model.is_recording) {
              model.listeners.push_back(listener);
            } else {
              ASSERT_EQ(journal.number_of({}), listeners) << "it is not added without a recording";
            }
          }
          break;
        default:
          if (model.is_recording) {
            const std::vector<std::byte> more = drawn_bytes(random);
            journal.out().put(std::span<const std::byte>(more));
            if (random.below(3) == 0) {  // the change failed: its record is removed
              journal.out().shrink(model.bytes.size());
            } else {
              model.bytes.insert(model.bytes.end(), more.begin(), more.end());
            }
          }
          break;
      }
      for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_NO_FATAL_FAILURE(expect_same(journals[i], expected[i], targets)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(finished, 500);
  EXPECT_GT(taken_over, 500);
}

}  // namespace
}  // namespace broadside::test::journal_test
