// SPDX-License-Identifier: Apache-2.0
// A read-only block that stays where it is: in a mapped file, in a received message, or in
// read-only memory.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/live/placeable.hpp>
#include <ingot/live/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 {

/// A read-only view of a `T` in the bytes of a block. The bytes must outlive the view, and must not
/// change while the view exists. Copying a view is O(1).
template <class Declared, block_policy P = narrow_policy>
class basic_live_view {
  using T = typename detail::live_form<Declared, P>::type;
  static_assert(detail::require_storable<T>());
  static_assert(detail::require_placeable<T, P>());

public:
  using value_type = T;

  /// Validates untrusted `bytes`. O(n). Allocates no memory for canonical bytes; for other bytes,
  /// allocates 1/64 of their size during the call. Errors: `misaligned` if the address is not a
  /// multiple of 16 (then copy the bytes, or let `live<T>::open` copy them), and those of
  /// `live<T>::open`. Reports the validated bytes to `progress`. If the callback returns false, the
  /// error is `cancelled`.
  [[nodiscard]] static result<basic_live_view> open(bytes_view bytes, progress_ref progress = {}) {
    auto trusted = open_unchecked(bytes);
    if (!trusted) return trusted;
    if (auto validated = detail::validate_anywhere<T, P>(bytes, progress); !validated)
      return fail(validated.error());
    return trusted;
  }
  /// Opens bytes from a trusted source. Checks the header only. O(1).
  [[nodiscard]] static result<basic_live_view> open_unchecked(bytes_view bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % detail::block_alignment != 0) {
      return fail(error{errc::misaligned}.with_expected("an address that is a multiple of 16"));
    }
    if (const auto size = detail::check_whole<T, P>(bytes); !size) return fail(size.error());
    return basic_live_view(bytes);
  }

  [[nodiscard]] const T& operator*() const noexcept { return *root(); }
  [[nodiscard]] const T* operator->() const noexcept { return root(); }
  /// Returns the bytes of the block.
  [[nodiscard]] bytes_view bytes() const noexcept { return bytes_; }

private:
  explicit basic_live_view(bytes_view bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] const T* root() const noexcept {
    return reinterpret_cast<const T*>(bytes_.data() + detail::root_position);
  }

  bytes_view bytes_;
};

/// View of a block with 32-bit offsets.
template <class T>
using live_view = basic_live_view<T, narrow_policy>;
namespace wide {
/// View of a block with 64-bit offsets.
template <class T>
using live_view = basic_live_view<T, wide_policy>;
} // namespace wide

}} // namespace ingot::INGOT_V1
