// SPDX-License-Identifier: Apache-2.0
// Reads records. Each record type has a table. A loop that is compiled once, in the library, reads
// an object by this table and the addresses of the record's members.
#pragma once

#include <ingot/json/detail/former_keys.hpp>
#include <ingot/json/detail/read_compound.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/schema/detail/names_in_versions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

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

/// Assigns the value of a `default_value` annotation to a member.
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

[[nodiscard]] bool reject_limit(text_reader& reader, const ingot::detail::limit_failure& failure,
                                std::size_t offset);

template <class T, std::size_t I>
[[nodiscard]] bool check_erased(text_reader& reader, const void* member, std::size_t offset) {
  ingot::detail::limit_failure failure;
  const auto& value = *static_cast<const member_type<T, I>*>(member);
  return ingot::detail::check_member<T, I>(value, failure) || reject_limit(reader, failure, offset);
}

/// Returns the reader of a member's type. All members of one type share this reader.
template <class M>
consteval member_reader make_type_reader() {
  require_storable<M>();
  member_reader entry{};
  entry.code = member_scalar_of<M>();
  if (entry.code == scalar::other) entry.read = &read_erased<M>;
  if constexpr (kind_of<M> == kind::optional || kind_of<M> == kind::box) entry.clear = &clear_erased<M>;
  if constexpr (std::is_move_assignable_v<std::remove_all_extents_t<M>>) entry.move = &move_erased<M>;
  return entry;
}
template <class M>
inline constexpr member_reader type_reader = make_type_reader<M>();

/// Changes the reader of a member as the member's annotations require.
template <class T, std::size_t I>
consteval void apply_annotations(member_reader& entry) {
  using member = member_type<T, I>;
  if constexpr (member_has<T, I, default_value_t>) {
    entry.preset = [](void* to) {
      assign_default(*static_cast<member*>(to), member_get<T, I, default_value_t>.value);
    };
  }
  if constexpr (ingot::detail::member_is_limited<T, I>) entry.check = &check_erased<T, I>;
  if constexpr (member_has<T, I, since_t>) entry.since = member_get<T, I, since_t>.version;
}

template <class T, std::size_t I, class M>
consteval member_reader make_annotated_reader() {
  if constexpr (member_has<T, I, skip_t>) {
    member_reader entry{};
    entry.skipped = true;
    if constexpr (std::is_move_assignable_v<std::remove_all_extents_t<M>>) entry.move = &move_erased<M>;
    return entry;
  } else {
    member_reader entry = type_reader<M>;
    apply_annotations<T, I>(entry);
    return entry;
  }
}

/// Bytes that no text contains, because they are not UTF-8.
inline constexpr std::string_view not_in_texts =
    "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
    "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";

/// Returns `record_reader_table::quiet` for these members.
constexpr std::uint64_t quiet_members(std::span<const member_reader> members) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < members.size() && i < 64; ++i) {
    if (members[i].code == scalar::optional_string && members[i].preset == nullptr)
      bits |= std::uint64_t{1} << i;
  }
  return bits;
}

constexpr bool has_numbers(std::span<const member_reader> members) {
  for (const member_reader& member : members) {
    if (member.quick >= scalar::i8 && member.quick <= scalar::f64) return true;
  }
  return false;
}

template <class T>
constexpr bool makes_no_strings() {
  T defaults{};
  bool none = true;
  for_each_member(defaults, [&none]<class M>(auto, const M& member) {
    if constexpr (std::is_same_v<M, std::optional<std::string>>) none = none && !member.has_value();
    return none;
  });
  return none;
}
/// True if the compiler can construct a default object of the type, and all optional strings of
/// this object are empty.
template <class T>
concept starts_quiet = requires { requires std::bool_constant<makes_no_strings<T>()>::value; };

template <class T, class... Slots, std::size_t... I>
consteval auto make_member_readers(ingot::detail::slot_list<Slots...>, std::index_sequence<I...>) {
  std::array<member_reader, sizeof...(I)> entries{[] {
    if constexpr (is_annotated<T>) return make_annotated_reader<T, I, typename Slots::type>();
    else return type_reader<typename Slots::type>;
  }()...};
  for (std::size_t i = 0; i < sizeof...(I); ++i) {
    entries[i].name = ingot::detail::public_name_table<T>[i];
    entries[i].plain = !entries[i].skipped && is_plain_name(entries[i].name);
    if (entries[i].check == nullptr) entries[i].quick = entries[i].code;
    const std::string_view quoted = quoted_names<T>::of(i).substr(1); // without the comma
    const bool quick = entries[i].plain && quoted.size() <= not_in_texts.size();
    entries[i].quoted = quick ? quoted.data() : not_in_texts.data();
    entries[i].quoted_bits = 0xFFFF'FFFFu >> (32 - (quick ? quoted.size() : not_in_texts.size()));
  }
  return entries;
}

