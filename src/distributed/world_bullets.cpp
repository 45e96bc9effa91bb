#include <algorithm>

#include "base/by_key.hpp"
#include "distributed/world_state.hpp"

// Bullets: which parts hold them and the bodies on their paths, and what they touched in the last step.

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;

/// Agrees with the other parts, also on whether there are bullets. If there are, each part keeps the starts
/// of paths, as `World` does from its first bullet on.
Result<detail::Agreement> DistributedWorld::State::agree() {
  std::size_t own_bullets = 0;
  for (const BodyId bullet : detail::bullets(local)) {
    own_bullets += held.is_owned(bullet.index) ? 1 : 0;
  }
  auto agreement = balance.agree(held.owned_count(), own_bullets);
  if (agreement.has_value()) {
    set_has_bullets(agreement->bullets > 0);
  }
  return agreement;
}

void DistributedWorld::State::set_has_bullets(bool has) {
  has_bullets = has;
  detail::keep_starts(local, has);
}

/// Finds which parts hold the owned bodies because of bullets.
Result<DistributedWorld::State::BulletRoutes> DistributedWorld::State::find_routes() {
  BulletRoutes routes;
  if (!has_bullets) {
    return routes;
  }
  std::vector<Aabb> paths;
  std::vector<detail::BulletGroups::Bullet> own;
  held.for_each_owned([&](Place place) {
    paths.push_back(detail::path_bounds(local, bodies[place]));
    if (is_bullet(place)) {
      own.push_back({held.ids()[place], paths.back()});
    }
  });
  auto groups = detail::BulletGroups::gather(others, own, halo.partition());
  if (!groups.has_value()) {
    return groups.error();
  }
  routes.holders = groups->find_owners(paths);
  routes.groups = std::move(*groups);
  return routes;
}

// What bullets touched.

/// Keeps the contacts of the owned bullets, which they take along to another part.
void DistributedWorld::State::keep_touches() {
  touches.clear();
  for (const BodyId bullet : detail::bullets(local)) {
    if (held.is_owned(bullet.index)) {
      append_touches(bullet);
    }
  }
  sort_touches();
}

void DistributedWorld::State::append_touches(BodyId bullet) {
  std::vector<detail::BulletTouch> found;
  detail::append_touches(local, bullet, found);
  for (const detail::BulletTouch& one : found) {
    touches.push_back(
        {held.ids()[bullet.index], held.ids()[one.other.index], one.shape, one.other_shape, one.normal});
  }
}

void DistributedWorld::State::sort_touches() {
  std::sort(touches.begin(), touches.end(), detail::by_key(&Touch::key));
  touches.erase(std::unique(touches.begin(), touches.end(),
                            [](const Touch& one, const Touch& other) { return one.key() == other.key(); }),
                touches.end());
}

/// Gives the kept contacts to the next `detect`: the local world has not seen those of bodies that it got
/// since.
void DistributedWorld::State::give_touches() {
  std::vector<detail::BulletTouch> given;
  for (const Touch& one : touches) {
    const auto bullet = held.find_owned(one.bullet);
    const auto other = held.find(one.other);
    if (bullet && other) {
      given.push_back({bodies[*bullet], one.shape, bodies[*other], one.other_shape, one.normal});
    }
  }
  detail::set_touches(local, given);
}

void DistributedWorld::State::write(ByteWriter& out, Place place) const {
  detail::write_body(out, local, bodies[place]);
  if (!is_bullet(place)) {
    return;
  }
  const GlobalId id = held.ids()[place];
  const auto begin = std::lower_bound(touches.begin(), touches.end(), id,
                                      [](const Touch& one, GlobalId bullet) { return one.bullet < bullet; });
  const auto end = std::find_if(begin, touches.end(), [id](const Touch& one) { return one.bullet != id; });
  out.put_count(static_cast<std::size_t>(end - begin));
  for (const Touch& one : std::span(begin, end)) {
    out.put(one.other.value);
    out.put(one.shape);
    out.put(one.other_shape);
    out.put(one.normal);
  }
}

void DistributedWorld::State::read_body(ByteReader& in, GlobalId id, detail::TransferredBodies& read,
                                        std::vector<Touch>& read_touches) {
  detail::read_body(in, read);
  if (!read.defs.back().bullet) {
    return;
  }
  constexpr std::size_t bytes_of_touch = 24;
  for (std::size_t left = in.take_count(bytes_of_touch); left > 0 && !in.failed(); --left) {
    Touch one{id, {in.take<std::uint64_t>()}};
    one.shape = in.take<std::uint32_t>();
    one.other_shape = in.take<std::uint32_t>();
    one.normal = in.take_vec2();
    in.fail_if(!is_finite(one.normal));
    read_touches.push_back(one);
  }
}

}  // namespace broadside::inline v0_2
