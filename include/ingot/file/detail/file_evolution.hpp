// SPDX-License-Identifier: Apache-2.0
// Files of an older version of a type: the schema that they carry says how to read them.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/file/detail/input_file.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/schema/description.hpp>
#include <ingot/schema/schema_id.hpp>

namespace ingot::inline v1::detail {

/// The way from what the file's schema describes to a `T`. `other_type`, with the path of the first member that stands in the way, where there is none.
template <class T>
[[nodiscard]] result<evolution<T>> evolution_of(const input_file& file) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  const auto before = ingot::read_schema(as_bytes_view(*bytes));
  if (!before) {
    error why = before.error();
    return file.about(why.with_offset(why.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  auto way = evolution<T>::from(*before);
  if (!way) return file.about(way.error());
  return way;
}

/// The way from blocks of the layout that the file carries to those of a `Declared`.
template <class Declared, block_policy P>
[[nodiscard]] result<live_evolution<Declared, P>> live_evolution_of(const input_file& file) {
  const auto bytes = file.read_schema();
  if (!bytes) return fail(bytes.error());
  const auto before = dynamic_layout::open(as_bytes_view(*bytes));
  if (!before) {
    error why = before.error();
    return file.about(why.with_offset(why.offset() + static_cast<std::size_t>(file.header().schema_at())));
  }
  auto way = live_evolution<Declared, P>::from(*before);
  if (!way) return file.about(way.error());
  return way;
}

} // namespace ingot::inline v1::detail
