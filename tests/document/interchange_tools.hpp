// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of MessagePack and CBOR: values as text, random documents, and both formats
// as types.
#pragma once

#include <ingot/document/cbor.hpp>
#include <ingot/document/msgpack.hpp>

#include "live/dice.hpp"
#include "pack/hex.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interchange_test {

using ingot::document;
using ingot::errc;
using ingot::non_text_keys;
using ingot::unsupported_values;
using live_test::dice;
using pack_test::hex;

/// The inverse of `hex`.
[[nodiscard]] inline std::string hex_of(ingot::bytes_view bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

/// Returns all kinds and values in a short form: `[1, 2u, 1.5, "text", h'00']`. 2u is an integer of
/// kind `large`.
[[nodiscard]] inline std::string shown(const ingot::value& v) {
  switch (v.kind()) {
  case ingot::value_kind::absent: return "absent";
  case ingot::value_kind::null: return "null";
  case ingot::value_kind::boolean: return v.value_or(false) ? "true" : "false";
  case ingot::value_kind::integer: return std::to_string(v.as<std::int64_t>().value());
  case ingot::value_kind::large_integer: return std::to_string(v.as<std::uint64_t>().value()) + 'u';
  case ingot::value_kind::number: {
    char chars[32];
    const double d = v.as<double>().value();
    if (d != d) return "nan";
    const std::string text(chars, std::to_chars(chars, chars + sizeof chars, d).ptr);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  case ingot::value_kind::text: return '"' + v.as<std::string>().value() + '"';
  case ingot::value_kind::binary: return "h'" + hex_of(v.as<ingot::bytes_view>().value()) + '\'';
  case ingot::value_kind::array: {
    std::string text;
    for (const auto each : v.elements()) text += (text.empty() ? "[" : ", ") + shown(each);
    return text.empty() ? "[]" : text + ']';
  }
  case ingot::value_kind::object: break;
  }
  std::vector<std::string> members;
  for (const auto [key, mapped] : v.members())
    members.push_back('"' + std::string(key) + "\": " + shown(mapped));
  std::sort(members.begin(), members.end());
  std::string text;
  for (const auto& each : members) text += (text.empty() ? "{" : ", ") + each;
  return text.empty() ? "{}" : text + '}';
}
/// Returns the document as text, or the code and the position of the error, and its path if it has
/// one.
[[nodiscard]] inline std::string shown(const ingot::result<document>& read) {
  if (read) return shown(read->root());
  std::string text = "error: " + std::string(to_string(read.error().code())) + " at " +
                     std::to_string(read.error().offset());
  return read.error().path().empty() ? text : text + " in " + std::string(read.error().path());
}

[[nodiscard]] inline std::string random_text(dice& random) {
  static constexpr std::size_t lengths[] = {0, 1, 3, 23, 24, 31, 32, 33, 255, 256, 300};
  std::string text(lengths[random() % std::size(lengths)], static_cast<char>('a' + random() % 26));
  for (char& c : text) c = static_cast<char>('a' + random() % 26);
  return random() % 8 == 0 ? text + "\xC3\xBC\xF0\x90\x85\x91" : text;
}
inline void tell_scalar(ingot::document_writer& to, dice& random) {
  switch (random() % 9) {
  case 0: to.null(); break;
  case 1: to.boolean(random() % 2 == 0); break;
  case 2:
  case 3: to.integer(static_cast<std::int64_t>(random()) >> random() % 63); break;
  case 4: to.unsigned_integer(std::uint64_t{1} << 63 | random()); break;
  case 5: to.number(static_cast<double>(random() % 5000) / (random() % 2 == 0 ? 8 : 7)); break;
  case 6: to.number(std::bit_cast<double>(std::uint64_t{random()})); break;
  case 7: to.text(random_text(random)); break;
  default: to.binary(ingot::as_bytes_view(random_text(random)));
  }
}
/// Returns a random document. Keys are numbered, so that none is duplicate.
[[nodiscard]] inline document random_document(dice& random) {
  ingot::document_writer to;
  std::vector<bool> open;
  std::size_t left = random() % 60;
  for (int number = 0; left != 0 || !open.empty(); ++number) {
    if (!open.empty() && (left == 0 || random() % 6 == 0)) {
      to.end();
      open.pop_back();
      if (open.empty()) break;
      continue;
    }
    if (!open.empty() && open.back()) to.key(random_text(random) + std::to_string(number));
    left -= left != 0 ? 1 : 0;
    if (open.empty() || random() % 4 == 0) {
      open.push_back(random() % 2 == 0);
      open.back() ? to.begin_object() : to.begin_array();
    } else {
      tell_scalar(to, random);
    }
  }
  return to.finish().value_or(document());
}

struct msgpack_form {
  using read_options = ingot::msgpack::read_options;
  using write_options = ingot::msgpack::write_options;
  static ingot::result<document> read(ingot::bytes_view bytes, const read_options& options = {}) {
    return ingot::msgpack::read_document(bytes, options);
  }
  static ingot::result<document> read(ingot::bytes_view bytes, const read_options& options,
                                      ingot::max_block_size max_size) {
    return ingot::msgpack::read_document(bytes, max_size, options);
  }
  static ingot::result<document> next(ingot::bytes_view& bytes) { return ingot::msgpack::read_next(bytes); }
  static ingot::result<void> into(const ingot::value_ref& to, ingot::bytes_view bytes) {
    return ingot::msgpack::read_into(to, bytes);
  }
  static ingot::result<ingot::buffer> write(const ingot::value& v, const write_options& options = {}) {
    return ingot::msgpack::write(v, options);
  }
  static ingot::result<std::size_t> append(ingot::buffer& to, const ingot::value& v,
                                           const write_options& options) {
    return ingot::msgpack::write_to(to, v, options);
  }
  template <class S>
  static ingot::result<std::size_t> write_to(S& to, const document& d) {
    return ingot::msgpack::write_to(to, d);
  }
  static constexpr unsigned array_of_one = 0x91;
  static constexpr unsigned map_of_one = 0x81;
  static constexpr unsigned double_follows = 0xcb;
};
struct cbor_form {
  using read_options = ingot::cbor::read_options;
  using write_options = ingot::cbor::write_options;
  static ingot::result<document> read(ingot::bytes_view bytes, const read_options& options = {}) {
    return ingot::cbor::read_document(bytes, options);
  }
  static ingot::result<document> read(ingot::bytes_view bytes, const read_options& options,
                                      ingot::max_block_size max_size) {
    return ingot::cbor::read_document(bytes, max_size, options);
  }
  static ingot::result<document> next(ingot::bytes_view& bytes) { return ingot::cbor::read_next(bytes); }
  static ingot::result<void> into(const ingot::value_ref& to, ingot::bytes_view bytes) {
    return ingot::cbor::read_into(to, bytes);
  }
  static ingot::result<ingot::buffer> write(const ingot::value& v, const write_options& options = {}) {
    return ingot::cbor::write(v, options);
  }
  static ingot::result<std::size_t> append(ingot::buffer& to, const ingot::value& v,
                                           const write_options& options) {
    return ingot::cbor::write_to(to, v, options);
  }
  template <class S>
  static ingot::result<std::size_t> write_to(S& to, const document& d) {
    return ingot::cbor::write_to(to, d);
  }
  static constexpr unsigned array_of_one = 0x81;
  static constexpr unsigned map_of_one = 0xa1;
  static constexpr unsigned double_follows = 0xfb;
};

} // namespace interchange_test
