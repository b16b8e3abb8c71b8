// SPDX-License-Identifier: Apache-2.0
// A fuzz target is one function. libFuzzer calls it with generated input, and tests call it with
// the seed corpus.
#pragma once

#include <ingot/core/bytes.hpp>

#include <string>

namespace fuzz {

/// Runs all operations of the target on `input`. Returns a contradiction between results of the
/// library, or empty text. Sanitizers detect undefined behaviour; libFuzzer limits time and memory.
std::string one_input(ingot::bytes_view input);

} // namespace fuzz
