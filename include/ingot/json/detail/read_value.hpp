// SPDX-License-Identifier: Apache-2.0
// The entry point for reading a value of any type. Also reads values that contain no other value.
#pragma once

#include <ingot/core/detail/time_text.hpp>
#include <ingot/json/detail/values.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
class document;
}} // namespace ingot::INGOT_V1

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Specialisations read a value of kind `K`: `static bool read(text_reader&, T&)`. The target may
/// hold an earlier value.
template <class T, kind K = kind_of<T>>
struct reader_of;

[[nodiscard]] bool hook_rejected(text_reader& reader, const ingot::detail::hook_failure& failure,
                                 std::size_t offset);

/// Reads the value at the cursor into `out` and runs the type's own checks on it.
template <class T>
[[nodiscard]] bool read_value(text_reader& reader, T& out) {
  require_storable<T>();
  if constexpr (ingot::detail::has_hooks<T>) {
    const std::size_t where = reader.offset();
    if (!reader_of<T>::read(reader, out)) return false;
    ingot::detail::hook_failure failure;
    return ingot::detail::run_hooks(out, failure) || hook_rejected(reader, failure, where);
  } else {
    return reader_of<T>::read(reader, out);
  }
}

/// Reads a new value and passes it to `take`, also for types without a default constructor.
template <class T, class Take>
[[nodiscard]] INGOT_INLINE bool read_new(text_reader& reader, Take&& take) {
  if constexpr (std::is_default_constructible_v<T>) {
    ingot::detail::temporary<T> value(reader.text().size() - reader.offset());
    if (!read_value(reader, *value)) return false;
    std::forward<Take>(take)(std::move(*value));
    return true;
  } else {
    require_storable<T>();
    static_assert(kind_of<T> == kind::adapted || kind_of<T> == kind::record || kind_of<T> == kind::array ||
                      kind_of<T> == kind::tuple,
                  "ingot::json: only records, arrays, tuples and classes of ingot::adapt are read without a "
                  "default constructor: give the type one, or hold it in a std::optional");
    return reader_of<T>::read_new(reader, std::forward<Take>(take));
  }
}

template <class T>
struct reader_of<T, kind::none> {
  static bool read(text_reader&, T&) { return false; } // require_storable has reported the reason
};

template <class T>
struct reader_of<T, kind::boolean> {
  static bool read(text_reader& reader, T& out) { return reader.boolean(out); }
};

template <class T>
struct reader_of<T, kind::integer> {
  static bool read(text_reader& reader, T& out) {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_signed_v<T>) {
      std::int64_t wide = 0;
      if (!reader.integer(wide, limits::min(), limits::max())) return false;
      out = static_cast<T>(wide);
    } else {
      std::uint64_t wide = 0;
      if (!reader.natural(wide, limits::max())) return false;
      out = static_cast<T>(wide);
    }
    return true;
  }
};

template <class T>
struct reader_of<T, kind::floating> {
  static bool read(text_reader& reader, T& out) { return reader.real(out); }
};

template <class T>
struct reader_of<T, kind::byte> {
  static bool read(text_reader& reader, T& out) {
    std::uint64_t wide = 0;
    if (!reader.natural(wide, 255)) return false;
    out = static_cast<T>(wide);
    return true;
  }
};

/// Reads a character as text of one character, or as the number of a code unit that is not a
/// character by itself.
[[nodiscard]] bool read_character(text_reader& reader, std::uint32_t max_text, std::uint32_t max_number,
                                  std::uint32_t& out);

template <class T>
struct reader_of<T, kind::character> {
  static bool read(text_reader& reader, T& out) {
    constexpr auto max = static_cast<std::uint32_t>(std::numeric_limits<std::make_unsigned_t<T>>::max());
    std::uint32_t code = 0;
    if (!read_character(reader, sizeof(T) == 1 ? 0x7F : sizeof(T) == 2 ? 0xFFFF : 0x10FFFF, max, code))
      return false;
    out = static_cast<T>(code);
    return true;
  }
};

template <class T>
struct reader_of<T, kind::enumeration> {
  static bool read(text_reader& reader, T& out) {
    static_assert(require_clear_enumerators<T>());
    std::int64_t value = 0;
    if (!read_enum(reader, enum_table_of<T>, value)) return false;
    out = static_cast<T>(value);
    return true;
  }
};

template <class T>
struct reader_of<T, kind::duration> {
  static bool read(text_reader& reader, T& out) {
    typename T::rep count{};
    if (!read_value(reader, count)) return false;
    out = T(count);
    return true;
  }
};

/// Reads a point in time from a string.
[[nodiscard]] bool read_time(text_reader& reader, ingot::detail::instant& at);
[[nodiscard]] bool reject_time(text_reader& reader, std::size_t offset, ingot::detail::time_outcome why);

