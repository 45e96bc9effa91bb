#include "broadside/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/hash_mixer.hpp"
#include "base/numbering.hpp"
#include "base/reserve.hpp"
#include "broadside/base/detail/try_alloc.hpp"
#include "broadside/base/validate.hpp"
#include "index_kernel.hpp"

namespace broadside {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t least_boxes = 16384;  // that are worth a task
constexpr std::uint16_t plain_classes = 3;  // one for each type, with the default filter

}  // namespace

/// The filter classes of the boxes, with reference counts. The first ones, with the default filter of each
/// type, always exist and are not counted; for all others, each box of the class is a use.
struct BroadPhase::Classes {
  struct Hash {
    std::uint32_t operator()(const FilterClass& one) const {
      return detail::HashMixer()
          .add(static_cast<std::uint64_t>(one.type))
          .add(one.filter.layer)
          .add(one.filter.mask)
          .add(one.filter.wants)
          .add(static_cast<std::uint64_t>(one.filter.group))
          .add(one.filter.tags)
          .add(one.filter.report_tags)
          .short_hash();
    }
  };

  Classes() {
    for (const BodyType type : {BodyType::static_body, BodyType::kinematic, BodyType::dynamic}) {
      numbers.use(FilterClass{type, {}});
    }
  }

  detail::Interner<FilterClass, Hash> numbers;
};

/// References to classes that a call holds until boxes use them, and releases at its end.
class BroadPhase::ClassUses {
 public:
  explicit ClassUses(BroadPhase& boxes) : boxes_(boxes) {}
  ~ClassUses() {
    for (const std::uint16_t number : held_) {
      boxes_.filter_classes_->numbers.release_number(number);
    }
  }
  ClassUses(const ClassUses&) = delete;
  ClassUses& operator=(const ClassUses&) = delete;

  /// Adds a reference to the class of a type and a filter; returns its number.
  Result<std::uint16_t> hold(BodyType type, const Filter& filter) {
    constexpr std::size_t most = 65'000;
    if (filter == Filter{}) {
      return static_cast<std::uint16_t>(type);
    }
    auto& numbers = boxes_.filter_classes_->numbers;
    const FilterClass wanted{type, filter};
    if (numbers.size() >= most && !numbers.find(wanted)) {
      return Error{ErrorCode::invalid_argument,
                   "the boxes have " + std::to_string(most) + " different filters already; that is the most"};
    }
    detail::reserve(held_, held_.size() + 1);
    const std::uint32_t end = numbers.end();
    const std::size_t size = numbers.size();
    const auto number = static_cast<std::uint16_t>(numbers.use(wanted));
    held_.push_back(number);
    if (numbers.end() == end && numbers.size() > size) {
      boxes_.notify([&] { boxes_.on_class_reused(number); });
    }
    return number;
  }

 private:
  BroadPhase& boxes_;
  std::vector<std::uint16_t> held_;
};

BroadPhase::BroadPhase() : filter_classes_(std::make_unique<Classes>()) {}
BroadPhase::~BroadPhase() = default;

std::span<const BroadPhase::FilterClass> BroadPhase::filter_classes() const {
  return filter_classes_->numbers.values();
}

// Reserves memory, so that `take_slot` does not allocate.
void BroadPhase::reserve(std::size_t more, bool with_classes) {
  const std::size_t all = boxes_.size() + more - std::min(free_.size(), more);
  const auto reserve = [&](auto& array) {
    if (all > array.capacity()) {
      array.reserve(detail::grown_capacity(all, array.size(), more));
    }
  };
  reserve(types_);
  reserve(used_);
  reserve(boxes_);
  if (!classes_.empty() || with_classes) {
    static_cast<void>(class_numbers());
    classes_.reserve(boxes_.capacity());
  }
}

