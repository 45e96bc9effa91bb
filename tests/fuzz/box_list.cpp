#include <cstdint>
#include <cstdlib>

#include "broadside/base/validate.hpp"
#include "broadside/scene/box_list.hpp"

// Any text gives valid boxes or an error, and the same result if the text is read in two pieces.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto whole = broadside::parse_box_list(text, "fuzz");
  broadside::BoxListReader reader("fuzz");
  const std::size_t cut = size > 0 ? data[0] % size : 0;
  auto fed = reader.feed(text.substr(0, cut));
  if (fed.has_value()) {
    fed = reader.feed(text.substr(cut));
  }
  const bool in_pieces = fed.has_value() && reader.finish().has_value();
  if (in_pieces != whole.has_value()) {
    std::abort();
  }
  if (whole.has_value() &&
      (!broadside::validate(whole->boxes).has_value() || whole->ids.size() != whole->boxes.size())) {
    std::abort();
  }
  return 0;
}
