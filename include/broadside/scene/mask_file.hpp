#pragma once

#include <string>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/body/mask.hpp"

namespace broadside::inline v0_2 {

/// Makes a mask from a PNG picture: a pixel is set if its alpha reaches the threshold.
///
/// All pixels of a picture without alpha are set. Memory is not much more than 16 bytes a pixel, however
/// small the file is.
/// @param name name of the picture in error messages
/// @par Errors
/// `parse` with `name` if the bytes are no PNG or a damaged one; those of `Mask`, whose limits are checked
/// before memory is allocated for the pixels.
[[nodiscard]] Result<Mask> parse_mask(std::string_view png, const std::string& name,
                                      const MaskOptions& options);

/// Reads a mask from a PNG file; "-" is the standard input. Files above 128 MiB are refused (`too_large`).
[[nodiscard]] Result<Mask> read_mask(const std::string& path, const MaskOptions& options);

}  // namespace broadside::inline v0_2
