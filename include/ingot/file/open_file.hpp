// SPDX-License-Identifier: Apache-2.0
// Opens files that are already in memory: embedded into the program, received, or read by other
// means.
//
//   auto level = ingot::open_file<Level>(assets::level());                 // a view<Level>
//   auto world = ingot::open_file<ingot::live_view<World>>(assets::world());
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/file_form.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/file_info.hpp>

#include <cstddef>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Returns the payload of a whole file in memory, if it has this kind and type.
[[nodiscard]] result<bytes_view> payload_in(bytes_view file, const file_identity& wanted, bool check);

} // namespace detail

/// Opens the value of a whole file in memory: a packable `T` as its `view`, a `live_view` as
/// itself. Copies nothing: the bytes must outlive the result and must not change meanwhile.
/// Validates the value as `map_file` does. If `checksum` is true, also compares payload and schema
/// with their checksums. A block must begin at a multiple of 16, and so must its file.
///
/// Errors: as `map_file`, except for `io`; `misaligned`.
template <class T>
[[nodiscard]] result<typename detail::file_form<T>::handle> open_file(bytes_view file,
                                                                      bool checksum = false) {
  using form = detail::file_form<T>;
  static_assert(!form::writes_to_memory,
                "ingot: what is opened in memory is only read: ask for a live_view, or load the file");
  return detail::catch_bad_alloc([&]() -> result<typename form::handle> {
    const auto payload = detail::payload_in(file, form::mapped_identity(), checksum);
    if (!payload) return fail(payload.error());
    auto handle = form::open(*payload);
    if (!handle) return fail(handle.error().with_offset(handle.error().offset() + detail::file_header_size));
    return handle;
  });
}

/// Opens a file that this program or a trusted program has saved. O(1): checks header, kind and
/// type, but does not validate the value. For any other bytes, the behaviour is undefined.
template <class T>
[[nodiscard]] result<typename detail::file_form<T>::handle> open_file_unchecked(bytes_view file) {
  using form = detail::file_form<T>;
  static_assert(!form::writes_to_memory,
                "ingot: what is opened in memory is only read: ask for a live_view, or load the file");
  const auto payload = detail::payload_in(file, form::mapped_identity(), false);
  if (!payload) return fail(payload.error());
  return form::open_unchecked(*payload);
}

}} // namespace ingot::INGOT_V1
