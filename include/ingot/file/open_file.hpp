// SPDX-License-Identifier: Apache-2.0
// Opens files that are already in memory: embedded into the program, received, or read by other
// means.
//
//   auto level = ingot::open_file<Level>(assets::level()); // packed: (*level)->get<"name">()
//   auto world = ingot::open_file<ingot::live_view<World>>(assets::world()); // (*world)->players
//
// Opening a `live_view` needs <ingot/file/live_file.hpp>.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/error.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/file/detail/mapped_form.hpp>
#include <ingot/file/file_info.hpp>

#include <utility>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

/// Returns the payload of a whole file in memory. The file must have this kind and type.
[[nodiscard]] result<bytes_view> payload_in(bytes_view file, const file_identity& wanted, bool check);
struct file_opener;

} // namespace detail

/// Handle that reads a value in a whole file in memory: a `view<T>` for a packable `T`, or a
/// `live_view`. The operators `*` and `->` work as those of `mapped_file`. The bytes must outlive
/// the object and must not change while it exists. Copying is O(1).
template <class T>
class opened_file {
  using form = detail::mapped_form<T>;

public:
  using value_type = typename form::handle;

  [[nodiscard]] const value_type& operator*() const noexcept { return handle_; }
  /// Accesses the root of a `live_view`, or the handle itself.
  [[nodiscard]] decltype(auto) operator->() const noexcept {
    if constexpr (requires(const value_type& h) { h.operator->(); }) return handle_.operator->();
    else return &handle_;
  }
  /// Returns the payload in the file.
  [[nodiscard]] bytes_view payload() const noexcept { return payload_; }

private:
  friend struct detail::file_opener;
  opened_file(bytes_view payload, value_type&& handle) noexcept
      : payload_(payload), handle_(std::move(handle)) {}

  bytes_view payload_;
  value_type handle_;
};

/// Options of `open_file`.
struct open_file_options {
  /// Compares payload and schema with their checksums.
  bool checksum = false;
};

namespace detail {

struct file_opener {
  template <class T>
  [[nodiscard]] static result<opened_file<T>> open(bytes_view file, const open_file_options& options,
                                                   bool trusted) {
    using form = mapped_form<T>;
    static_assert(!form::writes_to_memory,
                  "ingot: what is opened in memory is only read: ask for a live_view, or load the file");
    return catch_bad_alloc([&]() -> result<opened_file<T>> {
      const auto payload = payload_in(file, form::identity(), options.checksum);
      if (!payload) return fail(payload.error());
      result<typename form::handle> handle = trusted ? form::open_unchecked(*payload) : form::open(*payload);
      if (!handle) return fail(handle.error().with_offset(handle.error().offset() + file_header_size));
      return opened_file<T>(*payload, std::move(*handle));
    });
  }
};

} // namespace detail

/// Opens the value of a file whose bytes are all in memory. Copies nothing. Validates the value as
/// `map_file` does. If the file has a block, the address of `file` must be a multiple of 16.
///
/// Errors: as `map_file`, but without `io`; in addition `misaligned`.
template <class T>
[[nodiscard]] result<opened_file<T>> open_file(bytes_view file, const open_file_options& options = {}) {
  return detail::file_opener::open<T>(file, options, false);
}

/// Opens a file that this program or a trusted program has saved. O(1): checks header, kind and
/// type, but does not validate the value. If the file has other contents, the behaviour is
/// undefined. Errors: as `open_file`.
template <class T>
[[nodiscard]] result<opened_file<T>> open_file_unchecked(bytes_view file,
                                                         const open_file_options& options = {}) {
  return detail::file_opener::open<T>(file, options, true);
}

}} // namespace ingot::INGOT_V1
