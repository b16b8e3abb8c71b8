// SPDX-License-Identifier: Apache-2.0
// Changes of a document as a patch that updates a copy of the document. The patch contains the
// eight-byte units of nodes that have changed since an earlier state.
//
// Changes are found by comparing the document with the earlier state. Recording each write instead
// would make every edit slower and save little, because the receiver of a patch validates the whole
// document again. Validation takes many times as long as the comparison.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/moved_from.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/archive_format.hpp>
#include <ingot/document/detail/document_validator.hpp>
#include <ingot/document/document.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {
namespace detail::doc {

/// The eight-byte units that belong to nodes, as runs in ascending order. Validation of the
/// document claims these units: it sets their bits in a bitmap.
class claimed_units {
public:
  /// `end` is the end of the bitmap's first word, as in `bitmap_claims`. The next words of the
  /// bitmap are at lower addresses.
  claimed_units(const std::uint64_t* end, uint32_t units) noexcept : end_(end), units_(units) {}

  [[nodiscard]] bool has(uint32_t unit) const noexcept {
    return unit < units_ && (*(end_ - 1 - unit / 64) >> unit % 64 & 1) != 0;
  }
  /// If `claimed` is true, returns the first claimed unit from `unit` on; if false, the first unit
  /// that is not claimed. Returns the number of units if there is no such unit.
  [[nodiscard]] uint32_t next(uint32_t unit, bool claimed) const noexcept {
    while (unit < units_) {
      const std::uint64_t word = *(end_ - 1 - unit / 64);
      const std::uint64_t bits = (claimed ? word : ~word) >> unit % 64;
      if (bits != 0) return std::min<uint32_t>(units_, unit + static_cast<uint32_t>(std::countr_zero(bits)));
      unit = (unit / 64 + 1) * 64;
    }
    return units_;
  }

private:
  const std::uint64_t* end_;
  uint32_t units_;
};

/// Returns the unit at which the next poll is due; at most `end`, the end of a run of units.
[[nodiscard]] inline uint32_t until_poll(const progress_poll& by, uint32_t unit, uint32_t end) noexcept {
  return static_cast<uint32_t>(by.run_end(unit, end, 8));
}

/// Returns a fingerprint of a document's nodes and their positions, to detect that two states
/// differ. The fingerprint is not cryptographic. Each word is added to a sum by the step that XXH64
/// (Collet) uses for a last word of eight bytes; the final steps are also those of XXH64. For equal
/// words, a step maps different sums to different sums. For equal sums, a step maps different words
/// to different sums. So two states that differ in one word always have different fingerprints.
[[nodiscard]] inline std::uint64_t fingerprint_of(const std::byte* start, const claimed_units& claimed,
                                                  uint32_t root, progress_poll& by) noexcept {
  constexpr std::uint64_t p1 = 0x9E3779B185EBCA87;
  constexpr std::uint64_t p2 = 0xC2B2AE3D27D4EB4F;
  constexpr std::uint64_t p3 = 0x165667B19E3779F9;
  constexpr std::uint64_t p4 = 0x85EBCA77C2B2AE63;
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t word) {
    sum ^= std::rotl(word * p2, 31) * p1;
    sum = std::rotl(sum, 27) * p1 + p4;
  };
  add(root);
  for (uint32_t at = claimed.next(first_node / 8, true); claimed.has(at);) {
    const uint32_t end = claimed.next(at, false);
    add(at);
    for (uint32_t unit = at; unit < end;) {
      const uint32_t stop = until_poll(by, unit, end);
      for (; unit < stop; ++unit) add(load_le<std::uint64_t>(start + std::size_t{8} * unit));
      if (!by.should_continue(std::uint64_t{8} * unit)) return 0;
    }
    at = claimed.next(end, true);
  }
  sum = (sum ^ sum >> 33) * p2;
  sum = (sum ^ sum >> 29) * p3;
  return sum ^ sum >> 32;
}

