// SPDX-License-Identifier: Apache-2.0
#include "schema_bytes.hpp"

#include <ingot/dynamic/kind.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tool {

namespace {

using ingot::byte_number;
using ingot::byte_piece;
using ingot::byte_use;
using ingot::bytes_view;

class description_bytes {
public:
  description_bytes(bytes_view bytes, ingot::byte_visitor& to) : bytes_(bytes), to_(to) {}

  void portable() {
    head("magic: a schema");
    number(8, byte_use::header, "schema_id", byte_number::id);
    const std::uint64_t shared = varint("how many shared parts");
    for (std::uint64_t i = 0; i < shared && good_; ++i) part(0);
    part(0);
    rest();
  }
  void layout() {
    head("magic: a layout description");
    number(8, byte_use::header, "layout_id", byte_number::id);
    number(8, byte_use::header, "schema_id", byte_number::id);
    const std::uint64_t types = varint("how many types");
    for (std::uint64_t i = 0; i < types && good_; ++i) type();
    if (bytes_.size() - at_ == 8) number(8, byte_use::header, "hash of the bytes in front", byte_number::id);
    rest();
  }

private:
  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
  void say(std::size_t length, byte_use use, std::string_view what, byte_number is, std::uint64_t n) {
    byte_piece piece;
    piece.offset = at_;
    piece.length = length;
    piece.use = use;
    piece.what = what;
    piece.is = is;
    piece.number = n;
    if (length != 0) to_.bytes(piece);
    at_ += length;
  }
  void rest() {
    good_ = true;
    say(left(), byte_use::value, "no description", byte_number::none, 0);
  }
  /// Emits a number, unless it would pass the end of the description.
  std::uint64_t number(std::size_t width, byte_use use, std::string_view what,
                       byte_number is = byte_number::natural) {
    good_ = good_ && width <= left();
    if (!good_) return 0;
    std::uint64_t n = 0;
    for (std::size_t i = width; i-- != 0;) n = n << 8 | std::to_integer<std::uint64_t>(bytes_[at_ + i]);
    say(width, use, what, is, n);
    return n;
  }
  std::uint64_t varint(std::string_view what, byte_use use = byte_use::count) {
    std::uint64_t n = 0;
    std::size_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      good_ = good_ && length < left() && shift < 64;
      if (!good_) return 0;
      const auto byte = std::to_integer<std::uint64_t>(bytes_[at_ + length++]);
      n |= (byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    say(length, use, what, byte_number::natural, n);
    return n;
  }
  void text(std::string_view what, byte_use use = byte_use::key) {
    const std::uint64_t length = varint("length of the text");
    good_ = good_ && length <= left();
    if (good_) say(static_cast<std::size_t>(length), use, what, byte_number::text, 0);
  }
  void head(std::string_view magic) {
    good_ = left() >= 8;
    if (!good_) return;
    say(4, byte_use::header, magic, byte_number::text, 0);
    number(1, byte_use::header, "version of the format");
    number(1, byte_use::header, "flags");
    number(2, byte_use::header, "zero");
  }

  // Schemas of messages.

  static constexpr std::array<std::string_view, 26> kinds{
      "a shared part", "boolean",    "integer",       "floating",  "character",     "byte",     "enumeration",
      "duration",      "time point", "complex",       "bitset",    "string",        "path",     "sequence",
      "array",         "set",        "unordered set", "map",       "unordered map", "optional", "variant",
      "expected",      "tuple",      "record",        "recursion", "document"};

  /// Emits a part of a description. Descriptions have at most 128 levels, so recursion is limited.
  /// In a malformed description, recursion stops at level 200.
  void part(unsigned depth) {
    good_ = good_ && depth < 200 && left() != 0;
    if (!good_) return;
    const auto kind = std::to_integer<unsigned>(bytes_[at_]);
    number(1, byte_use::tag, kind < kinds.size() ? kinds[kind] : "a kind");
    std::uint64_t flags = 0;
    if (kind == 2 || kind == 3 || kind == 4 || kind == 6 || kind == 11)
      number(1, byte_use::value, "bytes of it");
    if (kind == 2 || kind == 6 || (kind >= 15 && kind <= 18) || kind == 20 || kind == 23)
      flags = number(1, byte_use::tag, "flags of the kind");
    switch (kind) {
    case 0: varint("which", byte_use::place); return;
    case 6: text("name of the enumeration"); return enumerators();
    case 7:
      varint("period in seconds, numerator", byte_use::value);
      varint("denominator", byte_use::value);
      return part(depth + 1);
    case 8:
    case 9:
    case 13:
    case 15:
    case 16:
    case 19: return part(depth + 1);
    case 10: varint("bits", byte_use::value); return;
    case 14: varint("elements", byte_use::value); return part(depth + 1);
    case 17:
    case 18: part(depth + 1); return part(depth + 1);
    case 20:
    case 21:
    case 22: {
      if (kind == 20 && (flags & ingot::detail::has_tag_key) != 0) text("key of the tag in JSON");
      const std::uint64_t count = varint("how many parts");
      for (std::uint64_t i = 0; i < count && good_; ++i) {
        if (kind == 20) text("name of an alternative");
        part(depth + 1);
      }
      return;
    }
    case 23: {
      if ((flags & 16) != 0) varint("version of the record", byte_use::value);
      text("name of the record");
      const std::uint64_t count = varint("how many members");
      for (std::uint64_t i = 0; i < count && good_; ++i) {
        text("name of a member");
        const std::uint64_t annotations = number(1, byte_use::tag, "annotations");
        if ((annotations & 16) != 0) {
          varint("units of the step", byte_use::value);
          number(1, byte_use::value, "digits after the point");
        }
        if ((annotations & 32) != 0) number(1, byte_use::value, "bytes of a unit vector");
        if ((annotations & 64) != 0) varint("number of the field in protobuf", byte_use::value);
        if ((annotations & 128) != 0) number(1, byte_use::tag, "encoding in protobuf");
        part(depth + 1);
      }
      return;
    }
    case 24: varint("how many records in between", byte_use::place); return;
    default: return;
    }
  }
  void enumerators() {
    const std::uint64_t count = varint("how many enumerators");
    for (std::uint64_t i = 0; i < count && good_; ++i) {
      number(8, byte_use::value, "value of an enumerator");
      text("name of an enumerator");
    }
  }

  // Layouts of blocks.

  void type() {
    good_ = good_ && left() != 0;
    if (!good_) return;
    using kind = ingot::dynamic_kind;
    const auto is = static_cast<kind>(std::to_integer<std::uint8_t>(bytes_[at_]));
    const std::string_view name = to_string(is);
    number(1, byte_use::tag, name.empty() ? "a kind" : name);
    const std::uint64_t flags = number(1, byte_use::tag, "flags of the kind");
    varint("bytes of it", byte_use::value);
    number(1, byte_use::value, "alignment");
    const auto types = [&](unsigned count) {
      for (; count != 0; --count) varint("which type", byte_use::place);
    };
    switch (is) {
    case kind::boolean:
    case kind::integer:
    case kind::floating:
    case kind::character:
    case kind::byte:
    case kind::complex: return;
    case kind::enumeration: text("name of the enumeration"); return enumerators();
    case kind::duration:
      types(1);
      varint("period in seconds, numerator", byte_use::value);
      varint("denominator", byte_use::value);
      return;
    case kind::bitset: varint("bits", byte_use::value); return;
    case kind::array: varint("elements", byte_use::value); return types(1);
    case kind::pair: varint("where the second begins", byte_use::value); return types(2);
    case kind::record:
    case kind::ref: return members(flags);
    case kind::optional:
      types(1);
      if ((flags & ingot::detail::dyn::has_model) != 0) {
        const std::uint64_t length = varint("length of the model");
        good_ = good_ && length <= left();
        if (good_)
          say(static_cast<std::size_t>(length), byte_use::value, "what stands for no value",
              byte_number::none, 0);
      }
      return;
    case kind::variant: {
      if ((flags & ingot::detail::dyn::has_tag_key) != 0) text("key of the tag in JSON");
      const std::uint64_t count = varint("how many alternatives");
      for (std::uint64_t i = 0; i < count && good_; ++i) {
        text("name of an alternative");
        types(1);
      }
      return;
    }
    case kind::map:
    case kind::multimap:
    case kind::flat_map: return types(2);
    case kind::hash_map: return types(3);
    default: return types(1);
    }
  }
  void members(std::uint64_t flags) {
    text("name of the record");
    if ((flags & ingot::detail::dyn::has_version) != 0) varint("version of the record", byte_use::value);
    const std::uint64_t count = varint("how many members");
    for (std::uint64_t i = 0; i < count && good_; ++i) {
      text("name of a member");
      varint("where it begins in the record", byte_use::value);
      varint("which type", byte_use::place);
      const std::uint64_t limits = number(1, byte_use::tag, "limits: 1 range, 2 max_size, 4 utf8");
      for (int end = 0; (limits & 1) != 0 && end < 2; ++end) {
        number(1, byte_use::tag, "form of a bound");
        number(8, byte_use::value, "a bound");
      }
      if ((limits & 2) != 0) varint("most elements", byte_use::value);
    }
  }

  bytes_view bytes_;
  ingot::byte_visitor& to_;
  std::size_t at_ = 0;
  bool good_ = true;
};

} // namespace

void tell_description(bytes_view bytes, ingot::schema_form form, ingot::byte_visitor& to) {
  description_bytes all(bytes, to);
  if (form == ingot::schema_form::layout) all.layout();
  else all.portable();
}

} // namespace tool
