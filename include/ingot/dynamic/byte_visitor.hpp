// SPDX-License-Identifier: Apache-2.0
// What each byte of a block, message or document is there for: the pieces in which a walk over all bytes
// comes by them, and the interface of whoever is told.
#pragma once

#include <ingot/document/value.hpp>
#include <ingot/dynamic/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// What bytes are there for. Numbers and names are for programs, too: they do not change.
enum class byte_use : std::uint8_t {
  header,  ///< of the whole: magic, version, flags, fingerprints, length
  value,   ///< what somebody stored
  key,     ///< the same, to find a value by: of an entry, or a member of a document
  place,   ///< where something is: anchors of containers, ends, cells, links
  count,   ///< how many there are, or how long something is
  tag,     ///< which of several: alternatives, presence, masks, kinds of values
  storage, ///< what a storage or node says of itself
  index,   ///< what searches look at: hashes, tags and steps of tables, orders and separators of trees
  padding, ///< zeros between what is aligned
  spare, ///< room that is not in use: behind the last element, of a value that is absent, in a slot that is free
  hole, ///< in no storage or node: what was there was freed
};
inline constexpr std::size_t byte_uses = 11;

/// Returns its name, such as "spare"; empty for a number that is no use.
[[nodiscard]] constexpr std::string_view to_string(byte_use use) noexcept {
  constexpr std::array<std::string_view, byte_uses> names{
      "header", "value", "key", "place", "count", "tag", "storage", "index", "padding", "spare", "hole"};
  const auto number = static_cast<std::size_t>(use);
  return number < names.size() ? names[number] : std::string_view{};
}

/// What the number in a piece means, if it is not a value's.
enum class byte_number : std::uint8_t {
  none,
  natural, ///< a number from 0
  place,   ///< a distance from the beginning of the block or message, to which the bytes lead
  id,      ///< 64 bits that are compared as a whole
  text,    ///< ASCII, as it stands
};

/// Adjacent bytes that are one thing, or several scalars of one type.
struct byte_piece {
  std::uint64_t offset = 0; ///< from the beginning of the block or message
  std::uint64_t length = 0; ///< at least 1
  byte_use use = byte_use::hole;
  byte_number is = byte_number::none;
  std::uint64_t number = 0;
  std::uint64_t first = 0; ///< of elements: which is the first
  std::uint64_t count = 0; ///< how many elements of `typed` or `plain` these are; 0: no elements
  std::string_view
      what; ///< in words, for what is no value: "capacity of the storage". Lives as long as the program
  dynamic_value typed; ///< the value, or the one for which the bytes are there; of blocks and messages
  value plain;         ///< the same, of documents
};

/// A step from a value to one inside it.
struct byte_step {
  enum class kind : std::uint8_t {
    member,  ///< of that name
    element, ///< of that number
    key,     ///< of an entry
    entry,   ///< the value of that key
  };
  kind is = kind::member;
  std::size_t index = 0;
  std::string_view name; ///< of a member
  dynamic_value key;     ///< of an entry
};

/// Is told of all bytes, and of the way to each: what is told between `enter` and the matching `leave`
/// belongs to that part.
class byte_visitor {
public:
  virtual void enter(const byte_step& to) = 0;
  virtual void leave() = 0;
  virtual void bytes(const byte_piece& piece) = 0;

protected:
  byte_visitor() = default;
  byte_visitor(const byte_visitor&) = default;
  byte_visitor& operator=(const byte_visitor&) = default;
  ~byte_visitor() = default;
};

namespace detail {

/// Which units of eight bytes a walk has come by; what is left over are holes. A 64th of the bytes.
class byte_marks {
public:
  explicit byte_marks(std::uint64_t bytes)
      : bytes_(bytes), words_(static_cast<std::size_t>(bytes / 512 + 1)) {}

  void mark(std::uint64_t from, std::uint64_t length) {
    for (std::uint64_t unit = from / 8; unit < (from + length + 7) / 8;) {
      std::uint64_t& word = words_[static_cast<std::size_t>(unit / 64)];
      const bool is_whole = unit % 64 == 0 && (from + length + 7) / 8 - unit >= 64;
      word |= is_whole ? ~std::uint64_t{0} : std::uint64_t{1} << unit % 64;
      unit += is_whole ? 64 : 1;
    }
  }
  [[nodiscard]] bool is_marked(std::uint64_t at) const {
    return (words_[static_cast<std::size_t>(at / 512)] >> at / 8 % 64 & 1) != 0;
  }
  /// Calls `f` with where each run of units that were not marked begins, and its length.
  template <class F>
  void for_each_hole(F&& f) const {
    for (std::uint64_t at = 0; at < bytes_;) {
      if (at % 512 == 0 && words_[static_cast<std::size_t>(at / 512)] == ~std::uint64_t{0}) {
        at += 512;
        continue;
      }
      const std::uint64_t from = at;
      while (at < bytes_ && !is_marked(at)) at += 8;
      if (at != from) f(from, (at < bytes_ ? at : bytes_) - from);
      else at += 8;
    }
  }

private:
  std::uint64_t bytes_;
  std::vector<std::uint64_t> words_;
};

/// Tells a visitor.
class byte_teller {
public:
  explicit byte_teller(byte_visitor& to) noexcept : to_(to) {}

protected:
  /// Bytes without a number.
  void say(std::uint64_t offset, std::uint64_t length, byte_use use, std::string_view what) {
    if (length == 0) return;
    byte_piece piece = about_;
    piece.offset = offset;
    piece.length = length;
    piece.use = use;
    piece.what = what;
    to_.bytes(piece);
  }
  void say(std::uint64_t offset, std::uint64_t length, byte_use use, std::string_view what, byte_number is,
           std::uint64_t number = 0) {
    byte_piece piece = about_;
    piece.offset = offset;
    piece.length = length;
    piece.use = use;
    piece.what = what;
    piece.is = is;
    piece.number = number;
    to_.bytes(piece);
  }
  /// Elements side by side.
  void say_elements(std::uint64_t offset, std::uint64_t length, std::uint64_t first, std::uint64_t count) {
    if (length == 0) return;
    byte_piece piece = about_;
    piece.offset = offset;
    piece.length = length;
    piece.use = stored();
    piece.first = first;
    piece.count = count;
    to_.bytes(piece);
  }

  byte_visitor& to_;
  byte_piece about_; ///< with the value that bytes are of at present
  bool in_key_ = false;
  /// What stored bytes are: of a key, or not.
  [[nodiscard]] byte_use stored() const noexcept { return in_key_ ? byte_use::key : byte_use::value; }
};

} // namespace detail
}} // namespace ingot::INGOT_V1
