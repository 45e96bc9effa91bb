#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "broadside/world/world.hpp"
#include "world/tags.hpp"

namespace broadside {

[[nodiscard]] inline ContactEnd turned(const ContactEnd& end) {
  return {end.b, end.a, end.cause};
}

/// Those who listen to contacts, by the tags of bodies. Each holds a use of its tags.
class Listeners {
 public:
  /// In the place of a tag: a listener who waits for all.
  static constexpr std::uint32_t any_tag = ~std::uint32_t{0};

  /// One who listens. Kept at one place in memory: it may be running when others are added.
  struct Listener {
    World::ListenerId id = 0;
    std::uint32_t tag_a = 0;  ///< number of a tag, or `any_tag`
    std::uint32_t tag_b = 0;
    bool wants_begin = false;
    bool wants_contact = false;
    World::ContactListener on_contact;
    World::EndListener on_end;
    bool removed = false;

    /// Tells whether it waits for two tags, in this order.
    [[nodiscard]] bool fits(std::uint32_t a, std::uint32_t b) const {
      return !removed && (tag_a == any_tag || tag_a == a) && (tag_b == any_tag || tag_b == b);
    }
  };

  explicit Listeners(Tags& tags) : tags_(tags) {}

  /// Returns all, in the order in which they came, those that were removed while listeners are told included.
  [[nodiscard]] std::span<const std::unique_ptr<Listener>> all() const { return all_; }
  [[nodiscard]] bool contains(World::ListenerId listener) const;

  /// Reserves memory for one more.
  void reserve_one();
  /// Adds one, which holds its tags already; returns its id. @pre memory was reserved
  World::ListenerId add(std::unique_ptr<Listener> listener);
  /// Removes a listener. While listeners are told it stays, and is not called. @pre it is there
  void remove(World::ListenerId listener);

  /// Makes listeners that want nothing, with the tags of another world's. @pre there are none
  void stand_in_for(const Listeners& others);
  /// Takes over those for whom these stood in. Cannot fail.
  void take_over(Listeners& others);

  // Questions. Each costs O(listeners).

  /// Tells whether one waits for two tags, in either order.
  [[nodiscard]] bool is_heard(std::uint32_t tag_a, std::uint32_t tag_b) const;
  /// Returns the tags that those who wait for one tag wait for beside it: bits, by number modulo 64.
  [[nodiscard]] std::uint64_t tags_heard_by(std::uint32_t tag) const;
  [[nodiscard]] bool any_wants_contact() const;
  [[nodiscard]] bool any_wants_begin() const;

  // Telling.

  [[nodiscard]] bool is_dispatching() const { return is_telling_; }
  /// Makes `may_hear` ready.
  void prepare();
  void begin_dispatch() { is_telling_ = true; }
  /// Drops those who were removed meanwhile.
  void end_dispatch();
  /// Calls none from here on.
  void abandon() { is_abandoned_ = true; }
  /// Returns false where surely no one waits for two tags. @pre it is prepared
  [[nodiscard]] bool may_hear(std::uint32_t tag_a, std::uint32_t tag_b) const {
    return tag_a >= heard_.size() || ((heard_[tag_a] >> (tag_b % 64)) & 1U) != 0;
  }
  /// Calls `call` with those of the first `count` listeners whom two tags concern and with the event, for
  /// each way round in which the tags fit.
  template <typename Event, typename Call>
  void for_each_concerned(const Event& event, std::uint32_t tag_a, std::uint32_t tag_b, std::size_t count,
                          Call call) const;

 private:
  void drop_removed();

  Tags& tags_;
  std::vector<std::unique_ptr<Listener>> all_;
  World::ListenerId next_id_ = 1;
  bool is_telling_ = false;
  bool is_abandoned_ = false;
  std::vector<std::uint64_t> heard_;  ///< by tag, the tags that its listeners wait for
};

template <typename Event, typename Call>
void Listeners::for_each_concerned(const Event& event, std::uint32_t tag_a, std::uint32_t tag_b,
                                   std::size_t count, Call call) const {
  for (std::size_t k = 0; k < count; ++k) {
    const Listener& listener = *all_[k];
    const bool as_it_is = !is_abandoned_ && listener.fits(tag_a, tag_b);
    if (as_it_is) {
      call(listener, event);
    }
    if (!is_abandoned_ && listener.fits(tag_b, tag_a) && !(as_it_is && listener.tag_a == listener.tag_b)) {
      call(listener, turned(event));
    }
  }
}

}  // namespace broadside
