// SPDX-License-Identifier: Apache-2.0
// Before a message is read, sets fields to the proto3 defaults, because the message may omit these
// fields. After the message is read, runs the checks of the type.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/field_table.hpp>
#include <ingot/protobuf/detail/proto_type.hpp>
#include <ingot/reflect/detail/key_filling.hpp>
#include <ingot/reflect/detail/links.hpp>
#include <ingot/reflect/detail/temporary.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// Returns true if values of the type may be created from pieces after the whole message was read
/// (see `deferred_fields`). A piece is one occurrence of a field.
template <class T>
consteval bool may_be_deferred() {
  constexpr kind what = kind_of<T>;
  if constexpr (what == kind::duration || what == kind::time_point || ingot::detail::document_like<T>)
    return true;
  else if constexpr (ingot::detail::moves_entries<T>) return true;
  else if constexpr (what == kind::adapted)
    return has_label<T> || is_message<T> || stored_kind<T> == kind::duration ||
           stored_kind<T> == kind::time_point;
  else if constexpr (what == kind::optional) return !std::is_default_constructible_v<typename T::value_type>;
  else if constexpr (what == kind::box) return !std::is_default_constructible_v<typename T::element_type>;
  else if constexpr (what == kind::variant)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return !(std::is_default_constructible_v<std::variant_alternative_t<I, T>> && ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  else if constexpr (what == kind::expected)
    return !(
        (std::is_void_v<typename T::value_type> || std::is_default_constructible_v<typename T::value_type>) &&
        std::is_default_constructible_v<typename T::error_type>);
  else return false;
}

/// Sets `out` to zero, empty, none or the first alternative. Ignores the initializers of members,
/// because a writer omits zeros. Does not change skipped members. An object of an adapted class
/// that rejects zero has no value until its field is read.
template <class T>
void make_absent(reading& from, T& out) {
  constexpr kind what = kind_of<T>;
  if constexpr (may_be_deferred<T>()) from.later.forget(out);
  if constexpr (what == kind::enumeration) {
    out = static_cast<T>(0);
  } else if constexpr (is_scalar<T> && what != kind::adapted) {
    out = T{};
  } else if constexpr (ingot::detail::document_like<T>) {
    // A missing field means null, because proto3 omits empty fields. A field without bytes also
    // means null. No other value is lost, because an archive is never empty. A value in a block
    // cannot be move-assigned, so null is assigned instead.
    if constexpr (std::is_move_assignable_v<T> && std::is_move_constructible_v<T>) out = T{};
    else if (!out.is_null()) out = nullptr;
  } else if constexpr (what == kind::adapted) {
    if constexpr (std::is_default_constructible_v<adapted_t<T>> && std::is_move_assignable_v<T>) {
      ingot::detail::scratch_value<adapted_t<T>> stored;
      make_absent(from, *stored);
      auto converted = ingot::detail::adapt_from<T>(std::move(*stored));
      if (converted) out = std::move(*converted);
      else if constexpr (std::is_default_constructible_v<T>) out = T{};
      from.set_lacking(std::addressof(out), !converted);
    }
  } else if constexpr (what == kind::complex) {
    out = T{};
  } else if constexpr (what == kind::bitset) {
    for (std::size_t i = 0; i < out.size(); ++i) out.set(i, false);
  } else if constexpr (ingot::detail::provides_links<T>) {
    if (!out.empty() || out.capacity() != 0)
      static_cast<void>(out.try_assign(std::span<const element_t<T>>()));
  } else if constexpr (what == kind::array) {
    for (auto& each : out) make_absent(from, each);
  } else if constexpr (what == kind::optional || what == kind::box) {
    out.reset();
  } else if constexpr (what == kind::variant) {
    if constexpr (std::is_default_constructible_v<std::variant_alternative_t<0, T>>) {
      if (out.index() != 0) out.template emplace<0>();
      make_absent(from, *get_if<0>(&out));
    }
  } else if constexpr (what == kind::expected) {
    if constexpr (std::is_void_v<typename T::value_type>) {
      out.emplace();
    } else if constexpr (std::is_default_constructible_v<typename T::value_type>) {
      if (!out.has_value()) ingot::detail::assign_new(out, std::in_place);
      make_absent(from, *out);
    }
  } else if constexpr (what == kind::tuple) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (make_absent(from, std::get<I>(out)), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (what == kind::record) {
    for_each_member(out, [&](auto index, auto& member) {
      if constexpr (!member_has<T, index, skip_t>) make_absent(from, member);
    });
  } else {
    out.clear();
  }
}

template <class T>
[[nodiscard]] bool check_complete(reading& from, T& out);

template <class T>
[[nodiscard]] bool check_members(reading& from, T& out) {
  return for_each_member(out, [&](auto index, auto& member) {
    constexpr std::size_t i = index;
    if constexpr (member_has<T, i, skip_t>) {
      return true;
    } else {
      bool good = check_complete(from, member);
      if constexpr (i == 0) {
        if (good && !is_own_version<T>(member))
          good = from.fail(errc::wrong_version, from.offset(), "the version that the type names");
      }
      if constexpr (ingot::detail::member_is_limited<T, i>) {
        ingot::detail::limit_failure why;
        if (good && !ingot::detail::check_member<T, i>(member, why)) {
          good = from.fail(why.code, from.offset(), why.expected);
          why.name_found(*from.why());
        }
      }
      if (!good) from.why()->in_member(member_name<T, i>);
      return good;
    }
  });
}

/// Runs the checks of a complete value. Elements of lists and entries of maps were checked when
/// they were read.
template <class T>
[[nodiscard]] bool check_complete(reading& from, T& out) {
  constexpr kind what = kind_of<T>;
  bool good = true;
  if constexpr (may_be_deferred<T>()) {
    if (!from.later.build(from, out)) return false;
  }
  if constexpr (what == kind::enumeration) {
    if (!enum_valid(out))
      return from.fail(errc::missing_member, from.offset(),
                       "a value: the field is missing, and zero is not an enumerator");
  } else if constexpr (what == kind::adapted) {
    if (from.is_lacking(std::addressof(out)))
      return from.fail(errc::missing_member, from.offset(),
                       "a value: the field is missing, and the class refuses zero");
  } else if constexpr (what == kind::record) {
    good = check_members(from, out);
  } else if constexpr (what == kind::array && !is_bytes<T>) {
    std::size_t index = 0;
    for (auto& each : out) {
      if (!check_complete(from, each)) {
        from.why()->in_element(index);
        return false;
      }
      ++index;
    }
  } else if constexpr (what == kind::optional) {
    good = !out.has_value() || check_complete(from, *out);
  } else if constexpr (what == kind::box) {
    good = out == nullptr || check_complete(from, *out);
  } else if constexpr (what == kind::variant) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((out.index() == I ? static_cast<void>(good = check_complete(from, *get_if<I>(&out))) : void()), ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (what == kind::expected) {
    if (!out.has_value()) {
      good = check_complete(from, out.error());
    } else {
      if constexpr (!std::is_void_v<typename T::value_type>) good = check_complete(from, *out);
    }
  } else if constexpr (what == kind::tuple) {
    good = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (check_complete(from, std::get<I>(out)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  }
  if constexpr (ingot::detail::has_hooks<T>) {
    ingot::detail::hook_failure failure;
    if (good && !ingot::detail::run_hooks(out, failure)) {
      good = from.fail(errc::invalid_value, from.offset(), failure.what);
      if (failure.has_error) {
        error err = failure.why;
        from.why() = err.with_offset(from.offset());
      }
    }
  }
  return good;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
