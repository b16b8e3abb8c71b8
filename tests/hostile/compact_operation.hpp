// SPDX-License-Identifier: Apache-2.0
// Everything that a program can do with untrusted compact bytes: see every_operation.hpp.
#pragma once

#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_view.hpp>

#include "hostile/every_operation.hpp"

#include <algorithm>

namespace hostile {

/// Returns what a view of the whole message shows: the view itself, or its value if the message is
/// a single scalar or text.
template <class T>
decltype(auto) shown(const ingot::compact::view<T>& seen) {
  if constexpr (requires { *seen; } && !requires { seen.index(); }) return *seen;
  else return (seen);
}

template <class T>
void exercise_decoded_compact(ingot::bytes_view bytes, const T& value, verdict& v) {
  T warm = zoo::sample<T>(1);
  if (const auto again = ingot::compact::unpack_into(warm, bytes); !again) {
    v.contradiction =
        "compact::unpack accepts, unpack_into a used object does not: " + describe(again.error());
    return;
  }
  if (!zoo::equal(warm, value)) {
    v.contradiction = "compact::unpack_into a used object gives another value than unpack";
    return;
  }
  const auto written = ingot::compact::pack(value);
  if (!written) {
    v.contradiction =
        "accepted compact bytes decode to a value that can't be written: " + describe(written.error());
    return;
  }
  if (const auto size = ingot::compact::packed_size(value); !size || *size != written->size()) {
    v.contradiction = "compact::packed_size is not the size that compact::pack wrote";
    return;
  }
  v.canonical = std::ranges::equal(*written, bytes);
  if (v.canonical) return;
  if constexpr (one_encoding<T>()) {
    v.contradiction = "accepted compact bytes are not the ones that their value is written as";
  } else {
    const auto settled = ingot::compact::unpack<T>(*written);
    if (!settled || !zoo::equal(*settled, value))
      v.contradiction = "a value does not survive being written compactly";
  }
}

/// Offers `bytes` to every compact reader of `T`.
template <class T>
verdict exercise_compact(ingot::bytes_view bytes) {
  verdict v;
  const auto decoded = ingot::compact::unpack<T>(bytes);
  const auto seen = ingot::compact::view<T>::open(bytes);
  const auto checked = ingot::compact::validate<T>(bytes);
  v.accepted = decoded.has_value();
  if (seen.has_value() != v.accepted || checked.has_value() != v.accepted) {
    v.contradiction =
        decoded ? "the compact decoder accepts what the check refuses: " +
                      describe(checked ? seen.error() : checked.error())
                : "the compact check accepts what the decoder refuses: " + describe(decoded.error());
    return v;
  }
  if (!decoded) {
    const ingot::error& e = decoded.error();
    // The decoder moves adjacent members at once and the validator checks each of them. If bytes
    // are both truncated and invalid, the decoder may find the end first. In all other cases the
    // errors are the same.
    if (e.code() != seen.error().code() && e.code() != ingot::errc::truncated) {
      v.contradiction = "two reasons: " + describe(e) + " / " + describe(seen.error());
    } else if (e.offset() > bytes.size() || describe(e).empty()) {
      v.contradiction = "an error outside the bytes: " + describe(e);
    }
    T half = zoo::sample<T>(1);
    if (ingot::compact::unpack_into(half, bytes))
      v.contradiction = "compact::unpack_into accepts what unpack refuses";
    return v;
  }
  exercise_decoded_compact<T>(bytes, *decoded, v);
  if (v.consistent() && !agrees<T>(shown<T>(*seen), *decoded, v.fields)) {
    v.contradiction = "the compact view shows another value than the decoder";
  }
  return v;
}

template <class T>
message sample_compact(std::uint64_t seed) {
  const auto packed = ingot::compact::pack(zoo::sample<T>(seed));
  return packed ? message(packed->begin(), packed->end()) : message{};
}

/// For the zoo's for_each_ functions. Every compact message determines its own end.
struct compact_collector {
  std::vector<subject>& subjects;

  template <class T>
  void operator()(std::string_view name) const {
    subjects.push_back({name, sample_compact<T>, exercise_compact<T>, nullptr, false});
  }
};

} // namespace hostile
