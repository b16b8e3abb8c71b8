// SPDX-License-Identifier: Apache-2.0
// Writes reflected types as protobuf messages. `to_proto` prints the message type for a C++ type.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/put_bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/protobuf/detail/known_values.hpp>
#include <ingot/protobuf/detail/proto_type.hpp>
#include <ingot/protobuf/detail/rejection.hpp>
#include <ingot/protobuf/detail/wide_text.hpp>
#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/protobuf/options.hpp>
#include <ingot/reflect/detail/links.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf {

namespace detail {

/// Returns the value of a scalar as the 64 bits that protobuf encodes. Numbers of a `sint` type are
/// in zigzag form; other negative numbers are sign-extended. For a floating-point number, returns
/// its bits.
template <proto_form As = {}, class T>
[[nodiscard]] std::uint64_t scalar_bits(const T& value) {
  constexpr kind what = kind_of<T>;
  if constexpr (what == kind::adapted) {
    const adapted_t<T>& stored = adapt<T>::to(value);
    return scalar_bits<As>(stored);
  } else if constexpr (what == kind::duration) {
    return scalar_bits<As>(value.count());
  } else if constexpr (what == kind::time_point) {
    return scalar_bits<As>(value.time_since_epoch().count());
  } else if constexpr (what == kind::floating) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    else return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (what == kind::enumeration) {
    const auto number = std::to_underlying(value);
    if constexpr (is_wide_enum<T>() && std::is_signed_v<std::underlying_type_t<T>> &&
                  As.number == proto_number::sint)
      return zigzag(number);
    else return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  } else if constexpr (what == kind::integer && std::is_signed_v<T>) {
    if constexpr (As.number == proto_number::sint) return zigzag(value);
    else return static_cast<std::uint64_t>(std::int64_t{value});
  } else if constexpr (what == kind::character) {
    return static_cast<std::make_unsigned_t<T>>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}
/// Returns true if a scalar, such as a time, may have values that its stored form cannot hold.
template <class T>
consteval bool scalar_may_not_fit() {
  if constexpr (ingot::detail::may_not_fit<T>) return true;
  else if constexpr (kind_of<T> == kind::adapted && !ingot::detail::document_like<T>)
    return scalar_may_not_fit<adapted_t<T>>();
  else return false;
}
template <class T>
[[nodiscard]] bool check_fits(wire_writer& to, const T& value) {
  if constexpr (ingot::detail::may_not_fit<T>) {
    return adapt<T>::fits(value) || to.fail(errc::out_of_range, adapt<T>::expected());
  } else if constexpr (scalar_may_not_fit<T>()) {
    const adapted_t<T>& stored = adapt<T>::to(value);
    return check_fits<adapted_t<T>>(to, stored);
  } else {
    return true;
  }
}
/// True if a value of an open enumeration may need more than the 32 bits of protobuf's
/// enumerations.
template <class T>
inline constexpr bool may_pass_enum = [] {
  using stored = stored_t<T>;
  if constexpr (kind_of<stored> != kind::enumeration) {
    return false;
  } else {
    using under = std::underlying_type_t<stored>;
    return enum_is_open<stored> && !is_wide_enum<stored>() &&
           (sizeof(under) > 4 || (sizeof(under) == 4 && std::is_unsigned_v<under>));
  }
}();
/// Writes a scalar without its tag. `bits` is the result of `scalar_bits`.
template <class T, proto_form As>
[[nodiscard]] bool put_scalar(wire_writer& to, std::uint64_t bits) {
  if constexpr (may_pass_enum<T>) {
    if (!std::in_range<std::int32_t>(static_cast<std::int64_t>(bits)))
      return to.fail(errc::out_of_range, "a value that fits into 32 bits, as in protobuf");
  }
  if constexpr (wire_of<T, As>() == wire::fixed32) to.fixed(static_cast<std::uint32_t>(bits));
  else if constexpr (wire_of<T, As>() == wire::fixed64) to.fixed(bits);
  else to.varint(bits);
  return true;
}

inline bool put_text(wire_writer& to, std::uint32_t number, std::string_view text, bool always) {
  if (!ingot::detail::is_utf8(text))
    return to.fail(errc::invalid_utf8, "UTF-8, which protobuf requires of strings");
  if (text.size() > max_bytes) return to.fail(errc::too_large, "a text of less than 2 GiB");
  if (text.empty() && !always) return true;
  to.tag(number, wire::bytes);
  to.run(text);
  return true;
}
inline bool put_bytes(wire_writer& to, std::uint32_t number, std::string_view bytes, bool always) {
  if (bytes.size() > max_bytes) return to.fail(errc::too_large, "bytes of less than 2 GiB");
  if (bytes.empty() && !always) return true;
  to.tag(number, wire::bytes);
  to.run(bytes);
  return true;
}

/// Writes a message in a field. `fill` writes the fields of this message.
template <class Fill>
[[nodiscard]] bool put_message(wire_writer& to, std::uint32_t number, Fill&& fill) {
  if (!to.deeper()) return false;
  to.tag(number, wire::bytes);
  const std::size_t start = to.open();
  if (!std::forward<Fill>(fill)()) return false;
  to.shallower();
  return to.close(start);
}

/// Writes a field, with the label that its type requires. Zero and empty values are omitted unless
/// `always` is true.
template <proto_form As = {}, class T>
[[nodiscard]] bool put_field(wire_writer& to, std::uint32_t number, const T& value, bool always);

/// Writes a value that is always present: in a list, a map, an alternative or an optional. A value
/// with a label (`repeated` or `optional`) is written in a separate message.
template <class T, proto_form As>
[[nodiscard]] bool put_single(wire_writer& to, std::uint32_t number, const T& value) {
  if constexpr (has_label<T>) {
    return put_message(to, number, [&] { return put_field<As, T>(to, 1, value, false); });
  } else {
    return put_field<As, T>(to, number, value, true);
  }
}
/// Writes the value of an optional. If the value is in a wrapper message, the annotations of the
/// member don't apply to the field of the wrapper.
template <class T, proto_form As>
[[nodiscard]] bool put_held(wire_writer& to, std::uint32_t number, const T& value) {
  if constexpr (!has_label<T> && is_held_wrapped<T, As>())
    return put_message(to, number, [&] { return put_field<proto_form{}, T>(to, 1, value, false); });
  else return put_single<T, As>(to, number, value);
}

template <class T>
[[nodiscard]] bool put_bytes_of(wire_writer& to, std::uint32_t number, const T& list, bool always) {
  using element = element_t<T>;
  std::string copy;
  std::string_view bytes;
  if constexpr (kind_of<element> != kind::adapted && requires { std::data(list); }) {
    bytes = {reinterpret_cast<const char*>(std::data(list)), std::size(list)};
  } else {
    for (const auto& each : list)
      copy += static_cast<char>(static_cast<unsigned char>(scalar_bits<proto_form{}, element>(each)));
    bytes = copy;
  }
  if constexpr (kind_of<T> == kind::array && stored_kind<element> == kind::character) {
    while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
    return put_bytes(to, number, bytes, always);
  } else {
    return put_bytes(to, number, bytes, always || kind_of<T> == kind::array);
  }
}

/// Rejects NaN as a key, as readers do.
template <class Key>
[[nodiscard]] bool check_key(wire_writer& to, [[maybe_unused]] const Key& key) {
  if constexpr (std::is_floating_point_v<Key>)
    return !ingot::detail::is_nan(key) || to.fail(errc::not_canonical, "a key that is not NaN");
  else return true;
}
template <proto_form As, class T>
[[nodiscard]] bool put_list(wire_writer& to, std::uint32_t number, const T& list) {
  using element = element_t<T>;
  constexpr bool is_unordered = kind_of<T> == kind::unordered_set;
  if constexpr (ingot::detail::provides_links<T>) {
    if (!list.was_only_filled()) return to.fail(errc::invalid_value, ingot::detail::only_filled_pool);
  }
  std::vector<std::size_t> starts;
  if constexpr (is_scalar<element, As>) {
    if (std::begin(list) == std::end(list)) return true;
    to.tag(number, wire::bytes);
    const std::size_t start = to.open();
    [[maybe_unused]] std::size_t index = 0;
    for (const element& each : list) {
      if constexpr (is_unordered) starts.push_back(to.out().size());
      if constexpr (kind_of<T> == kind::set || is_unordered) {
        if (!check_key(to, each)) {
          to.why()->in_element(index);
          return false;
        }
      }
      if (!check_fits<element>(to, each) || !put_scalar<element, As>(to, scalar_bits<As, element>(each))) {
        to.why()->in_element(index);
        return false;
      }
      ++index;
    }
    // does nothing for an ordered container, because `starts` is then empty
    if (!to.sort_since(starts)) return false;
    return to.close(start);
  } else {
    std::size_t index = 0;
    for (const auto& each : list) {
      if constexpr (is_unordered) starts.push_back(to.out().size());
      if (!to.should_continue() || !put_single<element, As>(to, number, each)) {
        to.why()->in_element(index);
        return false;
      }
      ++index;
    }
    // does nothing for an ordered container, because `starts` is then empty
    if (!to.sort_since(starts)) return false;
    return true;
  }
}

template <class T>
inline constexpr bool has_plain_key =
    !is_multi<T> && (stored_kind<key_t<T>> == kind::integer || stored_kind<key_t<T>> == kind::boolean ||
                     (stored_kind<key_t<T>> == kind::string && [] {
                       if constexpr (stored_kind<key_t<T>> == kind::string)
                         return sizeof(typename stored_t<key_t<T>>::value_type) == 1;
                       else return false;
                     }()));

template <proto_form As, class T>
[[nodiscard]] bool put_entry(wire_writer& to, std::uint32_t number, const key_t<T>& key,
                             const mapped_t<T>& mapped) {
  return check_key(to, key) && put_message(to, number, [&] {
           if constexpr (has_plain_key<T>)
             return put_single<key_t<T>, As.of_key()>(to, 1, key) &&
                    put_single<mapped_t<T>, As>(to, 2, mapped);
           else
             return put_field<As.of_key(), key_t<T>>(to, 1, key, false) &&
                    put_field<As, mapped_t<T>>(to, 2, mapped, false);
         });
}
template <proto_form As, class T>
[[nodiscard]] bool put_map(wire_writer& to, std::uint32_t number, const T& map) {
  std::vector<std::size_t> starts;
  std::size_t index = 0;
  for (const auto& entry : map) {
    const auto& [key, mapped] = entry;
    if constexpr (kind_of<T> == kind::unordered_map) starts.push_back(to.out().size());
    if (!put_entry<As, T>(to, number, key, mapped)) {
      to.why()->in_element(index);
      return false;
    }
    ++index;
  }
  // does nothing for an ordered container, because `starts` is then empty
  if (!to.sort_since(starts)) return false;
  return true;
}

/// Writes the fields of a message.
template <class T>
[[nodiscard]] bool put_members(wire_writer& to, const T& record) {
  return for_each_member(record, [&](auto index, const auto& member) {
    constexpr std::size_t i = index;
    if constexpr (member_has<T, i, skip_t>) {
      return true;
    } else {
      if constexpr (i == 0) {
        if (!is_own_version<T>(member)) {
          static_cast<void>(to.fail(errc::wrong_version, "the version that the type names"));
          to.why()->in_member(member_name<T, i>);
          return false;
        }
      }
      if (put_field<member_form<T, i>, std::remove_const_t<member_type<T, i>>>(to, field_number_table<T>[i],
                                                                               member, false))
        return true;
      to.why()->in_member(member_name<T, i>);
      return false;
    }
  });
}
template <proto_form As, class T>
[[nodiscard]] bool put_alternative(wire_writer& to, const T& value) {
  if constexpr (kind_of<T> == kind::variant) {
    if (value.valueless_by_exception()) return to.fail(errc::bad_variant, "a variant that holds a value");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      bool good = false;
      static_cast<void>(
          ((value.index() == I && (good = put_single<std::variant_alternative_t<I, T>, As>(
                                       to, ingot::detail::number_of_field(I), *get_if<I>(&value)),
                                   true)) ||
           ...));
      if (!good) to.why()->in_element(value.index());
      return good;
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  } else if (!value.has_value()) {
    if (put_single<typename T::error_type, As>(to, 2, value.error())) return true;
    to.why()->in_member("error");
    return false;
  } else if constexpr (std::is_void_v<typename T::value_type>) {
    return put_field(to, 1, true, true);
  } else {
    if (put_single<typename T::value_type, As>(to, 1, *value)) return true;
    to.why()->in_member("value");
    return false;
  }
}
template <proto_form As, class T>
[[nodiscard]] bool put_parts(wire_writer& to, const T& tuple) {
  const auto put_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if (put_field<As, std::remove_const_t<std::tuple_element_t<I, T>>>(to, ingot::detail::number_of_field(I),
                                                                       std::get<I>(tuple), false))
      return true;
    to.why()->in_element(I);
    return false;
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (put_one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<std::tuple_size_v<T>>{});
}
/// Writes the contents of a message, without the message's length.
template <proto_form As, class T>
[[nodiscard]] bool put_body(wire_writer& to, const T& value) {
  if constexpr (kind_of<T> == kind::adapted) {
    const adapted_t<T>& stored = adapt<T>::to(value);
    return put_body<As>(to, stored);
  } else if constexpr (kind_of<T> == kind::record) {
    return put_members(to, value);
  } else if constexpr (kind_of<T> == kind::tuple) {
    return put_parts<As>(to, value);
  } else if constexpr (is_message<T>) {
    return put_alternative<As>(to, value);
  } else {
    return put_field(to, 1, value, false); // a type that is not a message is field 1 of a message
  }
}

template <class T>
[[nodiscard]] bool put_string(wire_writer& to, std::uint32_t number, const T& value, bool always) {
  using unit = typename T::value_type;
  if constexpr (sizeof(unit) == 1) {
    return put_text(to, number, {reinterpret_cast<const char*>(value.data()), value.size()}, always);
  } else {
    std::string text;
    if (!append_utf8(std::basic_string_view<unit>(value.data(), value.size()), text))
      return to.fail(errc::invalid_utf8, "text that is Unicode");
    return put_text(to, number, text, always);
  }
}
template <class T>
[[nodiscard]] bool put_bits(wire_writer& to, std::uint32_t number, const T& bits, bool always) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  bool any = false;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (!bits.test(i)) continue;
    any = true;
    bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | 1U << i % 8);
  }
  return put_bytes(to, number, any || always ? std::string_view(bytes) : std::string_view(), always);
}

