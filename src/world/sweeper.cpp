#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "base/by_key.hpp"
#include "base/reserve.hpp"
#include "broadside/contact/collide.hpp"
#include "world/measures.hpp"
#include "world/sweeper.hpp"
#include "world/world_bytes.hpp"

namespace broadside::inline v0_2 {

using detail::to_point;

// Bodies.

void Sweeper::reserve(std::size_t places, std::size_t bullets) {
  starts_.reserve(places);
  is_sweeper_.reserve(places);
  detail::reserve(bullets_, bullets_.size() + bullets);
}

void Sweeper::grow_to(std::size_t places) {
  if (keeps_starts()) {
    starts_.resize(places);
    is_sweeper_.resize(places);
  }
}

bool Sweeper::reset_start(Place body) {
  if (!keeps_starts()) {
    return false;
  }
  const Vec2 position = bodies_.transform(body).position;
  // Also if they are equal: a snapshot tells 0 from -0.
  return std::exchange(starts_[body], position) != position;
}

void Sweeper::restore_start(Place body, Vec2 start) {
  if (!starts_.empty()) {
    starts_[body] = start;
  }
}

void Sweeper::list_starts() {
  for (const Transform& transform : bodies_.transforms()) {
    starts_.push_back(transform.position);
  }
  is_sweeper_.resize(starts_.size());
}

void Sweeper::keep_starts(bool keep) {
  if (keep && !keeps_starts()) {
    list_starts();
  }
  keeps_all_ = keep;
  if (!keeps_starts()) {
    starts_.clear();
  }
}

void Sweeper::add_bullet(Place body) {
  if (!keeps_starts()) {
    list_starts();
  }
  bullets_.insert(std::lower_bound(bullets_.begin(), bullets_.end(), body), body);
  starts_[body] = bodies_.transform(body).position;
}

void Sweeper::remove_bullet(Place body) {
  bullets_.erase(std::lower_bound(bullets_.begin(), bullets_.end(), body));
  if (!keeps_starts()) {
    starts_.clear();
  }
}

void Sweeper::forget_stop(Place body) {
  std::erase_if(stops_, [body](const Stop& stop) { return stop.body == body; });
}

// Motion.

void Sweeper::reserve_fast(std::size_t more) {
  if (bounces()) {
    detail::reserve(fast_, fast_.size() + more);
  }
}

/// Tells whether a body that bounces moved so far that it may have tunneled through an obstacle.
bool Sweeper::is_fast(Place body, Vec2 from) const {
  const BodyTable::Slot& slot = bodies_.slot(body);
  if (!bounces() || slot.type != BodyType::dynamic || slot.sensor) {
    return false;
  }
  const detail::Point displacement = to_point(bodies_.transform(body).position) - to_point(from);
  double smallest = std::numeric_limits<double>::infinity();
  bodies_.for_each_part(body, [&](Place part) {
    smallest = std::min(smallest, static_cast<double>(bodies_.shorter_side(part)));
  });
  return 16.0 * dot(displacement, displacement) > smallest * smallest;
}

void Sweeper::note_motion(Place body, Vec2 from) {
  if (is_fast(body, from)) {
    fast_.push_back(body);
    starts_[body] = from;
  }
}

void Sweeper::sort_fast() {
  std::sort(fast_.begin(), fast_.end());
  fast_.erase(std::unique(fast_.begin(), fast_.end()), fast_.end());
}

// A step.

void Sweeper::set_earlier_normals(std::vector<EarlierNormal> normals) {
  earlier_normals_ = std::move(normals);
  std::sort(earlier_normals_.begin(), earlier_normals_.end(), detail::by_key(&EarlierNormal::first));
}

/// Returns the normal of a contact of the last step.
std::optional<Vec2> Sweeper::normal_before(Pair pair) const {
  const auto at = std::lower_bound(earlier_normals_.begin(), earlier_normals_.end(), pair,
                                   [](const EarlierNormal& one, Pair other) { return one.first < other; });
  if (at != earlier_normals_.end() && at->first == pair) {
    return at->second;
  }
  const bool existed = !changes_.has(pair, ChangeList::reassigned);
  const Contact* before = existed ? contacts_.find(pair) : nullptr;
  return before != nullptr ? std::optional(before->manifold.normal) : std::nullopt;
}

/// Lists the bodies that are swept in this step: bullets and fast bodies.
void Sweeper::find_sweepers() {
  for (const Place body : sweepers_) {
    is_sweeper_[body] = 0;  // left there by a step that failed
  }
  sweepers_.clear();
  std::set_union(bullets_.begin(), bullets_.end(), fast_.begin(), fast_.end(), std::back_inserter(sweepers_));
  for (const Place body : sweepers_) {
    is_sweeper_[body] = 1;
  }
}

bool Sweeper::sweep(std::span<const Pair> pairs, std::span<const Contact> touching,
                    std::vector<Contact>& joined) {
  new_times_.clear();
  new_stops_.clear();
  moved_bodies_.clear();
  if (starts_.empty()) {
    return false;
  }
  for (const Place place : changes_.changed()) {
    if (bodies_.is_body(place) && is_swept(place)) {
      moved_bodies_.push_back(place);
    }
  }
  if (!sweeps_any()) {
    return false;
  }
  find_sweepers();
  swept_.clear();
  stop_times_.assign(sweepers_.size(), never);
  stop_pairs_.resize(sweepers_.size());
  for (const Pair pair : pairs) {
    if ((sweeps(pair.a) || sweeps(pair.b)) && (is_swept(pair.a) || is_swept(pair.b))) {
      swept_.push_back({pair});
      sweep_from(swept_.back(), 0.0F);
    }
  }
  find_seams();
  meet_in_order();
  join(pairs, touching, joined);
  level_seams(joined);
  for (std::size_t i = 0; i < sweepers_.size(); ++i) {
    if (stop_times_[i] != never) {
      new_stops_.push_back({sweepers_[i], stop_times_[i], starts_[sweepers_[i]], stop_pairs_[i]});
    }
    is_sweeper_[sweepers_[i]] = 0;
  }
  stop_times_.clear();
  return true;
}

// Processes the hits in order of time. The first solid hits stop a sweeper and cancel its later hits; its
// other pairs are then swept again, with the body at rest. All hits at one time count, so their order does
// not matter.
void Sweeper::meet_in_order() {
  expected_hits_.clear();
  const auto expect = [this](std::size_t i) {
    if (swept_[i].is_expected()) {
      expected_hits_.emplace_back(swept_[i].hit->fraction, i);
      std::push_heap(expected_hits_.begin(), expected_hits_.end(), std::greater<>());
    }
  };
  for (std::size_t i = 0; i < swept_.size(); ++i) {
    expect(i);
  }
  while (!expected_hits_.empty()) {
    meet_next();
    for (const std::size_t i : stopping_) {
      sweep_from(swept_[i], swept_[i].since);
    }
    std::sort(met_.begin(), met_.end());  // each once, though several hits may have stopped it
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
    for (const Place body : met_) {
      find_lift(body);
    }
    for (const std::size_t i : stopping_) {
      find_seam(swept_[i]);
      expect(i);
    }
  }
}

/// Takes the hits with the least time. Lists the sweepers that they meet, and the pairs to be swept again
/// from this time on.
void Sweeper::meet_next() {
  met_.clear();
  stopping_.clear();
  const float time = expected_hits_.front().first;
  const auto stop = [&](Place body, Pair pair) {
    stop_times_[sweeper_number(body)] = time;
    stop_pairs_[sweeper_number(body)] = pair;
    for (const auto& [of, i] : swept_with(body)) {
      if (!swept_[i].is_confirmed && !(swept_[i].is_expected() && swept_[i].hit->fraction <= time)) {
        stopping_.push_back(i);
      }
    }
  };
  while (!expected_hits_.empty() && expected_hits_.front().first == time) {
    const std::size_t at = expected_hits_.front().second;
    std::pop_heap(expected_hits_.begin(), expected_hits_.end(), std::greater<>());
    expected_hits_.pop_back();
    Swept& one = swept_[at];
    if (!one.is_expected() || one.hit->fraction != time) {
      continue;  // a sweeper of the pair was stopped since
    }
    one.is_confirmed = true;
    for (const Place place : {one.pair.a, one.pair.b}) {
      const Place body = bodies_.owner(place);
      if (sweeps(body) && is_solid(one.pair)) {
        met_.push_back(body);
        if (time_of_stop(body) == never) {
          stop(body, one.pair);
        }
      }
    }
  }
  for (const std::size_t i : stopping_) {
    swept_[i].since = time;
  }
}

/// Merges the hits on the paths with the contacts at their ends.
void Sweeper::join(std::span<const Pair> pairs, std::span<const Contact> touching,
                   std::vector<Contact>& joined) {
  joined.clear();
  bullet_touches_.clear();
  auto old = touching.begin();
  auto swept = swept_.begin();
  for (const Pair pair : pairs) {
    const bool touches = old != touching.end() && old->pair == pair;
    Manifold manifold = touches ? old->manifold : Manifold{};
    old += touches ? 1 : 0;
    bool is_confirmed = false;
    if (swept != swept_.end() && swept->pair == pair) {
      const Swept& one = *swept++;
      is_confirmed = one.is_confirmed;
      if (is_confirmed) {
        manifold = {};
        manifold.normal = -one.hit->normal;
        manifold.size = 1;
        manifold.points[0].position = one.hit->point;
        new_times_.emplace_back(bodies_.owners(pair), one.hit->fraction);
      } else if (time_of_stop(bodies_.owner(pair.a)) != never ||
                 time_of_stop(bodies_.owner(pair.b)) != never) {
        manifold = collide(bodies_.shape(pair.a), end_of(pair.a), bodies_.shape(pair.b), end_of(pair.b));
      }
      if (one.is_seam && !is_confirmed && !slides(pair, one.since, manifold.normal)) {
        continue;
      }
    }
    if (manifold.touching()) {
      list_touch({pair, manifold}, is_confirmed, joined.size());
      joined.push_back({pair, manifold});
    }
  }
  std::sort(new_times_.begin(), new_times_.end());
  const auto is_repeated = [](const auto& x, const auto& y) { return x.first == y.first; };
  new_times_.erase(std::unique(new_times_.begin(), new_times_.end(), is_repeated), new_times_.end());
}

/// Lists a contact at the end of the step for each of its sweepers.
void Sweeper::list_touch(const Contact& contact, bool is_confirmed, std::size_t number) {
  const auto& [pair, manifold] = contact;
  if (!is_solid(pair)) {
    return;  // nothing stands on a sensor
  }
  for (const auto& [place, outward] :
       {std::pair(pair.a, manifold.normal), std::pair(pair.b, -manifold.normal)}) {
    if (sweeps(place)) {
      bullet_touches_.push_back({bodies_.owner(place), number, outward, deepest(manifold), is_confirmed});
    }
  }
}

// A sweeper on a row of tiles may touch the corner of the next tile, where the normal is ambiguous. If it
// would not touch that tile once lifted off the surface that it stands on, it gets the normal of that
// surface. The normal of a hit on the path is not ambiguous.
void Sweeper::level_seams(std::span<Contact> joined) {
  order_.clear();
  for (std::size_t i = 0; i < bullet_touches_.size(); ++i) {
    const BulletTouch& touch = bullet_touches_[i];
    const Vec2 at = bodies_.transform(touch.body).position;
    order_.push_back({{at.x, at.y, touch.separation, touch.normal.x, touch.normal.y}, i});
  }
  detail::sort(order_);
  for (std::span<const detail::Ordered> rest = order_; !rest.empty();) {
    const auto end = std::find_if(rest.begin(), rest.end(), [rest](const detail::Ordered& one) {
      return one.key[0] != rest[0].key[0] || one.key[1] != rest[0].key[1];
    });
    const auto near = rest.first(static_cast<std::size_t>(end - rest.begin()));
    for (const detail::Ordered& one : near) {
      const BulletTouch& touch = bullet_touches_[one.index];
      if (!touch.is_confirmed) {
        level_seam(touch, near, joined[touch.contact]);
      }
    }
    rest = rest.subspan(near.size());
  }
}

/// @param near touches of this body and of others at the same position; the deepest first
void Sweeper::level_seam(const BulletTouch& touch, std::span<const detail::Ordered> near,
                         Contact& contact) const {
  constexpr float alike = 0.5F;  // normals closer than 60 degrees are no seam
  const bool is_a = bodies_.owner(contact.pair.a) == touch.body;
  const Place part = is_a ? contact.pair.a : contact.pair.b;
  const Place obstacle = is_a ? contact.pair.b : contact.pair.a;
  const auto height = static_cast<float>(lift_height(touch.body, leg_of(touch.body, 0.0F)));
  const auto levels = [&](Vec2 normal, float depth) {
    if (dot(touch.normal, normal) > alike) {
      return false;
    }
    Transform lifted = end_of(part);
    lifted.position = lifted.position - (height + depth) * normal;
    if (broadside::overlaps(bodies_.shape(part), lifted, bodies_.shape(obstacle), end_of(obstacle))) {
      return false;
    }
    contact.manifold.normal = is_a ? normal : -normal;
    return true;
  };
  for (const detail::Ordered& one : near) {
    const BulletTouch& other = bullet_touches_[one.index];
    if (other.body == touch.body && other.contact != touch.contact &&
        levels(other.normal, -other.separation)) {
      return;
    }
  }
  // The surface that it slid along may end exactly here.
  if (const Vec2 lift = lifts_[sweeper_number(touch.body)].direction; lift != Vec2{}) {
    levels(static_cast<float>(-1.0 / length(to_point(lift))) * lift, -touch.separation);
  }
}

float Sweeper::time(Pair pair) const {
  const auto at =
      std::lower_bound(times_.begin(), times_.end(), pair,
                       [](const std::pair<Pair, float>& one, Pair other) { return one.first < other; });
  return at != times_.end() && at->first == pair ? at->second : 1.0F;
}

// Snapshots.

void Sweeper::write_starts(detail::ByteWriter& out) const {
  if (has_sweepers()) {
    bodies_.for_each_body([&](Place body) { out.put(starts_[body]); });
  }
}

void Sweeper::read_starts(detail::ByteReader& in) {
  if (!keeps_starts()) {
    return;
  }
  bodies_.for_each_body([&](Place body) {
    starts_[body] = in.take_vec2();
    in.fail_if(!is_finite(starts_[body]));
  });
}

void Sweeper::write_hits(detail::ByteWriter& out) const {
  out.put_count(times_.size());
  for (const auto& [pair, time] : times_) {
    put(out, pair);
    out.put(time);
  }
  out.put_count(stops_.size());
  for (const Stop& stop : stops_) {
    out.put_words(stop);
  }
}

void Sweeper::read_hits(detail::ByteReader& in) {
  const std::size_t places = bodies_.places();
  times_ = take_all(in, 12, [&] { return std::pair{take_pair(in, places), take_share(in)}; });
  stops_ = take_all(in, 24, [&] {
    const Stop stop{in.take_below<Place>(places), take_share(in), in.take_vec2(), take_pair(in, places)};
    in.fail_if(in.failed() || !bodies_.is_body(stop.body) || !is_finite(stop.from));
    return stop;
  });
  in.fail_if(!detail::is_ascending(times_, &std::pair<Pair, float>::first) ||
             !detail::is_ascending(stops_, &Stop::body));
}

std::size_t Sweeper::bytes() const {
  return detail::bytes_of(starts_, bullets_, fast_, saved_fast_, sweepers_, is_sweeper_, swept_, swept_of_,
                          expected_hits_, stopping_, met_, surfaces_, lifts_, stop_times_, stop_pairs_,
                          moved_bodies_, order_, bullet_touches_, earlier_normals_, stops_, new_stops_,
                          times_, new_times_);
}

}  // namespace broadside::inline v0_2
