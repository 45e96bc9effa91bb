#pragma once

// Use this header instead of <hwy/foreach_target.h>, before any other header of Highway. It selects the
// targets.

// Our kernels keep registers in structs and arrays, which is not possible with registers whose size is
// unknown until run time: SVE on ARM, the vector extension of RISC-V. SSSE3 would add a fifth to a program,
// for processors of 2006 and 2007; these use the plain kernels.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif

// Processors without any of the targets use the plain kernels, not an emulation of registers of 128 bits:
// clang 19 takes a minute to compile that for one kernel.
#ifndef HWY_BROKEN_EMU128
#define HWY_BROKEN_EMU128 1
#endif

// What remains on 64-bit ARM is NEON, which every such processor has, so there is nothing to select at run
// time. Without this line Highway would compile the kernels for NEON with encryption, by a pragma that g++
// does not apply to the constructors that it generates for structs; g++ then refuses to inline the
// constructors of registers into those.
#if defined(__aarch64__) && !defined(TOOLCHAIN_MISS_SYS_AUXV_H)
#define TOOLCHAIN_MISS_SYS_AUXV_H
#endif

#include <hwy/foreach_target.h>

#if HWY_TARGETS & (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#error "broadside does not support SVE or RVV: add them to your HWY_DISABLED_TARGETS"
#endif
