// SPDX-License-Identifier: Apache-2.0
// Finds the objects of a block that were being validated when the validation found an error. A
// program that repairs a copy of a damaged block replaces one of these objects.
#pragma once

#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/dynamic/detail/block_validator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// An object in a block. The position of a part of a damaged tree may be outside the block.
struct block_object {
  std::uint32_t type = 0; ///< index in `tables::types`
  std::uint64_t position = 0;
  const part* member = nullptr; ///< the member that is this object; null for other objects

  friend bool operator==(const block_object&, const block_object&) = default;
};

struct failed_objects {
  /// Validates a block whose header is valid. Returns the objects that were being validated when
  /// the validation failed, innermost first; the last one is the root. An object may be in the list
  /// twice. Returns an empty list if the block is valid. Throws `std::bad_alloc`.
  [[nodiscard]] static std::vector<block_object> of(const memory& in) {
    progress_poll never;
    document_validator by(in, never);
    std::vector<block_object> objects;
    if (by.run()) return objects;
    for (;;) {
      const bool is_element = by.inner_count_ == 0;
      if (!is_element) add_part(by, by.inner_[by.inner_count_ - 1], objects);
      while (by.inner_count_ != 0) {
        const auto& object = by.inner_[--by.inner_count_];
        objects.push_back({object.type, object.position, nullptr});
      }
      if (by.depth_ == 0) break;
      if (is_element && by.top_.inside) {
        block_object element;
        element.position = by.element(element.type);
        objects.push_back(element);
      }
      objects.push_back({by.top_.type, by.top_.position, nullptr});
      by.leave();
    }
    objects.push_back({0, root_position, nullptr});
    return objects;
  }

private:
  /// Adds the part of an object that was being validated.
  static void add_part(const document_validator& by, const document_validator::inner& object,
                       std::vector<block_object>& objects) {
    if (object.next == 0) return;
    const tables& in = by.tables_;
    const type& of = in.types[object.type];
    switch (of.kind) {
    case dynamic_kind::array: {
      const std::uint32_t element = in.parts[of.first].type;
      objects.push_back({element, object.position + (object.next - 1) * in.types[element].size, nullptr});
      break;
    }
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: {
      const part& each = by.member(of, (object.next - 1) / 2);
      objects.push_back({each.type, object.position + each.offset, &each});
      break;
    }
    case dynamic_kind::optional:
      objects.push_back({in.parts[of.first].type, object.position, nullptr});
      break;
    case dynamic_kind::variant: {
      const variant_shape shape = variant_of(in, of);
      const std::uint8_t index = by.in_.byte(object.position + shape.tag);
      objects.push_back({in.parts[of.first + index].type, object.position + shape.head, nullptr});
      break;
    }
    default: break;
    }
  }
};

}}} // namespace ingot::INGOT_V1::detail::dyn
