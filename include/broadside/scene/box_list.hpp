#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// Boxes with the names that their file gives them.
struct BoxList {
  std::vector<std::uint64_t> ids;  ///< [n] each once
  std::vector<Aabb> boxes;         ///< [n]
};

/// Reads boxes as CSV, piece by piece: `id,min_x,min_y,max_x,max_y`, a line a box, the header optional.
///
/// Ids are whole numbers, in any order. Blank lines are passed over; lines may end in CR LF.
/// Errors: `parse`, naming the line and what would be right; a NaN, infinite or inverted box likewise.
/// Complexity: O(bytes), plus O(n log n) where ids do not ascend.
class BoxListReader {
 public:
  /// @param name what the text is called in messages, such as its path
  explicit BoxListReader(std::string name) : name_(std::move(name)) {}

  /// Takes the next piece of the text; a piece may end anywhere.
  [[nodiscard]] Result<void> feed(std::string_view piece);

  /// Ends the text and hands out the boxes.
  [[nodiscard]] Result<BoxList> finish();

 private:
  [[nodiscard]] Result<void> take_line(std::string_view line);
  [[nodiscard]] Error at_line(std::uint64_t line, const std::string& what,
                              ErrorCode code = ErrorCode::parse) const;
  [[nodiscard]] Result<void> check_unique() const;

  std::string name_;
  std::string rest_;  ///< the begin of a line whose end is in a later piece
  std::uint64_t line_ = 0;
  BoxList list_;
  std::vector<std::uint32_t> lines_;  ///< [n] where each box was read
};

/// Reads boxes from text that is all there. @param name what the text is called in messages
[[nodiscard]] Result<BoxList> parse_box_list(std::string_view text, const std::string& name);

/// Reads a file of boxes; "-" is the standard input.
[[nodiscard]] Result<BoxList> read_box_list(const std::string& path);

/// Returns the header line, with its line end.
[[nodiscard]] std::string_view box_list_header();

/// Appends one line, in the shortest digits that read back as the same floats.
void append_box(std::string& text, std::uint64_t id, const Aabb& box);

}  // namespace broadside
