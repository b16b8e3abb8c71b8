// SPDX-License-Identifier: Apache-2.0
// Reads the compact profile's records: limits, versions, hooks, omitted members. See
// compact_reader.hpp.
#pragma once

#include <ingot/pack/detail/compact_default.hpp>
#include <ingot/pack/detail/compact_layout.hpp>
#include <ingot/pack/detail/compact_stream.hpp>
#include <ingot/pack/detail/lists.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The type into which a member of type `M` is decoded if a check needs the value. It is `M`, or an
/// owning type if `M` borrows: for a string_view, a string.
template <class M>
struct owning {
  using type = M;
};
template <class M>
  requires(is_borrowed<M> && kind_of<M> == kind::string)
struct owning<M> {
  using type = std::basic_string<typename M::value_type>;
};
template <class M>
  requires(is_borrowed<M> && kind_of<M> == kind::sequence)
struct owning<M> {
  using type = std::vector<element_t<M>>;
};
template <class... Ts>
  requires(borrows<std::tuple<Ts...>>())
struct owning<std::tuple<Ts...>> {
  using type = std::tuple<typename owning<Ts>::type...>;
};
template <class A, class B>
  requires(borrows<std::pair<A, B>>())
struct owning<std::pair<A, B>> {
  using type = std::pair<typename owning<A>::type, typename owning<B>::type>;
};
template <class V>
  requires(borrows<V>())
struct owning<std::optional<V>> {
  using type = std::optional<typename owning<V>::type>;
};
template <class M>
using owning_t = typename owning<M>::type;

template <class T, std::size_t I, class V>
INGOT_INLINE constexpr bool within_limits(reader& r, const std::byte* from, const V& value) {
  limit_failure failure;
  return check_member<T, I>(value, failure) || r.fail(failure, from);
}

/// Validates a member with limits if the target stores no values. Decodes the member, checks the
/// limits, and discards the value.
template <class T, std::size_t I, encoding How>
constexpr bool compact_check_limited(reader& r, stream& in, unsigned depth) {
  using member = member_type<T, I>;
  const std::byte* const from = in.at;
  if constexpr (borrows<
                    // For a container whose elements are views, only the limit of its size is
                    // checked.
                    owning_t<member>>()) {
    static_assert(
        !member_has<T, I, range_t> && !member_has<T, I, utf8_t>,
        "ingot: range and utf8 reach into containers of numbers and into text, not into containers of views");
    validate_only ignored;
    stream again = in;
    std::uint64_t count = 0;
    if (!compact_read<How, member>(r, in, ignored, depth) || !read_varint(r, again, count)) return false;
    return count <= member_get<T, I, max_size_t>.count ||
           r.fail(errc::too_long, from, "no more elements than the member's max_size");
  } else {
    owning_t<member> value{};
    return compact_read<How, owning_t<member>>(r, in, value, depth) &&
           within_limits<T, I>(r, from, std::as_const(value));
  }
}

template <class Pointers>
inline constexpr bool has_targets = !std::is_same_v<Pointers, validate_only>;

/// Checks the bools and enums of members that one memcpy copies. Returns true if one is invalid.
template <std::size_t I, std::size_t Run, class T>
INGOT_INLINE constexpr bool run_level_bad(const std::byte* from) noexcept {
  end_type previous = 0;
  return [&]<std::size_t... J>(std::index_sequence<J...>) INGOT_INLINE_LAMBDA {
    return (false | ... |
            level_bad<typename parts<T>::template type<I + J>>(
                from + part_offsets<T>[I + J] - part_offsets<T>[I], previous, 0));
  }(std::make_index_sequence<Run>{});
}
template <std::size_t I, std::size_t Run, class T>
INGOT_COLD constexpr bool explain_run(reader& r, const std::byte* from) {
  end_type previous = 0;
  return explain_parts<T>(r, from, previous, 0, part_offsets<T>[I + Run], part_offsets<T>[I]);
}

/// Does the checks that remain after one memcpy has copied several members.
template <std::size_t I, std::size_t Run, class T, class Pointers>
INGOT_INLINE constexpr bool run_within_limits(reader& r, const std::byte* from, const Pointers& pointers) {
  if constexpr (Run == 0) {
    return true;
  } else {
    using part = typename parts<T>::template type<I>;
    if constexpr (has_inner_checks<part>()) {
      end_type none = 0; // a member of fixed size has no tail
      if (!read_slot<part>(r, from, from, none, *pointer_at<I>(pointers), 0)) return name_part<T>(r, I);
    }
    if constexpr (is_limited_part<T, I>()) {
      if (!within_limits<T, I>(r, from, std::as_const(*pointer_at<I>(pointers)))) return name_part<T>(r, I);
    }
    return run_within_limits<I + 1, Run - 1, T>(r, from + part_offsets<T>[I + 1] - part_offsets<T>[I],
                                                pointers);
  }
}

