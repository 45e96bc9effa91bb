#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/manifold.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// A pair of shapes that touch, and its contact manifold.
struct Contact {
  Pair pair;
  Manifold manifold;  ///< normal from pair.a to pair.b
};

/// The narrow phase: finds which pairs of the broad phase really touch.
///
/// The contacts are those of `collide`, bit for bit. Pairs of one kind (circle and circle, box and box, ...)
/// are processed together, so that the kind is not looked up once per pair.
///
///     const auto pairs = broad_phase.find_pairs();
///     const auto contacts = narrow_phase.find_contacts(pairs, shapes, transforms).value();
class BROADSIDE_API NarrowPhase {
 public:
  /// Finds the contacts among pairs [n], which refer to shapes and transforms [m] by index.
  ///
  /// @return the contacts, in the order of their pairs; valid until the next call
  /// @par Errors
  /// `invalid_argument` if the numbers of shapes and transforms differ, or an index of a pair is out of
  /// range.
  /// @par Complexity
  /// O(n); allocates only if there are more pairs than in any call before.
  [[nodiscard]] Result<std::span<const Contact>> find_contacts(std::span<const Pair> pairs,
                                                               std::span<const Shape> shapes,
                                                               std::span<const Transform> transforms);

  /// Returns the pairs of the contacts found last, in their order; valid until the next call. None after an
  /// error.
  ///
  /// Callers that need only the pairs read less memory than with the contacts.
  [[nodiscard]] std::span<const Pair> touching() const { return {touching_.data(), count_}; }

  /// Sets the threads to use; null for the caller's thread alone.
  ///
  /// The contacts and their order do not depend on it. `runner` must outlive its use.
  ///
  /// @par Errors
  /// `invalid_argument` if `runner->threads()` is 0; it is read here and never again.
  Result<void> use_threads(TaskRunner* runner);

  /// Returns the bytes held: for contacts, and the scratch memory of the tasks.
  [[nodiscard]] std::size_t bytes() const;

 private:
  TaskRunner* runner_ = nullptr;
  std::size_t threads_ = 1;
  std::vector<Contact> contacts_;              ///< size: the largest number of pairs so far
  std::vector<Pair> touching_;                 ///< same size as `contacts_`
  std::size_t count_ = 0;                      ///< elements in use of both
  std::vector<std::size_t> counts_;            ///< [tasks]
  std::vector<std::vector<Contact>> scratch_;  ///< [tasks] scratch
};

}  // namespace broadside::inline v0_2
