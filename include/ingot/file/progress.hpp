// SPDX-License-Identifier: Apache-2.0
// Former header of `progress_ref`, from when only files used it.
#pragma once

#include <ingot/core/progress.hpp> // IWYU pragma: export
