// SPDX-License-Identifier: Apache-2.0
// Reads google.protobuf.Value, Struct and ListValue as events. Open containers are on an explicit
// stack, so that the input does not control the use of machine stack.
#pragma once

#include <ingot/core/detail/float_tests.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/schema/detail/proto_shape.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

using ingot::detail::known_message;

/// Every whole number up to this number can be represented as a double.
inline constexpr std::int64_t max_exact = std::int64_t{1} << 53;

class value_reading {
public:
  /// `levels` is the maximum nesting depth, including the outermost message.
  value_reading(wire_reader& in, document_events& to, std::size_t levels) noexcept
      : in_(in), to_(to), levels_(levels) {}

  /// Emits the message that consists of these pieces; there must be at least one piece. If a
  /// scalar, an alternative or an entry with the same key is repeated, the last occurrence counts.
  /// All other fields are merged. O(n log n).
  [[nodiscard]] bool run(known_message what, const std::vector<bytes_view>& pieces) {
    bool good = what == known_message::structure ? begin_object(pieces, 1)
                : what == known_message::list    ? begin_array(pieces, 1)
                                                 : value(pieces, 1);
    while (good && !open_.empty()) good = step();
    if (!good && failed_) add_path();
    return good;
  }
  /// Call this after `run` has returned false. Returns true if the error is in the reader, and
  /// false if the error is in the events.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
  struct item {
    std::string_view key;
    bytes_view bytes; ///< an entry of a Struct, or a Value in a ListValue
  };
  struct container {
    bool is_object;
    std::size_t level;
    std::vector<item> items;
    std::size_t next = 0;
  };

