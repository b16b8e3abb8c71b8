// SPDX-License-Identifier: Apache-2.0
// Reads values that are messages: alternatives, times, records.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/decode_composite.hpp>
#include <ingot/protobuf/detail/known_values.hpp>
#include <ingot/protobuf/detail/take_filled.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

// Alternatives.

/// Reads an alternative that cannot be created before its value is known.
template <class Alternative, proto_form As, class T, class Put>
[[nodiscard]] bool take_new_alternative(reading& from, T& out, wire type, std::uint32_t& state, Put) {
  if constexpr (needs_pieces<Alternative, As>()) {
    constexpr build_field build = [](reading& in, void* to, const field_pieces& pieces) {
      return build_adapted<Alternative, As>(
          in, pieces, [&](Alternative&& value) { Put{}(in, *static_cast<T*>(to), std::move(value)); });
    };
    return defer(from, out, build, type, state);
  } else {
    from.later.forget(out);
    return decode_new<Alternative, As>(from, type,
                                       [&](Alternative&& value) { Put{}(from, out, std::move(value)); });
  }
}
/// Discards the pieces of the deferred alternative of `out`, if any: another alternative follows
/// and replaces it. Returns true if there was a deferred alternative.
template <class T>
[[nodiscard]] bool forget_alternative(reading& from, T& out) {
  if constexpr (may_be_deferred<T>()) {
    const bool has = from.later.has(out);
    if (has) from.later.forget(out);
    return has;
  } else {
    return false;
  }
}
template <class T, proto_form As, std::size_t I>
[[nodiscard]] bool take_alternative(reading& from, void* to, wire type, std::uint32_t& state) {
  using alternative = std::variant_alternative_t<I, T>;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_default_constructible_v<alternative>) {
    if (forget_alternative(from, out) || out.index() != I) {
      out.template emplace<I>();
      make_absent(from, *get_if<I>(&out));
      state = 0;
    }
    return decode_single<As>(from, *get_if<I>(&out), type, state);
  } else {
    return take_new_alternative<alternative, As>(from, out, type, state,
                                                 [](reading& in, T& whole, alternative&& value) {
                                                   whole.template emplace<I>(std::move(value));
                                                   in.set_lacking(get_if<I>(&whole), false);
                                                 });
  }
}
template <class T, proto_form As>
inline constexpr auto variant_fields = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<field, sizeof...(I)>{field{ingot::detail::number_of_field(I),
                                               static_cast<std::uint32_t>(I),
                                               single_wires<std::variant_alternative_t<I, T>, As>(),
                                               field::unlimited,
                                               &take_alternative<T, As, I>,
                                               {},
                                               true}...};
}(std::make_index_sequence<std::variant_size_v<T>>{});

template <class T, proto_form As>
[[nodiscard]] bool take_value_of(reading& from, void* to, wire type, std::uint32_t& state) {
  using value_type = typename T::value_type;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_void_v<value_type>) {
    static_cast<void>(forget_alternative(from, out));
    out.emplace();
    return from.skip(from.number, type);
  } else if constexpr (std::is_default_constructible_v<value_type>) {
    if (forget_alternative(from, out) || !out.has_value()) {
      ingot::detail::assign_new(out, std::in_place);
      make_absent(from, *out);
      state = 0;
    }
    return decode_single<As>(from, *out, type, state);
  } else {
    return take_new_alternative<value_type, As>(from, out, type, state,
                                                [](reading& in, T& whole, value_type&& value) {
                                                  whole = std::move(value);
                                                  in.set_lacking(std::addressof(*whole), false);
                                                });
  }
}
template <class T, proto_form As>
[[nodiscard]] bool take_error_of(reading& from, void* to, wire type, std::uint32_t& state) {
  using error_type = typename T::error_type;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_default_constructible_v<error_type>) {
    if (forget_alternative(from, out) || out.has_value()) {
      ingot::detail::scratch_value<error_type> value;
      out = typename T::unexpected_type(std::move(*value));
      make_absent(from, out.error());
      state = 0;
    }
    return decode_single<As>(from, out.error(), type, state);
  } else {
    return take_new_alternative<error_type, As>(from, out, type, state,
                                                [](reading& in, T& whole, error_type&& value) {
                                                  whole = typename T::unexpected_type(std::move(value));
                                                  in.set_lacking(std::addressof(whole.error()), false);
                                                });
  }
}
template <class T, proto_form As>
consteval unsigned value_wires() {
  if constexpr (std::is_void_v<typename T::value_type>) return mask_of(wire::varint);
  else return single_wires<typename T::value_type, As>();
}
template <class T, proto_form As>
inline constexpr std::array<field, 2> expected_fields{
    field{1, 0, value_wires<T, As>(), field::unlimited, &take_value_of<T, As>, "value", false},
    field{2, 1, single_wires<typename T::error_type, As>(), field::unlimited, &take_error_of<T, As>, "error",
          false}};