template <encoding S, class T, class Out>
constexpr bool compact_read_elided(reader& r, stream& in, Out& out, unsigned depth);

/// Reads members from `I` on. If `Evolving`, the stream contains only this record and may end
/// between two members.
template <std::size_t I, encoding S, bool Evolving, class T, class Pointers>
INGOT_INLINE constexpr bool compact_read_parts(reader& r, stream& in, const Pointers& pointers,
                                               unsigned depth) {
  if constexpr (I == parts<T>::count) {
    return true;
  } else if constexpr (parts<T>::template skipped<I>) {
    if constexpr (has_targets<Pointers>) assign_default<T, I>(*pointer_at<I>(pointers));
    return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
  } else {
    using part = typename parts<T>::template type<I>;
    constexpr encoding how = part_encoding<T, I, S>;
    if constexpr (Evolving) {
      if (in.at == in.end && min_size<part, how> != 0) {
        if constexpr (has_targets<Pointers>) assign_default<T, I>(*pointer_at<I>(pointers));
        return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
      }
    }
    const std::byte* const from = in.at;
    if constexpr (constexpr std::size_t run = compact_run<T, S, I>();
                  has_targets<Pointers> && !Evolving && run > 1) {
      if !consteval {
        if (are_adjacent<I, run>(pointers)) {
          constexpr std::size_t bytes = part_offsets<T>[I + run] - part_offsets<T>[I];
          if (in.left() < bytes) [[unlikely]]
            return fail_truncated(r, in);
          if (run_level_bad<I, run, T>(in.at)) [[unlikely]]
            return explain_run<I, run, T>(r, in.at);
          std::memcpy(static_cast<void*>(pointer_at<I>(pointers)), in.at, bytes);
          in.at += bytes;
          return run_within_limits<I, run, T>(r, from, pointers) &&
                 compact_read_parts<I + run, S, Evolving, T>(r, in, pointers, depth);
        }
      }
    }
    if constexpr (is_limited_part<T, I>() && !has_targets<Pointers>) {
      if (!compact_check_limited<T, I, how>(r, in, depth)) [[unlikely]]
        return name_part<T>(r, I);
    } else {
      validate_only ignored;
      auto& target = part_target<I, T>(pointers, ignored);
      if (!compact_read_inline<how, part>(r, in, target, depth)) [[unlikely]]
        return name_part<T>(r, I);
      if constexpr (is_limited_part<T, I>()) {
        if (!within_limits<T, I>(r, from, std::as_const(target))) [[unlikely]]
          return name_part<T>(r, I);
      }
    }
    return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
  }
}

/// Checks the version in the first member before anything that depends on the version is read.
template <encoding S, class T>
constexpr bool compact_version_matches(reader& r, stream in, unsigned depth) {
  member_type<T, 0> found{};
  bool present = in.at != in.end;
  if constexpr (elides_defaults<T>) {
    present = present && (*in.at & std::byte{1}) != std::byte{0};
    if (present && in.left() < mask_size<T>) return fail_truncated(r, in);
    if (present) in.at += mask_size<T>;
  } else if constexpr (!is_evolvable<T>) {
    present = true;
  }
  const std::byte* const from = in.at;
  if (present) {
    if (!compact_read<part_encoding<T, 0, S>, member_type<T, 0>>(r, in, found, depth))
      return name_part<T>(r, 0);
  } else {
    assign_default<T, 0>(found);
  }
  if (std::cmp_equal(found, type_get<T, version_t>.number)) return true;
  r.fail(errc::wrong_version, from, "the version that the type names", static_cast<std::uint64_t>(found));
  return name_part<T>(r, 0);
}