/// Checks that each index names a box, and that none occurs twice: boxes already seen are marked as unused
/// until the end. Costs O(m) and allocates nothing.
Error BroadPhase::check_unique(std::span<const BoxIndex> indices, std::string_view call) {
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

BoxIndex BroadPhase::take_slot(const Aabb& box, BodyType type, std::uint16_t filter_class) {
  BoxIndex index = 0;
  if (free_.empty()) {
    index = static_cast<BoxIndex>(boxes_.size());
    boxes_.push_back(box);
    types_.push_back(type);
    used_.push_back(1);
  } else {
    index = free_.back();
    free_.pop_back();
    boxes_[index] = box;
    types_[index] = type;
    used_[index] = 1;
  }
  set_class(index, filter_class);
  return index;
}

/// Sets the class of a box, and counts the use.
void BroadPhase::set_class(BoxIndex index, std::uint16_t filter_class) {
  if (filter_class >= plain_classes) {
    filter_classes_->numbers.add_reference(filter_class);
  } else if (filter_class == static_cast<std::uint16_t>(BodyType::kinematic)) {
    has_plain_kinematic_ = true;
  }
  if (classes_.empty() && filter_class < plain_classes) {
    return;
  }
  static_cast<void>(class_numbers());
  classes_.resize(boxes_.size());
  classes_[index] = filter_class;
}

std::span<const std::uint16_t> BroadPhase::class_numbers() {
  if (classes_.empty()) {
    classes_.reserve(boxes_.capacity());
    for (const BodyType type : types_) {
      classes_.push_back(static_cast<std::uint16_t>(type));
    }
  }
  return classes_;
}

/// Releases a box's use of its class.
void BroadPhase::release_class(BoxIndex index) {
  if (const std::uint16_t filter_class = class_at(index); filter_class >= plain_classes) {
    filter_classes_->numbers.release_number(filter_class);
  }
}

Result<void> BroadPhase::use_threads(TaskRunner* runner) {
  const auto threads = threads_of(runner, "use_threads");
  if (!threads.has_value()) {
    return threads.error();
  }
  workers_.use(runner, threads.value());
  return {};
}

Error BroadPhase::stale(BoxIndex index) const {
  return {ErrorCode::stale_id,
          "box " + std::to_string(index) + " is not in this broad phase; it was removed or " + "never added"};
}

// The store always has the current boxes. If the structure runs out of memory, the next update rebuilds it
// from the store.
template <typename Notify>
void BroadPhase::notify(const Notify& notify) {
  looks_.clear();
  needs_rebuild_ = needs_rebuild_ || !detail::try_alloc(notify);
}

void BroadPhase::rebuild() {
  std::vector<BoxIndex> all;
  all.reserve(size());
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i)) {
      all.push_back(i);
    }
  }
  requested_.clear();
  clear_structure();
  on_added(all);
}

/// @param kind_of type and class of the i-th box
template <typename KindOf>
std::vector<BoxIndex> BroadPhase::take_slots(std::span<const Aabb> boxes, bool with_classes,
                                             const KindOf& kind_of) {
  std::vector<BoxIndex> indices;
  indices.reserve(boxes.size());
  reserve(boxes.size(), with_classes);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto [type, filter_class] = kind_of(i);
    indices.push_back(take_slot(boxes[i], type, filter_class));
  }
  notify([&] { on_added(indices); });
  return indices;
}

Result<BoxIndex> BroadPhase::add(const Aabb& box, BodyType type, const Filter& filter) {
  if (Error error = validate(box, "box to add").error()) {
    return error;
  }
  if (Error error = validate(type, "box to add").error()) {
    return error;
  }
  ClassUses uses(*this);
  const auto filter_class = uses.hold(type, filter);
  if (filter_class.error()) {
    return filter_class.error();
  }
  reserve(1, *filter_class >= plain_classes);
  const BoxIndex index = take_slot(box, type, *filter_class);
  notify([&] { on_added({&index, 1}); });
  return index;
}

Result<std::vector<BoxIndex>> BroadPhase::add(std::span<const Aabb> boxes, BodyType type,
                                              const Filter& filter) {
  if (Error error = validate(boxes).error()) {
    return error;
  }
  if (Error error = validate(type, "boxes to add").error()) {
    return error;
  }
  ClassUses uses(*this);
  const auto filter_class = uses.hold(type, filter);
  if (filter_class.error()) {
    return filter_class.error();
  }
  return take_slots(boxes, *filter_class >= plain_classes,
                    [&](std::size_t /*i*/) { return std::pair(type, *filter_class); });
}

