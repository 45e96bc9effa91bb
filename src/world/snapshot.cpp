#include <algorithm>
#include <array>

#include "base/convex.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "world/bytes.hpp"
#include "world/shape_bytes.hpp"
#include "world/state.hpp"

namespace broadside {

namespace {

using detail::ByteReader;
using detail::ByteWriter;

constexpr std::uint32_t magic = 0x57445342;  // "BSDW"
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 12;  // magic, version, number of the world: not part of the hash

void put(ByteWriter& out, const Filter& filter) {
  out.put(filter.layer);
  out.put(filter.mask);
  out.put(filter.wants);
  out.put(static_cast<std::uint32_t>(filter.group));
}

Filter take_filter(ByteReader& in) {
  Filter filter;
  filter.layer = in.take<std::uint64_t>();
  filter.mask = in.take<std::uint64_t>();
  filter.wants = in.take<std::uint64_t>();
  filter.group = static_cast<std::int32_t>(in.take<std::uint32_t>());
  return filter;
}

void put(ByteWriter& out, Pair pair) {
  out.put(pair.a);
  out.put(pair.b);
}

Pair take_pair(ByteReader& in, std::size_t places) {
  const auto a = in.take_below<std::uint32_t>(places);
  const auto b = in.take_below<std::uint32_t>(places);
  if (a >= b) {
    in.fail();
  }
  return {a, b};
}

void put(ByteWriter& out, const Manifold& manifold) {
  out.put(manifold.normal);
  out.put(static_cast<std::uint8_t>(manifold.size));
  for (const ManifoldPoint& point : manifold.in_use()) {
    out.put(point.position);
    out.put(point.separation);
    out.put(point.feature);
  }
}

void put(ByteWriter& out, std::span<const Contact> contacts) {
  out.put_count(contacts.size());
  for (const Contact& contact : contacts) {
    put(out, contact.pair);
    put(out, contact.manifold);
  }
}

bool is_same(const Contact& a, const Contact& b) {
  const auto points_a = a.manifold.in_use();
  const auto points_b = b.manifold.in_use();
  return a.pair == b.pair && a.manifold.normal == b.manifold.normal &&
         std::equal(points_a.begin(), points_a.end(), points_b.begin(), points_b.end());
}

Manifold take_manifold(ByteReader& in) {
  Manifold manifold;
  manifold.normal = in.take_vec2();
  manifold.size = in.take_below<std::uint8_t>(manifold.points.size() + 1);
  for (std::size_t i = 0; i < manifold.size; ++i) {
    manifold.points[i].position = in.take_vec2();
    manifold.points[i].separation = in.take_float();
    manifold.points[i].feature = in.take<std::uint32_t>();
  }
  return manifold;
}

/// Reads contacts, which must be sorted.
std::vector<Contact> take_contacts(ByteReader& in, std::size_t places) {
  const std::size_t count = in.take_count(17);
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < count && !in.failed(); ++i) {
    const Pair pair = take_pair(in, places);
    if (i > 0 && !(contacts.back().pair < pair)) {
      in.fail();
    }
    contacts.push_back({pair, take_manifold(in)});
  }
  return contacts;
}

void put(ByteWriter& out, BodyId body) {
  out.put(body.index);
  out.put(body.generation);
}

bool is_finite(Vec2 v) {
  return broadside::is_finite(v.x) && broadside::is_finite(v.y);
}

}  // namespace

/// Numbers tags and filters in the order in which they are written first: states that are equal but for names
/// that nobody bears any more are equal in bytes.
class World::State::Renumbering {
 public:
  explicit Renumbering(const State& state)
      : tags_(state.tags.size(), unknown), filters_(state.filters.size(), unknown) {
    static_cast<void>(tag(0));
    static_cast<void>(filter(0));
    for (const Slot& slot : state.slots) {
      if (slot.used) {
        static_cast<void>(tag(slot.tag));
        static_cast<void>(filter(slot.filter));
      }
    }
    for (const Replaced& one : state.replaced) {
      static_cast<void>(tag(one.tag));
    }
    for (const auto& [tag_a, tag_b] : state.ended_tags) {
      static_cast<void>(tag(tag_a));
      static_cast<void>(tag(tag_b));
    }
  }

