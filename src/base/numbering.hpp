#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash_mixer.hpp"
#include "base/reserve.hpp"
#include "broadside/base/filter.hpp"

namespace broadside::inline v0_2::detail {

/// Interns values: equal values share a number, uses are counted, and a number is reused after its last use
/// was given back.
///
/// `Hash` accepts everything that `use` and `find` are called with; equal keys have equal hashes. On
/// `std::bad_alloc` nothing changes (strong exception guarantee).
/// @par Complexity
/// O(1) expected per call, however many values there are or were.
/// @par Source
/// Open addressing with linear probing, D. E. Knuth, The Art of Computer Programming 3, 1973, section 6.4;
/// removal is its algorithm R.
template <typename Value, typename Hash>
class Interner {
 public:
  using Number = std::uint32_t;

  /// Returns the number of an equal value that is in use.
  template <typename Key>
  [[nodiscard]] std::optional<Number> find(const Key& key) {
    return find(key, Hash{}(key));
  }

  /// Counts one more use of a value; returns its number, a free one if the value is new.
  template <typename Key>
  Number use(const Key& key) {
    const std::uint32_t hash = Hash{}(key);
    if (const auto known = find(key, hash)) {
      ++reference_counts_[*known];
      return *known;
    }
    Value value(key);
    if (2 * (size() + 1) > table_.size()) {
      grow();
    }
    if (free_.empty()) {
      const std::size_t more = values_.size() + 1;
      reserve_all(more, values_, hashes_, reference_counts_, free_);
      free_.push_back(end());
      values_.emplace_back();
      hashes_.push_back(0);
      reference_counts_.push_back(0);
    }
    const Number number = free_.back();
    free_.pop_back();
    values_[number] = std::move(value);
    hashes_[number] = hash;
    reference_counts_[number] = 1;
    table_[slot_of(number, none)] = number;
    last_ = number;
    return number;
  }

  /// Counts one more use of a number that is in use.
  void add_reference(Number number) { ++reference_counts_[number]; }

  /// Gives back one use; the last one removes the value. @pre the number is in use
  void release_number(Number number) {
    if (--reference_counts_[number] > 0) {
      return;
    }
    std::size_t at = slot_of(number, number);
    // Entries behind the gap move up, unless that would put one before its home slot.
    for (std::size_t behind = next(at); table_[behind] != none; behind = next(behind)) {
      const std::size_t home = hashes_[table_[behind]] & mask();
      if (((behind - home) & mask()) >= ((behind - at) & mask())) {
        table_[at] = table_[behind];
        at = behind;
      }
    }
    table_[at] = none;
    Value forgotten{};
    std::swap(values_[number], forgotten);  // an assignment would keep the memory of a string
    free_.push_back(number);
  }

  /// Removes all values; keeps the memory.
  void clear() {
    values_.clear();
    hashes_.clear();
    reference_counts_.clear();
    free_.clear();
    std::fill(table_.begin(), table_.end(), none);
  }

  /// Returns the value of a number that is in use.
  [[nodiscard]] const Value& operator[](Number number) const { return values_[number]; }
  /// Returns the values by number; those of free numbers are default-constructed.
  [[nodiscard]] std::span<const Value> values() const { return values_; }
  /// Returns the end of the numbers assigned so far: all are below.
  [[nodiscard]] Number end() const { return static_cast<Number>(values_.size()); }
  /// Returns how many values are in use.
  [[nodiscard]] std::size_t size() const { return values_.size() - free_.size(); }
  /// Returns the bytes in use, without heap memory that belongs to the values.
  [[nodiscard]] std::size_t bytes() const {
    return bytes_of(values_, hashes_, reference_counts_, free_, table_);
  }

 private:
  static constexpr Number none = ~Number{0};

  [[nodiscard]] std::size_t mask() const { return table_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }

  template <typename Key>
  [[nodiscard]] std::optional<Number> find(const Key& key, std::uint32_t hash) {
    const auto is = [&](Number number) { return hashes_[number] == hash && values_[number] == key; };
    // Consecutive bodies often have equal values.
    if (last_ < end() && reference_counts_[last_] > 0 && is(last_)) {
      return last_;
    }
    if (table_.empty()) {
      return std::nullopt;
    }
    for (std::size_t at = hash & mask(); table_[at] != none; at = next(at)) {
      if (is(table_[at])) {
        last_ = table_[at];
        return last_;
      }
    }
    return std::nullopt;
  }

  /// Returns the first slot, from the home slot of a number on, that holds `wanted`.
  [[nodiscard]] std::size_t slot_of(Number number, Number wanted) const {
    std::size_t at = hashes_[number] & mask();
    while (table_[at] != wanted) {
      at = next(at);
    }
    return at;
  }

  void grow() {
    std::vector<Number> old(std::max<std::size_t>(16, 2 * table_.size()), none);
    old.swap(table_);
    for (const Number number : old) {
      if (number != none) {
        table_[slot_of(number, none)] = number;
      }
    }
  }

  std::vector<Value> values_;                    ///< by number
  std::vector<std::uint32_t> hashes_;            ///< by number
  std::vector<std::uint32_t> reference_counts_;  ///< by number
  std::vector<Number> free_;                     ///< a stack: the one that was freed last is reused first
  std::vector<Number> table_;                    ///< hash table: a power of two, at most half full
  Number last_ = 0;                              ///< found or added last
};

/// The hash of a text, for `Interner`.
struct TextHash {
  std::uint32_t operator()(std::string_view text) const {
    HashMixer mixer(text.size());
    for (const char c : text) {
      mixer.add(static_cast<unsigned char>(c));
    }
    return mixer.short_hash();
  }
};

/// The hash of a filter, for `Interner`.
struct FilterHash {
  std::uint32_t operator()(const Filter& filter) const {
    return HashMixer()
        .add(filter.layer)
        .add(filter.mask)
        .add(filter.wants)
        .add(static_cast<std::uint64_t>(filter.group))
        .add(filter.tags)
        .add(filter.report_tags)
        .short_hash();
  }
};

}  // namespace broadside::inline v0_2::detail
