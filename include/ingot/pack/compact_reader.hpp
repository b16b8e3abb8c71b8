// SPDX-License-Identifier: Apache-2.0
// Reading the compact profile: one walk over hostile bytes that decodes, only checks, or notes where things are for
// views, depending on its target.
#pragma once

#include <ingot/pack/compact_layout.hpp>
#include <ingot/pack/lists.hpp>
#include <ingot/pack/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace ingot::inline v1::detail {

/// A place in the stream, and where the readable part ends: the message, or an evolvable record in it.
struct stream {
  const std::byte* at;
  const std::byte* end;
  [[nodiscard]] INGOT_INLINE constexpr std::size_t left() const noexcept { return static_cast<std::size_t>(end - at); }
};

template <spelling S, class T, class Out>
constexpr bool compact_read(reader& r, stream& in, Out& out, unsigned depth);
template <spelling S, class T, class Out>
INGOT_INLINE constexpr bool compact_read_inline(reader& r, stream& in, Out& out, unsigned depth);
template <spelling S, class T, class Out>
constexpr bool compact_read_elided(reader& r, stream& in, Out& out, unsigned depth);

INGOT_COLD constexpr bool fail_truncated(reader& r, const stream& in) noexcept {
  return r.fail(errc::truncated, in.at, "more bytes", in.left());
}

INGOT_NOINLINE constexpr bool read_long_varint(reader& r, stream& in, std::uint64_t& value) noexcept {
  const std::byte* const from = in.at;
  value = 0;
  for (std::size_t i = 0; i < varint_limit; ++i) {
    if (in.at == in.end) {
      in.at = from;
      return r.fail(errc::truncated, from, "the last byte of a variable-length integer");
    }
    const auto byte = std::to_integer<std::uint64_t>(*in.at++);
    if (i == varint_limit - 1 && byte > 1) break; // the 64th bit is the last
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      if (byte == 0 && i != 0) return r.fail(errc::not_canonical, from, "an integer in as few bytes as it needs");
      return true;
    }
  }
  return r.fail(errc::out_of_range, from, "a variable-length integer of at most 64 bits");
}
INGOT_INLINE constexpr bool read_varint(reader& r, stream& in, std::uint64_t& value) noexcept {
  if (in.at != in.end && *in.at < std::byte{0x80}) [[likely]] {
    value = std::to_integer<std::uint64_t>(*in.at++);
    return true;
  }
  return read_long_varint(r, in, value);
}

/// A count of things of at least `least` bytes each: never more than there can be.
template <std::size_t Least>
INGOT_INLINE constexpr bool read_count(reader& r, stream& in, std::size_t& count) noexcept {
  const std::byte* const from = in.at;
  std::uint64_t value = 0;
  if (!read_varint(r, in, value)) [[unlikely]] return false;
  if constexpr (Least == 0) {
    if (value > max_empty_elements - r.empty_elements) [[unlikely]] {
      return r.fail(errc::too_large, from, "at most 65536 elements of size zero in a message", value);
    }
    r.empty_elements += static_cast<std::uint32_t>(value);
  } else if (value > in.left() / Least) [[unlikely]] {
    return r.fail(errc::bad_length, from, "a length within the bytes that are left", value);
  }
  count = static_cast<std::size_t>(value);
  return true;
}

template <class T, class Raw>
INGOT_INLINE constexpr bool accept_varint(reader& r, const std::byte* from, Raw raw, T& out) {
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (!accept_varint(r, from, raw, number)) return false;
    out = static_cast<T>(number);
    if (!enum_valid(out)) return r.fail(errc::bad_enum, from, "an enumerator", raw);
    return true;
  } else if constexpr (std::is_signed_v<T>) {
    const std::int64_t value = unzigzag(raw);
    if (!std::in_range<T>(value)) return r.fail(errc::out_of_range, from, "a number that the member's type holds");
    out = static_cast<T>(value);
    return true;
  } else {
    if (raw > std::numeric_limits<T>::max()) {
      return r.fail(errc::out_of_range, from, "a number that the member's type holds", raw);
    }
    out = static_cast<T>(raw);
    return true;
  }
}

