// SPDX-License-Identifier: Apache-2.0
// Reads packed bytes in place without validation: every access checks what it reads, and returns a
// result.
//
// Use `checked_view` to read a small part of a message, or if the bytes may change during reading.
// Each access checks that its value is inside the bytes and valid (bools, enums, tags). No access
// checks hooks, limits, the order of keys, or bytes that are not read. A view that
// `ingot::view<T>::open` validated is faster from the second field on.
//
//   const auto hero = ingot::checked_view<character>::over(bytes);   // O(1)
//   if (const auto name = hero->get<"name">()) use(*name);           // a few comparisons
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/compact_record.hpp>
#include <ingot/pack/detail/view_access.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/list_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/record_view.hpp>
#include <ingot/pack/tagged_view.hpp>
#include <ingot/pack/view_field.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

template <class T>
class checked_record_view;
template <class T>
class checked_list_view;
template <class T>
class checked_tagged_view;

namespace detail {

/// The path from the message to a view, for errors. Of a long path, keeps only the last names and
/// indices.
class view_path {
public:
  void add(std::string_view name) noexcept { steps_[depth_++ % steps_.size()] = {name, 0}; }
  void add(std::size_t index) noexcept { steps_[depth_++ % steps_.size()] = {{}, index}; }
  [[nodiscard]] error& prepend_to(error& err) const noexcept {
    for (std::size_t i = depth_; i > 0 && i + steps_.size() > depth_; --i) {
      const step& s = steps_[(i - 1) % steps_.size()];
      if (s.name.data() != nullptr) err.in_member(s.name);
      else err.in_element(s.index);
    }
    if (depth_ > steps_.size()) err.in_member("...");
    return err;
  }

private:
  struct step {
    std::string_view name;
    std::size_t index = 0;
  };
  std::array<step, 6> steps_{};
  std::size_t depth_ = 0;
};

/// A range of bytes inside the message. It has positions instead of pointers, so that no pointer
/// outside the message is ever formed.
struct checked_range {
  bytes_view message;
  std::size_t at = 0;    ///< position of a slot or fixed part; always inside the message
  std::size_t tail = 0;  ///< position of the tail
  std::size_t limit = 0; ///< size of the tail; the tail ends inside the message
  std::size_t begin = 0; ///< position of the first payload in the tail; checked before use
  view_path path{};

  [[nodiscard]] const std::byte* bytes() const noexcept { return message.data() + at; }
  [[nodiscard]] std::size_t end_at(std::size_t offset) const noexcept {
    return load_le<end_type>(bytes() + offset);
  }
};
INGOT_COLD inline std::unexpected<error> fail_in(const checked_range& p, error err) noexcept {
  return ingot::fail(p.path.prepend_to(err));
}
INGOT_COLD inline std::unexpected<error> fail_in(const checked_range& p, errc code, std::size_t at,
                                                 std::string_view expected) noexcept {
  return fail_in(p, error{code, at}.with_expected(expected));
}
INGOT_COLD inline std::unexpected<error> fail_in(const checked_range& p, const reader& r) noexcept {
  return fail_in(p, *r.why);
}

template <class T>
consteval auto compute_checked_view() {
  if constexpr (std::is_same_v<T, nothing>) return std::type_identity<nothing>{};
  else if constexpr (kind_of<T> == kind::adapted) return compute_checked_view<adapted_t<T>>();
  else if constexpr (is_byte_text<T>()) return std::type_identity<view_of<T>>{};
  else if constexpr (is_text<T> || is_list<T> || kind_of<T> == kind::array) {
    return std::type_identity<checked_list_view<T>>{};
  } else if constexpr (has_parts<T>) return std::type_identity<checked_record_view<T>>{};
  else if constexpr (is_tagged<T>) return std::type_identity<checked_tagged_view<T>>{};
  else return std::type_identity<T>{};
}

} // namespace detail

/// The type that reads a packed `T` with a check on each access: `checked_record_view`,
/// `checked_list_view` or `checked_tagged_view`, a string_view for text, and the value itself for
/// scalars. Start with `checked_view<T>::over(bytes)`.
template <class T>
using checked_view = typename decltype(detail::compute_checked_view<std::remove_const_t<T>>())::type;

