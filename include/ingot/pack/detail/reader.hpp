// SPDX-License-Identifier: Apache-2.0
// Reads packed bytes: one walk that decodes, or only validates if the target is `validate_only`.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/detail/keys.hpp>
#include <ingot/pack/detail/level.hpp>
#include <ingot/pack/detail/read_text.hpp>
#include <ingot/pack/layout.hpp>
#include <ingot/reflect/detail/temporary.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The target of a read that stores nothing.
struct validate_only {};

template <class Out>
inline constexpr bool keeps = !std::is_same_v<Out, validate_only>;

template <class T, class Out>
constexpr bool read_payload(reader& r, const std::byte* from, std::size_t size, Out& out, unsigned depth);
template <class T, class Out>
constexpr bool read_whole(reader& r, const std::byte* from, std::size_t size, Out& out, unsigned depth);
template <class T, class Out>
INGOT_INLINE constexpr bool read_payload_inline(reader& r, const std::byte* from, std::size_t size, Out& out,
                                                unsigned depth);
template <class T, class Out>
INGOT_INLINE constexpr bool read_slot(reader& r, const std::byte* at, const std::byte* tail,
                                      end_type& previous, Out& out, unsigned depth);

// --- checks of annotations and hooks -------------------------------------------------------------

template <class T>
INGOT_COLD constexpr bool fail_hook(reader& r, const std::byte* at, const hook_failure& failure) {
  if (failure.has_error) {
    r.why = failure.why;
    r.why->with_offset(r.offset_of(at));
    return false;
  }
  return r.fail(errc::invalid_value, at, failure.what);
}

/// Takes the place of a container if a check needs only the size.
struct only_a_size {
  std::size_t count;
  [[nodiscard]] constexpr std::size_t size() const noexcept { return count; }
};

/// Returns the number of elements of a list whose payload was validated.
template <class List>
constexpr std::size_t list_size(const std::byte* from, std::size_t size) noexcept {
  using element = list_element_t<List>;
  if constexpr (is_fixed<element> && slot_size<element> != 0) return size / slot_size<element>;
  else return load_le<end_type>(from);
}

template <class T, std::size_t I, class Out>
constexpr bool member_within_limits(reader& r, const std::byte* at, const std::byte* tail, end_type before,
                                    const Out& out, unsigned depth) {
  using member = member_type<T, I>;
  limit_failure failure;
  bool passes = true;
  if constexpr (keeps<Out>) {
    passes = check_member<T, I>(out, failure);
  } else if constexpr (is_text<member> && kind_of<member> != kind::path) { // checked in place
    using unit = element_t<member>;
    const end_type size = load_le<end_type>(at) - before;
    if constexpr (sizeof(unit) == 1) {
      const std::string_view text(reinterpret_cast<const char*>(tail + before), size);
      passes = check_member<T, I>(text, failure);
    } else {
      passes = check_member<T, I>(only_a_size{size / sizeof(unit)}, failure);
    }
  } else if constexpr (is_list<member> && !member_has<T, I, range_t> && !member_has<T, I, utf8_t>) {
    passes = check_member<T, I>(only_a_size{list_size<member>(tail + before, load_le<end_type>(at) - before)},
                                failure);
  } else {
    scratch_value<member> storage;
    member& value = *storage;
    end_type previous = before;
    const std::uint32_t counted = std::exchange(r.empty_elements, 0u);
    if (!read_slot<member>(r, at, tail, previous, value, depth)) return false;
    r.empty_elements = counted; // restores the count: this value was counted when it was first read
    passes = check_member<T, I>(std::as_const(value), failure);
  }
  return passes || r.fail(failure, at);
}

/// Assigns to a member the value that it has if the input lacks the member.
template <class T, std::size_t I, class M>
constexpr void assign_default(M& member) {
  if constexpr (member_has<T, I, default_value_t>) {
    constexpr auto annotated = member_get<T, I, default_value_t>;
    if constexpr (requires { M(annotated.value.view()); }) member = M(annotated.value.view());
    else if constexpr (requires { annotated.value.view(); }) member = annotated.value.view();
    else member = static_cast<M>(annotated.value);
  } else if constexpr (std::is_default_constructible_v<T>) {
    scratch_value<T> fresh;
    auto& source = *pointer_at<I>(part_pointers(*fresh));
    if constexpr (std::is_array_v<M>) std::swap(member, source);
    else if constexpr (std::is_move_assignable_v<M>) member = std::move(source);
  }
}