template <class T>
constexpr bool read_short_float(reader& r, stream& in, T& out) {
  if (in.left() < 1) return fail_truncated(r, in);
  const auto byte = std::to_integer<std::uint8_t>(*in.at);
  if (byte != short_float_escape) {
    out = static_cast<T>(short_float_values[byte]);
    ++in.at;
    return true;
  }
  if (in.left() < 1 + sizeof(T)) return fail_truncated(r, in);
  out = load_le<T>(in.at + 1);
  if (shorten_float(static_cast<double>(out)) != short_float_escape) {
    return r.fail(errc::not_canonical, in.at, "the short form of a float that has one");
  }
  in.at += 1 + sizeof(T);
  return true;
}

template <class T, std::size_t I, spelling How, class Out>
constexpr bool compact_within_limits(reader& r, const std::byte* from, const std::byte* end, const Out& out,
                                     unsigned depth) {
  limit_failure failure;
  bool passes = true;
  if constexpr (keeps<Out>) {
    passes = check_member<T, I>(out, failure);
  } else {
    member_type<T, I> value{};
    stream again{from, end};
    if (!compact_read<How, member_type<T, I>>(r, again, value, depth)) return false;
    passes = check_member<T, I>(std::as_const(value), failure);
  }
  return passes || (r.fail(failure.code, from, failure.expected), false);
}

template <class Pointers>
inline constexpr bool has_targets = !std::is_same_v<Pointers, check_only>;

/// The bools and enums among members that are moved together.
template <std::size_t I, std::size_t Run, class T>
INGOT_INLINE constexpr bool run_level_bad(const std::byte* from) noexcept {
  end_type previous = 0;
  return [&]<std::size_t... J>(std::index_sequence<J...>) INGOT_INLINE_LAMBDA {
    return (false | ... |
            level_bad<typename parts<T>::template type<I + J>>(from + part_offsets<T>[I + J] - part_offsets<T>[I],
                                                               previous, 0));
  }(std::make_index_sequence<Run>{});
}
template <std::size_t I, std::size_t Run, class T>
INGOT_COLD constexpr bool explain_run(reader& r, const std::byte* from) {
  end_type previous = 0;
  return [&]<std::size_t... J>(std::index_sequence<J...>) {
    return ((explain_level<typename parts<T>::template type<I + J>>(
                 r, from + part_offsets<T>[I + J] - part_offsets<T>[I], previous, 0) ||
             name_part<T>(r, I + J)) &&
            ...);
  }(std::make_index_sequence<Run>{});
}

/// Members from `I` on. `Evolving`: the stream is the record's own and may end between two members.
template <std::size_t I, spelling S, bool Evolving, class T, class Pointers>
INGOT_INLINE constexpr bool compact_read_parts(reader& r, stream& in, const Pointers& pointers, unsigned depth) {
  if constexpr (I == parts<T>::count) {
    return true;
  } else if constexpr (parts<T>::template skipped<I>) {
    if constexpr (has_targets<Pointers>) assign_default<T, I>(*std::get<I>(pointers));
    return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
  } else {
    using part = typename parts<T>::template type<I>;
    constexpr spelling how = part_spelling<T, I, S>;
    if constexpr (Evolving) {
      if (in.at == in.end && least_size<part, how> != 0) {
        if constexpr (has_targets<Pointers>) assign_default<T, I>(*std::get<I>(pointers));
        return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
      }
    }
    const std::byte* const from = in.at;
    if constexpr (constexpr std::size_t run = compact_run<T, S, I>(); has_targets<Pointers> && !Evolving && run > 1) {
      if !consteval {
        if (are_adjacent<I, run>(pointers)) {
          constexpr std::size_t bytes = part_offsets<T>[I + run] - part_offsets<T>[I];
          if (in.left() < bytes) [[unlikely]] return fail_truncated(r, in);
          if (run_level_bad<I, run, T>(in.at)) [[unlikely]] return explain_run<I, run, T>(r, in.at);
          std::memcpy(std::get<I>(pointers), in.at, bytes);
          in.at += bytes;
          return check_run<I, run, T>(r, from - part_offsets<T>[I], in.end, 0, pointers, depth) &&
                 compact_read_parts<I + run, S, Evolving, T>(r, in, pointers, depth);
        }
      }
    }
    check_only ignored;
    auto& target = part_target<I, T>(pointers, ignored);
    if (!compact_read_inline<how, part>(r, in, target, depth)) [[unlikely]] return name_part<T>(r, I);
    if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
      if constexpr (member_is_limited<T, I>) {
        if (!compact_within_limits<T, I, how>(r, from, in.end, std::as_const(target), depth)) return name_part<T>(r, I);
      }
    }
    return compact_read_parts<I + 1, S, Evolving, T>(r, in, pointers, depth);
  }
}