template <class T>
struct reader_of<T, kind::time_point> {
  static bool read(text_reader& reader, T& out) {
    typename T::duration since_epoch{};
    if constexpr (ingot::detail::system_clock_like<typename T::clock>) {
      if (reader.peek() == '"') {
        const std::size_t where = reader.offset();
        ingot::detail::instant at;
        if (!read_time(reader, at)) return false;
        const auto outcome = ingot::detail::to_duration(at, since_epoch);
        if (outcome != ingot::detail::time_outcome::exact) return reject_time(reader, where, outcome);
        out = T(since_epoch);
        return true;
      }
    }
    if (!read_value(reader, since_epoch)) return false;
    out = T(since_epoch);
    return true;
  }
};

/// Converts UTF-8 to other encodings of Unicode. Text from a reader is well-formed.
void widen(std::string_view text, std::u16string& out);
void widen(std::string_view text, std::u32string& out);

[[nodiscard]] bool container_is_full(text_reader& reader, std::size_t offset);
/// Returns the number of units that UTF-8 text takes in the encoding of a string of `Unit`.
template <class Unit>
[[nodiscard]] std::size_t units_in(std::string_view text) {
  if constexpr (sizeof(Unit) == 1) {
    return text.size();
  } else {
    std::basic_string<Unit> wide;
    widen(text, wide);
    return wide.size();
  }
}

template <class T>
[[nodiscard]] bool string_from(std::string_view text, T& out) {
  using unit = typename T::value_type;
  if constexpr (sizeof(unit) == 1) {
    out.assign(reinterpret_cast<const unit*>(text.data()), text.size());
  } else {
    std::basic_string<unit> wide;
    widen(text, wide);
    out.assign(wide.data(), wide.size());
  }
  return true;
}

template <class T>
struct reader_of<T, kind::string> {
  static_assert(
      !is_borrowed<T>,
      "ingot::json: a string_view can't be read into, as nothing would own its characters: use std::string");

  static bool read(text_reader& reader, T& out) {
    if constexpr (std::is_same_v<T, std::string>) {
      return reader.string(out);
    } else {
      std::string_view text;
      if constexpr (ingot::detail::has_fixed_capacity<T>) {
        const std::size_t where = reader.offset();
        return reader.string(text) &&
               (ingot::detail::can_hold(out, units_in<typename T::value_type>(text)) ||
                container_is_full(reader, where)) &&
               string_from(text, out);
      } else {
        return reader.string(text) && string_from(text, out);
      }
    }
  }
};

template <class T>
struct reader_of<T, kind::path> {
  static bool read(text_reader& reader, T& out) {
    std::string_view text;
    if (!reader.string(text)) return false;
    out = T(std::u8string(reinterpret_cast<const char8_t*>(text.data()), text.size()));
    return true;
  }
};

/// Reads a string of the digits 0 and 1, one for each bit, the highest bit first.
[[nodiscard]] bool read_bits(text_reader& reader, std::size_t size, void* bits,
                             void (*set)(void* bits, std::size_t index, bool value));

template <class T>
struct reader_of<T, kind::bitset> {
  static bool read(text_reader& reader, T& out) {
    return read_bits(reader, out.size(), &out, [](void* bits, std::size_t index, bool value) {
      static_cast<T*>(bits)->set(index, value);
    });
  }
};

/// Reads any value with all its contents into a document. The document does not keep the order of
/// members. Reading does not use recursion, so nested containers need no stack.
[[nodiscard]] bool read_document_value(text_reader& reader, document& out);

template <class T>
  requires ingot::detail::document_like<T>
struct reader_of<T, kind::adapted> {
  static bool read(text_reader& reader, T& out) {
    if constexpr (std::is_same_v<T, document>) {
      return read_document_value(reader, out);
    } else { // a document in a block
      const std::size_t where = reader.offset();
      typename T::document_type parsed;
      return read_document_value(reader, parsed) &&
             (out.try_assign(parsed) || reader.fail(errc::no_space, where, "free space in the block"));
    }
  }
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take) {
    T parsed;
    if (!read(reader, parsed)) return false;
    take(std::move(parsed));
    return true;
  }
};

template <class T>
  requires(!ingot::detail::document_like<T>)
struct reader_of<T, kind::adapted> {
  using stored = adapted_t<T>;

  static bool read(text_reader& reader, T& out) {
    return read_new(reader, [&out](T&& value) { out = std::move(value); });
  }
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take) {
    const std::size_t where = reader.offset();
    bool accepted = false;
    const auto convert = [&](stored&& value) {
      result<T> adapted_value = ingot::detail::adapt_from<T>(std::move(value));
      accepted = adapted_value.has_value();
      if (accepted) {
        take(std::move(*adapted_value));
      } else {
        reject(reader, adapted_value.error(), where);
      }
    };
    // the text is not copied, because only the adapter's `from` reads it
    if constexpr (kind_of<stored> == kind::string && is_borrowed<stored>) {
      std::string_view text;
      if (!reader.string(text)) return false;
      convert(stored(text.data(), text.size()));
    } else {
      if (!detail::read_new<stored>(reader, convert)) return false;
    }
    return accepted;
  }

private:
  static void reject(text_reader& reader, const error& err, std::size_t where) {
    error placed = err;
    (void)reader.fail(placed.with_offset(where));
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
