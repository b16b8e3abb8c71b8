// SPDX-License-Identifier: Apache-2.0
// A split block:
//    .  how many runs (number); of each the kind of its records, a byte each; of each how many records (numbers)
//    .  for each kind of records of which there are any, ascending: a byte, record_form, then all of its records, as they follow each other
//       in the block: as they were, or column by column: a byte, column_form, and the column
#include "column_decoder.hpp"

#include <ingot/core/endian.hpp>

#include "unshuffle.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ingot::inline v1::detail {

namespace {

/// Records that are put together at once: a few, so that they stay in the processor's nearest cache until they are whole.
constexpr std::size_t most_at_once = 512;
constexpr std::size_t bytes_at_once = 16'384;
[[nodiscard]] constexpr std::size_t records_at_once(std::size_t stride) noexcept {
  return std::clamp<std::size_t>(bytes_at_once / stride / 16 * 16, 16, most_at_once);
}
struct workplace {
  alignas(16) std::array<std::byte, 8 * (most_at_once + 1)> bytes;
};

template <class U>
void spread(const std::byte* from, std::size_t n, std::byte* to, std::size_t stride) noexcept {
  for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * stride, from + i * sizeof(U), sizeof(U));
}
template <class U>
void fill(U value, std::size_t n, std::byte* to, std::size_t stride) noexcept {
  for (std::size_t i = 0; i < n; ++i) store_le(to + i * stride, value);
}
template <class U>
void add_up(const std::byte* from, std::size_t n, std::byte* to, std::size_t stride,
            std::uint64_t& last) noexcept {
  auto sum = static_cast<U>(last);
  for (std::size_t i = 0; i < n; ++i) {
    sum = static_cast<U>(sum + load_le<U>(from + i * sizeof(U)));
    store_le(to + i * stride, sum);
  }
  last = sum;
}
/// `others` has one more value than are used.
template <class U>
std::size_t choose_others(const std::byte* bits, const std::byte* others, U base, std::size_t n,
                          std::byte* to, std::size_t stride) noexcept {
  std::size_t used = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto other = std::to_integer<std::size_t>(bits[i / 8]) >> i % 8 & 1U;
    const U value = load_le<U>(others + used * sizeof(U));
    store_le(to + i * stride, other != 0 ? value : base);
    used += other;
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
/// `n` of the numbers of `bits` bits at `from`, of which `left` bytes may be read. Groups of eight begin at a byte.
void unpack_bits(const std::byte* from, std::size_t left, unsigned bits, std::size_t n,
                 std::uint8_t* to) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < n; i += 8, from += bits, left -= std::min<std::size_t>(left, bits)) {
    std::uint64_t word = 0;
    if (left >= 8) {
      word = load_le<std::uint64_t>(from);
    } else {
      for (std::size_t k = 0; k < left; ++k) word |= std::to_integer<std::uint64_t>(from[k]) << 8 * k;
    }
    const std::size_t here = std::min<std::size_t>(n - i, 8);
    for (std::size_t k = 0; k < here; ++k, word >>= bits) to[i + k] = static_cast<std::uint8_t>(word & mask);
  }
}
template <class U>
[[nodiscard]] bool look_up(const std::uint8_t* chosen, const std::byte* values, std::size_t count,
                           std::size_t n, std::byte* to, std::size_t stride) noexcept {
  bool good = true;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t index = chosen[i] < count ? chosen[i] : 0;
    good &= chosen[i] < count;
    std::memcpy(to + i * stride, values + index * sizeof(U), sizeof(U));
  }
  return good;
}
[[nodiscard]] std::size_t bytes_for(std::size_t bits) noexcept { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }
/// Bits behind the last are zero.
[[nodiscard]] bool ends_with_zeros(const std::byte* bytes, std::size_t bits) noexcept {
  return bits % 8 == 0 || std::to_integer<unsigned>(bytes[bits / 8]) >> bits % 8 == 0;
}

} // namespace

codec_outcome column_decoder::decode(bytes_view split, std::span<std::byte> to) noexcept {
  split_reader in{split.data(), split.size()};
  if (!read_runs(in, to.size())) return codec_outcome::refused;
  room_used_ = 0;
  bool all_in_place = true;
  for (std::size_t kind = 0; kind < table_.size(); ++kind) {
    if (kinds_[kind].records == 0) continue;
    if (const auto outcome = read_records(in, kind, to); outcome != codec_outcome::done) return outcome;
    all_in_place &= kinds_[kind].next == nullptr;
  }
  if (in.left != 0) return codec_outcome::refused;
  if (!all_in_place) put_in_place(to);
  return codec_outcome::done;
}

