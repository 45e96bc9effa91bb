#include "broadside/contact/narrow_phase.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include "base/reserve.hpp"
#include "base/switches.hpp"
#include "body/prefetch.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/lanes/pair_kernels.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::size_t block = 1024;  // pairs: enough to contain many of each kind

/// Processes one block of pairs: sorts them by kind, collides each kind separately, and writes the contacts
/// in the order of the pairs.
///
///     pairs     cc bb cb cc bb cc        c circle, b box
///     by kind   cc cc cc | bb bb | cb    a counting sort
///     contacts  cc .. cc | bb .. | cb    each kind on its own, in order
///     out       cc bb cb cc              joined as the pairs were
class Block {
 public:
  /// @param scratch [block + 1] for the contacts of a block with several kinds
  /// @param prefetcher advanced by each pair that was processed
  Block(std::span<const Shape> shapes, std::vector<Contact>& scratch, detail::Prefetcher& prefetcher)
      : shapes_(shapes), contacts_(scratch), prefetcher_(prefetcher) {}

  /// Writes the contacts of pairs [n] to `out` and their pairs to `touching`; returns how many. @pre n <=
  /// `block`
  std::size_t collide_all(std::span<const Pair> pairs, Contact* out, Pair* touching) {
    const std::size_t found = collide_by_kind(pairs, out);
    std::transform(out, out + found, touching, [](const Contact& contact) { return contact.pair; });
    return found;
  }

 private:
  static constexpr std::size_t kinds = std::variant_size_v<Shape>;

  std::size_t collide_by_kind(std::span<const Pair> pairs, Contact* out) {
    if (find_kinds(pairs)) {
      const bool has_inside = std::holds_alternative<Polygon>(shapes_[pairs[0].a]) ||
                              std::holds_alternative<Polygon>(shapes_[pairs[0].b]);
      prefetcher_.begin(has_inside ? pairs : std::span<const Pair>());
      return collide_kind(pairs, out);
    }
    sort_by_kind(pairs);
    prefetcher_.begin({sorted(), pairs.size()});
    for (std::size_t kind = 0; kind < kinds * kinds; ++kind) {
      const std::size_t size = begin_[kind + 1] - begin_[kind];
      end_[kind] = begin_[kind];
      if (size > 0) {
        const std::span<const Pair> of_kind(sorted() + begin_[kind], size);
        end_[kind] += collide_kind(of_kind, contacts_.data() + begin_[kind]);
      }
    }
    std::size_t count = 0;
    // Branch-free, as in the kernels: whether a pair touches cannot be predicted.
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      std::size_t& next = begin_[kind_[i]];
      detail::Prefetch::line_of(out, count + detail::lead_of_writing);
      out[count] = contacts_[next];
      const bool is_same = contacts_[next].pair == pairs[i];
      const auto found = static_cast<std::size_t>((next < end_[kind_[i]]) & is_same);
      next += found;
      count += found;
    }
    return count;
  }

  /// Sets the kind of each pair; returns whether all are of one kind.
  bool find_kinds(std::span<const Pair> pairs) {
    const auto kind_of_pair = [this](Pair pair) {
      return static_cast<std::uint8_t>(shapes_[pair.a].index() * kinds + shapes_[pair.b].index());
    };
    const std::uint8_t first = kind_of_pair(pairs[0]);
    unsigned differences = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      kind_[i] = kind_of_pair(pairs[i]);
      differences |= static_cast<unsigned>(kind_[i] ^ first);
    }
    return differences == 0;
  }

  void sort_by_kind(std::span<const Pair> pairs) {
    begin_.fill(0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ++begin_[kind_[i] + 1U];
    }
    for (std::size_t kind = 1; kind < begin_.size(); ++kind) {
      begin_[kind] += begin_[kind - 1];
    }
    std::array<std::size_t, kinds* kinds + 1> next = begin_;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ::new (sorted() + next[kind_[i]]++) Pair(pairs[i]);
    }
  }

  std::size_t collide_kind(std::span<const Pair> pairs, Contact* out) const {
    const Shape& a = shapes_[pairs[0].a];
    const Shape& b = shapes_[pairs[0].b];
    if (std::holds_alternative<Mask>(a) || std::holds_alternative<Mask>(b)) {
      return detail::collide_one_by_one(pairs, prefetcher_, out);
    }
    const bool a_is_circle = std::holds_alternative<Circle>(a);
    const bool b_is_circle = std::holds_alternative<Circle>(b);
    if (a_is_circle || b_is_circle) {
      return a_is_circle && b_is_circle ? detail::collide_circle_pairs(pairs, prefetcher_, out)
                                        : detail::collide_circle_convex_pairs(pairs, prefetcher_, out);
    }
    const bool are_boxes = std::holds_alternative<Box>(a) && std::holds_alternative<Box>(b);
    return are_boxes ? detail::collide_box_pairs(pairs, prefetcher_, out)
                     : detail::collide_core_pairs(pairs, prefetcher_, out);
  }

  Pair* sorted() { return reinterpret_cast<Pair*>(sorted_.data()); }

  std::span<const Shape> shapes_;
  // Not initialized: that would take longer than a few pairs do.
  std::array<std::uint8_t, block> kind_;
  std::array<std::size_t, kinds * kinds + 1> begin_;
  std::array<std::size_t, kinds * kinds> end_;
  alignas(Pair) std::array<std::byte, block * sizeof(Pair)> sorted_;  ///< pairs by kind
  std::vector<Contact>& contacts_;
  detail::Prefetcher& prefetcher_;
};

}  // namespace

