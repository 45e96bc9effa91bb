#include "base/checksum.hpp"

#include <array>

#include "base/hash_mixer.hpp"

namespace broadside::inline v0_2::detail {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t start) {
  HashMixer mixer(start);
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) {
    mixer.add(word_at(bytes.data() + at, 8));
  }
  if (at < bytes.size()) {
    mixer.add(word_at(bytes.data() + at, bytes.size() - at));
  }
  return mixer.hash();
}

std::uint64_t wide_checksum(std::span<const std::byte> bytes) {
  constexpr std::size_t chains = 8;
  std::array<HashMixer, chains> mixers;
  std::size_t at = 0;
  for (; bytes.size() - at >= 8 * chains; at += 8 * chains) {
    for (std::size_t i = 0; i < chains; ++i) {
      mixers[i].add(word_at(bytes.data() + at + 8 * i, 8));
    }
  }
  HashMixer all(hash_bytes(bytes.subspan(at), bytes.size()));
  for (const HashMixer& one : mixers) {
    all.add(one.hash());
  }
  return all.hash();
}

}  // namespace broadside::inline v0_2::detail
