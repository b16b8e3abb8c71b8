// SPDX-License-Identifier: Apache-2.0
// Reads values into existing objects. Repeated fields are merged by the rules of protobuf.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/absent.hpp>
#include <ingot/protobuf/detail/field_table.hpp>
#include <ingot/protobuf/detail/proto_type.hpp>
#include <ingot/protobuf/detail/wide_text.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// Reads a value for a field that is not a list. If the field repeats, messages are merged; for
/// other values, the last value counts.
template <proto_form As = {}, class T>
[[nodiscard]] bool take(reading& from, T& out, wire type, std::uint32_t& state);
/// Reads an element of a list or set, or the stored value of an adapted class. Requires that
/// `make_absent` was called for `out`. Runs the checks of `out` after reading.
template <proto_form As = {}, class T>
[[nodiscard]] bool decode_element(reading& from, T& out, wire type);

/// Converts `bits`, a varint or a fixed number widened to 64 bits, to a `T`.
template <proto_form As = {}, class T>
[[nodiscard]] bool number_from(reading& from, std::uint64_t bits, std::uint64_t where, T& out) {
  constexpr kind what = kind_of<T>;
  if constexpr (what == kind::boolean) {
    out = bits != 0;
  } else if constexpr (what == kind::enumeration) {
    using under = std::underlying_type_t<T>;
    std::int64_t number = static_cast<std::int64_t>(bits);
    if constexpr (is_wide_enum<T>()) {
      if constexpr (std::is_signed_v<under> && As.number == proto_number::sint) number = unzigzag(bits);
    } else if (bits >> 32 == 0) {
      number = static_cast<std::int32_t>(
          static_cast<std::uint32_t>(bits)); // some writers encode negative numbers in 32 bits
    }
    bool fits = false;
    if constexpr (std::is_same_v<under, bool>) fits = number == 0 || number == 1;
    else if constexpr (std::is_unsigned_v<under> && is_wide_enum<T>())
      fits = bits <= std::numeric_limits<under>::max();
    else fits = std::in_range<under>(number);
    constexpr bool is_signed = std::is_signed_v<under> || !is_wide_enum<T>();
    const auto reject = [&] {
      return from.fail_enumerator(where, static_cast<std::uint64_t>(number), is_signed, enum_is_flags<T>);
    };
    if (!fits) return reject();
    if constexpr (std::is_same_v<under, bool>) out = static_cast<T>(number != 0);
    else out = static_cast<T>(static_cast<under>(number));
    if (!enum_valid(out)) return reject();
  } else if constexpr (what == kind::integer && std::is_signed_v<T>) {
    const std::int64_t number =
        As.number == proto_number::sint ? unzigzag(bits) : static_cast<std::int64_t>(bits);
    if (!std::in_range<T>(number))
      return from.fail_integer(where, static_cast<std::uint64_t>(number), sizeof(T), true);
    out = static_cast<T>(number);
  } else if constexpr (what == kind::byte) {
    if (bits > 255) return from.fail_integer(where, bits, 1, false);
    out = static_cast<T>(bits);
  } else {
    using unsigned_type = std::make_unsigned_t<T>;
    if (bits > std::numeric_limits<unsigned_type>::max())
      return from.fail_integer(where, bits, sizeof(T), false);
    out = static_cast<T>(static_cast<unsigned_type>(bits));
  }
  return true;
}

template <proto_form As = {}, class T>
[[nodiscard]] bool take_scalar(reading& from, T& out) {
  constexpr kind what = kind_of<T>;
  if constexpr (what == kind::duration) {
    typename T::rep count{};
    if (!take_scalar<As>(from, count)) return false;
    out = T(count);
    return true;
  } else if constexpr (what == kind::time_point) {
    typename T::duration since{};
    if (!take_scalar<As>(from, since)) return false;
    out = T(since);
    return true;
  } else if constexpr (what == kind::floating) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits{};
    if (!from.fixed(bits)) return false;
    out = std::bit_cast<T>(bits);
    return true;
  } else {
    const std::uint64_t where = from.offset();
    std::uint64_t bits = 0;
    if constexpr (wire_of<T, As>() == wire::fixed32) {
      std::uint32_t half = 0;
      if (!from.fixed(half)) return false;
      bits = half;
      if constexpr (is_signed_number<T>())
        bits = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(half)});
    } else if constexpr (wire_of<T, As>() == wire::fixed64) {
      if (!from.fixed(bits)) return false;
    } else {
      if (!from.varint(bits)) return false;
    }
    return number_from<As>(from, bits, where, out);
  }
}

