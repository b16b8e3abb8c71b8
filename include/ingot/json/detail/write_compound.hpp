// SPDX-License-Identifier: Apache-2.0
// Writes optionals, boxes, variants, expecteds, tuples, complex numbers and records.
#pragma once

#include <ingot/json/detail/member_tag.hpp>
#include <ingot/json/detail/write_container.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// Rejects a written value that is null, such as a NaN with `non_finite::null`, because an optional
/// with this value would be read as empty. `start` is the position of the value. Returns false
/// after an error.
[[nodiscard]] bool reject_null(text_writer& writer, std::size_t start);

template <class Inner>
[[nodiscard]] bool write_inner(text_writer& writer, const Inner& value) {
  if constexpr (!may_be_null<Inner>()) {
    const std::size_t start = writer.size();
    return write_value(writer, value) && reject_null(writer, start);
  } else {
    if (!writer.open_array()) return false;
    writer.element();
    if (!write_value(writer, value)) return false;
    writer.close_array();
    return true;
  }
}

template <class T>
struct writer_of<T, kind::optional> {
  static bool write(text_writer& writer, const T& value) {
    if (value.has_value()) return write_inner<typename T::value_type>(writer, *value);
    writer.null();
    return true;
  }
};

template <class T>
struct writer_of<T, kind::box> {
  static bool write(text_writer& writer, const T& value) {
    if (value != nullptr) return write_inner<std::remove_const_t<typename T::element_type>>(writer, *value);
    writer.null();
    return true;
  }
};

template <class T>
[[nodiscard]] bool write_tagged(text_writer& writer, std::string_view tag, const T& value) {
  if (!writer.open_object() || !writer.key(tag)) return false;
  if (!write_value(writer, value)) {
    writer.error().in_member(tag);
    return false;
  }
  writer.close_object();
  return true;
}

template <class T>
struct writer_of<T, kind::variant> {
  template <std::size_t I>
  static bool write_alternative(text_writer& writer, const T& value) {
    if constexpr (has_tag_key<T>) return write_with_member<I>(writer, *get_if<I>(&value));
    else return write_tagged(writer, variant_tag<T>(I), *get_if<I>(&value));
  }
  /// Writes a record with the tag as its first member. Rejects a value that `valid` rejects, as
  /// `write_value` does.
  template <std::size_t I, class A>
  static bool write_with_member(text_writer& writer, const A& value) {
    static_assert(require_tag_key<T>());
    const std::size_t start = writer.size();
    if (!writer_of<A>::write(writer, value, tag_key<T>, variant_tag<T>(I))) return false;
    if constexpr (ingot::detail::has_valid<A>) {
      return ingot::detail::is_valid(value) ||
             reject_written(writer, start, errc::invalid_value, ingot::detail::what_valid_accepts);
    } else {
      return true;
    }
  }

  static bool write(text_writer& writer, const T& value) {
    static constexpr auto writers = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<bool (*)(text_writer&, const T&), sizeof...(I)>{&write_alternative<I>...};
    }(std::make_index_sequence<std::variant_size_v<T>>{});
    if (value.valueless_by_exception()) return writer.fail(errc::bad_variant, "a variant that holds a value");
    return writers[value.index()](writer, value);
  }
};

template <class T>
struct writer_of<T, kind::expected> {
  static bool write(text_writer& writer, const T& value) {
    if (!value.has_value()) return write_tagged(writer, "error", value.error());
    if constexpr (std::is_void_v<typename T::value_type>) {
      if (!writer.open_object() || !writer.key("value")) return false;
      writer.null();
      writer.close_object();
      return true;
    } else {
      return write_tagged(writer, "value", *value);
    }
  }
};

