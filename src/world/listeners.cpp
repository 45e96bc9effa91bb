#include "world/listeners.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

bool Listeners::contains(ListenerId listener) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const auto& one) { return one->id == listener && !one->removed; });
}

ListenerId Listeners::add(std::unique_ptr<Listener> listener) {
  static std::atomic<std::uint32_t> last = 0;  // of all worlds, so that none takes the id of another's
  listener->id = {++last};
  all_.push_back(std::move(listener));
  return all_.back()->id;
}

void Listeners::remove(ListenerId listener) {
  const auto at =
      std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one->id == listener; });
  (*at)->removed = true;
  if (!is_dispatching_) {
    drop_removed();
  }
}

void Listeners::drop_removed() {
  std::erase_if(all_, [this](const auto& listener) {
    if (listener->removed) {
      for (const std::uint32_t tag : {listener->tag_a, listener->tag_b}) {
        if (tag != any_tag) {
          tags_.release_number(tag);
        }
      }
    }
    return listener->removed;
  });
}

void Listeners::end_dispatch() {
  is_dispatching_ = false;
  drop_removed();
}

void Listeners::add_placeholders(const Listeners& others) {
  const auto same_tag = [&](std::uint32_t tag) {
    return tag == any_tag ? any_tag : tags_.use(others.tags_[tag]);
  };
  for (const auto& listener : others.all_) {
    auto stand_in = std::make_unique<Listener>();
    stand_in->id = listener->id;
    stand_in->tag_a = same_tag(listener->tag_a);
    stand_in->tag_b = same_tag(listener->tag_b);
    all_.push_back(std::move(stand_in));
  }
}

void Listeners::take_over(Listeners& others) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    others.all_[i]->tag_a = all_[i]->tag_a;
    others.all_[i]->tag_b = all_[i]->tag_b;
  }
  all_ = std::move(others.all_);
}

bool Listeners::has_listener(std::uint32_t tag_a, std::uint32_t tag_b) const {
  return std::any_of(all_.begin(), all_.end(), [&](const auto& listener) {
    return listener->fits(tag_a, tag_b) || listener->fits(tag_b, tag_a);
  });
}

std::uint64_t Listeners::tags_matching(std::uint32_t tag) const {
  std::uint64_t bits = 0;
  for (const auto& listener : all_) {
    if (listener->removed) {
      continue;
    }
    for (const auto& [own, other] :
         {std::pair{listener->tag_a, listener->tag_b}, std::pair{listener->tag_b, listener->tag_a}}) {
      if (own == tag || own == any_tag) {
        bits |= other == any_tag ? ~std::uint64_t{0} : std::uint64_t{1} << (other % 64);
      }
    }
  }
  return bits;
}

bool Listeners::any_wants(Wants wants) const {
  return std::any_of(all_.begin(), all_.end(),
                     [wants](const auto& listener) { return listener->wants == wants; });
}

void Listeners::prepare() {
  detail::reserve(matching_tags_, tags_.end());
  matching_tags_.clear();
  for (std::uint32_t tag = 0; tag < tags_.end(); ++tag) {
    matching_tags_.push_back(tags_matching(tag));
  }
}

std::size_t Listeners::bytes() const {
  return detail::bytes_of(all_, matching_tags_) + all_.size() * sizeof(Listener);
}

}  // namespace broadside::inline v0_2
