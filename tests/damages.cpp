#include "damages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/checksum.hpp"

namespace broadside::test {

namespace {

void write_number(std::uint64_t number, std::size_t at, std::size_t size, Bytes& bytes) {
  for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<std::byte>(number >> (8 * i) & 0xFFU);
  }
}

std::byte drawn_byte(Random& random) {
  return static_cast<std::byte>(random.below(256));
}

/// A range of bytes: `size` of them from `begin` on.
struct Stretch {
  std::size_t begin = 0;
  std::size_t size = 0;
};

/// Draws a range of 1 byte or more, more often a short one. @pre size > 0
Stretch drawn_stretch(std::size_t size, Random& random) {
  const std::uint32_t longest = std::uint32_t{1} << random.below(9);
  const std::size_t begin = random.below(static_cast<std::uint32_t>(size));
  const std::size_t wanted = 1 + random.below(longest);
  return {begin, std::min(wanted, size - begin)};
}

Bytes copy_of(const Bytes& bytes, Stretch from) {
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from.begin);
  return {begin, begin + static_cast<std::ptrdiff_t>(from.size)};
}

void insert(const Bytes& what, std::size_t at, Bytes& bytes) {
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), what.begin(), what.end());
}

void replace_number(Bytes& bytes, Random& random) {
  // Counts, indices and generations at their limits; floats: infinity, NaN, the largest, the least, -0, 1.
  constexpr std::array<std::uint64_t, 16> extremes{
      0,          1,          2,          0xFF,       0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF,
      0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 0xFF7FFFFF, 0x00000001, 0x3F800000, 0x100000000};
  constexpr std::array<std::size_t, 4> sizes{1, 4, 4, 8};
  const std::size_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
  const std::size_t size = sizes[random.below(sizes.size())];
  const bool is_all_ones = random.below(16) == 0;
  const std::uint64_t extreme = extremes[random.below(extremes.size())];
  write_number(is_all_ones ? ~std::uint64_t{0} : extreme, at, size, bytes);
}

void change_by_one(Bytes& bytes, Random& random) {
  const std::size_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
  const std::size_t size = std::min<std::size_t>(4, bytes.size() - at);
  const std::uint64_t number = detail::word_at(bytes.data() + at, size);
  write_number(random.below(2) == 0 ? number + 1 : number - 1, at, size, bytes);
}

void damage(std::span<const Bytes> files, Bytes& bytes, Random& random) {
  const Bytes& other = files[random.below(static_cast<std::uint32_t>(files.size()))];
  const std::uint32_t kind = random.below(12);
  if (bytes.empty()) {
    bytes.push_back(drawn_byte(random));
    return;
  }
  const Stretch one = drawn_stretch(bytes.size(), random);
  switch (kind) {
    case 0:
    case 1:
      bytes[one.begin] ^= static_cast<std::byte>(1U << random.below(8));
      break;
    case 2:
      bytes[one.begin] = drawn_byte(random);
      break;
    case 3:
      for (std::size_t i = 0; i < one.size; ++i) {
        bytes[one.begin + i] = drawn_byte(random);
      }
      break;
    case 4:  // cut off the end
      bytes.resize(one.begin);
      break;
    case 5: {
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(one.begin);
      bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(one.size));
      break;
    }
    case 6:  // append
      if (random.below(2) == 0) {
        insert(copy_of(bytes, one), bytes.size(), bytes);
      } else {
        bytes.resize(bytes.size() + one.size, drawn_byte(random));
      }
      break;
    case 7:
      insert(copy_of(bytes, one), one.begin, bytes);
      break;
    case 8: {
      Stretch to = drawn_stretch(bytes.size(), random);
      to.size =
          std::min({one.size, to.size, one.begin > to.begin ? one.begin - to.begin : to.begin - one.begin});
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(one.begin);
      std::swap_ranges(begin, begin + static_cast<std::ptrdiff_t>(to.size),
                       bytes.begin() + static_cast<std::ptrdiff_t>(to.begin));
      break;
    }
    case 9: {
      Stretch from = drawn_stretch(other.size(), random);
      if (random.below(2) == 0 && one.begin < other.size()) {
        from = {one.begin, std::min(one.size, other.size() - one.begin)};  // same place in the other
      }
      const Bytes part = copy_of(other, from);
      std::copy_n(part.begin(), std::min(part.size(), bytes.size() - one.begin),
                  bytes.begin() + static_cast<std::ptrdiff_t>(one.begin));
      break;
    }
    case 10:
      replace_number(bytes, random);
      break;
    default:
      change_by_one(bytes, random);
      break;
  }
}

void write_checksum(std::size_t begin, std::size_t end, Bytes& bytes, Checksum checksum_of) {
  const auto content = std::span(bytes).subspan(begin, end - begin);
  write_number(checksum_of(content), end, detail::checksum_size, bytes);
}

}  // namespace

std::size_t damages_to_draw() {
  return number_from_environment("BROADSIDE_DAMAGES", 20'000, 1000);
}

Bytes draw_damage(std::span<const Bytes> files, std::size_t checksum_size, Random& random) {
  Bytes bytes = files[random.below(static_cast<std::uint32_t>(files.size()))];
  bytes.resize(bytes.size() - checksum_size);
  constexpr std::array<int, 4> counts{1, 1, 2, 3};
  for (int left = counts[random.below(counts.size())]; left > 0; --left) {
    damage(files, bytes, random);
  }
  return bytes;
}

Bytes flipped(Bytes bytes, std::size_t bit) {
  bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
  return bytes;
}

void add_checksums(Bytes& bytes, Checksum checksum_of) {
  bytes.resize(bytes.size() + detail::checksum_size);
  renew_checksums(bytes, checksum_of);
}

void renew_checksums(Bytes& bytes, Checksum checksum_of) {
  constexpr std::size_t size_bytes = 8;
  constexpr std::uint64_t magic = 0x57445342;  // the first bytes of a snapshot
  const std::size_t end = bytes.size() - detail::checksum_size;
  for (std::size_t at = size_bytes; at + 4 <= end; ++at) {
    const std::uint64_t size = detail::word_at(bytes.data() + at - size_bytes, size_bytes);
    if (detail::word_at(bytes.data() + at, 4) == magic && size >= detail::checksum_size && size <= end - at) {
      write_checksum(at, at + static_cast<std::size_t>(size) - detail::checksum_size, bytes, checksum_of);
    }
  }
  write_checksum(0, end, bytes, checksum_of);
}

}  // namespace broadside::test