template <class T>
struct writer_of<T, kind::tuple> {
  static bool write(text_writer& writer, const T& value) {
    if (!writer.open_array()) return false;
    const bool good = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (write_part(writer, std::get<I>(value), I) && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
    if (!good) return false;
    writer.close_array();
    return true;
  }

private:
  template <class Part>
  static bool write_part(text_writer& writer, const Part& part, std::size_t index) {
    writer.element();
    if (write_value(writer, part)) return true;
    writer.error().in_element(index);
    return false;
  }
};

template <class T>
struct writer_of<T, kind::complex> {
  static bool write(text_writer& writer, const T& value) {
    return write_elements(writer, std::array<typename T::value_type, 2>{value.real(), value.imag()});
  }
};

template <class M>
[[nodiscard]] bool write_erased(text_writer& writer, const void* from) {
  return write_value(writer, *static_cast<const M*>(from));
}
template <class M>
[[nodiscard]] bool empty_erased(const void* member) {
  if constexpr (kind_of<M> == kind::optional) return !static_cast<const M*>(member)->has_value();
  else return *static_cast<const M*>(member) == nullptr;
}

/// Returns the writer of a member's type. All members of one type share this writer.
template <class M>
consteval member_writer make_type_writer() {
  require_storable<M>();
  member_writer entry{};
  entry.code = member_scalar_of<M>();
  if (entry.code == scalar::other) entry.write = &write_erased<M>;
  if constexpr (kind_of<M> == kind::optional || kind_of<M> == kind::box) entry.empty = &empty_erased<M>;
  return entry;
}
template <class M>
inline constexpr member_writer type_writer = make_type_writer<M>();

/// Writes a member with limits. Checks the limits as a reader does.
template <class T, std::size_t I>
[[nodiscard]] bool write_limited(text_writer& writer, const void* from) {
  const std::size_t start = writer.size();
  const auto& member = *static_cast<const member_type<T, I>*>(from);
  if (!write_value(writer, member)) return false;
  ingot::detail::limit_failure failure;
  return ingot::detail::check_member<T, I>(member, failure) ||
         reject_written(writer, start, failure.code, failure.expected);
}

template <class T, std::size_t I, class M>
consteval member_writer make_annotated_writer() {
  static_assert(ingot::detail::is_utf8(member_name<T, I>), "ingot::json: a member's name has to be UTF-8");
  if constexpr (member_has<T, I, skip_t>) {
    member_writer entry{};
    entry.skipped = true;
    return entry;
  } else {
    member_writer entry = type_writer<M>;
    // The version member is compared with the version of its type, so its limits are not checked.
    constexpr bool is_version = I == 0 && version_is_member<T>();
    if constexpr (ingot::detail::member_is_limited<T, I> && !is_version) {
      entry.code = scalar::other;
      entry.write = &write_limited<T, I>;
    }
    // An empty member with a default value is written as null: if it were omitted, a reader would
    // give it the default value.
    if constexpr (member_has<T, I, default_value_t>) entry.empty = nullptr;
    return entry;
  }
}

template <class T, class... Slots, std::size_t... I>
consteval auto make_member_writers(ingot::detail::slot_list<Slots...>, std::index_sequence<I...>) {
  std::array<member_writer, sizeof...(I)> entries{[] {
    using member = std::remove_const_t<typename Slots::type>;
    if constexpr (is_annotated<T>) return make_annotated_writer<T, I, member>();
    else return type_writer<member>;
  }()...};
  for (std::size_t i = 0; i < sizeof...(I); ++i) {
    entries[i].name = ingot::detail::public_name_table<T>[i];
    entries[i].quoted = quoted_names<T>::of(i);
    entries[i].may_be_omitted = entries[i].skipped || entries[i].empty != nullptr;
  }
  return entries;
}

template <class T>
struct record_writing {
  static constexpr std::size_t count = member_count<T>;
  static_assert(names_are_distinct<T>,
                "ingot::json: two members of a type (or of its bases) have one name: rename one of them");

  static constexpr auto members = make_member_writers<T>(typename ingot::detail::member_table<T>::slots{},
                                                         std::make_index_sequence<count>{});

  static_assert(ingot::detail::require_version_key_in_versions<T>());
  static constexpr record_writer_table table{members, version_of<T>(), version_is_member<T>()};
};

template <class T>
struct writer_of<T, kind::record> {
  /// Writes a JSON array of `count` records. In memory, the records follow each other from `first`.
  static bool write_list(text_writer& writer, const T* first, std::size_t count) {
    std::array<std::size_t, record_writing<T>::count + 1> offsets{};
    // The first record is not modified.
    if (count != 0) measure_members(const_cast<T&>(*first), offsets.data());
    return write_records(writer, record_writing<T>::table,
                         {reinterpret_cast<const std::byte*>(first), offsets.data()}, count, sizeof(T));
  }
  static bool write(text_writer& writer, const T& value) {
    std::array<std::size_t, record_writing<T>::count + 1> offsets; // at least one element
    measure_members(const_cast<T&>(value), offsets.data());        // `value` is not modified
    return write_record(writer, record_writing<T>::table,
                        {reinterpret_cast<const std::byte*>(std::addressof(value)), offsets.data()});
  }
  /// Overload that also writes a tag as the first member.
  static bool write(text_writer& writer, const T& value, std::string_view key, std::string_view tag) {
    std::array<std::size_t, record_writing<T>::count + 1> offsets; // at least one element
    measure_members(const_cast<T&>(value), offsets.data());        // `value` is not modified
    return write_tagged_record(writer, record_writing<T>::table,
                               {reinterpret_cast<const std::byte*>(std::addressof(value)), offsets.data()},
                               key, tag);
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
