// SPDX-License-Identifier: Apache-2.0
// Fields whose values are made when all of their pieces are known. Protobuf merges the pieces of a
// message, and documents and adapted classes can't be added to.
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
  bytes_view bytes; ///< of the value, with its length where the wire type has one
  wire type;
  bool begins; ///< the field's first occurrence in its message
};
struct field_pieces {
  std::vector<field_piece> all; ///< at least one, unless the field's values are keys
  std::size_t levels;           ///< how many more messages may be in each other
  std::uint32_t number;         ///< of the field
};
/// Makes the value of `to` from the pieces.
using build_field = bool (*)(reading& from, void* to, const field_pieces& pieces);

/// Its address tells an object from the first part of it.
template <class T>
inline constexpr char deferred_type = 0;

/// By the address of the object that the value is for. Objects that come to be at an address forget
/// what an earlier one there had: `make_absent` does it. O(1) each.
class deferred_fields {
public:
  [[nodiscard]] bool empty() const noexcept { return of_.empty(); }

  /// Adds a piece to the value that `how` makes. The pieces of another value of the object are
  /// forgotten.
  template <class T>
  void add(const T& object, build_field how, std::size_t levels, std::uint32_t number, field_piece piece) {
    begin(object, how, levels, number).all.push_back(piece);
  }
  /// Makes the object one that has pieces, of which none may come.
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
  /// Makes the value of `object` from its pieces, if it has any, and forgets them.
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
