// SPDX-License-Identifier: Apache-2.0
// The layer core: all functions that are compiled once, because they do not depend on a program's
// types.
#include <ingot/core/compiled/found_number.hpp>
#include <ingot/core/compiled/time_text.hpp>
