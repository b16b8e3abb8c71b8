// SPDX-License-Identifier: Apache-2.0
// Reads and writes JSON for any reflected type. docs/json.md lists the form of each type.
#pragma once

#include <ingot/json/options.hpp>
#include <ingot/json/read.hpp>
#include <ingot/json/upgrade.hpp>
#include <ingot/json/write.hpp>
