// SPDX-License-Identifier: Apache-2.0
// What a fuzz target is: one function, that libFuzzer calls with what it makes up and the tests with the seed corpus.
#pragma once

#include <ingot/core/bytes.hpp>

#include <string>

namespace fuzz {

/// Does everything there is to do with `input`. Returns what the library contradicted itself in, or nothing: undefined
/// behaviour is for the sanitizers to see, and time and memory for libFuzzer's limits.
std::string one_input(ingot::bytes_view input);

} // namespace fuzz
