// SPDX-License-Identifier: Apache-2.0
// Compresses each block to the position that the block would have if no block got smaller, so that
// no thread waits for another thread. Then moves the blocks together.
#include <ingot/core/endian.hpp>

#include "block_codec.hpp"
#include "blocks.hpp"
#include "column_encoder.hpp"
#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Number of bytes for which one thread is started. Starting a thread takes at most about a tenth
/// of the time for compressing these bytes.
[[nodiscard]] std::size_t encoded_by_a_thread(const compression& how, bool columns) noexcept {
  const bool zstd = how.method == codec::zstd;
  if (how.level > (zstd ? 3 : 2)) return std::size_t{1} << 15;
  return std::size_t{1} << (zstd || columns ? 18 : 20);
}

class writing {
public:
  writing(bytes_view bytes, const compression& how, progress_ref progress, const column_plan* plan)
      : bytes_(bytes), how_(how), progress_(progress), plan_(plan), coding_{how.method, plan != nullptr},
        block_(coding_.block_for(how.block, bytes.size())),
        count_(bytes.size() / block_ + (bytes.size() % block_ != 0 ? 1 : 0)) {
    if (plan != nullptr) kinds_ = plan->table.bytes();
  }

  [[nodiscard]] std::size_t head_size() const noexcept {
    return coding_.head_size() + kinds_.size() + 4 * count_;
  }
  /// Writes the head and the blocks to `target`. Requires that `target` has space for the head and
  /// all blocks uncompressed. Returns the number of bytes written.
  [[nodiscard]] result<std::size_t> write(std::byte* target) {
    head_ = target;
    blocks_ = target + head_size();
    store_le(head_, static_cast<std::uint32_t>(block_));
    if (coding_.columns) {
      store_le(head_ + 4, static_cast<std::uint32_t>(kinds_.size()));
      std::memcpy(head_ + 8, kinds_.data(), kinds_.size());
    }
    {
      worker_threads others;
      const std::size_t threads =
          threads_for(count_, bytes_.size() / encoded_by_a_thread(how_, coding_.columns), how_.threads);
      // The destructor of `end` stops the work before the threads are joined, even if the progress
      // callback throws.
      const ending end(*this);
      if (threads > 1) others.start(threads - 1, &help, this);
      encode_until_end(progress_);
    }
    if (cancelled_) return fail(error{errc::cancelled});
    if (without_memory_)
      return fail(
          error{errc::no_memory}.with_expected("memory for the codec").with_found(to_string(how_.method)));
    return move_together();
  }

private:
  struct ending {
    explicit ending(writing& all) noexcept : all_(all) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;
    ~ending() { all_.next_.store(all_.count_, std::memory_order_relaxed); }
    writing& all_;
  };
  [[nodiscard]] bytes_view raw(std::size_t index) const noexcept {
    return bytes_.subspan(index * block_, std::min(block_, bytes_.size() - index * block_));
  }
  [[nodiscard]] std::byte* length_at(std::size_t index) const noexcept {
    return head_ + coding_.head_size() + kinds_.size() + 4 * index;
  }

