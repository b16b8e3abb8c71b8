// SPDX-License-Identifier: Apache-2.0
// Whether tables that were read from a foreign description are fit for everything: sizes add up, types don't contain
// themselves, keys can be compared, and no object nests so deep or consists of so much that walking over it costs more than its
// bytes. What is worked out on the way stays in the tables.
#pragma once

#include <ingot/core/config.hpp>
#include <ingot/core/error.hpp>
#include <ingot/document/dynamic_types.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace ingot::inline v1::detail::dyn {

class layout_check {
public:
  layout_check(tables& in, const std::vector<std::uint64_t>& model_sizes) noexcept
      : in_(in), model_sizes_(model_sizes) {}

  [[nodiscard]] bool run() { return check_numbers() && check_nesting() && check_containers(); }

  [[nodiscard]] std::uint32_t faulty_type() const noexcept { return faulty_; }
  [[nodiscard]] errc code() const noexcept { return code_; }
  [[nodiscard]] std::string_view expected() const noexcept { return expected_; }

  /// The `layout_id` of the first type, from its parts; false when that takes too long. See layout_id.hpp, which does it for types.
  [[nodiscard]] bool compute_id(std::uint64_t& id) const {
    struct turn {
      std::uint32_t type;
      bool is_member;
      std::uint64_t offset;
    };
    fingerprint hash;
    hash.word(little_endian ? 1 : 2);
    hash.word(in_.offset);
    std::vector<bool> seen(in_.types.size());
    std::vector<turn> left{{0, false, 0}};
    for (std::size_t steps = 0; !left.empty(); ++steps) {
      if (steps == most_layout_steps) return false;
      const turn next = left.back();
      left.pop_back();
      const type& of = in_.types[next.type];
      if (next.is_member) hash.word(next.offset);
      hash.word(of.size);
      hash.word(of.alignment);
      std::size_t parts = of.parts;
      if (is_container(of.kind)) {
        hash.word(0x100 + static_cast<std::uint64_t>(of.kind) - 32);
        if (of.kind == dynamic_kind::hash_map) parts = 2;
        if (seen[next.type]) {
          hash.word(0xFFFF);
          parts = 0;
        }
        seen[next.type] = true;
      } else if (of.kind == dynamic_kind::array) {
        hash.word(0x200 + of.extent);
      } else if (of.kind == dynamic_kind::pair) {
        hash.word(0x300);
      } else if (is_record(of.kind)) {
        hash.word(0x400 + of.parts);
      } else {
        hash.word(static_cast<std::uint64_t>(of.kind));
        parts = 0;
      }
      for (std::size_t i = parts; i-- != 0;) {
        const part& each = in_.parts[of.first + i];
        left.push_back({each.type, is_record(of.kind), each.offset});
      }
    }
    id = hash.finish();
    return true;
  }

private:
  struct step {
    std::uint32_t type;
    std::uint32_t next;
  };

  INGOT_COLD bool refuse(const type& of, errc code, std::string_view expected) {
    faulty_ = static_cast<std::uint32_t>(&of - in_.types.data());
    code_ = code;
    expected_ = expected;
    return false;
  }

  [[nodiscard]] bool check_numbers() {
    for (const type& each : in_.types) {
      if (each.kind == dynamic_kind::enumeration) {
        const auto all = in_.enumerators_of(each);
        const std::uint64_t turn = each.has(is_signed) ? std::uint64_t{1} << 63 : 0;
        for (std::size_t i = 1; i < all.size(); ++i) {
          if ((all[i - 1].value ^ turn) >= (all[i].value ^ turn))
            return refuse(each, errc::unsorted_keys, "enumerators that ascend");
        }
        continue;
      }
      for (const part& one : in_.parts_of(each)) {
        if (one.type >= in_.types.size()) return refuse(each, errc::out_of_range, "the number of a type");
      }
    }
    return true;
  }

