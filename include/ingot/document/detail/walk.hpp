// SPDX-License-Identifier: Apache-2.0
// Finds the elements of one container once, and then reads them in order. This is for code that
// visits a whole document. The document must not change during the walk.
#pragma once

#include <ingot/document/value.hpp>

#include <cstdint>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

class container_walk {
public:
  container_walk() = default;
  /// Finds a container. Returns false if the value is no container.
  [[nodiscard]] bool enter(validated in, const item& value) noexcept {
    if (!find_container(in, value, found_)) return false;
    return value.kind != value_kind::object || !found_.has_node ||
           key_columns::of_object(in, found_.n, keys_);
  }
  [[nodiscard]] bool is_object() const noexcept { return found_.value.kind == value_kind::object; }
  [[nodiscard]] uint32_t count() const noexcept { return found_.count(); }
  [[nodiscard]] INGOT_INLINE item element(uint32_t i) const noexcept {
    if (found_.has_node) return found_.n.value(i);
    const item& packed = found_.value;
    return item::of(load_packed(packed.bytes + (std::size_t{i} << packed.shift), packed.shift));
  }
  [[nodiscard]] INGOT_INLINE std::string_view key(uint32_t i) const noexcept { return keys_.text(i); }

private:
  container found_;
  key_columns keys_;
};

}}} // namespace ingot::INGOT_V1::detail::doc
