#pragma once

#include <span>
#include <string>
#include <string_view>

namespace broadside::inline v0_2 {

/// Returns a text with escapes such as `\x1b` in place of control characters and of malformed UTF-8.
///
/// A terminal shows the result on one line and obeys nothing in it. All other characters stay, also the
/// backslash, so a second call changes nothing. The messages of this module quote files and paths as they
/// are: pass them through this function before printing them.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns "; did you mean NAME?" with the name that is most similar to a misspelled word, or an empty
/// string.
///
/// A name is similar if the word is its beginning, or differs from it by few insertions, deletions,
/// replacements and swaps of neighboring characters: one, or one for three characters of a longer name.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> names);

}  // namespace broadside::inline v0_2
