// SPDX-License-Identifier: Apache-2.0
// Text to documents, which need no type, and back.
#pragma once

#include <ingot/core/detail/guard_memory.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/json/detail/untyped.hpp>
#include <ingot/json/literal.hpp>
#include <ingot/json/options.hpp>
#include <ingot/json/write.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace ingot::inline v1::json {

namespace detail {

[[nodiscard]] result<std::size_t> write_document(std::string& out, const value& from,
                                                 const write_options& options);
[[nodiscard]] result<std::size_t> write_document(std::string& out, const value_view& from,
                                                 const write_options& options);

template <>
inline constexpr bool is_document<document> = true;
template <class T>
  requires std::derived_from<T, value_view>
inline constexpr bool is_document<T> = true;
template <>
inline constexpr bool is_document<value> = true;
template <>
inline constexpr bool is_document<value_ref> = true;
template <>
inline constexpr bool is_document<member_ref> = true;

[[nodiscard]] inline value root_of(const value& v) noexcept { return v; }
[[nodiscard]] inline value root_of(const document& d) noexcept { return d.root(); }
template <class View>
  requires std::derived_from<View, value_view>
[[nodiscard]] const value_view& root_of(const View& v) noexcept {
  return v;
}

} // namespace detail

/// A ceiling that suffices for the document of any text of that length, and is at least the usual one. Addresses cost no memory.
[[nodiscard]] ceiling ceiling_for(std::size_t text_bytes) noexcept;

/// Reads a document from JSON text, straight into its nodes (docs/json.md). Integers are exact over 64 bits, with and without sign, and other
/// numbers, `-0` among them, the nearest double. Of the options those count that say so. Errors as of `read`, with path; no_space
/// when the ceiling is too low. O(n), and O(k log k) for an object of k keys; takes up to 4 bytes of memory a byte of text, and what containers
/// hold that have not ended. Depth costs no stack.
[[nodiscard]] result<document> read_document(std::string_view text, const read_options& options = {});
[[nodiscard]] result<document> read_document(std::string_view text, const read_options& options,
                                             ceiling most);

/// Tells the value of a text to whoever takes events; of keys that repeat, what `to` says counts.
[[nodiscard]] result<void> read_events(std::string_view text, document_events& to,
                                       const read_options& options = {});

/// Overwrites a value inside a document with what a text says. After an error it is as it was.
[[nodiscard]] result<void> read_into(const value_ref& to, std::string_view text,
                                     const read_options& options = {});

/// Appends a document, or a value of one, to `out`; returns how many bytes that took. Doubles have a point or an exponent, so that reading gives the same
/// document again. Members are in the order of the document, which is the same on every machine, or by key. What JSON has no form for is an error unless an option says
/// otherwise: NaN and infinities (out_of_range), bytes (type_mismatch), text that is not UTF-8 (invalid_utf8). Other errors: missing_member for an absent
/// value, too_deep, too_large past `max_size`, no_memory. After an error `out` is as it was. O(n), and O(k log k) for k sorted keys.
template <class T>
  requires detail::is_document<T>
[[nodiscard]] result<std::size_t> write_to(std::string& out, const T& from,
                                           const write_options& options = {}) {
  return detail::write_document(out, detail::root_of(from), options);
}

/// A document, or a value of one, as JSON text.
template <class T>
  requires detail::is_document<T>
[[nodiscard]] result<std::string> write(const T& from, const write_options& options = {}) {
  return ingot::detail::guard_memory([&]() -> result<std::string> {
    detail::draft draft;
    if (const auto written = write_to(draft.text(), from, options); !written) return fail(written.error());
    return draft.take();
  });
}

} // namespace ingot::inline v1::json
