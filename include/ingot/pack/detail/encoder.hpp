// SPDX-License-Identifier: Apache-2.0
// Encodes with progress. `encode` is compiled once for all types: it calls the functions of a type
// through pointers, with the address of the value. So a compiled library can also encode any type.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The functions that encode a type in one profile.
struct encoder {
  using measure_function = std::uint64_t (*)(polling_measurer&, const void* value);
  measure_function measure; ///< returns the size, or an upper bound
  /// returns the exact size, for values whose bound is too large. Null if the result of `measure`
  /// is exact, or if the size is to be found by encoding the value.
  measure_function measure_exactly;
  bool measures_bound;
  /// writes the value, and returns the end of its bytes
  std::byte* (*write)(tail_writer<output_space::reporting> to, const void* value);
};

/// Returns the packed size, and checks that the value can be packed.
template <class T>
std::uint64_t measure_packed(polling_measurer& m, const void* value) {
  const T& object = *static_cast<const T*>(value);
  const std::uint64_t size = measure_payload(m, object, 0);
  if constexpr (can_be_rejected<packed_checks, T>) {
    if (m.rejected && !m.failed && !m.by->stopped()) [[unlikely]] {
      if (const auto why = rejection_search<packed_form>::find(object)) m.stop(*why);
    }
  }
  return size;
}
template <class T>
std::byte* write_packed(tail_writer<output_space::reporting> to, const void* value) {
  put_payload(to, *static_cast<const T*>(value));
  return to.at;
}
template <class T>
inline constexpr encoder packed_encoder{measure_packed<T>, nullptr, false, write_packed<T>};

/// Encodes `value` into a new buffer. Errors: as `pack`; `cancelled` if the callback returns false.
[[nodiscard]] inline result<buffer> encode(const encoder& type, const void* value, progress_ref progress) {
  constexpr std::uint64_t max_message = std::numeric_limits<end_type>::max();
  const auto too_large = [](std::uint64_t size) {
    return fail(error{errc::too_large}.with_expected("a message of less than 4 GiB").with_found(size));
  };
  progress_tracker none_yet(progress, progress_ref::unknown);
  progress_poll measuring(&none_yet, progress_ref::unknown);
  std::uint64_t size = 0;
  bool exact = !type.measures_bound;
  for (auto measure = type.measure;; measure = type.measure_exactly) {
    polling_measurer m(measuring);
    size = measure(m, value);
    if (measuring.stopped()) return none_yet.cancelled();
    if (m.failed) return m.why.failure();
    if (size <= max_message || exact || type.measure_exactly == nullptr) break;
    exact = true;
  }
  if ((exact && size > max_message) || size > std::numeric_limits<std::size_t>::max() - write_slack)
    return too_large(size);
  buffer whole;
  const std::span<std::byte> space = whole.prepare(static_cast<std::size_t>(size) + write_slack);
  if (space.size() < size + write_slack)
    return fail(error{errc::no_memory}.with_expected("memory for the message").with_found(size));
  const std::uint64_t total = type.measures_bound ? progress_ref::unknown : size;
  progress_tracker tracker(progress, total);
  progress_poll writing(&tracker, total);
  output_report report(space, writing);
  const std::byte* const end = type.write({space.data(), &report}, value);
  if (writing.stopped()) return tracker.cancelled();
  const auto written = static_cast<std::size_t>(end - space.data());
  if (written > max_message) return too_large(written);
  if (auto reported = tracker.finish(written); !reported) return fail(reported.error());
  whole.commit(written);
  return whole;
}

}}} // namespace ingot::INGOT_V1::detail
