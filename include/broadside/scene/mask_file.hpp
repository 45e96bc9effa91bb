#pragma once

#include <string>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/body/mask.hpp"

namespace broadside {

/// Makes a mask of a PNG picture that is all there: its alpha, from the threshold on. One without alpha is
/// all set.
///
/// Errors: `parse` for what is no PNG or is damaged, naming it; those of `Mask`, its limits before anything
/// is allocated for the pixels. No picture, however small its file, takes much more than 16 bytes a pixel.
/// @param name what the picture is called in messages
[[nodiscard]] Result<Mask> parse_mask(std::string_view png, const std::string& name,
                                      const Mask::Options& options);

/// Reads a PNG picture; "-" is the standard input. Files above 128 MiB are refused (`too_large`).
[[nodiscard]] Result<Mask> read_mask(const std::string& path, const Mask::Options& options);

}  // namespace broadside
