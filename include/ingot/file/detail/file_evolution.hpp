// SPDX-License-Identifier: Apache-2.0
// Files of an older version of a type, which are read by the schema that they contain.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema_id.hpp>

#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Returns the conversion from the file's schema to a `T`. Errors: `schema_mismatch`, with the path
/// of the first member that prevents it.
template <class T>
[[nodiscard]] result<evolution<T>> evolution_of(const input_file& file) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  const auto before = ingot::read_schema(as_bytes_view(*bytes));
  if (!before) {
    error err = before.error();
    return file.about(err.with_offset(err.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  auto way = evolution<T>::from(*before);
  if (!way) return file.about(way.error());
  return way;
}

/// Returns the layout that the file contains.
[[nodiscard]] inline result<dynamic_layout> layout_in(const input_file& file) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  auto layout = dynamic_layout::open(as_bytes_view(*bytes));
  if (!layout) {
    error err = layout.error();
    return file.about(err.with_offset(err.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  return layout;
}
/// Returns the conversion from blocks of the file's layout to blocks of `Declared`.
template <class Declared, block_policy P>
[[nodiscard]] result<live_evolution<Declared, P>> live_evolution_of(const input_file& file) {
  const auto before = layout_in(file);
  if (!before) return fail(before.error());
  auto way = live_evolution<Declared, P>::from(*before);
  if (!way) return file.about(way.error());
  return way;
}
/// Returns the error for a block that must have the current layout: names the first member of the
/// file's layout that differs from `Declared`. `mine` is the error of the header.
template <class Declared, block_policy P>
[[nodiscard]] std::unexpected<error> other_member(const input_file& file, const error& mine) {
  const auto before = layout_in(file);
  if (!before) return fail(before.error());
  const auto same = same_layout<Declared, P>(*before);
  if (same) return fail(mine);
  error err = same.error();
  if (err.code() != mine.code()) return file.about(err); // for example no memory
  constexpr std::string_view hint = " (`load` may read it)";
  constexpr std::size_t most = 80; // maximum length of `expected` in an error
  const std::string expected(err.expected().substr(0, most - hint.size()));
  err.with_expected(expected + std::string(hint)).with_offset(mine.offset());
  return file.about(err);
}

}}} // namespace ingot::INGOT_V1::detail
