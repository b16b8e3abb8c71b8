// SPDX-License-Identifier: Apache-2.0
// Converts C++ values to values of a document. Scalars are converted directly; containers become
// nodes to which nothing refers yet.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/owned.hpp>
#include <ingot/document/detail/build_time.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/document/detail/member_key.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/document/detail/text_array.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/reflect/detail/alternative_names.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/reflect/kind.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ingot { inline namespace INGOT_V1 {

class value;
class document;

namespace detail::doc {

template <class T>
struct access_for;

/// A value that is to be stored. `value` points to bytes of the caller, or to `bytes`.
struct built {
  built() = default;
  built(const built&) = delete;
  built& operator=(const built&) = delete;

  item value;
  std::array<std::byte, packed_bytes + 2> bytes{};
  outcome why = outcome::done;

  bool fail(outcome reason) noexcept {
    why = reason;
    return false;
  }
  INGOT_COLD bool reject(core& in, const error& reason) noexcept {
    in.unsupported_reason() = reason;
    return fail(outcome::rejected);
  }
  // Called if a part of this value could not be built. These functions set the outcome of this
  // value to the part's outcome. They add the part's name, key or index to the path of the error.
  INGOT_COLD bool fail_in_member(core& in, const built& part, std::string_view name) noexcept {
    if (part.why == outcome::rejected) in.unsupported_reason()->in_member(name);
    return fail(part.why);
  }
  INGOT_COLD bool fail_in_key(core& in, const built& part, std::string_view key) noexcept {
    if (part.why == outcome::rejected) in.unsupported_reason()->in_key(key);
    return fail(part.why);
  }
  INGOT_COLD bool fail_in_element(core& in, const built& part, std::size_t index) noexcept {
    if (part.why == outcome::rejected) in.unsupported_reason()->in_element(index);
    return fail(part.why);
  }
};

/// Copies the text to which `to` points into `to` itself, since the text may be destroyed before
/// `to` is used.
inline void keep_text(built& to) noexcept {
  if (to.value.is != item::form::plain || to.value.length == 0 || to.value.bytes == to.bytes.data()) return;
  std::memcpy(to.bytes.data(), to.value.bytes, to.value.length);
  to.value.bytes = to.bytes.data();
}

/// Maximum nesting depth of the caller's objects, as in packed messages.
inline constexpr unsigned deepest_build = 128;

template <class T>
[[nodiscard]] bool build(core& in, const T& from, built& to, unsigned depth = 0);

[[nodiscard]] INGOT_COMPILED bool build_text(core& in, value_kind kind, const void* data, std::size_t size,
                                             built& to) noexcept;

/// A node that is being filled; initially it has capacity for `count` elements.
class node_builder {
public:
  INGOT_COMPILED node_builder(core& in, value_kind kind, std::size_t count, std::size_t keys = 0) noexcept;
  node_builder(const node_builder&) = delete;
  node_builder& operator=(const node_builder&) = delete;
  INGOT_COMPILED ~node_builder();

  /// Appends the value `each`, and takes ownership of the nodes that `each` owns. If there is no
  /// space, releases these nodes and returns false.
  [[nodiscard]] INGOT_COMPILED bool append(const item& each) noexcept;
  /// Inserts a member. Takes ownership as `append` does.
  [[nodiscard]] INGOT_COMPILED bool insert(const document_key& key, const item& each) noexcept;
  /// Returns the number of elements appended so far.
  [[nodiscard]] uint32_t count() const noexcept { return next_; }
  [[nodiscard]] item finish() noexcept { return item::container(kind_, std::exchange(position_, 0)); }

private:
  core& in_;
  value_kind kind_;
  uint32_t position_ = 0;
  uint32_t next_ = 0;
};

/// Collects the members of an object, and sorts them once.
class pending_members {
public:
  pending_members(core& in, std::size_t count) noexcept : in_(in), each_(in.filling_of_many(count)) {}
  pending_members(const pending_members&) = delete;
  pending_members& operator=(const pending_members&) = delete;
  INGOT_COMPILED ~pending_members();

  /// Adds a member, and takes ownership of the nodes that `each` owns.
  [[nodiscard]] INGOT_COMPILED bool add(const document_key& key, const item& each) noexcept;
  [[nodiscard]] INGOT_COMPILED outcome finish(item& object_item) noexcept;

