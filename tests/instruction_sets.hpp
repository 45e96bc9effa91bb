#pragma once

// The instruction sets from which the library chooses, one at a time.

#ifndef HWY_COMPILE_ONLY_STATIC
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)  // as the library
#endif
#include <hwy/targets.h>
#endif

#include <cstdint>
#include <vector>

namespace broadside::test {

#ifdef HWY_COMPILE_ONLY_STATIC
inline std::vector<std::int64_t> instruction_sets() {
  return {0};  // the only one
}

inline const char* name_of_instruction_set(std::int64_t /*set*/) {
  return "only";
}

inline void force_instruction_set(std::int64_t /*set*/) {}
#else
/// Returns the instruction sets that this machine has and the library is compiled for, the best one first.
inline std::vector<std::int64_t> instruction_sets() {
  std::vector<std::int64_t> sets;
  for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    sets.push_back(rest & -rest);  // the better ones have the lower bits
  }
  return sets;
}

inline const char* name_of_instruction_set(std::int64_t set) {
  return hwy::TargetName(set);
}

/// Forces an instruction set; 0 lets the library choose.
inline void force_instruction_set(std::int64_t set) {
  hwy::SetSupportedTargetsForTest(set);
}
#endif

/// Forces the library to use one instruction set during its lifetime.
class ForcedInstructionSet {
 public:
  explicit ForcedInstructionSet(std::int64_t set) { force_instruction_set(set); }
  ~ForcedInstructionSet() { force_instruction_set(0); }
  ForcedInstructionSet(const ForcedInstructionSet&) = delete;
  ForcedInstructionSet& operator=(const ForcedInstructionSet&) = delete;
};

/// Calls `ask` once with each instruction set, and passes its name.
template <class Ask>
void for_instruction_sets(Ask ask) {
  for (const std::int64_t set : instruction_sets()) {
    const ForcedInstructionSet forced(set);
    ask(name_of_instruction_set(set));
  }
}

}  // namespace broadside::test