// --- records -------------------------------------------------------------------------------------

template <std::size_t I, class T, class Pointers>
INGOT_INLINE constexpr auto& part_target(const Pointers& pointers, validate_only& ignored) {
  if constexpr (std::is_same_v<Pointers, validate_only>) return ignored;
  else return *pointer_at<I>(pointers);
}

/// Reads the members from `I` on. Members with slots after `present` bytes get their defaults.
template <std::size_t I, bool Partial, class T, class Pointers>
INGOT_INLINE constexpr bool read_parts(reader& r, const std::byte* at, const std::byte* tail,
                                       end_type& previous, const Pointers& pointers, std::size_t present,
                                       unsigned depth) {
  if constexpr (I == parts<T>::count) {
    return true;
  } else {
    using part = typename parts<T>::template type<I>;
    constexpr bool keep = !std::is_same_v<Pointers, validate_only>;
    validate_only ignored;
    if constexpr (parts<T>::template skipped<I>) {
      if constexpr (keep) assign_default<T, I>(*pointer_at<I>(pointers));
      return read_parts<I + 1, Partial, T>(r, at, tail, previous, pointers, present, depth);
    } else {
      if constexpr (Partial) {
        if (part_offsets<T>[I + 1] > present) {
          if constexpr (keep) assign_default<T, I>(*pointer_at<I>(pointers));
          return read_parts<I + 1, Partial, T>(r, at, tail, previous, pointers, present, depth);
        }
      }
      const end_type before = previous;
      if constexpr (constexpr std::size_t run = run_lengths<T>[I]; keep && !Partial && run > 1) {
        if !consteval {
          if (are_adjacent<I, run>(pointers)) {
            // the level check has accepted the bools and enums, so the bytes are valid values
            std::memcpy(static_cast<void*>(pointer_at<I>(pointers)), at + part_offsets<T>[I],
                        part_offsets<T>[I + run] - part_offsets<T>[I]);
            return check_run<I, run, T>(r, at, tail, before, pointers, depth) &&
                   read_parts<I + run, Partial, T>(r, at, tail, previous, pointers, present, depth);
          }
        }
      }
      auto& target = part_target<I, T>(pointers, ignored);
      if (!read_slot<part>(r, at + part_offsets<T>[I], tail, previous, target, depth)) [[unlikely]] {
        return name_part<T>(r, I);
      }
      if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
        if constexpr (member_is_limited<T, I>) {
          if (!member_within_limits<T, I>(r, at + part_offsets<T>[I], tail, before, std::as_const(target),
                                          depth)) {
            return name_part<T>(r, I);
          }
        }
      }
      return read_parts<I + 1, Partial, T>(r, at, tail, previous, pointers, present, depth);
    }
  }
}

/// Returns true if reading a fixed `T` does more than the level check: hooks, limits, a version.
template <class T>
consteval bool has_inner_checks() {
  if constexpr (kind_of<T> == kind::array) {
    return has_inner_checks<element_t<T>>();
  } else if constexpr (kind_of<T> == kind::record) {
    if constexpr (has_hooks<T> || has_version_member<T>) return true;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((!parts<T>::template skipped<I> &&
                 (member_is_limited<T, I> || has_inner_checks<typename parts<T>::template type<I>>())) ||
                ...);
      }(std::make_index_sequence<parts<T>::count>{});
    }
  } else {
    return false;
  }
}

/// Does the checks that remain after one memcpy has copied several members.
template <std::size_t I, std::size_t Run, class T, class Pointers>
INGOT_INLINE constexpr bool check_run(reader& r, const std::byte* at, const std::byte* tail, end_type before,
                                      const Pointers& pointers, unsigned depth) {
  if constexpr (Run == 0) {
    return true;
  } else {
    using part = typename parts<T>::template type<I>;
    if constexpr (has_inner_checks<part>()) {
      end_type previous = before; // members of fixed size don't change `previous`
      if (!read_slot<part>(r, at + part_offsets<T>[I], tail, previous, *pointer_at<I>(pointers), depth))
        return name_part<T>(r, I);
    }
    if constexpr (is_limited_part<T, I>()) {
      if (!member_within_limits<T, I>(r, at + part_offsets<T>[I], tail, before,
                                      std::as_const(*pointer_at<I>(pointers)), depth)) {
        return name_part<T>(r, I);
      }
    }
    if constexpr (Run == 1) return true;
    else return check_run<I + 1, Run - 1, T>(r, at, tail, before, pointers, depth);
  }
}

