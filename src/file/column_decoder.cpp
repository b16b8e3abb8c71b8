// SPDX-License-Identifier: Apache-2.0
// Format of a split block. A run is a sequence of records of one kind (see column_plan.hpp).
// Numbers are encoded as in column_table.hpp:
//    .  number of runs (number); then for each run the kind of its records, a byte each; then for
//       each run the number of its records (numbers)
//    .  for each kind with records, ascending: a byte, `record_form`, then all records of this kind
//       in the order of the block. In the form `columns`, each column is a byte, `column_form`, and
//       the values of the column; in the form `rows`, records are unchanged.
#include "column_decoder.hpp"

#include <ingot/core/detail/lanes.hpp>
#include <ingot/core/endian.hpp>

#include "unshuffle.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Maximum number of records that are assembled at a time. These records stay in the processor's
/// nearest cache until they are complete.
constexpr std::size_t max_records = 512;
constexpr std::size_t bytes_at_once = 16'384;
[[nodiscard]] constexpr std::size_t records_at_once(std::size_t stride) noexcept {
  return std::clamp<std::size_t>(bytes_at_once / stride / 16 * 16, 16, max_records);
}
struct workplace {
  alignas(16) std::array<std::byte, 8 * (max_records + 1)> bytes;
};

/// Writes one value of each record; `value(i)` is the i-th value. Each iteration writes four
/// values, because the loop's counter and comparison take as much time as writing one value.
template <class U, class F>
INGOT_INLINE void put_each(std::size_t n, std::byte* to, std::size_t stride, F value) noexcept {
  std::size_t i = 0;
  for (; n - i >= 4; i += 4, to += 4 * stride) {
    store_le<U>(to, value(i));
    store_le<U>(to + stride, value(i + 1));
    store_le<U>(to + 2 * stride, value(i + 2));
    store_le<U>(to + 3 * stride, value(i + 3));
  }
  for (; i < n; ++i, to += stride) store_le<U>(to, value(i));
}
template <class U>
void spread(const std::byte* from, std::size_t n, std::byte* to, std::size_t stride) noexcept {
  put_each<U>(n, to, stride, [from](std::size_t i) { return load_le<U>(from + i * sizeof(U)); });
}
/// Writes the same `W` bytes to all records.
template <std::size_t W>
void fill(const std::byte* from, std::size_t n, std::byte* to, std::size_t stride) noexcept {
  std::array<std::byte, W> value;
  std::memcpy(value.data(), from, W);
  std::size_t i = 0;
  for (; n - i >= 4; i += 4, to += 4 * stride) {
    std::memcpy(to, value.data(), W);
    std::memcpy(to + stride, value.data(), W);
    std::memcpy(to + 2 * stride, value.data(), W);
    std::memcpy(to + 3 * stride, value.data(), W);
  }
  for (; i < n; ++i, to += stride) std::memcpy(to, value.data(), W);
}
/// As `fill`, but for values of any width. Uses as few stores as possible.
void fill_all(const std::byte* from, std::size_t width, std::size_t n, std::byte* to,
              std::size_t stride) noexcept {
  const auto some = [&]<std::size_t W>() {
    for (; width >= W; width -= W, from += W, to += W) fill<W>(from, n, to, stride);
  };
  some.template operator()<16>();
  some.template operator()<8>();
  some.template operator()<4>();
  some.template operator()<2>();
  some.template operator()<1>();
}
template <class U>
void add_up(const std::byte* from, std::size_t n, std::byte* to, std::size_t stride,
            std::uint64_t& last) noexcept {
  auto sum = static_cast<U>(last);
  put_each<U>(n, to, stride, [from, &sum](std::size_t i) {
    return sum = static_cast<U>(sum + load_le<U>(from + i * sizeof(U)));
  });
  last = sum;
}
/// Writes the values of `others`, in order, to the records whose bit in `bits` is set. Returns the
/// number of values written.
template <class U>
std::size_t put_others(const std::byte* bits, const std::byte* others, std::size_t n, std::byte* to,
                       std::size_t stride) noexcept {
  std::size_t used = 0;
  for (std::size_t i = 0; i < n; i += 8) {
    for (auto left = std::to_integer<unsigned>(bits[i / 8]); left != 0; left &= left - 1) {
      const std::size_t at = i + static_cast<std::size_t>(std::countr_zero(left));
      std::memcpy(to + at * stride, others + used++ * sizeof(U), sizeof(U));
    }
  }
  return used;
}
[[nodiscard]] std::size_t count_bits(const std::byte* bits, std::size_t n) noexcept {
  std::size_t all = 0;
  std::size_t i = 0;
  for (; n - i >= 64; i += 64)
    all += static_cast<std::size_t>(std::popcount(load_le<std::uint64_t>(bits + i / 8)));
  for (; i < n; ++i) all += std::to_integer<std::size_t>(bits[i / 8]) >> i % 8 & 1U;
  return all;
}
/// Expands eight numbers of `bits` bits each to one byte each. `bits` is at most 8. Splits the word
/// into halves, then quarters, then eighths.
[[nodiscard]] constexpr std::uint64_t eight_apart(std::uint64_t word, unsigned bits) noexcept {
  const std::uint64_t four = (std::uint64_t{1} << 4 * bits) - 1;
  const std::uint64_t two = ((std::uint64_t{1} << 2 * bits) - 1) * 0x0000'0001'0000'0001U;
  const std::uint64_t one = ((std::uint64_t{1} << bits) - 1) * 0x0001'0001'0001'0001U;
  word = (word & four) | ((word >> 4 * bits & four) << 32);
  word = (word & two) | ((word >> 2 * bits & two) << 16);
  return (word & one) | ((word >> bits & one) << 8);
}
static_assert(eight_apart(0xFAC688, 3) == 0x07'06'05'04'03'02'01'00);
static_assert(eight_apart(0x0807'0605'0403'0201, 8) == 0x0807'0605'0403'0201);

/// Expands `n` numbers of `bits` bits each at `from` to one byte each. `left` bytes at `from` are
/// readable. Writes up to seven more bytes after the `n` bytes. Each group of eight numbers begins
/// at a byte.
void unpack_bits(const std::byte* from, std::size_t left, unsigned bits, std::size_t n,
                 std::byte* to) noexcept {
  for (std::size_t i = 0; i < n; i += 8, from += bits, left -= std::min<std::size_t>(left, bits)) {
    std::uint64_t word = 0;
    if (left >= 8) {
      word = load_le<std::uint64_t>(from);
    } else {
      for (std::size_t k = 0; k < left; ++k) word |= std::to_integer<std::uint64_t>(from[k]) << 8 * k;
    }
    store_le(to + i, eight_apart(word, bits));
  }
}
[[nodiscard]] std::size_t bytes_for(std::size_t bits) noexcept { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }
[[nodiscard]] std::size_t greatest(const std::byte* bytes, std::size_t n) noexcept {
  unsigned found = 0;
  std::size_t i = 0;
#if INGOT_LANES
  byte_lanes largest{};
  for (; n - i >= 16; i += 16) {
    const auto next = load_lanes<byte_lanes>(bytes + i);
    largest = next > largest ? next : largest;
  }
  std::array<std::uint8_t, 16> each;
  store_lanes(each.data(), largest);
  found = *std::ranges::max_element(each);
#endif
  for (; i < n; ++i) found = std::max(found, std::to_integer<unsigned>(bytes[i]));
  return found;
}
/// Returns true if the unused bits of the last byte are zero. The first `bits` bits are used.
[[nodiscard]] bool ends_with_zeros(const std::byte* bytes, std::size_t bits) noexcept {
  return bits % 8 == 0 || std::to_integer<unsigned>(bytes[bits / 8]) >> bits % 8 == 0;
}

} // namespace

codec_outcome column_decoder::decode(bytes_view split, std::span<std::byte> to) noexcept {
  split_reader in{split.data(), split.size()};
  if (!read_runs(in, to.size())) return codec_outcome::rejected;
  storage_used_ = 0;
  bool all_in_place = true;
  for (std::size_t kind = 0; kind < table_.size(); ++kind) {
    if (kinds_[kind].records == 0) continue;
    if (const auto outcome = read_records(in, kind, to); outcome != codec_outcome::done) return outcome;
    all_in_place &= kinds_[kind].next == nullptr;
  }
  if (in.left != 0) return codec_outcome::rejected;
  if (!all_in_place) put_in_place(to);
  return codec_outcome::done;
}

bool column_decoder::read_runs(split_reader& in, std::size_t size) noexcept {
  // Each run takes at least two stored bytes. This check limits the work for an untrusted number of
  // runs.
  if (!in.number(runs_) || runs_ > in.left / 2) return false;
  kinds_of_runs_ = in.take(runs_);
  counts_of_runs_ = in;
  for (std::size_t kind = 0; kind < table_.size(); ++kind) kinds_[kind] = {};
  std::size_t left = size;
  for (std::uint32_t i = 0; i < runs_; ++i) {
    const auto kind = std::to_integer<std::size_t>(kinds_of_runs_[i]);
    std::uint32_t n = 0;
    if (kind >= table_.size() || !in.number(n) || n == 0 || n > left / table_.stride(kind)) return false;
    gathered& mine = kinds_[kind];
    if (mine.runs++ == 0) mine.first = size - left;
    mine.records += n;
    left -= n * table_.stride(kind);
  }
  return left == 0;
}

codec_outcome column_decoder::read_records(split_reader& in, std::size_t kind,
                                           std::span<std::byte> to) noexcept {
  gathered& mine = kinds_[kind];
  const std::size_t size = mine.records * table_.stride(kind); // at most the size of `to`
  const std::byte* const form = in.take(1);
  if (form == nullptr) return codec_outcome::rejected;
  if (*form == std::byte{static_cast<std::uint8_t>(record_form::rows)}) {
    mine.next = in.take(size);
    return mine.next != nullptr ? codec_outcome::done : codec_outcome::rejected;
  }
  if (*form != std::byte{static_cast<std::uint8_t>(record_form::columns)}) return codec_outcome::rejected;
  const auto widths = table_.widths(kind);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    columns_[c] = {};
    columns_[c].width = widths[c];
    if (!read_column(in, columns_[c], mine.records)) return codec_outcome::rejected;
  }
  if (mine.runs == 1)
    return join(kind, mine.records, to.data() + mine.first) ? codec_outcome::done : codec_outcome::rejected;
  if (storage_.size() < to.size() && !storage_.resize(to.size())) return codec_outcome::no_memory;
  mine.next = storage_.data() + storage_used_;
  std::byte* const here = storage_.data() + storage_used_;
  storage_used_ += size;
  return join(kind, mine.records, here) ? codec_outcome::done : codec_outcome::rejected;
}

