#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/frames.hpp"

namespace broadside::app {

/// Writes contacts as CSV, one line per point, with the names that the input gives its boxes: a < b, sorted
/// by (step, a, b). The normal points from a to b.
class ContactLines {
 public:
  /// Writes the header.
  explicit ContactLines(OutputFile& file);

  void write(std::size_t step, std::span<const Contact> contacts, const Frames& frames);

 private:
  struct Named {
    std::uint64_t a;
    std::uint64_t b;
    Manifold manifold;
  };

  OutputFile& file_;
  std::vector<Named> named_;
  std::string text_;
};

}  // namespace broadside::app
