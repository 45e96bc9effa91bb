#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "broadside/base/bit_cast.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2::detail {

/// Writes numbers as bytes, little-endian on every machine.
class ByteWriter {
 public:
  /// @param expected approximate number of bytes to write
  explicit ByteWriter(std::size_t expected = 0) : buffer_(expected) {}

  template <typename T>
  requires std::is_unsigned_v<T>
  void put(T value) { set_word(value, extend(sizeof(T))); }
  void put(float value) { put(detail::bit_cast<std::uint32_t>(value)); }
  /// Writes a value whose members, in their order, are numbers of 32 bits without padding.
  template <typename T>
  void put_words(const T& value) {
    put_all(detail::bit_cast<std::array<std::uint32_t, sizeof(T) / 4>>(value));
  }
  void put(Vec2 value) { put_words(value); }
  void put_count(std::size_t count) { put(static_cast<std::uint64_t>(count)); }
  void put(std::span<const std::byte> bytes) {
    if (!bytes.empty()) {
      std::memcpy(extend(bytes.size()), bytes.data(), bytes.size());
    }
  }
  void put(std::string_view text) {
    put_count(text.size());
    put(std::as_bytes(std::span(text.data(), text.size())));
  }
  /// Appends the checksum of all bytes written so far.
  template <typename Checksum>
  void put_checksum(Checksum checksum_of) {
    put(checksum_of(bytes()));
  }

  [[nodiscard]] std::vector<std::byte> take() {
    buffer_.resize(std::exchange(size_, 0));
    return std::exchange(buffer_, {});
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return {buffer_.data(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Removes all bytes after the first `size`. @pre there are as many bytes
  void shrink(std::size_t size) { size_ = size; }

 private:
  template <std::size_t n>
  void put_all(const std::array<std::uint32_t, n>& words) {
    std::byte* at = extend(sizeof(words));
    for (const std::uint32_t word : words) {
      set_word(word, at);
      at += sizeof(word);
    }
  }
  /// Appends `count` bytes; returns their address.
  std::byte* extend(std::size_t count) {
    if (buffer_.size() - size_ < count) {
      buffer_.resize(std::max({std::size_t{64}, 2 * buffer_.size(), size_ + count}));
    }
    std::byte* const at = buffer_.data() + size_;
    size_ += count;
    return at;
  }

  std::vector<std::byte> buffer_;  ///< usually longer than `size_`
  std::size_t size_ = 0;           ///< number of bytes written
};

/// Reads what a `ByteWriter` wrote. After a failure it returns zeros.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::is_unsigned_v<T> T take() {
    if (rest() < sizeof(T)) {
      fail();
      return 0;
    }
    const auto value = static_cast<T>(word_at(bytes_.data() + at_, sizeof(T)));
    at_ += sizeof(T);
    return value;
  }
  float take_float() { return detail::bit_cast<float>(take<std::uint32_t>()); }
  /// Reads what `put_words` wrote.
  template <typename T>
  T take_words() {
    return detail::bit_cast<T>(take_all<sizeof(T) / 4>());
  }
  Vec2 take_vec2() { return take_words<Vec2>(); }
  /// Reads the number of following items of at least `size` bytes each. A number that exceeds the remaining
  /// bytes is a failure, so that nothing is allocated for it.
  std::size_t take_count(std::size_t size) {
    const auto count = take<std::uint64_t>();
    fail_if(count > rest() / size);
    return failed_ ? 0 : static_cast<std::size_t>(count);
  }
  /// Reads a number that has to be below `end`.
  template <typename T>
  T take_below(std::uint64_t end) {
    const T value = take<T>();
    fail_if(value >= end);
    return failed_ ? T{0} : value;
  }
  std::string take_text() {
    std::string text(take_count(1), '\0');
    for (char& c : text) {
      c = static_cast<char>(take<std::uint8_t>());
    }
    return text;
  }

  void fail() { failed_ = true; }
  void fail_if(bool wrong) { failed_ = failed_ || wrong; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t rest() const { return failed_ ? 0 : bytes_.size() - at_; }

 private:
  template <std::size_t n>
  std::array<std::uint32_t, n> take_all() {
    std::array<std::uint32_t, n> words{};
    fail_if(rest() < sizeof(words));
    for (std::size_t i = 0; i < n && !failed_; ++i) {
      words[i] = static_cast<std::uint32_t>(word_at(bytes_.data() + at_, sizeof(words[i])));
      at_ += sizeof(words[i]);
    }
    return words;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace broadside::inline v0_2::detail