bool column_decoder::read_column(split_reader& in, column& result_column, std::size_t n) noexcept {
  const std::byte* const form = in.take(1);
  if (form == nullptr || *form > std::byte{static_cast<std::uint8_t>(column_form::palette)}) return false;
  result_column.form = static_cast<column_form>(*form);
  const std::size_t w = result_column.width;
  result_column.values = n;
  switch (result_column.form) {
  case column_form::raw: result_column.data = in.take(n * w); return result_column.data != nullptr;
  case column_form::constant: result_column.data = in.take(w); return result_column.data != nullptr;
  default: break;
  }
  if (!is_number_width(w)) return false;
  if (result_column.form == column_form::sparse) {
    result_column.base = in.take(w);
    result_column.chosen = in.take(bytes_for(n));
    if (result_column.base == nullptr || result_column.chosen == nullptr ||
        !ends_with_zeros(result_column.chosen, n))
      return false;
    result_column.values = count_bits(result_column.chosen, n);
  } else if (result_column.form == column_form::palette) {
    const std::byte* const head = in.take(2);
    if (head == nullptr) return false;
    result_column.values = std::to_integer<std::size_t>(head[0]) + 1;
    result_column.bits = std::to_integer<unsigned>(head[1]);
    if (result_column.bits == 0 || result_column.bits > 8 ||
        result_column.values > std::size_t{1} << result_column.bits)
      return false;
    result_column.base = in.take(result_column.values * w);
    result_column.chosen = in.take(bytes_for(n * result_column.bits));
    return result_column.base != nullptr && result_column.chosen != nullptr &&
           ends_with_zeros(result_column.chosen, n * result_column.bits);
  }
  result_column.data = in.take(result_column.values * w);
  return result_column.data != nullptr;
}

