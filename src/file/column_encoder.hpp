// SPDX-License-Identifier: Apache-2.0
// Splits a block of a payload into columns.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>

#include "block_codec.hpp"
#include "column_plan.hpp"
#include "column_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Form of a split block. `pieces` is for blocks that compress so much that readers would reject
/// the ratio.
enum class split_form : std::uint8_t {
  runs,   ///< each run unchanged
  pieces, ///< runs in pieces of at most 32 KiB; these compress less
  plain,  ///< one run of bytes, as rows; never shorter than the bytes
};

/// Encoder for one thread. Allocates memory when it is first needed: about four times the size of a
/// block.
class column_encoder {
public:
  column_encoder(const column_plan& plan, bytes_view payload, const compression& how) noexcept;
  column_encoder(const column_encoder&) = delete;
  column_encoder& operator=(const column_encoder&) = delete;
  ~column_encoder() = default;

  /// Splits `size` bytes of the payload at `from`. Tries several forms for each column. `to` is
  /// valid until the next call. Returns `rejected` if the result would be too long.
  [[nodiscard]] codec_outcome split(std::size_t from, std::size_t size, split_form form,
                                    bytes_view& to) noexcept;

private:
  /// Records of one kind in the block.
  struct gathered {
    std::size_t records = 0;
    std::size_t begin = 0; ///< position of the first record in `records_`
    std::size_t next = 0;
  };
  struct choice {
    column_form form = column_form::raw;
    unsigned bits = 0; ///< palette: bits of an index
  };

  [[nodiscard]] bool gather(std::size_t from, std::size_t size, bool in_pieces) noexcept;
  [[nodiscard]] codec_outcome append_records(std::size_t kind) noexcept;
  /// Selects rows or columns for the records of a kind. For columns, also selects the form of each
  /// column, in `choices_`.
  [[nodiscard]] codec_outcome choose(std::size_t kind, record_form& form) noexcept;
  template <class U>
  [[nodiscard]] codec_outcome choose_column(std::size_t n, std::size_t all, choice& best,
                                            std::size_t& min_cost) noexcept;
  /// Sets `estimate` to the cost of values in 64ths of a byte. The cost is their size, plus the
  /// time to read them.
  [[nodiscard]] codec_outcome price(bytes_view bytes, std::size_t values, std::size_t each,
                                    std::size_t& estimate) noexcept;
  [[nodiscard]] codec_outcome append_column(std::size_t width, std::size_t n, choice how) noexcept;
  /// Copies one column of consecutive records to `values_`.
  [[nodiscard]] bool take_column(const std::byte* first, std::size_t stride, std::size_t width,
                                 std::size_t n) noexcept;

  const column_plan& plan_;
  bytes_view payload_;
  codec method_;
  block_encoder trial_;
  buffer split_;
  buffer records_;
  buffer values_;
  buffer tried_;
  buffer encoded_;
  std::array<gathered, max_record_kinds + 1> kinds_;
  std::array<choice, max_columns> choices_;
};

}}} // namespace ingot::INGOT_V1::detail
