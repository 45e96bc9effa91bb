#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"

namespace broadside::test {

/// The ways to take the value of a `Result`.
enum class Way { changeable, constant, temporary };
inline constexpr Way ways[] = {Way::changeable, Way::constant, Way::temporary};

inline const Error some_error{ErrorCode::stale_id, "box 7 was removed"};

/// Takes the value of a result that holds an error. Each translation unit has its own instantiation by the
/// tag, so that the linker can merge only functions that the library defines.
template <typename Tag, typename T>
void take_value(Way way) {
  Result<T> result = some_error;
  switch (way) {
    case Way::changeable:
      (void)result.value();
      break;
    case Way::constant:
      (void)std::as_const(result).value();
      break;
    case Way::temporary:
      (void)std::move(result).value();
      break;
  }
}

template <typename Tag>
constexpr void (*take_value_of[])(Way) = {
    take_value<Tag, void>,        take_value<Tag, bool>,
    take_value<Tag, int>,         take_value<Tag, std::optional<int>>,
    take_value<Tag, std::string>, take_value<Tag, std::vector<Pair>>,
};
constexpr int kinds = 6;

/// Takes the value in the translation unit that was compiled without exceptions.
void take_value_without_exceptions(int kind, Way way);

}  // namespace broadside::test