namespace {

/// Writes the values [`from`, `from + n`) of a column to the records.
template <class U, class Column>
[[nodiscard]] bool join_some(Column& c, std::size_t all, std::size_t from, std::size_t n, std::byte* to,
                             std::size_t stride, workplace& work) noexcept {
  constexpr std::size_t w = sizeof(U);
  switch (c.form) {
  case column_form::raw: spread<U>(c.data + from * w, n, to, stride); return true;
  case column_form::constant: break; // the caller writes adjacent constant columns together
  case column_form::shuffled:
    if (stride == w) {
      unshuffle<w>(c.data + from, c.values, n, to);
    } else {
      unshuffle<w>(c.data + from, c.values, n, work.bytes.data());
      spread<U>(work.bytes.data(), n, to, stride);
    }
    return true;
  case column_form::delta:
    unshuffle<w>(c.data + from, c.values, n, work.bytes.data());
    add_up<U>(work.bytes.data(), n, to, stride, c.last);
    return true;
  case column_form::sparse: {
    const std::size_t others = count_bits(c.chosen + from / 8, n);
    unshuffle<w>(c.data + c.used, c.values, others, work.bytes.data());
    fill<w>(c.base, n, to, stride);
    c.used += put_others<U>(c.chosen + from / 8, work.bytes.data(), n, to, stride);
    return true;
  }
  case column_form::palette: {
    const std::byte* chosen = c.chosen + from; // indexes of 8 bits
    if (c.bits != 8) {
      const std::size_t at = from / 8 * c.bits;
      unpack_bits(c.chosen + at, bytes_for(all * c.bits) - at, c.bits, n, work.bytes.data());
      chosen = work.bytes.data();
    }
    if (c.values < std::size_t{1} << c.bits && greatest(chosen, n) >= c.values) return false;
    put_each<U>(n, to, stride, [chosen, values = c.base](std::size_t i) {
      return load_le<U>(values + std::to_integer<std::size_t>(chosen[i]) * w);
    });
    return true;
  }
  }
  return false;
}

} // namespace

