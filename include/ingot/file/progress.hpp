// SPDX-License-Identifier: Apache-2.0
// Former header of `progress_ref`. Includes its present header.
#pragma once

#include <ingot/core/progress.hpp> // IWYU pragma: export