/// A record, tuple or entry, hooks included.
template <spelling S, bool Evolving, class T, class Out>
INGOT_INLINE constexpr bool compact_read_record(reader& r, stream& in, Out& out, unsigned depth) {
  if constexpr (kind_of<T> == kind::record && !is_entry<T> && has_hooks<T> && !keeps<Out>) {
    T object{}; // the type's own code wants an object
    return compact_read_record<S, Evolving, T>(r, in, object, depth);
  } else {
    const std::byte* const from = in.at;
    bool well = true;
    if constexpr (elides_defaults<T>) well = compact_read_elided<S, T>(r, in, out, depth);
    else if constexpr (keeps<Out>) well = compact_read_parts<0, S, Evolving, T>(r, in, part_pointers(out), depth);
    else well = compact_read_parts<0, S, Evolving, T>(r, in, out, depth);
    if (!well) [[unlikely]] return false;
    if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
      if constexpr (has_version_member<T>) {
        member_type<T, 0> found{};
        stream again{from, in.end};
        if (!compact_read<part_spelling<T, 0, S>, member_type<T, 0>>(r, again, found, depth)) return false;
        if (!std::cmp_equal(found, type_get<T, version_t>.number)) {
          r.fail(errc::wrong_version, from, "the version that the type names", static_cast<std::uint64_t>(found));
          return name_part<T>(r, 0);
        }
      }
      if constexpr (has_hooks<T> && keeps<Out>) {
        hook_failure failure;
        if (!run_hooks(out, failure)) return fail_hook<T>(r, from, failure);
      }
    }
    return true;
  }
}

/// The mask, then the members that it names. A member that is there and equals its default has two spellings: refused.
template <spelling S, class T, class Out>
constexpr bool compact_read_elided(reader& r, stream& in, Out& out, unsigned depth) {
  if (in.left() < mask_size<T>) return fail_truncated(r, in);
  const std::byte* const mask = in.at;
  constexpr std::size_t used = elidable_count<T>() % 8;
  if (used != 0 && (mask[mask_size<T> - 1] >> used) != std::byte{0}) {
    return r.fail(errc::bad_padding, mask + mask_size<T> - 1, "zeros behind the last member's bit");
  }
  in.at += mask_size<T>;
  T object{};
  T standard{};
  const auto pointers = part_pointers(object);
  const auto standards = part_pointers(standard);
  std::size_t bit = 0;
  const bool well = [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
      if constexpr (!parts<T>::template skipped<J>) {
        using part = typename parts<T>::template type<J>;
        const bool present = (mask[bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{0};
        ++bit;
        if (!present) return true;
        const std::byte* const from = in.at;
        if (!compact_read<part_spelling<T, J, S>, part>(r, in, *std::get<J>(pointers), depth)) return name_part<T>(r, J);
        if (is_default_value<part>(*std::get<J>(pointers), *std::get<J>(standards))) {
          r.fail(errc::not_canonical, from, "a member that differs from its default");
          return name_part<T>(r, J);
        }
        if constexpr (kind_of<T> == kind::record && !is_entry<T>) {
          if constexpr (member_is_limited<T, J>) {
            if (!compact_within_limits<T, J, part_spelling<T, J, S>>(r, from, in.end,
                                                                    std::as_const(*std::get<J>(pointers)), depth)) {
              return name_part<T>(r, J);
            }
          }
        }
      }
      return true;
    };
    return (one(std::integral_constant<std::size_t, I>{}) && ...);
  }(std::make_index_sequence<parts<T>::count>{});
  if constexpr (keeps<Out>) out = std::move(object);
  return well;
}

/// Calls `accept` with a value, whether or not the type has a default.
template <spelling S, class T, class Accept>
INGOT_INLINE constexpr bool compact_read_value(reader& r, stream& in, unsigned depth, Accept&& accept) {
  if constexpr (std::is_default_constructible_v<T>) {
    T value{};
    return compact_read_inline<S, T>(r, in, value, depth) && accept(std::move(value));
  } else {
    static_assert(kind_of<T> == kind::adapted,
                  "ingot: a class without a default constructor is read through ingot::adapt, or as a member with a "
                  "default member initialiser");
    const std::byte* const from = in.at;
    adapted_t<T> stored{};
    bool accepted = false;
    return compact_read_inline<S, adapted_t<T>>(r, in, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored), [&](T&& made) { accepted = accept(std::move(made)); }) && accepted;
  }
}

