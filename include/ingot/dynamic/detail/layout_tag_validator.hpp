// SPDX-License-Identifier: Apache-2.0
// Checks whether tables that were read from an untrusted description are those that `layout_of`
// would write. Each type must have only the data of its kind, texts must be names, and types must
// be in the order in which a walk meets them. So each layout has exactly one accepted description.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/reflect/detail/names.hpp>
#include <ingot/reflect/detail/plain_name.hpp>
#include <ingot/schema/detail/tag_key_search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Returns true for text that can be printed in one line: valid UTF-8 without control characters.
[[nodiscard]] inline bool is_printable(std::string_view text) noexcept {
  return text.empty() || is_plain_name(text);
}
[[nodiscard]] inline bool is_type_name(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), is_identifier_char) && is_printable(text);
}

/// A type that is rejected, and the reason.
struct layout_fault {
  std::uint32_t type = 0;
  errc code{};
  std::string_view expected;
};

/// Base class of the checks of tables. Stores the fault.
class layout_look {
public:
  [[nodiscard]] const layout_fault& fault() const noexcept { return fault_; }

protected:
  explicit layout_look(tables& in) noexcept : in_(in) {}

  INGOT_COLD bool reject(const type& of, errc code, std::string_view expected) noexcept {
    fault_ = {number_of(of), code, expected};
    return false;
  }
  INGOT_COLD bool no_memory() noexcept {
    fault_ = {0, errc::no_memory, "memory for the description"};
    return false;
  }
  [[nodiscard]] std::uint32_t number_of(const type& of) const noexcept {
    return static_cast<std::uint32_t>(&of - in_.types.begin());
  }

  tables& in_;
  layout_fault fault_;
};

class layout_tag_validator : public layout_look {
public:
  explicit layout_tag_validator(tables& in) noexcept : layout_look(in) {}

  [[nodiscard]] bool run() {
    for (const type& each : in_.types) {
      if (!check_flags(each) || !check_texts(each)) return false;
      if (each.kind == dynamic_kind::enumeration) {
        if (!check_enumerators(each)) return false;
        continue;
      }
      for (const part& one : in_.parts_of(each)) {
        if (one.type >= in_.types.size()) return reject(each, errc::out_of_range, "the number of a type");
      }
      if (!check_version_key(each)) return false;
    }
    return check_order() && check_limits() && check_tag_keys();
  }

private:
  struct step {
    std::uint32_t type;
    std::uint32_t next;
  };

