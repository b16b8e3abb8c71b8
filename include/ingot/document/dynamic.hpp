// SPDX-License-Identifier: Apache-2.0
// A live block that is read without its type: by a description of how the type lies in it, which `layout_of` makes and which is sent or
// stored beside blocks. Description and block may be anybody's bytes.
#pragma once

#include <ingot/document/dynamic_parse.hpp>
#include <ingot/document/dynamic_proof.hpp>
#include <ingot/document/dynamic_value.hpp>
#include <ingot/document/layout_of.hpp>
#include <ingot/live/prove.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace ingot::inline v1 {

class dynamic_block;

/// What is in a type of live blocks. Copying is O(1), copies share it; many threads may read.
class dynamic_layout {
public:
  /// Reads a description and proves that it makes sense: after it, every block that it accepts is safe to read. O(bytes); more than
  /// 16 MiB of them are `too_large`.
  [[nodiscard]] static result<dynamic_layout> open(bytes_view description) {
    if (description.size() > detail::dyn::most_layout_bytes)
      return fail(error{errc::too_large}.with_expected("a description of at most 16 MiB"));
    auto made = std::make_shared<detail::dyn::tables>();
    made->bytes.assign(description.begin(), description.end());
    detail::dyn::layout_parser parser(*made);
    if (!parser.parse()) return parser.failure();
    return dynamic_layout(std::move(made));
  }
  /// Of a type that the program has: an error only for types that nest deeper than descriptions may.
  template <class T, block_policy P = narrow_policy>
  [[nodiscard]] static result<dynamic_layout> of() {
    return open(layout_of<T, P>());
  }

  [[nodiscard]] std::uint64_t layout_id() const noexcept { return tables_->layout_id; }
  [[nodiscard]] std::uint64_t schema_id() const noexcept { return tables_->schema_id; }
  /// Offsets of 64 bits.
  [[nodiscard]] bool is_wide() const noexcept { return tables_->offset == 8; }
  /// The description itself.
  [[nodiscard]] bytes_view bytes() const noexcept { return tables_->bytes; }
  /// Whether a record in it has a check of its own, `valid`, that only programs with the type can ask.
  [[nodiscard]] bool asks_valid() const noexcept {
    for (const auto& each : tables_->types) {
      if (each.has(detail::dyn::asks_valid)) return true;
    }
    return false;
  }

private:
  friend class dynamic_block;
  explicit dynamic_layout(std::shared_ptr<const detail::dyn::tables> made) noexcept
      : tables_(std::move(made)) {}

  /// Whether the bytes are a block of this layout by their header.
  [[nodiscard]] result<std::uint64_t> check_header(bytes_view bytes) const noexcept {
    using detail::block_header;
    using detail::sentinel_position;
    const auto info = peek(bytes);
    if (!info) return fail(info.error());
    if (info->wide != is_wide())
      return fail(
          error{errc::other_layout, 5}.with_expected(info->wide ? "32-bit offsets" : "64-bit offsets"));
    if (info->schema_id != schema_id())
      return fail(error{errc::other_type, 16}.with_expected("the layout's own schema_id"));
    if (info->layout_id != layout_id())
      return fail(error{errc::other_layout, 8}.with_expected("the layout's own layout_id"));
    const std::uint64_t most = (is_wide() ? ~std::uint64_t{0} : ~std::uint32_t{0}) / 2 - 4096;
    const std::uint64_t least = detail::root_position + detail::dyn::align_up(tables_->types.front().size, 8);
    if (info->size < least || info->size % 8 != 0 || info->size > most)
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

  std::shared_ptr<const detail::dyn::tables> tables_;
};

/// A proved block. It can be moved; the handles it gives stay valid then.
class dynamic_block {
public:
  /// Copies the bytes and proves them, as `live<T>::open` would, but for what a type's `valid` says (see `dynamic_layout::asks_valid`).
  /// O(bytes) for a given layout, takes as much memory again, nothing recursive. Errors are those of `live<T>::open`.
  [[nodiscard]] static result<dynamic_block> open(bytes_view bytes, const dynamic_layout& layout) {
    if (const auto size = layout.check_header(bytes); !size) return fail(size.error());
    std::unique_ptr<std::byte[]> own(new (std::nothrow) std::byte[bytes.size()]);
    if (own == nullptr) return fail(error{errc::no_memory}.with_expected("as many bytes as the block has"));
    std::memcpy(own.get(), bytes.data(), bytes.size());
    dynamic_block made(layout, {own.get(), bytes.size()});
    made.own_ = std::move(own);
    return prove(std::move(made));
  }
  /// The same without a copy: the bytes live longer than this, and nobody changes them meanwhile.
  [[nodiscard]] static result<dynamic_block> open_in_place(bytes_view bytes, const dynamic_layout& layout) {
    if (const auto size = layout.check_header(bytes); !size) return fail(size.error());
    return prove(dynamic_block(layout, bytes));
  }
  /// With a description that is read for this block alone.
  [[nodiscard]] static result<dynamic_block> open(bytes_view bytes, bytes_view description) {
    const auto layout = dynamic_layout::open(description);
    if (!layout) return fail(layout.error());
    return open(bytes, *layout);
  }

  [[nodiscard]] dynamic_value root() const noexcept {
    return detail::dyn::access::make(memory_.get(), 0, detail::root_position);
  }
  [[nodiscard]] dynamic_value operator[](std::string_view name) const noexcept { return root()[name]; }
  [[nodiscard]] dynamic_value operator[](std::size_t index) const noexcept { return root()[index]; }
  [[nodiscard]] dynamic_value at(std::string_view path) const noexcept { return root().at(path); }
  [[nodiscard]] const dynamic_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] bytes_view bytes() const noexcept {
    return {memory_->start, static_cast<std::size_t>(memory_->used)};
  }

private:
  dynamic_block(const dynamic_layout& layout, bytes_view bytes)
      : layout_(layout), memory_(std::make_unique<detail::dyn::memory>(
                             detail::dyn::memory{bytes.data(), bytes.size(), layout.tables_.get()})) {}
  [[nodiscard]] static result<dynamic_block> prove(dynamic_block&& made) {
    detail::dyn::prover proof(*made.memory_);
    if (!proof.prove()) return proof.failure();
    return std::move(made);
  }

  dynamic_layout layout_;
  std::unique_ptr<detail::dyn::memory> memory_; ///< where handles find it
  std::unique_ptr<std::byte[]> own_;
};

} // namespace ingot::inline v1
