// SPDX-License-Identifier: Apache-2.0
// Values of a block that is read without its type as values of a document: `doc["player"] = block["player"]`.
//
//   numbers, booleans, text     as they are; text of wider characters as UTF-8, enumerators by name, durations and times as their counts
//   records, maps by text       objects; members that are optionals or boxes without a value are left out
//   other maps, pairs           arrays of pairs, and arrays of two
//   sequences, sets, pools      arrays; vectors of std::byte bytes
//   variants                    an object of one member, whose key is the index of the alternative, as in JSON
//   bitsets, complex            text of 0 and 1, and arrays of two
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/document/dynamic_value.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ingot::inline v1 {

namespace detail::doc {

/// What `build` makes of types, made of types at run time. It nests as deep as that.
class dynamic_builder {
public:
  explicit dynamic_builder(core& in) noexcept : in_(in) {}

  [[nodiscard]] bool build(const dynamic_value& given, built& to, unsigned depth) {
    dynamic_value from = given;
    // A box of a box of a box is no depth of the document.
    while (from.kind() == dynamic_kind::optional || from.kind() == dynamic_kind::box) from = from.held();
    switch (from.kind()) {
    case dynamic_kind::absent: to.value = item::null(); return true;
    case dynamic_kind::boolean: to.value = item::of(from.value_or(false)); return true;
    case dynamic_kind::floating: to.value = item::of(from.value_or(0.0)); return true;
    case dynamic_kind::enumeration:
      if (const std::string_view name = from.enumerator(); !name.empty()) return text(name, to);
      return integer(from, to);
    case dynamic_kind::integer:
    case dynamic_kind::character:
    case dynamic_kind::byte: return integer(from, to);
    case dynamic_kind::duration:
    case dynamic_kind::time_point: return build(dyn::access::count_of(from), to, depth);
    case dynamic_kind::text: return text(utf8_of(from), to);
    case dynamic_kind::bitset: return text(bits_of(from), to);
    default: break;
    }
    if (depth == deepest_build) return to.fail(outcome::out_of_range);
    return compound(from, to, depth + 1);
  }

private:
  [[nodiscard]] bool integer(const dynamic_value& from, built& to) {
    const std::uint64_t number = dyn::access::number_of(from);
    if (dyn::access::type_of(from).has(dyn::is_signed))
      to.value = item::of(static_cast<std::int64_t>(number));
    else to.value = item::of(uint64_t{number});
    return true;
  }
  /// Text that may be gone when this returns.
  [[nodiscard]] bool text(std::string_view text, built& to) {
    if (!build_text(in_, value_kind::text, text.data(), text.size(), to)) return false;
    if (to.value.is != item::form::plain || to.value.length == 0) return true;
    std::memcpy(to.bytes.data(), text.data(), text.size());
    to.value.bytes = to.bytes.data();
    return true;
  }
  [[nodiscard]] static std::string utf8_of(const dynamic_value& from) {
    const dyn::memory& in = *dyn::access::memory_of(from);
    const dyn::text_run run = in.text(dyn::access::type_of(from), from.position());
    if (run.width == 1) return std::string(in.view(run));
    std::string out;
    for (std::uint64_t i = 0; i < run.units; ++i) {
      std::uint32_t code = in.unit(run, i);
      if (run.width == 2 && code >= 0xD800 && code < 0xDC00 && i + 1 < run.units) {
        const std::uint32_t low = in.unit(run, i + 1);
        if (low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          ++i;
        }
      }
      append_code(out, (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ? 0xFFFD : code);
    }
    return out;
  }
  static void append_code(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        byte(0xE0 | code >> 12);
      } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
      }
      byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }
  [[nodiscard]] static std::string bits_of(const dynamic_value& from) {
    const std::size_t size = from.size();
    std::string digits(size, '0');
    for (std::size_t i = 0; i < size; ++i) {
      if (from.bit(i)) digits[size - 1 - i] = '1';
    }
    return digits;
  }

  [[nodiscard]] bool compound(const dynamic_value& from, built& to, unsigned depth) {
    switch (from.kind()) {
    case dynamic_kind::ref:
    case dynamic_kind::record: return record(from, to, depth);
    case dynamic_kind::variant: {
      node_builder node(in_, value_kind::object, 1, 3);
      const std::string index = std::to_string(from.alternative());
      if (!member(node, index, from.held(), to, depth)) return false;
      to.value = node.finish();
      return true;
    }
    case dynamic_kind::complex: {
      node_builder node(in_, value_kind::array, 2);
      const auto [re, im] = from.complex();
      if (!node.append(item::of(re)) || !node.append(item::of(im))) return to.fail(outcome::no_space);
      to.value = node.finish();
      return true;
    }
    case dynamic_kind::map:
    case dynamic_kind::hash_map:
    case dynamic_kind::flat_map:
      if (has_text_keys(from)) return object(from, to, depth);
      [[fallthrough]];
    case dynamic_kind::multimap: return pairs(from, to, depth);
    case dynamic_kind::vector:
      if (const auto& type = dyn::access::type_of(from);
          dyn::access::memory_of(from)->in->part_type(type, 0).kind == dynamic_kind::byte)
        return bytes(from, to);
      return array(from, to, depth);
    default: return array(from, to, depth);
    }
  }
  [[nodiscard]] bool bytes(const dynamic_value& from, built& to) {
    const auto all = from.as<bytes_view>();
    if (!all) return to.fail(outcome::absent);
    return build_text(in_, value_kind::binary, all->data(), all->size(), to);
  }
  [[nodiscard]] static bool has_text_keys(const dynamic_value& from) noexcept {
    const auto& all = *dyn::access::memory_of(from)->in;
    const auto& key = all.part_type(dyn::access::type_of(from), 0);
    return key.kind == dynamic_kind::text && all.part_type(key, 0).size == 1;
  }
  [[nodiscard]] bool member(node_builder& node, std::string_view key, const dynamic_value& value, built& to,
                            unsigned depth) {
    built one;
    if (!build(value, one, depth)) return to.fail(one.why);
    return node.insert(document_key(key), one.value) || to.fail(outcome::no_space);
  }
  [[nodiscard]] bool element(node_builder& node, const dynamic_value& value, built& to, unsigned depth) {
    built one;
    if (!build(value, one, depth)) return to.fail(one.why);
    return node.append(one.value) || to.fail(outcome::no_space);
  }
  [[nodiscard]] bool record(const dynamic_value& from, built& to, unsigned depth) {
    node_builder node(in_, value_kind::object, from.size(), 8 * from.size());
    for (const dynamic_part& each : from.parts()) {
      if (dyn::access::is_repeated(from, each.index)) continue; // an object has each key once
      const auto kind = each.value.kind();
      if ((kind == dynamic_kind::optional || kind == dynamic_kind::box) && each.value.empty()) continue;
      if (!member(node, each.name, each.value, to, depth)) return false;
    }
    to.value = node.finish();
    return true;
  }
  [[nodiscard]] bool object(const dynamic_value& from, built& to, unsigned depth) {
    node_builder node(in_, value_kind::object, from.size(), 8 * from.size());
    for (const dynamic_part& each : from.parts()) {
      if (!member(node, each.key.value_or(std::string_view()), each.value, to, depth)) return false;
    }
    to.value = node.finish();
    return true;
  }
  [[nodiscard]] bool pairs(const dynamic_value& from, built& to, unsigned depth) {
    if (depth == deepest_build) return to.fail(outcome::out_of_range);
    node_builder node(in_, value_kind::array, from.size());
    for (const dynamic_part& each : from.parts()) {
      node_builder entry(in_, value_kind::array, 2);
      if (!element(entry, each.key, to, depth + 1) || !element(entry, each.value, to, depth + 1))
        return false;
      if (!node.append(entry.finish())) return to.fail(outcome::no_space);
    }
    to.value = node.finish();
    return true;
  }
  [[nodiscard]] bool array(const dynamic_value& from, built& to, unsigned depth) {
    node_builder node(in_, value_kind::array, from.size());
    for (const dynamic_part& each : from.parts()) {
      if (!element(node, each.value, to, depth)) return false;
    }
    to.value = node.finish();
    return true;
  }

  core& in_;
};

template <>
inline bool build<dynamic_value>(core& in, const dynamic_value& from, built& to, unsigned depth) {
  return dynamic_builder(in).build(from, to, depth);
}

} // namespace detail::doc

/// A document of the value with all that is in it. Errors: no_space below the ceiling, too_deep for more than 128 levels; other
/// than those nothing can go wrong. Also `set`, `append` and assignment of documents take such a value.
[[nodiscard]] inline result<document> to_document(const dynamic_value& from,
                                                  ceiling most = document::default_ceiling) {
  document made(most);
  const auto done = made.root().set(from);
  if (done) return made;
  if (done.error().code() == errc::out_of_range)
    return fail(error{errc::too_deep}.with_expected("at most 128 levels"));
  return fail(done.error());
}

} // namespace ingot::inline v1
