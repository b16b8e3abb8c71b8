// SPDX-License-Identifier: Apache-2.0
// Selects the form of each column. Tries every form on some records of the block, with the codec at
// its fastest level. The cost of a form is its size plus the time to read it. One cycle counts as a
// 64th of a byte.
#include "column_encoder.hpp"

#include <ingot/core/endian.hpp>

#include "column_forms.hpp"

#include <algorithm>
#include <cstring>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 15;
/// Minimum number of records that are split into columns. Fewer records are stored as rows.
constexpr std::size_t min_split = 16;

[[nodiscard]] compression fastest(const compression& how) noexcept {
  compression fast = how;
  fast.level = 1;
  return fast;
}
[[nodiscard]] bool append_byte(buffer& out, std::size_t n) noexcept {
  std::byte* const at = grow(out, 1);
  if (at == nullptr) return false;
  *at = static_cast<std::byte>(n);
  return true;
}
[[nodiscard]] bool append_number(buffer& out, std::size_t n) noexcept {
  for (; n >= 0x80; n >>= 7) {
    if (!append_byte(out, (n & 0x7FU) | 0x80U)) return false;
  }
  return append_byte(out, n);
}
[[nodiscard]] bool all_equal(const std::byte* values, std::size_t width, std::size_t n) noexcept {
  return n < 2 || std::memcmp(values, values + width, (n - 1) * width) == 0;
}

/// Calls `f(kind, begin, end)` for the runs of the bytes from `from` to `to`, in order. If a record
/// is only partly in this range, its part is passed as bytes (kind 0).
template <class F>
[[nodiscard]] bool for_each_run(const column_plan& plan, std::size_t from, std::size_t to, F&& f) {
  auto run = std::ranges::upper_bound(plan.runs, from, {}, &record_run::end);
  std::size_t begins = run == plan.runs.begin() ? 0 : std::prev(run)->end;
  std::size_t bytes_from = from; // beginning of bytes not passed to `f` yet
  const auto tell_bytes = [&](std::size_t end) { return end == bytes_from || f(0, bytes_from, end); };
  for (; begins < to && run != plan.runs.end(); begins = run->end, ++run) {
    if (run->kind == 0) continue;
    const std::size_t stride = plan.table.stride(run->kind);
    const std::size_t missing = begins < from ? (stride - (from - begins) % stride) % stride : 0;
    const std::size_t first = std::max(begins, from) + missing;
    const std::size_t last = std::min(run->end, to);
    if (first >= last || last - first < stride) continue;
    const std::size_t end = last - (last - first) % stride;
    if (!tell_bytes(first) || !f(run->kind, first, end)) return false;
    bytes_from = end;
  }
  return tell_bytes(to);
}

/// Returns the length of the i-th piece of a run, 16 to 32 KiB. The lengths differ, because a codec
/// would compress many equal lengths to almost nothing. Readers would reject the resulting
/// compression ratio.
[[nodiscard]] std::size_t piece_size(std::uint32_t i) noexcept {
  return (std::size_t{1} << 14) + (i * 0x9E37'79B1U >> 18);
}
/// As `for_each_run`, but if `in_pieces` is true, calls `f` for each piece of a run.
template <class F>
[[nodiscard]] bool for_each_piece(const column_plan& plan, std::size_t from, std::size_t to, bool in_pieces,
                                  F&& f) {
  std::uint32_t pieces = 0;
  return for_each_run(plan, from, to, [&](std::size_t kind, std::size_t begin, std::size_t end) {
    if (!in_pieces || kind == 0) return f(kind, begin, end);
    const std::size_t stride = plan.table.stride(kind);
    while (begin != end) {
      const std::size_t size = std::max<std::size_t>(piece_size(++pieces) / stride, 1) * stride;
      const std::size_t next = begin + std::min(size, end - begin);
      if (!f(kind, begin, next)) return false;
      begin = next;
    }
    return true;
  });
}

} // namespace

column_encoder::column_encoder(const column_plan& plan, bytes_view payload, const compression& how) noexcept
    : plan_(plan), payload_(payload), method_(how.method), trial_(fastest(how)) {}

codec_outcome column_encoder::split(std::size_t from, std::size_t size, split_form form,
                                    bytes_view& to) noexcept {
  split_.clear();
  if (form == split_form::plain) {
    const bool written = append_number(split_, 1) && append_byte(split_, 0) && append_number(split_, size) &&
                         append_byte(split_, static_cast<std::size_t>(record_form::rows)) &&
                         split_.append(payload_.subspan(from, size));
    to = split_;
    return written ? codec_outcome::done : codec_outcome::no_memory;
  }
  if (!gather(from, size, form == split_form::pieces)) return codec_outcome::no_memory;
  for (std::size_t kind = 0; kind < plan_.table.size(); ++kind) {
    if (kinds_[kind].records == 0) continue;
    if (const auto outcome = append_records(kind); outcome != codec_outcome::done) return outcome;
    if (split_.size() > max_split(size)) return codec_outcome::rejected;
  }
  to = split_;
  return codec_outcome::done;
}

