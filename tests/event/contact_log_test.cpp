#include "event/contact_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test::contact_log_test {
namespace {

Contact contact(Pair pair, float separation) {
  Contact made{pair, {}};
  made.manifold.size = 1;
  made.manifold.points[0].separation = separation;
  return made;
}

/// The contacts of a step, to which a log may refer after the call.
struct Step {
  std::vector<Contact> contacts;
  std::vector<Pair> pairs;

  explicit Step(const std::map<Pair, float>& touching) {
    for (const auto& [pair, separation] : touching) {
      contacts.push_back(contact(pair, separation));
      pairs.push_back(pair);
    }
  }
};

/// The expected state of a log, computed with sets.
class Model {
 public:
  explicit Model(BoxIndex boxes) : boxes_(boxes) {}

  void advance(const std::map<Pair, float>& now, const std::vector<std::uint8_t>& reassigned) {
    std::set<Pair> before;
    for (const auto& [pair, separation] : touching) {
      before.insert(pair);
    }
    begun.clear();
    ended.clear();
    const auto is_renewed = [&](Pair pair) { return ((reassigned[pair.a] | reassigned[pair.b]) & 1U) != 0; };
    for (const auto& [pair, separation] : now) {
      if (before.count(pair) == 0 || is_renewed(pair)) {
        begun.insert(pair);
      }
    }
    for (const Pair pair : before) {
      if (now.count(pair) == 0 || is_renewed(pair)) {
        ended.push_back(pair);
      }
    }
    touching = now;
  }

  void expect_same(const ContactLog& log) const {
    ASSERT_EQ(log.size(), touching.size());
    const auto in_order = log.in_order();
    ASSERT_EQ(in_order.size(), touching.size());
    std::size_t n = 0;
    std::size_t begins = 0;
    std::size_t stays = 0;
    std::map<BoxIndex, std::vector<Pair>> of;
    std::vector<Pair> visited;
    log.for_each([&](const Contact& one) { visited.push_back(one.pair); });
    for (const auto& [pair, separation] : touching) {
      const ContactLog::At at = log.nth(n);
      ASSERT_EQ(log[at].pair, pair);
      ASSERT_EQ(visited[n], pair);
      ASSERT_EQ(in_order[n].pair, pair);
      ASSERT_EQ(log[at].manifold.points[0].separation, separation);
      ASSERT_EQ(log.has_begun(at), begun.count(pair) != 0);
      if (begun.count(pair) != 0) {
        ASSERT_LT(begins, log.begun().size());
        ASSERT_EQ(log.begun()[begins++], at);
      } else {
        ASSERT_LT(stays, log.stayed().size());
        ASSERT_EQ(log.stayed()[stays++], at);
      }
      const Contact* found = log.find(pair);
      ASSERT_NE(found, nullptr);
      ASSERT_EQ(found->pair, pair);
      of[pair.a].push_back(pair);
      of[pair.b].push_back(pair);
      ++n;
    }
    ASSERT_EQ(begins, log.begun().size());
    ASSERT_EQ(stays, log.stayed().size());
    for (BoxIndex box = 0; box < boxes_; ++box) {
      std::vector<Pair> listed;
      for (const ContactLog::At at : log.of(box)) {
        listed.push_back(log[at].pair);
      }
      std::vector<Pair> expected = of[box];
      std::sort(expected.begin(), expected.end(),
                [box](Pair x, Pair y) { return (x.a == box ? x.b : x.a) < (y.a == box ? y.b : y.a); });
      ASSERT_EQ(listed, expected);
      for (BoxIndex other = box + 1; other < boxes_; ++other) {
        ASSERT_EQ(log.find({box, other}) != nullptr, touching.count({box, other}) != 0);
      }
    }
  }

  std::map<Pair, float> touching;
  std::set<Pair> begun;
  std::vector<Pair> ended;