/// Checks that the first member has the version that the type names.
template <class T>
INGOT_INLINE constexpr bool version_matches(reader& r, const std::byte* at, std::size_t present) {
  if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
    if constexpr (has_version_member<T>) {
      if (present < part_offsets<T>[1]) {
        r.fail(errc::wrong_version, at, "the version that the type names");
        return name_part<T>(r, 0);
      }
      const auto found = load_le<member_type<T, 0>>(at);
      if (!std::cmp_equal(found, type_get<T, version_t>.number)) {
        r.fail(errc::wrong_version, at, "the version that the type names", static_cast<std::uint64_t>(found));
        return name_part<T>(r, 0);
      }
    }
  }
  return true;
}

/// Reads a record, tuple or entry whose fixed part the level check (level.hpp) has accepted.
template <bool Partial, class T, class Out>
INGOT_INLINE constexpr bool read_parts_of(reader& r, const std::byte* at, const std::byte* tail,
                                          end_type& previous, Out& out, std::size_t present, unsigned depth) {
  if (!version_matches<T>(r, at, present)) [[unlikely]]
    return false;
  if constexpr (keeps<Out>) {
    if (!read_parts<0, Partial, T>(r, at, tail, previous, part_pointers(out), present, depth)) return false;
    if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
      if constexpr (has_hooks<T>) {
        hook_failure failure;
        if (!run_hooks(out, failure)) return fail_hook<T>(r, at, failure);
      }
    }
    return true;
  } else {
    if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
      if constexpr (has_hooks<T>) { // hooks of the type need an object
        scratch_value<T> object;
        return read_parts_of<Partial, T>(r, at, tail, previous, *object, present, depth);
      }
    }
    return read_parts<0, Partial, T>(r, at, tail, previous, out, present, depth);
  }
}

/// Creates the defaults that a view returns for absent members. Defined with the view.
template <class T>
bool prepare_defaults(reader& r, const std::byte* at);

/// Returns true if `present` bytes of an evolvable record's fixed part end between two members.
template <class T>
[[nodiscard]] constexpr bool ends_between_members(std::size_t present) noexcept {
  bool at_boundary = false;
  for (const std::size_t offset : part_offsets<T>) at_boundary |= offset == present;
  return at_boundary;
}

/// Reads an evolvable record with `present` bytes of fixed part. Its writer may be older or newer.
template <class T, class Out>
INGOT_NOINLINE constexpr bool read_evolved(reader& r, const std::byte* at, std::size_t present,
                                           const std::byte* tail, std::size_t tail_size, Out& out,
                                           unsigned depth) {
  const auto limit = static_cast<end_type>(tail_size);
  end_type previous = 0;
  if (present >= fixed_part<T>) {
    if (level_bad_parts<T>(at, previous, limit)) [[unlikely]] {
      previous = 0;
      return explain_parts<T>(r, at, previous, limit, present);
    }
    previous = 0;
    if (!read_parts_of<false, T>(r, at, tail, previous, out, present, depth)) return false;
  } else {
    if (!ends_between_members<T>(present))
      return r.fail(errc::bad_length, at, "a fixed part that ends between two members", present);
    if (!explain_parts<T>(r, at, previous, limit, present)) return false;
    if constexpr (!keeps<Out>) { // for views, which return defaults for missing members
      if (!prepare_defaults<T>(r, at)) return false;
    }
    previous = 0;
    if (!read_parts_of<true, T>(r, at, tail, previous, out, present, depth)) return false;
  }
  if (present <= fixed_part<T> && previous != limit) {
    return r.fail(errc::bad_length, tail + previous, "the last field to end where the record does",
                  limit - previous);
  }
  return true;
}

// --- tagged values -------------------------------------------------------------------------------