template <proto_form As, class T>
[[nodiscard]] bool put_field(wire_writer& to, std::uint32_t number, const T& value, bool always) {
  constexpr known_message known = known_of<T, As>();
  constexpr kind what = kind_of<T>;
  if constexpr (is_scalar<T, As>) {
    if (!check_fits(to, value)) return false;
    const std::uint64_t bits = scalar_bits<As>(value);
    if (bits == 0 && !always) return true;
    to.tag(number, wire_of<T, As>());
    return put_scalar<T, As>(to, bits);
  } else if constexpr (ingot::detail::document_like<T> && known != known_message::none) {
    return value_codec<T>::put(to, known, number, value, always);
  } else if constexpr (known != known_message::none && what != kind::adapted) {
    known_time time;
    if (!split_time<known>(value, time)) return to.fail(errc::out_of_range, time_expected(known));
    return put_message(to, number, [&] {
      put_time(to, time);
      return true;
    });
  } else if constexpr (what == kind::adapted) {
    if constexpr (known != known_message::none) {
      if (!check_fits(to, value)) return false;
    }
    const adapted_t<T>& stored = adapt<T>::to(value);
    return put_field<As>(to, number, stored, always);
  } else if constexpr (what == kind::string) {
    return put_string(to, number, value, always);
  } else if constexpr (what == kind::path) {
    const auto text = value.generic_u8string();
    return put_text(to, number, {reinterpret_cast<const char*>(text.data()), text.size()}, always);
  } else if constexpr (what == kind::bitset) {
    return put_bits(to, number, value, always);
  } else if constexpr (is_bytes<T>) {
    return put_bytes_of(to, number, value, always);
  } else if constexpr (is_list_kind<T>) {
    return put_list<As>(to, number, value);
  } else if constexpr (is_map_kind<T>) {
    return put_map<As>(to, number, value);
  } else if constexpr (what == kind::complex) {
    return put_list<proto_form{}>(to, number,
                                  std::array<typename T::value_type, 2>{value.real(), value.imag()});
  } else if constexpr (what == kind::optional) {
    return !value.has_value() || put_held<typename T::value_type, As>(to, number, *value);
  } else if constexpr (what == kind::box) {
    return value == nullptr ||
           put_held<std::remove_const_t<typename T::element_type>, As>(to, number, *value);
  } else {
    return put_message(to, number, [&] { return put_body<As>(to, value); });
  }
}

