// SPDX-License-Identifier: Apache-2.0
// Reads blocks with several threads. The calling thread fetches blocks into slots, in order. A slot
// holds one block until a thread has decoded the block. When all slots are full, the calling thread
// decodes too. All other threads only decode.
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/file/detail/sound_blocks.hpp>

#include "block_codec.hpp"
#include "blocks.hpp"
#include "column_decoder.hpp"
#include "threads.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Number of decoded bytes for which one thread is started. Starting a thread takes about a tenth
/// of the time for decoding these bytes. The number of blocks does not count, because untrusted
/// blocks may be as small as the format allows.
constexpr std::size_t decoded_by_a_thread = std::size_t{1} << 20;

/// Fetches a block. An uncompressed block is fetched to `to`. A compressed block is fetched to
/// `storage`, and `stored` is set to the bytes of the block.
[[nodiscard]] result<void> fetch(const block_table::location& block, std::size_t longest,
                                 block_source& source, std::span<std::byte> to, pages of,
                                 growing_memory* grows, buffer& storage, bytes_view& stored) {
  const auto target = to.subspan(block.raw_at, block.raw);
  const auto reach = [&] {
    if (grows != nullptr) grows->reach(block.raw_at + block.raw);
  };
  if (!block.is_compressed()) {
    reach();
    if (of == pages::fresh) prepare_pages(target);
    const auto got = source.get(block, target);
    if (!got) return fail(got.error());
    if (got->data() != target.data()) copy_bytes(target.data(), got->data(), target.size());
    return {};
  }
  storage.clear();
  // Reserves at most twice the length of this block, not the length of the longest block. Perhaps
  // only one of thousands of blocks is so long, and there are several buffers.
  if (!source.in_memory() &&
      (!storage.reserve(std::min(longest, 2 * block.stored)) || !storage.resize(block.stored)))
    return fail(source.located(error{errc::no_memory, block.at}.with_expected("memory for a block")));
  const auto got = source.get(block, {storage.data(), storage.size()});
  if (!got) return fail(got.error());
  stored = *got;
  reach(); // called after the read, so that the system can read ahead meanwhile
  return {};
}

/// Restores blocks: decompresses them and joins their columns. Each thread has its own object.
class block_restorer {
public:
  block_restorer(const block_table& table, pages of) noexcept
      : coding_(table.coding()), decoder_(coding_.method), pages_(of) {
    if (coding_.columns) columns_.emplace(table.kinds());
  }

  /// Restores all of `stored` and fills `to`, or rejects `stored`.
  [[nodiscard]] codec_outcome decode(bytes_view stored, std::span<std::byte> to) noexcept {
    if (pages_ == pages::fresh) asker_.prepare(to);
    if (!columns_) return decoder_.decode(stored, to);
    if (coding_.method == codec::none) return columns_->decode(stored, to);
    const std::size_t max_size = max_split(to.size());
    if (split_.size() < max_size && !split_.resize(max_size)) return codec_outcome::no_memory;
    std::size_t length = 0;
    const auto outcome = decoder_.decode_up_to(stored, {split_.data(), max_size}, length);
    return outcome == codec_outcome::done ? columns_->decode(bytes_view(split_).first(length), to) : outcome;
  }

private:
  block_coding coding_;
  block_decoder decoder_;
  /// set only if records are split into columns, because a `column_decoder` is large
  std::optional<column_decoder> columns_;
  buffer split_;
  pages pages_;
  page_asker asker_;
};

class reading {
public:
  reading(const block_table& table, block_source& source, std::span<std::byte> to, pages of,
          growing_memory* grows) noexcept
      : table_(table), source_(source), to_(to), pages_(of), grows_(grows), decoder_(table, of) {}