/// Reads the fields of `google.protobuf.Timestamp` or `Duration`.
[[nodiscard]] inline bool take_time_fields(reading& from, known_time& time) {
  static constexpr auto fields = [] {
    std::array<field, 2> all{field_of<std::int64_t>(1), field_of<std::int32_t>(2)};
    all[0].name = "seconds";
    all[1].name = "nanos";
    all[1].index = 1;
    return all;
  }();
  void* const to[] = {&time.seconds, &time.nanos};
  std::uint32_t states[2]{};
  return take_message(from, fields, to, states);
}
template <known_message What, class T>
[[nodiscard]] bool build_time(reading& from, void* to, const field_pieces& pieces) {
  T& out = *static_cast<T*>(to);
  known_time time;
  // starts with the time in `out`, which earlier occurrences of the field may have set
  static_cast<void>(split_time<What>(out, time));
  if (!each_piece(from, pieces, [&](const field_piece&) { return take_time_fields(from, time); }))
    return false;
  return join_time<What>(time, out) ||
         from.fail(errc::out_of_range, from.offset_of(pieces.all.back().bytes), time_expected(What));
}
/// Merges each occurrence of the field with the time in `out`. If the merged time is not valid,
/// stores the occurrence until the other occurrences are read.
template <known_message What, class T>
[[nodiscard]] bool take_time(reading& from, T& out, wire type, std::uint32_t& state) {
  if (from.later.has(out)) [[unlikely]]
    return defer(from, out, &build_time<What, T>, type, state);
  known_time time;
  static_cast<void>(split_time<What>(out, time)); // the time from earlier pieces of the message
  const bytes_view rest = from.rest();
  if (!take_time_fields(from, time)) return false;
  if (!join_time<What>(time, out)) [[unlikely]]
    from.later.add(out, &build_time<What, T>, from.levels(), from.number,
                   {rest.first(rest.size() - from.left()), type, true});
  return true;
}

// Messages.

template <class T>
consteval auto sorted_members() {
  constexpr std::size_t written = [] {
    std::size_t n = 0;
    for (std::size_t i = 0; i < member_count<T>; ++i) n += field_number_table<T>[i] != 0 ? 1 : 0;
    return n;
  }();
  std::array<field, written> fields{};
  std::size_t next = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto add = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (!member_has<T, K, skip_t>) {
        fields[next] =
            field_of<std::remove_const_t<member_type<T, K>>, member_form<T, K>>(field_number_table<T>[K]);
        fields[next].index = static_cast<std::uint32_t>(K);
        fields[next++].name = member_name<T, K>;
      }
    };
    (add(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  std::sort(fields.begin(), fields.end(), [](const field& a, const field& b) { return a.number < b.number; });
  return fields;
}
template <class T, proto_form As>
consteval auto tuple_parts() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<field, sizeof...(I)> fields{
        field_of<std::remove_const_t<std::tuple_element_t<I, T>>, As>(ingot::detail::number_of_field(I))...};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i].index = static_cast<std::uint32_t>(i);
      fields[i].is_part = true;
    }
    return fields;
  }(std::make_index_sequence<std::tuple_size_v<T>>{});
}
template <class T, proto_form As>
inline constexpr auto member_fields = [] {
  if constexpr (kind_of<T> == kind::record) return sorted_members<T>();
  else return tuple_parts<T, As>();
}();

