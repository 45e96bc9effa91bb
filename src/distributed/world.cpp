#include "broadside/distributed/world.hpp"

#include <algorithm>
#include <string>

#include "distributed/messages.hpp"
#include "distributed/stopwatch.hpp"
#include "distributed/world_state.hpp"

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Halo;
using detail::Holdings;

namespace {

Error check_distributed(const WorldOptions& options) {
  const auto refused = [](const char* what) {
    return Error{ErrorCode::invalid_argument, std::string("a distributed world has ") + what};
  };
  if (options.response != Response::none) {
    return refused("no response: with bounce, the answer depends on the order of contacts across parts");
  }
  if (options.interest != Interest::all) {
    return refused("no listeners: its interest must be in all pairs");
  }
  if (options.end_margin != 0.0F) {
    return refused(
        "no end_margin: whether two bodies touch within it depends on steps in which other parts held them");
  }
  return {};
}

}  // namespace

// Bodies.

Result<void> DistributedWorld::State::add(GlobalId id, const BodyDef& body) {
  if (id == Holdings::no_id || held.find(id)) {
    return balance.refuse(
        {ErrorCode::invalid_argument, "add: " + detail::name_of("body", id) + " exists already"});
  }
  const auto added = local.add(body);
  if (!added.has_value()) {
    return balance.refuse(added.error());
  }
  insert(id, *added, true);
  held.changed(added->index) = Halo::Changed::all;
  return {};
}

void DistributedWorld::State::insert(GlobalId id, BodyId body, bool is_owned_here) {
  const std::size_t end = std::max<std::size_t>(bodies.size(), body.index + std::size_t{1});
  bodies.resize(end);
  boxes.resize(end);
  met_others.resize(end);
  bodies[body.index] = body;
  met_others[body.index] = has_bullets || had_bullets ? met_other_parts | was_bullet : met_other_parts;
  held.insert(body.index, id, is_owned_here);
}

// Stages.

Result<void> DistributedWorld::State::move_cuts(const detail::Agreement& agreement) {
  const std::vector<Vec2> points = balance.sample(
      held.owned_count(), [this](const auto& visit) { held.for_each_owned(visit); },
      [this](Place place) { return local.bounds(bodies[place]).value().min; });
  auto partition = balance.moved(halo.partition(), agreement, points);
  if (!partition.has_value()) {
    return partition.error();
  }
  halo.set_partition(std::move(*partition));
  return {};
}

/// Sends an owned body to the parts that hold it or will do so. Copies that move freely need nothing.
void DistributedWorld::State::send(Place place, const detail::MoreHolders& also, std::vector<BodyId>& gone) {
  const Aabb box = local.bounds(bodies[place]).value();
  const auto write_all = [&](ByteWriter& out, Halo::What) { write(out, place); };
  const auto change = std::exchange(held.changed(place), Halo::Changed::nothing);
  const Halo::Stay stay = halo.update(place, held.ids()[place], box, change, write_all, also);
  held.set_meets_others(place, also.owner || !halo.is_inside(box));
  boxes[place] = box;
  if (stay == Halo::Stay::ghost) {
    held.set_owned(place, false);
  } else if (stay == Halo::Stay::gone) {
    gone.push_back(bodies[place]);
    held.erase(place);
  }
}

Result<void> DistributedWorld::State::settle() {
  Received received;
  const auto routes = find_routes();
  if (!routes.has_value()) {
    return routes.error();
  }
  std::uint32_t number = 0;
  auto next = routes->holders.begin();
  std::vector<int> holders;
  held.for_each_owned([&](Place place) {
    holders.clear();
    for (; next != routes->holders.end() && next->first == number; ++next) {
      holders.push_back(next->second);
    }
    ++number;
    const bool is_grouped = has_bullets && is_bullet(place);
    const auto owner = is_grouped ? std::optional(routes->groups.owner_of(held.ids()[place])) : std::nullopt;
    send(place, {owner, holders}, received.removed);
  });
  auto incoming = others.exchange(halo.take_messages());
  if (!incoming.has_value()) {
    return incoming.error();
  }
  auto is_read =
      detail::read_all(*incoming, "step", [&](ByteReader& in, std::size_t) { read(in, received); });
  return is_read.has_value() ? apply(received) : is_read;
}

