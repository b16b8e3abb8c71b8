// SPDX-License-Identifier: Apache-2.0
// Prints a value as one line of text for people, in the form of print.hpp. Nesting does not use the
// call stack.
#pragma once

#include <ingot/document/value_view.hpp>
#include <ingot/live/print.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Appends text like `{price: 3.5, tags: ["a", "b"], note: none, raw: 0x00ff}`.
inline void print_value(std::string& out, const value_view& whole) {
  struct level {
    value_view of;
    std::size_t next;
    bool keys;
  };
  std::vector<level> open;
  value_view one = whole;
  while (true) {
    if (one.is_array() || one.is_object()) {
      out += one.is_object() ? '{' : '[';
      open.push_back({one, 0, one.is_object()});
    } else if (one.is_string()) {
      print_text(out, one.value_or(std::string_view()));
    } else if (one.is_binary()) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "0x";
      if (const auto bytes = one.as<bytes_view>()) {
        for (const std::byte each : *bytes)
          (out += digits[std::to_integer<unsigned>(each) / 16]) +=
              digits[std::to_integer<unsigned>(each) % 16];
      }
    } else if (one.is_boolean()) {
      out += one.value_or(false) ? "true" : "false";
    } else if (one.is_number()) {
      print_number(out, one.value_or(0.0));
    } else if (one.kind() == value_kind::large_integer) {
      print_number(out, one.value_or(std::uint64_t{0}));
    } else if (one.is_integer()) {
      print_number(out, one.value_or(std::int64_t{0}));
    } else {
      out += "none";
    }
    while (!open.empty() && open.back().next == open.back().of.size()) {
      out += open.back().keys ? '}' : ']';
      open.pop_back();
    }
    if (open.empty()) return;
    level& here = open.back();
    if (here.next != 0) out += ", ";
    if (here.keys) out.append(here.of.key(here.next)).append(": ");
    one = here.of[here.next++];
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
