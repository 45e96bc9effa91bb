#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "broadside/world/world.hpp"
#include "world/tags.hpp"

namespace broadside::inline v0_2 {

[[nodiscard]] inline ContactEnd swapped(const ContactEnd& end) {
  return {end.b, end.a, end.cause};
}

/// The listeners of a world, by the tags of bodies. Each counts as a use of its tags.
class Listeners {
 public:
  /// The number of a tag that matches all bodies.
  static constexpr std::uint32_t any_tag = ~std::uint32_t{0};

  /// The events that a listener is called for.
  enum class Wants : std::uint8_t { contacts, begins, stays, ends };

  /// A listener. It keeps its address: it may be running when others are added.
  struct Listener {
    ListenerId id;
    std::uint32_t tag_a = 0;  ///< number of a tag, or `any_tag`
    std::uint32_t tag_b = 0;
    Wants wants = Wants::ends;
    World::ContactListener on_contact;
    World::EndListener on_end;
    bool removed = false;

    /// Tells whether it matches two tags, in this order.
    [[nodiscard]] bool fits(std::uint32_t a, std::uint32_t b) const {
      return !removed && (tag_a == any_tag || tag_a == a) && (tag_b == any_tag || tag_b == b);
    }
  };

  explicit Listeners(Tags& tags) : tags_(tags) {}

  /// Returns all listeners in the order of `add`, including those removed during the current dispatch.
  [[nodiscard]] std::span<const std::unique_ptr<Listener>> all() const { return all_; }
  [[nodiscard]] bool contains(ListenerId listener) const;

  /// Reserves memory for one more listener.
  void reserve_one() { detail::reserve(all_, all_.size() + 1); }
  /// Adds a listener that holds its tags already; returns its id. @pre memory was reserved
  ListenerId add(std::unique_ptr<Listener> listener);
  /// Removes a listener. During a dispatch it stays in the list, but is not called. @pre it exists
  void remove(ListenerId listener);

  /// Adds placeholders with the ids and tags of another world's listeners. @pre there are no listeners
  void add_placeholders(const Listeners& others);
  /// Replaces the placeholders by the listeners that they stand for. Cannot fail.
  void take_over(Listeners& others);

  // Queries. Each costs O(listeners).

  /// Tells whether a listener matches two tags, in either order.
  [[nodiscard]] bool has_listener(std::uint32_t tag_a, std::uint32_t tag_b) const;
  /// Returns the other tag of each listener that matches a tag, as bits by number modulo 64.
  [[nodiscard]] std::uint64_t tags_matching(std::uint32_t tag) const;
  [[nodiscard]] bool any_wants(Wants wants) const;

  // Dispatch.

  [[nodiscard]] bool is_dispatching() const { return is_dispatching_; }
  /// Builds the table of `may_match`.
  void prepare();
  void begin_dispatch() { is_dispatching_ = true; }
  /// Drops the listeners that were removed meanwhile.
  void end_dispatch();
  /// Returns false only if no listener matches two tags, as an early-out test. @pre `prepare` was called
  [[nodiscard]] bool may_match(std::uint32_t tag_a, std::uint32_t tag_b) const {
    return tag_a >= matching_tags_.size() || ((matching_tags_[tag_a] >> (tag_b % 64)) & 1U) != 0;
  }
  /// Calls `call(listener, event)` for each of the first `count` listeners that match two tags: once per
  /// matching order, with the event reversed for the second one.
  template <typename Event, typename Call>
  void for_each_match(const Event& event, std::uint32_t tag_a, std::uint32_t tag_b, std::size_t count,
                      Call call) const;

  /// Returns the bytes held, without what the listeners' functions hold.
  [[nodiscard]] std::size_t bytes() const;

 private:
  void drop_removed();

  Tags& tags_;
  std::vector<std::unique_ptr<Listener>> all_;
  bool is_dispatching_ = false;
  std::vector<std::uint64_t> matching_tags_;  ///< `tags_matching` of each tag
};

template <typename Event, typename Call>
void Listeners::for_each_match(const Event& event, std::uint32_t tag_a, std::uint32_t tag_b,
                               std::size_t count, Call call) const {
  for (std::size_t k = 0; k < count; ++k) {
    const Listener& listener = *all_[k];
    const bool as_it_is = listener.fits(tag_a, tag_b);
    if (as_it_is) {
      call(listener, event);
    }
    if (listener.fits(tag_b, tag_a) && !(as_it_is && listener.tag_a == listener.tag_b)) {
      call(listener, swapped(event));
    }
  }
}

}  // namespace broadside::inline v0_2