namespace detail {

template <class T>
[[nodiscard]] result<checked_view<T>> checked_field(const checked_range& p);

/// Views the payload of `size` bytes at `p.at`. Requires that the payload is inside the message.
template <class T>
[[nodiscard]] result<checked_view<T>> checked_payload(checked_range p, std::size_t size) {
  if constexpr (kind_of<T> == kind::adapted) {
    return checked_payload<adapted_t<T>>(p, size);
  } else if constexpr (is_byte_text<T>()) {
    using text = view_of<T>;
    return text(reinterpret_cast<const typename text::value_type*>(p.bytes()), size);
  } else if constexpr (is_text<T> || is_list<T>) {
    return view_access::from_payload<checked_list_view<T>>(p, size);
  } else if constexpr (is_evolvable<T>) {
    if (size < end_size) return fail_in(p, errc::truncated, p.at, "the size of a record");
    const std::size_t present = p.end_at(0);
    if (present > size - end_size) return fail_in(p, errc::bad_length, p.at, "a size within the payload");
    p.at += end_size;
    p.tail = p.at + present;
    p.limit = size - end_size - present;
    p.begin = 0;
    return view_access::from_evolved<checked_record_view<T>>(p, present);
  } else if constexpr (is_tagged<T> && !is_fixed<T>) {
    return view_access::from_payload<checked_tagged_view<T>>(p, size);
  } else {
    if (size < fixed_part<T>) return fail_in(p, errc::truncated, p.at + size, "more bytes of the fixed part");
    p.tail = p.at + fixed_part<T>;
    p.limit = size - fixed_part<T>;
    p.begin = 0;
    return checked_field<T>(p);
  }
}

/// Views the field whose slot is at `p.at`.
template <class T>
[[nodiscard]] result<checked_view<T>> checked_field(const checked_range& p) {
  if constexpr (kind_of<T> == kind::adapted) {
    return checked_field<adapted_t<T>>(p);
  } else if constexpr (is_variable_leaf<T>) {
    const std::size_t end = p.end_at(0);
    if (end < p.begin || end > p.limit) return fail_in(p, errc::bad_length, p.at, "an end inside the tail");
    if ((end - p.begin) % payload_unit<T>() != 0) return fail_in(p, errc::bad_length, p.at, "whole elements");
    checked_range inside = p;
    inside.at = p.tail + p.begin;
    return checked_payload<T>(inside, end - p.begin);
  } else if constexpr (kind_of<T> == kind::array) {
    return view_access::from_slot<checked_list_view<T>>(p);
  } else if constexpr (has_parts<T>) {
    return view_access::from_evolved<checked_record_view<T>>(p, fixed_part<T>);
  } else if constexpr (is_tagged<T>) {
    return view_access::from_slot<checked_tagged_view<T>>(p);
  } else {
    reader r{p.message};
    end_type previous = 0;
    if (!explain_level<T>(r, p.bytes(), previous, 0)) return fail_in(p, r);
    T value{};
    read_slot<T>(r, p.bytes(), p.bytes(), previous, value, 0);
    return value;
  }
}

template <class T>
[[nodiscard]] result<checked_view<T>> checked_message(bytes_view bytes) {
  if (bytes.size() > std::numeric_limits<end_type>::max()) {
    return ingot::fail(
        error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(bytes.size()));
  }
  if (bytes.size() % payload_unit<T>() != 0) {
    return ingot::fail(error{errc::bad_length}.with_expected("whole elements").with_found(bytes.size()));
  }
  return checked_payload<T>({bytes, 0, 0, 0, 0, {}}, bytes.size());
}

} // namespace detail

/// A record or tuple in bytes that were not validated. Each `get` returns a result, takes a few
/// comparisons, and is O(1).
template <class T>
class checked_record_view {
public:
  using value_type = T;
  /// The type of the `I`-th member, or of the `I`-th element of a tuple.
  template <std::size_t I>
  using member = typename detail::parts<T>::template type<I>;

  /// Views `bytes`, a message of type `T`. Checks only the size of the message. O(1). Errors:
  /// `too_large`, `truncated`, `bad_length`.
  [[nodiscard]] static result<checked_record_view> over(bytes_view bytes) {
    return detail::checked_message<T>(bytes);
  }
  template <byte_range R>
  [[nodiscard]] static result<checked_record_view> over(const R& bytes) {
    return over(as_bytes_view(bytes));
  }

  /// Returns the `I`-th member, or the `I`-th element of a tuple. Errors: those that invalid bytes
  /// of the member cause.
  template <std::size_t I>
  [[nodiscard]] auto get() const -> result<checked_view<member<I>>> {
    static_assert(!detail::parts<T>::template skipped<I>,
                  "ingot: a member annotated ingot::skip is never stored");
    detail::checked_range p = range_;
    if constexpr (detail::is_evolvable<T>) {
      if (detail::part_offsets<T>[I + 1] > present_) {
        if (detail::part_offsets<T>[I] < present_) {
          return detail::fail_in(p, errc::bad_length, p.at, "a fixed part that ends between two members");
        }
        using part = typename detail::parts<T>::template type<I>;
        return detail::catch_bad_alloc([&]() -> result<checked_view<part>> {
          const result<buffer>& standard = detail::packed_default<T>();
          if (!standard) return detail::fail_in(p, error{standard.error()}.with_offset(p.at));
          return over(*standard)->template get<I>();
        });
      }
    }
    constexpr std::size_t before = detail::last_leaf_before<T, I>;
    if constexpr (before != detail::no_leaf) p.begin = p.end_at(before);
    p.at += detail::part_offsets<T>[I];
    if constexpr (kind_of<T> == kind::record) p.path.add(detail::public_name_table<T>[I]);
    else p.path.add(I);
    return detail::checked_field<member<I>>(p);
  }
  /// Returns the member with the name `Name`.
  template <fixed_string Name>
  [[nodiscard]] auto get() const {
    constexpr std::size_t index = member_index<T>(Name.view());
    static_assert(!detail::names_two_members<T>(Name.view()),
                  "ingot: two members have this name: use the index, or a pointer to the member");
    if constexpr (index < member_count<T>) return get<index>();
    else return detail::no_such_member<T, Name>();
  }
  /// Returns the member that `Pointer` points to.
  template <auto Pointer>
    requires std::is_member_object_pointer_v<decltype(Pointer)>
  [[nodiscard]] auto get() const {
    constexpr std::size_t index = detail::index_of_pointer<T, Pointer>();
    static_assert(index < member_count<T>, "ingot: the pointer is to no member that ingot stores");
    return get<index>();
  }
  /// Deleted: the name or index of a member is a template argument.
  template <class Name>
  void get(const Name&) const = delete; // ingot: write get<"name">(), or get<0>() for an index

private:
  friend struct detail::view_access;

