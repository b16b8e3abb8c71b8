// SPDX-License-Identifier: Apache-2.0
// expect: a string_view, a span or an optional reference can't own what
#include <ingot/pack/unpack.hpp>

#include <string>
#include <string_view>

#ifdef MUST_COMPILE
using text = std::string;
#else
using text = std::string_view;
#endif

ingot::result<text> read(ingot::bytes_view bytes) { return ingot::unpack<text>(bytes); }
