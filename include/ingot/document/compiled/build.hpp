// SPDX-License-Identifier: Apache-2.0
// Definitions of detail/build.hpp.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/document/detail/build.hpp>
#include <ingot/document/detail/node_edit.hpp>
#include <ingot/document/detail/nodes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

bool build_text(core& in, value_kind kind, const void* data, std::size_t size, built& to) noexcept {
  if (size <= short_text) {
    to.value = item::text(kind, data, static_cast<uint32_t>(size));
    return true;
  }
  const uint32_t position = make_blob(in, data, size);
  to.value = item::at_node(kind, position, true);
  return position != 0 || to.fail(outcome::no_space);
}
node_builder::node_builder(core& in, value_kind kind, std::size_t count, std::size_t keys) noexcept
    : in_(in), kind_(kind) {
  const auto in_node = kind == value_kind::array ? node_kind::array : node_kind::object;
  if (count == 0) return;
  const auto narrow = static_cast<uint32_t>(std::min<std::size_t>(count, narrow_count));
  // The heap has space for an object's keys, and for about five bytes for each value.
  const std::uint64_t heap = std::min<std::uint64_t>(keys, narrow_heap) + std::uint64_t{5} * narrow;
  uint64_t bytes = node_size(columns_size(in_node, false, narrow) + heap);
  position_ = in.allocate(bytes);
  if (position_ != 0) write_head(in.start() + position_, in_node, false, static_cast<uint32_t>(bytes), 0, 0);
}
node_builder::~node_builder() {
  if (position_ != 0) release_tree(in_, position_);
}
bool node_builder::append(const item& each) noexcept {
  if (position_ != 0 && insert_element(in_, position_, next_++, each)) return true;
  release_owned(in_, each);
  return false;
}
bool node_builder::insert(const document_key& key, const item& each) noexcept {
  if (position_ != 0 && insert_member(in_, position_, key, each) != npos) return true;
  release_owned(in_, each);
  return false;
}
pending_members::~pending_members() { values_.drop(in_, 0, 0); }
bool pending_members::add(const document_key& key, const item& each) noexcept {
  if (each_.step_should_continue() && values_.push_key(key)) {
    if (values_.set_back(each)) return true;
  }
  release_owned(in_, each);
  return false;
}
outcome pending_members::finish(item& object_item) noexcept {
  std::array<std::byte, packed_bytes + 2> none;
  const outcome o =
      values_.make(in_, value_kind::object, 0, key_policy::error, none, object_item, repeated_, each_);
  if (o == outcome::done) values_.forget(0, 0);
  return o;
}

}}} // namespace ingot::INGOT_V1::detail::doc
