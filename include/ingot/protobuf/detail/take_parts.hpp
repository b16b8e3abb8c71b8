// SPDX-License-Identifier: Apache-2.0
// Values that hold others: lists, maps, alternatives, messages.
#pragma once

#include <ingot/protobuf/detail/take.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot::inline v1::protobuf::detail {

template <class T>
[[nodiscard]] bool take_erased(reading& from, void* to, wire type, std::uint32_t& state) {
  return take(from, *static_cast<T*>(to), type, state);
}
template <class T>
constexpr field field_of(std::uint32_t number) {
  return {number, 0, wires<T>(), extent_of<T>(), &take_erased<T>, {}, false};
}
/// A message that has the value for its only field.
template <class T>
inline constexpr std::array<field, 1> only_field{field_of<T>(1)};

template <class T>
[[nodiscard]] bool take_wrapped(reading& from, T& out) {
  void* to = std::addressof(out);
  std::uint32_t state = 0;
  return take_message(from, only_field<T>, &to, &state);
}
/// Where a value is always there: in an alternative, an optional, a map.
template <class T>
[[nodiscard]] bool take_single(reading& from, T& out, wire type, std::uint32_t& state) {
  if constexpr (has_label<T>) return take_wrapped(from, out);
  else return take(from, out, type, state);
}
template <class T>
consteval unsigned single_wires() {
  return has_label<T> ? mask_of(wire::bytes) : wires<T>();
}

/// As `take_one`, without the checks of `out` itself.
template <class T>
[[nodiscard]] bool take_unchecked(reading& from, T& out, wire type) {
  if constexpr (has_label<T>) {
    return take_wrapped(from, out);
  } else if constexpr (kind_of<T> == kind::adapted && !ingot::detail::document_like<T>) {
    return take_new<T>(from, type, [&](T&& made) {
      out = std::move(made);
      from.set_lacking(std::addressof(out), false);
    });
  } else {
    std::uint32_t state = 0;
    return take(from, out, type, state);
  }
}
template <class T>
[[nodiscard]] bool take_one(reading& from, T& out, wire type) {
  return take_unchecked(from, out, type) && check_complete(from, out);
}

// Lists.

/// Calls `one(type)` for each element at the cursor: one, or as many as are packed.
template <class E, class One>
[[nodiscard]] bool take_each(reading& from, wire type, One&& one) {
  if constexpr (is_scalar<E>) {
    if (type == wire::bytes) {
      bytes_view body;
      if (!from.run(body)) return false;
      const auto outer = from.enter(body);
      bool good = true;
      while (good && !from.done()) good = one(wire_of<E>());
      from.leave(outer);
      return good;
    }
  }
  return one(type);
}
INGOT_COLD inline bool in_element(reading& from, std::size_t index) noexcept {
  from.why()->in_element(index);
  return false;
}

