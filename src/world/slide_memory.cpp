#include "world/slide_memory.hpp"

#include <algorithm>
#include <utility>

#include "world/world_bytes.hpp"

namespace broadside::inline v0_2::detail {

namespace {

bool is_before(const SlideRecord& record, std::uint32_t place) {
  return record.body.index < place;
}

BodyId take_body_of(ByteReader& in, std::uint32_t world, std::size_t places) {
  const BodyId body = take_body(in, world);
  in.fail_if(body.index >= places || body.generation == 0);
  return body;
}

}  // namespace

void put(ByteWriter& out, const SlideRecord& record) {
  put(out, record.body);
  put(out, record.at);
  out.put(record.remainder);
  out.put(static_cast<std::uint8_t>(record.ground ? 1 + (record.is_dirty ? 1 : 0) : 0));
  if (record.ground) {
    put(out, record.ground->body);
    put(out, record.ground->at);
    out.put(record.ground->normal);
  }
  put(out, std::span(record.crossed));
}

SlideRecord take_slide_record(ByteReader& in, std::uint32_t world, std::size_t places) {
  SlideRecord record{take_body_of(in, world, places), take_transform(in), in.take_vec2()};
  if (const auto kind = in.take_below<std::uint8_t>(3); kind != 0) {
    record.is_dirty = kind == 2;
    record.ground = {take_body_of(in, world, places), take_transform(in), in.take_vec2()};
    const auto& [ground, at, normal] = *record.ground;
    in.fail_if(!is_unit(Rotation{normal.x, normal.y}) || ground.index == record.body.index);
  }
  record.crossed = take_all(in, 8, [&] { return take_body_of(in, world, places); });
  in.fail_if(!is_finite(record.remainder) || !std::is_sorted(record.crossed.begin(), record.crossed.end()));
  return record;
}

const SlideRecord* SlideMemory::find(std::uint32_t place) const {
  const auto at = std::lower_bound(records_.begin(), records_.end(), place, is_before);
  return at != records_.end() && at->body.index == place ? &*at : nullptr;
}

void SlideMemory::set(SlideRecord&& record) {
  const auto at = std::lower_bound(records_.begin(), records_.end(), record.body.index, is_before);
  if (at != records_.end() && at->body.index == record.body.index) {
    *at = std::move(record);
  } else {
    records_.insert(at, std::move(record));
  }
}

void SlideMemory::forget(std::uint32_t place) {
  const auto at = std::lower_bound(records_.begin(), records_.end(), place, is_before);
  if (at != records_.end() && at->body.index == place) {
    records_.erase(at);
  }
}

void SlideMemory::set_reported() {
  for (SlideRecord& record : records_) {
    record.is_dirty = false;
  }
}

void SlideMemory::write(ByteWriter& out) const {
  put(out, std::span(records_));
}

void SlideMemory::read(ByteReader& in, std::uint32_t world, std::size_t places) {
  records_ = take_all(in, 41, [&] { return take_slide_record(in, world, places); });
  in.fail_if(!is_ascending(records_, [](const SlideRecord& record) { return record.body.index; }));
}

std::size_t SlideMemory::bytes() const {
  std::size_t bytes = records_.capacity() * sizeof(SlideRecord);
  for (const SlideRecord& record : records_) {
    bytes += record.crossed.capacity() * sizeof(BodyId);
  }
  return bytes;
}

}  // namespace broadside::inline v0_2::detail