  /// Returns the repeated key after the outcome `exists`.
  [[nodiscard]] std::string_view repeated() const noexcept { return values_.key(repeated_); }

private:
  core& in_;
  growth_poll each_;
  pending_values values_;
  uint32_t repeated_ = npos;
};

template <class Range>
[[nodiscard]] bool build_array(core& in, const Range& from, std::size_t count, built& to, unsigned depth) {
  // Proxies, such as those of `vector<bool>`, are converted to elements.
  using element = element_t<Range>;
  if constexpr (std::is_integral_v<element> && !std::is_same_v<element, bool> && !is_character<element>) {
    // Packs an array of small integers, as the canonical form does.
    if (count != 0 && count <= packed_bytes) {
      std::int64_t smallest = 0;
      std::int64_t largest = 0;
      bool whole = true;
      for (const auto& each : from) {
        whole = whole && std::in_range<std::int64_t>(each);
        smallest = std::min(smallest, static_cast<std::int64_t>(each));
        largest = std::max(largest, static_cast<std::int64_t>(each));
      }
      const uint8_t shift = packed_shift(smallest, largest);
      if (whole && count << shift <= packed_bytes) {
        to.value = item::text(value_kind::array, to.bytes.data(), static_cast<uint32_t>(count));
        to.value.is = item::form::packed;
        to.value.shift = shift;
        std::byte* at = to.bytes.data();
        for (const auto& each : from) {
          store_packed(at, static_cast<std::int64_t>(each), shift);
          at += std::size_t{1} << shift;
        }
        return true;
      }
    }
  }
  node_builder node(in, value_kind::array, count);
  growth_poll poll(in.filling_of_many(count));
  for (const auto& each : from) {
    built one;
    if (!build(in, static_cast<const element&>(each), one, depth))
      return to.fail_in_element(in, one, node.count());
    if (!node.append(one.value) || !poll.step_should_continue()) return to.fail(outcome::no_space);
  }
  to.value = node.finish();
  return true;
}

/// Builds an array of values of different types.
template <class... T>
[[nodiscard]] bool build_elements(core& in, built& to, unsigned depth, const T&... elements) {
  node_builder node(in, value_kind::array, sizeof...(T));
  [[maybe_unused]] const auto one_more = [&](const auto& element) {
    built one;
    if (!build(in, element, one, depth)) return to.fail_in_element(in, one, node.count());
    return node.append(one.value) || to.fail(outcome::no_space);
  };
  if (!(one_more(elements) && ...)) return false;
  to.value = node.finish();
  return true;
}
/// Builds an object of one member, `from`, whose key is `tag`.
template <class T>
[[nodiscard]] bool build_tagged(core& in, std::string_view tag, const T& from, built& to, unsigned depth) {
  node_builder node(in, value_kind::object, 1, tag.size());
  built one;
  if (!build(in, from, one, depth)) return to.fail_in_member(in, one, tag);
  if (!node.insert(tag, one.value)) return to.fail(outcome::no_space);
  to.value = node.finish();
  return true;
}
template <class T>
[[nodiscard]] bool build_variant(core& in, const T& from, built& to, unsigned depth) {
  if (from.valueless_by_exception())
    return to.reject(in, error{errc::invalid_value}.with_expected("a variant that has a value"));
  bool good = false;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    static_cast<void>(((from.index() == I &&
                        (good = build_tagged(in, variant_tag<T>(I), *get_if<I>(&from), to, depth), true)) ||
                       ...));
  }(std::make_index_sequence<std::variant_size_v<T>>{});
  return good;
}
/// Builds a text of digits 0 and 1, the highest bit first.
template <class T>
[[nodiscard]] bool build_bits(core& in, const T& from, built& to) {
  const std::size_t n = from.size();
  owned<std::byte[]> many;
  std::byte* digits = to.bytes.data();
  if (n > to.bytes.size()) {
    many.reset(new (std::nothrow) std::byte[n]);
    if (!many) return to.fail(outcome::no_space);
    digits = many.get();
  }
  for (std::size_t i = 0; i < n; ++i) digits[i] = static_cast<std::byte>(from.test(n - 1 - i) ? '1' : '0');
  return build_text(in, value_kind::text, digits, n, to);
}

/// Builds the value of a member that has the annotation `as_timestamp`.
template <class T>
[[nodiscard]] bool build_timestamp(core& in, const T& from, built& to) {
  if constexpr (is_civil_time<T>()) {
    instant timestamp;
    if (from_duration(from.time_since_epoch(), timestamp) != time_outcome::exact)
      return to.reject(in, error{errc::out_of_range}.with_expected("a whole number of nanoseconds"));
    node_builder node(in, value_kind::object, 2,
                      timestamp_seconds.text().size() + timestamp_nanoseconds.text().size());
    if (!node.insert(timestamp_seconds, item::of(timestamp.seconds)) ||
        !node.insert(timestamp_nanoseconds, item::of(std::uint64_t{timestamp.nanoseconds})))
      return to.fail(outcome::no_space);
    to.value = node.finish();
    return true;
  } else if constexpr (kind_of<T> == kind::optional || kind_of<T> == kind::box) {
    if (!static_cast<bool>(from)) return to.value = item::null(), true;
    return build_timestamp(in, *from, to);
  } else {
    static_assert(kind_of<T> == kind::sequence || kind_of<T> == kind::array,
                  "ingot: as_timestamp is for time points of system_clock, and lists and optionals of them");
    node_builder node(in, value_kind::array, std::size(from));
    for (const auto& each : from) {
      built one;
      if (!build_timestamp(in, each, one)) return to.fail_in_element(in, one, node.count());
      if (!node.append(one.value)) return to.fail(outcome::no_space);
    }
    to.value = node.finish();
    return true;
  }
}