/// Calls `fill` to read the alternative `Index` of `out`. If `out` holds another alternative, first
/// creates the alternative `Index`, by its default constructor or from its stored form.
template <std::size_t Index, class T, class Alternative, class Fill>
constexpr bool hold(T& out, Fill&& fill) {
  if constexpr (kind_of<T> == kind::optional || kind_of<T> == kind::box) {
    if constexpr (Index == 0) {
      out.reset();
      return true;
    } else if constexpr (kind_of<T> == kind::box) {
      if (!out && !fill.takes(sizeof(Alternative))) return false;
      if constexpr (std::is_default_constructible_v<Alternative>)
        return fill(out ? *out : *(out = T(new Alternative{})));
      else return fill.construct([&](Alternative&& value) { out = T(new Alternative(std::move(value))); });
    } else if constexpr (std::is_default_constructible_v<Alternative>) {
      if (!out.has_value()) out.emplace();
      return fill(*out);
    } else {
      return fill.construct([&](Alternative&& value) { out.emplace(std::move(value)); });
    }
  } else if constexpr (kind_of<T> == kind::expected) {
    if constexpr (std::is_same_v<Alternative, nothing>) {
      assign_new(out);
      return true;
    } else if constexpr (!std::is_default_constructible_v<Alternative>) {
      return fill.construct([&](Alternative&& value) {
        if constexpr (Index == 0) out = T(std::move(value));
        else out = T(std::unexpect, std::move(value));
      });
    } else if constexpr (Index == 0) {
      if (!out.has_value()) assign_new(out, std::in_place); // `emplace` needs a noexcept default
      return fill(*out);
    } else {
      if (out.has_value()) assign_new(out, std::unexpect);
      return fill(out.error());
    }
  } else {
    if constexpr (std::is_default_constructible_v<Alternative>) {
      if (out.index() != Index) out.template emplace<Index>();
      return fill(*get_if<Index>(&out));
    } else {
      return fill.construct([&](Alternative&& value) { out.template emplace<Index>(std::move(value)); });
    }
  }
}

template <class T>
constexpr bool adapt_into(reader& r, const std::byte* at, adapted_t<T>&& stored, auto&& accept) {
  auto value = adapt_from<T>(std::move(stored));
  if (!value) {
    r.why = value.error();
    r.why->with_offset(r.offset_of(at));
    return false;
  }
  accept(std::move(*value));
  return true;
}

/// Reads an alternative for `hold` into an existing object, or creates it from its stored form.
template <class A, class Read>
struct alternative_filler {
  Read& read;
  reader& r;
  const std::byte* at;

  [[nodiscard]] constexpr bool takes(std::uint64_t bytes) const { return take_memory(r, at, bytes); }
  constexpr bool operator()(A& target) const {
    if constexpr (std::is_same_v<A, nothing>) return true;
    else return read(std::type_identity<A>{}, target);
  }
  template <class Accept>
  constexpr bool construct(Accept&& accept) const {
    static_assert(kind_of<A> == kind::adapted,
                  "ingot: what a variant, an optional or a unique_ptr holds needs a default constructor, "
                  "default initialisers of its members, or ingot::adapt");
    scratch_value<adapted_t<A>> stored;
    return read(std::type_identity<adapted_t<A>>{}, *stored) &&
           adapt_into<A>(r, at + 1, std::move(*stored), accept);
  }
};

/// Reads the alternative that `tag` names, by `read(type, target)`.
template <class T, class Out, class Read>
constexpr bool read_alternative(reader& r, const std::byte* at, std::size_t tag, Out& out, Read&& read) {
  return [&]<class... Ts>(alternatives<Ts...>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      bool well = true;
      [[maybe_unused]] const auto one = [&]<std::size_t J, class A>(std::integral_constant<std::size_t, J>,
                                                                    std::type_identity<A>) {
        if constexpr (!keeps<Out>) {
          if constexpr (!std::is_same_v<A, nothing>) well = read(std::type_identity<A>{}, out);
        } else {
          well = hold<J, Out, A>(out, alternative_filler<A, Read>{read, r, at});
        }
      };
      static_cast<void>(
          ((tag == I ? (one(std::integral_constant<std::size_t, I>{}, std::type_identity<Ts>{}), true)
                     : false) ||
           ...));
      return well;
    }(std::index_sequence_for<Ts...>{});
  }(tagged_alternatives<T>());
}

