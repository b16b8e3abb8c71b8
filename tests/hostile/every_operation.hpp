// SPDX-License-Identifier: Apache-2.0
// Everything that a program can do with untrusted bytes, done to one message. Tests of prefixes,
// flips, mutants, guard pages and alignments share this code, and so do fuzzers.
//
// `exercise<T>(bytes)` decodes, opens a view, and compares the two. Both accept, or both reject for
// the same reason. Every field of the view equals the decoded one. Lookups find exactly the keys
// that are present. Writing the decoded value gives the accepted bytes again, because the format
// has one encoding for a value.
#pragma once

#include <ingot/core/endian.hpp>
#include <ingot/pack/view.hpp>

#include "hostile/agreement.hpp"
#include "hostile/round_trip.hpp"
#include "hostile/subjects.hpp"
#include "zoo/equal.hpp"
#include "zoo/sample.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hostile {

/// Returns false for types whose readers accept bytes that a writer of today would not produce: an
/// `evolvable` record written by another version, and a type whose `adapt` reads two encodings. On
/// 32-bit x86 also floating-point numbers: functions return them in a register that makes
/// signalling NaNs quiet.
template <class T, class... Path>
consteval bool one_encoding() {
  namespace d = ingot::detail;
  if constexpr (std::is_same_v<T, d::nothing>) return true;
  else if constexpr (d::has_parts<T>) {
    if constexpr (d::is_any_of<T, Path...>) return true;
    else if constexpr (d::is_evolvable<T>) return false;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((d::parts<T>::template skipped<I> ||
                 one_encoding<typename d::parts<T>::template type<I>, Path..., T>()) &&
                ...);
      }(std::make_index_sequence<d::parts<T>::count>{});
    }
  } else if constexpr (ingot::kind_of<T> == ingot::kind::adapted) return false;
  else if constexpr (ingot::kind_of<T> == ingot::kind::array)
    return one_encoding<ingot::element_t<T>, Path...>();
  else if constexpr (d::is_list<T>) return one_encoding<d::list_element_t<T>, Path...>();
  else if constexpr (d::is_tagged<T>) {
    return []<class... Ts>(d::alternatives<Ts...>) {
      return (one_encoding<Ts, Path...>() && ...);
    }(d::tagged_alternatives<T>());
#if defined(__i386__)
  } else if constexpr (ingot::kind_of<T> == ingot::kind::floating ||
                       ingot::kind_of<T> == ingot::kind::complex) {
    return false;
#endif
  } else return true;
}

/// For an evolvable record: returns true if each member has one encoding, so that versions differ
/// by members alone.
template <class T>
consteval bool has_plain_members() {
  namespace d = ingot::detail;
  if constexpr (!d::is_evolvable<T>) return false;
  else {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((d::parts<T>::template skipped<I> || one_encoding<typename d::parts<T>::template type<I>>()) &&
              ...);
    }(std::make_index_sequence<d::parts<T>::count>{});
  }
}

inline std::string describe(const ingot::error& e) { return e.message(); }

/// `open` for every type. A message that is a single scalar or text has no view class: a scalar is
/// viewed as the tuple that has the same bytes, and for text there is nothing to check that the
/// decoder does not check.
template <class T>
ingot::result<ingot::detail::view_of<T>> open(ingot::bytes_view bytes) {
  namespace d = ingot::detail;
  using seen = d::view_of<T>;
  if constexpr (d::is_specialization<seen, ingot::record_view> ||
                d::is_specialization<seen, ingot::list_view> ||
                d::is_specialization<seen, ingot::tagged_view>) {
    return d::open_view<T>(bytes, false);
  } else if constexpr (d::is_fixed<T>) {
    const auto alone = ingot::view<std::tuple<T>>::open(bytes);
    if (!alone) return ingot::fail(alone.error());
    return alone->template get<0>();
  } else {
    const auto decoded = ingot::unpack<T>(bytes);
    if (!decoded) return ingot::fail(decoded.error());
    return d::view_payload<T>(bytes.data(), bytes.size());
  }
}

