#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Boxes with ids from a file.
struct BoxList {
  /// A point that is subtracted from all coordinates of a file, in double, before they become floats.
  struct Origin {
    double x = 0.0;
    double y = 0.0;

    friend constexpr bool operator==(const Origin& a, const Origin& b) = default;
  };

  std::vector<std::uint64_t> ids;  ///< [n] unique
  std::vector<Aabb> boxes;         ///< [n]
};

/// Reads boxes as CSV in pieces.
///
/// A line `id,min_x,min_y,max_x,max_y` for each box. A first line may name the columns: they may then have
/// any order, other columns are ignored, and without a column `id` the ids are 0, 1, 2 and so on. Values are
/// separated by commas, semicolons or tabs, whichever of these separate at least four values in the first
/// line, and may be in double quotes. Ids are whole numbers in any order. Blank lines are skipped; lines may
/// end in CR LF.
/// @par Errors
/// `parse`, with the line and the expected text; a box that is not finite or is inverted is refused with its
/// line, too. So is a box (`invalid_argument`) whose sides would move by more than 1/256 of the longer one
/// because its numbers become floats, such as a house in the coordinates of a country; numbers that were
/// written as the shortest text of a float are always accepted.
/// @par Complexity
/// O(bytes), plus O(n log n) if the ids do not ascend.
class BoxListReader {
 public:
  /// @param name name of the text in error messages, such as its path
  explicit BoxListReader(std::string name, BoxList::Origin origin = {})
      : name_(std::move(name)), origin_(origin) {}

  /// Parses the next piece of the text; a piece may end anywhere.
  [[nodiscard]] Result<void> feed(std::string_view piece);

  /// Ends the text and returns the boxes.
  [[nodiscard]] Result<BoxList> finish();

 private:
  [[nodiscard]] Result<void> parse_line(std::string_view line);
  [[nodiscard]] Result<bool> read_header(std::string_view line);
  [[nodiscard]] Error at_line(std::uint64_t line, const std::string& what,
                              ErrorCode code = ErrorCode::parse) const;
  [[nodiscard]] Result<void> check_unique() const;

  std::string name_;
  BoxList::Origin origin_;
  std::string rest_;  ///< the beginning of a line that continues in the next piece
  std::uint64_t line_ = 0;
  char separator_ = ',';
  /// For each column of the text, which of the values above it has, or 5 if it is ignored; empty before the
  /// first line.
  std::vector<std::uint8_t> columns_;
  bool has_header_ = false;
  bool has_ids_ = true;
  BoxList list_;
  std::vector<std::uint32_t> lines_;  ///< [n] line number of each box
};

/// Reads boxes from a complete text. @param name name of the text in error messages
[[nodiscard]] Result<BoxList> parse_box_list(std::string_view text, const std::string& name,
                                             BoxList::Origin origin = {});

/// Reads a file of boxes; "-" is the standard input.
[[nodiscard]] Result<BoxList> read_box_list(const std::string& path, BoxList::Origin origin = {});

/// Returns the header line, with its line end.
[[nodiscard]] std::string_view box_list_header();

/// Appends one line, with the fewest digits that read back as the same floats.
void append_box(std::string& text, std::uint64_t id, const Aabb& box);

}  // namespace broadside::inline v0_2
