#pragma once

#include <string>

#include "broadside/broad_phase/techniques.hpp"

namespace broadside::app {

/// Returns the names of all techniques, for the help of an option.
inline std::string technique_names() {
  std::string names;
  for (const TechniqueEntry& technique : techniques()) {
    names += names.empty() ? "" : &technique == &default_technique() ? " or " : ", ";
    names += technique.name;
  }
  return names + " (the default)";
}

}  // namespace broadside::app
