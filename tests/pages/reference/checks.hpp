// SPDX-License-Identifier: Apache-2.0
// `assert` that checks in every configuration. Include this header after all others, since those of
// ingot read NDEBUG.
#undef NDEBUG
#include <cassert>
