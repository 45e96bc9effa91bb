#include "broadside/broad_phase/box_store.hpp"

#include <algorithm>
#include <string>

#include "base/hash_mixer.hpp"
#include "base/numbering.hpp"
#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

/// The kinds of the boxes, with reference counts. The first ones, with the default filter of each type,
/// always exist and are not counted; for all others, each box of the kind is a use.
struct BoxStore::Kinds {
  struct Hash {
    std::uint32_t operator()(const BoxKind& kind) const {
      return detail::HashMixer(detail::FilterHash()(kind.filter))
          .add(static_cast<std::uint64_t>(kind.type))
          .short_hash();
    }
  };

  Kinds() {
    for (const BodyType type : {BodyType::static_body, BodyType::kinematic, BodyType::dynamic}) {
      numbers.use(BoxKind{type, {}});
    }
  }

  detail::Interner<BoxKind, Hash> numbers;
};

BoxStore::BoxStore() : kinds_(std::make_unique<Kinds>()) {}
BoxStore::~BoxStore() = default;

std::span<const BoxKind> BoxStore::kinds() const {
  return kinds_->numbers.values();
}

Filter BoxStore::filter(BoxIndex index) const {
  Filter filter = kinds()[kind_number(index)].filter;
  filter.group = group(index);
  return filter;
}

bool BoxStore::filters_allow(BoxIndex a, BoxIndex b) const {
  const auto all = kinds();
  const BoxKind& first = all[kind_number(a)];
  const BoxKind& second = all[kind_number(b)];
  return can_touch(first.type, second.type) &&
         detail::may_touch(first.filter, group(a), second.filter, group(b));
}

BoxKind BoxStore::without_group(BoxKind kind) {
  kind.filter.group = kind.filter.group > 0 ? 1 : 0;
  return kind;
}

Result<BoxStore::NumberedKind> BoxStore::use_kind(const BoxKind& kind) {
  constexpr std::size_t max_kinds = 65'000;
  auto& numbers = kinds_->numbers;
  if (numbers.size() >= max_kinds && !numbers.find(kind)) {
    return Error{ErrorCode::invalid_argument, "the boxes have " + std::to_string(max_kinds) +
                                                  " different filters already; that is the most"};
  }
  const std::uint32_t end = numbers.end();
  const std::size_t size = numbers.size();
  const auto number = static_cast<std::uint16_t>(numbers.use(kind));
  return NumberedKind{number, numbers.end() == end && numbers.size() > size};
}

void BoxStore::release_kind(std::uint16_t number) {
  if (number >= plain_kinds) {
    kinds_->numbers.release_number(number);
  }
}

void BoxStore::reserve(std::size_t more, bool any_group) {
  const std::size_t all = boxes_.size() + more - std::min(free_.size(), more);
  detail::reserve_growth(all, boxes_.size(), more, types_, used_, boxes_, kind_numbers_);
  if (any_group || !groups_.empty()) {
    groups_.resize(all);
  }
}

BoxIndex BoxStore::add(const Aabb& box, KindAndGroup kind) {
  BoxIndex index = 0;
  if (free_.empty()) {
    index = static_cast<BoxIndex>(boxes_.size());
    boxes_.push_back(box);
    types_.emplace_back();
    used_.push_back(1);
    kind_numbers_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
    boxes_[index] = box;
    used_[index] = 1;
  }
  set_kind(index, kind);
  return index;
}

void BoxStore::set_kind(BoxIndex index, KindAndGroup both) {
  const auto [kind, group] = both;
  types_[index] = kinds()[kind].type;
  if (group != 0) {
    has_filters_ = true;
  }
  if (!groups_.empty()) {
    groups_[index] = group;
  }
  if (kind >= plain_kinds) {
    kinds_->numbers.add_reference(kind);
    has_filters_ = true;
  } else if (kind == static_cast<std::uint16_t>(BodyType::kinematic)) {
    has_plain_kinematic_ = true;
  }
  kind_numbers_[index] = kind;
}

void BoxStore::append_overlapping(const Aabb& area, std::vector<BoxIndex>& hits) const {
  for_each([&](BoxIndex index) {
    if (overlaps(boxes_[index], area)) {
      hits.push_back(index);
    }
  });
}

void BoxStore::reserve_free(std::size_t more) {
  detail::reserve(free_, free_.size() + more);
}

void BoxStore::free(BoxIndex index) {
  used_[index] = 0;
  free_.push_back(index);
}

// Boxes already seen are marked as unused until the end.
Error BoxStore::check_unique(std::span<const BoxIndex> indices, std::string_view call) {
  std::size_t good = 0;
  for (; good < indices.size() && contains(indices[good]); ++good) {
    used_[indices[good]] = 0;
  }
  for (std::size_t i = 0; i < good; ++i) {
    used_[indices[i]] = 1;
  }
  if (good == indices.size()) {
    return {};
  }
  const BoxIndex bad = indices[good];
  if (!contains(bad)) {
    return stale(bad);
  }
  const auto first = std::find(indices.begin(), indices.end(), bad) - indices.begin();
  return {ErrorCode::invalid_argument, std::string(call) + ": box " + std::to_string(bad) +
                                           " is named twice, at places " + std::to_string(first) + " and " +
                                           std::to_string(good) + "; each box may be named once"};
}

Error BoxStore::stale(BoxIndex index) {
  return {ErrorCode::stale_id,
          "box " + std::to_string(index) + " is not in this broad phase; it was removed or never added"};
}

std::size_t BoxStore::bytes() const {
  return detail::bytes_of(boxes_, types_, used_, kind_numbers_, groups_, free_) + kinds_->numbers.bytes();
}

}  // namespace broadside::inline v0_2
