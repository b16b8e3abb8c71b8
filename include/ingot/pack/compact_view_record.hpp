// SPDX-License-Identifier: Apache-2.0
// A class or tuple in an indexed compact message, read field by field. For packed messages see
// record_view.hpp.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/pack/compact_view_field.hpp>
#include <ingot/pack/detail/compact_index_walk.hpp>
#include <ingot/pack/detail/view_description.hpp>
#include <ingot/pack/record_view.hpp>
#include <ingot/reflect/detail/named_member.hpp>

#include <cstddef>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 { namespace compact {

/// A record or tuple of type `T`. It holds two pointers and two positions, and is cheap to copy.
/// Reading a field is O(1). Some members may not be in the bytes, because they equal their default
/// or because the writer did not know them. For such a member, `get` returns the default.
template <class T, detail::encoding S>
class record_view {
public:
  using value_type = T;

  /// Returns the `I`-th member, or the `I`-th element of a tuple.
  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE auto get() const noexcept {
    static_assert(I < detail::parts<T>::count, "ingot: the type has no member of this index");
    static_assert(!detail::parts<T>::template skipped<I>,
                  "ingot: a member annotated ingot::skip is never stored");
    return detail::compact_view_at<typename detail::parts<T>::template type<I>,
                                   detail::part_encoding<T, I, S>>(part<I>());
  }
  /// Returns the member with the name `Name`.
  template <fixed_string Name>
  [[nodiscard]] INGOT_INLINE auto get() const noexcept {
    constexpr std::size_t index = member_index<T>(Name.view());
    static_assert(!detail::names_two_members<T>(Name.view()),
                  "ingot: two members have this name: use the index, or a pointer to the member");
    if constexpr (index < member_count<T>) return get<index>();
    else return detail::no_such_member<T, Name>();
  }
  /// Returns the member that `Pointer` points to: `get<&person::age>()`.
  template <auto Pointer>
    requires std::is_member_object_pointer_v<decltype(Pointer)>
  [[nodiscard]] INGOT_INLINE auto get() const noexcept {
    constexpr std::size_t index = detail::index_of_pointer<T, Pointer>();
    static_assert(index < member_count<T>, "ingot: the pointer is to no member that ingot stores");
    return get<index>();
  }
  /// Deleted: the name or index of a member is a template argument.
  template <class Name>
  void get(const Name&) const = delete; // ingot: write get<"name">(), or get<0>() for an index

  /// Decodes the whole record into an object. Errors: `no_memory`.
  [[nodiscard]] result<T> unpack() const { return detail::unpack_at<T, S>(ref_); }

protected:
  explicit record_view(const detail::indexed_ref& f) noexcept : ref_(f) {
    // Taking the address instantiates the description.
    if constexpr (detail::describes_views) static_cast<void>(&ingot_described);
  }

private:
  friend struct detail::view_access;

  static record_view from_slot(const detail::indexed_ref& f) noexcept { return record_view{f}; }
  template <std::size_t I>
  [[nodiscard]] INGOT_INLINE detail::indexed_ref part() const noexcept {
    if constexpr (detail::is_evolvable<T>) {
      const std::size_t noted = ref_.slot_at(0);
      if (ref_.in.slots[noted] <= I)
        return detail::absent_member<T, I, detail::part_encoding<T, I, S>>().ref();
      const std::byte* body = ref_.bytes();
      detail::take_varint(body);
      return detail::part_at<T, S, I>({ref_.in, static_cast<detail::slot_type>(body - ref_.in.base),
                                       static_cast<detail::slot_type>(noted + 1)});
    } else if constexpr (detail::elides_defaults<T>) {
      constexpr std::size_t bit = bits_before<I>();
      const std::byte* const mask = ref_.bytes();
      if ((mask[bit / 8] >> (bit % 8) & std::byte{1}) == std::byte{0}) {
        return detail::absent_member<T, I, detail::part_encoding<T, I, S>>().ref();
      }
      const std::size_t entry = ref_.slot_at(0) + 2 * detail::set_bits(mask, bit);
      return {ref_.in, ref_.in.slots[entry], ref_.in.slots[entry + 1]};
    } else {
      return detail::part_at<T, S, I>(ref_);
    }
  }
  template <std::size_t I>
  static consteval std::size_t bits_before() {
    return []<std::size_t... J>(std::index_sequence<J...>) {
      return (std::size_t{0} + ... + (detail::parts<T>::template skipped<J> ? 0 : 1));
    }(std::make_index_sequence<I>{});
  }

  detail::indexed_ref ref_;
  static const detail::view_description<record_view> ingot_described;
};

#if INGOT_DESCRIBES_VIEWS
/// Describes the view for debuggers.
template <class T, detail::encoding S>
INGOT_RETAINED constinit const detail::view_description<record_view<T, S>>
    record_view<T, S>::ingot_described = detail::describe_view<record_view<T, S>, T>(std::to_underlying(S));
#endif

}}} // namespace ingot::INGOT_V1::compact
