// SPDX-License-Identifier: Apache-2.0
// Reads values that contain other values: optionals, lists, maps.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/decode.hpp>
#include <ingot/reflect/detail/fixed_capacity.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

template <class T, proto_form As>
[[nodiscard]] bool take_erased(reading& from, void* to, wire type, std::uint32_t& state) {
  return take<As>(from, *static_cast<T*>(to), type, state);
}
template <class T, proto_form As = {}>
constexpr field field_of(std::uint32_t number) {
  return {number, 0, wires<T, As>(), extent_of<T>(), &take_erased<T, As>, {}, false};
}
/// The field table of a message whose only field, number 1, is the value.
template <class T, proto_form As = {}>
inline constexpr std::array<field, 1> only_field{field_of<T, As>(1)};

template <proto_form As, class T>
[[nodiscard]] bool take_wrapped(reading& from, T& out) {
  void* to = std::addressof(out);
  std::uint32_t state = 0;
  return take_message(from, only_field<T, As>, &to, &state);
}
/// Reads a value that is always present: in an alternative, an optional or a map.
template <proto_form As, class T>
[[nodiscard]] bool decode_single(reading& from, T& out, wire type, std::uint32_t& state) {
  if constexpr (has_label<T>) return take_wrapped<As>(from, out);
  else return take<As>(from, out, type, state);
}
/// Reads the value of an optional. If the value is in a wrapper message, the annotations of the
/// member don't apply to the field of the wrapper.
template <proto_form As, class T>
[[nodiscard]] bool take_held(reading& from, T& out, wire type, std::uint32_t& state) {
  if constexpr (!has_label<T> && is_held_wrapped<T, As>()) return take_wrapped<proto_form{}>(from, out);
  else return decode_single<As>(from, out, type, state);
}
/// Returns true if the occurrences of a field of the adapted class `T` must be merged, because `T`
/// is written as a message.
template <class T, proto_form As>
consteval bool needs_pieces() {
  return !has_label<T> && (is_message<T> || known_of<T, As>() != known_message::none);
}
/// Reads the content of an optional, if the content cannot be created before its value is known.
/// `Put` assigns the content to the optional.
template <class Inner, proto_form As, class T, class Put>
[[nodiscard]] bool take_new_held(reading& from, T& out, wire type, std::uint32_t& state, Put) {
  if constexpr (!has_label<Inner> && is_held_wrapped<Inner, As>()) {
    constexpr build_field build = [](reading& in, void* to, const field_pieces& pieces) {
      const std::uint64_t where = in.offset_of(pieces.all.front().bytes);
      ingot::detail::scratch_value<adapted_t<Inner>> stored;
      return each_piece(in, pieces,
                        [&](const field_piece&) { return take_wrapped<proto_form{}>(in, *stored); }) &&
             adapt_into<Inner>(in, std::move(*stored), where,
                               [&](Inner&& value) { Put{}(*static_cast<T*>(to), std::move(value)); });
    };
    return defer(from, out, build, type, state);
  } else if constexpr (needs_pieces<Inner, As>()) {
    constexpr build_field build = [](reading& in, void* to, const field_pieces& pieces) {
      return build_adapted<Inner, As>(in, pieces,
                                      [&](Inner&& value) { Put{}(*static_cast<T*>(to), std::move(value)); });
    };
    return defer(from, out, build, type, state);
  } else {
    return decode_new<Inner, As>(from, type, [&](Inner&& value) { Put{}(out, std::move(value)); });
  }
}
template <class T, proto_form As = {}>
consteval unsigned single_wires() {
  return has_label<T> ? mask_of(wire::bytes) : wires<T, As>();
}

/// Same as `decode_element`, without the checks of `out` itself.
template <proto_form As, class T>
[[nodiscard]] bool decode_without_hooks(reading& from, T& out, wire type) {
  if constexpr (has_label<T>) {
    return take_wrapped<As>(from, out);
  } else if constexpr (kind_of<T> == kind::adapted && !ingot::detail::document_like<T>) {
    return decode_new<T, As>(from, type, [&](T&& value) {
      out = std::move(value);
      from.set_lacking(std::addressof(out), false);
    });
  } else {
    std::uint32_t state = 0;
    return take<As>(from, out, type, state);
  }
}
template <proto_form As, class T>
[[nodiscard]] bool decode_element(reading& from, T& out, wire type) {
  return decode_without_hooks<As>(from, out, type) && check_complete(from, out);
}

// Lists.