/// Returns true if a `T` can be copied. `std::is_copy_constructible` is true for every vector,
/// whatever its elements.
template <class T, class... Path>
consteval bool is_copyable() {
  namespace d = ingot::detail;
  if constexpr (std::is_same_v<T, d::nothing>) return true;
  else if constexpr (ingot::kind_of<T> == ingot::kind::box) return false;
  else if constexpr (d::has_parts<T>) {
    if constexpr (d::is_any_of<T, Path...>) return true;
    else {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (is_copyable<typename d::parts<T>::template type<I>, Path..., T>() && ...);
      }(std::make_index_sequence<d::parts<T>::count>{});
    }
  } else if constexpr (ingot::kind_of<T> == ingot::kind::array)
    return is_copyable<ingot::element_t<T>, Path...>();
  else if constexpr (d::is_list<T>) return is_copyable<d::list_element_t<T>, Path...>();
  else if constexpr (d::is_tagged<T>) {
    return []<class... Ts>(d::alternatives<Ts...>) {
      return (is_copyable<Ts, Path...>() && ...);
    }(d::tagged_alternatives<T>());
  } else return std::is_copy_constructible_v<T>;
}

/// Returns true if the members that both versions of an evolvable `T` know have one encoding. The
/// members in `bytes` must equal those of `written`, which the version of today wrote from the same
/// value, and no other bytes may be between or after them. Only for types whose members have no
/// versions of their own.
template <class T>
bool shared_members_agree(ingot::bytes_view bytes, ingot::bytes_view written) {
  constexpr std::size_t head = sizeof(std::uint32_t); // the size of the fixed part
  const std::size_t there = ingot::load_le<std::uint32_t>(bytes.data());
  const std::size_t here = ingot::load_le<std::uint32_t>(written.data());
  const std::size_t fixed = std::min(there, here);
  if (!std::ranges::equal(bytes.subspan(head, fixed), written.subspan(head, fixed))) return false;
  const auto tail = bytes.subspan(head + there);
  const auto tail_of_today = written.subspan(head + here);
  // the version with fewer members has the shorter tail
  const auto& shorter = there <= here ? tail : tail_of_today;
  const auto& longer = there <= here ? tail_of_today : tail;
  return shorter.size() <= longer.size() && std::ranges::equal(shorter, longer.first(shorter.size()));
}

/// Checks of the decoded value: decoding again in other ways, and writing.
template <class T>
void exercise_decoded(ingot::bytes_view bytes, const T& value, verdict& v) {
  // The previous contents of the target of `unpack_into` must not matter.
  T warm = zoo::sample<T>(1);
  if (const auto again = ingot::unpack_into(warm, bytes); !again) {
    v.contradiction = "unpack accepts, unpack_into a used object does not: " + describe(again.error());
    return;
  }
  if (!zoo::equal(warm, value)) {
    v.contradiction = "unpack_into a used object gives another value than unpack";
    return;
  }
  const auto written = ingot::pack(value);
  if (!written) {
    v.contradiction = "accepted bytes decode to a value that can't be written: " + describe(written.error());
    return;
  }
  const auto size = ingot::packed_size(value);
  if (!size || *size != written->size()) {
    v.contradiction = "packed_size is not the size that pack wrote";
    return;
  }
  v.canonical = std::ranges::equal(*written, bytes);
  if (!v.canonical) {
    if constexpr (one_encoding<T>()) {
      v.contradiction = "accepted bytes are not the ones that their value is written as";
      return;
    }
    if constexpr (has_plain_members<T>()) {
      if (!shared_members_agree<T>(bytes, *written)) {
        v.contradiction = "the fixed part of another version is not that of its members";
        return;
      }
    }
    const auto settled = ingot::unpack<T>(*written);
    if (!settled || !zoo::equal(*settled, value)) {
      v.contradiction = "a value read from another version's bytes does not survive being written";
      return;
    }
  }
  if constexpr (is_copyable<T>()) {
    T copy = value;
    warm = copy;
    T moved = std::move(copy);
    copy = std::move(moved);
    if (!zoo::equal(copy, warm)) v.contradiction = "a copy of the decoded value differs from it";
  }
}

/// Checks of the view.
template <class T>
void exercise_view(const ingot::detail::view_of<T>& seen, const T& value, verdict& v) {
  if (!agrees<T>(seen, value, v.fields)) {
    v.contradiction = "the view shows another value than the decoder";
    return;
  }
  if constexpr (ingot::kind_of<T> != ingot::kind::adapted && requires { seen.unpack(); }) {
    const auto whole = seen.unpack();
    if (!whole) v.contradiction = "the view does not unpack: " + describe(whole.error());
    else if (!zoo::equal(*whole, value)) v.contradiction = "the view unpacks to another value";
  }
}

