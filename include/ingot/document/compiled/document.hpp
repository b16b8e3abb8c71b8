// SPDX-License-Identifier: Apache-2.0
// Definitions of document.hpp.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/document/detail/copy.hpp>
#include <ingot/document/detail/document_validator.hpp>
#include <ingot/document/detail/position_map.hpp>
#include <ingot/document/detail/shape_planner.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/validate.hpp>
#include <ingot/live/detail/growth_progress.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace ingot { inline namespace INGOT_V1 {

result<document> document::try_copy(const block_options& options) const {
  if (!core_) return document(none{});
  auto duplicate = begin(max_block_size{std::max<std::size_t>(options.max_size.bytes, core_->used())});
  if (!duplicate) return duplicate;
  if (auto filled = fill_canonical(*duplicate->core_, *core_, options.progress); !filled)
    return fail(filled.error());
  return duplicate;
}
result<document> document::in(std::span<std::byte> span) {
  auto memory = detail::block_memory<narrow_policy>::in_span(span);
  if (!memory) return fail(error{errc::no_space}.with_expected("space for the allocator and a header"));
  document created(nothing{});
  if (!created) return fail(no_memory_for_it());
  created.core_->begin(std::move(memory));
  return created;
}
result<document> document::open_unchecked(bytes_view bytes, max_block_size max_size) {
  auto copied = copy_in(bytes, max_size);
  if (copied) copied->core_->arena().start(static_cast<std::uint32_t>(bytes.size()), copied->core_->limit());
  return copied;
}
result<document> document::open_in_place(std::span<std::byte> bytes, progress_ref progress) {
  return open_borrowed(bytes, progress);
}
result<document> document::open_in_place_unchecked(std::span<std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0)
    return fail(error{errc::misaligned}.with_expected("an address that is a multiple of 8"));
  if (auto info = whole(bytes); !info) return fail(info.error());
  document opened(nothing{});
  if (!opened) return fail(no_memory_for_it());
  opened.core_->borrow(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  return opened;
}
result<void> document::try_compact(progress_ref progress) {
  if (!core_) return {};
  if (core_->in_place()) return detail::not_in_place();
  core fresh;
  auto memory = memory_of(core_->limit());
  if (!memory) return fail(errc::no_memory);
  fresh.begin(std::move(memory));
  if (auto filled = fill_canonical(fresh, *core_, progress); !filled) return filled;
  if (!take_over(fresh)) return fail(errc::no_memory);
  return {};
}
std::size_t document::trim() noexcept {
  if (!core_ || core_->in_place()) return 0;
  const std::size_t holes = core_->arena().free_bytes();
  core_->arena().forget_holes();
  core_->owned().drop_tail();
  return holes;
}