void DistributedWorld::State::read(ByteReader& in, Received& received) {
  const auto what = static_cast<Halo::What>(in.take_below<std::uint8_t>(4));
  const GlobalId id{in.take<std::uint64_t>()};
  const auto place = held.find(id);
  const bool is_drop = what == Halo::What::drop;
  in.fail_if(id == Holdings::no_id || what == Halo::What::change || (place && held.is_owned(*place)) ||
             (is_drop && !place));
  if (in.failed()) {
    return;
  }
  if (place) {
    received.removed.push_back(bodies[*place]);
    held.erase(*place);
  }
  if (!is_drop) {
    const bool is_mine = what == Halo::What::own;
    received.added.push_back({id, is_mine, is_mine ? Halo::read_holders(in) : std::vector<int>()});
    std::vector<Touch> of_ghost;
    read_body(in, id, received.bodies, is_mine ? received.touches : of_ghost);
  }
}

Result<void> DistributedWorld::State::apply(const Received& received) {
  if (auto removed = local.remove(received.removed); !removed.has_value()) {
    return removed;
  }
  const auto added = detail::add_bodies(local, received.bodies);
  if (!added.has_value()) {
    return Error{ErrorCode::parse, "step: a damaged message: " + added.error().message};
  }
  for (std::size_t i = 0; i < added->size(); ++i) {
    const auto& [id, is_mine, holders] = received.added[i];
    const BodyId body = (*added)[i];
    insert(id, body, is_mine);
    if (is_mine) {
      held.take_over(body.index, local.bounds(body).value(), holders, halo);
    }
    if (received.bodies.defs[i].bullet) {
      held.set_meets_others(body.index, true);
    }
  }
  touches.insert(touches.end(), received.touches.begin(), received.touches.end());
  sort_touches();
  for (Place place = 0; place < bodies.size(); ++place) {
    if (held.ids()[place] != Holdings::no_id && held.meets_others(place)) {
      boxes[place] = local.bounds(bodies[place]).value();
    }
  }
  return {};
}

/// Tells whether this part reports a contact: if it owns the bullet; without one by the owner rule, if both
/// bodies meet other parts.
bool DistributedWorld::State::reports(Place a, Place b) const {
  if (has_bullets && (is_bullet(a) || is_bullet(b))) {
    return held.is_owned(is_bullet(a) ? a : b);
  }
  return !held.meets_others(a) || !held.meets_others(b) || answers(boxes[a], boxes[b]);
}

/// Keeps the contacts that this part reports.
Result<void> DistributedWorld::State::find_contacts() {
  std::vector<detail::ContactOwners::Touching> now;
  for (const BodyContact& contact : local.contacts()) {
    const Place a = contact.a.index;
    const Place b = contact.b.index;
    if (reports(a, b)) {
      const bool both_met_others = (met_others[a] & met_others[b] & met_other_parts) != 0;
      const bool with_bullet = ((met_others[a] | met_others[b]) & was_bullet) != 0;
      now.push_back({ordered_pair(held.ids()[a], held.ids()[b]), !both_met_others && !with_bullet});
    }
  }
  const auto is_here_alone = [this](GlobalId id) {
    const auto place = held.find_owned(id);
    return place && !held.meets_others(*place);
  };
  const auto may_be_bullet = [this](GlobalId id) {
    const auto place = held.find(id);
    return has_bullets && (!place || is_bullet(*place));
  };
  auto advanced = contacts.advance(std::move(now), [&](GlobalPair pair) {
    return (is_here_alone(pair.a) || is_here_alone(pair.b)) && !may_be_bullet(pair.a) &&
           !may_be_bullet(pair.b);
  });
  for (Place place = 0; place < met_others.size(); ++place) {
    met_others[place] = held.meets_others(place) ? met_other_parts : 0;
  }
  for (const BodyId bullet : detail::bullets(local)) {
    met_others[bullet.index] = met_other_parts | was_bullet;
  }
  had_bullets = has_bullets;
  return advanced;
}

