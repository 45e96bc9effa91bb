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
  std::uint32_t flags = 0;
  for (const bool flag : {slot.sensor, slot.bullet, slot.enabled, slot.has_own_mass}) {
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
  out.put(state.tags[slot.tag]);
  put(out, state.rules.filters()[slot.filter]);
  if (slot.has_own_mass) {
    out.put(state.bodies.mass(body.index));
  }
  out.put(state.bodies.user_data(body.index));
}

void read_body(ByteReader& in, TransferredBodies& bodies) {
  BodyDef& def = bodies.defs.emplace_back();
  const auto flags = in.take_below<std::uint8_t>(16);
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
  in.fail_if(!is_finite(bodies.remainders.back()));
  def.tag = in.take_text();
  def.filter = take_filter(in);
  if ((flags & 1U) != 0) {
    def.mass = in.take_float();
  }
  def.user_data = in.take<std::uint64_t>();
}

Result<std::vector<BodyId>> add_bodies(World& world, const TransferredBodies& bodies) {
  auto added = world.add(bodies.defs);
  for (std::size_t i = 0; added.has_value() && i < added->size(); ++i) {
    BodyTransfer::state(world).motions.set_remainder((*added)[i].index, bodies.remainders[i]);
  }
  return added;
}

Error check_step(World& world, float seconds) {
  return BodyTransfer::state(world).check_step(seconds);
}

}  // namespace detail

}  // namespace broadside::inline v0_2