  [[nodiscard]] bool check_flags(const type& of) {
    unsigned known = 0;
    switch (of.kind) {
    case dynamic_kind::integer: known = is_signed; break;
    case dynamic_kind::enumeration: known = is_signed | (of.has(is_open) ? is_open : is_flags); break;
    case dynamic_kind::record:
      known = asks_valid | has_version | (of.parts == 0 ? unsigned{is_empty} : 0U);
      break;
    case dynamic_kind::array:
    case dynamic_kind::bitset: known = of.extent == 0 ? unsigned{is_empty} : 0U; break;
    case dynamic_kind::ref: known = asks_valid; break;
    case dynamic_kind::optional: known = has_model; break;
    case dynamic_kind::variant: known = has_tags | has_tag_key; break;
    default: break;
    }
    if ((of.flags & ~known) != 0) return reject(of, errc::bad_padding, "no flags but those of the kind");
    if (of.kind == dynamic_kind::record && of.extent > std::numeric_limits<std::uint32_t>::max())
      return reject(of, errc::out_of_range, "a version of 32 bits");
    if (of.kind != dynamic_kind::duration) return true;
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    const bool reduced = of.extent != 0 && of.divisor != 0 && of.extent <= largest && of.divisor <= largest &&
                         std::gcd(of.extent, of.divisor) == 1;
    return reduced || reject(of, errc::out_of_range, "a period in lowest terms");
  }
  [[nodiscard]] bool check_texts(const type& of) {
    if (!is_type_name(of.name)) return reject(of, errc::invalid_utf8, "an identifier, or nothing, as name");
    if (of.kind == dynamic_kind::ref && of.name != "ref")
      return reject(of, errc::invalid_value, "a ref of that name");
    constexpr std::string_view wanted = "names in UTF-8 without control characters";
    if (of.kind == dynamic_kind::enumeration) {
      for (const enumerator& each : in_.enumerators_of(of)) {
        if (!is_printable(each.name)) return reject(of, errc::invalid_utf8, wanted);
      }
      return true;
    }
    for (const part& each : in_.parts_of(of)) {
      if (!is_printable(each.name)) return reject(of, errc::invalid_utf8, wanted);
    }
    if (of.kind != dynamic_kind::variant) return true;
    if (of.has(has_tag_key)) {
      if (!is_printable(of.tag_key)) return reject(of, errc::invalid_utf8, wanted);
      if (of.tag_key.empty() || of.tag_key == "$version")
        return reject(of, errc::invalid_value, "a tag_key that is neither empty nor \"$version\"");
    }
    if (!of.has(has_tags)) return true;
    const auto tags = in_.parts_of(of); // at most 256, so quadratic time is short
    for (std::size_t i = 0; i < tags.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (tags[k].name == tags[i].name) return reject(of, errc::duplicate_key, "tags that differ");
      }
      if (tags[i].name.empty()) return reject(of, errc::invalid_value, "a tag for each alternative");
    }
    return true;
  }
  /// Checks that JSON has one value under "$version": a record with a version has a member for it,
  /// or no member of this name.
  [[nodiscard]] bool check_version_key(const type& of) {
    if (!is_record(of.kind) || !of.has(has_version)) return true;
    const auto members = in_.parts_of(of);
    if (!members.empty() && members.front().name == "version" &&
        in_.types[members.front().type].kind == dynamic_kind::integer)
      return true;
    const bool is_free = std::none_of(members.begin(), members.end(),
                                      [](const part& each) { return each.name == "$version"; });
    return is_free ||
           reject(of, errc::duplicate_key, "no member $version beside the version, whose key it is");
  }
  /// Checks that the alternatives of variants with a `tag_key` are records without a member of this
  /// name.
  [[nodiscard]] bool check_tag_keys() {
    const auto is_tagged = [](const type& each) {
      return each.kind == dynamic_kind::variant && each.has(has_tag_key);
    };
    if (std::none_of(in_.types.begin(), in_.types.end(), is_tagged)) return true;
    const type* other = nullptr; ///< a variant with an alternative that is no record
    const auto found = catch_bad_alloc([&]() -> result<std::uint32_t> {
      tag_key_search search;
      for (const type& of : in_.types) {
        if (!is_tagged(of)) continue;
        search.add_variant(number_of(of), of.tag_key);
        for (const part& each : in_.parts_of(of)) {
          if (is_record(in_.types[each.type].kind)) search.add_alternative(each.type);
          else other = &of;
        }
      }
      return search.run([&](std::uint32_t record, auto&& look) {
        for (const part& each : in_.parts_of(in_.types[record])) {
          if (look(each.name)) return;
        }
      });
    });
    if (!found) return no_memory();
    if (other != nullptr)
      return reject(*other, errc::type_mismatch, "records as alternatives, because of the tag_key");
    return *found == tag_key_search::none ||
           reject(in_.types[*found], errc::duplicate_key, "a tag_key that no member of an alternative has");
  }
  /// Checks that the enumerators ascend, and that the bytes of the type can hold them.
  [[nodiscard]] bool check_enumerators(const type& of) {
    const auto all = in_.enumerators_of(of);
    const bool with_sign = of.has(is_signed);
    const std::uint64_t turn = with_sign ? std::uint64_t{1} << 63 : 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if ((all[i - 1].value ^ turn) >= (all[i].value ^ turn))
        return reject(of, errc::unsorted_keys, "enumerators that ascend");
    }
    if (all.empty() || of.size >= 8) return true;
    const auto bits = static_cast<unsigned>(8 * of.size);
    const auto fits = [&](std::uint64_t value) {
      const std::uint64_t above = value >> (bits - (with_sign ? 1 : 0));
      return above == 0 || (with_sign && above == ~std::uint64_t{0} >> (bits - 1));
    };
    return (fits(all.front().value) && fits(all.back().value)) ||
           reject(of, errc::out_of_range, "enumerators that are values of the type");
  }

  /// Checks the numbers of types: a walk from the root must meet new types in ascending order.
  [[nodiscard]] bool check_order() {
    table<step> path;
    std::uint32_t met = 1;
    if (!path.push({0, 0})) return no_memory();
    while (!path.empty()) {
      step& at = path[path.size() - 1];
      const type& of = in_.types[at.type];
      if (of.kind == dynamic_kind::enumeration || at.next == of.parts) {
        static_cast<void>(path.pop());
        continue;
      }
      const std::uint32_t child = in_.parts[of.first + at.next++].type;
      if (child < met) continue;
      if (child != met) return reject(of, errc::invalid_value, "types in the order in which they are met");
      ++met;
      if (!path.push({child, 0})) return no_memory();
    }
    return met == in_.types.size() ||
           reject(in_.types[met], errc::invalid_value, "only types that are reachable from the root");
  }

  /// Checks that annotations can express the limits of members.
  [[nodiscard]] bool check_limits() {
    for (const type& of : in_.types) {
      if (of.kind == dynamic_kind::enumeration) continue;
      for (const part& each : in_.parts_of(of)) {
        if (each.limits == 0) continue;
        const type& member = in_.types[each.type];
        if ((each.limits & has_range) != 0 && !is_ranged(member))
          return reject(of, errc::type_mismatch, "a range of numbers, or of numbers in containers");
        if ((each.limits & has_max_size) != 0 && !has_size(member.kind))
          return reject(of, errc::type_mismatch, "max_size only on types that have a size");
        if ((each.limits & has_utf8) != 0 && !has_bytes(member))
          return reject(of, errc::type_mismatch, "utf8 of text whose characters are bytes");
      }
    }
    return true;
  }
  [[nodiscard]] bool is_ranged(const type& member) const noexcept {
    const type* of = &member;
    for (unsigned depth = 0; depth < deepest_key; ++depth) {
      switch (of->kind) {
      case dynamic_kind::boolean:
      case dynamic_kind::byte:
      case dynamic_kind::character:
      case dynamic_kind::integer:
      case dynamic_kind::enumeration:
      case dynamic_kind::floating:
      case dynamic_kind::duration:
      case dynamic_kind::time_point: return true;
      case dynamic_kind::array:
      case dynamic_kind::text:
      case dynamic_kind::vector:
      case dynamic_kind::queue:
      case dynamic_kind::pool:
      case dynamic_kind::optional:
      case dynamic_kind::box:
      case dynamic_kind::set:
      case dynamic_kind::hash_set:
      case dynamic_kind::flat_set: of = &in_.part_type(*of, 0); break;
      default: return false;
      }
    }
    return false;
  }
  [[nodiscard]] static bool has_size(dynamic_kind kind) noexcept {
    return kind == dynamic_kind::text || kind == dynamic_kind::array || kind == dynamic_kind::bitset ||
           is_counted(kind);
  }
  [[nodiscard]] bool has_bytes(const type& of) const noexcept {
    return (of.kind == dynamic_kind::text || of.kind == dynamic_kind::vector ||
            of.kind == dynamic_kind::array) &&
           in_.part_type(of, 0).size == 1;
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
