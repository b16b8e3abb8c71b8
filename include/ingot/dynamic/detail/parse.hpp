// SPDX-License-Identifier: Apache-2.0
// Parses the bytes of a layout description, which may be untrusted, into tables.
#pragma once

#include <ingot/core/detail/light_standard.hpp>
#include <ingot/core/detail/pending_error.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/check.hpp>
#include <ingot/dynamic/detail/identity.hpp>
#include <ingot/dynamic/detail/layout_tag_validator.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/live/detail/different_block.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

/// Maximum length of a description in bytes. `max_types` is the maximum number of types.
inline constexpr std::size_t max_layout_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_types = 1U << 16;

class layout_parser {
public:
  explicit layout_parser(tables& to) noexcept : to_(to), bytes_(to.bytes) {}

  /// Parses all of `tables::bytes`. If the bytes are no description, sets the error and returns
  /// false. Takes up to about 160 bytes of memory for each byte of the description.
  [[nodiscard]] bool parse() {
    if (!head()) return false;
    const std::uint64_t count = number();
    if (bad_) return truncated();
    if (count == 0 || count > max_types) return reject(errc::bad_length, "1 to 65536 types");
    if (count > left() / 4) return truncated();
    // Allocates all types at once, so that references to types stay valid while types are read.
    if (to_.types.extend(static_cast<std::size_t>(count)) == nullptr) return no_memory();
    for (type& each : to_.types) {
      each = {};
      if (!positions_.push(at_)) return no_memory();
      if (!read_type(each)) return false;
    }
    if (at_ != end_) return reject(errc::trailing_bytes, "no bytes after the last type");
    layout_tag_validator encoding(to_);
    if (!encoding.run()) return reject_type(encoding.fault());
    layout_validator check(to_, model_sizes_);
    if (!check.run()) return reject_type(check.fault());
    switch (find_layout_id(to_, computed_id_)) {
    case identity::found: break;
    case identity::too_long:
      return reject_at(errc::too_large, 24, "types that can be walked in a bounded number of steps");
    case identity::no_memory: return no_memory();
    }
    return computed_id_ == to_.layout_id ||
           reject_at(errc::invalid_value, 8, "the layout_id of the types that follow");
  }
  [[nodiscard]] std::unexpected<error> failure() noexcept { return why_.failure(); }
  /// Returns the `layout_id` of the types; 0 until they are validated.
  [[nodiscard]] std::uint64_t computed_id() const noexcept { return computed_id_; }

private:
  bool reject(errc code, std::string_view expected) { return reject_at(code, at_, expected); }
  INGOT_COLD bool reject_at(errc code, std::size_t at, std::string_view expected) {
    why_ = error{code, at}.with_expected(expected);
    return false;
  }
  bool truncated() { return reject(errc::truncated, "a whole description"); }
  bool no_memory() { return reject_at(errc::no_memory, 0, "memory for the description"); }
  INGOT_COLD bool reject_type(const layout_fault& fault) {
    if (fault.code == errc::no_memory) return no_memory();
    why_ = error{fault.code, positions_[fault.type]}
               .with_expected(fault.expected)
               .with_found(to_string(to_.types[fault.type].kind));
    return false;
  }

  // Bytes.

