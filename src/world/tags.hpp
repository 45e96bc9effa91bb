#pragma once

#include <string>

#include "base/numbering.hpp"

namespace broadside::inline v0_2 {

/// The tags of a world, by number. Uses of a tag are counted: by bodies, by bodies of the last step that were
/// removed since, by ends of contacts and by listeners. Number 0, no tag, always exists.
using Tags = detail::Interner<std::string, detail::TextHash>;

}  // namespace broadside::inline v0_2
