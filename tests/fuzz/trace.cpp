#include <cstdint>
#include <cstdlib>

#include "broadside/base/validate.hpp"
#include "broadside/scene/trace.hpp"

// Whatever the bytes: an error, or a trace that writes back to bytes of the same meaning.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto trace = broadside::parse_trace({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!trace.has_value()) {
    return 0;
  }
  const auto again = broadside::parse_trace(broadside::format_trace(*trace, false).value(), "again");
  if (!again.has_value() || again->moving_boxes != trace->moving_boxes ||
      !broadside::validate(trace->moving_boxes).has_value()) {
    std::abort();
  }
  return 0;
}
