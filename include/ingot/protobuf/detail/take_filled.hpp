// SPDX-License-Identifier: Apache-2.0
// Sets and maps whose insertions move entries. Inserting entries one by one would move many
// entries. So after the first key that is out of order, all following occurrences of the field are
// stored until the whole message is read, with all messages that are merged into it. Then the
// entries of these occurrences are added in one step (key_filling.hpp).
#pragma once

#include <ingot/protobuf/detail/decode_composite.hpp>
#include <ingot/reflect/detail/key_filling.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

template <class T>
using filling_of = ingot::detail::key_filling<T>;

/// Reads elements of a set as `take_set` does, but adds them to `filling`.
template <proto_form As, class T>
[[nodiscard]] INGOT_INLINE bool take_filled_set(reading& from, T& out, filling_of<T>& filling, wire type) {
  using element = key_t<T>;
  return decode_repeated<element, As>(from, type, [&](wire each) INGOT_INLINE_LAMBDA {
    const std::uint64_t where = from.offset();
    const std::size_t index = filling.size();
    bool is_key = true;
    bool is_new = false;
    bool good = has_capacity(from, out, index);
    if constexpr (is_scalar<element, As> && kind_of<element> != kind::adapted &&
                  !may_be_deferred<element>()) {
      // This does not call `decode_new`, because g++ does not inline `decode_new`. With a call,
      // these variables would be in memory instead of registers.
      element value{};
      good = good && decode_element<As>(from, value, each);
      if (good) {
        is_key = is_itself(value);
        if (is_key) is_new = filling.add(std::move(value));
      }
    } else {
      good = good && decode_new<element, As>(from, each, [&](element&& value) INGOT_INLINE_LAMBDA {
               is_key = is_itself(value);
               if (is_key) is_new = filling.add(std::move(value));
             });
    }
    if (good && is_new) [[likely]]
      return true;
    if (good && !is_key) from.fail(errc::not_canonical, where, "an element that is not NaN");
    else if (good) from.fail(errc::duplicate_key, where, "each element once");
    return in_element(from, index);
  });
}

/// Reads an entry of a map as `decode_entry` does, but adds the entry to `filling`.
template <proto_form As, class T>
[[nodiscard]] INGOT_INLINE bool take_filled_entry(reading& from, T& out, filling_of<T>& filling) {
  using key = key_t<T>;
  using mapped = mapped_t<T>;
  constexpr bool is_plain = has_plain_keys<T>;
  const std::uint64_t where = from.offset();
  const std::size_t index = filling.size();
  if (!has_capacity(from, out, index)) return in_element(from, index);
  bytes_view body;
  if (!from.run(body) || !from.deeper()) return false;
  bool good = false;
  const auto name = [&](std::string_view part) {
    from.why()->in_member(part);
    return false;
  };
  const auto is_rejected = [&](bool is_known) {
    return is_known && !is_plain && !from.fail(errc::duplicate_key, where, "each key once");
  };
  const auto with_key = [&](key&& new_key) INGOT_INLINE_LAMBDA {
    if (!is_itself(new_key)) {
      good = from.fail(errc::not_canonical, where, "a key that is not NaN") || name("key");
      return;
    }
    if constexpr (is_multi<T> || !std::is_default_constructible_v<mapped>) {
      mapped* known = nullptr;
      if constexpr (!is_multi<T>) known = filling.find(new_key);
      if (is_rejected(known != nullptr)) return;
      good = take_new_part<mapped, is_plain, As>(from, body, 2, [&](mapped&& value) INGOT_INLINE_LAMBDA {
        if (known == nullptr) filling.add(std::move(new_key), std::move(value));
        else *known = std::move(value);
      });
    } else {
      const auto found = filling.find_or_add(std::move(new_key));
      if (is_rejected(!found.is_new)) return;
      good = decode_part<mapped, is_plain, As>(from, body, 2, *found.value);
    }
    if (!good) name("value");
  };
  if (!take_new_part<key, is_plain, As.of_key()>(from, body, 1, with_key)) good = name("key");
  from.shallower();
  return good || in_element(from, index);
}

template <proto_form As, class T>
[[nodiscard]] INGOT_INLINE bool take_filling(reading& from, T& out, filling_of<T>& filling, wire type) {
  if constexpr (is_map_kind<T>) return take_filled_entry<As>(from, out, filling);
  else return take_filled_set<As>(from, out, filling, type);
}
template <proto_form As, class T>
[[nodiscard]] bool build_filled(reading& from, void* to, const field_pieces& pieces) {
  T& out = *static_cast<T*>(to);
  filling_of<T> filling(out);
  if (!each_piece(from, pieces,
                  [&](const field_piece& piece) { return take_filling<As>(from, out, filling, piece.type); }))
    return false;
  filling.finish();
  return true;
}
template <proto_form As, class T>
[[nodiscard]] bool take_filled(reading& from, T& out, wire type, std::uint32_t& state) {
  constexpr build_field build = &build_filled<As, T>;
  if (from.later.has(out)) [[unlikely]]
    return from.take_memory(sizeof(field_piece)) && defer(from, out, build, type, state);
  const std::uint32_t number = from.number;
  filling_of<T> filling(out);
  if (!take_filling<As>(from, out, filling, type)) return false;
  if (filling.is_scattered()) [[unlikely]] {
    filling.finish();
    from.later.begin(out, build, from.levels(), number);
  }
  return true;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
