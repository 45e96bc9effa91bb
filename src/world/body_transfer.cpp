#include "world/body_transfer.hpp"

#include "world/shape_bytes.hpp"
#include "world/state.hpp"
#include "world/world_bytes.hpp"

namespace broadside::inline v0_2 {

/// Has access to the state of a world.
class BROADSIDE_HIDDEN BodyTransfer {
 public:
  static World::State& state(World& world) { return *world.state_; }
  static const World::State& state(const World& world) { return *world.state_; }
};

namespace detail {

void write_body(ByteWriter& out, const World& world, BodyId body) {
  const auto& state = BodyTransfer::state(world);
  const BodyTable::Slot& slot = state.bodies.slot(body.index);
  const Vec2 position = state.bodies.transform(body.index).position;
  const bool has_path = state.sweeper.keeps_starts() && state.sweeper.start(body.index) != position;
  std::uint32_t flags = 0;
  for (const bool flag : {has_path, slot.sensor, slot.bullet, slot.enabled, slot.has_own_mass}) {
    flags = 2 * flags + (flag ? 1U : 0U);
  }
  out.put(static_cast<std::uint8_t>(flags));
  out.put(static_cast<std::uint8_t>(slot.type));
  const std::vector<Shape> shapes = world.shapes(body).value();
  ShapeWriter shape_out(out);
  out.put_count(shapes.size());
  for (const Shape& shape : shapes) {
    shape_out.put(shape);
  }
  put(out, state.bodies.transform(body.index));
  out.put(state.motions.velocity(body.index));
  out.put(state.motions.acceleration(body.index));
  out.put(state.motions.remainder(body.index));
  if (has_path) {
    out.put(state.sweeper.start(body.index));
  }
  out.put(state.tags[slot.tag]);
  put(out, state.rules.filters()[slot.filter]);
  if (slot.has_own_mass) {
    out.put(state.bodies.mass(body.index));
  }
  out.put(state.bodies.user_data(body.index));
}

void read_body(ByteReader& in, TransferredBodies& bodies) {
  BodyDef& def = bodies.defs.emplace_back();
  const auto flags = in.take_below<std::uint8_t>(32);
  def.sensor = (flags & 8U) != 0;
  def.bullet = (flags & 4U) != 0;
  def.enabled = (flags & 2U) != 0;
  def.type = static_cast<BodyType>(in.take_below<std::uint8_t>(3));
  ShapeReader shapes(in);
  const std::size_t count = in.take_count(1);
  in.fail_if(count == 0);
  for (std::size_t i = 0; i < count && !in.failed(); ++i) {
    if (i == 0) {
      def.shape = shapes.take();
    } else {
      def.more_shapes.push_back(shapes.take());
    }
  }
  const Transform transform = take_transform(in);
  def.position = transform.position;
  def.rotation = transform.rotation;
  def.velocity = in.take_vec2();
  def.acceleration = in.take_vec2();
  bodies.remainders.push_back(in.take_vec2());
  bodies.starts.push_back((flags & 16U) != 0 ? in.take_vec2() : def.position);
  in.fail_if(!is_finite(bodies.remainders.back()) || !is_finite(bodies.starts.back()));
  def.tag = in.take_text();
  def.filter = take_filter(in);
  if ((flags & 1U) != 0) {
    def.mass = in.take_float();
  }
  def.user_data = in.take<std::uint64_t>();
}

Result<std::vector<BodyId>> add_bodies(World& world, const TransferredBodies& bodies) {
  auto added = world.add(bodies.defs);
  auto& state = BodyTransfer::state(world);
  for (std::size_t i = 0; added.has_value() && i < added->size(); ++i) {
    const BodyTable::Place body = (*added)[i].index;
    state.motions.set_remainder(body, bodies.remainders[i]);
    if (state.sweeper.keeps_starts() && bodies.starts[i] != bodies.defs[i].position) {
      state.sweeper.restore_start(body, bodies.starts[i]);
      state.mark_body(body, ChangeList::box_outdated);
    }
  }
  return added;
}

void keep_starts(World& world, bool keep) {
  BodyTransfer::state(world).sweeper.keep_starts(keep);
}

std::vector<BodyId> bullets(const World& world) {
  const auto& state = BodyTransfer::state(world);
  std::vector<BodyId> ids;
  for (const BodyTable::Place body : state.sweeper.bullets()) {
    ids.push_back(state.bodies.id(body));
  }
  return ids;
}

Aabb path_bounds(const World& world, BodyId body) {
  const auto& state = BodyTransfer::state(world);
  if (!state.sweeper.keeps_starts() || !state.sweeper.is_swept(body.index)) {
    return state.bodies.bounds(body.index);
  }
  Aabb all = state.sweeper.swept_bounds(
      body.index, bounds(state.bodies.shape(body.index), state.bodies.transform(body.index)));
  state.bodies.for_each_part(body.index, [&](BodyTable::Place part) {
    const Aabb at_end = bounds(state.bodies.shape(part), state.bodies.transform(part));
    all = merge(all, state.sweeper.swept_bounds(part, at_end));
  });
  return all;
}

namespace {

/// Returns the number of a shape among those of its body.
std::uint32_t shape_number(const BodyTable& bodies, BodyTable::Place shape) {
  std::uint32_t number = 0;
  std::uint32_t found = 0;
  bodies.for_each_part(bodies.owner(shape), [&](BodyTable::Place part) {
    found = part == shape ? number : found;
    ++number;
  });
  return found;
}

/// Returns a shape of a body by its number, the first one if there are fewer.
BodyTable::Place shape_at(const BodyTable& bodies, BodyTable::Place body, std::uint32_t number) {
  BodyTable::Place found = body;
  bodies.for_each_part(body, [&](BodyTable::Place part) { found = number-- == 0 ? part : found; });
  return found;
}

}  // namespace

void append_touches(const World& world, BodyId body, std::vector<BulletTouch>& touches) {
  const auto& state = BodyTransfer::state(world);
  state.bodies.for_each_part(body.index, [&](BodyTable::Place part) {
    for (const ContactLog::At at : state.shape_contacts.of(part)) {
      const auto& [pair, manifold] = state.shape_contacts[at];
      if (state.changes.has(pair, ChangeList::reassigned)) {
        continue;
      }
      const bool is_a = pair.a == part;
      const BodyTable::Place other = is_a ? pair.b : pair.a;
      // -0 becomes 0: the bytes of a snapshot do not depend on the order of the pair.
      const Vec2 normal = is_a ? Vec2{} + manifold.normal : -manifold.normal;
      touches.push_back({body, shape_number(state.bodies, part), state.bodies.id(state.bodies.owner(other)),
                         shape_number(state.bodies, other), normal});
    }
  });
}

void set_touches(World& world, std::span<const BulletTouch> touches) {
  auto& state = BodyTransfer::state(world);
  std::vector<Sweeper::EarlierNormal> normals;
  for (const BulletTouch& touch : touches) {
    const BodyTable::Place shape = shape_at(state.bodies, touch.bullet.index, touch.shape);
    const BodyTable::Place other = shape_at(state.bodies, touch.other.index, touch.other_shape);
    normals.emplace_back(ordered_pair(shape, other), shape < other ? touch.normal : -touch.normal);
  }
  state.sweeper.set_earlier_normals(std::move(normals));
}

float last_seconds(const World& world) {
  return BodyTransfer::state(world).motions.seconds();
}

void set_last_seconds(World& world, float seconds) {
  BodyTransfer::state(world).motions.set_seconds(seconds);
}

Error check_step(World& world, float seconds) {
  return BodyTransfer::state(world).check_step(seconds);
}

}  // namespace detail

}  // namespace broadside::inline v0_2
