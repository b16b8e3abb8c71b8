// SPDX-License-Identifier: Apache-2.0
// Fields whose values are created when all their pieces are known. Protobuf merges the pieces of a
// message, but documents and adapted classes cannot be extended.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/light_standard.hpp>
#include <ingot/protobuf/detail/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

struct reading;

/// One occurrence of a field.
struct field_piece {
  bytes_view bytes; ///< the value, with its length prefix if the wire type has one
  wire type;
  bool begins; ///< true for the first occurrence in the message
};
struct field_pieces {
  /// The pieces in order. Empty only for a set or map whose first entries are already in the
  /// object.
  std::vector<field_piece> all;
  std::size_t levels;   ///< the number of levels that messages may still nest
  std::uint32_t number; ///< the number of the field
};
/// Creates the value of `to` from the pieces.
using build_field = bool (*)(reading& from, void* to, const field_pieces& pieces);

/// The address of this variable identifies the type `T`. An object is identified by its address and
/// its type, because an object and its first part have the same address.
template <class T>
inline constexpr char deferred_type = 0;

/// The pieces of values. A piece is found by the address of its object. A new object must discard
/// the pieces of an earlier object at its address; `make_absent` does this. O(1) for each call.
class deferred_fields {
public:
  [[nodiscard]] bool empty() const noexcept { return of_.empty(); }

  /// Adds a piece for the value that `how` creates. Discards pieces that were added for another
  /// type or with another `how`.
  template <class T>
  void add(const T& object, build_field how, std::size_t levels, std::uint32_t number, field_piece piece) {
    begin(object, how, levels, number).all.push_back(piece);
  }
  /// Marks the value of the object as deferred, even if no pieces follow. Returns the pieces of the
  /// object.
  template <class T>
  field_pieces& begin(const T& object, build_field how, std::size_t levels, std::uint32_t number) {
    entry& at = of_[std::addressof(object)];
    if (at.type != &deferred_type<T> || at.how != how) {
      at.type = &deferred_type<T>;
      at.how = how;
      at.pieces.all.clear();
    }
    at.pieces.levels = levels;
    at.pieces.number = number;
    return at.pieces;
  }
  /// Returns true if the object has pieces.
  template <class T>
  [[nodiscard]] bool has(const T& object) const noexcept {
    if (of_.empty()) [[likely]]
      return false;
    const auto at = of_.find(std::addressof(object));
    return at != of_.end() && at->second.type == &deferred_type<T>;
  }
  template <class T>
  void forget(const T& object) noexcept {
    if (!of_.empty()) [[unlikely]]
      of_.erase(std::addressof(object));
  }
  /// Creates the value of `object` from its pieces, if any, and discards the pieces.
  template <class T>
  [[nodiscard]] bool build(reading& from, T& object) {
    if (!has(object)) [[likely]]
      return true;
    const auto at = of_.find(std::addressof(object));
    const entry all = std::move(at->second);
    of_.erase(at);
    return all.how(from, std::addressof(object), all.pieces);
  }

private:
  struct entry {
    const void* type = nullptr;
    build_field how = nullptr;
    field_pieces pieces{};
  };
  std::unordered_map<const void*, entry> of_;
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