/// Calls `one(type)` for each element at the cursor: for a single element, or for all packed
/// elements. The code contains only one call of `one`, so that compilers inline `one` into the
/// loop.
template <class E, proto_form As, class One>
[[nodiscard]] bool decode_repeated(reading& from, wire type, One&& one) {
  if constexpr (is_scalar<E, As>) {
    const bool is_packed = type == wire::bytes;
    reading::outer outer{};
    if (is_packed) {
      bytes_view body;
      if (!from.run(body)) return false;
      if (body.empty()) return true;
      outer = from.enter(body);
      type = wire_of<E, As>();
    }
    bool good = true;
    do good = one(type);
    while (is_packed && good && !from.done());
    if (is_packed) from.leave(outer);
    return good;
  } else {
    return one(type);
  }
}
INGOT_COLD inline bool in_element(reading& from, std::size_t index) noexcept {
  from.why()->in_element(index);
  return false;
}

template <proto_form As, class T>
[[nodiscard]] bool take_sequence(reading& from, T& out, wire type) {
  static_assert(!is_borrowed<T>,
                "ingot::protobuf: a span can't be read into, as nothing would own its elements: "
                "use std::vector");
  using element = element_t<T>;
  constexpr bool has_proxies = !std::is_same_v<decltype(*std::declval<T&>().begin()), element&>;
  return decode_repeated<element, As>(from, type, [&](wire each) {
    if (!has_capacity(from, out)) return in_element(from, out.size());
    bool good = false;
    const std::size_t index = out.size();
    if constexpr (ingot::detail::provides_links<T>) {
      element& value = *out.get(out.add());
      make_absent(from, value);
      good = decode_element<As>(from, value, each);
    } else if constexpr (has_proxies || !std::is_default_constructible_v<element>) {
      good = decode_new<element, As>(from, each, [&](element&& value) { out.push_back(std::move(value)); });
    } else {
      out.emplace_back();
      make_absent(from, out.back());
      good = decode_element<As>(from, out.back(), each);
    }
    return good || in_element(from, index);
  });
}
template <proto_form As, class T>
[[nodiscard]] bool take_array(reading& from, T& out, wire type, std::uint32_t& state) {
  using element = element_t<T>;
  return decode_repeated<element, As>(from, type, [&](wire each) {
    if (state == ingot::detail::array_size<T>)
      return from.fail(errc::too_long, from.offset(), "no more elements than the array has");
    if constexpr (ingot::detail::array_size<T> != 0) {
      make_absent(from, out[state]);
      // The checks of the elements run later, once, when the message of the array is complete:
      // missing elements are then checked too.
      if (!decode_without_hooks<As>(from, out[state], each)) return in_element(from, state);
      ++state;
    }
    return true;
  });
}
template <class T>
[[nodiscard]] bool take_complex(reading& from, T& out, wire type, std::uint32_t& state) {
  using part = typename T::value_type;
  return decode_repeated<part, proto_form{}>(from, type, [&](wire) {
    if (state == 2) return from.fail(errc::too_long, from.offset(), "the two parts of a complex number");
    part value{};
    if (!take_scalar(from, value)) return false;
    out = state++ == 0 ? T(value, out.imag()) : T(out.real(), value);
    return true;
  });
}
/// Returns false for NaN. NaN can't be a key, because no lookup finds it.
template <class Key>
[[nodiscard]] bool is_itself(const Key& key) {
  if constexpr (std::is_floating_point_v<Key>) return !ingot::detail::is_nan(key);
  else if constexpr (kind_of<Key> == kind::duration) return is_itself(key.count());
  else if constexpr (kind_of<Key> == kind::time_point) return is_itself(key.time_since_epoch());
  else if constexpr (requires { static_cast<bool>(key == key); }) return static_cast<bool>(key == key);
  else return true;
}
/// Reads elements of a set and inserts them. Repeated elements and NaN are errors.
template <proto_form As, class T>
[[nodiscard]] bool take_set(reading& from, T& out, wire type) {
  using element = key_t<T>;
  return decode_repeated<element, As>(from, type, [&](wire each) {
    const std::uint64_t where = from.offset();
    const std::size_t before = out.size();
    bool is_key = true;
    bool has_few = true;
    if (!has_capacity(from, out) || !decode_new<element, As>(from, each, [&](element&& value) {
          is_key = is_itself(value);
          if (!is_key) return;
          const auto hint = ingot::detail::insertion_hint(from.collisions(), out, value);
          const auto at = out.emplace_hint(hint, std::move(value));
          has_few = from.keys_differ(out, *at, where);
        }))
      return in_element(from, before);
    if (!has_few) return in_element(from, before);
    if (out.size() != before) return true;
    if (!is_key) from.fail(errc::not_canonical, where, "an element that is not NaN");
    else from.fail(errc::duplicate_key, where, "each element once");
    return in_element(from, before);
  });
}

