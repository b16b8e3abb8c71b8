// SPDX-License-Identifier: Apache-2.0
// This header declared `progress_ref` in earlier versions. Includes the header that declares it
// now.
#pragma once

#include <ingot/core/progress.hpp> // IWYU pragma: export
