#include <algorithm>
#include <utility>

#include "distributed/broad_phase_state.hpp"
#include "distributed/stopwatch.hpp"

// The records in which parts send each other boxes: a box, and its kind if the receiver does not have it.

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Halo;
using detail::Holdings;

namespace {

void write(ByteWriter& out, const BoxKind& kind) {
  out.put(static_cast<std::uint8_t>(kind.type));
  const Filter& filter = kind.filter;
  out.put(static_cast<std::uint8_t>(filter == Filter{} ? 0 : 1));
  if (filter != Filter{}) {
    out.put(filter.layer);
    out.put(filter.mask);
    out.put(filter.wants);
    out.put(static_cast<std::uint32_t>(filter.group));
    out.put(filter.tags);
    out.put(filter.report_tags);
  }
}

BoxKind read_kind(ByteReader& in) {
  BoxKind kind;
  kind.type = static_cast<BodyType>(in.take_below<std::uint8_t>(3));
  if (in.take_below<std::uint8_t>(2) != 0) {
    kind.filter.layer = in.take<std::uint64_t>();
    kind.filter.mask = in.take<std::uint64_t>();
    kind.filter.wants = in.take<std::uint64_t>();
    kind.filter.group = static_cast<std::int32_t>(in.take<std::uint32_t>());
    kind.filter.tags = in.take<std::uint64_t>();
    kind.filter.report_tags = in.take<std::uint64_t>();
  }
  return kind;
}

}  // namespace

/// Sends the changes of an owned box to the parts that hold it or will do so.
void DistributedBroadPhase::State::send_changed(BoxIndex index) {
  const Aabb& box = local.box_of(index);
  const auto write_box = [&](ByteWriter& out, Halo::What what) {
    out.put_words(box);
    if (what != Halo::What::change) {
      write(out, BoxKind{types[index], *local.filter(index)});
    }
  };
  const auto change = std::exchange(held.changed(index), Halo::Changed::nothing);
  const Halo::Stay stay = halo.update(index, held.ids()[index], box, change, write_box);
  held.set_meets_others(index, !halo.is_inside(box));
  if (stay == Halo::Stay::ghost) {
    held.set_owned(index, false);
  } else if (stay == Halo::Stay::gone) {
    held.erase(index);
    gone.push_back(index);
  }
}

void DistributedBroadPhase::State::send_all() {
  changed.clear();
  held.for_each_owned([this](BoxIndex index) { send_changed(index); });
}

Result<std::vector<Communicator::Message>> DistributedBroadPhase::State::exchange() {
  auto messages = halo.take_messages();
  detail::Stopwatch clock;
  auto incoming = others.exchange(std::move(messages));
  statistics.exchange_seconds = clock.lap();
  return incoming;
}

/// Applies what other parts sent, and what the current search gave to them.
Result<void> DistributedBroadPhase::State::receive(const std::vector<Communicator::Message>& incoming) {
  detail::Stopwatch clock;
  Received received;
  received.removed = std::exchange(gone, {});
  Result<void> applied =
      detail::read_all(incoming, "find_pairs", [&](ByteReader& in, std::size_t) { read(in, received); });
  if (applied.has_value()) {
    applied = apply(received);
  }
  statistics.update_seconds += clock.lap();
  return applied;
}

void DistributedBroadPhase::State::read(ByteReader& in, Received& received) {
  const auto what = static_cast<Halo::What>(in.take_below<std::uint8_t>(4));
  const GlobalId id{in.take<std::uint64_t>()};
  if (what != Halo::What::drop) {
    read_box(in, what, id, received);
    return;
  }
  const auto index = held.find(id);
  in.fail_if(!index || held.is_owned(*index));
  if (!in.failed()) {
    held.erase(*index);
    received.removed.push_back(*index);
  }
}

void DistributedBroadPhase::State::read_box(ByteReader& in, Halo::What what, GlobalId id,
                                            Received& received) {
  const bool is_mine = what == Halo::What::own;
  std::vector<int> holders = is_mine ? Halo::read_holders(in) : std::vector<int>();
  const auto box = in.take_words<Aabb>();
  const bool has_kind = what != Halo::What::change;
  const BoxKind kind = has_kind ? read_kind(in) : BoxKind{};
  const auto index = held.find(id);
  in.fail_if(!is_valid(box) || id == Holdings::no_id || (!index && !has_kind) ||
             (index && held.is_owned(*index)));
  if (in.failed()) {
    return;
  }
  if (!index) {
    received.added.push_back({id, is_mine, std::move(holders)});
    received.added_boxes.push_back(box);
    received.added_kinds.push_back(kind);
    return;
  }
  received.moved.push_back(*index);
  received.moved_to.push_back(box);
  if (has_kind) {
    in.fail_if(local.set_kind(*index, kind).error().code != ErrorCode::none);
    types[*index] = kind.type;
  }
  if (is_mine) {
    held.take_over(*index, box, std::move(holders), halo);
  }
}

Result<void> DistributedBroadPhase::State::apply(Received& received) {
  if (auto removed = local.remove(received.removed); !removed.has_value()) {
    return removed;
  }
  if (auto moved = local.move(received.moved, received.moved_to); !moved.has_value()) {
    return moved;
  }
  const auto indices = local.add(received.added_boxes, received.added_kinds);
  if (!indices.has_value()) {
    return indices.error();
  }
  for (std::size_t i = 0; i < received.added.size(); ++i) {
    auto& [id, is_mine, holders] = received.added[i];
    const BoxIndex index = (*indices)[i];
    insert(index, id, received.added_kinds[i].type, is_mine);
    if (is_mine) {
      held.take_over(index, received.added_boxes[i], std::move(holders), halo);
    }
  }
  return {};
}

}  // namespace broadside::inline v0_2