template <class T>
constexpr void add_former_keys(record_reader_table& table) {
  if constexpr (upgrades_texts<T>) {
    static_assert(version_of<T>() > version_of<typename previous<T>::type>(),
                  "ingot: a type and its previous need ingot::version, the previous one a smaller number");
    table.previous = version_of<typename previous<T>::type>();
  }
  if constexpr (has_former_keys<T>) {
    table.former = former_keys<T>;
    table.reuses_names = reuses_keys<T>;
    table.is_simple = table.is_simple && !table.reuses_names;
  }
}

template <class T>
struct record_reading {
  static constexpr std::size_t count = member_count<T>;
  static_assert(names_are_distinct<T>,
                "ingot::json: two members of a type (or of its bases) have one name: rename one of them");

  static constexpr auto members = make_member_readers<T>(typename ingot::detail::member_table<T>::slots{},
                                                         std::make_index_sequence<count>{});

  static constexpr auto with_defaults = []() -> void (*)(void*, void (*)(void*, std::byte*)) {
    if constexpr (std::is_default_constructible_v<T>) {
      return [](void* context, void (*use)(void*, std::byte*)) {
        ingot::detail::scratch_value<T> object_storage;
        T& object = *object_storage;
        use(context, reinterpret_cast<std::byte*>(std::addressof(object)));
      };
    } else {
      return nullptr;
    }
  }();

  static constexpr std::uint64_t quiet = quiet_members(members);
  static constexpr bool is_quiet_at_first = [] {
    if constexpr (quiet == 0 || !std::is_default_constructible_v<T>) return false;
    else return starts_quiet<T>;
  }();

  static_assert(require_clear_former_keys<T, members>());
  static_assert(ingot::detail::require_version_key_in_versions<T>());
  static constexpr record_reader_table table = [] {
    record_reader_table new_table{members,           with_defaults,          upgrades<T>,
                                  version_of<T>(),   version_is_member<T>(), quiet,
                                  is_quiet_at_first, has_numbers(members)};
    add_former_keys<T>(new_table);
    return new_table;
  }();
};

template <class T>
struct reader_of<T, kind::record> {
  static bool read(text_reader& reader, T& out) {
    using reading = record_reading<T>;
    // at least one element, also for a record without members
    std::array<std::size_t, reading::count + 1> offsets;
    measure_members(out, offsets.data());
    return read_at(reader, out, offsets.data());
  }

  static bool read_at(text_reader& reader, T& out, const std::size_t* offsets) {
    using reading = record_reading<T>;
    if constexpr (upgrades_texts<T>) {
      bool earlier = false;
      if (!find_earlier(reader, reading::table, earlier)) return false;
      if (earlier) return read_upgraded_record(reader, out);
    }
    const record_location to{reinterpret_cast<std::byte*>(std::addressof(out)), offsets};
    if constexpr (reading::count > 64) {
      std::array<std::uint64_t, reading::count / 64 + 1> seen{};
      return read_record(reader, reading::table, to, seen.data());
    } else {
      return read_record(reader, reading::table, to, nullptr);
    }
  }

