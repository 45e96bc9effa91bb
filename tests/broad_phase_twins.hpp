#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::test {

/// Two broad phases that get the same drawn calls, and must give the same answers.
class BroadPhaseTwins {
 public:
  BroadPhaseTwins(BroadPhase& subject, BroadPhase& reference, Random& random)
      : subject_(subject), reference_(reference), random_(random) {
    subject_.keep_sorted(true);
    reference_.keep_sorted(true);
  }

  /// Adds, moves or changes a drawn box of both, or removes one to three boxes in one call.
  void change() {
    const Vec2 min{random_.between(-20, 20), random_.between(-20, 20)};
    const Aabb box{min, min + Vec2{random_.between(0, 6), random_.between(0, 6)}};
    const BoxKind kind{static_cast<BodyType>(random_.below(3)),
                       {.layer = std::uint64_t{1} << random_.below(3)}};
    const std::uint32_t what = boxes_.size() < 5 ? 0 : random_.below(8);
    if (what < 3) {
      const BoxIndex index = subject_.add(box, kind.type, kind.filter).value();
      ASSERT_EQ(reference_.add(box, kind.type, kind.filter).value(), index);
      boxes_.push_back(index);
      return;
    }
    const std::size_t at = random_.below(static_cast<std::uint32_t>(boxes_.size()));
    const std::size_t end = std::min<std::size_t>(at + 1 + random_.below(3), boxes_.size());
    const std::vector<BoxIndex> removed(boxes_.begin() + static_cast<std::ptrdiff_t>(at),
                                        boxes_.begin() + static_cast<std::ptrdiff_t>(end));
    for (BroadPhase* phase : {&subject_, &reference_}) {
      if (what < 6) {
        phase->move(boxes_[at], box).value();
      } else if (what == 6) {
        phase->set_kind(boxes_[at], kind).value();
      } else {
        phase->remove(removed).value();
      }
    }
    if (what == 7) {
      boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(at),
                   boxes_.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }

  /// Compares all pairs, those of some boxes, and a query. A call of the subject that runs out of memory is
  /// repeated.
  void compare() {
    ASSERT_EQ(subject_.size(), boxes_.size());
    const std::vector<BoxIndex> some(boxes_.begin(), boxes_.begin() + boxes_.size() / 3);
    const Aabb area{{random_.between(-20, 0), random_.between(-20, 0)}, {random_.between(0, 20), 20}};
    for (const bool up_to_date : {false, true}) {
      std::vector<BoxIndex> hits;
      std::vector<BoxIndex> same;
      retried([&] { subject_.query_area(area, hits).value(); });
      reference_.query_area(area, same).value();
      ASSERT_EQ(hits, same) << up_to_date;
      if (!up_to_date) {
        compare_pairs([&](BroadPhase& phase) { return phase.find_pairs_of(some).value(); });
        compare_pairs([](BroadPhase& phase) { return phase.find_pairs(); });
      }
    }
  }

 private:
  template <typename Call>
  static void retried(const Call& call) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      try {
        call();
        return;
      } catch (const std::bad_alloc&) {
      }
    }
    FAIL() << "ran out of memory 100 times";
  }

  template <typename Find>
  void compare_pairs(const Find& find) {
    std::vector<Pair> found;
    retried([&] {
      const auto pairs = find(subject_);
      found.assign(pairs.begin(), pairs.end());
    });
    const auto expected = find(reference_);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()))
        << found.size() << " pairs, not " << expected.size();
  }

  BroadPhase& subject_;
  BroadPhase& reference_;
  Random& random_;
  std::vector<BoxIndex> boxes_;
};

}  // namespace broadside::test
