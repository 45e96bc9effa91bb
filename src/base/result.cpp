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
    case ErrorCode::wrong_world:
      return "wrong_world";
    case ErrorCode::locked:
      return "locked";
    case ErrorCode::too_many_pairs:
      return "too_many_pairs";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::io:
      return "io";
    case ErrorCode::parse:
      return "parse";
    case ErrorCode::version_mismatch:
      return "version_mismatch";
  }
  return "unknown";
}

}  // namespace broadside