  [[nodiscard]] result<void> alone() {
    buffer storage;
    auto block = table_.first();
    for (std::size_t i = 0; i < table_.count(); ++i, block = table_.next(block)) {
      bytes_view stored;
      if (auto fetched = fetch(block, table_.longest(), source_, to_, pages_, grows_, storage, stored);
          !fetched)
        return fetched;
      if (!block.is_compressed()) continue;
      const auto outcome = decoder_.decode(stored, to_.subspan(block.raw_at, block.raw));
      if (outcome != codec_outcome::done) return fail(undecoded(outcome, block));
    }
    return {};
  }
  [[nodiscard]] result<void> together(std::size_t threads) {
    std::vector<slot> slots(2 * threads);
    slots_ = std::span(slots);
    {
      worker_threads others;
      // The destructor of `end` stops the work before the threads are joined, even if the progress
      // callback throws.
      const ending end(*this);
      others.start(threads - 1, &help, this);
      fetch_all();
      finish();
    }
    if (why_) return fail(*why_);
    return {};
  }

private:
  struct slot {
    buffer storage;
    bytes_view stored;
    block_table::location block;
    bool waits = false; ///< true if the slot's block is not decoded yet
  };

  [[nodiscard]] error undecoded(codec_outcome outcome, const block_table::location& block) const noexcept {
    const bool without_memory = outcome == codec_outcome::no_memory;
    error err{without_memory ? errc::no_memory : errc::bad_length, block.at};
    err.with_expected(without_memory ? "memory for the codec" : "a block that decompresses to its length");
    const block_coding coding = table_.coding();
    return source_.located(
        err.with_found(coding.method == codec::none ? "columns" : to_string(coding.method)));
  }
  static void* help(void* self) noexcept {
    static_cast<reading*>(self)->decode_until_end();
    return nullptr;
  }
  /// Fetches all blocks. Only the calling thread calls this. Fills one slot after the other. After
  /// the last slot, continues with the first slot. Threads take the blocks in the order in which
  /// the blocks were fetched.
  void fetch_all() {
    auto block = table_.first();
    for (std::size_t i = 0; i < table_.count(); ++i, block = table_.next(block)) {
      slot& mine = slots_[fetched_ % slots_.size()];
      std::unique_lock lock(mutex_);
      while (mine.waits && !why_) {
        if (!decode_next(lock, decoder_)) decoded_.wait(lock);
      }
      if (why_) return;
      lock.unlock();
      const auto got =
          fetch(block, table_.longest(), source_, to_, pages_, grows_, mine.storage, mine.stored);
      lock.lock();
      if (!got) {
        note(block.index, got.error());
        return;
      }
      if (!block.is_compressed()) continue;
      mine.block = block;
      mine.waits = true;
      ++fetched_;
      lock.unlock();
      work_.notify_one();
    }
  }
  void finish() {
    std::unique_lock lock(mutex_);
    while (decode_next(lock, decoder_)) {
    }
  }
  struct ending {
    explicit ending(reading& all) noexcept : all_(all) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;
    ~ending() {
      {
        const std::scoped_lock lock(all_.mutex_);
        all_.ended_ = true;
      }
      all_.work_.notify_all();
    }
    reading& all_;
  };
  void decode_until_end() {
    block_restorer decoder(table_, pages_);
    std::unique_lock lock(mutex_);
    for (;;) {
      if (decode_next(lock, decoder)) continue;
      if (ended_) return;
      if (grows_ != nullptr) {
        lock.unlock();
        const bool prepared = grows_->prepare_some();
        lock.lock();
        if (prepared || taken_ != fetched_ || ended_) continue;
      }
      work_.wait(lock);
    }
  }
  /// Decodes the first block that no thread has taken. Returns false if no block is left. Blocks
  /// after an invalid block are not decoded, because the error names the first invalid block.
  [[nodiscard]] bool decode_next(std::unique_lock<std::mutex>& lock, block_restorer& decoder) {
    if (taken_ == fetched_) return false;
    slot& mine = slots_[taken_++ % slots_.size()];
    if (!why_ || mine.block.index < wrong_) {
      lock.unlock();
      const auto outcome = decoder.decode(mine.stored, to_.subspan(mine.block.raw_at, mine.block.raw));
      lock.lock();
      if (outcome != codec_outcome::done) note(mine.block.index, undecoded(outcome, mine.block));
    }
    mine.waits = false;
    decoded_.notify_all();
    return true;
  }
  void note(std::size_t index, const error& err) {
    if (why_ && wrong_ < index) return;
    why_ = err;
    wrong_ = index;
  }

