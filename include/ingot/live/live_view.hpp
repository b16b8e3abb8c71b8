// SPDX-License-Identifier: Apache-2.0
// A block that is only read, where it lies: in a mapped file, in somebody's message, or in read-only memory.
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

/// Reads a `T` in bytes that have to outlive the view, and that nobody may change meanwhile. Copying a view is O(1).
template <class Declared, block_policy P = narrow_policy>
class basic_live_view {
  using T = typename detail::live_form<Declared, P>::type;
  static_assert(detail::require_storable<T>());
  static_assert(detail::require_placeable<T, P>());

public:
  using value_type = T;

  /// Proves the bytes, which may be anybody's. O(bytes). If they are not canonical, a 64th of their size is allocated meanwhile, otherwise nothing.
  /// They have to begin at a multiple of 16, or the error is `misaligned`: then copy them, or let `live<T>::open` do so. Other errors: as
  /// `live<T>::open`.
  [[nodiscard]] static result<basic_live_view> open(bytes_view bytes) {
    auto trusted = open_unchecked(bytes);
    if (!trusted) return trusted;
    detail::pending_error err;
    if (!detail::is_valid_anywhere<T, P>(bytes, err)) return err.failure();
    return trusted;
  }
  /// Does the same, and tells `progress` of the bytes that are proved; if it returns false, the error is `cancelled`. Allocates a 64th of the bytes.
  [[nodiscard]] static result<basic_live_view> open(bytes_view bytes, progress_ref progress) {
    if (!progress) return open(bytes);
    auto trusted = open_unchecked(bytes);
    if (!trusted) return trusted;
    if (auto validated = detail::validate_anywhere_with_progress<T, P>(bytes, progress); !validated)
      return fail(validated.error());
    return trusted;
  }
  /// For bytes that this process, or one that it trusts, has made: only the header is checked. O(1).
  [[nodiscard]] static result<basic_live_view> open_unchecked(bytes_view bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % detail::block_alignment != 0) {
      return fail(error{errc::misaligned}.with_expected("an address that is a multiple of 16"));
    }
    if (const auto size = detail::check_whole<T, P>(bytes); !size) return fail(size.error());
    return basic_live_view(bytes);
  }

  [[nodiscard]] const T& operator*() const noexcept { return *root(); }
  [[nodiscard]] const T* operator->() const noexcept { return root(); }
  [[nodiscard]] bytes_view bytes() const noexcept { return bytes_; }

private:
  explicit basic_live_view(bytes_view bytes) noexcept : bytes_(bytes) {}
  [[nodiscard]] const T* root() const noexcept {
    return reinterpret_cast<const T*>(bytes_.data() + detail::root_position);
  }

  bytes_view bytes_;
};

template <class T>
using live_view = basic_live_view<T, narrow_policy>;
namespace wide {
template <class T>
using live_view = basic_live_view<T, wide_policy>;
} // namespace wide

}} // namespace ingot::INGOT_V1
