#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "broadside/contact/narrow_phase.hpp"

namespace broadside::inline v0_2 {

/// Finds the contacts of shapes in a step, in order of their pairs. The contacts of the last step stay valid
/// until `commit`, so that a step may fail before it.
///
///     pairs of boxes -> narrow phase -> sweeps of fast bodies -> contacts without touch -> found()
class ContactFinder {
 public:
  /// Sets the runner of parallel tasks. @pre it was checked
  void use_threads(TaskRunner* runner);

  /// Finds the contacts of shapes whose boxes touch.
  void find(std::span<Pair> pairs, std::span<const Shape> shapes, std::span<const Transform> transforms);
  /// Replaces the contacts found so far by those that `join(found, joined)` puts into `joined`, if it returns
  /// true.
  template <typename Join>
  void replace_if(Join join) {
    if (join(found_, joined_)) {
      found_ = joined_;
      is_as_found_ = false;
    }
  }
  /// Adds contacts, which are sorted by pair, to those found so far.
  void add(std::span<const Contact> contacts);

  /// Returns the contacts found since the last `find`, sorted by pair; valid until the next `find`.
  [[nodiscard]] std::span<const Contact> found() const { return found_; }
  /// Returns the pairs of these contacts.
  [[nodiscard]] std::span<const Pair> pairs_found();
  /// Returns the pairs of contacts; valid until the next call of this function or of `pairs_found`.
  [[nodiscard]] std::span<const Pair> pairs_of(std::span<const Contact> contacts);

  /// Makes the contacts found those of the last step. Cannot fail.
  void commit_all();
  /// Does the same if only some pairs were searched: the contacts of the last step stay valid as well.
  void commit_some() { kept_.swap(joined_); }

  /// Returns the contacts of a snapshot, or joined contacts, of the last step.
  [[nodiscard]] std::span<const Contact> kept() const { return kept_; }
  /// Replaces the contacts of the last step by those of a snapshot.
  void restore(std::vector<Contact> contacts) { kept_ = std::move(contacts); }

  [[nodiscard]] std::size_t bytes() const;

 private:
  std::array<NarrowPhase, 2> narrow_phases_;  ///< one holds the contacts of the last step
  std::size_t next_ = 0;                      ///< index of the other
  bool is_as_found_ = true;                   ///< `found_` is what the narrow phase found
  std::span<const Contact> found_;            ///< in a narrow phase or in `joined_`
  std::vector<Contact> joined_;
  std::vector<Contact> kept_;         ///< `joined_` of the last step
  std::vector<Contact> with_others_;  ///< scratch
  std::vector<Pair> pairs_;           ///< scratch
};

}  // namespace broadside::inline v0_2