/// Calls `use(fields, addresses, states)` with the fields of a message, the addresses of their
/// values in `out`, and the state of each field (see `take_field`).
template <proto_form As, class T, class Use>
[[nodiscard]] bool with_fields(T& out, Use&& use) {
  if constexpr (kind_of<T> == kind::variant || kind_of<T> == kind::expected) {
    const auto run = [&](const auto& fields) {
      std::array<void*, std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>> to{};
      std::array<std::uint32_t, std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>> states{};
      to.fill(std::addressof(out));
      return std::forward<Use>(use)(std::span<const field>(fields), to.data(), states.data());
    };
    if constexpr (kind_of<T> == kind::variant) return run(variant_fields<T, As>);
    else return run(expected_fields<T, As>);
  } else {
    constexpr std::size_t count = [] {
      if constexpr (kind_of<T> == kind::record) return member_count<T>;
      else return std::tuple_size_v<T>;
    }();
    std::array<void*, count + 1> to{}; // one more than members, because there may be none
    std::array<std::uint32_t, count + 1> states{};
    if constexpr (kind_of<T> == kind::record) {
      for_each_member(out, [&](auto index, auto& member) {
        to[index] = const_cast<void*>(static_cast<const void*>(std::addressof(member)));
      });
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((to[I] = std::addressof(std::get<I>(out))), ...);
      }(std::make_index_sequence<count>{});
    }
    return std::forward<Use>(use)(
        std::span<const field>(member_fields < T, kind_of<T> == kind::record ? proto_form{} : As >),
        to.data(), states.data());
  }
}

template <proto_form As, class T>
[[nodiscard]] bool take(reading& from, T& out, wire type, std::uint32_t& state) {
  constexpr kind what = kind_of<T>;
  constexpr known_message known = known_of<T, As>();
  if constexpr (ingot::detail::document_like<T>) {
    if constexpr (known != known_message::none)
      return value_codec<T>::template take<known>(from, out, type, state);
    else return take_document(from, out);
  } else if constexpr (known != known_message::none && what != kind::adapted) {
    return take_time<known>(from, out, type, state);
  } else if constexpr (what == kind::adapted) {
    return take_adapted<As>(from, out, type, state);
  } else if constexpr (is_scalar<T, As>) {
    return take_scalar<As>(from, out);
  } else if constexpr (what == kind::string) {
    return take_string(from, out);
  } else if constexpr (what == kind::path) {
    std::string_view text;
    if (!take_text(from, text)) return false;
    out = T(std::u8string(reinterpret_cast<const char8_t*>(text.data()), text.size()));
    return true;
  } else if constexpr (what == kind::bitset) {
    return take_bits(from, out);
  } else if constexpr (is_bytes<T>) {
    return take_bytes(from, out);
  } else if constexpr (what == kind::sequence) {
    return take_sequence<As>(from, out, type);
  } else if constexpr (what == kind::array) {
    return take_array<As>(from, out, type, state);
  } else if constexpr (ingot::detail::moves_entries<T>) {
    return take_filled<As>(from, out, type, state);
  } else if constexpr (is_list_kind<T>) {
    return take_set<As>(from, out, type);
  } else if constexpr (is_map_kind<T>) {
    return decode_entry<As>(from, out);
  } else if constexpr (what == kind::complex) {
    return take_complex(from, out, type, state);
  } else if constexpr (what == kind::optional) {
    static_assert(!is_borrowed<T>,
                  "ingot::protobuf: an optional reference can't be read into, as nothing would "
                  "own its value: use std::optional of the value");
    using inner = typename T::value_type;
    if constexpr (std::is_default_constructible_v<inner>) {
      if (!out.has_value()) {
        out.emplace();
        make_absent(from, *out);
      }
      return take_held<As>(from, *out, type, state);
    } else {
      return take_new_held<inner, As>(from, out, type, state,
                                      [](T& to, inner&& value) { to.emplace(std::move(value)); });
    }
  } else if constexpr (what == kind::box) {
    using inner = std::remove_const_t<typename T::element_type>;
    if constexpr (std::is_default_constructible_v<inner>) {
      if (out == nullptr) {
        if (!from.take_memory(sizeof(inner))) return false;
        out.reset(new inner{});
        make_absent(from, *out);
      }
      return take_held<As>(from, *out, type, state);
    } else {
      return take_new_held<inner, As>(from, out, type, state,
                                      [](T& to, inner&& value) { to.reset(new inner(std::move(value))); });
    }
  } else {
    return with_fields<As>(out, [&](auto fields, void* const* to, std::uint32_t* states) {
      return take_message(from, fields, to, states);
    });
  }
}

/// Reads a whole message: fields without a length prefix.
template <class T>
[[nodiscard]] bool decode_message(reading& from, T& out) {
  if (!from.deeper()) return false;
  make_absent(from, out);
  bool good = false;
  if constexpr (is_message<T>) {
    good = with_fields<proto_form{}>(out, [&](auto fields, void* const* to, std::uint32_t* states) {
      return decode_fields(from, fields, to, states);
    });
  } else {
    void* to = std::addressof(out);
    std::uint32_t state = 0;
    good = decode_fields(from, only_field<T>, &to, &state);
  }
  return good && check_complete(from, out);
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