  std::uint32_t tag(std::uint32_t number) { return renumbered(number, tags_, old_tags); }
  std::uint32_t filter(std::uint32_t number) { return renumbered(number, filters_, old_filters); }

  std::vector<std::uint32_t> old_tags;     ///< by new number
  std::vector<std::uint32_t> old_filters;  ///< by new number

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  static std::uint32_t renumbered(std::uint32_t number, std::vector<std::uint32_t>& numbers,
                                  std::vector<std::uint32_t>& old) {
    if (numbers[number] == unknown) {
      numbers[number] = static_cast<std::uint32_t>(old.size());
      old.push_back(number);
    }
    return numbers[number];
  }

  std::vector<std::uint32_t> tags_;     ///< new number by old
  std::vector<std::uint32_t> filters_;  ///< new number by old
};

// Writing. What can be found out again is left out: boxes, who drifts, contacts of bodies.

std::vector<std::byte> World::State::write() const {
  sort_replaced();
  ByteWriter out;
  out.put(magic);
  out.put(version);
  out.put(number);
  out.put(static_cast<std::uint8_t>(options.interest));
  out.put(static_cast<std::uint8_t>(options.response));
  out.put(options.restitution);
  out.put(options.gravity);
  out.put(last_seconds);
  out.put(static_cast<std::uint8_t>(all_anew));
  Renumbering names(*this);
  out.put_count(names.old_tags.size());
  for (const std::uint32_t tag : names.old_tags) {
    out.put(std::string_view(tags[tag]));
  }
  out.put_count(names.old_filters.size());
  for (const std::uint32_t filter : names.old_filters) {
    put(out, filters[filter]);
  }
  write_places(out, names);
  out.put_count(free_places.size());
  for (const Place place : free_places) {
    out.put(place);
  }
  out.put_count(ignored.size());
  for (const Pair pair : ignored) {
    put(out, pair);
  }
  out.put_count(replaced.size());
  for (const Replaced& one : replaced) {
    out.put(one.place);
    out.put(one.generation);
    out.put(names.tag(one.tag));
  }
  write_contacts(out, names);
  return out.take();
}

void World::State::write_places(ByteWriter& out, Renumbering& names) const {
  detail::ShapeWriter shape_out(out);
  out.put_count(slots.size());
  for (Place place = 0; place < slots.size(); ++place) {
    const Slot& slot = slots[place];
    std::uint32_t flags = 0;
    for (const bool flag : {slot.used, slot.retired, slot.is_part, slot.has_own_mass, slot.enabled,
                            slot.sensor, slot.bullet, next_part(place) != none}) {
      flags = 2 * flags + (flag ? 1U : 0U);
    }
    out.put(static_cast<std::uint8_t>(flags));
    out.put(static_cast<std::uint8_t>(slot.type));
    out.put(static_cast<std::uint8_t>(changes[place] & (renewed | moved | refiltered)));
    out.put(generations[place]);
    if (!slot.used) {
      continue;
    }
    shape_out.put(shapes[place]);
    if (next_part(place) != none) {
      out.put(next_part(place));
    }
    if (slot.bullet) {
      out.put(swept_from[place].position);
      out.put(swept_from[place].rotation.cos);
      out.put(swept_from[place].rotation.sin);
    }
    if (!slot.is_part) {
      out.put(names.tag(slot.tag));
      out.put(names.filter(slot.filter));
      out.put(transforms[place].position);
      out.put(transforms[place].rotation.cos);
      out.put(transforms[place].rotation.sin);
      out.put(previous[place]);
      out.put(masses[place]);
      out.put(place < user_data.size() ? user_data[place] : std::uint64_t{0});
    }
  }
}