[[nodiscard]] inline bool take_text(reading& from, std::string_view& out) {
  const std::uint64_t where = from.offset();
  bytes_view bytes;
  if (!from.run(bytes)) return false;
  out = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  return ingot::detail::is_utf8(out) ||
         from.fail(errc::invalid_utf8, where, "UTF-8, which protobuf requires of strings");
}
/// Checks that there is capacity and memory for one more element.
template <class T>
[[nodiscard]] bool has_capacity(reading& from, const T& out, std::size_t size) {
  if (!ingot::detail::can_hold(out, size + 1))
    return from.fail(errc::too_long, from.offset(), ingot::detail::within_capacity);
  return from.take_memory(ingot::detail::element_cost<T>());
}
template <class T>
[[nodiscard]] bool has_capacity(reading& from, const T& out) {
  return has_capacity(from, out, ingot::detail::has_fixed_capacity<T> ? out.size() : 0);
}
template <class T>
[[nodiscard]] bool take_string(reading& from, T& out) {
  static_assert(!is_borrowed<T>,
                "ingot::protobuf: a string_view can't be read into, as nothing would own its "
                "characters: use std::string");
  using unit = typename T::value_type;
  std::string_view text;
  [[maybe_unused]] const std::uint64_t where = from.offset();
  if (!take_text(from, text)) return false;
  const auto holds = [&](std::size_t count) {
    return ingot::detail::can_hold(out, count) ||
           from.fail(errc::too_long, where, ingot::detail::within_capacity);
  };
  if constexpr (sizeof(unit) == 1) {
    if (!holds(text.size())) return false;
    out.assign(reinterpret_cast<const unit*>(text.data()), text.size());
  } else {
    std::basic_string<unit> wide;
    append_wide(text, wide);
    if (!holds(wide.size())) return false;
    out.assign(wide.data(), wide.size());
  }
  return true;
}
template <class T>
[[nodiscard]] bool take_bits(reading& from, T& out) {
  const std::uint64_t where = from.offset();
  bytes_view bytes;
  if (!from.run(bytes)) return false;
  if (bytes.size() > (out.size() + 7) / 8)
    return from.fail(errc::too_long, where, "at most as many bytes as the bits need");
  if (out.size() % 8 != 0 && bytes.size() == (out.size() + 7) / 8 &&
      std::to_integer<unsigned>(bytes.back()) >> out.size() % 8 != 0)
    return from.fail(errc::bad_padding, where, "zeros after the last bit");
  for (std::size_t i = 0; i < out.size(); ++i)
    out.set(i, i / 8 < bytes.size() && (std::to_integer<unsigned>(bytes[i / 8]) >> i % 8 & 1) != 0);
  return true;
}

/// Converts one byte to an element of `bytes`.
template <class E>
[[nodiscard]] bool byte_from(reading& from, std::byte byte, std::uint64_t where, E& out) {
  if constexpr (kind_of<E> == kind::adapted) {
    ingot::detail::scratch_value<adapted_t<E>> storage;
    adapted_t<E>& stored = *storage;
    if (!byte_from(from, byte, where, stored)) return false;
    auto converted = ingot::detail::adapt_from<E>(std::move(stored));
    if (!converted) {
      error err = converted.error();
      from.why() = err.with_offset(where);
      return false;
    }
    out = std::move(*converted);
  } else {
    out = static_cast<E>(std::to_integer<unsigned char>(byte));
  }
  return true;
}
template <class T>
[[nodiscard]] bool take_bytes(reading& from, T& out) {
  static_assert(!is_borrowed<T>,
                "ingot::protobuf: a span can't be read into, as nothing would own its elements: "
                "use std::vector");
  using element = element_t<T>;
  const std::uint64_t where = from.offset();
  bytes_view bytes;
  if (!from.run(bytes)) return false;
  if constexpr (kind_of<T> == kind::array) {
    constexpr bool is_text = stored_kind<element> == kind::character; // padded with NULs
    if (is_text ? bytes.size() > ingot::detail::array_size<T> : bytes.size() != ingot::detail::array_size<T>)
      return from.fail(bytes.size() > ingot::detail::array_size<T> ? errc::too_long : errc::bad_length, where,
                       "as many bytes as the array has");
    for (std::size_t i = 0; i < ingot::detail::array_size<T>; ++i) {
      if (!byte_from(from, i < bytes.size() ? bytes[i] : std::byte{}, where, out[i])) return false;
    }
  } else {
    if (!ingot::detail::can_hold(out, bytes.size()))
      return from.fail(errc::too_long, where, ingot::detail::within_capacity);
    out.clear();
    for (const std::byte each : bytes) {
      element value{};
      if (!byte_from(from, each, where, value)) return false;
      out.push_back(std::move(value));
    }
  }
  return true;
}

