// SPDX-License-Identifier: Apache-2.0
// Parameter type for paths of files. It accepts std::filesystem::path, but does not include
// <filesystem>.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

namespace detail {

template <class P>
concept has_path_text = requires(const P& path) {
  { path.c_str() } noexcept;
  static_cast<const char*>(path.c_str());
};
template <class P>
concept has_native_path =
    has_path_text<P> && requires(const P& path) { static_cast<std::string_view>(path.native()); };

} // namespace detail

/// Path of a file, as a parameter: a `std::filesystem::path`, a `std::string`, a
/// `std::string_view`, a string literal, or any other type with `c_str()`. The system gets the
/// bytes of the path without conversion. Copies nothing, so the path must outlive the `path_ref`. A
/// path that is created in the argument list of a call lives long enough. O(1), or O(n) for a text
/// whose end must be found by its zero byte.
///
/// Functions that open files reject a path with a zero byte inside (`io`).
class path_ref {
public:
  // NOLINTBEGIN(*-explicit-*): arguments are converted
  /// Refers to text that ends with a zero byte; `path` must not be null.
  constexpr path_ref(const char* path) noexcept : text_(path) {}
  /// Refers to text of known size.
  constexpr path_ref(std::string_view path) noexcept : text_(path) {}
  /// Refers to the text of a path.
  template <detail::has_path_text P>
  constexpr path_ref(const P& path) noexcept : text_(text_of(path)) {}
  path_ref(decltype(nullptr)) = delete;
  // NOLINTEND(*-explicit-*)

  /// Returns the text. No zero byte needs to follow it.
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

private:
  template <class P>
  [[nodiscard]] static constexpr std::string_view text_of(const P& path) noexcept {
    // `native()` and `std::string_view` include zero bytes inside the path. With `c_str()`, the
    // path would end at the first zero byte.
    if constexpr (detail::has_native_path<P>) return path.native();
    else if constexpr (requires { static_cast<std::string_view>(path); }) return path;
    else return path.c_str();
  }
  std::string_view text_;
};

}} // namespace ingot::INGOT_V1