  static void* help(void* self) noexcept {
    static_cast<writing*>(self)->encode_until_end({});
    return nullptr;
  }
  /// Encodes blocks that no thread has taken, until none are left. The calling thread reports
  /// progress.
  void encode_until_end(progress_ref progress) {
    block_encoder encoder(how_);
    std::optional<column_encoder> columns;
    buffer storage; // for a block compressed by the codec alone
    if (plan_ != nullptr) columns.emplace(*plan_, bytes_, how_);
    for (;;) {
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= count_) return;
      const bytes_view block = raw(i);
      const std::size_t max_length =
          block.size() - block.size() / 100 * std::min(how_.min_saving_percent, 90U) - 1;
      std::size_t length = block.size();
      const std::span<std::byte> to{blocks_ + i * block_, max_length};
      const auto outcome = columns ? split_and_encode(*columns, encoder, storage, i, to, length)
                                   : encoder.encode(block, to, length);
      store_le(length_at(i), static_cast<std::uint32_t>(length));
      if (outcome == codec_outcome::no_memory) without_memory_ = true;
      const std::uint64_t done =
          std::min<std::uint64_t>(std::uint64_t{i} * block_ + block.size(), bytes_.size());
      if (!progress(done, 2 * std::uint64_t{bytes_.size()})) cancelled_ = true;
      if (without_memory_ || cancelled_) next_.store(count_, std::memory_order_relaxed);
    }
  }
  [[nodiscard]] codec_outcome split_and_encode(column_encoder& columns, block_encoder& encoder,
                                               buffer& storage, std::size_t index, std::span<std::byte> to,
                                               std::size_t& length) const noexcept {
    auto outcome = codec_outcome::rejected;
    // The compression ratio of columns and codec together may exceed the ratio that readers accept.
    // The form `pieces` hardly ever exceeds this ratio.
    for (const split_form form : {split_form::runs, split_form::pieces}) {
      bool too_short = false;
      outcome = encode_split(columns, encoder, form, index, to, length, too_short);
      if (!too_short) break;
    }
    // If records repeat, the codec without columns may give a shorter block. If there is no codec,
    // there is nothing to try.
    if (outcome == codec_outcome::no_memory || how_.method == codec::none) return outcome;
    const std::size_t max_length = outcome == codec_outcome::done ? length - 1 : to.size();
    if (storage.size() < max_length && !storage.resize(max_length)) return codec_outcome::no_memory;
    std::size_t plain_length = 0;
    bool too_short = false;
    const auto of_plain = encode_split(columns, encoder, split_form::plain, index,
                                       {storage.data(), max_length}, plain_length, too_short);
    if (of_plain != codec_outcome::done) return of_plain == codec_outcome::no_memory ? of_plain : outcome;
    std::memcpy(to.data(), storage.data(), plain_length);
    length = plain_length;
    return codec_outcome::done;
  }
  /// Splits and encodes a block in one form. Returns `rejected` if the result is too long. If
  /// readers would reject the compression ratio, also returns `rejected`, and sets `too_short`.
  [[nodiscard]] codec_outcome encode_split(column_encoder& columns, block_encoder& encoder, split_form form,
                                           std::size_t index, std::span<std::byte> to, std::size_t& length,
                                           bool& too_short) const noexcept {
    bytes_view split;
    auto outcome = columns.split(index * block_, raw(index).size(), form, split);
    if (outcome != codec_outcome::done) return outcome;
    std::size_t encoded_length = split.size();
    if (how_.method != codec::none) {
      outcome = encoder.encode(split, to, encoded_length);
      if (outcome != codec_outcome::done) return outcome;
    } else if (encoded_length <= to.size()) {
      std::memcpy(to.data(), split.data(), encoded_length);
    } else {
      return codec_outcome::rejected;
    }
    too_short = !can_become(coding_, encoded_length, raw(index).size());
    if (too_short) return codec_outcome::rejected;
    length = encoded_length;
    return codec_outcome::done;
  }
  [[nodiscard]] result<std::size_t> move_together() {
    std::byte* to = blocks_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (progress_ && !progress_(bytes_.size(), 2 * std::uint64_t{bytes_.size()}))
        return fail(errc::cancelled);
      const std::size_t length = load_le<std::uint32_t>(length_at(i));
      const bytes_view block = raw(i);
      std::memmove(to, length == block.size() ? block.data() : blocks_ + i * block_, length);
      to += length;
    }
    return static_cast<std::size_t>(to - head_);
  }

  bytes_view bytes_;
  const compression& how_;
  progress_ref progress_;
  const column_plan* plan_;
  block_coding coding_;
  std::vector<std::byte> kinds_;
  std::size_t block_;
  std::size_t count_;
  std::byte* head_ = nullptr;
  std::byte* blocks_ = nullptr;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> without_memory_ = false;
  std::atomic<bool> cancelled_ = false;
};

} // namespace

result<bool> append_blocks(buffer& out, bytes_view bytes, const compression& how, progress_ref progress,
                           const column_plan* plan) {
  writing all(bytes, how, progress, plan);
  if (bytes.size() > std::numeric_limits<std::size_t>::max() / 2 - all.head_size())
    return fail(error{errc::no_memory}.with_expected("memory for the blocks"));
  const auto target = out.prepare(all.head_size() + bytes.size());
  if (target.size() < all.head_size() + bytes.size())
    return fail(error{errc::no_memory}.with_expected("memory for the blocks"));
  const auto written = all.write(target.data());
  if (!written) return fail(written.error());
  if (*written >= bytes.size()) return false;
  out.commit(*written);
  return true;
}

result<block_coding> append_smaller(buffer& out, bytes_view bytes, const compression& how,
                                    const column_plan& plan, progress_ref progress) {
  const block_coding coding{how.method, plan.splits()};
  if (coding.is_none()) return coding;
  const auto smaller = append_blocks(out, bytes, how, progress, coding.columns ? &plan : nullptr);
  if (!smaller) return fail(smaller.error());
  return *smaller ? coding : block_coding{};
}

}}} // namespace ingot::INGOT_V1::detail