template <class List, class F>
void written_form::for_each_by_bytes(const List& list, F&& f) {
  using iterator = decltype(list.begin());
  std::vector<std::pair<buffer, iterator>> elements;
  for (auto at = list.begin(); at != list.end(); ++at) {
    const options how;
    wire_writer one(how);
    if constexpr (is_map_kind<List>)
      static_cast<void>(put_entry<proto_form{}, List>(one, 1, at->first, at->second));
    else static_cast<void>(put_single<element_t<List>, proto_form{}>(one, 1, *at));
    elements.emplace_back(one.out().take(), at);
  }
  std::sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.first.begin(), a.first.end(), b.first.begin(), b.first.end());
  });
  for (const auto& each : elements) f(*each.second);
}

} // namespace detail

/// Returns a message with the members of `value`. If `value` is not a message, it becomes the only
/// field of a message, with number 1. As in proto3, zero scalars and empty strings and lists are
/// omitted. Entries of unordered containers are in the order of their bytes, so that equal values
/// give equal bytes.
///
/// Errors include the path: invalid_utf8 (all strings must be UTF-8), too_large (2 GiB), too_deep
/// (`options::max_depth`), wrong_version, bad_variant, out_of_range (a time or number that its
/// google.protobuf message cannot hold, or a value of an open enumeration with more than 32 bits),
/// type_mismatch (a document that does not match its annotation), not_canonical (a key that is
/// NaN), invalid_value (a pool from which objects were erased), errors of `read` (closed enums,
/// limits of members, `valid`), no_memory, cancelled (by `options::progress`).
///
/// O(bytes), times the nesting depth of messages.
template <class T>
[[nodiscard]] result<buffer> write(const T& value, const options& how = {}) {
  static_assert(ingot::detail::require_storable<T>());
  return ingot::detail::catch_bad_alloc([&]() -> result<buffer> {
    detail::wire_writer to(how);
    if (!to.deeper() || !detail::put_body<proto_form{}>(to, value)) return to.failure();
    constexpr unsigned all_levels = ~0U; // the writer has already checked the depth
    if (const auto why = ingot::detail::rejection_of<detail::written_form>(value, all_levels))
      return fail(*why);
    if (to.out().size() > detail::max_bytes)
      return fail(error{errc::too_large}.with_expected("a message of less than 2 GiB"));
    if (auto finished = to.finish(); !finished) return fail(finished.error());
    return to.out().take();
  });
}
/// Writes to a sink and returns the number of bytes. After an error the sink is unchanged. Errors:
/// as `write`; `no_space`; those of a stream.
template <class T, sink S>
[[nodiscard]] result<std::size_t> write_to(S& sink, const T& value, const options& how = {}) {
  const auto message = write(value, how);
  if (!message) return fail(message.error());
  return ingot::detail::put_bytes(sink, bytes_view(*message));
}

}}} // namespace ingot::INGOT_V1::protobuf