 private:
  BoxIndex boxes_;
};

/// Draws steps: with all contacts, with those of some boxes, without a change, and steps that are not
/// committed.
void agrees_with_sets(std::uint64_t seed) {
  Random random(seed);
  const BoxIndex boxes = 3 + random.below(30);
  const std::uint32_t density = 1 + random.below(20);
  auto log = std::make_unique<ContactLog>();
  Model model(boxes);
  std::vector<std::unique_ptr<Step>> given;  // stable addresses
  std::size_t partial = 0;
  std::size_t failed = 0;
  float next = 1.0F;
  for (int step = 0; step < 300; ++step) {
    std::vector<std::uint8_t> reassigned(boxes, 0);
    std::vector<std::uint8_t> is_in(boxes, 0);
    std::vector<BoxIndex> changed;
    const std::uint32_t action = random.below(12);
    const bool is_partial = action > 3;
    for (BoxIndex box = 0; box < boxes; ++box) {
      const bool is_changed = random.below(is_partial ? 6 : 2) == 0;
      if (is_changed) {
        changed.push_back(box);
        is_in[box] = 1;
        reassigned[box] = random.below(4) == 0 ? 1 : 2;
      }
    }
    std::map<Pair, float> now = model.touching;
    std::map<Pair, float> of_changed;
    for (BoxIndex a = 0; a < boxes; ++a) {
      for (BoxIndex b = a + 1; b < boxes; ++b) {
        if (is_partial && (is_in[a] | is_in[b]) == 0) {
          continue;
        }
        now.erase({a, b});
        if (random.below(40) < density) {
          now[{a, b}] = of_changed[{a, b}] = next++;
        }
      }
    }
    if (action == 11) {
      log->advance_unchanged();
      model.begun.clear();
      model.ended.clear();
    } else if (action == 10) {
      auto other = std::make_unique<ContactLog>();
      other->copy(*log);
      log.swap(other);
      if (random.below(2) == 0) {
        given.push_back(std::make_unique<Step>(model.touching));
        std::vector<Pair> stayed;
        for (const Pair pair : given.back()->pairs) {
          if (model.begun.count(pair) == 0) {
            stayed.push_back(pair);
          }
        }
        log->restore(given.back()->contacts, stayed);
      }
    } else {
      given.push_back(std::make_unique<Step>(is_partial ? of_changed : now));
      const Step& made = *given.back();
      Model after = model;
      after.advance(now, reassigned);
      const bool none_renewed =
          std::all_of(reassigned.begin(), reassigned.end(), [](auto bits) { return bits != 1; });
      const auto prepare = [&] {
        if (is_partial) {
          log->prepare(made.contacts, {changed, is_in}, reassigned);
        } else {
          const std::span<const std::uint8_t> nothing;
          log->prepare(made.contacts, made.pairs, none_renewed ? nothing : reassigned);
        }
      };
      partial += is_partial ? 1U : 0U;
      if (random.below(3) == 0) {  // a step that fails changes nothing
        const AllocationLimit limit(random.below(8));
        try {
          prepare();
        } catch (const std::bad_alloc&) {
          ++failed;
        }
      }
      prepare();
      const std::vector<Pair> ending(log->ending().begin(), log->ending().end());
      ASSERT_EQ(ending, after.ended) << "seed " << seed << ", step " << step;
      if (random.below(4) == 0) {
        ASSERT_NO_FATAL_FAILURE(model.expect_same(*log)) << "seed " << seed << ", step " << step;
      }
      if (random.below(5) != 0) {  // else it is not committed, as after a callback that throws
        log->commit();
        model = after;
      }
    }
    if (random.below(3) != 0) {
      ASSERT_NO_FATAL_FAILURE(model.expect_same(*log)) << "seed " << seed << ", step " << step;
    }
  }
  EXPECT_GT(partial, 100U);
  EXPECT_GT(failed, 2U);
  EXPECT_GT(log->bytes(), 0U);
}

TEST(ContactLog, agrees_with_sets_over_any_steps) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ASSERT_NO_FATAL_FAILURE(agrees_with_sets(seed));
  }
}

TEST(ContactLog, allocates_nothing_in_a_commit) {
  Random random(7);
  constexpr BoxIndex boxes = 200;
  ContactLog log;
  const std::vector<std::uint8_t> reassigned(boxes, 0);
  std::map<Pair, float> all;
  for (BoxIndex box = 0; box + 1 < boxes; ++box) {
    all[{box, box + 1}] = 1.0F;
  }
  const Step first(all);
  log.prepare(first.contacts, first.pairs, reassigned);
  log.commit();
  for (int step = 0; step < 200; ++step) {
    const BoxIndex box = random.below(boxes);
    std::vector<std::uint8_t> is_in(boxes, 0);
    is_in[box] = 1;
    std::map<Pair, float> now;
    for (std::uint32_t i = random.below(20); i > 0; --i) {
      const BoxIndex other = random.below(boxes);
      if (other != box) {
        now[ordered_pair(box, other)] = 2.0F;
      }
    }
    const Step made(now);
    log.prepare(made.contacts, {std::span(&box, 1), is_in}, reassigned);
    const AllocationWatch watch;
    log.commit();
    EXPECT_EQ(watch.count(), 0U);
  }
}

}  // namespace
}  // namespace broadside::test::contact_log_test