void World::State::write_contacts(ByteWriter& out, Renumbering& names) const {
  put(out, contacts);
  // Which bodies their shapes were of cannot be found out again: some may be no more.
  const auto of_bodies = body_contacts();
  const bool differ =
      !std::equal(contacts.begin(), contacts.end(), of_bodies.begin(), of_bodies.end(), is_same);
  put(out, differ ? of_bodies : std::span<const Contact>());
  const auto begun = history.begun();
  out.put_count(begun.size());
  for (const std::uint32_t at : begun) {
    out.put(at);
  }
  out.put_count(ended.size());
  for (std::size_t i = 0; i < ended.size(); ++i) {
    put(out, ended[i].a);
    put(out, ended[i].b);
    out.put(static_cast<std::uint8_t>(ended[i].cause));
    out.put(names.tag(ended_tags[i].first));
    out.put(names.tag(ended_tags[i].second));
  }
  out.put_count(times.size());
  for (const auto& [pair, time] : times) {
    put(out, pair);
    out.put(time);
  }
  out.put_count(stops.size());
  for (const Stop& stop : stops) {
    out.put(stop.body);
    out.put(stop.time);
    out.put(stop.from);
  }
}

// Reading, into a state that nobody has seen yet: what does not make sense is a failure of the reader.

void World::State::read(ByteReader& in) {
  number = in.take<std::uint32_t>();
  options.interest = static_cast<Interest>(in.take_below<std::uint8_t>(2));
  options.response = static_cast<Response>(in.take_below<std::uint8_t>(2));
  options.restitution = in.take_float();
  options.gravity = in.take_vec2();
  last_seconds = in.take_float();
  all_anew = in.take_below<std::uint8_t>(2) != 0;
  if (!(options.restitution >= 0.0F && options.restitution <= 1.0F) || !is_finite(options.gravity) ||
      !broadside::is_finite(last_seconds) || !(last_seconds > 0.0F)) {
    in.fail();
  }
  read_names(in);
  read_places(in);
  std::vector<bool> is_free(slots.size());
  const std::size_t free_count = in.take_count(sizeof(Place));
  for (std::size_t i = 0; i < free_count && !in.failed(); ++i) {
    const Place place = in.take_below<Place>(slots.size());
    if (in.failed() || slots[place].used || slots[place].retired || is_free[place]) {
      in.fail();
      return;
    }
    is_free[place] = true;
    free_places.push_back(place);
  }
  for (Place place = 0; place < slots.size(); ++place) {
    if (!slots[place].used && !slots[place].retired && !is_free[place]) {
      in.fail();
    }
  }
  const std::size_t ignored_count = in.take_count(2 * sizeof(Place));
  for (std::size_t i = 0; i < ignored_count; ++i) {
    ignored.push_back(take_pair(in, slots.size()));
  }
  const std::size_t replaced_count = in.take_count(3 * sizeof(Place));
  for (std::size_t i = 0; i < replaced_count; ++i) {
    const Place place = in.take_below<Place>(slots.size());
    const auto generation = in.take<std::uint32_t>();
    replaced.push_back({place, generation, in.take_below<std::uint32_t>(tags.size())});
  }
  const auto by_place = [](const Replaced& a, const Replaced& b) { return a.place < b.place; };
  if (!std::is_sorted(ignored.begin(), ignored.end()) ||
      !std::is_sorted(replaced.begin(), replaced.end(), by_place)) {
    in.fail();
  }
  if (!in.failed()) {
    read_contacts(in);
  }
}

void World::State::read_names(ByteReader& in) {
  tags.clear();
  tag_numbers.clear();
  const std::size_t tag_count = in.take_count(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < tag_count; ++i) {
    tags.push_back(in.take_text());
    if (!tag_numbers.emplace(tags.back(), static_cast<std::uint32_t>(i)).second) {
      in.fail();
    }
  }
  filters.clear();
  const std::size_t filter_count = in.take_count(28);
  for (std::size_t i = 0; i < filter_count; ++i) {
    filters.push_back(take_filter(in));
  }
  if (tags.empty() || !tags.front().empty() || filters.empty()) {
    in.fail();
  }
}