  /// Reads a record without a default constructor. The record is constructed after all its members
  /// are read.
  template <class Take>
  static bool read_new(text_reader& reader, Take&& take) {
    if constexpr (upgrades_texts<T>) {
      bool earlier = false;
      if (!find_earlier(reader, record_reading<T>::table, earlier)) return false;
      if (earlier) return read_upgraded_new(reader, std::forward<Take>(take));
    }
    return read_parts(reader, std::forward<Take>(take), std::make_index_sequence<member_count<T>>{});
  }

private:
  /// Reads an object of an earlier version into `out`. The caller runs the hooks of `T`.
  static bool read_upgraded_record(text_reader& reader, T& out) {
    const std::size_t where = reader.offset();
    const bool read = read_earlier<T>(reader, [&out](typename previous<T>::type&& old) -> result<void> {
      if constexpr (ingot::detail::upgrades_in_place<T>) {
        return ingot::detail::upgrade_previous<T>(std::as_const(old), out);
      } else {
        result<T> upgraded = ingot::detail::upgrade_previous<T>(std::move(old));
        if (!upgraded) return std::unexpected(upgraded.error());
        out = std::move(*upgraded);
        return {};
      }
    });
    return read && check_upgraded(reader, out, where);
  }
  /// As `read_upgraded_record`, for a record without a default constructor.
  template <class Take>
  static bool read_upgraded_new(text_reader& reader, Take&& take) {
    static_assert(
        !ingot::detail::upgrades_in_place<T>,
        "ingot: an upgrade that is given the new object needs a class with a default constructor: let "
        "it return the object");
    const std::size_t where = reader.offset();
    bool good = true;
    const bool read = read_earlier<T>(reader, [&](typename previous<T>::type&& old) -> result<void> {
      result<T> upgraded = ingot::detail::upgrade_previous<T>(std::move(old));
      if (!upgraded) return std::unexpected(upgraded.error());
      good = check_upgraded(reader, *upgraded, where);
      if constexpr (ingot::detail::has_hooks<T>) {
        ingot::detail::hook_failure failure;
        good =
            good && (ingot::detail::run_hooks(*upgraded, failure) || hook_rejected(reader, failure, where));
      }
      if (good) std::forward<Take>(take)(std::move(*upgraded));
      return {};
    });
    return read && good;
  }
  /// Sets the version member to the current version, and checks the limits of all members.
  static bool check_upgraded(text_reader& reader, T& object, std::size_t where) {
    using reading = record_reading<T>;
    if constexpr (version_is_member<T>()) {
      for_each_member(object, []<class I, class M>(I, M& member) {
        if constexpr (I::value == 0) member = static_cast<M>(version_of<T>());
        return I::value != 0; // ends the loop after the first member
      });
    }
    std::array<std::size_t, reading::count + 1> offsets;
    measure_members(object, offsets.data());
    const record_location at{reinterpret_cast<std::byte*>(std::addressof(object)), offsets.data()};
    for (std::size_t i = 0; i < reading::count; ++i) {
      const auto check = reading::members[i].check;
      if (check == nullptr || check(reader, at.member(i), where)) continue;
      reader.error().in_member(reading::members[i].name);
      return false;
    }
    return true;
  }
  template <std::size_t I>
  static consteval bool is_limited_part() {
    if constexpr (is_annotated<T>) return ingot::detail::member_is_limited<T, I>;
    else return false;
  }
  template <std::size_t I>
  static constexpr member_reader part_reader() {
    using member = member_type<T, I>;
    static_assert(!std::is_array_v<member>,
                  "ingot::json: a record with a C array needs a default constructor: use std::array");
    member_reader entry = record_reading<T>::members[I];
    static_assert(std::is_default_constructible_v<member> || !member_has_annotation<skip_t, T, I>(),
                  "ingot::json: a skipped member needs a default constructor");
    entry.code = entry.quick = scalar::other;
    entry.read = [](text_reader& reader, void* to) {
      return detail::read_new<member>(reader, [to](member&& value) {
        static_cast<std::optional<member>*>(to)->emplace(std::move(value));
      });
    };
    if constexpr (kind_of<member> == kind::optional || kind_of<member> == kind::box)
      entry.clear = &fill_part<member>;
    // Replaces the table's `preset`, which writes to a member. Here the target is an optional that
    // holds the member.
    entry.preset = nullptr;
    if constexpr (member_has_annotation<default_value_t, T, I>() && std::is_default_constructible_v<member>) {
      entry.preset = [](void* to) {
        fill_part<member>(to);
        assign_default(**static_cast<std::optional<member>*>(to), member_get<T, I, default_value_t>.value);
      };
    }
    if constexpr (is_limited_part<I>()) {
      entry.check = [](text_reader& reader, const void* part, std::size_t offset) {
        return check_erased<T, I>(reader, &**static_cast<const std::optional<member>*>(part), offset);
      };
    }
    return entry;
  }
  template <class M>
  static void fill_part(void* to) {
    if constexpr (std::is_default_constructible_v<M>) static_cast<std::optional<M>*>(to)->emplace();
  }

  template <class Take, std::size_t... I>
  static bool read_parts(text_reader& reader, Take&& take, std::index_sequence<I...>) {
    static constexpr std::array<member_reader, sizeof...(I)> members{part_reader<I>()...};
    static_assert(require_clear_former_keys<T, members>());
    static_assert(ingot::detail::require_version_key_in_versions<T>());
    static constexpr record_reader_table table = [] {
      record_reader_table new_table{members, nullptr, upgrades<T>, version_of<T>(), version_is_member<T>()};
      add_former_keys<T>(new_table);
      return new_table;
    }();
    const std::size_t where = reader.offset();
    std::tuple<std::optional<member_type<T, I>>...> parts;
    auto* const begin = reinterpret_cast<std::byte*>(&parts);
    const std::array<std::size_t, sizeof...(I)> offsets{
        static_cast<std::size_t>(reinterpret_cast<std::byte*>(&std::get<I>(parts)) - begin)...};
    std::array<std::uint64_t, sizeof...(I) / 64 + 1> seen{};
    if (!read_record(reader, table, {begin, offsets.data()}, sizeof...(I) > 64 ? seen.data() : nullptr))
      return false;
    // Default-constructs each member that got no value from the text or from an annotation, if it
    // has a default constructor.
    (fill_absent(std::get<I>(parts)), ...);
    if (!(std::get<I>(parts).has_value() && ...))
      return reader.fail(errc::missing_member, where, "all members of a type without a default");
    T object{std::move(*std::get<I>(parts))...};
    if constexpr (ingot::detail::has_hooks<T>) {
      ingot::detail::hook_failure failure;
      if (!ingot::detail::run_hooks(object, failure)) return hook_rejected(reader, failure, where);
    }
    std::forward<Take>(take)(std::move(object));
    return true;
  }
  template <class M>
  static void fill_absent(std::optional<M>& part) {
    if constexpr (std::is_default_constructible_v<M>) {
      if (!part) part.emplace();
    }
  }
};

}}} // namespace ingot::INGOT_V1::json::detail
