// Where exactly do two shapes touch, and how deep? A box that leans on a rounded triangle, and a ray that
// meets it.

#include <broadside/broadside.hpp>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<broadside::Vec2> corners = {{0, 0}, {4, 0}, {2, 3}};
  const broadside::Shape hill = broadside::Polygon::hull(corners, 0.25F).value();
  const broadside::Shape crate = broadside::Box::of_size({2, 2});
  const broadside::Transform on_the_ground;
  const broadside::Transform leaning{{4, 2}, broadside::Rotation::by(0.588F)};

  const broadside::Manifold manifold = broadside::collide(hill, on_the_ground, crate, leaning);
  std::printf("%zu points, normal (%.3f, %.3f)\n", manifold.in_use().size(), manifold.normal.x,
              manifold.normal.y);
  for (const auto& point : manifold.in_use()) {
    std::printf("at (%.3f, %.3f), separation %.3f\n", point.position.x, point.position.y, point.separation);
  }
  if (const auto hit = broadside::cast_ray({-5, 1}, {10, 0}, hill, on_the_ground)) {
    std::printf("a ray meets the hill at (%.3f, %.3f)\n", hit->point.x, hit->point.y);
  }
}