  static checked_record_view from_evolved(const detail::checked_range& p, std::size_t present) noexcept {
    return {p, present};
  }

  checked_record_view(const detail::checked_range& p, std::size_t present) noexcept
      : range_(p), present_(present) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

  detail::checked_range range_;
  std::size_t present_; ///< size of the fixed part in bytes
  static const detail::view_description<checked_record_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<checked_record_view<T>>
    checked_record_view<T>::ingot_described = detail::describe_view<checked_record_view<T>, T>();
#endif

/// An optional, variant, expected or unique_ptr in bytes that were not validated. Creation checks
/// the tag.
template <class T>
class checked_tagged_view {
  using list = decltype(detail::tagged_alternatives<T>());

public:
  using value_type = T;
  /// The type of the `I`-th alternative.
  template <std::size_t I>
  using alternative = typename detail::alternative_at<I, list>::type;

  /// Views `bytes`, a message of type `T`. Checks the size and the tag. O(1).
  [[nodiscard]] static result<checked_tagged_view> over(bytes_view bytes) {
    return detail::checked_message<T>(bytes);
  }

  [[nodiscard]] std::size_t index() const noexcept { return tag_; }
  [[nodiscard]] bool has_value() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::may_be_absent<T> ? tag_ != 0 : tag_ == 0;
  }
  /// Returns the `I`-th alternative. Errors: `bad_variant` if another alternative is stored, and
  /// those of the alternative's bytes.
  template <std::size_t I>
  [[nodiscard]] auto get() const -> result<checked_view<alternative<I>>> {
    if (tag_ != I) return detail::fail_in(range_, errc::bad_variant, range_.at, "the requested alternative");
    using held = alternative<I>;
    if constexpr (std::is_same_v<held, detail::nothing>) return held{};
    else if constexpr (detail::is_fixed<T>) return detail::checked_field<held>(range_);
    else return detail::checked_payload<held>(range_, size_);
  }
  /// Returns the value of an optional, unique_ptr or expected. Errors: `bad_variant` if there is no
  /// value, and those of the value's bytes.
  [[nodiscard]] auto value() const
    requires(kind_of<T> != kind::variant)
  {
    return get<detail::may_be_absent<T> ? 1 : 0>();
  }

private:
  friend struct detail::view_access;

  [[nodiscard]] static result<checked_tagged_view> from_slot(const detail::checked_range& p) {
    return tagged(p, detail::slot_size<T>);
  }
  /// Views the payload of `size` bytes at `p.at`. Requires that the payload is inside the message.
  /// Checks the tag.
  [[nodiscard]] static result<checked_tagged_view> from_payload(const detail::checked_range& p,
                                                                std::size_t size) {
    if (size != 0) return tagged(p, size);
    if constexpr (detail::may_be_absent<T>) return checked_tagged_view{p, 0, 0};
    else return detail::fail_in(p, errc::truncated, p.at, "the tag of an alternative");
  }

  checked_tagged_view(const detail::checked_range& p, std::size_t size, std::size_t tag) noexcept
      : range_(p), size_(size), tag_(tag) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }
  [[nodiscard]] static result<checked_tagged_view> tagged(detail::checked_range p, std::size_t size) {
    const auto tag = std::to_integer<std::size_t>(*p.bytes());
    if (tag >= list::size) return detail::fail_in(p, errc::bad_variant, p.at, "the tag of an alternative");
    ++p.at;
    return checked_tagged_view{p, size - 1, tag};
  }

  detail::checked_range range_; ///< the bytes after the tag
  std::size_t size_;
  std::size_t tag_;
  static const detail::view_description<checked_tagged_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T>
INGOT_RETAINED constinit const detail::view_description<checked_tagged_view<T>>
    checked_tagged_view<T>::ingot_described = detail::describe_view<checked_tagged_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1

// Included at the end, because views of lists and of records need each other.
#include <ingot/pack/checked_list_view.hpp> // NOLINT(misc-header-include-cycle)
#include <ingot/reflect/detail/named_member.hpp>