void World::State::read_places(ByteReader& in) {
  detail::ShapeReader shape_in(in);
  const std::size_t count = in.take_count(7);
  std::vector<Place> nexts(count, none);
  for (Place place = 0; place < count && !in.failed(); ++place) {
    Slot slot;
    const auto flags = in.take<std::uint8_t>();
    std::uint8_t bit = 0x80;
    for (bool* flag : {&slot.used, &slot.retired, &slot.is_part, &slot.has_own_mass, &slot.enabled,
                       &slot.sensor, &slot.bullet}) {
      *flag = (flags & bit) != 0;
      bit = static_cast<std::uint8_t>(bit >> 1U);
    }
    slot.type = static_cast<BodyType>(in.take_below<std::uint8_t>(3));
    const auto bits = static_cast<std::uint8_t>(in.take<std::uint8_t>() & (renewed | moved | refiltered));
    generations.push_back(in.take<std::uint32_t>());
    shapes.emplace_back();
    transforms.emplace_back();
    previous.emplace_back();
    masses.push_back(1.0F);
    user_data.push_back(0);
    swept_from.emplace_back();
    changes.push_back(0);
    is_drifting.push_back(0);
    if (slot.used) {
      shapes.back() = shape_in.take();
      nexts[place] = (flags & 1U) != 0 ? in.take_below<Place>(count) : none;
      if (slot.bullet) {
        swept_from.back() = take_transform(in);
      }
      if (!slot.is_part) {
        slot.tag = in.take_below<std::uint32_t>(tags.size());
        slot.filter = in.take_below<std::uint32_t>(filters.size());
        transforms.back() = take_transform(in);
        previous.back() = in.take_vec2();
        masses.back() = in.take_float();
        user_data.back() = in.take<std::uint64_t>();
        ++bodies;
        bullets += slot.bullet ? 1U : 0U;
        if (!is_finite(previous.back()) || !(masses.back() > 0.0F)) {
          in.fail();
        }
      }
    }
    slots.push_back(slot);
    if (bits != 0) {
      mark(place, bits);
    }
    if (slot.used && !slot.is_part && previous.back() != transforms.back().position) {
      let_drift(place);
    }
  }
  if (bullets == 0) {
    swept_from.clear();
  }
  if (std::all_of(user_data.begin(), user_data.end(), [](std::uint64_t data) { return data == 0; })) {
    user_data.clear();
  }
  if (!in.failed()) {
    join_parts(nexts, in);
  }
}

Transform World::State::take_transform(ByteReader& in) {
  Transform transform;
  transform.position = in.take_vec2();
  transform.rotation.cos = in.take_float();
  transform.rotation.sin = in.take_float();
  if (!is_finite(transform.position) || !detail::is_unit(transform.rotation)) {
    in.fail();
  }
  return transform;
}

// Each part must hang on exactly one body, by a chain without a ring.
void World::State::join_parts(std::span<const Place> nexts, ByteReader& in) {
  const auto is_part = [this](Place place) { return slots[place].used && slots[place].is_part; };
  std::size_t parts = 0;
  for (Place place = 0; place < slots.size(); ++place) {
    parts += is_part(place) ? 1U : 0U;
  }
  if (parts == 0) {
    if (std::any_of(nexts.begin(), nexts.end(), [](Place next) { return next != none; })) {
      in.fail();
    }
    return;
  }
  next_parts.assign(nexts.begin(), nexts.end());
  owners.resize(slots.size());
  std::vector<bool> seen(slots.size());
  for (Place body = 0; body < slots.size(); ++body) {
    if (is_part(body)) {
      continue;
    }
    owners[body] = body;
    for (Place part = next_parts[body]; part != none; part = next_parts[part]) {
      if (!is_part(part) || seen[part] || slots[part].bullet != slots[body].bullet ||
          slots[part].type != slots[body].type) {
        in.fail();
        return;
      }
      seen[part] = true;
      --parts;
      owners[part] = body;
      transforms[part] = transforms[body];
      slots[part].tag = slots[body].tag;
      slots[part].filter = slots[body].filter;
    }
  }
  if (parts != 0) {
    in.fail();
  }
}