/// If bytes after the value are allowed, decoder and view still agree, accept all that they
/// accepted before, and an accepted message begins with the value's own bytes.
template <class T>
void exercise_trailing(ingot::bytes_view bytes, verdict& v) {
  const auto value = ingot::unpack<T>(bytes, {.rest = ingot::trailing::allow});
  if (v.accepted && !value) {
    v.contradiction = "refused where more bytes would be allowed: " + describe(value.error());
    return;
  }
  if constexpr (requires { ingot::view<T>::open(bytes, ingot::trailing::allow); }) {
    const auto seen = ingot::view<T>::open(bytes, ingot::trailing::allow);
    if (value.has_value() != seen.has_value()) {
      v.contradiction = "with more bytes allowed decoder and view differ";
      return;
    }
    if (seen && !agrees<T>(*seen, *value, v.fields)) {
      v.contradiction = "with more bytes allowed the view shows another value than the decoder";
      return;
    }
  }
  if constexpr (one_encoding<T>()) {
    if (!value) return;
    const auto written = ingot::pack(*value);
    if (!written || written->size() > bytes.size() ||
        !std::ranges::equal(*written, bytes.first(written->size()))) {
      v.contradiction = "with more bytes allowed the value's are not those in front";
    }
  }
}

/// Passes `bytes` to every reader of `T` and exercises everything that the readers accept.
template <class T>
verdict exercise(ingot::bytes_view bytes) {
  verdict v;
  const auto decoded = ingot::unpack<T>(bytes);
  const auto seen = open<T>(bytes);
  v.accepted = decoded.has_value();
  if (decoded.has_value() != seen.has_value()) {
    v.contradiction = decoded ? "the decoder accepts what the view refuses: " + describe(seen.error())
                              : "the view accepts what the decoder refuses: " + describe(decoded.error());
    return v;
  }
  if constexpr (ingot::kind_of<T> != ingot::kind::adapted && requires { ingot::view<T>::open(bytes); }) {
    if (ingot::view<T>::open(bytes).has_value() != v.accepted)
      v.contradiction = "view::open has its own opinion";
  }
  // those that determine their own end
  if constexpr (ingot::detail::has_parts<T> && !ingot::detail::is_evolvable<T>) {
    exercise_trailing<T>(bytes, v);
    if (!v.consistent()) return v;
  }
  if (!decoded) {
    const ingot::error& e = decoded.error();
    // the path of an error in the tuple differs
    constexpr bool is_alone = ingot::detail::is_fixed<T>;
    if (e.code() != seen.error().code() || e.offset() != seen.error().offset() ||
        (e.path() != seen.error().path() && !is_alone)) {
      v.contradiction = "two reasons: " + describe(e) + " / " + describe(seen.error());
    } else if (e.offset() > bytes.size() || describe(e).empty()) {
      v.contradiction = "an error outside the bytes: " + describe(e);
    }
    T half = zoo::sample<T>(1);
    if (ingot::unpack_into(half, bytes)) v.contradiction = "unpack_into accepts what unpack refuses";
    static_cast<void>(ingot::packed_size(half)); // unspecified, but a value
    return v;
  }
  exercise_decoded<T>(bytes, *decoded, v);
  if (v.consistent()) exercise_view<T>(*seen, *decoded, v);
  return v;
}

/// Text and lists of fixed elements are as long as their bytes, and an absent optional has no
/// bytes: the enclosing value determines their end. As a whole message they can't be recognised as
/// truncated.
template <class T>
consteval bool is_closed() {
  namespace d = ingot::detail;
  using ingot::kind;
  if constexpr (ingot::kind_of<T> == kind::adapted) return is_closed<ingot::adapted_t<T>>();
  else if constexpr (d::is_text<T>) return false;
  else if constexpr (d::is_list<T>) {
    return !d::is_fixed<d::list_element_t<T>> || d::element_stride<d::list_element_t<T>> == 0;
  } else if constexpr (d::is_tagged<T> && !d::is_fixed<T>) return false;
  else return true;
}

template <class T>
message sample_message(std::uint64_t seed) {
  const auto packed = ingot::pack(zoo::sample<T>(seed));
  return packed ? message(packed->begin(), packed->end()) : message{};
}

/// For the zoo's for_each_ functions.
struct collector {
  std::vector<subject>& subjects;

  template <class T>
  void operator()(std::string_view name) const {
    subjects.push_back({name, sample_message<T>, exercise<T>, round_trip<T>, is_closed<T>()});
  }
};

} // namespace hostile