/// Returns the number of elements of an array or complex number; `field::unlimited` for other
/// types.
template <class T>
consteval std::uint32_t extent_of() {
  if constexpr (kind_of<T> == kind::complex) return 2;
  else if constexpr (kind_of<T> == kind::array && !is_bytes<T>)
    return static_cast<std::uint32_t>(ingot::detail::array_size<T>);
  else return field::unlimited;
}

/// Converts a stored value to the adapted class `T`, and passes the result to `use`.
template <class T, class Take>
[[nodiscard]] bool adapt_into(reading& from, adapted_t<T>&& stored, std::uint64_t where, Take&& use) {
  auto converted = ingot::detail::adapt_from<T>(std::move(stored));
  if (!converted) {
    error err = converted.error();
    from.why() = err.with_offset(where);
    return false;
  }
  std::forward<Take>(use)(std::move(*converted));
  return true;
}

/// Reads the archive of a value of any kind. Empty bytes mean null, because proto3 omits empty
/// fields. Error offsets are relative to the whole message.
template <class T>
[[nodiscard]] bool take_document(reading& from, T& out) {
  bytes_view archive;
  if (!from.run(archive)) return false;
  if (archive.empty()) {
    make_absent(from, out);
    return true;
  }
  auto converted = ingot::detail::adapt_from<T>(adapted_t<T>(archive.begin(), archive.end()));
  if (!converted) {
    error err = converted.error();
    from.why() = err.with_offset(from.offset() - archive.size() + err.offset());
    return false;
  }
  out = std::move(*converted);
  return true;
}

/// Reads a new value and passes it to `use`.
template <class T, proto_form As = {}, class Use>
[[nodiscard]] bool decode_new(reading& from, wire type, Use&& use) {
  if constexpr (kind_of<T> == kind::adapted && !has_label<T> && !ingot::detail::document_like<T>) {
    const std::uint64_t where = from.offset();
    bool good = true;
    return decode_new<adapted_t<T>, As>(from, type,
                                        [&](adapted_t<T>&& stored) {
                                          good = adapt_into<T>(from, std::move(stored), where,
                                                               std::forward<Use>(use));
                                        }) &&
           good;
  } else {
    static_assert(std::is_default_constructible_v<T>,
                  "ingot::protobuf: read makes a default-constructed object first: give the class a default "
                  "constructor, or specialise ingot::adapt");
    ingot::detail::temporary<T> value(from.left());
    make_absent(from, *value);
    if (!decode_element<As>(from, *value, type)) return false;
    std::forward<Use>(use)(std::move(*value));
    return true;
  }
}

/// Creates a value of an adapted class from the pieces of its field (see `field_piece`), and passes
/// the value to `use`.
template <class T, proto_form As, class Use>
[[nodiscard]] bool build_adapted(reading& from, const field_pieces& pieces, Use&& use) {
  static_assert(kind_of<T> == kind::adapted,
                "ingot::protobuf: read makes a default-constructed object first: give the class a default "
                "constructor, or specialise ingot::adapt");
  using stored_type = adapted_t<T>;
  const std::uint64_t where = from.offset_of(pieces.all.front().bytes);
  ingot::detail::scratch_value<stored_type> storage;
  stored_type& stored = *storage;
  make_absent(from, stored);
  std::uint32_t state = 0;
  const auto is_whole = [&] {
    return extent_of<stored_type>() == field::unlimited || state == 0 || state == extent_of<stored_type>() ||
           from.fail(errc::bad_length, where, "as many elements as the array has, or none");
  };
  const bool good = each_piece(from, pieces, [&](const field_piece& piece) {
    if (piece.begins) {
      if (!is_whole()) return false;
      state = 0;
    }
    return take<As>(from, stored, piece.type, state);
  });
  return good && is_whole() && check_complete(from, stored) &&
         adapt_into<T>(from, std::move(stored), where, std::forward<Use>(use));
}
template <class T, proto_form As>
[[nodiscard]] bool build_adapted_field(reading& from, void* to, const field_pieces& pieces) {
  T& out = *static_cast<T*>(to);
  return build_adapted<T, As>(from, pieces, [&](T&& value) {
    out = std::move(value);
    from.set_lacking(std::addressof(out), false);
  });
}
/// Reads a field of an adapted class. An object of such a class cannot be extended later. So
/// occurrences of the field that must be merged are stored until all of them are known.
template <proto_form As, class T>
[[nodiscard]] bool take_adapted(reading& from, T& out, wire type, std::uint32_t& state) {
  if constexpr (known_of<T, As>() == known_message::none && !has_label<T> && !is_message<T>) {
    return decode_new<T, As>(from, type, [&](T&& value) {
      out = std::move(value);
      from.set_lacking(std::addressof(out), false);
    });
  } else {
    return defer(from, out, &build_adapted_field<T, As>, type, state);
  }
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