std::size_t detail::collide_one_by_one(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  const Shape* shapes = prefetcher.shapes();
  const Transform* transforms = prefetcher.transforms();
  std::size_t count = 0;
  for (const Pair pair : pairs) {
    prefetcher.advance(1);
    // Constructed in place: copying it right away would stall on store forwarding.
    ::new (&out[count])
        Contact{pair, collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b])};
    count += out[count].manifold.touching() ? 1U : 0U;
  }
  return count;
}

Result<void> NarrowPhase::use_threads(TaskRunner* runner) {
  const auto threads = threads_of(runner, "use_threads");
  if (!threads.has_value()) {
    return threads.error();
  }
  runner_ = runner;
  threads_ = threads.value();
  return {};
}

Result<std::span<const Contact>> NarrowPhase::find_contacts(std::span<const Pair> pairs,
                                                            std::span<const Shape> shapes,
                                                            std::span<const Transform> transforms) {
  constexpr std::size_t min_pairs_per_task = 4 * block;
  count_ = 0;
  if (shapes.size() != transforms.size()) {
    return Error{ErrorCode::invalid_argument, "find_contacts: " + std::to_string(shapes.size()) +
                                                  " shapes but " + std::to_string(transforms.size()) +
                                                  " transforms; there must be as many"};
  }
  const auto tasks =
      std::clamp<std::size_t>(detail::worthwhile_tasks(pairs.size(), min_pairs_per_task), 1, threads_);
  counts_.assign(tasks, 0);
  scratch_.resize(std::max(scratch_.size(), tasks));
  for (auto& scratch : scratch_) {
    scratch.resize(block + 1);  // not in the tasks: no exception may leave a thread
  }
  contacts_.resize(std::max(contacts_.size(), pairs.size()));
  touching_.resize(contacts_.size());
  std::atomic<bool> known = true;
  const auto begin_of = [&](std::size_t task) { return task * pairs.size() / tasks; };
  // There are at most as many contacts as pairs, so each task writes from the index of its first pair; the
  // gaps are closed afterwards.
  const auto work = [&](std::size_t task) {
    const auto part = pairs.subspan(begin_of(task), begin_of(task + 1) - begin_of(task));
    detail::Prefetcher prefetcher(part, shapes.data(), transforms.data());
    Block worker(shapes, scratch_[task], prefetcher);
    for (std::size_t at = 0; at < part.size();) {
      const auto some = part.subspan(at, std::min(block, part.size() - at));
      at += some.size();
      prefetcher.prefetch_until(at);
      if (prefetcher.highest() >= shapes.size()) {
        known = false;
        return;
      }
      const std::size_t end = begin_of(task) + counts_[task];
      counts_[task] += worker.collide_all(some, contacts_.data() + end, touching_.data() + end);
    }
  };
  if (tasks == 1) {
    work(0);
  } else {
    runner_->run(tasks, TaskRef(work));
  }
  if (!known) {
    const auto stranger = std::find_if(pairs.begin(), pairs.end(),
                                       [&](Pair pair) { return std::max(pair.a, pair.b) >= shapes.size(); });
    return Error{ErrorCode::invalid_argument, "find_contacts: a pair names shape " +
                                                  std::to_string(std::max(stranger->a, stranger->b)) +
                                                  ", but there are " + std::to_string(shapes.size())};
  }
  count_ = counts_[0];
  for (std::size_t task = 1; task < tasks; ++task) {
    const auto compact = [&](auto* found) {
      std::copy_n(found + begin_of(task), counts_[task], found + count_);
    };
    compact(contacts_.data());
    compact(touching_.data());
    count_ += counts_[task];
  }
  return std::span<const Contact>(contacts_.data(), count_);
}

std::size_t NarrowPhase::bytes() const {
  std::size_t bytes = detail::bytes_of(contacts_, touching_, counts_, scratch_);
  for (const std::vector<Contact>& scratch : scratch_) {
    bytes += detail::bytes_of(scratch);
  }
  return bytes;
}

}  // namespace broadside::inline v0_2
