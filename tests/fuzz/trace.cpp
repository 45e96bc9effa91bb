#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "broadside/base/validate.hpp"
#include "broadside/scene/trace.hpp"
#include "damages.hpp"

namespace {

std::string as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void try_trace(const std::string& bytes) {
  const auto trace = broadside::parse_trace(bytes, "fuzz");
  if (!trace.has_value()) {
    return;
  }
  const auto again = broadside::parse_trace(broadside::format_trace(*trace, false).value(), "again");
  if (!again.has_value() || again->moving_boxes != trace->moving_boxes ||
      !broadside::validate(trace->moving_boxes).has_value()) {
    std::abort();
  }
}

}  // namespace

// Any bytes, unchanged (a packed trace or version 1) and with a valid checksum, give an error, or a trace
// that survives writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = std::as_bytes(std::span(data, size));
  try_trace(as_text(given));
  constexpr std::size_t least = 16;
  if (size >= least) {
    broadside::test::Bytes bytes(given.begin(), given.end());
    broadside::test::renew_checksums(bytes, broadside::detail::checksum);
    try_trace(as_text(bytes));
  }
  return 0;
}
