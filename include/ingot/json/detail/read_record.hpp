// SPDX-License-Identifier: Apache-2.0
// Records: a table a type, and the addresses of an object's members for the compiled loop that reads them.
#pragma once

#include <ingot/json/detail/read_compound.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::json::detail {

template <class M>
[[nodiscard]] bool read_erased(text_reader& reader, void* to) {
  return read_value(reader, *static_cast<M*>(to));
}

template <class M>
void move_value(M& to, M& from) {
  if constexpr (std::is_array_v<M>) {
    for (std::size_t i = 0; i < std::extent_v<M>; ++i) move_value(to[i], from[i]);
  } else {
    to = std::move(from);
  }
}
template <class M>
void move_erased(void* to, void* from) {
  move_value(*static_cast<M*>(to), *static_cast<M*>(from));
}
template <class M>
void clear_erased(void* to) {
  static_cast<M*>(to)->reset();
}

/// Gives a member the value of its annotation.
template <class M, class V>
void assign_default(M& to, const V& value) {
  if constexpr (requires { value.view(); }) {
    to = M(value.view());
  } else if constexpr (std::is_arithmetic_v<M>) {
    to = static_cast<M>(value);
  } else if constexpr (std::is_assignable_v<M&, const V&>) {
    to = value;
  } else {
    to = M(value);
  }
}

[[nodiscard]] bool limit_refused(text_reader& reader, const ingot::detail::limit_failure& failure, std::size_t offset);

template <class T, std::size_t I>
[[nodiscard]] bool check_erased(text_reader& reader, const void* member, std::size_t offset) {
  ingot::detail::limit_failure failure;
  const auto& value = *static_cast<const member_type<T, I>*>(member);
  return ingot::detail::check_member<T, I>(value, failure) || limit_refused(reader, failure, offset);
}

/// Fills in what the annotations of a member say.
template <class T, std::size_t I>
consteval void apply_annotations(member_reader& entry) {
  using member = member_type<T, I>;
  if constexpr (member_has<T, I, default_value_t>) {
    entry.preset = [](void* to) { assign_default(*static_cast<member*>(to), member_get<T, I, default_value_t>.value); };
  }
  if constexpr (ingot::detail::member_is_limited<T, I>) entry.check = &check_erased<T, I>;
  if constexpr (member_has<T, I, since_t>) entry.since = member_get<T, I, since_t>.version;
}

template <class T, std::size_t I>
consteval member_reader make_member_reader() {
  using member = member_type<T, I>;
  member_reader entry{};
  entry.name = member_name<T, I>;
  if constexpr (member_has_annotation<skip_t, T, I>()) {
    entry.skipped = true;
  } else {
    require_storable<member>();
    entry.plain = entry.name.find_first_of("\"\\") == std::string_view::npos;
    entry.code = scalar_of<member>();
    if (entry.code == scalar::other) entry.read = &read_erased<member>;
    if constexpr (kind_of<member> == kind::optional || kind_of<member> == kind::box) entry.clear = &clear_erased<member>;
    if constexpr (member_is_annotated<T, I>) apply_annotations<T, I>(entry);
  }
  if constexpr (std::is_move_assignable_v<std::remove_all_extents_t<member>>) entry.move = &move_erased<member>;
  return entry;
}

template <class T>
struct record_reading {
  static constexpr std::size_t count = member_count<T>;
  static_assert(all_distinct(ingot::detail::public_name_table<T>, count),
                "ingot::json: two members of a type (or of its bases) have one name: rename one of them");

  static constexpr auto members = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<member_reader, count>{make_member_reader<T, I>()...};
  }(std::make_index_sequence<count>{});

  static constexpr auto with_defaults = []() -> void (*)(void*, void (*)(void*, void* const*)) {
    if constexpr (std::is_default_constructible_v<T>) {
      return [](void* context, void (*use)(void*, void* const*)) {
        T object{};
        std::array<void*, count + 1> addresses; // one more, as there may be no member
        addresses[count] = nullptr;
        locate_members(object, addresses.data());
        use(context, addresses.data());
      };
    } else {
      return nullptr;
    }
  }();

  static constexpr record_reader_table table{members, with_defaults, upgrades<T>, version_of<T>(), version_is_member<T>()};
};

template <class T>
struct reader_of<T, kind::record> {
  static bool read(text_reader& reader, T& out) {
    using reading = record_reading<T>;
    std::array<void*, reading::count + 1> addresses; // one more, as there may be no member
    addresses[reading::count] = nullptr;
    std::array<std::uint64_t, reading::count / 64 + 1> seen{};
    locate_members(out, addresses.data());
    return read_record(reader, reading::table, addresses.data(), seen.data());
  }

  /// A record without a default is made from its members once they are all read.
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take);
};

} // namespace ingot::inline v1::json::detail