Result<std::vector<BoxIndex>> BroadPhase::add(std::span<const Aabb> boxes, std::span<const BoxKind> kinds) {
  if (boxes.size() != kinds.size()) {
    return Error{ErrorCode::invalid_argument, "add: " + std::to_string(boxes.size()) + " boxes but " +
                                                  std::to_string(kinds.size()) +
                                                  " kinds; there must be as many"};
  }
  if (Error error = validate(boxes).error()) {
    return error;
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!is_valid(kinds[i].type)) {
      return validate(kinds[i].type, "box " + std::to_string(i)).error();
    }
  }
  ClassUses uses(*this);
  std::vector<std::uint16_t> classes;
  classes.reserve(kinds.size());
  bool with_classes = false;
  for (const BoxKind& kind : kinds) {
    const auto filter_class = uses.hold(kind.type, kind.filter);
    if (filter_class.error()) {
      return filter_class.error();
    }
    classes.push_back(*filter_class);
    with_classes = with_classes || *filter_class >= plain_classes;
  }
  return take_slots(boxes, with_classes, [&](std::size_t i) { return std::pair(kinds[i].type, classes[i]); });
}

Result<void> BroadPhase::set_filter(BoxIndex index, const Filter& filter) {
  return contains(index) ? set_kind(index, {types_[index], filter}) : stale(index);
}

Result<void> BroadPhase::set_kind(BoxIndex index, const BoxKind& kind) {
  if (!contains(index)) {
    return stale(index);
  }
  if (Error error = validate(kind.type, "box " + std::to_string(index)).error()) {
    return error;
  }
  ClassUses uses(*this);
  const auto filter_class = uses.hold(kind.type, kind.filter);
  if (filter_class.error()) {
    return filter_class.error();
  }
  if (class_at(index) == *filter_class) {
    return {};
  }
  reserve(0, *filter_class >= plain_classes);
  const bool has_same_type = types_[index] == kind.type;
  if (!has_same_type) {
    used_[index] = 0;
    notify([&] { on_removed(index); });
    used_[index] = 1;
    types_[index] = kind.type;
  }
  release_class(index);
  set_class(index, *filter_class);
  notify([&] { has_same_type ? on_filter_changed(index) : on_added({&index, 1}); });
  return {};
}

Result<Filter> BroadPhase::filter(BoxIndex index) const {
  if (!contains(index)) {
    return stale(index);
  }
  return filter_classes()[class_at(index)].filter;
}

Result<void> BroadPhase::move(BoxIndex index, const Aabb& box) {
  return move({&index, 1}, {&box, 1});
}

Result<void> BroadPhase::move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes) {
  if (indices.size() != boxes.size()) {
    return Error{ErrorCode::invalid_argument, "move: " + std::to_string(indices.size()) + " indices but " +
                                                  std::to_string(boxes.size()) +
                                                  " boxes; there must be as many"};
  }
  // Nearly always all arguments are valid, so this is tested first, without a branch per box. Nearly always
  // the indices are consecutive, too, or there is only one.
  const bool consecutive = indices.size() == 1 || (!indices.empty() && detail::are_consecutive(indices));
  bool known = true;
  if (consecutive && indices.back() < used_.size()) {
    known = std::memchr(used_.data() + indices.front(), 0, indices.size()) == nullptr;
  } else {
    // Ascending indices, the usual case, cannot name a box twice.
    bool ascending = true;
    for (std::size_t i = 0; i < indices.size() && known; ++i) {
      known = contains(indices[i]);
      ascending = ascending && (i == 0 || indices[i - 1] < indices[i]);
    }
    known = known && (ascending || !check_unique(indices, "move"));
  }
  const detail::Moves moves{indices, boxes, consecutive};
  bool valid = false;
  if (known) {
    notify([&] { valid = are_valid(moves); });
    valid = needs_rebuild_ ? BroadPhase::are_valid(moves) : valid;
  }
  if (!valid) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (!contains(indices[i])) {
        return stale(indices[i]);
      }
      if (!is_valid(boxes[i])) {
        return validate(boxes[i], "new box of " + std::to_string(indices[i])).error();
      }
    }
    return check_unique(indices, "move");
  }
  notify([&] { before_move(moves); });
  workers_.for_chunks(indices.size(), workers_.chunks(indices.size(), least_boxes),
                      [&](std::size_t, std::size_t begin, std::size_t end) {
                        if (consecutive) {
                          std::copy(boxes.data() + begin, boxes.data() + end,
                                    boxes_.data() + indices.front() + begin);
                          return;
                        }
                        for (std::size_t i = begin; i < end; ++i) {
                          boxes_[indices[i]] = boxes[i];
                        }
                      });
  notify([&] { on_moved(indices); });
  return {};
}

