// SPDX-License-Identifier: Apache-2.0
// Functions that the pages' pieces of code call and don't show: a wire, and a report of errors.
#pragma once

#include <ingot/core/bytes.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace pages {

/// The bytes that were sent last.
inline std::vector<std::byte> wire;
inline void send(ingot::bytes_view bytes) { wire.assign(bytes.begin(), bytes.end()); }
inline bool complain(const std::string& why) { return std::puts(why.c_str()), false; }

bool live_page();
bool document_page();
bool dynamic_page();
bool json_page();
bool protobuf_page();

} // namespace pages
