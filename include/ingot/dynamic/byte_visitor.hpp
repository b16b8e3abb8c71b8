// SPDX-License-Identifier: Apache-2.0
// Describes what each byte of a block, message or document is used for. A walk over all bytes
// reports them as pieces with a use; a `byte_visitor` receives the pieces.
#pragma once

#include <ingot/document/value.hpp>
#include <ingot/dynamic/value.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// Use of a range of bytes. Numbers and names never change, so programs may store them.
enum class byte_use : std::uint8_t {
  header,  ///< magic, version, flags, fingerprints, total length
  value,   ///< a stored value
  key,     ///< a stored key: of an entry, or of a member of a document
  place,   ///< a stored position: an anchor of a container, an end offset, a node's cell, a link
  count,   ///< a number of elements, or a length
  tag,     ///< a choice: an alternative, presence, a mask, the kind of a value
  storage, ///< attributes of a storage or node
  index,   ///< data for searches: hashes, tags, displacements; slot orders and keys of tree nodes
  padding, ///< zeros for alignment
  spare,   ///< unused: after the last element, in the place of an absent value, in a free slot
  hole,    ///< freed: not in any storage or node
};
/// Number of enumerators of `byte_use`.
inline constexpr std::size_t byte_uses = 11;

/// Returns the name of a use, such as "spare"; empty for a number that is not a use.
[[nodiscard]] constexpr std::string_view to_string(byte_use use) noexcept {
  constexpr std::array<std::string_view, byte_uses> names{
      "header", "value", "key", "place", "count", "tag", "storage", "index", "padding", "spare", "hole"};
  const auto number = static_cast<std::size_t>(use);
  return number < names.size() ? names[number] : std::string_view{};
}

/// Meaning of `byte_piece::number`, for bytes that are not a value.
enum class byte_number : std::uint8_t {
  none,
  natural, ///< an unsigned number
  place,   ///< position of the target of these bytes, from the beginning of the block or message
  id,      ///< 64 bits that are no quantity, such as a fingerprint or a seed
  text,    ///< no number: the bytes are ASCII text
};

/// Adjacent bytes that are one field or value, or several scalars of one type.
struct byte_piece {
  std::uint64_t offset = 0;           ///< from the beginning of the block or message, in bytes
  std::uint64_t length = 0;           ///< in bytes, at least 1
  byte_use use = byte_use::hole;      ///< use of the bytes
  byte_number is = byte_number::none; ///< meaning of `number`
  std::uint64_t number = 0;           ///< a number with the meaning `is`
  std::uint64_t first = 0;            ///< index of the first element, if the bytes are elements
  std::uint64_t count = 0;            ///< number of elements of `typed` or `plain`; 0 if none
  /// Description of bytes that are not a value, such as "capacity of the storage". The text is
  /// valid until the process ends.
  std::string_view what;
  dynamic_value typed; ///< the value that the bytes belong to, in blocks and messages
  value plain;         ///< the value that the bytes belong to, in documents
};

/// A step from a value to a part of it.
struct byte_step {
  /// Kind of part that the step leads to.
  enum class kind : std::uint8_t {
    member,  ///< the member `name`
    element, ///< the element `index`
    key,     ///< the key of an entry
    entry,   ///< the value of the entry with `key`
  };
  kind is = kind::member; ///< kind of the part
  std::size_t index = 0;
  std::string_view name; ///< name of a member
  dynamic_value key;     ///< key of an entry
};

/// Receives the use of all bytes, and the path to each value. Pieces that are reported between
/// `enter` and the matching `leave` belong to the entered part.
class byte_visitor {
public:
  /// Called before the pieces of a part.
  virtual void enter(const byte_step& to) = 0;
  /// Called after the pieces of a part, for the part that was entered last.
  virtual void leave() = 0;
  /// Called for each piece.
  virtual void bytes(const byte_piece& piece) = 0;

protected:
  byte_visitor() = default;
  byte_visitor(const byte_visitor&) = default;
  byte_visitor& operator=(const byte_visitor&) = default;
  ~byte_visitor() = default;
};

namespace detail {

/// Bitmap of the 8-byte units that a walk has visited. At the end of the walk, all other units are
/// free space. The bitmap takes 1/64 of the bytes.
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
  /// Calls `f` with the position and the length, in bytes, of each run of units that are not
  /// marked.
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

/// Reports pieces to a visitor.
class byte_map_emitter {
public:
  explicit byte_map_emitter(byte_visitor& to) noexcept : to_(to) {}

protected:
  /// Reports bytes without a number.
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
  /// Reports adjacent elements.
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
  byte_piece about_; ///< initial value of each piece; holds the current value
  bool in_key_ = false;
  /// Returns the use of stored bytes: key or value.
  [[nodiscard]] byte_use stored() const noexcept { return in_key_ ? byte_use::key : byte_use::value; }
};

} // namespace detail
}} // namespace ingot::INGOT_V1