template <class T>
bool build_kind(core& in, const T& from, built& to, unsigned depth) {
  constexpr kind k = kind_of<T>;
  if constexpr (std::is_same_v<T, std::nullptr_t>) {
    to.value = item::null();
    return true;
  } else if constexpr (is_text_array<T>) { // also string literals
    const std::string_view text = text_in_array(from);
    return build_text(in, value_kind::text, text.data(), text.size(), to);
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    const std::string_view text(from);
    return build_text(in, value_kind::text, text.data(), text.size(), to);
  } else if constexpr (k == kind::boolean) {
    to.value = item::of(static_cast<bool>(from));
    return true;
  } else if constexpr (k == kind::character) { // its unsigned code unit: `char` may be signed
    to.value = item::of(std::int64_t{static_cast<std::make_unsigned_t<T>>(from)});
    return true;
  } else if constexpr (k == kind::integer) {
    if constexpr (std::is_signed_v<T>) to.value = item::of(static_cast<std::int64_t>(from));
    else to.value = item::of(static_cast<uint64_t>(from));
    return true;
  } else if constexpr (k == kind::byte) {
    to.value = item::of(static_cast<std::int64_t>(from));
    return true;
  } else if constexpr (k == kind::floating) {
    to.value = item::of(from);
    return true;
  } else if constexpr (k == kind::enumeration) {
    for (const auto& each : enumerators<T>) {
      if (each.value == from) return build_text(in, value_kind::text, each.name.data(), each.name.size(), to);
    }
    return build(in, std::to_underlying(from), to, depth);
  } else if constexpr (k == kind::duration) {
    return build(in, from.count(), to, depth);
  } else if constexpr (k == kind::time_point) {
    return build(in, from.time_since_epoch(), to, depth);
  } else if constexpr (k == kind::string) {
    static_assert(sizeof(typename T::value_type) == 1, "ingot: text in documents is of one-byte characters");
    return build_text(in, value_kind::text, from.data(), from.size(), to);
  } else if constexpr (k == kind::path) {
    const auto text = from.generic_u8string();
    if (!build_text(in, value_kind::text, text.data(), text.size(), to)) return false;
    keep_text(to);
    return true;
  } else if constexpr (k == kind::bitset) {
    return build_bits(in, from, to);
  } else {
    if (depth == deepest_build)
      return to.reject(in, error{errc::too_deep}.with_expected("no more than 128 levels"));
    ++depth;
    if constexpr (k == kind::optional || k == kind::box) {
      if (!static_cast<bool>(from)) return to.value = item::null(), true;
      using inner = std::remove_cvref_t<decltype(*from)>;
      if constexpr (may_be_null<inner>())
        return build_array(in, std::span<const inner, 1>(&*from, 1), 1, to, depth);
      else return build(in, *from, to, depth);
    } else if constexpr (k == kind::variant) {
      return build_variant(in, from, to, depth);
    } else if constexpr (k == kind::expected) {
      if (!from.has_value()) return build_tagged(in, "error", from.error(), to, depth);
      if constexpr (std::is_void_v<typename T::value_type>)
        return build_tagged(in, "value", nullptr, to, depth);
      else return build_tagged(in, "value", *from, to, depth);
    } else if constexpr (k == kind::complex) {
      return build_array(in, std::array<typename T::value_type, 2>{from.real(), from.imag()}, 2, to, depth);
    } else if constexpr (k == kind::record) {
      std::size_t keys = 0;
      for_each_member(from, [&]<class I, class M>(I, const M&) { keys += member_name<T, I::value>.size(); });
      node_builder node(in, value_kind::object, member_count<T>, keys);
      const bool all = for_each_member(from, [&]<class I, class M>(I, const M& member) {
        if constexpr (member_has<T, I::value, skip_t>) {
          return true;
        } else {
          constexpr document_key key(member_name<T, I::value>);
          if constexpr ((kind_of<M> == kind::optional || kind_of<M> == kind::box) &&
                        !member_has<T, I::value, default_value_t>) {
            if (!static_cast<bool>(member)) return true; // not stored, so it reads as absent
          }
          built one;
          if constexpr (member_has<T, I::value, as_timestamp_t>) {
            if (!build_timestamp(in, member, one)) return to.fail_in_member(in, one, key.text());
          } else {
            if (!build(in, member, one, depth)) return to.fail_in_member(in, one, key.text());
          }
          return node.insert(key, one.value) || to.fail(outcome::no_space);
        }
      });
      if (all) to.value = node.finish();
      return all;
    } else if constexpr ((k == kind::map || k == kind::unordered_map) && !is_member_map<T>()) {
      static_assert(!std::is_pointer_v<typename T::key_type>,
                    "ingot: keys of a map are compared as text in documents, not as pointers");
      node_builder node(in, value_kind::array, from.size());
      const bool all = for_each_by_code_unit(from, [&](const auto& item) {
        built entry;
        if (!build_elements(in, entry, depth, item.first, item.second))
          return to.fail_in_element(in, entry, node.count());
        return node.append(entry.value) || to.fail(outcome::no_space);
      });
      if (all) to.value = node.finish();
      return all;
    } else if constexpr (k == kind::map || k == kind::unordered_map) {
      pending_members members(in, from.size());
      for (const auto& [key, mapped] : from) {
        built one;
        if (!build(in, mapped, one, depth))
          return with_key_text(key, [&](std::string_view text) { return to.fail_in_key(in, one, text); });
        if (!with_key_text(key, [&](std::string_view text) { return members.add(text, one.value); }))
          return to.fail(outcome::no_space);
      }
      const outcome o = members.finish(to.value);
      if (o == outcome::exists)
        return to.reject(
            in, error{errc::duplicate_key}.with_expected(expected_new_key).in_member(members.repeated()));
      return o == outcome::done || to.fail(o);
    } else if constexpr (k == kind::sequence || k == kind::set || k == kind::unordered_set) {
      if constexpr (std::is_same_v<element_t<T>, std::byte> && requires { from.data(); })
        return build_text(in, value_kind::binary, from.data(), from.size(), to);
      else if constexpr (needs_code_unit_order<T>) {
        node_builder node(in, value_kind::array, from.size());
        const bool all = for_each_by_code_unit(from, [&](const auto& item) {
          built one;
          if (!build(in, item, one, depth)) return to.fail_in_element(in, one, node.count());
          return node.append(one.value) || to.fail(outcome::no_space);
        });
        if (all) to.value = node.finish();
        return all;
      } else return build_array(in, from, from.size(), to, depth);
    } else if constexpr (k == kind::array) {
      return build_array(in, from, std::size(from), to, depth);
    } else if constexpr (k == kind::tuple) {
      return std::apply([&](const auto&... elements) { return build_elements(in, to, depth, elements...); },
                        from);
    } else if constexpr (document_like<T>) {
      const auto whole = std::as_const(from).root();
      const memory there = access_for<T>::memory_of(whole);
      item element = access_for<T>::item_of(whole);
      if (element.kind == value_kind::absent) element = item::null(); // a moved-from value
      if (!copy_owned(in, there, element, to.bytes.data())) return to.fail(outcome::no_space);
      to.value = element;
      if (element.is == item::form::packed) {
        if (element.bytes != to.bytes.data())
          std::memcpy(to.bytes.data(), element.bytes, std::size_t{element.length} << element.shift);
        to.value.bytes = to.bytes.data();
      } else {
        keep_text(to);
      }
      return true;
    } else if constexpr (k == kind::adapted) {
      if constexpr (may_not_fit<T>) {
        if (!adapt<T>::fits(from))
          return to.reject(in, error{errc::out_of_range}.with_expected(adapt<T>::expected()));
      }
      const adapted_t<T> stored = adapt<T>::to(from);
      if (!build(in, stored, to, depth)) return false;
      keep_text(to);
      return true;
    } else {
      static_assert(k == kind::record,
                    "ingot: documents have no form for this type; of an owner such as live<T>, assign "
                    "the value that it holds: *owner");
      return false;
    }
  }
}

template <class T>
bool build(core& in, const T& from, built& to, unsigned depth) {
  if constexpr (event_source<T>) {
    key_policy policy = key_policy::error;
    if constexpr (requires { from.repeated_keys(); }) policy = from.repeated_keys();
    inner_events events(in, policy);
    from.write_events(events);
    const outcome o = events.take(in, to.value, to.bytes.data());
    return o == outcome::done || to.fail(o);
  } else {
    return build_kind(in, from, to, depth);
  }
}

} // namespace detail::doc
}} // namespace ingot::INGOT_V1

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/build.hpp>
#endif
