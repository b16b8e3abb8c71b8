// SPDX-License-Identifier: Apache-2.0
// Protobuf's wire format, independent of C++ types and schemas: varints, tags and lengths. Reading
// checks the bounds. Writing takes one pass.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/config.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/protobuf/options.hpp>
#include <ingot/reflect/detail/bucket_watch.hpp>
#include <ingot/reflect/detail/element_cost.hpp>
#include <ingot/reflect/detail/range_text.hpp>
#include <ingot/reflect/enums.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

enum class wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, group = 3, end_group = 4, fixed32 = 5 };

/// Returns a set with one wire type, as a bit mask.
[[nodiscard]] constexpr unsigned mask_of(wire of) noexcept { return 1U << static_cast<unsigned>(of); }

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t n) noexcept {
  return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t n) noexcept {
  return static_cast<std::int64_t>(n >> 1 ^ (0 - (n & 1)));
}

/// Maximum length of a message, a string or bytes. Most readers store lengths in an int32.
inline constexpr std::size_t max_bytes = 0x7FFFFFFF;

[[nodiscard]] constexpr std::string_view wire_name(wire type) noexcept {
  switch (type) {
  case wire::varint: return "wire type 0 (varint)";
  case wire::fixed64: return "wire type 1 (64 bits)";
  case wire::bytes: return "wire type 2 (length-delimited)";
  case wire::group: return "wire type 3 (a group)";
  case wire::end_group: return "wire type 4 (the end of a group)";
  default: return "wire type 5 (32 bits)";
  }
}
/// Returns a description of the wire types of a field of known type. A list of scalars has two wire
/// types.
[[nodiscard]] constexpr std::string_view wire_names(unsigned wires) noexcept {
  const bool is_list = wires != mask_of(wire::bytes) && (wires & mask_of(wire::bytes)) != 0;
  for (const wire type : {wire::varint, wire::fixed64, wire::fixed32}) {
    if ((wires & mask_of(type)) == 0) continue;
    if (!is_list) return wire_name(type);
    return type == wire::varint    ? "wire type 0 (varint), or 2 for packed ones"
           : type == wire::fixed64 ? "wire type 1 (64 bits), or 2 for packed ones"
                                   : "wire type 5 (32 bits), or 2 for packed ones";
  }
  return wire_name(wire::bytes);
}

/// Progress is reported after this number of bytes, or a few more.
inline constexpr std::size_t progress_step = std::size_t{256} << 10;

