// SPDX-License-Identifier: Apache-2.0
// Reads live blocks without their C++ type, by a description of the layout. `layout_of` creates the
// description, which is sent or stored with the blocks. Both the description and the block may be
// untrusted.
#pragma once

#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/dynamic/detail/block_validator.hpp>
#include <ingot/dynamic/detail/parse.hpp>
#include <ingot/dynamic/detail/shared.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/parts.hpp>
#include <ingot/dynamic/value.hpp>
#include <ingot/live/detail/different_block.hpp>
#include <ingot/live/validate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

class dynamic_block;

namespace detail::dyn {
struct layout_access;
} // namespace detail::dyn

/// The layout of a type of live blocks. Copying is O(1): copies share the layout. Any number of
/// threads may read a layout.
class dynamic_layout {
public:
  /// Reads and validates a description. A block that is validated by the returned layout is safe to
  /// read. Accepts only descriptions that `layout_of` can write. O(n log n) for n bytes, with at
  /// most about 160 n + 300,000 bytes of memory. Errors: a code that names the fault, such as
  /// `truncated`, `not_ingot` or `invalid_value`; `too_large` for more than 1 MiB, and for types
  /// whose `layout_id` takes more than 64 n + 4096 steps to compute; `no_memory`.
  [[nodiscard]] static result<dynamic_layout> open(bytes_view description) {
    if (description.size() > detail::dyn::max_layout_bytes)
      return fail(error{errc::too_large}.with_expected("a description of at most 1 MiB"));
    const auto created = detail::dyn::shared_tables::make();
    if (!created) return fail(no_memory());
    auto& tables = created.fill();
    tables.own.reset(new (std::nothrow) std::byte[description.size() + 1]);
    if (tables.own == nullptr) return fail(no_memory());
    std::copy(description.begin(), description.end(), tables.own.get());
    tables.bytes = {tables.own.get(), description.size()};
    detail::dyn::layout_parser parser(tables);
    if (!parser.parse()) return parser.failure();
    return dynamic_layout(created);
  }
  /// Returns the layout of a type of the program. Errors: those of `open`, since a program may have
  /// types that descriptions don't allow, such as one that nests too deep, or has a `rename` that
  /// is not UTF-8; `no_memory`.
  template <class T, block_policy P = narrow_policy>
  [[nodiscard]] static result<dynamic_layout> of() {
    return detail::catch_bad_alloc([] { return open(layout_of<T, P>()); });
  }

  /// Returns the fingerprint of the layout.
  [[nodiscard]] std::uint64_t layout_id() const noexcept { return tables_->layout_id; }
  /// Returns the fingerprint of the schema.
  [[nodiscard]] std::uint64_t schema_id() const noexcept { return tables_->schema_id; }
  /// Returns true if offsets have 64 bits.
  [[nodiscard]] bool is_wide() const noexcept { return tables_->offset == 8; }
  /// Returns the bytes of the description.
  [[nodiscard]] bytes_view bytes() const noexcept { return tables_->bytes; }
  /// Returns true if a record in the layout has its own check, `valid`, which only programs with
  /// the type can run.
  [[nodiscard]] bool asks_valid() const noexcept {
    for (const auto& each : tables_->types) {
      if (each.has(detail::dyn::asks_valid)) return true;
    }
    return false;
  }

private:
  friend class dynamic_block;
  friend struct detail::dyn::layout_access;
  explicit dynamic_layout(const detail::dyn::shared_tables& shared) noexcept : tables_(shared) {}
  [[nodiscard]] INGOT_COLD static error no_memory() noexcept {
    return error{errc::no_memory}.with_expected("memory for the description");
  }

  /// Checks the header of a block of this layout, and returns the length of the block.
  [[nodiscard]] result<std::uint64_t> check_header(bytes_view bytes) const noexcept {
    using detail::block_header;
    using detail::sentinel_position;
    const auto info = peek(bytes);
    if (!info) return fail(info.error());
    if (info->wide != is_wide()) return fail(detail::other_width(is_wide()));
    if (info->schema_id != schema_id()) return fail(detail::other_schema(16, schema_id(), info->schema_id));
    if (info->layout_id != layout_id()) return fail(detail::other_layout_id(8, layout_id(), info->layout_id));
    const std::uint64_t max_size = (is_wide() ? ~std::uint64_t{0} : ~std::uint32_t{0}) / 2 - 4096;
    const std::uint64_t min_size = detail::root_position + detail::dyn::align_up(tables_->types[0].size, 8);
    if (info->size < min_size || info->size % 8 != 0 || info->size > max_size)
      return fail(error{errc::bad_length, 24}.with_expected("the length of a block").with_found(info->size));
    if (info->size > bytes.size())
      return fail(error{errc::truncated, bytes.size()}.with_expected("as many bytes as the header says"));
    if (info->size != bytes.size()) return fail(error{errc::trailing_bytes, info->size});
    const detail::dyn::memory in{bytes.data(), info->size, tables_.get()};
    const std::uint64_t prefix = sentinel_position - 2 * std::uint64_t{tables_->offset};
    if (in.offset(prefix) != 0 || in.offset(prefix + tables_->offset) != prefix ||
        in.load<std::uint64_t>(sentinel_position) != 0)
      return fail(error{errc::bad_padding, prefix}.with_expected("the sentinel of empty containers"));
    return info->size;
  }

