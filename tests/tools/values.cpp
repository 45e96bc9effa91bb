// Values for tools.gdb, which looks at them in `stop`.

#include <array>

#include "broadside/base/body_id.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/broad_phase/find_pairs.hpp"

namespace {

using namespace broadside;

[[gnu::noinline]] void stop(const void* /*value*/) {
  asm volatile("");
}

}  // namespace

int main() {
  const Vec2 vector{1, 2.5F};
  const Aabb box{{0, 1}, {2, 3}};
  const Pair pair{1, 2};
  const BodyId body{3, 1, 1};
  const BodyId no_body;
  const Error error{ErrorCode::parse, "byte 3"};
  const Result<int> value(3);
  const Result<int> no_value(Error{ErrorCode::not_finite, "a is NaN"});
  const Result<void> done;
  const Result<void> failed(error);
  const Polygon polygon = Polygon::hull(std::array<Vec2, 3>{{{0, 0}, {1, 0}, {0, 1}}}, 0.5F).value();
  const Shape shape = polygon;
  const void* const all[] = {&vector, &box,      &pair, &body,   &no_body, &error,
                             &value,  &no_value, &done, &failed, &polygon, &shape};
  stop(all);
  return 0;
}
