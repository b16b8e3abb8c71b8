// SPDX-License-Identifier: Apache-2.0
// Lets functions for typed values also take documents and values in documents. This header needs
// only the names of these types, so document.hpp may be included before it, after it or not at all.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace ingot { inline namespace INGOT_V1 {

class document;
class value;
class value_ref;
class value_view;

namespace json {

/// Overwrites a value inside a document with the value of a text. After an error the document is
/// unchanged. Errors: as `read_document`.
[[nodiscard]] result<void> read_into(const value_ref& to, std::string_view text,
                                     const read_options& options = {});

namespace detail {

/// True if `T` is a document, or a handle or a view of a value in a document.
template <class T>
inline constexpr bool is_document =
    std::is_same_v<T, document> || std::is_base_of_v<value, T> || std::is_base_of_v<value_view, T>;

[[nodiscard]] result<std::size_t> write_document(std::string& out, const value& from,
                                                 const write_options& options);
[[nodiscard]] result<std::size_t> write_document(std::string& out, const value_view& from,
                                                 const write_options& options);

} // namespace detail
} // namespace json
}} // namespace ingot::INGOT_V1
