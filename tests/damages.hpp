#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "boxes.hpp"

namespace broadside::test {

using Bytes = std::vector<std::byte>;

/// Returns the number of damages to draw: 20,000, or the value of `BROADSIDE_DAMAGES`.
std::size_t damages_to_draw();

/// Draws a file and damages it in one to three ways: flips bits, changes bytes, cuts out, repeats or swaps
/// ranges, overwrites them with ranges of any of the files, replaces numbers by extremes or changes them by
/// one.
///
/// @param files [1 or more], not empty
/// @param checksum_size the number of bytes at the end of each file that are removed first
Bytes draw_damage(std::span<const Bytes> files, std::size_t checksum_size, Random& random);

/// Appends a checksum: an attacker would do that, and a fuzzer cannot. The snapshots in a recording get
/// theirs first, wherever a size that fits is followed by the first bytes of a snapshot.
void add_checksums(Bytes& bytes);

/// Replaces the checksums of a snapshot or a recording with correct ones.
void renew_checksums(Bytes& bytes);

}  // namespace broadside::test