  /// How many parts lie in a type's own bytes.
  [[nodiscard]] static std::uint32_t parts_inside(const type& of) noexcept {
    switch (of.kind) {
    case dynamic_kind::duration:
    case dynamic_kind::time_point:
    case dynamic_kind::array:
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref:
    case dynamic_kind::optional:
    case dynamic_kind::variant: return of.parts;
    default: return 0;
    }
  }
  /// Calls `finish` with every type whose inner parts have been finished.
  template <class Inside, class Finish>
  [[nodiscard]] bool from_inside(std::uint32_t first, std::vector<std::uint8_t>& state, Inside&& inside,
                                 Finish&& finish) {
    enum : std::uint8_t { fresh, open, done };
    if (state[first] == done) return true;
    std::vector<step> way{{first, 0}};
    while (!way.empty()) {
      step& at = way.back();
      type& of = in_.types[at.type];
      state[at.type] = open;
      if (at.next < inside(of)) {
        const std::uint32_t child = in_.parts[of.first + at.next++].type;
        if (state[child] == open)
          return refuse(of, errc::invalid_value, "a type that does not contain itself");
        if (state[child] == fresh) way.push_back({child, 0});
        continue;
      }
      if (!finish(of)) return false;
      state[at.type] = done;
      way.pop_back();
    }
    return true;
  }
  [[nodiscard]] bool check_nesting() {
    std::vector<std::uint8_t> state(in_.types.size());
    weights_.assign(in_.types.size(), 1);
    for (std::uint32_t i = 0; i < in_.types.size(); ++i) {
      if (!from_inside(i, state, parts_inside, [this](type& of) { return finish(of); })) return false;
    }
    return true;
  }
  [[nodiscard]] bool finish(type& of) {
    unsigned depth = 0;
    bool plain = of.kind != dynamic_kind::boolean && of.kind != dynamic_kind::bitset &&
                 !is_container(of.kind) && (of.kind != dynamic_kind::enumeration || of.has(is_open));
    of.holds_offsets =
        is_container(of.kind) && of.kind != dynamic_kind::optional && of.kind != dynamic_kind::variant;
    for (std::uint32_t i = 0; i < parts_inside(of); ++i) {
      const part& one = in_.parts[of.first + i];
      const type& inner = in_.types[one.type];
      depth = std::max<unsigned>(depth, inner.depth);
      plain = plain && inner.plain && one.limits == 0;
      of.holds_offsets = of.holds_offsets || inner.holds_offsets;
    }
    if (depth >= deepest_type) return refuse(of, errc::too_deep, "at most 64 objects in each other");
    of.depth = static_cast<std::uint8_t>(depth + 1);
    of.plain = plain;
    set_raw(of);
    if (!check_size(of)) return refuse(of, errc::bad_length, "a size that its parts have");
    // What a part weighs is at most 2^46, and there are fewer than 2^24 of them; an array's elements have its bytes.
    std::uint64_t weight = 1;
    for (std::uint32_t i = 0; i < parts_inside(of); ++i) {
      const std::uint64_t inner = weights_[in_.parts[of.first + i].type];
      if (of.kind == dynamic_kind::variant) weight = std::max(weight, 1 + inner);
      else weight += inner * (of.kind == dynamic_kind::array ? of.extent : 1);
    }
    if (weight / most_parts_a_byte > of.size)
      return refuse(of, errc::too_large, "no more parts than there are bytes for");
    weights_[static_cast<std::size_t>(&of - in_.types.data())] = weight;
    return true;
  }
  void set_raw(type& of) noexcept {
    switch (of.kind) {
    case dynamic_kind::integer:
    case dynamic_kind::enumeration: of.raw_signed = of.has(is_signed); [[fallthrough]];
    case dynamic_kind::boolean:
    case dynamic_kind::character:
    case dynamic_kind::byte:
      of.raw = static_cast<std::uint8_t>(std::min<std::uint64_t>(of.size, 255));
      return;
    case dynamic_kind::duration:
    case dynamic_kind::time_point:
      of.raw = in_.part_type(of, 0).raw;
      of.raw_signed = in_.part_type(of, 0).raw_signed;
      return;
    default: return;
    }
  }
  [[nodiscard]] static bool is_one_of(std::uint64_t size, std::uint64_t least, std::uint64_t most) noexcept {
    return size >= least && size <= most && (size & (size - 1)) == 0;
  }
  [[nodiscard]] bool check_size(const type& of) const noexcept {
    const std::uint64_t size = of.size;
    const unsigned offset = in_.offset;
    switch (of.kind) {
    case dynamic_kind::boolean:
    case dynamic_kind::byte: return size == 1;
    case dynamic_kind::integer:
    case dynamic_kind::enumeration: return is_one_of(size, 1, 8);
    case dynamic_kind::floating: return is_one_of(size, 4, 8);
    case dynamic_kind::character: return is_one_of(size, 1, 4);
    case dynamic_kind::complex: return is_one_of(size, 8, 16);
    case dynamic_kind::bitset: return of.extent <= largest_size && of.extent <= 8 * size;
    case dynamic_kind::duration: {
      const type& count = in_.part_type(of, 0);
      return size == count.size && of.divisor != 0 &&
             (count.kind == dynamic_kind::integer || count.kind == dynamic_kind::floating);
    }
    case dynamic_kind::time_point:
      return size == in_.part_type(of, 0).size && in_.part_type(of, 0).kind == dynamic_kind::duration;
    case dynamic_kind::array: {
      const std::uint64_t each = in_.part_type(of, 0).size;
      return of.extent == 0 || (of.extent <= largest_size / each && of.extent * each == size);
    }
    case dynamic_kind::pair:
    case dynamic_kind::record:
    case dynamic_kind::ref: return check_members(of);
    case dynamic_kind::optional: {
      const type& value = in_.part_type(of, 0);
      return size == align_up(value.size + 1, value.alignment) && of.alignment == value.alignment;
    }
    case dynamic_kind::variant: {
      std::uint64_t largest = 0;
      std::uint64_t alignment = 1;
      for (const part& each : in_.parts_of(of)) {
        largest = std::max(largest, in_.types[each.type].size);
        alignment = std::max<std::uint64_t>(alignment, in_.types[each.type].alignment);
      }
      const std::uint64_t head = align_up((of.holds_offsets ? offset : 0) + 1U, alignment);
      return of.alignment >= alignment && size == align_up(head + largest, of.alignment);
    }
    case dynamic_kind::text: return size == 4 * std::uint64_t{offset};
    case dynamic_kind::box: return size == offset;
    default: return size == 2 * std::uint64_t{offset};
    }
  }
  [[nodiscard]] bool check_members(const type& of) const noexcept {
    if (of.has(is_empty) && of.parts != 0) return false;
    for (const part& each : in_.parts_of(of)) {
      if (each.offset > of.size || in_.types[each.type].size > of.size - each.offset) return false;
    }
    if (of.kind != dynamic_kind::ref) return true;
    const auto members = in_.parts_of(of);
    return members.size() == 2 && in_.types[members[0].type].kind == dynamic_kind::integer &&
           in_.types[members[1].type].kind == dynamic_kind::integer;
  }

