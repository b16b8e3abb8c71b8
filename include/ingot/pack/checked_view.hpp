// SPDX-License-Identifier: Apache-2.0
// Reads packed bytes in place without checking them first: every access compares what it needs, and returns a result.
//
// Use it for messages of which little is read, or whose bytes may change meanwhile. Whatever is read is checked to be
// inside the bytes and valid (bools, enums, tags). Hooks, limits, the order of keys and everything that is not read
// are not checked. A view that was checked by `ingot::view<T>::open` is faster from the second field on.
//
//   const auto hero = ingot::checked_view<character>::over(bytes);   // O(1)
//   if (const auto name = hero->get<"name">()) use(*name);           // a few comparisons
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/never_destroyed.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/compact_default.hpp>
#include <ingot/pack/detail/compact_record.hpp>
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

/// The way from the message to a view, for the path of an error. Of long ways the last steps.
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

/// A run of bytes inside the message: positions, not pointers, so that nothing outside is ever formed.
struct checked_range {
  bytes_view message;
  std::size_t at = 0;    ///< of a slot or fixed part, which lies in the message
  std::size_t tail = 0;  ///< where the tail begins
  std::size_t limit = 0; ///< its size; it lies in the message, too
  std::size_t begin = 0; ///< where in the tail the first payload begins; compared before it is used
  view_path way{};