bool column_encoder::gather(std::size_t from, std::size_t size, bool in_pieces) noexcept {
  for (std::size_t kind = 0; kind < plan_.table.size(); ++kind) kinds_[kind] = {};
  std::size_t runs = 0;
  static_cast<void>(for_each_piece(plan_, from, from + size, in_pieces,
                                   [&](std::size_t kind, std::size_t begin, std::size_t end) {
                                     kinds_[kind].records += (end - begin) / plan_.table.stride(kind);
                                     ++runs;
                                     return true;
                                   }));
  std::size_t used = 0;
  for (std::size_t kind = 0; kind < plan_.table.size(); ++kind) {
    kinds_[kind].begin = kinds_[kind].next = used;
    used += kinds_[kind].records * plan_.table.stride(kind);
  }
  if (!records_.resize(size) || !append_number(split_, runs)) return false;
  return for_each_piece(
             plan_, from, from + size, in_pieces,
             [&](std::size_t kind, std::size_t, std::size_t) { return append_byte(split_, kind); }) &&
         for_each_piece(
             plan_, from, from + size, in_pieces, [&](std::size_t kind, std::size_t begin, std::size_t end) {
               std::memcpy(records_.data() + kinds_[kind].next, payload_.data() + begin, end - begin);
               kinds_[kind].next += end - begin;
               return append_number(split_, (end - begin) / plan_.table.stride(kind));
             });
}

bool column_encoder::take_column(const std::byte* first, std::size_t stride, std::size_t width,
                                 std::size_t n) noexcept {
  if (!values_.resize(n * width)) return false;
  std::byte* to = values_.data();
  switch (width) {
  case 1:
    for (std::size_t i = 0; i < n; ++i) to[i] = first[i * stride];
    break;
  case 4:
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * 4, first + i * stride, 4);
    break;
  case 8:
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * 8, first + i * stride, 8);
    break;
  default:
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * width, first + i * stride, width);
  }
  return true;
}

codec_outcome column_encoder::append_records(std::size_t kind) noexcept {
  const gathered& mine = kinds_[kind];
  record_form form = record_form::rows;
  if (kind != 0 && mine.records >= min_split) {
    if (const auto outcome = choose(kind, form); outcome != codec_outcome::done) return outcome;
  }
  if (!append_byte(split_, static_cast<std::size_t>(form))) return codec_outcome::no_memory;
  const std::byte* at = records_.data() + mine.begin;
  const std::size_t stride = plan_.table.stride(kind);
  if (form == record_form::rows)
    return split_.append({at, mine.records * stride}) ? codec_outcome::done : codec_outcome::no_memory;
  std::size_t column = 0;
  for (const std::uint16_t width : plan_.table.widths(kind)) {
    if (!take_column(at, stride, width, mine.records)) return codec_outcome::no_memory;
    if (const auto outcome = append_column(width, mine.records, choices_[column++]);
        outcome != codec_outcome::done)
      return outcome;
    at += width;
  }
  return codec_outcome::done;
}

codec_outcome column_encoder::price(bytes_view bytes, std::size_t values, std::size_t each,
                                    std::size_t& estimate) noexcept {
  std::size_t length = bytes.size();
  if (method_ != codec::none && !bytes.empty()) {
    if (tried_.size() < bytes.size() && !tried_.resize(bytes.size())) return codec_outcome::no_memory;
    const auto outcome = trial_.encode(bytes, {tried_.data(), bytes.size()}, length);
    if (outcome == codec_outcome::no_memory) return outcome;
    if (outcome == codec_outcome::rejected) length = bytes.size();
  }
  estimate = length * 64 + values * each;
  return codec_outcome::done;
}

codec_outcome column_encoder::choose(std::size_t kind, record_form& form) noexcept {
  const gathered& mine = kinds_[kind];
  const std::size_t stride = plan_.table.stride(kind);
  const std::size_t n = std::min(mine.records, std::max<std::size_t>(sample_bytes / stride, 256));
  const std::byte* const first = records_.data() + mine.begin + (mine.records - n) / 2 * stride;
  std::size_t of_rows = 0;
  if (const auto outcome = price({first, n * stride}, n, 0, of_rows); outcome != codec_outcome::done)
    return outcome;
  std::size_t of_columns = 0;
  std::size_t column = 0;
  std::size_t offset = 0;
  for (const std::uint16_t width : plan_.table.widths(kind)) {
    if (!take_column(first + offset, stride, width, n)) return codec_outcome::no_memory;
    choice& best = choices_[column++];
    best = {};
    std::size_t min_cost = 0;
    auto outcome = price(values_, n, 1, min_cost);
    if (outcome != codec_outcome::done) return outcome;
    switch (width) {
    case 1: outcome = choose_column<std::uint8_t>(n, mine.records, best, min_cost); break;
    case 2: outcome = choose_column<std::uint16_t>(n, mine.records, best, min_cost); break;
    case 4: outcome = choose_column<std::uint32_t>(n, mine.records, best, min_cost); break;
    case 8: outcome = choose_column<std::uint64_t>(n, mine.records, best, min_cost); break;
    default: break;
    }
    if (outcome != codec_outcome::done) return outcome;
    of_columns += min_cost;
    offset += width;
  }
  if (of_columns < of_rows) form = record_form::columns;
  return codec_outcome::done;
}

