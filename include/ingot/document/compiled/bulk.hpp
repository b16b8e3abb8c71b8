// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/bulk.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/bulk.hpp>
#include <ingot/document/detail/make_node.hpp>
#include <ingot/document/detail/nodes.hpp>
#include <ingot/document/key_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

void pending_values::drop(core& in, std::size_t first, std::size_t bytes) noexcept {
  for (std::size_t i = first; i < values_.size(); ++i) release_owned(in, item_of(values_[i]));
  forget(first, bytes);
}
outcome pending_values::make(core& in, value_kind kind, std::size_t first, key_policy policy,
                             std::array<std::byte, packed_bytes + 2>& storage, item& new_item,
                             uint32_t& repeated, progress_poll& each) noexcept {
  repeated = npos;
  if (kind == value_kind::array) return make_array(in, first, storage, new_item);
  const std::size_t count = values_.size() - first;
  new_item = item::of(kind, 0);
  if (count == 0) return outcome::done;
  if (count > max_bytes / 4) return outcome::no_space;
  order_.clear();
  uint64_t* const order = order_.extend(count);
  if (order == nullptr) return outcome::no_space;
  for (std::size_t i = 0; i < count; ++i) order[i] = ordered(values_[first + i].hash, i);
  const auto key_at = [&](uint32_t i) { return key_of(values_[first + i]); };
  const auto drop_one = [&](uint32_t dropped) {
    pending_value& lost = values_[first + dropped];
    release_owned(in, item_of(lost));
    lost.kind = value_kind::null; // so the value's nodes are not released again
    lost.is = item::form::plain;
  };
  const key_order_result sorted =
      sort_keys(order, static_cast<uint32_t>(count), key_at, policy, drop_one, each);
  if (each.stopped()) return outcome::no_space;
  repeated = sorted.repeated;
  if (repeated != npos && policy == key_policy::error) return outcome::exists;
  order_.truncate(sorted.count);
  return finish(make_object(in, first, each), kind, new_item);
}
outcome pending_values::make_array(core& in, std::size_t first,
                                   std::array<std::byte, packed_bytes + 2>& storage,
                                   item& new_item) const noexcept {
  const std::size_t count = values_.size() - first;
  new_item = item::of(value_kind::array, 0);
  if (count == 0 || pack(first, storage, new_item)) return outcome::done;
  if (count > max_bytes / 4) return outcome::no_space;
  const uint32_t position = make_plain_node(in, node_kind::array, static_cast<uint32_t>(count),
                                            [&](uint32_t i) { return item_of(values_[first + i]); });
  return finish(position, value_kind::array, new_item);
}
bool pending_values::pack(std::size_t first, std::array<std::byte, packed_bytes + 2>& storage,
                          item& new_item) const noexcept {
  const std::size_t count = values_.size() - first;
  if (count > packed_bytes) return false;
  std::int64_t smallest = 0;
  std::int64_t largest = 0;
  for (std::size_t i = first; i < values_.size(); ++i) {
    if (values_[i].kind != value_kind::integer) return false;
    const auto n = static_cast<std::int64_t>(values_[i].number);
    smallest = std::min(smallest, n);
    largest = std::max(largest, n);
  }
  const uint8_t shift = packed_shift(smallest, largest);
  if (count << shift > packed_bytes) return false;
  for (std::size_t i = 0; i < count; ++i)
    store_packed(storage.data() + (i << shift), static_cast<std::int64_t>(values_[first + i].number), shift);
  new_item = item::text(value_kind::array, storage.data(), static_cast<uint32_t>(count));
  new_item.is = item::form::packed;
  new_item.shift = shift;
  return true;
}
uint32_t pending_values::make_object(core& in, std::size_t first, progress_poll& each) noexcept {
  const auto member = [&](uint32_t i) -> const pending_value& {
    return values_[first + static_cast<uint32_t>(order_[i])];
  };
  return make_keyed_node(
      in, node_kind::object, static_cast<uint32_t>(order_.size()),
      [&](uint32_t i) { return hashed_key{key_of(member(i)), member(i).hash}; },
      [&](uint32_t, const hashed_key& key) { return make_long_key(in, key.text); },
      [&](uint32_t i) { return item_of(member(i)); }, each);
}

}}} // namespace ingot::INGOT_V1::detail::doc