  const block_table& table_;
  block_source& source_;
  std::span<std::byte> to_;
  pages pages_;
  growing_memory* grows_;
  block_restorer decoder_; ///< for the calling thread
  std::span<slot> slots_;
  std::mutex mutex_;
  std::condition_variable work_;    ///< signals that there is work, or that all work is done
  std::condition_variable decoded_; ///< signals that a slot is free, or that an error occurred
  std::size_t fetched_ = 0;         ///< compressed blocks put into slots so far
  std::size_t taken_ = 0;           ///< blocks taken from slots so far
  bool ended_ = false;
  std::optional<error> why_;
  std::size_t wrong_ = 0;
};

} // namespace

result<void> read_blocks(const block_table& table, block_source& source, std::span<std::byte> to,
                         unsigned threads, pages of, growing_memory* grows) {
  reading all(table, source, to, of, grows);
  const std::size_t at_once = threads_for(table.count(), to.size() / decoded_by_a_thread, threads);
  return at_once == 1 ? all.alone() : all.together(at_once);
}

result<std::vector<lost_block>> read_sound_blocks(const file_info& info, bytes_view stored,
                                                  std::span<std::byte> to,
                                                  std::span<const stored_range> damaged) {
  return catch_bad_alloc([&]() -> result<std::vector<lost_block>> {
    if (!has_codec(info.method))
      return fail(error{errc::unsupported}
                      .with_expected("a library that was built with compression")
                      .with_found(to_string(info.method)));
    const block_coding coding{info.method, info.columns};
    if (stored.size() < coding.head_size())
      return fail(error{errc::truncated, stored.size()}.with_expected("blocks"));
    auto table = block_table::begin(coding, stored.size(), to.size(), stored.data());
    if (!table) return fail(table.error());
    buffer rest;
    if (!rest.append(stored.subspan(coding.head_size(), table->rest_size())))
      return fail(error{errc::no_memory}.with_expected("memory for the lengths of the blocks"));
    if (auto taken = table->take(std::move(rest)); !taken) return fail(taken.error());
    std::vector<lost_block> lost;
    block_restorer decoder(*table, pages::there);
    auto block = table->first();
    for (std::size_t i = 0; i < table->count(); ++i, block = table->next(block)) {
      const bytes_view bytes = stored.subspan(static_cast<std::size_t>(block.at), block.stored);
      const auto target = to.subspan(block.raw_at, block.raw);
      while (!damaged.empty() && damaged[0].at + damaged[0].size <= block.at) damaged = damaged.subspan(1);
      if (!damaged.empty() && damaged[0].at < block.at + block.stored) {
        std::fill(target.begin(), target.end(), std::byte{});
        lost.push_back({error{errc::bad_checksum, block.at}, block.stored, block.raw_at, block.raw});
        continue;
      }
      if (!block.is_compressed()) {
        copy_bytes(target.data(), bytes.data(), bytes.size());
        continue;
      }
      const auto outcome = decoder.decode(bytes, target);
      if (outcome == codec_outcome::done) continue;
      if (outcome == codec_outcome::no_memory)
        return fail(error{errc::no_memory, block.at}.with_expected("memory for the codec"));
      std::fill(target.begin(), target.end(), std::byte{});
      lost.push_back(
          {error{errc::bad_length, block.at}.with_expected("a block that decompresses to its length"),
           block.stored, block.raw_at, block.raw});
    }
    return lost;
  });
}

}}} // namespace ingot::INGOT_V1::detail