/// Reads the fields of a message.
class wire_reader {
public:
  explicit wire_reader(bytes_view bytes, const options& how) noexcept
      : base_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()), levels_(how.max_depth),
        max_collisions_(how.max_collisions),
        memory_left_(ingot::detail::memory_limit(how.max_memory, bytes.size())), progress_(how.progress),
        size_(bytes.size()) {
    poll_from(progress_ ? 0 : size_);
  }

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }
  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] std::uint64_t offset() const noexcept { return static_cast<std::uint64_t>(at_ - base_); }
  /// Returns the offset of `part`. Requires that `part` is in the message.
  [[nodiscard]] std::uint64_t offset_of(bytes_view part) const noexcept {
    return static_cast<std::uint64_t>(part.data() - base_);
  }
  [[nodiscard]] ingot::detail::pending_error& why() noexcept { return why_; }

  /// Sets or clears the mark of an object that has no value yet, because its class rejects zero.
  /// The list of marks is short: at most one for each member of the types of the open messages, and
  /// one for each element of an array among these members.
  void set_lacking(const void* object, bool lacks) {
    const auto found = std::find(lacking_.begin(), lacking_.end(), object);
    if (lacks && found == lacking_.end()) lacking_.push_back(object);
    if (!lacks && found != lacking_.end()) lacking_.erase(found);
  }
  [[nodiscard]] bool is_lacking(const void* object) const noexcept {
    return std::find(lacking_.begin(), lacking_.end(), object) != lacking_.end();
  }

  INGOT_COLD bool fail(errc code, std::uint64_t offset, std::string_view expected) noexcept {
    why_ = error{code, offset}.with_expected(expected);
    return false;
  }
  /// Sets the error `out_of_range` and returns false. `bits` is a number that an integer of `size`
  /// bytes does not hold, in two's complement if `is_signed`.
  INGOT_COLD bool fail_integer(std::uint64_t offset, std::uint64_t bits, std::size_t size,
                               bool is_signed) noexcept {
    why_ = error{errc::out_of_range, offset}
               .with_expected(ingot::detail::integer_range_text(size, is_signed).view())
               .with_found(ingot::detail::number_text(bits, is_signed).view());
    return false;
  }
  /// Sets the error `bad_enum` and returns false. `bits` is the number that is no enumerator, in
  /// two's complement if `is_signed`.
  INGOT_COLD bool fail_enumerator(std::uint64_t offset, std::uint64_t bits, bool is_signed,
                                  bool of_flags) noexcept {
    why_ = error{errc::bad_enum, offset}
               .with_expected(ingot::detail::expected_enumerator(of_flags))
               .with_found(ingot::detail::number_text(bits, is_signed).view());
    return false;
  }

  /// Reads a varint of at most 64 bits. Also accepts encodings that are longer than necessary.
  [[nodiscard]] bool varint(std::uint64_t& out) noexcept {
    if (at_ != end_ && (*at_ & std::byte{0x80}) == std::byte{}) [[likely]] {
      out = std::to_integer<std::uint64_t>(*at_++);
      return true;
    }
    return long_varint(out);
  }
  /// Reads a little-endian number of `sizeof(U)` bytes.
  template <class U>
  [[nodiscard]] bool fixed(U& out) noexcept {
    if (left() < sizeof(U)) return truncated();
    out = ingot::load_le<U>(at_);
    at_ += sizeof(U);
    return true;
  }
  /// Reads a length, and then as many bytes as the length says.
  [[nodiscard]] bool run(bytes_view& out) noexcept {
    const std::uint64_t where = offset();
    std::uint64_t length = 0;
    if (!varint(length)) return false;
    if (length > left()) return fail(errc::truncated, where, "as many bytes as the length says");
    out = bytes_view(at_, static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
    return true;
  }
  [[nodiscard]] bool tag(std::uint32_t& number, wire& type) {
    if (at_ >= poll_at_ && !tell()) [[unlikely]]
      return false;
    const std::uint64_t where = offset();
    std::uint64_t tag = 0;
    if (!varint(tag)) return false;
    const auto low = static_cast<unsigned>(tag & 7);
    if (low > 5) return fail(errc::bad_variant, where, "a wire type from 0 to 5");
    if (tag >> 3 == 0 || tag >> 3 > 536'870'911)
      return fail(errc::out_of_range, where, "the number of a field, from 1 to 536870911");
    number = static_cast<std::uint32_t>(tag >> 3);
    type = static_cast<wire>(low);
    return true;
  }
  /// Skips the value of an unknown field. A group ends at the end tag with the number of the group.
  /// O(bytes), without recursion.
  [[nodiscard]] bool skip(std::uint32_t number, wire type) {
    if (type == wire::group || type == wire::end_group) [[unlikely]]
      return skip_group(number, type);
    return skip_value(type);
  }
  /// Rejects a known field with another wire type. `where` is the offset after the field's tag.
  INGOT_COLD bool reject_type(unsigned expected, wire found, std::uint64_t where) noexcept {
    why_ = error{errc::type_mismatch, where}.with_expected(wire_names(expected)).with_found(wire_name(found));
    return false;
  }

  /// The bytes around a part that is being read. `enter(inner)` restricts reading to `inner`, a
  /// part of the current bytes. Pass its result to `leave`.
  struct outer {
    const std::byte* at;
    const std::byte* end;
  };
  [[nodiscard]] outer enter(bytes_view inner) noexcept {
    const outer before{at_, end_};
    at_ = inner.data();
    end_ = inner.data() + inner.size();
    return before;
  }
  void leave(outer to) noexcept {
    at_ = to.at;
    end_ = to.end;
  }
  /// Call before bytes are read a second time, so that the second reading polls for cancellation,
  /// too.
  void poll_again() noexcept {
    if (progress_) poll_from(static_cast<std::size_t>(at_ - base_));
  }
  /// Reports the end of the message. Error: `cancelled`.
  [[nodiscard]] result<void> finish() {
    if (!progress_ || size_ == 0 || progress_(size_, size_)) return {};
    return ingot::fail(error{errc::cancelled, size_});
  }
  /// Returns the error of the failed reading.
  [[nodiscard]] std::unexpected<error> failure() {
    // The field at which the reading was cancelled is arbitrary, so the path is dropped.
    if (why_->code() == errc::cancelled) return ingot::fail(error{errc::cancelled, why_->offset()});
    return why_.failure();
  }

  /// Returns the unread bytes of the innermost message.
  [[nodiscard]] bytes_view rest() const noexcept { return {at_, left()}; }

  /// Enters a nested message. Call `shallower` at the end of the nested message.
  [[nodiscard]] bool deeper() noexcept {
    if (levels_ == 0)
      return fail(errc::too_deep, offset(), "messages nested no deeper than options::max_depth");
    --levels_;
    return true;
  }
  void shallower() noexcept { ++levels_; }
  /// Returns the number of levels that messages and groups may still nest.
  [[nodiscard]] std::size_t levels() const noexcept { return levels_; }
  void set_levels(std::size_t levels) noexcept { levels_ = levels; }

  [[nodiscard]] ingot::detail::collision_count& collisions() noexcept { return collisions_; }
  /// Subtracts memory for values of the message from the memory that the limit still allows. Error:
  /// `too_much_memory`.
  [[nodiscard]] bool take_memory(std::uint64_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return fail(errc::too_much_memory, offset(), ingot::detail::within_memory);
    memory_left_ -= bytes;
    return true;
  }
  /// Checks that `key` collides with few other keys of `out`. Call this directly after `key` was
  /// inserted into `out`. Error: `too_many_collisions`.
  template <class C, class Key>
  [[nodiscard]] bool keys_differ(C& out, const Key& key, std::uint64_t where) {
    return ingot::detail::has_few_collisions(collisions_, max_collisions_, out, key) ||
           fail(errc::too_many_collisions, where, ingot::detail::few_collisions);
  }

private:
  void poll_from(std::size_t position) noexcept {
    poll_at_ = base_ + (size_ - position > progress_step ? position + progress_step : size_);
  }
  [[nodiscard]] INGOT_NOINLINE bool tell() {
    const auto here = static_cast<std::size_t>(at_ - base_);
    if (here == size_) return true; // `finish` reports the end
    poll_from(here);
    if (here > last_reported_) last_reported_ = here;
    return progress_(last_reported_, size_) || fail(errc::cancelled, last_reported_, {});
  }
  INGOT_COLD bool truncated() noexcept { return fail(errc::truncated, offset(), "the rest of a field"); }
  [[nodiscard]] bool skip_value(wire type) noexcept {
    switch (type) {
    case wire::varint: {
      std::uint64_t ignored = 0;
      return varint(ignored);
    }
    case wire::fixed64: return skip_bytes(8);
    case wire::fixed32: return skip_bytes(4);
    default: {
      bytes_view ignored;
      return run(ignored);
    }
    }
  }
  [[nodiscard]] INGOT_NOINLINE bool skip_group(std::uint32_t number, wire type) {
    std::vector<std::uint32_t> open; // never longer than `levels_`
    const auto unpaired = [&] {
      return fail(errc::bad_variant, offset(), "the end of the group that was begun last");
    };
    if (type == wire::end_group) return unpaired();
    for (;;) {
      if (type == wire::group) {
        if (open.size() >= levels_)
          return fail(errc::too_deep, offset(), "groups nested no deeper than options::max_depth");
        open.push_back(number);
      } else if (type == wire::end_group) {
        if (open.back() != number) return unpaired();
        open.pop_back();
        if (open.empty()) return true;
      } else if (!skip_value(type)) {
        return false;
      }
      if (!tag(number, type)) return false;
    }
  }
  [[nodiscard]] bool skip_bytes(std::size_t n) noexcept {
    if (left() < n) return truncated();
    at_ += n;
    return true;
  }
  [[nodiscard]] INGOT_NOINLINE bool long_varint(std::uint64_t& out) noexcept {
    const std::byte* at = at_;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at == end_) return truncated();
      const auto byte = std::to_integer<std::uint64_t>(*at++);
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) {
        at_ = at;
        out = value;
        return true;
      }
    }
    return fail(errc::bad_length, offset(), "a varint of at most 64 bits");
  }

  const std::byte* base_;
  const std::byte* at_;
  const std::byte* end_;
  std::size_t levels_;
  std::uint32_t max_collisions_;
  std::uint64_t memory_left_;
  ingot::detail::collision_count collisions_; ///< total for all hashed containers of the message
  progress_ref progress_;
  std::size_t size_;
  std::size_t last_reported_ = 0;
  const std::byte* poll_at_ = nullptr; ///< a poll is due at the first field from this address on
  ingot::detail::pending_error why_;
  std::vector<const void*> lacking_;
};