template <class T>
[[nodiscard]] bool take_sequence(reading& from, T& out, wire type) {
  static_assert(!is_borrowed<T>,
                "ingot::protobuf: a span can't be read into, as nothing would own its elements: "
                "use std::vector");
  using element = element_t<T>;
  constexpr bool has_proxies = !std::is_same_v<decltype(*std::declval<T&>().begin()), element&>;
  return take_each<element>(from, type, [&](wire each) {
    if (!has_place(from, out)) return in_element(from, out.size());
    bool good = false;
    if constexpr (ingot::detail::gives_links<T>) {
      element& made = *out.get(out.add());
      make_absent(from, made);
      good = take_one(from, made, each);
    } else if constexpr (has_proxies || !std::is_default_constructible_v<element>) {
      good = take_new<element>(from, each, [&](element&& made) { out.push_back(std::move(made)); });
    } else {
      out.emplace_back();
      make_absent(from, out.back());
      good = take_one(from, out.back(), each);
    }
    return good || in_element(from, out.size());
  });
}
template <class T>
[[nodiscard]] bool take_array(reading& from, T& out, wire type, std::uint32_t& state) {
  using element = element_t<T>;
  return take_each<element>(from, type, [&](wire each) {
    if (state == ingot::detail::array_size<T>)
      return from.fail(errc::too_long, from.offset(), "no more elements than the array has");
    if constexpr (ingot::detail::array_size<T> != 0) {
      make_absent(from, out[state]);
      // The array is complete when its message is: its elements are checked then, once, those that are not there too.
      if (!take_unchecked(from, out[state], each)) return in_element(from, state);
      ++state;
    }
    return true;
  });
}
template <class T>
[[nodiscard]] bool take_complex(reading& from, T& out, wire type, std::uint32_t& state) {
  using part = typename T::value_type;
  return take_each<part>(from, type, [&](wire) {
    if (state == 2) return from.fail(errc::too_long, from.offset(), "the two parts of a complex number");
    part made{};
    if (!take_scalar(from, made)) return false;
    out = state++ == 0 ? T(made, out.imag()) : T(out.real(), made);
    return true;
  });
}
template <class T>
[[nodiscard]] bool take_set(reading& from, T& out, wire type) {
  using element = key_t<T>;
  return take_each<element>(from, type, [&](wire each) {
    const std::uint64_t where = from.offset();
    const std::size_t before = out.size();
    if (!has_place(from, out) ||
        !take_new<element>(from, each, [&](element&& made) { out.emplace_hint(out.end(), std::move(made)); }))
      return in_element(from, before);
    if (out.size() != before) return true;
    from.fail(errc::duplicate_key, where, "each element once");
    return in_element(from, before);
  });
}

// Maps.

/// The one field of a message that is looked at, of which the message holds nothing else for now.
template <class T, bool Plain>
[[nodiscard]] bool take_part(reading& from, bytes_view body, std::uint32_t number, T& out) {
  make_absent(from, out);
  field one = field_of<T>(number);
  if constexpr (Plain) {
    one.wires = single_wires<T>();
    one.extent = field::unlimited;
    one.take = [](reading& in, void* to, wire type, std::uint32_t& state) {
      return take_single(in, *static_cast<T*>(to), type, state);
    };
  }
  void* to = std::addressof(out);
  std::uint32_t state = 0;
  const auto outer = from.enter(body);
  const bool good = take_fields(from, std::span(&one, 1), &to, &state) && check_complete(from, out);
  from.leave(outer);
  return good;
}
/// The same of a value that does not exist yet.
template <class T, bool Plain, class Use>
[[nodiscard]] bool take_new_part(reading& from, bytes_view body, std::uint32_t number, Use&& use) {
  if constexpr (kind_of<T> == kind::adapted && !ingot::detail::document_like<T>) {
    const std::uint64_t where = from.offset();
    bool good = true;
    return take_new_part<adapted_t<T>, Plain>(from, body, number,
                                              [&](adapted_t<T>&& stored) {
                                                good = adapt_into<T>(from, std::move(stored), where,
                                                                     std::forward<Use>(use));
                                              }) &&
           good;
  } else {
    ingot::detail::temporary<T> made(body.size());
    if (!take_part<T, Plain>(from, body, number, *made)) return false;
    std::forward<Use>(use)(std::move(*made));
    return true;
  }
}

template <class T>
inline constexpr bool has_plain_keys = [] {
  using key = stored_t<key_t<T>>;
  if constexpr (is_multi<T>) return false;
  else if constexpr (kind_of<key> == kind::string) return sizeof(typename key::value_type) == 1;
  else return kind_of<key> == kind::integer || kind_of<key> == kind::boolean;
}();