bool column_decoder::join(std::size_t kind, std::size_t n, std::byte* to) noexcept {
  const std::size_t stride = table_.stride(kind);
  const std::size_t columns = table_.widths(kind).size();
  const std::size_t step = records_at_once(stride);
  workplace work;
  for (std::size_t from = 0; from < n; from += step, to += step * stride) {
    const std::size_t here = std::min(step, n - from);
    std::byte* at = to;
    for (std::size_t i = 0; i < columns; ++i) {
      column& c = columns_[i];
      if (c.form == column_form::constant) { // adjacent constant columns are written as one column
        std::size_t width = 0;
        const std::size_t first = i;
        for (; i < columns && columns_[i].form == column_form::constant &&
               width + columns_[i].width <= work.bytes.size();
             ++i) {
          std::memcpy(work.bytes.data() + width, columns_[i].data, columns_[i].width);
          width += columns_[i].width;
        }
        if (i == first) {
          fill_all(c.data, c.width, here, at, stride);
          at += c.width;
        } else {
          fill_all(work.bytes.data(), width, here, at, stride);
          at += width;
          --i;
        }
        continue;
      }
      bool good = true;
      switch (c.width) {
      case 1: good = join_some<std::uint8_t>(c, n, from, here, at, stride, work); break;
      case 2: good = join_some<std::uint16_t>(c, n, from, here, at, stride, work); break;
      case 4: good = join_some<std::uint32_t>(c, n, from, here, at, stride, work); break;
      case 8: good = join_some<std::uint64_t>(c, n, from, here, at, stride, work); break;
      default: // raw
        for (std::size_t k = 0; k < here; ++k)
          std::memcpy(at + k * stride, c.data + (from + k) * c.width, c.width);
      }
      if (!good) return false;
      at += c.width;
    }
  }
  return true;
}

void column_decoder::put_in_place(std::span<std::byte> to) noexcept {
  std::byte* at = to.data();
  for (std::uint32_t i = 0; i < runs_; ++i) {
    const auto kind = std::to_integer<std::size_t>(kinds_of_runs_[i]);
    std::uint32_t n = 0;
    if (!counts_of_runs_.number(n)) return; // can't fail: all numbers were read before
    const std::size_t size = n * table_.stride(kind);
    gathered& mine = kinds_[kind];
    if (mine.next != nullptr) {
      std::memcpy(at, mine.next, size);
      mine.next += size;
    }
    at += size;
  }
}

}}} // namespace ingot::INGOT_V1::detail
