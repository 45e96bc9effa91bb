#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/manifold.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

/// Two shapes that touch, and where.
struct Contact {
  Pair pair;
  Manifold manifold;  ///< normal from pair.a to pair.b
};

/// Finds which of many pairs of boxes really touch: the stage after the broad phase.
///
/// The answers are those of `collide`, bit for bit. Pairs of one kind (circle and circle, box and box, ...)
/// are taken together, so that which kinds there are is not asked once for each pair.
///
///     const auto contacts = narrow_phase.find_contacts(broad_phase.find_pairs(), shapes,
///     transforms).value();
class NarrowPhase {
 public:
  /// Finds the contacts among pairs [n] of shapes and transforms [m], which pairs name by their place.
  ///
  /// @return the contacts, in the order of their pairs; valid until the next call
  /// Errors: `invalid_argument` where shapes and transforms are not as many, or a pair names none of them.
  /// Complexity: O(n); allocates only where there are more pairs than ever before.
  [[nodiscard]] Result<std::span<const Contact>> find_contacts(std::span<const Pair> pairs,
                                                               std::span<const Shape> shapes,
                                                               std::span<const Transform> transforms);

  /// Returns the pairs of the contacts found last, in their order; valid until the next call. Who wants no
  /// more reads less memory.
  [[nodiscard]] std::span<const Pair> touching() const { return {touching_.data(), count_}; }

  /// Lets threads take part; the contacts and their order do not depend on it. `runner` must outlive its use;
  /// null for the caller's thread alone.
  ///
  /// @par Errors
  /// `invalid_argument` where `runner->threads()` is 0; it is asked here and not again.
  Result<void> use_threads(TaskRunner* runner);

  /// Returns the bytes held for contacts.
  [[nodiscard]] std::size_t bytes() const {
    return contacts_.capacity() * sizeof(Contact) + touching_.capacity() * sizeof(Pair);
  }

 private:
  TaskRunner* runner_ = nullptr;
  std::size_t threads_ = 1;
  std::vector<Contact> contacts_;            ///< as many as there were pairs at most
  std::vector<Pair> touching_;               ///< likewise
  std::size_t count_ = 0;                    ///< of those in use
  std::vector<std::size_t> counts_;          ///< [tasks]
  std::vector<std::vector<Contact>> rooms_;  ///< [tasks] scratch
};

}  // namespace broadside