/// Writes a message. The length of a nested message is inserted when the nested message is
/// complete. If the nested message has more than 127 bytes, all its bytes move to make space for
/// the length. So a byte moves once for each enclosing message of more than 127 bytes.
class wire_writer {
public:
  explicit wire_writer(const options& how) noexcept
      : levels_(how.max_depth), progress_(how.progress),
        poll_at_(how.progress ? progress_step : static_cast<std::size_t>(-1)) {}

  [[nodiscard]] ingot::detail::growing_buffer& out() noexcept { return out_; }
  [[nodiscard]] ingot::detail::pending_error& why() noexcept { return why_; }
  INGOT_COLD bool fail(errc code, std::string_view expected) noexcept {
    why_ = error{code, out_.size()}.with_expected(expected);
    return false;
  }

  void varint(std::uint64_t n) {
    std::array<std::byte, 10>
        bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
    std::size_t size = 0;
    for (; n > 0x7F; n >>= 7) bytes[size++] = static_cast<std::byte>(n | 0x80);
    bytes[size++] = static_cast<std::byte>(n);
    out_.append(bytes_view(bytes).first(size));
  }
  template <class U>
  void fixed(U n) {
    const std::size_t before = out_.size();
    out_.resize(before + sizeof(U));
    ingot::store_le(out_.data() + before, n);
  }
  void tag(std::uint32_t number, wire type) {
    varint(std::uint64_t{number} << 3 | static_cast<std::uint64_t>(type));
  }
  void run(std::string_view text) {
    varint(text.size());
    out_.append(text);
  }