/// Validates the copy of a document, then returns the fingerprint of its nodes. Progress counts two
/// passes. Validation marks the units of nodes in the bitmap that ends at `claims`. `claimed` must
/// read this bitmap, since the fingerprint is computed from the marked units.
[[nodiscard]] inline result<std::uint64_t> validate_copy(std::byte* start, std::uint64_t* claims,
                                                         const claimed_units& claimed, uint32_t size,
                                                         uint32_t root, progress_tracker& by) {
  by.begin_pass(size);
  document_validator validator(start, size, claims, &by);
  if (!validator.validate()) return validator.failure();
  by.begin_pass(size);
  progress_poll each(&by, size);
  const std::uint64_t state_fingerprint = fingerprint_of(start, claimed, root, each);
  if (each.stopped()) return by.cancelled();
  return state_fingerprint;
}
/// Copies bytes. `by` counts this as one pass.
[[nodiscard]] inline result<void> copy_by(std::byte* to, bytes_view from, progress_tracker& by) {
  by.begin_pass(from.size());
  if (!copy_with_progress(to, from, by)) return by.cancelled();
  return {};
}

/// Copied and validated bytes of a document.
class document_image {
public:
  /// Returns the number of bytes that `take` reports as progress.
  [[nodiscard]] static std::uint64_t passes_over(const core& in) noexcept {
    return 3 * std::uint64_t{in.mem().size};
  }
  [[nodiscard]] result<void> take(const core& in, progress_tracker& by) {
    const validated from = in.mem();
    const std::size_t words = std::size_t{from.size} / 512 + 1;
    bytes_.reset(new (std::nothrow) std::byte[from.size]);
    claims_.reset(new (std::nothrow) std::uint64_t[words]{});
    if (!bytes_ || !claims_) return fail(error{errc::no_memory}.with_expected("memory for a copy"));
    if (auto copied = copy_by(bytes_.get(), {from.start, from.size}, by); !copied) return copied;
    claims_end_ = claims_.get() + words;
    size_ = from.size;
    const auto found = validate_copy(bytes_.get(), claims_.get() + words, units(), size_, root(), by);
    if (!found) return fail(found.error());
    fingerprint_ = *found;
    return {};
  }

  [[nodiscard]] const std::byte* start() const noexcept { return bytes_.get(); }
  [[nodiscard]] uint32_t size() const noexcept { return size_; }
  [[nodiscard]] claimed_units units() const noexcept { return {claims_end_, size_ / 8}; }
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }
  [[nodiscard]] uint32_t root() const noexcept {
    return load<uint32_t>(bytes_.get() + offsetof(document_header, root));
  }
  /// Returns true if a unit has equal bytes in both images, and belongs to a node in `other`.
  [[nodiscard]] bool agrees(const document_image& other, uint32_t unit) const noexcept {
    const std::size_t at = std::size_t{8} * unit;
    return other.units().has(unit) && std::memcmp(start() + at, other.start() + at, 8) == 0;
  }

private:
  std::unique_ptr<std::byte[]> bytes_;
  std::unique_ptr<std::uint64_t[]> claims_;
  const std::uint64_t* claims_end_ = nullptr;
  std::uint64_t fingerprint_ = 0;
  uint32_t size_ = 0;
};

/// Header of a patch. The numbers of the header are little-endian on every machine. The units after
/// the header have the byte order of the document.
struct patch_header {
  static constexpr std::array<char, 4> expected_magic{'i', 'n', 'g', 'P'};
  static constexpr uint8_t current_version = 1;
  static constexpr std::size_t size = 32;

  std::uint64_t from = 0; ///< fingerprint of the base document
  std::uint64_t to = 0;   ///< fingerprint of the result
  uint32_t used = 0;      ///< end of the last node in the result
  uint32_t root = 0;

  void write(std::byte* at) const noexcept {
    std::memcpy(at, expected_magic.data(), 4);
    at[4] = std::byte{current_version};
    at[5] = std::byte{little_endian ? 0 : document_header::big_endian};
    at[6] = at[7] = std::byte{0};
    store_le(at + 8, from);
    store_le(at + 16, to);
    store_le(at + 24, used);
    store_le(at + 28, root);
  }
  [[nodiscard]] static result<patch_header> read(bytes_view patch) noexcept {
    if (patch.size() < size)
      return fail(error{errc::truncated, patch.size()}.with_expected("the 32 bytes of a header"));
    const std::byte* const at = patch.data();
    if (std::memcmp(at, expected_magic.data(), 4) != 0)
      return fail(error{errc::not_ingot}.with_expected("\"ingP\""));
    if (at[4] != std::byte{current_version})
      return fail(error{errc::wrong_version, 4}
                      .with_expected("version 1")
                      .with_found(std::to_integer<unsigned>(at[4])));
    if (at[5] != std::byte{little_endian ? 0 : document_header::big_endian})
      return fail(error{errc::layout_mismatch, 5}.with_expected("numbers in this machine's byte order"));
    if (at[6] != std::byte{0} || at[7] != std::byte{0}) return fail(errc::bad_padding, 6);
    const patch_header read{load_le<std::uint64_t>(at + 8), load_le<std::uint64_t>(at + 16),
                            load_le<uint32_t>(at + 24), load_le<uint32_t>(at + 28)};
    if (read.used < first_node || read.used % 8 != 0 || read.used > max_bytes)
      return fail(
          error{errc::bad_length, 24}.with_expected("the length of a document").with_found(read.used));
    return read;
  }
};

