#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/checksum.hpp"
#include "boxes.hpp"

namespace broadside::test {

using Bytes = std::vector<std::byte>;
using Checksum =
    std::uint64_t (*)(std::span<const std::byte>);  ///< `wide_checksum`, or `checksum` for traces

/// Returns the number of damages to draw: 20,000, or the value of `BROADSIDE_DAMAGES`.
std::size_t damages_to_draw();

/// Draws a file and damages it in one to three ways: flips bits, changes bytes, cuts out, repeats or swaps
/// ranges, overwrites them with ranges of any of the files, replaces numbers by extremes or changes them by
/// one.
///
/// @param files [1 or more], not empty
/// @param checksum_size the number of bytes at the end of each file that are removed first
Bytes draw_damage(std::span<const Bytes> files, std::size_t checksum_size, Random& random);

/// Returns the bytes with one bit changed.
Bytes flipped(Bytes bytes, std::size_t bit);

/// Appends a checksum: an attacker would do that, and a fuzzer cannot. The snapshots in a recording get
/// theirs first, wherever a size that fits is followed by the first bytes of a snapshot.
void add_checksums(Bytes& bytes, Checksum checksum_of = detail::wide_checksum);

/// Replaces the checksums of a snapshot, a recording or a trace with correct ones.
void renew_checksums(Bytes& bytes, Checksum checksum_of = detail::wide_checksum);

}  // namespace broadside::test
