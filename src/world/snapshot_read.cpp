#include <algorithm>

#include "world/shape_bytes.hpp"
#include "world/state.hpp"
#include "world/world_bytes.hpp"

namespace broadside::inline v0_2 {

using detail::ByteReader;

namespace {

/// Reads contacts, which must be sorted.
std::vector<Contact> take_contacts(ByteReader& in, std::size_t places) {
  auto contacts = take_all(in, 17, [&] { return Contact{take_pair(in, places), take_manifold(in)}; });
  in.fail_if(!detail::is_ascending(contacts, &Contact::pair));
  return contacts;
}

}  // namespace

// Reading, into a new state: invalid data makes the reader fail.

void World::State::read(ByteReader& in) {
  bodies = BodyTable(in.take<std::uint32_t>());
  options.interest = static_cast<Interest>(in.take_below<std::uint8_t>(2));
  options.response = static_cast<Response>(in.take_below<std::uint8_t>(2));
  options.order = static_cast<StepOrder>(in.take_below<std::uint8_t>(2));
  options.restitution = in.take_float();
  options.gravity = in.take_vec2();
  options.end_margin = in.take_float();
  const float seconds = in.take_float();
  needs_full_search = in.take_below<std::uint8_t>(2) != 0;
  in.fail_if(broadside::check(options) || !is_finite(seconds) || !(seconds > 0.0F));
  motions.set_gravity(options.gravity);
  motions.set_seconds(seconds);
  read_names(in);
  read_places(in);
  const auto free_places = take_all(in, sizeof(Place), [&] { return in.take_below<Place>(bodies.places()); });
  if (in.failed() || !bodies.set_free_places(free_places)) {
    in.fail();
    return;
  }
  const auto take_pairs = [&] {
    return take_all(in, sizeof(Pair), [&] { return take_pair(in, bodies.places()); });
  };
  std::vector<Pair> ignored = take_pairs();
  skipped = take_pairs();
  const std::size_t replaced_count = in.take_count(3 * sizeof(Place));
  changes.reserve_replaced(replaced_count);
  for (std::size_t i = 0; i < replaced_count && !in.failed(); ++i) {
    const Place place = in.take_below<Place>(bodies.places());
    const auto generation = in.take<std::uint32_t>();
    const auto tag = in.take_below<std::uint32_t>(tags.end());
    if (!in.failed()) {
      changes.add_replaced({place, generation, tag});
      tags.add_reference(tag);
    }
  }
  in.fail_if(!detail::is_ascending(ignored) || !detail::is_ascending(skipped) ||
             !detail::is_ascending(changes.replaced(), &Replaced::place));
  rules.restore_ignored(std::move(ignored));
  if (!in.failed()) {
    read_contacts(in);
  }
  slide_memory.read(in, bodies.world(), bodies.places());
  for (const detail::SlideRecord& record : slide_memory.records()) {
    in.fail_if(!bodies.contains(record.body));
  }
  for (std::uint32_t tag = 1; tag < tags.end(); ++tag) {
    tags.release_number(tag);
  }
  for (std::uint32_t filter = 1; filter < rules.filters().end(); ++filter) {
    rules.filters().release_number(filter);
  }
}

// Holds one use of each tag and filter until all other uses are counted.
void World::State::read_names(ByteReader& in) {
  const auto read_all = [&in](auto& numbering, std::size_t min_size, auto take) {
    const std::size_t count = in.take_count(min_size);
    for (std::size_t i = 0; i < count && !in.failed(); ++i) {
      const auto value = take();
      in.fail_if(numbering.find(value).has_value() != (i == 0));  // number 0 always exists
      if (i > 0) {
        numbering.use(value);
      }
    }
    in.fail_if(count == 0);
  };
  read_all(tags, sizeof(std::uint64_t), [&in] { return in.take_text(); });
  read_all(rules.filters(), 28, [&in] { return take_filter(in); });
}

void World::State::read_places(ByteReader& in) {
  detail::ShapeReader shape_in(in);
  const std::size_t count = in.take_count(7);
  std::vector<Place> nexts(count, none);
  std::vector<Place> fast;
  for (Place place = 0; place < count && !in.failed(); ++place) {
    BodyTable::Record record;
    Slot& slot = record.slot;
    const auto flags = in.take<std::uint8_t>();
    std::uint8_t bit = 0x80;
    for (bool* flag : {&slot.used, &slot.retired, &slot.is_part, &slot.has_own_mass, &slot.enabled,
                       &slot.sensor, &slot.bullet}) {
      *flag = (flags & bit) != 0;
      bit = static_cast<std::uint8_t>(bit >> 1U);
    }
    slot.type = static_cast<BodyType>(in.take_below<std::uint8_t>(3));
    const auto bits = in.take<std::uint8_t>();  // unknown bits are not written again, so `restore` fails
    record.generation = in.take<std::uint32_t>();
    if ((bits & detail::has_removed_velocity) != 0) {
      const Vec2 left = in.take_vec2();
      in.fail_if(!is_finite(left) || (slot.used && !slot.is_part));
      motions.set_velocity_at_contact(place, count, left);
    }
    in.fail_if(record.generation == 0 || slot.retired != (!slot.used && record.generation + 1 == 0) ||
               (!slot.used && slot != BodyTable::free_slot(slot.retired)));
    if (slot.used) {
      record.shape = shape_in.take();
      nexts[place] = (flags & 1U) != 0 ? in.take_below<Place>(count) : none;
      if (!slot.is_part) {
        slot.tag = in.take_below<std::uint32_t>(tags.end());
        slot.filter = in.take_below<std::uint32_t>(rules.filters().end());
        tags.add_reference(slot.tag);
        rules.filters().add_reference(slot.filter);
        record.transform = take_transform(in);
        motions.read(in, place, count);
        record.mass = in.take_float();
        record.user_data = in.take<std::uint64_t>();
        const bool is_moved = motions.velocity(place) != Vec2{} || motions.acceleration(place) != Vec2{};
        in.fail_if(!(record.mass > 0.0F) || !is_finite(record.mass) ||
                   (is_moved && slot.type == BodyType::static_body));
      }
    }
    bodies.append(record);
    changes.grow_to(bodies.places());
    if ((bits & detail::is_fast_body) != 0) {
      in.fail_if(!slot.used || slot.is_part);
      fast.push_back(place);
    }
    constexpr std::uint32_t others = detail::has_removed_velocity | detail::is_fast_body;
    if (const auto marks = static_cast<std::uint8_t>(bits & ~others); marks != 0) {
      mark(place, marks);
    }
  }
  sweeper.reserve(bodies.places(), bodies.places());
  sweeper.grow_to(bodies.places());
  bodies.for_each_body([this](Place body) {
    if (bodies.slot(body).bullet) {
      sweeper.add_bullet(body);
    }
  });
  sweeper.read_starts(in);
  in.fail_if(!fast.empty() && options.response != Response::bounce);
  sweeper.set_fast(std::move(fast));
  // As in `reserve`: marking a body must not fail.
  changes.reserve(bodies.places());
  broad_phase.reserve(bodies.places());
  in.fail_if(in.failed() || !bodies.join(nexts));
}

void World::State::read_contacts(ByteReader& in) {
  finder.restore(take_contacts(in, bodies.places()));
  compound.restore(take_contacts(in, bodies.places()));
  if (in.failed()) {
    return;
  }
  const std::span<const Contact> kept = finder.kept();
  const std::span<const Contact> merged = compound.of_last_step();
  if (merged.empty()) {
    compound.restore({kept.begin(), kept.end()});
  } else if (!bodies.has_parts()) {
    bodies.expect_parts();
  }
  const std::span<const Contact> of_step = bodies.has_parts() ? compound.of_last_step() : kept;
  // Each place of a contact of the last step is still used, or was replaced since.
  const auto is_there = [this](Place place, bool as_body) {
    return changes.has(place, reassigned) ||
           (bodies.slot(place).used && !(as_body && bodies.slot(place).is_part));
  };
  const auto are_there = [&](std::span<const Contact> contacts, bool as_bodies) {
    return std::all_of(contacts.begin(), contacts.end(), [&](const Contact& contact) {
      return is_there(contact.pair.a, as_bodies) && is_there(contact.pair.b, as_bodies);
    });
  };
  if (!are_there(kept, false) || !are_there(of_step, true)) {
    in.fail();
    return;
  }
  const auto begun =
      take_all(in, sizeof(std::uint32_t), [&] { return in.take_below<std::uint32_t>(of_step.size()); });
  in.fail_if(!std::is_sorted(begun.begin(), begun.end()));
  std::vector<Pair> stayed;
  for (std::uint32_t i = 0; i < of_step.size(); ++i) {
    if (!std::binary_search(begun.begin(), begun.end(), i)) {
      stayed.push_back(of_step[i].pair);
    }
  }
  shape_contacts.restore(kept, stayed);  // begins of shape contacts are only used without parts
  if (bodies.has_parts()) {
    compound.log().restore(compound.of_last_step(), stayed);
  }
  const std::size_t ended_count = in.take_count(25);
  for (std::size_t i = 0; i < ended_count; ++i) {
    const BodyId a = take_body(in, bodies.world());
    const BodyId b = take_body(in, bodies.world());
    const auto cause = static_cast<EndCause>(in.take_below<std::uint8_t>(4));
    const auto tag_a = in.take_below<std::uint32_t>(tags.end());
    ended.add({a, b, cause}, {tag_a, in.take_below<std::uint32_t>(tags.end())});
  }
  ended.commit();
  sweeper.read_hits(in);
}

}  // namespace broadside::inline v0_2
