// SPDX-License-Identifier: Apache-2.0
// The former place of `progress_ref`, when only files used it.
#pragma once

#include <ingot/core/progress.hpp> // IWYU pragma: export