std::unexpected<error> document::not_in_place() { return detail::not_in_place(); }
result<void> document::fill_by(bool (*fill)(void*), void* by, progress_ref progress) {
  return detail::fill_with_progress(core_->owned(), progress, progress_ref::unknown,
                                    [&] { return fill(by); });
}
error document::no_memory_for_it() { return error{errc::no_memory}.with_expected("memory for a handle"); }
result<document> document::begin(max_block_size max_size) {
  auto memory = memory_of(max_size.bytes);
  if (!memory) return fail(error{errc::no_memory}.with_expected("address space for the maximum size"));
  document created(nothing{});
  if (!created) return fail(no_memory_for_it());
  created.core_->begin(std::move(memory));
  return created;
}
result<document_info> document::whole(bytes_view bytes) {
  auto info = peek_document(bytes);
  if (info && info->size != bytes.size()) return fail(error{errc::trailing_bytes, info->size});
  return info;
}
result<document> document::open_borrowed(std::span<std::byte> bytes, progress_ref progress) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0)
    return fail(error{errc::misaligned}.with_expected("an address that is a multiple of 8"));
  if (auto info = whole(bytes); !info) return fail(info.error());
  const auto used = static_cast<std::uint32_t>(bytes.size());
  detail::doc::position_bitmap claims(used);
  if (!claims) return fail(error{errc::no_memory}.with_expected("memory for a bitmap (1/64 of the bytes)"));
  detail::progress_tracker tracker(progress, used);
  detail::doc::document_validator validator(bytes.data(), used, claims.end(), &tracker);
  if (!validator.validate_unwritten()) return validator.failure();
  document opened(nothing{});
  if (!opened) return fail(no_memory_for_it());
  if (auto reported = tracker.finish(); !reported) return fail(reported.error());
  validator.write_uses(); // no error is possible after this
  opened.core_->borrow(bytes.data(), used);
  return opened;
}
result<document> document::copy_in(bytes_view bytes, max_block_size max_size) {
  if (auto info = whole(bytes); !info) return fail(info.error());
  auto memory = memory_of(std::max(max_size.bytes, bytes.size()));
  if (!memory || !memory.reaches(bytes.size())) return fail(errc::no_memory);
  document created(nothing{});
  if (!created) return fail(no_memory_for_it()); // before the copy: freed memory has to be zero
  std::memcpy(memory.start(), bytes.data(), bytes.size());
  created.core_->take(std::move(memory));
  return created;
}
result<document> document::validate_owned(document&& filled, std::size_t bytes,
                                          detail::progress_tracker& tracker, detail::block_growth* file) {
  const auto used = static_cast<std::uint32_t>(bytes);
  core& in = *filled.core_;
  commit_guard settle{in, used};
  detail::doc::document_validator validator(in.start(), used, in.arena().bitmap_end(), &tracker);
  if (!validator.validate_unwritten()) return validator.failure();
  if (auto reported = tracker.finish(); !reported) return fail(reported.error());
  // This error has no details: the caller passed `file`, and reads the reason of the failure there.
  if (file != nullptr && !file->begin(*file)) return fail(errc::io);
  validator.write_uses(); // no error is possible after this
  in.arena().adopt(used, in.limit());
  settle.settled = true;
  return std::move(filled);
}
bool document::take_over(core& fresh) noexcept {
  if (core_->owned().is_slot()) {
    core_->take(std::move(fresh.owned()));
  } else { // the document uses memory that it does not own: copy the bytes there
    const bytes_view canonical = fresh.bytes();
    if (!core_->owned().reaches(canonical.size())) return false;
    core_->owned().clear();
    std::memcpy(core_->start(), canonical.data(), canonical.size());
    core_->arena().copy_state(fresh.arena(), core_->limit());
  }
  core_->changes().note_all();
  return true;
}
void document::begin_here() noexcept {
  if (auto empty = begin(default_max_block_size)) core_ = std::move(empty->core_);
}
result<void> document::fill_canonical(core& to, const core& from, progress_ref progress) {
  constexpr std::size_t largest = detail::slot_layout<narrow_policy>::max_size;
  const auto fill = [&] { return rewrite_into(to, from); };
  for (;;) {
    auto filled = detail::fill_with_progress(to.owned(), progress, from.used(), fill);
    const std::size_t reserved = to.limit();
    if (filled || filled.error().code() != errc::no_memory || reserved >= largest) return filled;
    // `no_memory` also occurs if the block is full. If the block is mostly unused, a larger block
    // does not help.
    const bool full = to.arena().peak() > reserved / 2;
    auto larger = full ? memory_of(reserved < largest / 2 ? 2 * reserved : largest)
                       : detail::block_memory<narrow_policy>{};
    if (!larger || larger.limit() <= reserved) return filled;
    to.begin(std::move(larger));
  }
}
bool document::rewrite_into(core& to, const core& from) noexcept {
  detail::doc::shape_plan plan;
  return detail::doc::census(from.mem(), to.filling()).take(plan) &&
         detail::doc::copy_document(to, from.mem(), plan);
}

document_receive_buffer document::receive_buffer(std::size_t bytes, max_block_size max_size) {
  return {memory_of(std::max(max_size.bytes, bytes)), bytes};
}
result<document> document::open_received(document_receive_buffer&& from, detail::progress_tracker& tracker) {
  if (auto info = whole(from.bytes()); !info) return fail(info.error());
  document created(nothing{});
  if (!created) return fail(no_memory_for_it());
  created.core_->take(std::move(from.memory_));
  return validate_owned(std::move(created), std::exchange(from.size_, 0), tracker);
}
result<document> document::open(document_receive_buffer&& from, progress_ref progress) {
  detail::progress_tracker tracker(progress, from.size());
  return open_received(std::move(from), tracker);
}
result<document> document::open(bytes_view bytes, const block_options& options) {
  if (auto info = whole(bytes); !info) return fail(info.error());
  detail::progress_tracker tracker(options.progress, 2 * std::uint64_t{bytes.size()}, bytes.size());
  document_receive_buffer copied = receive_buffer(bytes.size(), options.max_size);
  if (!copied) return fail(errc::no_memory);
  if (!detail::copy_with_progress(copied.data(), bytes, tracker)) return tracker.cancelled();
  tracker.begin_pass();
  return open_received(std::move(copied), tracker);
}

}} // namespace ingot::INGOT_V1
