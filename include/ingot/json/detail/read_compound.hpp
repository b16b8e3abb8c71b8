// SPDX-License-Identifier: Apache-2.0
// Reads optionals, boxes, variants, expecteds, tuples and complex numbers.
#pragma once

#include <ingot/json/detail/member_tag.hpp>
#include <ingot/json/detail/read_array.hpp>
#include <ingot/json/detail/read_container.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Reads the content of an optional or a box. If the content may itself be null, the text has the
/// content in an array of one element.
template <class Inner, class Read>
[[nodiscard]] bool read_inner(text_reader& reader, Read&& read) {
  if constexpr (!may_be_null<Inner>()) {
    return std::forward<Read>(read)();
  } else {
    step next = reader.open_array();
    if (next == step::error) return false;
    if (next == step::end) return wrong_count(reader, 1, 0, false);
    if (!std::forward<Read>(read)()) return false;
    next = reader.next_element();
    if (next == step::value) return wrong_count(reader, 1, 1, true);
    return next == step::end;
  }
}

template <class T>
struct reader_of<T, kind::optional> {
  static_assert(!is_borrowed<T>,
                "ingot::json: an optional reference can't be read into, as nothing would own its value: use "
                "std::optional of the value");
  using inner = typename T::value_type;

  static bool read(text_reader& reader, T& out) {
    if (reader.peek() == 'n') {
      out.reset();
      return reader.null();
    }
    return read_inner<inner>(reader, [&] {
      if constexpr (std::is_default_constructible_v<inner>) {
        if (!out.has_value()) out.emplace();
        return read_value(reader, *out);
      } else {
        return read_new<inner>(reader, [&out](inner&& value) { out.emplace(std::move(value)); });
      }
    });
  }
};

template <class T>
struct reader_of<T, kind::box> {
  using inner = typename T::element_type;

  static bool read(text_reader& reader, T& out) {
    if (reader.peek() == 'n') {
      out.reset();
      return reader.null();
    }
    return read_inner<inner>(reader, [&] {
      if constexpr (std::is_default_constructible_v<inner>) {
        if (!out) {
          if (!reader.take_memory(sizeof(inner))) return false;
          out.reset(new inner{});
        }
        return read_value(reader, *out);
      } else {
        return read_new<inner>(reader, [&out](inner&& value) { out.reset(new inner(std::move(value))); });
      }
    });
  }
};

/// Reads the beginning of an object with exactly one key, the tag. Stops before the value of this
/// key. Sets `index` to the index of the alternative. If the key is not a tag, it may be a former
/// name of an alternative.
[[nodiscard]] bool open_tagged(text_reader& reader, std::span<const std::string_view> tags,
                               std::size_t& index,
                               std::span<const std::span<const std::string_view>> former = {});
[[nodiscard]] bool close_tagged(text_reader& reader);

template <class T>
struct reader_of<T, kind::variant> {
  static constexpr std::size_t size = std::variant_size_v<T>;

  template <std::size_t I>
  static bool read_alternative(text_reader& reader, T& out) {
    using alternative = std::variant_alternative_t<I, T>;
    if constexpr (std::is_default_constructible_v<alternative>) {
      return read_value(reader, out.index() == I ? *get_if<I>(&out) : out.template emplace<I>());
    } else {
      return read_new<alternative>(
          reader, [&out](alternative&& value) { out.template emplace<I>(std::move(value)); });
    }
  }

  static constexpr std::span<const std::span<const std::string_view>> former_names() {
    if constexpr (ingot::detail::has_former_alternatives<T>) return ingot::detail::former_alternatives<T>;
    else return {};
  }

  static bool read(text_reader& reader, T& out) {
    static constexpr auto readers = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<bool (*)(text_reader&, T&), size>{&read_alternative<I>...};
    }(std::make_index_sequence<size>{});
    std::size_t index = 0;
    if constexpr (has_tag_key<T>) {
      static_assert(require_tag_key<T>());
      member_tag outer;
      const auto form = find_member_tag(reader, tag_key<T>, variant_tags<T>, former_names(), index, outer);
      if (form == tag_form::error) return false;
      if (form == tag_form::member) {
        const bool good = readers[index](reader, out);
        reader.leave_tag(outer);
        return good;
      }
    }
    if constexpr (ingot::detail::has_former_alternatives<T>) {
      if (!open_tagged(reader, variant_tags<T>, index, ingot::detail::former_alternatives<T>)) return false;
    } else {
      if (!open_tagged(reader, variant_tags<T>, index)) return false;
    }
    if (readers[index](reader, out)) return close_tagged(reader);
    reader.error().in_member(variant_tag<T>(index));
    return false;
  }
};

inline constexpr std::array<std::string_view, 2> expected_tags{"value", "error"};

template <class T>
struct reader_of<T, kind::expected> {
  using value_type = typename T::value_type;
  using error_type = typename T::error_type;

  static bool read(text_reader& reader, T& out) {
    std::size_t index = 0;
    if (!open_tagged(reader, expected_tags, index)) return false;
    if (index == 0 ? read_good(reader, out) : read_bad(reader, out)) return close_tagged(reader);
    reader.error().in_member(expected_tags[index]);
    return false;
  }

private:
  static bool read_good(text_reader& reader, T& out) {
    if constexpr (std::is_void_v<value_type>) {
      out.emplace();
      return reader.null();
    } else {
      return read_new<value_type>(reader, [&out](value_type&& value) { out = std::move(value); });
    }
  }
  static bool read_bad(text_reader& reader, T& out) {
    return read_new<error_type>(
        reader, [&out](error_type&& value) { out = typename T::unexpected_type(std::move(value)); });
  }
};

template <class T>
struct reader_of<T, kind::tuple> {
  static constexpr std::size_t size = std::tuple_size_v<T>;

  static bool read(text_reader& reader, T& out) {
    step next = reader.open_array();
    std::size_t done = 0;
    const bool good = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (read_part<I>(reader, out, next, done) && ...);
    }(std::make_index_sequence<size>{});
    if (!good || next == step::error) return false;
    if (done != size) return wrong_count(reader, size, done, false);
    return next == step::end || wrong_count(reader, size, size, true);
  }
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take) {
    return read_new_elements<T>(reader, std::forward<Take>(take));
  }

private:
  template <std::size_t I>
  static bool read_part(text_reader& reader, T& out, step& next, std::size_t& done) {
    if (next != step::value) return next == step::end;
    if (!read_element(reader, std::get<I>(out), I)) return false;
    done = I + 1;
    next = reader.next_element();
    return true;
  }
};

template <class T>
struct reader_of<T, kind::complex> {
  static bool read(text_reader& reader, T& out) {
    std::array<typename T::value_type, 2> parts{};
    if (!read_value(reader, parts)) return false;
    out = T(parts[0], parts[1]);
    return true;
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