// Maps.

/// Reads the field `number` of the message `body`, and ignores all other fields.
template <class T, bool Plain, proto_form As>
[[nodiscard]] bool decode_part(reading& from, bytes_view body, std::uint32_t number, T& out) {
  make_absent(from, out);
  field one = field_of<T, As>(number);
  if constexpr (Plain) {
    one.wires = single_wires<T, As>();
    one.extent = field::unlimited;
    one.take = [](reading& in, void* to, wire type, std::uint32_t& state) {
      return decode_single<As>(in, *static_cast<T*>(to), type, state);
    };
  }
  void* to = std::addressof(out);
  std::uint32_t state = 0;
  const auto outer = from.enter(body);
  const bool good = decode_fields(from, std::span(&one, 1), &to, &state) && check_complete(from, out);
  from.leave(outer);
  return good;
}
/// As `decode_part`, but creates the value and passes it to `use`.
template <class T, bool Plain, proto_form As, class Use>
[[nodiscard]] INGOT_INLINE bool take_new_part(reading& from, bytes_view body, std::uint32_t number,
                                              Use&& use) {
  if constexpr (kind_of<T> == kind::adapted && !ingot::detail::document_like<T>) {
    const std::uint64_t where = from.offset();
    bool good = true;
    return take_new_part<adapted_t<T>, Plain, As>(from, body, number,
                                                  [&](adapted_t<T>&& stored) {
                                                    good = adapt_into<T>(from, std::move(stored), where,
                                                                         std::forward<Use>(use));
                                                  }) &&
           good;
  } else {
    static_assert(std::is_default_constructible_v<T>,
                  "ingot::protobuf: read makes a default-constructed object first: give the class a default "
                  "constructor, or specialise ingot::adapt");
    ingot::detail::temporary<T> value(body.size());
    if (!decode_part<T, Plain, As>(from, body, number, *value)) return false;
    std::forward<Use>(use)(std::move(*value));
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

/// Reads an entry of a map. If the field is a protobuf map and a key repeats, the last value
/// counts. If the field is a list of entries, a repeated key is an error.
template <proto_form As, class T>
[[nodiscard]] bool decode_entry(reading& from, T& out) {
  using key = key_t<T>;
  using mapped = mapped_t<T>;
  constexpr bool is_plain = has_plain_keys<T>;
  const std::uint64_t where = from.offset();
  const std::size_t index = out.size();
  if (!has_capacity(from, out)) return in_element(from, index);
  bytes_view body;
  if (!from.run(body) || !from.deeper()) return false;
  bool good = false;
  const auto name = [&](std::string_view part) {
    from.why()->in_member(part);
    return false;
  };
  const auto fail_repeated = [&] { return from.fail(errc::duplicate_key, where, "each key once"); };
  const auto with_key = [&](key&& new_key) {
    if (!is_itself(new_key)) {
      good = from.fail(errc::not_canonical, where, "a key that is not NaN") || name("key");
      return;
    }
    if constexpr (is_multi<T> || !std::is_default_constructible_v<mapped>) {
      const bool is_known = !is_multi<T> && out.find(new_key) != out.end();
      bool has_few = true;
      if (is_known && !is_plain) {
        good = fail_repeated();
        return;
      }
      good = take_new_part<mapped, is_plain, As>(from, body, 2, [&](mapped&& value) {
        if (is_known) out.erase(new_key);
        const auto hint = ingot::detail::insertion_hint(from.collisions(), out, new_key);
        const auto at = out.emplace_hint(hint, std::move(new_key), std::move(value));
        has_few = from.keys_differ(out, at->first, where);
      });
      if (!has_few) {
        good = false;
        return;
      }
    } else {
      const std::size_t before = out.size();
      const auto at = out.try_emplace(out.end(), std::move(new_key));
      if (!from.keys_differ(out, at->first, where)) return;
      if (out.size() == before && !is_plain) {
        good = fail_repeated();
        return;
      }
      good = decode_part<mapped, is_plain, As>(from, body, 2, at->second);
    }
    if (!good) name("value");
  };
  if (!take_new_part<key, is_plain, As.of_key()>(from, body, 1, with_key)) good = name("key");
  from.shallower();
  return good || in_element(from, index);
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
