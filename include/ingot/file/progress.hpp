// SPDX-License-Identifier: Apache-2.0
// Where `progress_ref` was when only files told of it.
#pragma once

#include <ingot/core/progress.hpp> // IWYU pragma: export