  [[nodiscard]] std::size_t left() const noexcept { return end_ - at_; }
  std::uint8_t byte() noexcept {
    if (left() == 0) return bad_ = true, std::uint8_t{0};
    return std::to_integer<std::uint8_t>(bytes_[at_++]);
  }
  std::uint64_t number() noexcept {
    std::uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t b = byte();
      // Each number has one encoding: it has at most 64 bits, and its last byte is not zero, except
      // for zero itself.
      if (bad_ || (shift == 63 && b > 1) || (shift != 0 && b == 0)) return bad_ = true, std::uint64_t{0};
      n |= std::uint64_t{b & 0x7FU} << shift;
      if (b < 0x80) return n;
    }
  }
  std::uint64_t word() noexcept {
    if (left() < 8) return bad_ = true, std::uint64_t{0};
    at_ += 8;
    return load_le<std::uint64_t>(bytes_.data() + (at_ - 8));
  }
  std::string_view text() noexcept {
    const std::uint64_t size = number();
    if (bad_ || size > left()) return bad_ = true, std::string_view{};
    at_ += static_cast<std::size_t>(size);
    return {reinterpret_cast<const char*>(bytes_.data()) + (at_ - static_cast<std::size_t>(size)),
            static_cast<std::size_t>(size)};
  }
  bound limit_bound() noexcept {
    bound b;
    const std::uint8_t which = byte();
    const std::uint64_t bits = word();
    // Only negative numbers are stored as `negative`.
    bad_ = bad_ || which > 2 || (which == 0 && bits >> 63 == 0);
    b.which = static_cast<bound::kind>(which);
    if (b.which == bound::kind::negative) b.negative = static_cast<std::int64_t>(bits);
    else if (b.which == bound::kind::natural) b.natural = bits;
    else b.real = std::bit_cast<double>(bits);
    return b;
  }

  [[nodiscard]] bool head() {
    end_ = bytes_.size();
    if (bytes_.size() < layout_head + 8) return at_ = bytes_.size(), truncated();
    if (std::memcmp(bytes_.data(), layout_magic.data(), layout_magic.size()) != 0)
      return reject(errc::not_ingot, "\"ingY\"");
    at_ = 4;
    const std::uint8_t version = byte();
    const std::uint8_t flags = byte();
    if (version != layout_version) return reject_at(errc::wrong_version, 4, "version 3");
    constexpr unsigned every_flag = layout_is_big_endian | layout_is_wide | layout_lacks_protobuf;
    if ((flags & ~every_flag) != 0 || bytes_[6] != std::byte{0} || bytes_[7] != std::byte{0})
      return reject_at(errc::bad_padding, 5, "no unknown flags");
    if (((flags & layout_is_big_endian) != 0) == little_endian) return why_ = other_byte_order(), false;
    to_.offset = (flags & layout_is_wide) != 0 ? 8 : 4;
    to_.lacks_protobuf = (flags & layout_lacks_protobuf) != 0;
    at_ = 8;
    to_.layout_id = word();
    to_.schema_id = word();
    end_ -= 8;
    if (load_le<std::uint64_t>(bytes_.data() + end_) != seal_of(bytes_.first(end_)))
      return reject_at(errc::invalid_value, end_, "the hash of the bytes in front of it");
    return true;
  }

  // Types.

  bool add_part(type& of, std::uint64_t index) {
    part one;
    one.type = static_cast<std::uint32_t>(std::min<std::uint64_t>(index, ~std::uint32_t{0}));
    if (!keep(to_.parts, one)) return false;
    ++of.parts;
    return !bad_;
  }
  /// Appends an entry to a table. Returns false if there is no memory; reading then ends.
  template <class T>
  [[nodiscard]] bool keep(table<T>& in, const T& one) noexcept {
    if (in.push(one)) return true;
    out_of_memory_ = true;
    bad_ = true;
    return false;
  }
  [[nodiscard]] static std::uint32_t index_of_next(std::size_t count) noexcept {
    return static_cast<std::uint32_t>(count); // fits: each entry takes at least a byte
  }
  [[nodiscard]] bool read_type(type& of) {
    of.kind = static_cast<dynamic_kind>(byte());
    of.flags = byte();
    of.size = number();
    of.alignment = byte();
    of.first = index_of_next(to_.parts.size());
    if (bad_) return truncated();
    const std::size_t position = positions_[positions_.size() - 1];
    if (!is_known(of.kind)) {
      why_ = error{errc::bad_enum, position}
                 .with_expected("a kind of type that exists")
                 .with_found(static_cast<std::uint64_t>(of.kind));
      return false;
    }
    if (of.size == 0 || of.size > largest_size || of.alignment == 0 || of.alignment > 16 ||
        !std::has_single_bit(of.alignment))
      return reject_at(errc::out_of_range, position, "a size, and an alignment of up to 16");
    read_rest(of);
    if (out_of_memory_) return no_memory();
    if (bad_) return truncated();
    return true;
  }
  void read_rest(type& of) {
    switch (of.kind) {
    case dynamic_kind::enumeration: return read_enumerators(of);
    case dynamic_kind::duration:
      add_part(of, number());
      of.extent = number();
      of.divisor = number();
      return;
    case dynamic_kind::time_point: add_part(of, number()); return;
    case dynamic_kind::bitset: of.extent = number(); return;
    case dynamic_kind::array:
      of.extent = number();
      add_part(of, number());
      return;
    case dynamic_kind::pair: {
      const std::uint64_t second = number();
      if (!add_part(of, number()) || !add_part(of, number())) return;
      to_.parts[of.first].name = "first";
      to_.parts[of.first + 1].name = "second";
      to_.parts[of.first + 1].offset = second;
      return;
    }
    case dynamic_kind::ref:
    case dynamic_kind::record: return read_members(of);
    case dynamic_kind::variant: {
      if (of.has(has_tag_key)) of.tag_key = text();
      const std::uint64_t count = number();
      if (count == 0 || count > 256) bad_ = true;
      for (std::uint64_t i = 0; i < count && !bad_; ++i) {
        const std::string_view name = text();
        if (add_part(of, number())) to_.parts[to_.parts.size() - 1].name = name;
      }
      return;
    }
    case dynamic_kind::map:
    case dynamic_kind::multimap:
    case dynamic_kind::flat_map:
      if (add_part(of, number())) add_part(of, number());
      return;
    case dynamic_kind::value: return; // a value of any kind contains its own description
    case dynamic_kind::hash_map:
      for (int i = 0; i < 3 && !bad_; ++i) add_part(of, number());
      return;
    default:
      if (is_container(of.kind)) add_part(of, number());
      if (of.kind == dynamic_kind::optional && of.has(has_model)) read_model(of);
      return;
    }
  }
  void read_enumerators(type& of) {
    of.name = text();
    of.first = index_of_next(to_.enumerators.size());
    const std::uint64_t count = number();
    if (bad_ || count > left() / 9) {
      bad_ = true;
      return;
    }
    for (std::uint64_t i = 0; i < count && !bad_; ++i) {
      const std::uint64_t value = word();
      if (!keep(to_.enumerators, {value, text()})) return;
      of.extent |= value;
    }
    of.parts = static_cast<std::uint32_t>(count);
  }
  /// Reads the members of a record. Their types are separate entries of the description.
  void read_members(type& of) {
    of.name = text();
    if (of.has(has_version)) of.extent = number();
    const std::uint64_t count = number();
    if (bad_ || count > left() / 4) {
      bad_ = true;
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string_view name = text();
      const std::uint64_t offset = number();
      if (!add_part(of, number())) return;
      part& new_part = to_.parts[to_.parts.size() - 1];
      new_part.name = name;
      new_part.offset = offset;
      new_part.limits = byte();
      if ((new_part.limits & ~unsigned{every_limit_flag}) != 0) bad_ = true;
      if (new_part.limits == 0) continue;
      new_part.limit = index_of_next(to_.limits.size());
      limit limits;
      if ((new_part.limits & has_range) != 0) {
        limits.low = limit_bound();
        limits.high = limit_bound();
      }
      if ((new_part.limits & has_max_size) != 0) limits.max_size = number();
      if (!keep(to_.limits, limits)) return;
    }
  }
  /// Reads the model of an optional: the bytes in the place of its value when there is no value.
  /// The length of the model is the size of the value's type. The description also stores this
  /// length, because the value's type may follow the optional in the description.
  void read_model(type& of) {
    const std::uint64_t size = number();
    if (bad_ || size > left()) {
      bad_ = true;
      return;
    }
    of.model = index_of_next(to_.models.size());
    if (!keep(to_.models, {bytes_.data() + at_, 0, 0}) || !keep(model_sizes_, size)) return;
    at_ += static_cast<std::size_t>(size);
  }

  tables& to_;
  bytes_view bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool bad_ = false;
  bool out_of_memory_ = false;
  pending_error why_;
  std::uint64_t computed_id_ = 0;
  table<std::size_t> positions_; ///< position of each type in the bytes
  table<std::uint64_t> model_sizes_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
