// SPDX-License-Identifier: Apache-2.0
// The layer core: everything that does not depend on a program's types.
#include <ingot/core/compiled/time_text.hpp>