  [[nodiscard]] bool check_containers() {
    for (const type& of : in_.types) {
      if (is_record(of.kind)) mark_repeated(of);
    }
    std::vector<std::uint8_t> keys(in_.types.size());
    std::vector<std::uint8_t> depths(in_.types.size());
    for (std::uint32_t i = 0; i < in_.types.size(); ++i) {
      const type& of = in_.types[i];
      if (of.kind == dynamic_kind::text) {
        if (in_.part_type(of, 0).kind != dynamic_kind::character)
          return refuse(of, errc::type_mismatch, "text of characters");
      } else if (is_map(of.kind) || is_set(of.kind)) {
        if (!check_keys(of.first, keys, depths)) return false;
        if (of.kind == dynamic_kind::hash_map && !is_entry(of))
          return refuse(of, errc::type_mismatch, "entries that are pairs of key and value");
      } else if (of.kind == dynamic_kind::optional) {
        if (of.has(has_model) != of.holds_offsets)
          return refuse(of, errc::bad_variant, "a model of no value");
        if (of.has(has_model) && !check_model(of)) return false;
      }
      if (of.has(has_model) && of.kind != dynamic_kind::optional)
        return refuse(of, errc::bad_variant, "no model but of optional values");
    }
    return true;
  }
  /// Classes and their bases may have members of one name.
  void mark_repeated(const type& of) {
    std::vector<std::uint32_t> order;
    order.reserve(of.parts);
    for (std::uint32_t i = 0; i < of.parts; ++i) order.push_back(of.first + i);
    const auto name = [this](std::uint32_t i) { return in_.parts[i].name; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return name(a) != name(b) ? name(a) < name(b) : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
      in_.parts[order[i]].repeated = name(order[i - 1]) == name(order[i]);
  }
  [[nodiscard]] bool is_entry(const type& map) const noexcept {
    const type& entry = in_.part_type(map, 2);
    return entry.kind == dynamic_kind::pair && in_.parts[entry.first].type == in_.parts[map.first].type &&
           in_.parts[entry.first + 1].type == in_.parts[map.first + 1].type;
  }

  /// What keys are made of: `compare_keys` has an order for these and nothing else.
  [[nodiscard]] bool check_keys(std::uint32_t at, std::vector<std::uint8_t>& state,
                                std::vector<std::uint8_t>& depths) {
    const auto inside = [](const type& of) -> std::uint32_t {
      if (of.raw != 0) return 0;
      const bool holds = of.kind == dynamic_kind::array || of.kind == dynamic_kind::pair ||
                         is_record(of.kind) || of.kind == dynamic_kind::vector ||
                         of.kind == dynamic_kind::queue;
      return holds ? of.parts : 0;
    };
    return from_inside(in_.parts[at].type, state, inside, [&](const type& of) {
      if (inside(of) == 0 && of.raw == 0 && of.kind != dynamic_kind::text &&
          of.kind != dynamic_kind::floating && !is_record(of.kind))
        return refuse(of, errc::type_mismatch, "a type that can be a key");
      std::uint8_t depth = 0;
      for (std::uint32_t i = 0; i < inside(of); ++i)
        depth = std::max(depth, depths[in_.parts[of.first + i].type]);
      if (depth >= deepest_key) return refuse(of, errc::too_deep, "keys of at most 32 parts in each other");
      depths[static_cast<std::size_t>(&of - in_.types.data())] = static_cast<std::uint8_t>(depth + 1);
      return true;
    });
  }

  [[nodiscard]] bool check_model(const type& of) {
    const type& value = in_.part_type(of, 0);
    if (model_sizes_[of.model] != value.size)
      return refuse(of, errc::bad_length, "a model as long as the value");
    model& made = in_.models[of.model];
    made.first = static_cast<std::uint32_t>(in_.anchors.size());
    if (!find_anchors(value, 0, made.bytes))
      return refuse(of, errc::bad_variant, "a model whose variants hold one of their alternatives");
    made.count = static_cast<std::uint32_t>(in_.anchors.size() - made.first);
    std::sort(in_.anchors.begin() + made.first, in_.anchors.end());
    return true;
  }
  /// As deep as types nest.
  [[nodiscard]] bool find_anchors(const type& of, std::uint64_t at, const std::byte* model) {
    if (!of.holds_offsets) return true;
    if (in_.anchors.size() >= in_.bytes.size()) return false; // they overlap
    switch (of.kind) {
    case dynamic_kind::optional: return find_anchors(in_.part_type(of, 0), at, model);
    case dynamic_kind::variant: {
      const variant_shape shape = variant_of(in_, of);
      const auto index = std::to_integer<std::size_t>(model[at + shape.tag]);
      if (index >= of.parts) return false;
      in_.anchors.push_back(at);
      return find_anchors(in_.part_type(of, index), at + shape.head, model);
    }
    case dynamic_kind::array:
      for (std::uint64_t i = 0; i < of.extent; ++i) {
        const type& each = in_.part_type(of, 0);
        if (!find_anchors(each, at + i * each.size, model)) return false;
      }
      return true;
    case dynamic_kind::pair:
    case dynamic_kind::record:
      for (const part& each : in_.parts_of(of)) {
        if (!find_anchors(in_.types[each.type], at + each.offset, model)) return false;
      }
      return true;
    default: in_.anchors.push_back(at); return true;
    }
  }

  tables& in_;
  const std::vector<std::uint64_t>& model_sizes_;
  std::vector<std::uint64_t> weights_;
  std::uint32_t faulty_ = 0;
  errc code_{};
  std::string_view expected_;
};

} // namespace ingot::inline v1::detail::dyn