bool column_decoder::read_runs(split_reader& in, std::size_t size) noexcept {
  // Each is two bytes at least, so the work is bounded by the bytes that are there.
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
  const std::size_t size = mine.records * table_.stride(kind); // no more than `to` has
  const std::byte* const form = in.take(1);
  if (form == nullptr) return codec_outcome::refused;
  if (*form == std::byte{static_cast<std::uint8_t>(record_form::rows)}) {
    mine.next = in.take(size);
    return mine.next != nullptr ? codec_outcome::done : codec_outcome::refused;
  }
  if (*form != std::byte{static_cast<std::uint8_t>(record_form::columns)}) return codec_outcome::refused;
  const auto widths = table_.widths(kind);
  for (std::size_t c = 0; c < widths.size(); ++c) {
    columns_[c] = {};
    columns_[c].width = widths[c];
    if (!read_column(in, columns_[c], mine.records)) return codec_outcome::refused;
  }
  if (mine.runs == 1)
    return join(kind, mine.records, to.data() + mine.first) ? codec_outcome::done : codec_outcome::refused;
  if (room_.size() < to.size() && !room_.resize(to.size())) return codec_outcome::no_memory;
  mine.next = room_.data() + room_used_;
  std::byte* const here = room_.data() + room_used_;
  room_used_ += size;
  return join(kind, mine.records, here) ? codec_outcome::done : codec_outcome::refused;
}

bool column_decoder::read_column(split_reader& in, column& made, std::size_t n) noexcept {
  const std::byte* const form = in.take(1);
  if (form == nullptr || *form > std::byte{static_cast<std::uint8_t>(column_form::palette)}) return false;
  made.form = static_cast<column_form>(*form);
  const std::size_t w = made.width;
  made.values = n;
  switch (made.form) {
  case column_form::raw: made.data = in.take(n * w); return made.data != nullptr;
  case column_form::constant: made.data = in.take(w); return made.data != nullptr;
  default: break;
  }
  if (!is_number_width(w)) return false;
  if (made.form == column_form::sparse) {
    made.base = in.take(w);
    made.chosen = in.take(bytes_for(n));
    if (made.base == nullptr || made.chosen == nullptr || !ends_with_zeros(made.chosen, n)) return false;
    made.values = count_bits(made.chosen, n);
  } else if (made.form == column_form::palette) {
    const std::byte* const head = in.take(2);
    if (head == nullptr) return false;
    made.values = std::to_integer<std::size_t>(head[0]) + 1;
    made.bits = std::to_integer<unsigned>(head[1]);
    if (made.bits == 0 || made.bits > 8 || made.values > std::size_t{1} << made.bits) return false;
    made.base = in.take(made.values * w);
    made.chosen = in.take(bytes_for(n * made.bits));
    return made.base != nullptr && made.chosen != nullptr && ends_with_zeros(made.chosen, n * made.bits);
  }
  made.data = in.take(made.values * w);
  return made.data != nullptr;
}

namespace {

/// Values `from` to `from + n` of a column into records.
template <class U, class Column>
[[nodiscard]] bool join_some(Column& c, std::size_t all, std::size_t from, std::size_t n, std::byte* to,
                             std::size_t stride, workplace& work) noexcept {
  constexpr std::size_t w = sizeof(U);
  switch (c.form) {
  case column_form::raw: spread<U>(c.data + from * w, n, to, stride); return true;
  case column_form::constant: fill(load_le<U>(c.data), n, to, stride); return true;
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
    std::memset(work.bytes.data() + others * w, 0, w);
    c.used += choose_others(c.chosen + from / 8, work.bytes.data(), load_le<U>(c.base), n, to, stride);
    return true;
  }
  case column_form::palette: {
    auto* const chosen = reinterpret_cast<std::uint8_t*>(work.bytes.data());
    const std::size_t at = from / 8 * c.bits;
    unpack_bits(c.chosen + at, bytes_for(all * c.bits) - at, c.bits, n, chosen);
    return look_up<U>(chosen, c.base, c.values, n, to, stride);
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
      bool good = true;
      switch (c.width) {
      case 1: good = join_some<std::uint8_t>(c, n, from, here, at, stride, work); break;
      case 2: good = join_some<std::uint16_t>(c, n, from, here, at, stride, work); break;
      case 4: good = join_some<std::uint32_t>(c, n, from, here, at, stride, work); break;
      case 8: good = join_some<std::uint64_t>(c, n, from, here, at, stride, work); break;
      default: { // raw or constant
        const std::size_t apart = c.form == column_form::raw ? c.width : 0;
        for (std::size_t k = 0; k < here; ++k)
          std::memcpy(at + k * stride, c.data + (from + k) * apart, c.width);
      }
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
    if (!counts_of_runs_.number(n)) return; // they were all read before
    const std::size_t size = n * table_.stride(kind);
    gathered& mine = kinds_[kind];
    if (mine.next != nullptr) {
      std::memcpy(at, mine.next, size);
      mine.next += size;
    }
    at += size;
  }
}

} // namespace ingot::inline v1::detail