/// Of a key that comes twice the last value counts where the field is a map of protobuf's; elsewhere that is an error.
template <class T>
[[nodiscard]] bool take_entry(reading& from, T& out) {
  using key = key_t<T>;
  using mapped = mapped_t<T>;
  constexpr bool is_plain = has_plain_keys<T>;
  const std::uint64_t where = from.offset();
  const std::size_t index = out.size();
  if (!has_place(from, out)) return in_element(from, index);
  bytes_view body;
  if (!from.run(body) || !from.deeper()) return false;
  bool good = false;
  const auto name = [&](std::string_view part) {
    from.why()->in_member(part);
    return false;
  };
  const auto refuse_repeated = [&] { return from.fail(errc::duplicate_key, where, "each key once"); };
  const auto with_key = [&](key&& made) {
    if constexpr (is_multi<T> || !std::is_default_constructible_v<mapped>) {
      const bool is_known = !is_multi<T> && out.find(made) != out.end();
      if (is_known && !is_plain) {
        good = refuse_repeated();
        return;
      }
      good = take_new_part<mapped, is_plain>(from, body, 2, [&](mapped&& value) {
        if (is_known) out.erase(made);
        out.emplace_hint(out.end(), std::move(made), std::move(value));
      });
    } else {
      const std::size_t before = out.size();
      const auto at = out.try_emplace(out.end(), std::move(made));
      if (out.size() == before && !is_plain) {
        good = refuse_repeated();
        return;
      }
      good = take_part<mapped, is_plain>(from, body, 2, at->second);
    }
    if (!good) name("value");
  };
  if (!take_new_part<key, is_plain>(from, body, 1, with_key)) good = name("key");
  from.shallower();
  return good || in_element(from, index);
}

// Alternatives.

template <class T, std::size_t I>
[[nodiscard]] bool take_alternative(reading& from, void* to, wire type, std::uint32_t& state) {
  using alternative = std::variant_alternative_t<I, T>;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_default_constructible_v<alternative>) {
    if (out.index() != I) {
      out.template emplace<I>();
      make_absent(from, *get_if<I>(&out));
      state = 0;
    }
    return take_single(from, *get_if<I>(&out), type, state);
  } else {
    return take_new<alternative>(from, type,
                                 [&](alternative&& made) { out.template emplace<I>(std::move(made)); });
  }
}
template <class T>
inline constexpr auto variant_fields = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<field, sizeof...(I)>{field{ingot::detail::number_of_field(I),
                                               static_cast<std::uint32_t>(I),
                                               single_wires<std::variant_alternative_t<I, T>>(),
                                               field::unlimited,
                                               &take_alternative<T, I>,
                                               {},
                                               true}...};
}(std::make_index_sequence<std::variant_size_v<T>>{});

template <class T>
[[nodiscard]] bool take_value_of(reading& from, void* to, wire type, std::uint32_t& state) {
  using value_type = typename T::value_type;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_void_v<value_type>) {
    out.emplace();
    return from.skip(type);
  } else if constexpr (std::is_default_constructible_v<value_type>) {
    if (!out.has_value()) {
      out = value_type{};
      make_absent(from, *out);
      state = 0;
    }
    return take_single(from, *out, type, state);
  } else {
    return take_new<value_type>(from, type, [&](value_type&& made) { out = std::move(made); });
  }
}
template <class T>
[[nodiscard]] bool take_error_of(reading& from, void* to, wire type, std::uint32_t& state) {
  using error_type = typename T::error_type;
  T& out = *static_cast<T*>(to);
  if constexpr (std::is_default_constructible_v<error_type>) {
    if (out.has_value()) {
      error_type made{};
      make_absent(from, made);
      out = typename T::unexpected_type(std::move(made));
      state = 0;
    }
    return take_single(from, out.error(), type, state);
  } else {
    return take_new<error_type>(
        from, type, [&](error_type&& made) { out = typename T::unexpected_type(std::move(made)); });
  }
}
template <class T>
consteval unsigned value_wires() {
  if constexpr (std::is_void_v<typename T::value_type>) return mask_of(wire::varint);
  else return single_wires<typename T::value_type>();
}
template <class T>
inline constexpr std::array<field, 2> expected_fields{
    field{1, 0, value_wires<T>(), field::unlimited, &take_value_of<T>, "value", false},
    field{2, 1, single_wires<typename T::error_type>(), field::unlimited, &take_error_of<T>, "error", false}};

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
        fields[next] = field_of<std::remove_const_t<member_type<T, K>>>(field_number_table<T>[K]);
        fields[next].place = static_cast<std::uint32_t>(K);
        fields[next++].name = member_name<T, K>;
      }
    };
    (add(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<member_count<T>>{});
  std::sort(fields.begin(), fields.end(), [](const field& a, const field& b) { return a.number < b.number; });
  return fields;
}
template <class T>
consteval auto tuple_parts() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<field, sizeof...(I)> fields{
        field_of<std::remove_const_t<std::tuple_element_t<I, T>>>(ingot::detail::number_of_field(I))...};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i].place = static_cast<std::uint32_t>(i);
      fields[i].is_part = true;
    }
    return fields;
  }(std::make_index_sequence<std::tuple_size_v<T>>{});
}
template <class T>
inline constexpr auto member_fields = [] {
  if constexpr (kind_of<T> == kind::record) return sorted_members<T>();
  else return tuple_parts<T>();
}();