// --- slots ---------------------------------------------------------------------------------------

/// Returns true if reading a `T` checks more than the level check (level.hpp) does.
template <class T>
consteval bool deeper() {
  if constexpr (std::is_same_v<T, nothing>) return false;
  else return !(is_fixed<T> && (any_bytes_valid<T> || is_scalar_kind<T> || kind_of<T> == kind::bitset));
}

/// Returns true for elements with hooks or limits inside, which the level check does not cover.
template <class T>
consteval bool has_deeper_elements() {
  if constexpr (kind_of<T> == kind::array) return has_deeper_elements<element_t<T>>();
  else return !is_scalar_kind<T> && deeper<T>();
}

/// Reads the field whose slot is at `at`. The level check has accepted the slot. Changes `previous`
/// from the end of the preceding field to the end of this field.
template <class T, class Out>
INGOT_INLINE constexpr bool read_slot(reader& r, const std::byte* at, const std::byte* tail,
                                      end_type& previous, Out& out, unsigned depth) {
  if constexpr (is_variable_leaf<T>) {
    const end_type begin = previous;
    previous = load_le<end_type>(at);
    if constexpr (is_recursive<T>) return read_payload<T>(r, tail + begin, previous - begin, out, depth);
    else return read_payload_inline<T>(r, tail + begin, previous - begin, out, depth);
  } else if constexpr (!keeps<Out> && !deeper<T>()) {
    return true;
  } else if constexpr (kind_of<T> == kind::adapted) {
    if constexpr (keeps<Out>) {
      scratch_value<adapted_t<T>> stored;
      return read_slot<adapted_t<T>>(r, at, tail, previous, *stored, depth) &&
             adapt_into<T>(r, at, std::move(*stored), [&](from_result<T>&& v) { out = std::move(v); });
    } else { // only a call of the class's `from` shows whether it accepts the value
      scratch_value<adapted_t<T>> stored;
      return read_slot<adapted_t<T>>(r, at, tail, previous, *stored, depth) &&
             adapt_into<T>(r, at, std::move(*stored), [](auto&&) {});
    }
  } else if constexpr (kind_of<T> == kind::array) {
    if constexpr (keeps<Out> && is_bitwise<T>) {
      if !consteval {
        if constexpr (!has_deeper_elements<T>()) {
          std::memcpy(&out, at, sizeof(T));
          return true;
        }
      }
    }
    using element = element_t<T>;
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      bool well = true;
      if constexpr (keeps<Out>)
        well = read_slot<element>(r, at + i * slot_size<element>, tail, previous, out[i], depth);
      else well = read_slot<element>(r, at + i * slot_size<element>, tail, previous, out, depth);
      if (!well) [[unlikely]] {
        r.why->in_element(i);
        return false;
      }
    }
    return true;
  } else if constexpr (has_parts<T>) {
    return read_parts_of<false, T>(r, at, tail, previous, out, fixed_part<T>, depth);
  } else if constexpr (is_tagged<T>) {
    const auto tag = std::to_integer<std::size_t>(at[0]);
    return read_alternative<T>(r, at, tag, out, [&]<class A>(std::type_identity<A>, auto& target) {
      return read_slot<A>(r, at + 1, tail, previous, target, depth);
    });
  } else if constexpr (kind_of<T> == kind::boolean) {
    out = at[0] != std::byte{0};
    return true;
  } else if constexpr (is_scalar_kind<T>) {
    out = load_le<T>(at);
    return true;
  } else if constexpr (kind_of<T> == kind::duration) {
    out = T(load_le<typename T::rep>(at));
    return true;
  } else if constexpr (kind_of<T> == kind::time_point) {
    using duration = typename T::duration;
    out = T(duration(load_le<typename duration::rep>(at)));
    return true;
  } else if constexpr (kind_of<T> == kind::complex) {
    using part = typename T::value_type;
    out = T(load_le<part>(at), load_le<part>(at + sizeof(part)));
    return true;
  } else {
    static_assert(kind_of<T> == kind::bitset);
    out.reset();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if ((at[i / 8] >> (i % 8) & std::byte{1}) != std::byte{0}) out.set(i);
    }
    return true;
  }
}

}}} // namespace ingot::INGOT_V1::detail