/// Reads a record, tuple or entry, and runs its hooks.
template <encoding S, bool Evolving, class T, class Out>
INGOT_INLINE constexpr bool compact_read_record(reader& r, stream& in, Out& out, unsigned depth) {
  constexpr bool is_record = !is_entry<T> && kind_of<T> == kind::record;
  if constexpr (is_record && has_hooks<T> && !keeps<Out>) {
    static_assert(!borrows<T>(),
                  "ingot: valid and after_load look at an object, which can't own what a string_view or "
                  "span in it refers to: give the member an owning type");
    scratch_value<T> storage; // the hooks are called with an object
    T& object = *storage;
    return compact_read_record<S, Evolving, T>(r, in, object, depth);
  } else {
    const std::byte* const from = in.at;
    if constexpr (is_record) {
      if constexpr (has_version_member<T>) {
        if (!compact_version_matches<S, T>(r, in, depth)) [[unlikely]]
          return false;
      }
    }
    bool well = true;
    if constexpr (elides_defaults<T>) well = compact_read_elided<S, T>(r, in, out, depth);
    else if constexpr (keeps<Out>)
      well = compact_read_parts<0, S, Evolving, T>(r, in, part_pointers(out), depth);
    else well = compact_read_parts<0, S, Evolving, T>(r, in, out, depth);
    if (!well) [[unlikely]]
      return false;
    if constexpr (is_record && keeps<Out>) {
      if constexpr (has_hooks<T>) {
        hook_failure failure;
        if (!run_hooks(out, failure)) return fail_hook<T>(r, from, failure);
      }
    }
    return true;
  }
}

/// Returns true if the member at `in` equals its default. Requires that the member is validated.
/// Reads no more bytes than necessary.
template <encoding How, class M>
constexpr bool compact_is_default(reader& r, stream in, const M& standard, unsigned depth) {
  if constexpr (never_left_out<M>()) {
    return false;
  } else if constexpr (is_list<M>) {
    return *in.at == std::byte{0} && standard.size() == 0;
  } else {
    if constexpr (may_be_absent<M>) {
      if (!standard) return *in.at == std::byte{0};
    }
    if constexpr (borrows<owning_t<M>>()) {
      static_assert(!borrows<owning_t<M>>(), "ingot: a record that elides defaults may hold a string_view or "
                                             "span itself, but not inside another "
                                             "record or container");
    }
    owning_t<M> value{};
    const std::uint32_t counted = r.empty_elements;
    const bool well = compact_read<How, owning_t<M>>(r, in, value, depth);
    r.empty_elements = counted;
    return well && is_default_value<M, How>(value, standard);
  }
}

/// Reads the mask, then the members whose bits are set in the mask.
template <encoding S, class T, class Out>
constexpr bool compact_read_elided(reader& r, stream& in, Out& out, unsigned depth) {
  if (in.left() < mask_size<T>) return fail_truncated(r, in);
  const std::byte* const mask = in.at;
  constexpr std::size_t used = elidable_count<T>() % 8;
  if (used != 0 && (mask[mask_size<T> - 1] >> used) != std::byte{0}) {
    return r.fail(errc::bad_padding, mask + mask_size<T> - 1, "zeros after the last member's bit");
  }
  in.at += mask_size<T>;
  const auto read_members = [&](auto&& pointers, const T& standard) {
    const auto standards = part_pointers(standard);
    std::size_t bit = 0;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        if constexpr (!parts<T>::template skipped<J>) {
          using part = typename parts<T>::template type<J>;
          constexpr encoding how = part_encoding<T, J, S>;
          const auto& usual = *pointer_at<J>(standards);
          const bool present = (mask[bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{0};
          ++bit;
          if (!present) {
            return can_be_left_out<part>(usual) ||
                   (r.fail(errc::not_canonical, mask, "a member of a kind that is never left out"),
                    name_part<T>(r, J));
          }
          const stream here = in;
          bool is_default = false;
          if constexpr (keeps<Out>) {
            auto& target = *pointer_at<J>(pointers);
            if (!compact_read<how, part>(r, in, target, depth)) return name_part<T>(r, J);
            if constexpr (is_limited_part<T, J>()) {
              if (!within_limits<T, J>(r, here.at, std::as_const(target))) return name_part<T>(r, J);
            }
            is_default = is_default_value<part, how>(target, usual);
          } else {
            bool well = true;
            if constexpr (is_limited_part<T, J>()) well = compact_check_limited<T, J, how>(r, in, depth);
            else well = compact_read<how, part>(r, in, out, depth);
            if (!well) return name_part<T>(r, J);
            is_default = compact_is_default<how, part>(r, here, usual, depth);
          }
          if (is_default) { // otherwise the record would have two encodings
            r.fail(errc::not_canonical, here.at, "a member that differs from its default");
            return name_part<T>(r, J);
          }
        }
        return true;
      };
      return (one(std::integral_constant<std::size_t, I>{}) && ...);
    }(std::make_index_sequence<parts<T>::count>{});
  };
  return with_standard<T>([&](const T& standard) {
    if constexpr (!keeps<Out>) {
      return read_members(out, standard);
    } else {
      T object = make_standard<T>(); // omitted members take their default
      if (!read_members(part_pointers(object), standard)) return false;
      out = std::move(object);
      return true;
    }
  });
}

}}} // namespace ingot::INGOT_V1::detail