Result<void> DistributedWorld::State::step(float seconds) {
  if (Error error = detail::check_step(local, seconds)) {
    static_cast<void>(balance.refuse(std::move(error)));
  }
  const auto agreement = agree();
  if (!agreement.has_value()) {
    return agreement.error();
  }
  if (balance.is_due(*agreement, halo.partition())) {
    if (auto moved = move_cuts(*agreement); !moved.has_value()) {
      return moved;
    }
  }
  detail::WorkClock clock;
  const bool moves_first = options.order.value_or(StepOrder::detect_first) == StepOrder::motion_first;
  if (moves_first) {
    local.integrate(seconds).value();  // `check_step` found no error
  }
  double work = clock.lap();
  if (auto settled = settle(); !settled.has_value()) {
    return settled;
  }
  static_cast<void>(clock.lap());
  give_touches();
  if (auto detected = local.detect(); !detected.has_value()) {
    return detected;
  }
  keep_touches();
  work += clock.lap();
  if (auto found = find_contacts(); !found.has_value()) {
    return found;
  }
  static_cast<void>(clock.lap());
  if (!moves_first) {
    local.integrate(seconds).value();
  }
  balance.add_work(work + clock.lap());
  const Halo::Counts counts = halo.take_counts();
  statistics.owned = held.owned_count();
  statistics.ghosts = held.ghost_count();
  statistics.contacts = contacts.touching().size();
  statistics.migrants = counts.migrants;
  statistics.ghost_records = counts.ghost_records;
  statistics.notices = contacts.notices();
  statistics.bytes = counts.bytes + contacts.bytes();
  statistics.rebalances = balance.count();
  statistics.imbalance = agreement->imbalance;
  return {};
}

// The public functions.

DistributedWorld::DistributedWorld(std::unique_ptr<State> state) : state_(std::move(state)) {}
DistributedWorld::~DistributedWorld() = default;

Result<std::unique_ptr<DistributedWorld>> DistributedWorld::create(Communicator& others,
                                                                   const WorldOptions& options) {
  auto world = World::create(options);
  if (!world.has_value()) {
    return world.error();
  }
  if (Error error = check_distributed(options)) {
    return error;
  }
  return std::unique_ptr<DistributedWorld>(
      new DistributedWorld(std::make_unique<State>(others, options, std::move(*world))));
}

Result<void> DistributedWorld::set_rebalance(const RebalanceOptions& options) {
  return state_->balance.set_options(options);
}

Result<GlobalId> DistributedWorld::add(const BodyDef& body) {
  const GlobalId id = GlobalId::of(state_->others.rank(), state_->next_counter);
  if (auto added = state_->add(id, body); !added.has_value()) {
    return added.error();
  }
  ++state_->next_counter;
  return id;
}

Result<void> DistributedWorld::add(GlobalId id, const BodyDef& body) {
  return state_->add(id, body);
}

Result<void> DistributedWorld::remove(GlobalId id) {
  State& state = *state_;
  const auto place = state.held.find_owned(id);
  if (!place) {
    return state.balance.refuse(detail::not_owned("body", id));
  }
  if (auto removed = state.local.remove(state.bodies[*place]); !removed.has_value()) {
    return state.balance.refuse(removed.error());
  }
  state.halo.drop(*place, id);
  state.held.erase(*place);
  return {};
}

Result<void> DistributedWorld::change(GlobalId id, FunctionRef<Result<void>(World&, BodyId)> change) {
  State& state = *state_;
  const auto place = state.held.find_owned(id);
  if (!place) {
    return state.balance.refuse(detail::not_owned("body", id));
  }
  const BodyId body = state.bodies[*place];
  const bool was_bullet = state.is_bullet(*place);
  const Result<void> changed = change(state.local, body);
  state.held.changed(*place) = Halo::Changed::all;
  if (!was_bullet && state.is_bullet(*place)) {
    state.append_touches(body);
    state.sort_touches();
  }
  return changed.has_value() ? changed : state.balance.refuse(changed.error());
}

std::span<const GlobalId> DistributedWorld::owned() const {
  return state_->held.owned();
}

bool DistributedWorld::owns(GlobalId id) const {
  return state_->held.find_owned(id).has_value();
}

Result<BodyId> DistributedWorld::body(GlobalId id) const {
  const auto place = state_->held.find_owned(id);
  return place ? Result<BodyId>(state_->bodies[*place]) : Result<BodyId>(detail::not_owned("body", id));
}

const World& DistributedWorld::world() const {
  return state_->local;
}

Result<void> DistributedWorld::step(float seconds) {
  return state_->step(seconds);
}

std::span<const GlobalPair> DistributedWorld::touching() const {
  return state_->contacts.touching();
}

std::span<const GlobalPair> DistributedWorld::begun() const {
  return state_->contacts.begun();
}

std::span<const GlobalPair> DistributedWorld::ended() const {
  return state_->contacts.ended();
}

const Partition& DistributedWorld::partition() const {
  return state_->halo.partition();
}

DistributedWorldStatistics DistributedWorld::statistics() const {
  return state_->statistics;
}

}  // namespace broadside::inline v0_2
