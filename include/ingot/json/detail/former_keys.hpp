// SPDX-License-Identifier: Apache-2.0
// Reads texts of earlier versions of a record. Such a text uses former names of the record's
// members, or has the type that `previous` names.
#pragma once

#include <ingot/json/detail/read_value.hpp>
#include <ingot/json/detail/record_table.hpp>
#include <ingot/schema/detail/former_lists.hpp>
#include <ingot/schema/detail/former_names.hpp>
#include <ingot/schema/previous.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

template <class T>
inline constexpr bool has_former_keys = []<std::size_t... I>(std::index_sequence<I...>) {
  return ((member_has<T, I, renamed_from_t> && !member_has<T, I, skip_t>) || ... || false);
}(std::make_index_sequence<member_count<T>>{});

/// The former names of all members of `T`, in order.
template <class T>
inline constexpr auto former_keys = []<std::size_t... I>(std::index_sequence<I...>) {
  if constexpr (has_former_keys<T>) {
    constexpr auto is_read = [](std::size_t count, bool skipped) { return skipped ? std::size_t{0} : count; };
    constexpr std::size_t count =
        (is_read(ingot::detail::former_names<T, I>.size(), member_has<T, I, skip_t>) + ...);
    std::array<former_key, count> keys{};
    std::size_t n = 0;
    const auto add = [&](std::uint32_t member, const auto& names, bool skipped) {
      if (skipped) return;
      for (const std::string_view name : names) keys[n++] = {name, member};
    };
    (add(static_cast<std::uint32_t>(I), ingot::detail::former_names<T, I>, member_has<T, I, skip_t>), ...);
    return keys;
  } else {
    return std::array<former_key, 0>{};
  }
}(std::make_index_sequence<member_count<T>>{});

/// Returns true if `name` is the name of a member that is not skipped.
template <class T>
constexpr bool is_present_key(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((!member_has<T, I, skip_t> && member_name<T, I> == name) || ... || false);
  }(std::make_index_sequence<member_count<T>>{});
}

/// True if a former name of a member is another member's name today.
template <class T>
inline constexpr bool reuses_keys = [] {
  for (const former_key& key : former_keys<T>) {
    if (is_present_key<T>(key.name)) return true;
  }
  return false;
}();

/// Stops compilation if a key of an older text could mean more than one member. `Readers` are the
/// readers of the members.
template <class T, const auto& Readers>
consteval bool require_clear_former_keys() {
  if constexpr (has_former_keys<T>) static_assert(ingot::detail::require_clear_former_names<T>());
  if constexpr (reuses_keys<T>) {
    constexpr bool is_clear = [] {
      for (const former_key& key : former_keys<T>) {
        const member_reader& member = Readers[key.member];
        if (is_present_key<T>(key.name) && member.clear != nullptr && member.preset == nullptr) return false;
      }
      return true;
    }();
    static_assert(
        is_clear,
        "ingot::json: a member that is nothing has no key, so its former name can't be another member's "
        "name today: give the member a default_value, or the type a version and a previous");
  }
  return true;
}

/// Returns true if `T` has an earlier type whose texts are upgraded.
template <class T>
concept upgrades_texts = ingot::detail::has_previous<T>;

/// Reads an object of the earlier type and upgrades it. Passes the result to `take`.
template <class T, class Take>
[[nodiscard]] bool read_earlier(text_reader& reader, Take&& take) {
  using old_type = typename previous<T>::type;
  const std::size_t where = reader.offset();
  bool upgraded = true;
  const bool read = read_new<old_type>(reader, [&](old_type&& old) {
    const result<void> done = std::forward<Take>(take)(std::move(old));
    if (done) return;
    error err = done.error();
    upgraded = reader.fail(err.with_offset(where));
  });
  return read && upgraded;
}

}}} // namespace ingot::INGOT_V1::json::detail
