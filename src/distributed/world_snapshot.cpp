#include <algorithm>
#include <map>

#include "base/hash_mixer.hpp"
#include "distributed/messages.hpp"
#include "distributed/world_state.hpp"

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Halo;
using detail::HashMixer;

namespace {

constexpr std::uint64_t magic = 0x3230'444C'5257'5342U;  // "BSWRLD02"

/// A sum, so that it does not depend on the order of bodies and contacts.
class HashSum {
 public:
  void add_body(GlobalId id, const Transform& transform, Vec2 velocity) {
    HashMixer hash(id.value);
    for (const float value : {transform.position.x, transform.position.y, transform.rotation.cos,
                              transform.rotation.sin, velocity.x, velocity.y}) {
      hash.add(detail::bit_cast<std::uint32_t>(value));
    }
    sum_ += hash.hash();
  }
  /// @param kind 1 for a contact, 2 for one that began, 3 for one that ended
  void add_pair(std::uint64_t kind, GlobalPair pair) {
    sum_ += HashMixer(kind).add(pair.a.value).add(pair.b.value).hash();
  }
  void add_pairs(std::uint64_t kind, std::span<const GlobalPair> pairs) {
    for (const GlobalPair pair : pairs) {
      add_pair(kind, pair);
    }
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

void put_pairs(ByteWriter& out, std::span<const GlobalPair> pairs) {
  out.put_count(pairs.size());
  for (const GlobalPair pair : pairs) {
    detail::put(out, pair);
  }
}

std::vector<GlobalPair> take_pairs(ByteReader& in) {
  std::vector<GlobalPair> pairs(in.take_count(2 * sizeof(std::uint64_t)));
  for (GlobalPair& pair : pairs) {
    pair = detail::take_pair(in);
  }
  return pairs;
}

/// The bodies and contacts of one part, or of all.
struct Content {
  std::vector<std::pair<GlobalId, Communicator::Message>> bodies;
  std::vector<GlobalPair> touching;
  std::vector<GlobalPair> begun;
  std::vector<GlobalPair> ended;
  std::uint64_t next_counter = 0;
  bool has_bullets = false;

  void write(ByteWriter& out) const {
    out.put_count(bodies.size());
    for (const auto& [id, bytes] : bodies) {
      out.put(id.value);
      out.put_count(bytes.size());
      out.put(std::span(bytes));
    }
    put_pairs(out, touching);
    put_pairs(out, begun);
    put_pairs(out, ended);
    out.put(next_counter);
    out.put(static_cast<std::uint8_t>(has_bullets));
  }

  /// Reads what `write` wrote, and adds it to the content.
  void read(ByteReader& in) {
    constexpr std::size_t least_bytes_of_body = 16;
    for (std::size_t left = in.take_count(least_bytes_of_body); left > 0 && !in.failed(); --left) {
      const GlobalId id{in.take<std::uint64_t>()};
      Communicator::Message bytes(in.take_count(1));
      for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(in.take<std::uint8_t>());
      }
      bodies.emplace_back(id, std::move(bytes));
    }
    for (std::vector<GlobalPair>* pairs : {&touching, &begun, &ended}) {
      const std::vector<GlobalPair> more = take_pairs(in);
      pairs->insert(pairs->end(), more.begin(), more.end());
    }
    next_counter = std::max(next_counter, in.take<std::uint64_t>());
    has_bullets = in.take_below<std::uint8_t>(2) != 0 || has_bullets;
  }

  void sort() {
    std::sort(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::vector<GlobalPair>* pairs : {&touching, &begun, &ended}) {
      std::sort(pairs->begin(), pairs->end());
    }
  }
};

/// Returns every `size`-th element, beginning with that of a rank.
std::vector<GlobalPair> share_of(std::span<const GlobalPair> pairs, const Communicator& others) {
  std::vector<GlobalPair> share;
  for (auto i = static_cast<std::size_t>(others.rank()); i < pairs.size();
       i += static_cast<std::size_t>(others.size())) {
    share.push_back(pairs[i]);
  }
  return share;
}

std::vector<GlobalPair> copy_of(std::span<const GlobalPair> pairs) {
  return {pairs.begin(), pairs.end()};
}

}  // namespace

Result<std::vector<std::byte>> DistributedWorld::State::snapshot() const {
  Content own{
      {}, copy_of(contacts.touching()), copy_of(contacts.begun()), copy_of(contacts.ended()), next_counter};
  held.for_each_owned([&](Place place) {
    own.has_bullets = own.has_bullets || is_bullet(place);
    ByteWriter out;
    write(out, place);
    own.bodies.emplace_back(held.ids()[place], out.take());
  });
  ByteWriter message;
  own.write(message);
  auto gathered = others.all_gather(message.bytes());
  if (!gathered.has_value()) {
    return gathered.error();
  }
  Content all;
  for (const Communicator::Message& part : *gathered) {
    ByteReader in(part);
    all.read(in);
    if (in.failed()) {
      return Error{ErrorCode::parse, "snapshot: a damaged message"};
    }
  }
  all.sort();
  ByteWriter out;
  out.put(magic);
  out.put(local.gravity());
  out.put(static_cast<std::uint8_t>(options.order.value_or(StepOrder::detect_first)));
  out.put(detail::last_seconds(local));
  all.write(out);
  out.put_checksum(detail::checksum);
  return out.take();
}

Result<void> DistributedWorld::State::restore(std::span<const std::byte> snapshot) {
  const Error damaged{ErrorCode::parse,
                      "restore: the bytes are damaged, or not a snapshot of a DistributedWorld"};
  if (snapshot.size() < detail::checksum_size || !detail::has_checksum(snapshot, detail::checksum)) {
    return damaged;
  }
  ByteReader in(snapshot.first(snapshot.size() - detail::checksum_size));
  Content all;
  WorldOptions read_options = options;
  if (in.take<std::uint64_t>() != magic) {
    return damaged;
  }
  read_options.gravity = in.take_vec2();
  read_options.order = static_cast<StepOrder>(in.take_below<std::uint8_t>(2));
  const float seconds = in.take_float();
  in.fail_if(!(is_finite(seconds) && seconds >= 0.0F));
  all.read(in);
  auto world = World::create(read_options);
  detail::TransferredBodies read_bodies;
  std::vector<Touch> read_touches;
  std::vector<GlobalId> own_ids;
  for (std::size_t i = 0; i < all.bodies.size(); ++i) {
    ByteReader body(all.bodies[i].second);
    if (i % static_cast<std::size_t>(others.size()) == static_cast<std::size_t>(others.rank())) {
      read_body(body, all.bodies[i].first, read_bodies, read_touches);
      own_ids.push_back(all.bodies[i].first);
    }
    in.fail_if(body.failed());
  }
  if (in.failed() || !world.has_value()) {
    return damaged;
  }
  detail::keep_starts(*world, all.has_bullets);
  detail::set_last_seconds(*world, seconds);
  const auto added = detail::add_bodies(*world, read_bodies);
  balance.forget_refused();
  if (!added.has_value()) {
    static_cast<void>(balance.refuse(damaged));
  }
  if (auto agreement = balance.agree(held.owned_count()); !agreement.has_value()) {
    return agreement.error();
  }
  options = read_options;
  local = std::move(*world);
  Partition partition = halo.partition();
  halo = Halo(others.rank(), others.size());
  halo.set_partition(std::move(partition));
  held = {};
  bodies.clear();
  boxes.clear();
  met_others.clear();
  statistics = {};
  has_bullets = all.has_bullets;
  had_bullets = all.has_bullets;
  touches = std::move(read_touches);
  sort_touches();
  for (std::size_t i = 0; i < own_ids.size(); ++i) {
    insert(own_ids[i], (*added)[i], true);
    held.changed((*added)[i].index) = Halo::Changed::all;
  }
  contacts.set(share_of(all.touching, others), share_of(all.begun, others), share_of(all.ended, others));
  next_counter = all.next_counter;
  return {};
}

Result<std::vector<std::byte>> DistributedWorld::snapshot() {
  return state_->snapshot();
}

Result<void> DistributedWorld::restore(std::span<const std::byte> snapshot) {
  return state_->restore(snapshot);
}

Result<std::uint64_t> DistributedWorld::hash() {
  const State& state = *state_;
  HashSum sum;
  state.held.for_each_owned([&](Halo::Slot place) {
    const BodyId body = state.bodies[place];
    sum.add_body(state.held.ids()[place], state.local.transform(body).value(),
                 state.local.velocity(body).value());
  });
  sum.add_pairs(1, state.contacts.touching());
  sum.add_pairs(2, state.contacts.begun());
  sum.add_pairs(3, state.contacts.ended());
  ByteWriter message;
  message.put(sum.sum());
  auto gathered = state.others.all_gather(message.bytes());
  if (!gathered.has_value()) {
    return gathered.error();
  }
  std::uint64_t all = 0;
  for (const Communicator::Message& part : *gathered) {
    all += ByteReader(part).take<std::uint64_t>();
  }
  return all;
}

Result<std::uint64_t> DistributedWorld::hash_of(const World& world, std::span<const BodyId> bodies,
                                                std::span<const GlobalId> ids) {
  if (bodies.size() != ids.size()) {
    return Error{ErrorCode::invalid_argument, "hash_of: the numbers of bodies and ids differ"};
  }
  std::map<BodyId, GlobalId> id_of;
  HashSum sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    id_of[bodies[i]] = ids[i];
    if (world.contains(bodies[i])) {
      sum.add_body(ids[i], world.transform(bodies[i]).value(), world.velocity(bodies[i]).value());
    }
  }
  bool are_known = true;
  const auto add = [&](std::uint64_t kind, BodyId a, BodyId b) {
    const auto one = id_of.find(a);
    const auto other = id_of.find(b);
    are_known = are_known && one != id_of.end() && other != id_of.end();
    if (are_known) {
      sum.add_pair(kind, ordered_pair(one->second, other->second));
    }
  };
  for (const BodyContact& contact : world.contacts()) {
    add(1, contact.a, contact.b);
    if (contact.begun) {
      add(2, contact.a, contact.b);
    }
  }
  for (const ContactEnd& end : world.ended()) {
    add(3, end.a, end.b);
  }
  if (!are_known) {
    return Error{ErrorCode::invalid_argument, "hash_of: a contact has a body without an id"};
  }
  return sum.sum();
}

}  // namespace broadside::inline v0_2