void World::State::read_contacts(ByteReader& in) {
  kept = take_contacts(in, slots.size());
  contacts = kept;
  merged = take_contacts(in, slots.size());
  if (in.failed()) {
    return;
  }
  if (merged.empty()) {
    merged = kept;
  } else if (!has_parts()) {
    expect_parts();
  }
  std::vector<Pair> stayed;
  const std::size_t begun_count = in.take_count(sizeof(std::uint32_t));
  std::vector<std::uint32_t> begun;
  for (std::size_t i = 0; i < begun_count; ++i) {
    begun.push_back(in.take_below<std::uint32_t>(body_contacts().size()));
  }
  if (!std::is_sorted(begun.begin(), begun.end())) {
    in.fail();
  }
  touching.clear();
  for (std::uint32_t i = 0; i < body_contacts().size(); ++i) {
    touching.push_back(body_contacts()[i].pair);
    if (!std::binary_search(begun.begin(), begun.end(), i)) {
      stayed.push_back(touching.back());
    }
  }
  history.advance(stayed);
  history.advance(touching);
  const std::size_t ended_count = in.take_count(25);
  for (std::size_t i = 0; i < ended_count; ++i) {
    std::array<BodyId, 2> ids;
    for (BodyId& body : ids) {
      body.index = in.take<std::uint32_t>();
      body.generation = in.take<std::uint32_t>();
      body.world = number;
    }
    ended.push_back({ids[0], ids[1], static_cast<EndCause>(in.take_below<std::uint8_t>(4))});
    const auto tag_a = in.take_below<std::uint32_t>(tags.size());
    ended_tags.emplace_back(tag_a, in.take_below<std::uint32_t>(tags.size()));
  }
  const std::size_t time_count = in.take_count(12);
  for (std::size_t i = 0; i < time_count; ++i) {
    const Pair pair = take_pair(in, slots.size());
    times.emplace_back(pair, in.take_float());
  }
  const std::size_t stop_count = in.take_count(16);
  for (std::size_t i = 0; i < stop_count; ++i) {
    const Place body = in.take_below<Place>(slots.size());
    const float time = in.take_float();
    stops.push_back({body, time, in.take_vec2()});
  }
}

std::uint32_t World::number() const {
  return state_->number;
}

std::vector<std::byte> World::snapshot() const {
  return state_->write();
}

Result<void> World::restore(std::span<const std::byte> snapshot) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.telling) {
    return Error{ErrorCode::locked, "restore: listeners are being told"};
  }
  ByteReader in(snapshot);
  if (in.take<std::uint32_t>() != magic) {
    return Error{ErrorCode::parse, "restore: these bytes are no snapshot of a world"};
  }
  if (const auto found = in.take<std::uint32_t>(); found != version && !in.failed()) {
    return Error{ErrorCode::version_mismatch, "restore: the snapshot is of version " + std::to_string(found) +
                                                  ", this library reads version " + std::to_string(version)};
  }
  auto fresh = std::make_unique<State>(WorldOptions{});
  fresh->read(in);
  if (in.failed() || in.rest() != 0) {
    return Error{ErrorCode::parse,
                 "restore: the snapshot is damaged at byte " + std::to_string(in.at()) + " or before"};
  }
  fresh->runner = state.runner;
  fresh->narrow_phase.use_threads(state.runner);
  fresh->listeners = std::move(state.listeners);
  fresh->next_listener = state.next_listener;
  fresh->predicate = std::move(state.predicate);
  const auto rename = [&](const State& from, State& to) {  // listeners know tags by their numbers
    for (const auto& listener : fresh->listeners) {
      for (std::uint32_t* tag : {&listener->tag_a, &listener->tag_b}) {
        *tag = *tag == State::any_tag ? *tag : to.tag_number(from.tags[*tag]);
      }
    }
  };
  rename(state, *fresh);
  const auto technique = find_technique(state.broad_phase->name());
  fresh->technique_options = state.technique_options;
  if (auto rebuilt = fresh->rebuild(technique.value()->make(state.technique_options).value()); !rebuilt) {
    rename(*fresh, state);
    state.listeners = std::move(fresh->listeners);
    state.predicate = std::move(fresh->predicate);
    return rebuilt;
  }
  fresh->recording = state.recording;
  fresh->recorder = std::move(state.recorder);
  state_ = std::move(fresh);
  state_->note_all();
  return {};
}

// Source of the mixing: multiplication by the golden ratio, D. E. Knuth, The Art of Computer Programming 3,
// 1973, section 6.4.
std::uint64_t World::hash() const {
  const std::vector<std::byte> bytes = state_->write();
  std::uint64_t hash = bytes.size();
  for (std::size_t at = header_size; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) {
      word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * (i - at));
    }
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace broadside