template <class U>
codec_outcome column_encoder::choose_column(std::size_t n, std::size_t all, choice& best,
                                            std::size_t& min_cost) noexcept {
  const std::byte* const values = values_.data();
  if (all_equal(values, sizeof(U), n)) { // true for the sample; the whole column is checked later
    best.form = column_form::constant;
    min_cost = 64 * sizeof(U);
    return codec_outcome::done;
  }
  const auto consider = [&](column_form form, unsigned bits, bool written, std::size_t each,
                            std::size_t once) {
    if (!written) return codec_outcome::no_memory;
    std::size_t cost = 0;
    const auto outcome = price(bytes_view(encoded_).subspan(once), n, each, cost);
    if (outcome != codec_outcome::done) return outcome;
    cost += once * 64 * n / all; // the sample's share of the bytes stored once for the block
    if (cost < min_cost) {
      min_cost = cost;
      best = {form, bits};
    }
    return codec_outcome::done;
  };
  codec_outcome outcome = codec_outcome::done;
  if constexpr (sizeof(U) > 1) {
    encoded_.clear();
    const bool written =
        append_shuffled<U>(encoded_, n, [&](std::size_t i) { return value_at<U>(values, i); });
    outcome = consider(column_form::shuffled, 0, written, 1 + sizeof(U) / 4, 0);
    if (outcome != codec_outcome::done) return outcome;
  }
  encoded_.clear();
  outcome = consider(column_form::delta, 0, append_delta<U>(encoded_, values, n), 2 + sizeof(U) / 4, 0);
  if (outcome != codec_outcome::done) return outcome;
  encoded_.clear();
  outcome = consider(column_form::sparse, 0, append_sparse<U>(encoded_, values, n, tried_), 4, 0);
  if (outcome != codec_outcome::done) return outcome;
  found_palette<U> palette;
  if (!palette.find(values, n)) return outcome;
  for (const unsigned bits : {palette.bits(), 8U}) {
    if (sizeof(U) == 1 && bits == 8) break;
    encoded_.clear();
    const bool written = append_palette(encoded_, palette, bits, values, n);
    outcome = consider(column_form::palette, bits, written, 4, 2 + palette.values().size() * sizeof(U));
    if (outcome != codec_outcome::done || bits == 8) break;
  }
  return outcome;
}

namespace {

template <class U>
[[nodiscard]] bool append_as(buffer& out, column_form form, unsigned bits, const std::byte* values,
                             std::size_t n, buffer& storage) noexcept {
  const auto shuffled = [&] {
    return append_byte(out, static_cast<std::size_t>(column_form::shuffled)) &&
           append_shuffled<U>(out, n, [&](std::size_t i) { return value_at<U>(values, i); });
  };
  if (form == column_form::palette) {
    found_palette<U> palette;
    if (palette.find(values, n))
      return append_byte(out, static_cast<std::size_t>(form)) &&
             append_palette(out, palette, std::max(bits, palette.bits()), values, n);
    form = column_form::shuffled; // only the sample had few enough distinct values
  }
  if (form == column_form::sparse)
    return append_byte(out, static_cast<std::size_t>(form)) && append_sparse<U>(out, values, n, storage);
  if (form == column_form::delta)
    return append_byte(out, static_cast<std::size_t>(form)) && append_delta<U>(out, values, n);
  if (form == column_form::shuffled && sizeof(U) > 1) return shuffled();
  return append_byte(out, static_cast<std::size_t>(column_form::raw)) && out.append({values, n * sizeof(U)});
}

} // namespace

codec_outcome column_encoder::append_column(std::size_t width, std::size_t n, choice how) noexcept {
  const std::byte* const values = values_.data();
  const bool constant = all_equal(values, width, n);
  if (how.form == column_form::constant) how.form = column_form::sparse; // the sample was constant
  bool written = false;
  if (constant) {
    written = append_byte(split_, static_cast<std::size_t>(column_form::constant)) &&
              split_.append({values, width});
  } else {
    switch (width) {
    case 1: written = append_as<std::uint8_t>(split_, how.form, how.bits, values, n, tried_); break;
    case 2: written = append_as<std::uint16_t>(split_, how.form, how.bits, values, n, tried_); break;
    case 4: written = append_as<std::uint32_t>(split_, how.form, how.bits, values, n, tried_); break;
    case 8: written = append_as<std::uint64_t>(split_, how.form, how.bits, values, n, tried_); break;
    default:
      written = append_byte(split_, static_cast<std::size_t>(column_form::raw)) &&
                split_.append({values, n * width});
    }
  }
  return written ? codec_outcome::done : codec_outcome::no_memory;
}

}}} // namespace ingot::INGOT_V1::detail
