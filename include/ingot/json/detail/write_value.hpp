// SPDX-License-Identifier: Apache-2.0
// The entry point for writing a value of any type. Also writes values that contain no other value.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/json/detail/values.hpp>
#include <ingot/reflect/detail/own_checks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
class value;
class value_view;
}} // namespace ingot::INGOT_V1

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Specialisations write a value of kind `K`: `static bool write(text_writer&, const T&)`.
template <class T, kind K = kind_of<T>>
struct writer_of;

/// Rejects the text written since `start`, with the error that a reader of this text would report.
[[nodiscard]] bool reject_written(text_writer& writer, std::size_t start, errc code,
                                  std::string_view expected);

/// Writes a value of any type. Rejects a value that the type's `valid` rejects, as `read_value`
/// does.
template <class T>
[[nodiscard]] bool write_value(text_writer& writer, const T& value) {
  if constexpr (unsupported_reason_of<T> != unsupported_reason::const_member) require_storable<T>();
  if constexpr (ingot::detail::has_valid<T>) {
    const std::size_t start = writer.size();
    if (!writer_of<T>::write(writer, value)) return false;
    return ingot::detail::is_valid(value) ||
           reject_written(writer, start, errc::invalid_value, ingot::detail::what_valid_accepts);
  } else {
    return writer_of<T>::write(writer, value);
  }
}

/// Returns true if `adapt<T>::from` accepts the stored form of `value`, or if `T` is not adapted.
/// Otherwise records the error that `from` returned.
template <class T>
[[nodiscard]] bool check_stored(text_writer& writer, const T& value) {
  if constexpr (kind_of<T> == kind::adapted) {
    if constexpr (ingot::detail::from_may_reject<T>) {
      const auto adapted_value = ingot::detail::adapt_from<T>(adapt<T>::to(value));
      return adapted_value.has_value() || writer.fail(adapted_value.error());
    }
  }
  return true;
}

template <class T>
struct writer_of<T, kind::none> {
  static bool write(text_writer&, const T&) { return false; } // require_storable has reported it
};

template <class T>
struct writer_of<T, kind::boolean> {
  static bool write(text_writer& writer, bool value) {
    writer.boolean(value);
    return true;
  }
};

template <class T>
struct writer_of<T, kind::integer> {
  static bool write(text_writer& writer, T value) {
    if constexpr (std::is_signed_v<T>) writer.integer(value);
    else writer.natural(value);
    return true;
  }
};

template <class T>
struct writer_of<T, kind::floating> {
  static bool write(text_writer& writer, T value) { return writer.real(value); }
};

template <class T>
struct writer_of<T, kind::byte> {
  static bool write(text_writer& writer, T value) {
    writer.natural(static_cast<std::uint8_t>(value));
    return true;
  }
};

/// Writes a character as text, or as a number if it is not a Unicode character by itself.
[[nodiscard]] bool write_character(text_writer& writer, std::uint32_t code, bool is_byte);

template <class T>
struct writer_of<T, kind::character> {
  static bool write(text_writer& writer, T value) {
    return write_character(writer, static_cast<std::make_unsigned_t<T>>(value), sizeof(T) == 1);
  }
};

template <class T>
struct writer_of<T, kind::enumeration> {
  static bool write(text_writer& writer, T value) {
    return write_enum(writer, enum_table_of<T>, static_cast<std::int64_t>(std::to_underlying(value)));
  }
};

template <class T>
struct writer_of<T, kind::duration> {
  static bool write(text_writer& writer, const T& value) { return write_value(writer, value.count()); }
};

/// Writes a point in time as text. Returns false, with an error, if text can't represent it.
[[nodiscard]] bool write_time(text_writer& writer, const ingot::detail::instant& at,
                              ingot::detail::time_outcome outcome);

/// Time points that text can represent exactly: integral counts of a clock that counts from 1970.
template <class T>
concept calendar_time =
    ingot::detail::system_clock_like<typename T::clock> && std::is_integral_v<typename T::duration::rep>;

template <class T>
struct writer_of<T, kind::time_point> {
  static bool write(text_writer& writer, const T& value) {
    if constexpr (calendar_time<T>) {
      if (writer.options().time_style == time_style::iso8601) {
        ingot::detail::instant at;
        const auto outcome = ingot::detail::from_duration(value.time_since_epoch(), at);
        return write_time(writer, at, outcome);
      }
    }
    return write_value(writer, value.time_since_epoch().count());
  }
};

/// Converts text in other encodings of Unicode to UTF-8. Unpaired surrogates become ill-formed
/// UTF-8, which the writer detects.
[[nodiscard]] std::string narrow(std::u16string_view text);
[[nodiscard]] std::string narrow(std::u32string_view text);

/// Calls `use` with the text of a string of any character type.
template <class T, class Use>
[[nodiscard]] bool with_text(const T& value, Use&& use) {
  using unit = typename T::value_type;
  if constexpr (sizeof(unit) == 1) {
    return std::forward<Use>(use)(
        std::string_view{reinterpret_cast<const char*>(value.data()), value.size()});
  } else {
    const std::string text = narrow(std::basic_string_view<unit>{value.data(), value.size()});
    return std::forward<Use>(use)(std::string_view{text});
  }
}

template <class T>
struct writer_of<T, kind::string> {
  static bool write(text_writer& writer, const T& value) {
    return with_text(value, [&writer](std::string_view text) { return writer.string(text); });
  }
};

template <class T>
struct writer_of<T, kind::path> {
  static bool write(text_writer& writer, const T& value) {
    return with_text(value.generic_u8string(),
                     [&writer](std::string_view text) { return writer.string(text); });
  }
};

/// Writes a string of the digits 0 and 1, one for each bit, the highest bit first.
void write_bits(text_writer& writer, std::size_t size, const void* bits,
                bool (*test)(const void* bits, std::size_t index));

template <class T>
struct writer_of<T, kind::bitset> {
  static bool write(text_writer& writer, const T& value) {
    write_bits(writer, value.size(), &value,
               [](const void* bits, std::size_t index) { return static_cast<const T*>(bits)->test(index); });
    return true;
  }
};

/// Writes a value of any kind, as `write` of a document does. A value that was moved from is
/// written as null.
[[nodiscard]] bool write_document_value(text_writer& writer, const value& from);
[[nodiscard]] bool write_document_value(text_writer& writer, const value_view& from);

template <class T>
  requires ingot::detail::document_like<T>
struct writer_of<T, kind::adapted> {
  static bool write(text_writer& writer, const T& value) {
    const auto root = value.root();
    return write_document_value(writer, root);
  }
};

template <class T>
  requires(!ingot::detail::document_like<T>)
struct writer_of<T, kind::adapted> {
  static bool write(text_writer& writer, const T& value) {
    if constexpr (ingot::detail::may_not_fit<T>) {
      if (!adapt<T>::fits(value)) return writer.fail(errc::out_of_range, adapt<T>::expected());
    }
    const adapted_t<T>& stored = adapt<T>::to(value);
    return write_value(writer, stored) && check_stored(writer, value);
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