  /// Starts a value with a length that is not known yet. Pass the result to `close`, which writes
  /// the length before the value.
  [[nodiscard]] std::size_t open() {
    out_.push_back(std::byte{});
    return out_.size();
  }
  [[nodiscard]] bool close(std::size_t start) {
    std::uint64_t length = out_.size() - start;
    if (length > max_bytes) return fail(errc::too_large, "a message of less than 2 GiB");
    std::size_t more = 0;
    for (std::uint64_t n = length; n > 0x7F; n >>= 7) ++more;
    if (more != 0) out_.insert_zeros(start, more);
    for (std::size_t i = start - 1; i < start + more; ++i, length >>= 7)
      out_[i] = static_cast<std::byte>(length > 0x7F ? length | 0x80 : length);
    return true;
  }
  /// Returns false if cancelled. Writers call this for each message and each element of a list.
  [[nodiscard]] bool should_continue() { return out_.size() < poll_at_ || tell(); }
  /// Reports the end of the message. Error: `cancelled`.
  [[nodiscard]] result<void> finish() {
    if (!progress_ || out_.empty() || progress_(out_.size(), out_.size())) return {};
    return ingot::fail(error{errc::cancelled, out_.size()});
  }
  /// Returns the error of the failed writing.
  [[nodiscard]] std::unexpected<error> failure() {
    if (why_->code() == errc::cancelled) return ingot::fail(error{errc::cancelled, why_->offset()});
    return why_.failure();
  }

  [[nodiscard]] bool deeper() {
    if (!should_continue()) [[unlikely]]
      return false;
    if (levels_ == 0) return fail(errc::too_deep, "messages nested no deeper than options::max_depth");
    --levels_;
    return true;
  }
  void shallower() noexcept { ++levels_; }

  /// Sorts the parts of the output by their bytes. Each part begins at one of `starts`, and ends at
  /// the next start or at the end of the output. The parts are the elements of an unordered
  /// container. After sorting, equal containers have equal bytes. Returns false if cancelled.
  [[nodiscard]] bool sort_since(const std::vector<std::size_t>& starts) {
    if (starts.size() < 2) return true;
    std::vector<bytes_view> parts;
    parts.reserve(starts.size());
    ingot::detail::growing_buffer copy;
    copy.append(bytes_view(out_).subspan(starts.front()));
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : out_.size();
      parts.emplace_back(copy.data() + (starts[i] - starts.front()), end - starts[i]);
    }
    const auto before = [](bytes_view a, bytes_view b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    const listener ask{this};
    ingot::detail::listener_poll each(ask);
    const bool is_complete =
        ingot::detail::cancellable_sort(parts.data(), parts.data() + parts.size(), before, each);
    each.rethrow();
    if (!is_complete) return false;
    out_.resize(starts.front());
    for (const bytes_view part : parts) out_.append(part);
    return true;
  }

private:
  struct listener {
    wire_writer* of;
    [[nodiscard]] bool operator()(std::uint64_t, std::uint64_t) const { return of->tell(); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->progress_); }
  };
  [[nodiscard]] INGOT_NOINLINE bool tell() {
    poll_at_ = out_.size() + progress_step;
    return progress_(out_.size(), progress_ref::unknown) || fail(errc::cancelled, {});
  }

  ingot::detail::growing_buffer out_;
  std::size_t levels_;
  progress_ref progress_;
  std::size_t poll_at_; ///< number of bytes at which the next poll is due
  ingot::detail::pending_error why_;
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