/// Sets and maps. Keys are decoded to be compared: their bytes have no fixed places here.
template <spelling S, class List, class Out>
constexpr bool compact_read_sorted(reader& r, stream& in, std::size_t count, Out& out, unsigned depth) {
  using key = key_t<List>;
  constexpr bool by_value = kind_of<List> == kind::set || kind_of<List> == kind::map;
  if constexpr (keeps<Out>) out.clear();
  key last{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const from = in.at;
    const bool well = compact_read_value<S, key>(r, in, depth, [&](key&& k) {
      if constexpr (has_float<key>()) {
        key normal = k;
        normalise_key(normal);
        measurer m;
        measure_key(m, k);
        if (m.failed || !is_default_value<key>(normal, k)) {
          return r.fail(errc::not_canonical, from, "a key that is neither NaN nor -0");
        }
      }
      if (i != 0) {
        const auto order = [&] {
          if constexpr (by_value) return order_of<key>(last, k);
          else return byte_order_of<key>(last, k);
        }();
        if (order > 0) return r.fail(errc::unsorted_keys, from, "keys in ascending order");
        if (order == 0 && !is_multi<List>) return r.fail(errc::duplicate_key, from, "each key once");
      }
      if constexpr (!keeps<Out>) {
        last = std::move(k);
        if constexpr (is_map<List>) {
          return compact_read_inline<S, mapped_t<List>>(r, in, out, depth) ||
                 name_part<map_entry<key, mapped_t<List>>>(r, 1);
        } else {
          return true;
        }
      } else {
        last = k;
        const std::size_t before = out.size();
        if constexpr (is_map<List>) {
          if (!compact_read_value<S, mapped_t<List>>(r, in, depth, [&](mapped_t<List>&& value) {
                out.emplace_hint(out.end(), std::move(k), std::move(value));
                return true;
              })) {
            return name_part<map_entry<key, mapped_t<List>>>(r, 1);
          }
        } else {
          out.emplace_hint(out.end(), std::move(k));
        }
        return out.size() != before ||
               r.fail(errc::duplicate_key, from, "keys that differ for the container's comparison");
      }
    });
    if (!well) [[unlikely]] return name_element<List>(r, i);
  }
  return true;
}

template <spelling S, class List, class Out>
INGOT_INLINE constexpr bool compact_read_list_inline(reader& r, stream& in, Out& out, unsigned depth) {
  using element = list_element_t<List>;
  std::size_t count = 0;
  if (!read_count<least_size<element, S>>(r, in, count)) [[unlikely]] return false;
  if constexpr (is_compact_bitwise<element, S> && any_bytes_valid<element> && !is_sorted_list<List>) {
    if !consteval {
      if constexpr (!keeps<Out> || contiguous_storage<Out>) {
        if constexpr (keeps<Out>) read_bulk(out, in.at, count);
        in.at += count * slot_size<element>;
        return true;
      }
    }
  }
  if constexpr (is_sorted_list<List>) {
    return compact_read_sorted<S, List>(r, in, count, out, depth);
  } else if constexpr (!keeps<Out>) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!compact_read_inline<S, element>(r, in, out, depth)) [[unlikely]] return name_element<List>(r, i);
    }
    return true;
  } else if constexpr (std::is_default_constructible_v<element> && resizable<Out> &&
                       std::is_same_v<decltype(*out.begin()), element&>) {
    if (out.size() != count) grow_to(out, count);
    std::size_t i = 0;
    for (auto& target : out) {
      if (!compact_read_inline<S, element>(r, in, target, depth)) [[unlikely]] return name_element<List>(r, i);
      ++i;
    }
    return true;
  } else {
    out.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (!compact_read_value<S, element>(r, in, depth, [&](element&& value) {
            out.insert(out.end(), std::move(value));
            return true;
          })) [[unlikely]] {
        return name_element<List>(r, i);
      }
    }
    return true;
  }
}
template <spelling S, class List, class Out>
INGOT_FLATTEN constexpr bool compact_read_list(reader& r, stream& outer, Out& out, unsigned depth) {
  stream in = outer;
  const bool well = compact_read_list_inline<S, List>(r, in, out, depth);
  outer.at = in.at;
  return well;
}

