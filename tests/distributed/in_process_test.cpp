#include "broadside/distributed/in_process.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

#include "boxes.hpp"
#include "watchdog.hpp"

namespace broadside::test::distributed_in_process_test {
namespace {

using Message = Communicator::Message;

constexpr std::chrono::seconds patience{240};

/// The message from one part to another in a round: its length and bytes differ from those of all others.
Message message_of(int round, int from, int to) {
  Random random(static_cast<std::uint64_t>((round * 64 + from) * 64 + to));
  Message message(random.below(4) == 0 ? 0 : random.below(200));
  for (std::byte& byte : message) {
    byte = static_cast<std::byte>(random.below(256));
  }
  return message;
}

TEST(InProcess, delivers_each_message_to_its_receiver) {
  const Watchdog watchdog(patience);
  for (const int parts : {1, 2, 3, 7, 16}) {
    std::atomic<int> calls = 0;
    run_in_process(parts, [&](Communicator& others) {
      ++calls;
      EXPECT_EQ(others.size(), parts);
      for (int round = 0; round < 40; ++round) {
        std::vector<Message> outgoing;
        for (int to = 0; to < parts; ++to) {
          outgoing.push_back(message_of(round, others.rank(), to));
        }
        const auto incoming = others.exchange(std::move(outgoing)).value();
        ASSERT_EQ(incoming.size(), static_cast<std::size_t>(parts));
        for (int from = 0; from < parts; ++from) {
          ASSERT_EQ(incoming[static_cast<std::size_t>(from)], message_of(round, from, others.rank()));
        }
        const auto gathered = others.all_gather(message_of(round, others.rank(), 0)).value();
        for (int from = 0; from < parts; ++from) {
          ASSERT_EQ(gathered[static_cast<std::size_t>(from)], message_of(round, from, 0));
        }
      }
    }).value();
    EXPECT_EQ(calls, parts);
  }
}

TEST(InProcess, a_part_that_ends_makes_the_exchanges_of_the_others_fail) {
  const Watchdog watchdog(patience);
  for (const int parts : {2, 5, 16}) {
    for (int round_of_end = 0; round_of_end < 4; ++round_of_end) {
      const int leaver = round_of_end % parts;
      std::atomic<int> failed = 0;
      run_in_process(parts, [&](Communicator& others) {
        for (int round = 0; others.rank() != leaver || round < round_of_end; ++round) {
          const auto answer = others.all_gather({});
          if (!answer.has_value()) {
            EXPECT_EQ(answer.error().code, ErrorCode::io);
            EXPECT_EQ(round, round_of_end);
            EXPECT_EQ(others.all_gather({}).error().code, ErrorCode::io);
            ++failed;
            return;
          }
        }
      }).value();
      EXPECT_EQ(failed, parts - 1);
    }
  }
}

TEST(InProcess, throws_the_exception_that_left_a_part_first) {
  const Watchdog watchdog(patience);
  for (const int thrower : {0, 1, 6}) {
    try {
      run_in_process(7, [&](Communicator& others) {
        others.all_gather({}).value();
        if (others.rank() == thrower) {
          throw std::runtime_error("part " + std::to_string(thrower));
        }
        others.all_gather({}).value();  // throws as well, but later
      }).value();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "part " + std::to_string(thrower));
    }
  }
}

TEST(InProcess, refuses_numbers_of_parts_and_of_messages) {
  const Watchdog watchdog(patience);
  for (const int parts : {-1, 0, 1025}) {
    const auto refused = run_in_process(parts, [](Communicator&) { FAIL() << "a part was run"; });
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  }
  run_in_process(3, [](Communicator& others) {
    EXPECT_EQ(others.exchange(std::vector<Message>(2)).error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(others.exchange(std::vector<Message>(3)).has_value());
  }).value();
}

}  // namespace
}  // namespace broadside::test::distributed_in_process_test
