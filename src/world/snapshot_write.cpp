#include <algorithm>

#include "world/shape_bytes.hpp"
#include "world/state.hpp"
#include "world/world_bytes.hpp"

namespace broadside::inline v0_2 {

using detail::ByteWriter;

namespace {

void put_contacts(ByteWriter& out, const ContactLog& contacts) {
  out.put_count(contacts.size());
  contacts.for_each([&](const Contact& contact) {
    put(out, contact.pair);
    put(out, contact.manifold);
  });
}

}  // namespace

/// Numbers tags and filters in the order in which they are first written: states that differ only in unused
/// tags and filters have equal bytes.
class World::State::Renumbering {
 public:
  explicit Renumbering(const State& state)
      : tags_(state.tags.end(), unknown), filters_(state.rules.filters().end(), unknown) {
    static_cast<void>(tag(0));  // number 0 always exists, and stays 0
    static_cast<void>(filter(0));
    for (Place place = 0; place < state.bodies.places(); ++place) {
      static_cast<void>(tag(state.bodies.slot(place).tag));
      static_cast<void>(filter(state.bodies.slot(place).filter));
    }
    for (const Replaced& one : state.changes.replaced_in_order()) {
      static_cast<void>(tag(one.tag));
    }
    for (const auto& [tag_a, tag_b] : state.ended.tags()) {
      static_cast<void>(tag(tag_a));
      static_cast<void>(tag(tag_b));
    }
  }

  /// Returns the new number of a tag.
  std::uint32_t tag(std::uint32_t old) { return renumbered(old, tags_, old_tags); }
  /// Returns the new number of a filter.
  std::uint32_t filter(std::uint32_t old) { return renumbered(old, filters_, old_filters); }

  std::vector<std::uint32_t> old_tags;     ///< by new number
  std::vector<std::uint32_t> old_filters;  ///< by new number

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  static std::uint32_t renumbered(std::uint32_t old, std::vector<std::uint32_t>& new_by_old,
                                  std::vector<std::uint32_t>& old_by_new) {
    if (new_by_old[old] == unknown) {
      new_by_old[old] = static_cast<std::uint32_t>(old_by_new.size());
      old_by_new.push_back(old);
    }
    return new_by_old[old];
  }

  std::vector<std::uint32_t> tags_;     ///< new number by old
  std::vector<std::uint32_t> filters_;  ///< new number by old
};

// Each function writes in the order in which its counterpart in snapshot_read.cpp reads. Data that can be
// computed again is left out: boxes, the list of moving bodies.

void World::State::write(ByteWriter& out) const {
  out.put(detail::snapshot_magic);
  out.put(detail::snapshot_version);
  out.put(bodies.world());
  out.put(static_cast<std::uint8_t>(options.interest));
  out.put(static_cast<std::uint8_t>(options.response));
  out.put(static_cast<std::uint8_t>(order()));
  out.put(options.restitution);
  out.put(motions.gravity());
  out.put(options.end_margin);
  out.put(motions.seconds());
  out.put(static_cast<std::uint8_t>(needs_full_search));
  Renumbering numbering(*this);
  out.put_count(numbering.old_tags.size());
  for (const std::uint32_t tag : numbering.old_tags) {
    out.put(tags[tag]);
  }
  out.put_count(numbering.old_filters.size());
  for (const std::uint32_t filter : numbering.old_filters) {
    put(out, rules.filters()[filter]);
  }
  write_places(out, numbering);
  put(out, bodies.free_places());
  put(out, rules.ignored());
  put(out, std::span(skipped));
  const std::vector<Replaced> replaced = changes.replaced_in_order();
  out.put_count(replaced.size());
  for (const Replaced& one : replaced) {
    out.put(one.place);
    out.put(one.generation);
    out.put(numbering.tag(one.tag));
  }
  write_contacts(out, numbering);
  slide_memory.write(out);
}

std::vector<std::byte> World::State::snapshot() const {
  ByteWriter out;
  write(out);
  out.put_checksum(detail::wide_checksum);
  return out.take();
}

void World::State::write_places(ByteWriter& out, Renumbering& numbering) const {
  detail::ShapeWriter shape_out(out);
  out.put_count(bodies.places());
  for (Place place = 0; place < bodies.places(); ++place) {
    const Slot& slot = bodies.slot(place);
    std::uint32_t flags = 0;
    for (const bool flag : {slot.used, slot.retired, slot.is_part, slot.has_own_mass, slot.enabled,
                            slot.sensor, slot.bullet, bodies.next_part(place) != none}) {
      flags = 2 * flags + (flag ? 1U : 0U);
    }
    out.put(static_cast<std::uint8_t>(flags));
    out.put(static_cast<std::uint8_t>(slot.type));
    // The velocity of a body that was removed since the last step: its contacts still report it.
    const bool is_body = slot.used && !slot.is_part;
    const Vec2 removed_velocity = is_body ? Vec2{} : motions.velocity_at_contact(place);
    out.put(static_cast<std::uint8_t>(
        (changes.bits(place) & (reassigned | moved | filter_changed | sensor_changed)) |
        (removed_velocity != Vec2{} ? detail::has_removed_velocity : 0) |
        (sweeper.is_fast_listed(place) ? detail::is_fast_body : 0)));
    out.put(bodies.generation(place));
    if (removed_velocity != Vec2{}) {
      out.put(removed_velocity);
    }
    if (!slot.used) {
      continue;
    }
    shape_out.put(bodies.shape(place));
    if (bodies.next_part(place) != none) {
      out.put(bodies.next_part(place));
    }
    if (!slot.is_part) {
      out.put(numbering.tag(slot.tag));
      out.put(numbering.filter(slot.filter));
      put(out, bodies.transform(place));
      motions.write(out, place);
      out.put(bodies.mass(place));
      out.put(bodies.user_data(place));
    }
  }
  sweeper.write_starts(out);
}

void World::State::write_contacts(ByteWriter& out, Renumbering& numbering) const {
  const std::size_t begin = out.size();
  put_contacts(out, shape_contacts);
  // The contacts of bodies cannot be computed from those of shapes: if a shape was removed since the step,
  // its body is unknown. An empty list means that both are the same.
  const std::size_t end = out.size();
  if (bodies.has_parts()) {
    put_contacts(out, compound.log());
  }
  const auto of_shapes = out.bytes().subspan(begin, end - begin);
  const auto of_bodies = out.bytes().subspan(end);
  if (!bodies.has_parts() ||
      std::equal(of_shapes.begin(), of_shapes.end(), of_bodies.begin(), of_bodies.end())) {
    out.shrink(end);
    out.put_count(0);
  }
  // Contacts that began, by their number in the order of pairs.
  out.put_count(contacts().begun().size());
  for (std::size_t n = 0; n < contacts().size(); ++n) {
    if (contacts().has_begun(contacts().nth(n))) {
      out.put(static_cast<std::uint32_t>(n));
    }
  }
  const std::span<const ContactEnd> ends = ended.ends();
  out.put_count(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    put(out, ends[i].a);
    put(out, ends[i].b);
    out.put(static_cast<std::uint8_t>(ends[i].cause));
    out.put(numbering.tag(ended.tags()[i].first));
    out.put(numbering.tag(ended.tags()[i].second));
  }
  sweeper.write_hits(out);
}

}  // namespace broadside::inline v0_2