/// Writes the units of a patch to their positions in `to`, which has space for `used` bytes.
[[nodiscard]] inline result<void> write_units(bytes_view patch, std::byte* to, uint32_t used,
                                              progress_poll& by) noexcept {
  const auto end = static_cast<uint32_t>(patch.size());
  auto at = static_cast<uint32_t>(patch_header::size);
  uint32_t unit = first_node / 8;
  while (at != end) {
    const uint32_t begin = at;
    uint32_t skipped = 0;
    uint32_t count = 0;
    if (!read_length(patch.data(), at, end, skipped) || !read_length(patch.data(), at, end, count) ||
        skipped > used / 8 - unit || count > used / 8 - unit - skipped || count > (end - at) / 8)
      return fail(error{errc::bad_length, begin}.with_expected("units inside the document"));
    if (count == 0 || (skipped == 0 && begin != patch_header::size))
      return fail(error{errc::not_canonical, begin}.with_expected(
          "groups of changes with unchanged units between them"));
    unit += skipped;
    for (const uint32_t after = unit + count; unit < after;) {
      const uint32_t stop = until_poll(by, unit, after);
      const std::size_t bytes = std::size_t{8} * (stop - unit);
      std::memcpy(to + std::size_t{8} * unit, patch.data() + at, bytes);
      unit = stop;
      at += static_cast<uint32_t>(bytes);
      if (!by.should_continue(at)) return {}; // the caller checks the poll
    }
  }
  return {};
}

} // namespace detail::doc

/// A copy of the state of a document, to find later changes. A moved-from snapshot stores nothing:
/// `changes` then returns `invalid_value`, as it does for a moved-from document.
class document_snapshot {
public:
  /// Copies and validates the document. O(bytes). The total of `progress` is three times the bytes
  /// of the document. Errors: `no_memory`; `invalid_value` for a moved-from document; `cancelled`
  /// if `progress` returns false.
  [[nodiscard]] static result<document_snapshot> of(const document& now, progress_ref progress = {}) {
    if (!now) return nothing();
    detail::progress_tracker by(progress, detail::doc::document_image::passes_over(*now.core_), 0);
    document_snapshot snapshot;
    if (auto taken = snapshot.was_.take(*now.core_, by); !taken) return fail(taken.error());
    if (auto reported = by.finish(); !reported) return fail(reported.error());
    return snapshot;
  }

  /// Replaces the stored state by the current state. Returns a patch that `document::apply` uses to
  /// change a copy of the old state into the current state. O(bytes) of both states, however many
  /// bytes changed. The patch has 34 bytes, and up to 10 bytes for each unit of eight bytes that
  /// changed. If the document was compacted since the old state, all bytes count as changed. The
  /// total of `progress` is four times the bytes of the current state. After an error, the stored
  /// state is unchanged. Errors: `no_memory`; `invalid_value` for a moved-from document or
  /// snapshot; `cancelled` if `progress` returns false.
  [[nodiscard]] result<buffer> changes(const document& now, progress_ref progress = {}) {
    namespace doc = detail::doc;
    if (!now || was_.start() == nullptr) return nothing();
    const std::uint64_t once = now.core_->mem().size;
    detail::progress_tracker by(progress, doc::document_image::passes_over(*now.core_) + once, 0);
    doc::document_image is;
    if (auto taken = is.take(*now.core_, by); !taken) return fail(taken.error());
    by.begin_pass(once);
    detail::progress_poll each(&by, once);
    auto patch = detail::catch_bad_alloc([&] { return patch_to(is, each); });
    if (each.stopped()) return by.cancelled();
    if (!patch) return patch;
    if (auto reported = by.finish(); !reported) return fail(reported.error());
    was_ = std::move(is);
    return patch;
  }

private:
  document_snapshot() = default;
  [[nodiscard]] static std::unexpected<error> nothing() noexcept {
    return detail::moved_from("a document and a snapshot (one was moved from)");
  }

