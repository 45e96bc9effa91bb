#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/reserve.hpp"
#include "broadside/world/world.hpp"
#include "world/tags.hpp"

namespace broadside::inline v0_2 {

/// The contacts that ended in the last step, each with the tags that its bodies had before it. Counts as a
/// use of these tags.
///
/// A step lists its ends separately (`begin_listing`, `add`), as it may still fail. `commit` then replaces
/// those of the previous step.
class EndedContacts {
 public:
  using TagPair = std::pair<std::uint32_t, std::uint32_t>;

  explicit EndedContacts(Tags& tags) : tags_(tags) {}

  [[nodiscard]] std::span<const ContactEnd> ends() const { return ends_; }
  /// Returns the numbers of the tags of each end's bodies.
  [[nodiscard]] std::span<const TagPair> tags() const { return end_tags_; }

  void begin_listing() {
    new_ends_.clear();
    new_tags_.clear();
  }
  void add(const ContactEnd& end, TagPair tags) {
    new_ends_.push_back(end);
    new_tags_.push_back(tags);
  }
  /// Replaces the ends of the previous step by the listed ones. Cannot fail.
  void commit();
  /// Removes all ends.
  void clear();

  [[nodiscard]] std::size_t bytes() const { return detail::bytes_of(ends_, end_tags_, new_ends_, new_tags_); }

 private:
  Tags& tags_;
  std::vector<ContactEnd> ends_;
  std::vector<TagPair> end_tags_;  ///< [ends]
  std::vector<ContactEnd> new_ends_;
  std::vector<TagPair> new_tags_;  ///< [new ends]
};

}  // namespace broadside::inline v0_2