bool BroadPhase::are_valid(const detail::Moves& moves) {
  std::atomic<bool> valid = true;
  workers_.for_chunks(moves.boxes.size(), workers_.chunks(moves.boxes.size(), least_boxes),
                      [&](std::size_t, std::size_t begin, std::size_t end) {
                        if (validate(moves.boxes.subspan(begin, end - begin)).error()) {
                          valid = false;
                        }
                      });
  return valid;
}

Result<void> BroadPhase::remove(BoxIndex index) {
  return remove({&index, 1});
}

Result<void> BroadPhase::remove(std::span<const BoxIndex> indices) {
  if (Error error = check_unique(indices, "remove")) {
    return error;
  }
  detail::reserve(free_, free_.size() + indices.size());
  for (const BoxIndex index : indices) {
    used_[index] = 0;
    free_.push_back(index);
    notify([&] { on_removed(index); });
    release_class(index);
  }
  return {};
}

Result<Aabb> BroadPhase::box(BoxIndex index) const {
  if (!contains(index)) {
    return stale(index);
  }
  return boxes_[index];
}

template <typename Stage>
void BroadPhase::timed(double& seconds, Stage stage) {
  if (!measures_times_) {
    stage();
    seconds = 0.0;
    return;
  }
  const auto start = Clock::now();
  stage();
  seconds = std::chrono::duration<double>(Clock::now() - start).count();
}

// While it works on the structure, `needs_rebuild_` is set, and stays so if something throws.
void BroadPhase::update() {
  looks_.clear();
  timed(statistics_.update_seconds, [this] {
    if (needs_rebuild_) {
      rebuild();
    }
    needs_rebuild_ = true;
    statistics_.update_tests = 0;
    statistics_.update_cells_visited = 0;
    update_structure();
    needs_rebuild_ = false;
  });
}

std::span<Pair> BroadPhase::find_pairs() {
  update();
  timed(statistics_.pairs_seconds, [this] {
    statistics_.tests = 0;
    statistics_.cells_visited = 0;
    pairs_.clear();
    needs_rebuild_ = true;
    collect_pairs(pairs_);
    needs_rebuild_ = false;
    if (!classes_.empty() && (!filters() || filter_classes().size() > filter_bits)) {
      drop_filtered();
    }
    if (is_sorted_) {
      sort(pairs_.pairs());
    }
    statistics_.hits = pairs_.size();
  });
  return pairs_.pairs();
}

Result<std::span<Pair>> BroadPhase::find_pairs_of(std::span<const BoxIndex> indices) {
  if (Error error = check_unique(indices, "find_pairs_of")) {
    return error;
  }
  update();
  timed(statistics_.pairs_seconds, [&] {
    statistics_.tests = 0;
    statistics_.cells_visited = 0;
    pairs_.clear();
    needs_rebuild_ = true;
    requested_.resize(slot_count());
    for (const BoxIndex index : indices) {
      requested_[index] = 1;
    }
    collect_pairs_of(indices, pairs_);
    for (const BoxIndex index : indices) {
      requested_[index] = 0;
    }
    needs_rebuild_ = false;
    drop_filtered();
    if (is_sorted_) {
      sort(pairs_.pairs());
    }
    statistics_.hits = pairs_.size();
  });
  return pairs_.pairs();
}

void BroadPhase::drop_filtered() {
  const auto pairs = pairs_.pairs();
  const auto end = std::remove_if(pairs.begin(), pairs.end(), [this, all = filter_classes()](Pair pair) {
    const FilterClass& a = all[class_at(pair.a)];
    const FilterClass& b = all[class_at(pair.b)];
    return !can_touch(a.type, b.type) || !may_touch(a.filter, b.filter);
  });
  pairs_.shrink(static_cast<std::size_t>(end - pairs.begin()));
}

Statistics BroadPhase::statistics() const {
  Statistics result = statistics_;
  result.boxes = size();
  result.bytes = structure_bytes() + boxes_.capacity() * sizeof(Aabb) + types_.capacity() * sizeof(BodyType) +
                 used_.capacity() + free_.capacity() * sizeof(BoxIndex) +
                 classes_.capacity() * sizeof(std::uint16_t) + requested_.capacity() +
                 looks_.capacity() * sizeof(std::uint32_t) + filter_classes_->numbers.bytes() +
                 workers_.bytes();
  return result;
}

}  // namespace broadside
