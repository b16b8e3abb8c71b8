// SPDX-License-Identifier: Apache-2.0
#include "column_table.hpp"

#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

[[nodiscard]] std::size_t size_of_number(std::size_t n) noexcept {
  std::size_t size = 1;
  for (; n >= 0x80; n >>= 7) ++size;
  return size;
}

} // namespace

result<column_table> column_table::read(bytes_view bytes) {
  split_reader in{bytes.data(), bytes.size()};
  const auto wrong = [&](errc code, std::string_view expected) {
    return fail(error{code, bytes.size() - in.left}.with_expected(expected));
  };
  const std::byte* const count = in.take(1);
  if (count == nullptr) return wrong(errc::truncated, "the kinds of records");
  if (*count == std::byte{}) return wrong(errc::bad_length, "at least one kind of records");
  column_table table;
  for (auto missing = std::to_integer<unsigned>(*count); missing != 0; --missing) {
    std::uint32_t columns = 0;
    if (!in.number(columns) || columns == 0 || columns > max_columns || columns > in.left)
      return wrong(errc::bad_length, "a number of columns, 1 to 256");
    std::vector<std::uint16_t> widths;
    widths.reserve(columns);
    std::size_t stride = 0;
    for (; columns != 0; --columns) {
      std::uint32_t width = 0;
      if (!in.number(width) || width == 0 || width > max_stride - stride)
        return wrong(errc::bad_length, "a width, which makes a record of at most 65,535 bytes");
      stride += width;
      widths.push_back(static_cast<std::uint16_t>(width));
    }
    table.kinds_.push_back({stride, std::move(widths)});
  }
  if (in.left != 0) return wrong(errc::trailing_bytes, "the end of the kinds of records");
  return table;
}

std::vector<std::byte> column_table::bytes() const {
  std::vector<std::byte> encoded{static_cast<std::byte>(kinds_.size() - 1)};
  const auto number = [&](std::size_t n) {
    for (; n >= 0x80; n >>= 7) encoded.push_back(static_cast<std::byte>((n & 0x7FU) | 0x80U));
    encoded.push_back(static_cast<std::byte>(n));
  };
  for (std::size_t i = 1; i < kinds_.size(); ++i) {
    number(kinds_[i].widths.size());
    for (const std::uint16_t width : kinds_[i].widths) number(width);
  }
  return encoded;
}

std::uint8_t column_table::add(std::vector<std::uint16_t> widths) {
  std::size_t stride = 0;
  std::size_t size = size_of_number(widths.size());
  for (const std::uint16_t width : widths) {
    stride += width;
    size += size_of_number(width);
  }
  if (widths.empty() || widths.size() > max_columns || stride > max_stride ||
      kinds_.size() > max_record_kinds || size > max_table_size - added_)
    return 0;
  added_ += size;
  kinds_.push_back({stride, std::move(widths)});
  return static_cast<std::uint8_t>(kinds_.size() - 1);
}

}}} // namespace ingot::INGOT_V1::detail
