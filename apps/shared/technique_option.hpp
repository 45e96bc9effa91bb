#pragma once

#include <string>
#include <vector>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/scene/messages.hpp"

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

/// Returns the technique that the value of an option names, or an error with the nearest name.
inline Result<const TechniqueEntry*> find_technique_of(const std::string& option, const std::string& name) {
  auto technique = find_technique(name);
  if (technique.has_value()) {
    return technique;
  }
  std::vector<std::string> names;
  for (const TechniqueEntry& entry : techniques()) {
    names.emplace_back(entry.name);
  }
  return Error{technique.error().code, option + ": " + technique.error().message + suggestion(name, names)};
}

}  // namespace broadside::app