  [[nodiscard]] const std::byte* bytes() const noexcept { return message.data() + at; }
  [[nodiscard]] std::size_t end_at(std::size_t offset) const noexcept {
    return load_le<end_type>(bytes() + offset);
  }
};
INGOT_COLD inline std::unexpected<error> refuse(const checked_range& p, errc code, std::size_t at,
                                                std::string_view expected) noexcept {
  error err = error{code, at}.with_expected(expected);
  return ingot::fail(p.way.prepend_to(err));
}
INGOT_COLD inline std::unexpected<error> refuse(const checked_range& p, const reader& r) noexcept {
  error err = *r.why;
  return ingot::fail(p.way.prepend_to(err));
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

/// How a packed `T` is read if each access is checked: by `checked_record_view`, `checked_list_view` or
/// `checked_tagged_view`, with text as a string_view and scalars as values. Begin with `checked_view<T>::over(bytes)`.
template <class T>
using checked_view = typename decltype(detail::compute_checked_view<std::remove_const_t<T>>())::type;

namespace detail {

template <class T>
[[nodiscard]] result<checked_view<T>> checked_field(const checked_range& p);

/// What stands between two offsets of the message; `p.at` and `size` have been compared with its end.
template <class T>
[[nodiscard]] result<checked_view<T>> checked_payload(checked_range p, std::size_t size) {
  if constexpr (kind_of<T> == kind::adapted) {
    return checked_payload<adapted_t<T>>(p, size);
  } else if constexpr (is_byte_text<T>()) {
    using text = view_of<T>;
    return text(reinterpret_cast<const typename text::value_type*>(p.bytes()), size);
  } else if constexpr (is_text<T> || is_list<T>) {
    return checked_list_view<T>::from_payload(p, size);
  } else if constexpr (is_evolvable<T>) {
    if (size < end_size) return refuse(p, errc::truncated, p.at, "the size of a record");
    const std::size_t present = p.end_at(0);
    if (present > size - end_size) return refuse(p, errc::bad_length, p.at, "a size within the payload");
    p.at += end_size;
    p.tail = p.at + present;
    p.limit = size - end_size - present;
    p.begin = 0;
    return checked_record_view<T>::from(p, present);
  } else if constexpr (is_tagged<T> && !is_fixed<T>) {
    return checked_tagged_view<T>::from_payload(p, size);
  } else {
    if (size < fixed_part<T>) return refuse(p, errc::truncated, p.at + size, "more bytes of the fixed part");
    p.tail = p.at + fixed_part<T>;
    p.limit = size - fixed_part<T>;
    p.begin = 0;
    return checked_field<T>(p);
  }
}

/// The field whose slot is at `p.at`.
template <class T>
[[nodiscard]] result<checked_view<T>> checked_field(const checked_range& p) {
  if constexpr (kind_of<T> == kind::adapted) {
    return checked_field<adapted_t<T>>(p);
  } else if constexpr (is_variable_leaf<T>) {
    const std::size_t end = p.end_at(0);
    if (end < p.begin || end > p.limit) return refuse(p, errc::bad_length, p.at, "an end inside the tail");
    if ((end - p.begin) % payload_unit<T>() != 0) return refuse(p, errc::bad_length, p.at, "whole elements");
    checked_range inside = p;
    inside.at = p.tail + p.begin;
    return checked_payload<T>(inside, end - p.begin);
  } else if constexpr (kind_of<T> == kind::array) {
    return checked_list_view<T>::from_slot(p);
  } else if constexpr (has_parts<T>) {
    return checked_record_view<T>::from(p, fixed_part<T>);
  } else if constexpr (is_tagged<T>) {
    return checked_tagged_view<T>::from_slot(p);
  } else {
    reader r{p.message};
    end_type previous = 0;
    if (!explain_level<T>(r, p.bytes(), previous, 0)) return refuse(p, r);
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

/// A record (or tuple) in bytes that nobody has checked. Each `get` is O(1), takes a few comparisons, and returns a
/// result.
template <class T>
class checked_record_view {
public:
  using value_type = T;

  /// Only looks at the size of `bytes`, which may hold anything. O(1).
  [[nodiscard]] static result<checked_record_view> over(bytes_view bytes) {
    return detail::checked_message<T>(bytes);
  }
  template <byte_range R>
  [[nodiscard]] static result<checked_record_view> over(const R& bytes) {
    return over(as_bytes_view(bytes));
  }

  /// The `I`-th member (element of a tuple).
  template <std::size_t I>
  [[nodiscard]] auto get() const -> result<checked_view<typename detail::parts<T>::template type<I>>> {
    static_assert(!detail::parts<T>::template skipped<I>,
                  "ingot: a member annotated ingot::skip is never stored");
    detail::checked_range p = place_;
    if constexpr (detail::is_evolvable<T>) {
      if (detail::part_offsets<T>[I + 1] > present_) {
        if (detail::part_offsets<T>[I] < present_) {
          return detail::refuse(p, errc::bad_length, p.at, "a fixed part that ends between two members");
        }
        static const detail::never_destroyed<buffer> defaults(
            [] { return pack(detail::standard_object<T>()).value_or(buffer{}); });
        if (auto standard = over(*defaults); standard) return standard->template get<I>();
        return detail::refuse(p, errc::no_memory, p.at, "memory for the defaults");
      }
    }
    constexpr std::size_t before = detail::last_leaf_before<T, I>;
    if constexpr (before != detail::no_leaf) p.begin = p.end_at(before);
    p.at += detail::part_offsets<T>[I];
    if constexpr (kind_of<T> == kind::record) p.way.add(detail::public_name_table<T>[I]);
    else p.way.add(I);
    return detail::checked_field<typename detail::parts<T>::template type<I>>(p);
  }
  /// The member called `Name`.
  template <fixed_string Name>
  [[nodiscard]] auto get() const {
    constexpr std::size_t index = member_index<T>(Name.view());
    static_assert(index < member_count<T>, "ingot: the type has no member of this name");
    static_assert(!detail::names_two_members<T>(Name.view()),
                  "ingot: two members have this name: use the index, or a pointer to the member");
    return get<index>();
  }
  /// The member that `Pointer` points to.
  template <auto Pointer>
    requires std::is_member_object_pointer_v<decltype(Pointer)>
  [[nodiscard]] auto get() const {
    constexpr std::size_t index = detail::index_of_pointer<T, Pointer>();
    static_assert(index < member_count<T>, "ingot: the pointer is to no member that ingot stores");
    return get<index>();
  }

  /// \cond
  static checked_record_view from(const detail::checked_range& p, std::size_t present) noexcept {
    return {p, present};
  }
  /// \endcond

private:
  checked_record_view(const detail::checked_range& p, std::size_t present) noexcept
      : place_(p), present_(present) {
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described); // so that it is instantiated
  }

  detail::checked_range place_;
  std::size_t present_; ///< bytes of fixed part
  static const detail::view_description<checked_record_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
template <class T>
INGOT_KEPT constinit const detail::view_description<checked_record_view<T>>
    checked_record_view<T>::ingot_described = detail::describe_view<checked_record_view<T>, T>();
#endif

/// An optional, variant, expected or unique_ptr in bytes that nobody has checked. Its tag was checked when this was
/// made.
template <class T>
class checked_tagged_view {
  using list = decltype(detail::tagged_alternatives<T>());

public:
  using value_type = T;

  [[nodiscard]] static result<checked_tagged_view> over(bytes_view bytes) {
    return detail::checked_message<T>(bytes);
  }

  [[nodiscard]] std::size_t index() const noexcept { return tag_; }
  [[nodiscard]] bool has_value() const noexcept
    requires(kind_of<T> != kind::variant)
  {
    return detail::may_be_absent<T> ? tag_ != 0 : tag_ == 0;
  }
  /// The `I`-th alternative; an error if another one is there.
  template <std::size_t I>
  [[nodiscard]] auto get() const -> result<checked_view<typename detail::alternative_at<I, list>::type>> {
    if (tag_ != I)
      return detail::refuse(place_, errc::bad_variant, place_.at, "the alternative that is asked for");
    using held = typename detail::alternative_at<I, list>::type;
    if constexpr (std::is_same_v<held, detail::nothing>) return held{};
    else if constexpr (detail::is_fixed<T>) return detail::checked_field<held>(place_);
    else return detail::checked_payload<held>(place_, size_);
  }
  /// The value of an optional, unique_ptr or expected; an error if there is none.
  [[nodiscard]] auto value() const
    requires(kind_of<T> != kind::variant)
  {
    return get<detail::may_be_absent<T> ? 1 : 0>();
  }

  /// \cond
  [[nodiscard]] static result<checked_tagged_view> from_slot(const detail::checked_range& p) {
    return tagged(p, detail::slot_size<T>);
  }
  [[nodiscard]] static result<checked_tagged_view> from_payload(const detail::checked_range& p,
                                                                std::size_t size) {
    if (size != 0) return tagged(p, size);
    if constexpr (detail::may_be_absent<T>) return checked_tagged_view{p, 0, 0};
    else return detail::refuse(p, errc::truncated, p.at, "the tag of an alternative");
  }
  /// \endcond

private:
  checked_tagged_view(const detail::checked_range& p, std::size_t size, std::size_t tag) noexcept
      : place_(p), size_(size), tag_(tag) {
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described); // so that it is instantiated
  }
  [[nodiscard]] static result<checked_tagged_view> tagged(detail::checked_range p, std::size_t size) {
    const auto tag = std::to_integer<std::size_t>(*p.bytes());
    if (tag >= list::size) return detail::refuse(p, errc::bad_variant, p.at, "the tag of an alternative");
    ++p.at;
    return checked_tagged_view{p, size - 1, tag};
  }

  detail::checked_range place_; ///< behind the tag
  std::size_t size_;
  std::size_t tag_;
  static const detail::view_description<checked_tagged_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
template <class T>
INGOT_KEPT constinit const detail::view_description<checked_tagged_view<T>>
    checked_tagged_view<T>::ingot_described = detail::describe_view<checked_tagged_view<T>, T>();
#endif

}} // namespace ingot::INGOT_V1

#include <ingot/pack/checked_list_view.hpp> // NOLINT(misc-header-include-cycle): views of lists and of records need each other