  detail::dyn::shared_tables tables_;
};

namespace detail::dyn {
struct layout_access {
  [[nodiscard]] static const tables& tables_of(const dynamic_layout& of) noexcept {
    return *of.tables_.get();
  }
};
} // namespace detail::dyn

/// A validated block. A move keeps handles valid; a moved-from block has an absent root.
class dynamic_block {
public:
  /// Copies the bytes and validates them like `live<T>::open`, except for a type's `valid` (see
  /// `dynamic_layout::asks_valid`). O(n) for n bytes: at most about 64 steps for each byte, times
  /// the logarithm of the number of members or enumerators of a type. The copy takes n bytes of
  /// memory. Validation takes at most 2 n bytes and 20 KiB, usually n/64. Progress counts each byte
  /// twice: when it is copied, and when it is validated. Errors: those of `live<T>::open`;
  /// `cancelled` if `progress` returns false.
  [[nodiscard]] static result<dynamic_block> open(bytes_view bytes, const dynamic_layout& layout,
                                                  progress_ref progress = {}) {
    if (const auto size = layout.check_header(bytes); !size) return fail(size.error());
    std::unique_ptr<std::byte[]> own(new (std::nothrow) std::byte[bytes.size()]);
    if (own == nullptr) return fail(error{errc::no_memory}.with_expected("as many bytes as the block has"));
    detail::progress_tracker tracker(progress, 2 * std::uint64_t{bytes.size()}, bytes.size());
    if (!detail::copy_with_progress(own.get(), bytes, tracker)) return tracker.cancelled();
    tracker.begin_pass();
    const bytes_view copy(own.get(), bytes.size());
    return validate(layout, copy, std::move(own), tracker);
  }
  /// Opens a block without a copy. The bytes must outlive the block, and must not change while the
  /// block exists. Progress reports the approximate position in the bytes. Errors: those of `open`.
  [[nodiscard]] static result<dynamic_block> open_in_place(bytes_view bytes, const dynamic_layout& layout,
                                                           progress_ref progress = {}) {
    if (const auto size = layout.check_header(bytes); !size) return fail(size.error());
    detail::progress_tracker tracker(progress, bytes.size());
    return validate(layout, bytes, nullptr, tracker);
  }
  /// Opens a copy of the bytes by a description. The description is validated again for each block.
  /// Errors: those of `dynamic_layout::open` and of `open`.
  [[nodiscard]] static result<dynamic_block> open(bytes_view bytes, bytes_view description) {
    const auto layout = dynamic_layout::open(description);
    if (!layout) return fail(layout.error());
    return open(bytes, *layout);
  }

  /// Returns the root; absent if the block was moved from.
  [[nodiscard]] dynamic_value root() const noexcept {
    return detail::dyn::access::make(memory_.get(), 0, detail::root_position);
  }
  [[nodiscard]] dynamic_value operator[](std::string_view name) const noexcept { return root()[name]; }
  [[nodiscard]] dynamic_value operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] dynamic_value at(std::string_view path) const noexcept { return root().at(path); }
  /// Returns the layout of the block.
  [[nodiscard]] const dynamic_layout& layout() const noexcept { return layout_; }
  /// Returns the bytes of the block; empty if it was moved from.
  [[nodiscard]] bytes_view bytes() const noexcept {
    return memory_ == nullptr ? bytes_view()
                              : bytes_view(memory_->start, static_cast<std::size_t>(memory_->used));
  }

private:
  dynamic_block(const dynamic_layout& layout, std::unique_ptr<detail::dyn::memory> block_memory,
                std::unique_ptr<std::byte[]> own) noexcept
      : layout_(layout), memory_(std::move(block_memory)), own_(std::move(own)) {}
  [[nodiscard]] static result<dynamic_block> validate(const dynamic_layout& layout, bytes_view bytes,
                                                      std::unique_ptr<std::byte[]> own,
                                                      detail::progress_tracker& tracker) {
    using detail::dyn::memory;
    std::unique_ptr<memory> block_memory(new (std::nothrow)
                                             memory{bytes.data(), bytes.size(), layout.tables_.get()});
    if (block_memory == nullptr)
      return fail(error{errc::no_memory}.with_expected("memory for a block's handle"));
    detail::progress_poll by(&tracker, bytes.size());
    detail::dyn::document_validator validator(*block_memory, by);
    if (!validator.validate()) {
      if (by.stopped()) return tracker.cancelled();
      return validator.failure();
    }
    if (auto reported = tracker.finish(); !reported) return fail(reported.error());
    return dynamic_block(layout, std::move(block_memory), std::move(own));
  }

  dynamic_layout layout_;
  /// Handles point to this object. Null in a moved-from block.
  std::unique_ptr<detail::dyn::memory> memory_;
  std::unique_ptr<std::byte[]> own_;
};

}} // namespace ingot::INGOT_V1
