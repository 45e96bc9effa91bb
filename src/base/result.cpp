#include "broadside/base/result.hpp"

namespace broadside {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::none:
      return "none";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::not_finite:
      return "not_finite";
    case ErrorCode::inverted_box:
      return "inverted_box";
    case ErrorCode::stale_id:
      return "stale_id";
    case ErrorCode::too_many_pairs:
      return "too_many_pairs";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::io:
      return "io";
    case ErrorCode::parse:
      return "parse";
  }
  return "unknown";
}

}  // namespace broadside