  [[nodiscard]] result<buffer> patch_to(const detail::doc::document_image& is,
                                        detail::progress_poll& by) const {
    namespace doc = detail::doc;
    detail::growing_buffer patch(doc::patch_header::size);
    const auto add_length = [&](std::uint32_t n) {
      for (; n >= 0x80; n >>= 7) patch.push_back(static_cast<std::byte>((n & 0x7F) | 0x80));
      patch.push_back(static_cast<std::byte>(n));
    };
    const doc::claimed_units claimed = is.units();
    std::uint32_t written = doc::first_node / 8; // end of the last unit in the patch
    std::uint32_t last = written;                // end of the last unit of a node
    for (std::uint32_t at = claimed.next(written, true); at < is.size() / 8; at = claimed.next(at, true)) {
      const std::uint32_t run = claimed.next(at, false);
      for (last = run; at < run; ++at) {
        const std::uint32_t begin = at;
        while (at < run && !is.agrees(was_, at)) ++at;
        if (!by.should_continue(std::uint64_t{8} * at)) return buffer();
        if (at == begin) continue;
        add_length(begin - written);
        add_length(at - begin);
        const std::byte* const units = is.start() + std::size_t{8} * begin;
        patch.append(bytes_view(units, std::size_t{8} * (at - begin)));
        written = at;
      }
    }
    doc::patch_header{was_.fingerprint(), is.fingerprint(), 8 * last, is.root()}.write(patch.data());
    return patch.take();
  }

  detail::doc::document_image was_;
};

inline result<void> document::apply(bytes_view patch, progress_ref progress) {
  namespace doc = detail::doc;
  const auto header = doc::patch_header::read(patch);
  if (!header) return fail(header.error());
  if (patch.size() > doc::max_bytes) return fail(errc::too_large);
  if (core_here() == nullptr) return fail(error{errc::no_memory}.with_expected("memory for a document"));
  if (core_->in_place() || header->used > core_->limit())
    return fail(error{errc::no_space, 24}.with_expected("space for the document").with_found(header->used));
  const std::uint32_t used = header->used;
  const std::uint32_t retained = std::min(core_->mem().size, used);
  detail::progress_tracker by(
      progress, doc::document_image::passes_over(*core_) + retained + patch.size() + 2 * std::uint64_t{used},
      0);
  doc::document_image was;
  if (auto taken = was.take(*core_, by); !taken) return taken;
  if (was.fingerprint() != header->from)
    return fail(error{errc::state_mismatch, 8}.with_expected("the document that the changes were made to"));

  auto memory = memory_of(core_->limit());
  if (!memory || !memory.reaches(used))
    return fail(error{errc::no_memory}.with_expected("memory for a copy"));
  core fresh;
  fresh.take(std::move(memory));
  commit_guard settle{fresh, used};
  if (auto copied = doc::copy_by(fresh.start(), {was.start(), retained}, by); !copied) return copied;
  doc::document_header head;
  head.used = used;
  head.root = header->root;
  std::memcpy(fresh.start(), &head, sizeof head);
  by.begin_pass(patch.size());
  detail::progress_poll each(&by, patch.size());
  if (auto written = doc::write_units(patch, fresh.start(), used, each); !written) return written;
  if (each.stopped()) return by.cancelled();
  std::uint64_t* const claims = fresh.arena().bitmap_end();
  const doc::claimed_units claimed(claims, used / 8);
  const auto found = doc::validate_copy(fresh.start(), claims, claimed, used, header->root, by);
  if (!found) return fail(found.error());
  if (!claimed.has(used / 8 - 1))
    return fail(error{errc::not_canonical, 24}.with_expected("the end of the last node").with_found(used));
  if (*found != header->to)
    return fail(error{errc::invalid_value, 16}.with_expected("the document that the changes lead to"));
  if (auto reported = by.finish(); !reported) return reported;
  settle.settled = true;
  fresh.arena().adopt(used, fresh.limit());
  if (!take_over(fresh)) return fail(errc::no_space);
  return {};
}

}} // namespace ingot::INGOT_V1