  [[nodiscard]] static std::string_view view(bytes_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  void add_path() noexcept {
    for (auto at = open_.rbegin(); at != open_.rend(); ++at) {
      if (at->next == 0) continue;
      if (at->is_object) in_.why()->in_member(at->items[at->next - 1].key);
      else in_.why()->in_element(at->next - 1);
    }
  }
  [[nodiscard]] bool by_events(bool good) const noexcept { return good && to_.good(); }

  /// Calls `use(number, type)` for each field of a message. `use` reads or skips the value.
  template <class Use>
  [[nodiscard]] bool each_field(const std::vector<bytes_view>& pieces, std::size_t level, Use&& use) {
    if (pieces.empty()) return true;
    failed_ = true; // if this function fails, the error is in the reader
    if (level > levels_)
      return in_.fail(errc::too_deep, in_.offset_of(pieces.front()),
                      "messages nested no deeper than options::max_depth");
    const std::size_t before = in_.levels();
    in_.set_levels(levels_ - level);
    for (const bytes_view piece : pieces) {
      const auto outer = in_.enter(piece);
      while (!in_.done()) {
        std::uint32_t number = 0;
        wire type{};
        if (!in_.tag(number, type) || !use(number, type)) return false;
      }
      in_.leave(outer);
    }
    failed_ = false;
    in_.set_levels(before);
    return true;
  }
  [[nodiscard]] bool check(wire expected, wire found) noexcept {
    return expected == found || in_.reject_type(mask_of(expected), found, in_.offset());
  }
  [[nodiscard]] bool text(std::string_view& out) {
    const std::uint64_t where = in_.offset();
    bytes_view bytes;
    if (!in_.run(bytes)) return false;
    out = view(bytes);
    return ingot::detail::is_utf8(out) ||
           in_.fail(errc::invalid_utf8, where, "UTF-8, which protobuf requires of strings");
  }

  [[nodiscard]] bool value(const std::vector<bytes_view>& pieces, std::size_t level) {
    constexpr wire types[] = {wire::varint, wire::fixed64, wire::bytes,
                              wire::varint, wire::bytes,   wire::bytes};
    std::uint32_t chosen = 0;
    std::uint64_t bits = 0;
    std::string_view characters;
    std::vector<bytes_view> parts;
    if (!each_field(pieces, level, [&](std::uint32_t number, wire type) {
          if (number > 6) return in_.skip(number, type);
          if (!check(types[number - 1], type)) return false;
          if (number != chosen) parts.clear();
          chosen = number;
          switch (number) {
          case 2: return in_.fixed(bits);
          case 3: return text(characters);
          case 1:
          case 4: return in_.varint(bits);
          default: return in_.run(parts.emplace_back());
          }
        }))
      return false;
    switch (chosen) {
    case 2: return by_events(number(bits));
    case 3: return by_events(to_.text(characters));
    case 4: return by_events(to_.boolean(bits != 0));
    case 5: return begin_object(parts, level + 1);
    case 6: return begin_array(parts, level + 1);
    default: return by_events(to_.null()); // also if the message has no alternative
    }
  }
  /// Emits a double. Emits an integer instead if the double is a whole number up to `max_exact`.
  [[nodiscard]] bool number(std::uint64_t bits) noexcept {
    const auto real = std::bit_cast<double>(bits);
    if (!ingot::detail::is_whole(real) || real < -static_cast<double>(max_exact) ||
        real > static_cast<double>(max_exact))
      return to_.number_bits(bits);
    const auto whole = static_cast<std::int64_t>(real); // -0.0 does not become an integer
    return std::bit_cast<std::uint64_t>(static_cast<double>(whole)) == bits ? to_.integer(whole)
                                                                            : to_.number_bits(bits);
  }
  [[nodiscard]] bool begin_array(const std::vector<bytes_view>& pieces, std::size_t level) {
    container opened{false, level, {}};
    if (!each_field(pieces, level, [&](std::uint32_t number, wire type) {
          if (number != 1) return in_.skip(number, type);
          return check(wire::bytes, type) && in_.run(opened.items.emplace_back().bytes);
        }))
      return false;
    open_.push_back(std::move(opened));
    return by_events(to_.begin_array());
  }
  [[nodiscard]] bool begin_object(const std::vector<bytes_view>& pieces, std::size_t level) {
    container opened{true, level, {}};
    if (!each_field(pieces, level, [&](std::uint32_t number, wire type) {
          if (number != 1) return in_.skip(number, type);
          return check(wire::bytes, type) && in_.run(opened.items.emplace_back().bytes);
        }))
      return false;
    for (item& each : opened.items) {
      if (!each_field({each.bytes}, level + 1, [&](std::uint32_t number, wire type) {
            if (number != 1) return in_.skip(number, type);
            return check(wire::bytes, type) && text(each.key);
          }))
        return false;
    }
    keep_last(opened.items);
    open_.push_back(std::move(opened));
    return by_events(to_.begin_object());
  }
  /// Keeps the last of the entries with equal keys, in the order of the message.
  static void keep_last(std::vector<item>& items) {
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return items[a].key != items[b].key ? items[a].key < items[b].key : a < b;
    });
    std::vector<std::size_t> unique;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + 1 == order.size() || items[order[i]].key != items[order[i + 1]].key) unique.push_back(order[i]);
    }
    if (unique.size() == items.size()) return;
    std::sort(unique.begin(), unique.end());
    for (std::size_t i = 0; i < unique.size(); ++i) items[i] = items[unique[i]];
    items.resize(unique.size());
  }
  /// Emits the next part of the innermost open container.
  [[nodiscard]] bool step() {
    container& in = open_.back();
    if (in.next == in.items.size()) {
      open_.pop_back();
      return by_events(to_.end());
    }
    const item each = in.items[in.next++];
    const std::size_t level = in.level;
    if (!in.is_object) return value({each.bytes}, level + 1);
    std::vector<bytes_view> pieces;
    if (!each_field({each.bytes}, level + 1, [&](std::uint32_t number, wire type) {
          if (number != 2) return in_.skip(number, type);
          return check(wire::bytes, type) && in_.run(pieces.emplace_back());
        }))
      return false;
    return by_events(to_.key(each.key)) && value(pieces, level + 2);
  }

  wire_reader& in_;
  document_events& to_;
  std::size_t levels_;
  bool failed_ = false;
  std::vector<container> open_;
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
