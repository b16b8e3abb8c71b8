// SPDX-License-Identifier: Apache-2.0
// Base of the validation of a block by its description. Claims the bytes of each storage (marks
// them as used), so that no byte belongs to two storages. Also stores the error.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/memory.hpp>
#include <ingot/live/detail/block_validator.hpp>
#include <ingot/live/detail/optional_payload.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class block_claims {
public:
  explicit block_claims(const memory& in) noexcept : in_(in), tables_(*in.in) {}
  [[nodiscard]] std::unexpected<error> failure() noexcept { return why_.failure(); }

protected:
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  /// Begins the claims. Allocates 1/64 of the block's size.
  [[nodiscard]] bool begin_claims() {
    const auto words = static_cast<std::size_t>(in_.used / 512 + 1);
    bitmap_.reset(new (std::nothrow) std::uint64_t[words]{});
    if (bitmap_ == nullptr) return no_memory();
    claims_ = bitmap_claims(bitmap_.get() + words);
    storages_ = root_position + align_up(tables_.types[0].size, 8);
    return claims_.take(0, static_cast<std::size_t>(storages_));
  }

  INGOT_COLD bool reject(errc code, std::uint64_t position, std::string_view expected) {
    why_ = error{code, position}.with_expected(expected);
    return false;
  }
  INGOT_COLD bool reject_enumerator(const type& of, std::uint64_t position) {
    const bool with_sign = of.has(is_signed);
    why_ = error{errc::bad_enum, position}
               .with_expected(expected_enumerator(of.has(is_flags)))
               .with_found(number_text(in_.number(position, of.size, with_sign), with_sign).view());
    return false;
  }
  INGOT_COLD bool no_memory() {
    return reject(errc::no_memory, 0, "memory for the list of parts left to check");
  }

  /// Claims the storage of a container, and returns its position. If the storage is invalid, sets
  /// the error and returns `nowhere`.
  [[nodiscard]] std::uint64_t claim(std::uint64_t anchor, std::uint64_t bytes, std::uint64_t alignment) {
    const std::uint64_t position = in_.target(anchor);
    if (position == sentinel_position && bytes == 0) return position;
    const std::uint64_t prefix = 2 * tables_.offset;
    if (position < storages_ + prefix || position > in_.used ||
        position % (alignment < 8 ? 8 : alignment) != 0)
      return reject(errc::bad_length, anchor, "an offset to a storage of the block"), nowhere;
    const std::uint64_t capacity = in_.offset(position - prefix);
    if (in_.offset(position - prefix + tables_.offset) != position - prefix ||
        capacity > in_.used - position || capacity % 8 != 0 || capacity < prefix)
      return reject(errc::bad_length, anchor, "a storage that knows where it is and ends inside the block"),
             nowhere;
    if (bytes > capacity)
      return reject(errc::bad_length, anchor, "no more elements than fit into the storage"), nowhere;
    if (!claims_.take(static_cast<std::size_t>(position - prefix),
                      static_cast<std::size_t>(capacity + prefix)))
      return reject(errc::overlap, anchor, "a storage that overlaps no other"), nowhere;
    return position;
  }
  [[nodiscard]] bool is_sentinel(std::uint64_t anchor) {
    return in_.target(anchor) == sentinel_position ||
           reject(errc::bad_length, anchor, "an offset to the block's sentinel");
  }
  [[nodiscard]] bool all_zero(std::uint64_t position, std::uint64_t count) const noexcept {
    return detail::all_zero(in_.start + position, static_cast<std::size_t>(count));
  }

  /// Claims bytes of a container, such as a tree node, that have no prefix (capacity and position)
  /// before them. `from` is the position of the link to these bytes.
  [[nodiscard]] bool claim_run(std::uint64_t run, std::uint64_t bytes, std::uint64_t from) {
    if (run < storages_ || run > in_.used || run % 8 != 0 || bytes > in_.used - run)
      return reject(errc::bad_length, from, "an offset to a node of the block");
    return claims_.take(static_cast<std::size_t>(run), static_cast<std::size_t>(bytes)) ||
           reject(errc::overlap, from, "a node that overlaps no other");
  }

  memory in_;
  const tables& tables_;
  pending_error why_;

private:
  std::unique_ptr<std::uint64_t[]> bitmap_;
  bitmap_claims claims_{nullptr};
  std::uint64_t storages_ = 0;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
