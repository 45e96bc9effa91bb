#include "world/ended_contacts.hpp"

namespace broadside::inline v0_2 {

// Counts the uses of the new ends first, so that a tag in both lists keeps its number.
void EndedContacts::commit() {
  for (const auto& [tag_a, tag_b] : new_tags_) {
    tags_.add_reference(tag_a);
    tags_.add_reference(tag_b);
  }
  clear();
  ends_.swap(new_ends_);
  end_tags_.swap(new_tags_);
}

void EndedContacts::clear() {
  for (const auto& [tag_a, tag_b] : end_tags_) {
    tags_.release_number(tag_a);
    tags_.release_number(tag_b);
  }
  ends_.clear();
  end_tags_.clear();
}

}  // namespace broadside::inline v0_2