/// Calls `use(fields, addresses, states)` for the parts of a message.
template <class T, class Use>
[[nodiscard]] bool with_fields(T& out, Use&& use) {
  if constexpr (kind_of<T> == kind::variant || kind_of<T> == kind::expected) {
    const auto run = [&](const auto& fields) {
      std::array<void*, std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>> to{};
      std::array<std::uint32_t, std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>> states{};
      to.fill(std::addressof(out));
      return std::forward<Use>(use)(std::span<const field>(fields), to.data(), states.data());
    };
    if constexpr (kind_of<T> == kind::variant) return run(variant_fields<T>);
    else return run(expected_fields<T>);
  } else {
    constexpr std::size_t count = [] {
      if constexpr (kind_of<T> == kind::record) return member_count<T>;
      else return std::tuple_size_v<T>;
    }();
    std::array<void*, count + 1> to{}; // one more, as there may be no member
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
    return std::forward<Use>(use)(std::span<const field>(member_fields<T>), to.data(), states.data());
  }
}

template <class T>
[[nodiscard]] bool take(reading& from, T& out, wire type, std::uint32_t& state) {
  constexpr kind what = kind_of<T>;
  if constexpr (ingot::detail::document_like<T>) {
    return take_document(from, out);
  } else if constexpr (what == kind::adapted) {
    return take_adapted(from, out, type, state);
  } else if constexpr (is_scalar<T>) {
    return take_scalar(from, out);
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
    return take_sequence(from, out, type);
  } else if constexpr (what == kind::array) {
    return take_array(from, out, type, state);
  } else if constexpr (is_list_kind<T>) {
    return take_set(from, out, type);
  } else if constexpr (is_map_kind<T>) {
    return take_entry(from, out);
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
      return take_single(from, *out, type, state);
    } else {
      return take_new<inner>(from, type, [&](inner&& made) { out.emplace(std::move(made)); });
    }
  } else if constexpr (what == kind::box) {
    using inner = std::remove_const_t<typename T::element_type>;
    if constexpr (std::is_default_constructible_v<inner>) {
      if (out == nullptr) {
        out.reset(new inner{});
        make_absent(from, *out);
      }
      return take_single(from, *out, type, state);
    } else {
      return take_new<inner>(from, type, [&](inner&& made) { out.reset(new inner(std::move(made))); });
    }
  } else {
    return with_fields(out, [&](auto fields, void* const* to, std::uint32_t* states) {
      return take_message(from, fields, to, states);
    });
  }
}

/// A whole message: fields without a length in front.
template <class T>
[[nodiscard]] bool take_whole(reading& from, T& out) {
  if (!from.deeper()) return false;
  make_absent(from, out);
  bool good = false;
  if constexpr (is_message<T>) {
    good = with_fields(out, [&](auto fields, void* const* to, std::uint32_t* states) {
      return take_fields(from, fields, to, states);
    });
  } else {
    void* to = std::addressof(out);
    std::uint32_t state = 0;
    good = take_fields(from, only_field<T>, &to, &state);
  }
  return good && check_complete(from, out);
}

} // namespace ingot::inline v1::protobuf::detail