template <spelling S, class T, class Out>
INGOT_INLINE constexpr bool compact_read_inline(reader& r, stream& in, Out& out, unsigned depth) {
  if constexpr (is_recursive<T> && (is_list<T> || is_tagged<T> || is_evolvable<T>)) {
    if (depth > max_depth) [[unlikely]] return r.fail(errc::too_deep, in.at, "at most 128 levels of nesting");
  }
  if constexpr (std::is_same_v<T, nothing>) {
    return true;
  } else if constexpr (kind_of<T> == kind::adapted) {
    const std::byte* const from = in.at;
    adapted_t<T> stored{};
    return compact_read<S, adapted_t<T>>(r, in, stored, depth) &&
           adapt_into<T>(r, from, std::move(stored), [&](T&& made) {
             if constexpr (keeps<Out>) out = std::move(made);
           });
  } else if constexpr (is_compact_fixed<T, S> && !has_parts<T>) {
    if (in.left() < slot_size<T>) [[unlikely]] return fail_truncated(r, in);
    const std::byte* const from = in.at;
    end_type previous = 0;
    if (level_bad<T>(from, previous, 0)) [[unlikely]] return explain_level<T>(r, from, previous, 0);
    in.at += slot_size<T>;
    if constexpr (kind_of<T> == kind::array || keeps<Out>) return read_slot<T>(r, from, from, previous, out, depth);
    else return true;
  } else if constexpr (is_text<T>) {
    std::size_t count = 0;
    constexpr std::size_t unit = kind_of<T> == kind::path ? 1 : sizeof(typename text_unit<T>::type);
    if (!read_count<unit>(r, in, count)) [[unlikely]] return false;
    if constexpr (keeps<Out>) read_text(r, in.at, count * unit, out);
    in.at += count * unit;
    return true;
  } else if constexpr (is_list<T>) {
    if constexpr (is_compact_bitwise<list_element_t<T>, S> && any_bytes_valid<list_element_t<T>>) {
      return compact_read_list_inline<S, T>(r, in, out, depth + 1);
    } else {
      return compact_read_list<S, T>(r, in, out, depth + 1);
    }
  } else if constexpr (is_tagged<T>) {
    if (in.left() < 1) [[unlikely]] return fail_truncated(r, in);
    const std::byte* const from = in.at;
    const auto tag = std::to_integer<std::size_t>(*from);
    constexpr std::size_t count = decltype(tagged_alternatives<T>())::size;
    if (tag >= count) [[unlikely]] return r.fail(errc::bad_variant, from, "the tag of an alternative", tag);
    ++in.at;
    return read_alternative<T>(r, from, tag, out, [&]<class A>(std::type_identity<A>, auto& target) {
      return compact_read<S, A>(r, in, target, depth + 1);
    });
  } else if constexpr (kind_of<T> == kind::array) {
    for (std::size_t i = 0; i < array_size<T>; ++i) {
      bool well = true;
      if constexpr (keeps<Out>) well = compact_read_inline<S, element_t<T>>(r, in, out[i], depth);
      else well = compact_read_inline<S, element_t<T>>(r, in, out, depth);
      if (!well) [[unlikely]] {
        r.why.in_element(i);
        return false;
      }
    }
    return true;
  } else if constexpr (has_parts<T>) {
    if constexpr (is_evolvable<T>) {
      std::size_t size = 0;
      if (!read_count<1>(r, in, size)) [[unlikely]] return false;
      stream own{in.at, in.at + size}; // a newer writer's members behind ours are passed over
      if (!compact_read_record<S, true, T>(r, own, out, depth + 1)) return false;
      in.at += size;
      return true;
    } else {
      return compact_read_record<S, false, T>(r, in, out, depth);
    }
  } else if constexpr (S == spelling::varint) {
    const std::byte* const from = in.at;
    std::uint64_t raw = 0;
    T value{};
    if (!read_varint(r, in, raw) || !accept_varint(r, from, raw, value)) [[unlikely]] return false;
    if constexpr (keeps<Out>) out = value;
    return true;
  } else {
    T value{};
    if (!read_short_float(r, in, value)) [[unlikely]] return false;
    if constexpr (keeps<Out>) out = value;
    return true;
  }
}
template <spelling S, class T, class Out>
constexpr bool compact_read(reader& r, stream& in, Out& out, unsigned depth) {
  return compact_read_inline<S, T>(r, in, out, depth);
}

} // namespace ingot::inline v1::detail
