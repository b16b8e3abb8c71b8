// SPDX-License-Identifier: Apache-2.0
// Validates tables that were read from an untrusted description. Sizes must agree with parts, types
// must not contain themselves, and keys must be comparable. Objects must not nest too deep, and the
// size of an object limits the steps of a walk over the object's parts. Stores computed results in
// the tables. O(n log n) for n bytes.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/dynamic/detail/layout_tag_validator.hpp>
#include <ingot/dynamic/detail/types.hpp>
#include <ingot/live/detail/optional_payload.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class layout_validator : public layout_look {
public:
  layout_validator(tables& in, const table<std::uint64_t>& model_sizes) noexcept
      : layout_look(in), model_sizes_(model_sizes) {}

  [[nodiscard]] bool run() { return check_nesting() && check_containers(); }

private:
  struct step {
    std::uint32_t type;
    std::uint32_t next;
  };
  /// Returns an array with one zero for each type; null if there is no memory.
  template <class T>
  [[nodiscard]] std::unique_ptr<T[]> one_for_each_type() const noexcept {
    return std::unique_ptr<T[]>(new (std::nothrow) T[in_.types.size()]{});
  }

  /// Returns the number of parts that are in a type's own bytes.
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
  /// Calls `finish` for all types inside `first`, and then for `first`. For each type, `finish` is
  /// called after the calls for the types inside this type.
  template <class Inside, class Finish>
  [[nodiscard]] bool from_inside(std::uint32_t first, std::uint8_t* state, Inside&& inside, Finish&& finish) {
    enum : std::uint8_t { fresh, open, done };
    if (state[first] == done) return true;
    table<step> path;
    if (!path.push({first, 0})) return no_memory();
    while (!path.empty()) {
      step& at = path[path.size() - 1];
      type& of = in_.types[at.type];
      state[at.type] = open;
      if (at.next < inside(of)) {
        const std::uint32_t child = in_.parts[of.first + at.next++].type;
        if (state[child] == open)
          return reject(of, errc::invalid_value, "a type that does not contain itself");
        if (state[child] == fresh && !path.push({child, 0})) return no_memory();
        continue;
      }
      if (!finish(of)) return false;
      state[at.type] = done;
      static_cast<void>(path.pop());
    }
    return true;
  }
  [[nodiscard]] bool check_nesting() {
    const auto state = one_for_each_type<std::uint8_t>();
    weights_ = one_for_each_type<std::uint64_t>();
    if (state == nullptr || weights_ == nullptr) return no_memory();
    for (std::uint32_t i = 0; i < in_.types.size(); ++i) {
      if (!from_inside(i, state.get(), parts_inside, [this](type& of) { return finish(of); })) return false;
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
    if (depth >= deepest_type) return reject(of, errc::too_deep, "objects nested at most 64 deep");
    of.depth = static_cast<std::uint8_t>(depth + 1);
    of.plain = plain;
    set_raw(of);
    if (!check_size(of)) return reject(of, errc::bad_length, "a size that agrees with its parts");
    return weigh(of) && find_holders(of);
  }
  /// Computes and limits the number of steps that the validation of an object takes: one for each
  /// object in it, and one for each byte that is examined. A byte in nested objects can take a step
  /// for each level. Without a limit, overlapping members could take any number of steps.
  [[nodiscard]] bool weigh(const type& of) {
    // The weight of a part is below 2^47. So if `weight` is at most `max_weight`, the weight of one
    // more part, or of all elements of an array, can be added without overflow.
    const std::uint64_t max_weight = max_steps_per_byte * (of.size + 1);
    std::uint64_t weight = 1;
    if (of.kind == dynamic_kind::bitset || of.kind == dynamic_kind::optional ||
        of.kind == dynamic_kind::variant || of.kind == dynamic_kind::text)
      weight += of.size;
    std::uint64_t largest = 0;
    for (std::uint32_t i = 0; i < parts_inside(of) && weight <= max_weight; ++i) {
      const std::uint64_t inner = weights_[in_.parts[of.first + i].type];
      if (of.kind == dynamic_kind::variant) largest = std::max(largest, inner);
      else weight += inner * (of.kind == dynamic_kind::array ? of.extent : 1);
    }
    weight += largest;
    if (weight > max_weight) return reject(of, errc::too_large, "no more parts than there are bytes for");
    weights_[number_of(of)] = weight;
    return true;
  }
  /// Finds the positions of containers in an object. After a container, a walk uses these positions
  /// to find the objects that enclose the container.
  [[nodiscard]] bool find_holders(type& of) {
    if (!of.holds_offsets) return true;
    of.holder_end = of.size;
    if (of.kind == dynamic_kind::optional || of.kind == dynamic_kind::array) {
      const type& inner = in_.part_type(of, 0);
      of.holder_begin = inner.holder_begin;
      of.holder_end = inner.holder_end + (of.kind == dynamic_kind::array ? of.extent - 1 : 0) * inner.size;
    }
    if (of.kind != dynamic_kind::record && of.kind != dynamic_kind::pair) return true;
    of.holders = static_cast<std::uint32_t>(in_.holders.size());
    for (std::uint32_t i = 0; i < of.parts; ++i) {
      if (in_.part_type(of, i).holds_offsets && !in_.holders.push(i)) return no_memory();
    }
    of.holder_count = static_cast<std::uint32_t>(in_.holders.size()) - of.holders;
    std::uint32_t* const first = in_.holders.begin() + of.holders;
    const auto begin = [&](std::uint32_t i) {
      return in_.parts[of.first + i].offset + in_.part_type(of, i).holder_begin;
    };
    std::sort(first, first + of.holder_count,
              [&](std::uint32_t a, std::uint32_t b) { return begin(a) < begin(b); });
    of.holder_begin = begin(*first);
    of.holder_end = 0;
    for (std::uint32_t i = 0; i < of.holder_count; ++i) {
      if (begin(first[i]) < of.holder_end) return reject(of, errc::overlap, "containers that do not overlap");
      of.holder_end = in_.parts[of.first + first[i]].offset + in_.part_type(of, first[i]).holder_end;
    }
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
  [[nodiscard]] static bool is_one_of(std::uint64_t size, std::uint64_t min_size,
                                      std::uint64_t max_size) noexcept {
    return size >= min_size && size <= max_size && (size & (size - 1)) == 0;
  }
  [[nodiscard]] bool check_size(const type& of) const noexcept {
    const std::uint64_t size = of.size;
    const unsigned offset = in_.offset;
    if (size % of.alignment != 0) return false;
    switch (of.kind) {
    case dynamic_kind::boolean:
    case dynamic_kind::byte: return size == 1;
    case dynamic_kind::integer:
    case dynamic_kind::enumeration: return is_one_of(size, 1, 8);
    case dynamic_kind::floating: return is_one_of(size, 4, 8);
    case dynamic_kind::character: return is_one_of(size, 1, 4);
    case dynamic_kind::complex: return is_one_of(size, 8, 16);
    case dynamic_kind::bitset: // the size is a whole number of words
      return of.extent <= largest_size &&
             size == std::max<std::uint64_t>(align_up((of.extent + 7) / 8, of.alignment), of.alignment);
    case dynamic_kind::duration: {
      const type& count = in_.part_type(of, 0);
      return size == count.size && of.alignment == count.alignment &&
             (count.kind == dynamic_kind::integer || count.kind == dynamic_kind::floating);
    }
    case dynamic_kind::time_point: {
      const type& since = in_.part_type(of, 0);
      return size == since.size && of.alignment == since.alignment && since.kind == dynamic_kind::duration;
    }
    case dynamic_kind::array: {
      const type& each = in_.part_type(of, 0);
      // The size of an empty array differs between standard libraries, so it is not checked.
      if (of.extent == 0) return !each.holds_offsets;
      return of.extent <= largest_size / each.size && of.extent * each.size == size &&
             of.alignment >= each.alignment;
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
    for (const part& each : in_.parts_of(of)) {
      const type& member = in_.types[each.type];
      if (each.offset > of.size || member.size > of.size - each.offset) return false;
      if (each.offset % member.alignment != 0 || of.alignment < member.alignment) return false;
    }
    const auto members = in_.parts_of(of);
    if (of.kind == dynamic_kind::pair) {
      const type& first = in_.types[members[0].type];
      const type& second = in_.types[members[1].type];
      return members[1].offset == align_up(first.size, second.alignment) &&
             of.size == align_up(members[1].offset + second.size, of.alignment);
    }
    if (of.kind == dynamic_kind::record) return true;
    const auto is_number = [&](const part& each) {
      const type& member = in_.types[each.type];
      return member.kind == dynamic_kind::integer && member.size == 4 && !member.has(is_signed);
    };
    return of.size == 8 && members.size() == 2 && is_number(members[0]) && is_number(members[1]) &&
           members[0].offset == 0 && members[1].offset == 4;
  }

  [[nodiscard]] bool check_containers() {
    for (const type& of : in_.types) {
      if ((is_record(of.kind) || of.kind == dynamic_kind::variant) && !mark_repeated(of)) return false;
    }
    const auto keys = one_for_each_type<std::uint8_t>();
    const auto depths = one_for_each_type<std::uint8_t>();
    if (keys == nullptr || depths == nullptr) return no_memory();
    for (std::uint32_t i = 0; i < in_.types.size(); ++i) {
      const type& of = in_.types[i];
      if (of.kind == dynamic_kind::text) {
        if (in_.part_type(of, 0).kind != dynamic_kind::character)
          return reject(of, errc::type_mismatch, "text of characters");
      } else if (is_map(of.kind) || is_set(of.kind)) {
        if (!check_keys(of.first, keys.get(), depths.get())) return false;
        if (of.kind == dynamic_kind::hash_map && !is_entry(of))
          return reject(of, errc::type_mismatch, "entries that are pairs of key and value");
      } else if (of.kind == dynamic_kind::optional) {
        if (of.has(has_model) != of.holds_offsets)
          return reject(of, errc::bad_variant, "a model of no value");
        if (of.has(has_model) && !check_model(of)) return false;
      }
    }
    return true;
  }
  /// Marks names that occur twice. A class and its base may have members with the same name.
  /// Alternatives with the same name have their index as the tag.
  [[nodiscard]] bool mark_repeated(const type& of) {
    const std::unique_ptr<std::uint32_t[]> order(new (std::nothrow) std::uint32_t[of.parts]);
    if (order == nullptr) return no_memory();
    for (std::uint32_t i = 0; i < of.parts; ++i) order[i] = of.first + i;
    const auto name = [this](std::uint32_t i) { return in_.parts[i].name; };
    std::sort(order.get(), order.get() + of.parts, [&](std::uint32_t a, std::uint32_t b) {
      return name(a) != name(b) ? name(a) < name(b) : a < b;
    });
    mark_repeated_names(in_, of, order.get());
    return true;
  }
  [[nodiscard]] bool is_entry(const type& map) const noexcept {
    const type& entry = in_.part_type(map, 2);
    return entry.kind == dynamic_kind::pair && in_.parts[entry.first].type == in_.parts[map.first].type &&
           in_.parts[entry.first + 1].type == in_.parts[map.first + 1].type;
  }

  /// Checks that keys consist of types that `compare_keys` can order.
  [[nodiscard]] bool check_keys(std::uint32_t at, std::uint8_t* state, std::uint8_t* depths) {
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
        return reject(of, errc::type_mismatch, "a type that can be a key");
      std::uint8_t depth = 0;
      for (std::uint32_t i = 0; i < inside(of); ++i)
        depth = std::max(depth, depths[in_.parts[of.first + i].type]);
      if (depth >= deepest_key)
        return reject(of, errc::too_deep, "keys whose parts are nested at most 32 deep");
      depths[number_of(of)] = static_cast<std::uint8_t>(depth + 1);
      return true;
    });
  }

  [[nodiscard]] bool check_model(const type& of) {
    const type& value = in_.part_type(of, 0);
    if (model_sizes_[of.model] != value.size)
      return reject(of, errc::bad_length, "a model as long as the value");
    model& vacant = in_.models[of.model];
    vacant.first = static_cast<std::uint32_t>(in_.anchors.size());
    if (!find_anchors(value, 0, vacant.bytes)) return false;
    vacant.count = static_cast<std::uint32_t>(in_.anchors.size() - vacant.first);
    std::uint64_t* const anchors = in_.anchors.begin() + vacant.first;
    std::sort(anchors, anchors + vacant.count);
    for (std::uint32_t i = 0; i < vacant.count; ++i) {
      if (!all_zero(vacant.bytes + anchors[i], in_.offset))
        return reject(of, errc::bad_padding, "zeros for the anchors of a model");
    }
    return true;
  }
  /// Appends the positions of the anchors in a model. Recurses to the nesting depth of types.
  [[nodiscard]] bool find_anchors(const type& of, std::uint64_t at, const std::byte* model) {
    if (!of.holds_offsets) return true;
    switch (of.kind) {
    case dynamic_kind::optional: return find_anchors(in_.part_type(of, 0), at, model);
    case dynamic_kind::variant: {
      const variant_shape shape = variant_of(in_, of);
      const auto index = std::to_integer<std::size_t>(model[at + shape.tag]);
      if (index >= of.parts)
        return reject(of, errc::bad_variant, "a model whose variants hold one of their alternatives");
      if (!in_.anchors.push(at)) return no_memory();
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
    default: return in_.anchors.push(at) || no_memory();
    }
  }

  const table<std::uint64_t>& model_sizes_;
  std::unique_ptr<std::uint64_t[]> weights_;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
