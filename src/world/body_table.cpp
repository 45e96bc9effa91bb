#include "world/body_table.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace broadside::inline v0_2 {

Aabb BodyTable::bounds(Place body) const {
  Aabb box = broadside::bounds(shapes_[body], transforms_[body]);
  for (Place part = next_part(body); part != none; part = next_part(part)) {
    box = merge(box, broadside::bounds(shapes_[part], transforms_[body]));
  }
  return box;
}

float BodyTable::shorter_side(Place place) const {
  const Aabb box = broadside::bounds(shapes_[place], transforms_[place]);
  constexpr float largest = std::numeric_limits<float>::max();  // a difference of two floats may exceed it
  return std::min({box.max.x - box.min.x, box.max.y - box.min.y, largest});
}

void BodyTable::reserve(std::span<const BodyDef> added, std::size_t shapes) {
  const std::size_t needed = slots_.size() + shapes - std::min(shapes, free_places_.size());
  const auto reserve_each = [&](auto&... arrays) {
    detail::reserve_growth(needed, slots_.size(), shapes, arrays...);
  };
  reserve_each(slots_, generations_, shapes_, transforms_, masses_);
  const auto some = [added](auto is) { return std::any_of(added.begin(), added.end(), is); };
  if (!user_data_.empty() || some([](const BodyDef& body) { return body.user_data != 0; })) {
    reserve_each(user_data_);
  }
  if (has_parts() || some([](const BodyDef& body) { return !body.more_shapes.empty(); })) {
    reserve_each(owners_, next_parts_);
  }
}

void BodyTable::take_place(Place place, const Shape& shape, const Transform& transform, const Slot& slot) {
  if (place >= slots_.size()) {
    slots_.emplace_back();
    generations_.push_back(0);
    shapes_.emplace_back();
    transforms_.emplace_back();
    masses_.push_back(0.0F);
    if (has_parts()) {
      owners_.push_back(place);
      next_parts_.push_back(none);
    }
  } else {
    assert(!free_places_.empty() && free_places_.back() == place);
    free_places_.pop_back();
  }
  shapes_[place] = shape;
  transforms_[place] = transform;
  note_position(transform.position);
  slots_[place] = slot;
  ++generations_[place];
  moving_shapes_ += may_move(slot) ? 1U : 0U;
}

void BodyTable::expect_parts() {
  for (Place place = 0; place < slots_.size(); ++place) {
    owners_.push_back(place);
    next_parts_.push_back(none);
  }
}

void BodyTable::add(const BodyDef& body, const Slot& slot, std::span<const Place> places) {
  const Transform transform{body.position, body.rotation};
  const Place first = places.front();
  take_place(first, body.shape, transform, slot);
  if (places.size() > 1 && !has_parts()) {
    expect_parts();
  }
  Place last = first;
  for (std::size_t i = 1; i < places.size(); ++i) {
    Slot part = slot;
    part.is_part = true;
    take_place(places[i], body.more_shapes[i - 1], transform, part);
    owners_[places[i]] = first;
    next_parts_[last] = places[i];
    last = places[i];
  }
  masses_[first] = body.mass.value_or(0.0F);
  measure_mass(first);
  set_user_data(first, body.user_data);
  ++size_;
}

void BodyTable::free(Place place) {
  moving_shapes_ -= may_move(slots_[place]) ? 1U : 0U;
  shapes_[place] = Circle{};
  if (has_parts()) {
    owners_[place] = place;
    next_parts_[place] = none;
  }
  const bool is_retired =
      is_last_generation(place);  // then the broad phase keeps its box, but filters it out
  slots_[place] = free_slot(is_retired);
  if (!is_retired) {
    free_places_.push_back(place);
  }
}

void BodyTable::remove(Place body) {
  for (Place place = body; place != none;) {
    const Place next = next_part(place);
    free(place);
    place = next;
  }
  --size_;
}

void BodyTable::set_shape(Place body, const Shape& shape) {
  shapes_[body] = shape;
  measure_mass(body);
}

void BodyTable::measure_mass(Place body) {
  if (slots_[body].has_own_mass) {
    return;
  }
  float mass = 0.0F;
  for_each_part(body, [&](Place place) { mass += area(shapes_[place]); });
  masses_[body] = mass > 0.0F ? std::min(mass, std::numeric_limits<float>::max()) : 1.0F;
}

void BodyTable::set_user_data(Place body, std::uint64_t data) {
  if (data != user_data(body)) {
    user_data_.resize(std::max<std::size_t>(user_data_.size(), body + std::size_t{1}));
    user_data_[body] = data;
  }
}

void BodyTable::append(const Record& record) {
  const auto place = static_cast<Place>(slots_.size());
  take_place(place, record.shape, record.transform, record.slot);
  generations_[place] = record.generation;
  masses_[place] = record.mass;
  set_user_data(place, record.user_data);
  size_ += is_body(place) ? 1U : 0U;
}

bool BodyTable::set_free_places(std::span<const Place> places) {
  std::vector<bool> is_free(slots_.size());
  for (const Place place : places) {
    if (slots_[place].used || slots_[place].retired || is_free[place]) {
      return false;
    }
    is_free[place] = true;
  }
  free_places_.assign(places.begin(), places.end());
  const auto may_be_used = [](const Slot& slot) { return !slot.used && !slot.retired; };
  return std::count_if(slots_.begin(), slots_.end(), may_be_used) == std::ssize(places);
}

bool BodyTable::join(std::span<const Place> nexts) {
  const auto is_part = [](const Slot& slot) { return slot.used && slot.is_part; };
  auto parts = std::count_if(slots_.begin(), slots_.end(), is_part);
  if (parts == 0) {
    return std::all_of(nexts.begin(), nexts.end(), [](Place next) { return next == none; });
  }
  next_parts_.assign(nexts.begin(), nexts.end());
  owners_.resize(slots_.size());
  std::vector<bool> seen(slots_.size());
  for (Place body = 0; body < slots_.size(); ++body) {
    if (is_part(slots_[body])) {
      continue;
    }
    owners_[body] = body;
    for (Place part = next_parts_[body]; part != none; part = next_parts_[part]) {
      if (!is_part(slots_[part]) || seen[part]) {
        return false;
      }
      seen[part] = true;
      --parts;
      owners_[part] = body;
      transforms_[part] = transforms_[body];
      Slot expected = slots_[body];
      expected.is_part = true;
      slots_[part].tag = expected.tag;
      slots_[part].filter = expected.filter;
      if (slots_[part] != expected) {
        return false;
      }
    }
  }
  return parts == 0;
}

std::size_t BodyTable::bytes() const {
  return detail::bytes_of(slots_, generations_, shapes_, transforms_, masses_, user_data_, owners_,
                          next_parts_, free_places_);
}

}  // namespace broadside::inline v0_2
