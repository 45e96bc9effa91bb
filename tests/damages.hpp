#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "boxes.hpp"

namespace broadside::test {

using Bytes = std::vector<std::byte>;

/// Returns how many damages to draw: 20,000, or what `BROADSIDE_DAMAGES` says.
std::size_t damages_to_draw();

/// Draws a file and damages it in one to three ways: bits flipped, bytes changed, stretches cut out,
/// repeated, swapped, or overwritten by those of any of the files, numbers replaced by extremes or changed by
/// one.
///
/// @param files [1 or more], not empty
/// @param checksum_size how many bytes at the end of each stay out of it; the result is without them
Bytes draw_damage(std::span<const Bytes> files, std::size_t checksum_size, Random& random);

/// Ends bytes with a checksum: what an attacker would do, and a fuzzer cannot. Snapshots in a recording get
/// theirs first, wherever the bytes that a snapshot begins with follow a number of bytes that there are.
void add_checksums(Bytes& bytes);

/// Replaces the checksums of a snapshot or a recording by what they must be.
void renew_checksums(Bytes& bytes);

}  // namespace broadside::test
