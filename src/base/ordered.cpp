#include "base/ordered.hpp"

#include <algorithm>

#include "base/by_key.hpp"

namespace broadside::inline v0_2::detail {

void sort(std::vector<Ordered>& list) {
  std::sort(list.begin(), list.end(), by_key(&Ordered::key));
}

}  // namespace broadside::inline v0_2::detail
