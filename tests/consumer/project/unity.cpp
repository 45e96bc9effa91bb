// Joined with fast_math.cpp in one translation unit.
#include "hostile_macros.hpp"

#include <broadside/broadside.hpp>
