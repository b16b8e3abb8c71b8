// SPDX-License-Identifier: Apache-2.0
// Writes old values as packed bytes of the new type, by a plan that pairs the parts of the two
// types. Callers read the result like any message, so the checks of the new type apply.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/core/detail/widen_float.hpp>
#include <ingot/core/error.hpp>
#include <ingot/pack/detail/evolution_codec.hpp>
#include <ingot/pack/detail/evolution_layout.hpp>
#include <ingot/pack/detail/evolution_validator.hpp>
#include <ingot/pack/detail/order.hpp>
#include <ingot/reflect/detail/links.hpp>
#include <ingot/schema/detail/resolution.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// The plan for reading old bytes into a type, computed once.
struct evolution_plan {
  evolving_graph from;
  evolving_graph to;
  std::vector<resolved_pair> pairs;
  std::vector<std::vector<std::vector<std::byte>>>
      defaults;                        ///< default of each member of each new record; may be empty
  std::optional<packed_layout> before; ///< the layout of `from`
  std::optional<packed_layout> after;  ///< the layout of `to`
};

/// Converts the bits of a number from one kind to another kind that can hold the number.
constexpr std::uint64_t convert_number(std::uint64_t n, const schema_attributes& from,
                                       const schema_attributes& to) noexcept {
  if (to.kind != schema_kind::floating) return n;
  if (from.kind == schema_kind::floating) return from.width == to.width ? n : widen_float(n);
  const bool is_signed = from.has(schema_flag::is_signed);
  const double value = is_signed ? static_cast<double>(static_cast<std::int64_t>(n)) : static_cast<double>(n);
  return to.width == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                       : std::bit_cast<std::uint64_t>(value);
}

template <class Source>
class evolution_writer {
public:
  using field = typename Source::field;
  static constexpr std::uint64_t max_size = 0xFFFFFFFF;

  /// If `tracker` is not null, reports the bytes written, with a total of `expected`. Writing fails
  /// if the message exceeds `limit` bytes.
  evolution_writer(const evolution_plan& plan, Source source, progress_tracker* tracker = nullptr,
                   std::uint64_t expected = 0, std::uint64_t limit = max_size)
      : plan_(plan), from_(*plan.before), to_(*plan.after), source_(std::move(source)), tracker_(tracker),
        poll_(tracker, expected), limit_(limit < max_size ? limit : max_size) {}

  /// Returns the message in the new type's bytes. The old bytes must be validated.
  [[nodiscard]] result<std::vector<std::byte>> run() {
    field whole = source_.whole();
    if (!payload(0, whole, {})) {
      if (poll_.stopped()) return tracker_->cancelled();
      return ingot::fail(why_);
    }
    return std::move(out_);
  }

private:
  using step = resolved_pair::step;

  bool fail(errc code, std::string_view expected) {
    why_ = error{code}.with_expected(expected);
    return false;
  }
  INGOT_COLD bool too_much(std::uint64_t n) {
    if (n > max_size - out_.size())
      return fail(errc::too_large, "a value of less than 4 GiB when packed as the new type");
    return fail(errc::too_much_memory, within_memory);
  }
  /// Appends `n` zero bytes.
  bool grow(std::uint64_t n) {
    if (n > limit_ - out_.size()) return too_much(n);
    out_.resize(out_.size() + static_cast<std::size_t>(n));
    return true;
  }
  bool append(bytes_view bytes) {
    if (bytes.size() > limit_ - out_.size()) return too_much(bytes.size());
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    return true;
  }
  void put(std::size_t at, std::uint64_t n, std::size_t width) { store_number(out_.data() + at, n, width); }
  [[nodiscard]] const evolving_node& old_node(const resolved_pair& pair) const {
    return plan_.from.nodes[pair.from];
  }
  [[nodiscard]] const evolving_node& new_node(const resolved_pair& pair) const {
    return plan_.to.nodes[pair.to];
  }

  /// Writes the new part as a message, or as a variable field's payload.
  bool payload(std::uint32_t index, field& from, nesting depth) {
    if (depth.calls > nesting::max_call_depth) return fail(errc::too_deep, "at most 128 levels of nesting");
    const resolved_pair& pair = plan_.pairs[index];
    const packed_part& part = to_[pair.to];
    if (part.is_leaf) return leaf(index, from, depth.call());
    const std::size_t at = out_.size();
    return grow(part.fixed_part) && slot(index, from, at, out_.size(), depth.call());
  }
  /// Writes the new part's slot at `at`, where all bytes are zero. The end offsets in the slot
  /// count from `tail`.
  bool slot(std::uint32_t index, field& from, std::size_t at, std::size_t tail, nesting depth) {
    if (depth.calls > nesting::max_call_depth) return fail(errc::too_deep, "at most 128 levels of nesting");
    const resolved_pair& pair = plan_.pairs[index];
    const packed_part& part = to_[pair.to];
    if constexpr (Source::copies) {
      if (pair.is_same && !from.is_opened) {
        copy(pair.to, source_.slot_bytes(from, pair.from), source_.tail_bytes(from, pair.from), from.begin,
             at, tail);
        return well_;
      }
    }
    if (part.is_leaf) {
      if (!leaf(index, from, depth.call())) return false;
      put(at, out_.size() - tail, end_size);
      return true;
    }
    if (pair.how == step::upgrade) return upgrade(pair, from, at, tail, depth);
    if (pair.how == step::wrap) {
      out_[at] = std::byte{1};
      return slot(pair.links[0].pair, from, at + 1, tail, depth.call());
    }
    const evolving_node& old = old_node(pair);
    switch (old.attributes.kind) {
    case schema_kind::record: return record(pair, from, at, tail, depth);
    case schema_kind::tuple: return record(pair, from, at, tail, depth);
    case schema_kind::array: {
      auto list = source_.open_array(from, pair.from);
      const std::uint64_t stride = to_[new_node(pair).children[0].node].slot;
      if (stride == 0 && to_[new_node(pair).children[0].node].is_fixed &&
          from_[old.children[0].node].is_zero_size)
        return true;
      for (std::uint64_t i = 0; i < list.count; ++i) {
        field element = source_.next(list);
        if (!slot(pair.links[0].pair, element, at + static_cast<std::size_t>(i * stride), tail, depth.call()))
          return in_element(i);
        source_.done(list, element);
      }
      source_.close(from, list);
      return true;
    }
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: {
      field held{};
      const std::size_t tag = source_.open_tagged(from, pair.from, held);
      if (!put_tag(pair, tag, out_[at])) return false;
      const selected chosen = select_alternative(old, tag);
      if (chosen.holds && !slot(pair.links[chosen.child].pair, held, at + 1, tail, depth.call()))
        return false;
      source_.leave(from, held);
      return true;
    }
    case schema_kind::duration:
    case schema_kind::time_point: {
      field count = source_.inner(from, old.children[0].node, 0);
      const bool well =
          pair.period ? rescale(pair, count, at) : slot(pair.links[0].pair, count, at, tail, depth.call());
      source_.leave(from, count);
      return well;
    }
    case schema_kind::complex: {
      const auto half = static_cast<std::size_t>(part.slot / 2);
      for (std::size_t k = 0; k < 2; ++k) {
        field number = source_.inner(from, old.children[0].node, k);
        if (!slot(pair.links[0].pair, number, at + k * half, tail, depth.call())) return false;
        if (k == 1) source_.leave(from, number);
      }
      return true;
    }
    case schema_kind::bitset: {
      const bytes_view bits = source_.bits(from, pair.from);
      if (!bits.empty()) std::memcpy(out_.data() + at, bits.data(), bits.size());
      return true;
    }
    default: return scalar(pair, from, at);
    }
  }
  /// Writes the new tag of an old alternative. Fails if the type no longer has that alternative.
  bool put_tag(const resolved_pair& pair, std::size_t tag, std::byte& to) {
    const std::uint64_t now = pair.numbers.empty() ? tag : pair.numbers[tag];
    to = static_cast<std::byte>(now);
    if (now != resolved_link::none) return true;
    const std::string& name = old_node(pair).children[tag].name;
    fail(errc::schema_mismatch, "an alternative that the type has");
    why_.with_found("alternative " + (name.empty() ? std::to_string(tag) : truncated_name(name)));
    return false;
  }
  bool lacks_enumerator(const std::string& name) {
    fail(errc::schema_mismatch, "an enumerator that the type has");
    why_.with_found("enumerator " + name);
    return false;
  }
  bool scalar(const resolved_pair& pair, field& from, std::size_t at) {
    const evolving_node& old = old_node(pair);
    const schema_attributes& attributes = new_node(pair).attributes;
    std::uint64_t n = source_.scalar(from, pair.from);
    if (old.attributes.kind == schema_kind::enumeration) {
      const std::size_t which = find_number(old, n);
      if (which < pair.numbers.size()) {
        if (pair.lost[which]) return lacks_enumerator(truncated_name(old.enumerators[which].name));
        n = pair.numbers[which];
      } else if (const evolving_node& now = new_node(pair);
                 (n & pair.lost_bits) != 0 ||
                 (!now.takes(n) && find_number(now, n) == now.enumerators.size())) {
        const bool with_sign = old.attributes.has(schema_flag::is_signed);
        return lacks_enumerator(with_sign ? std::to_string(static_cast<std::int64_t>(n)) : std::to_string(n));
      }
    }
    put(at, convert_number(n, old.attributes, attributes), attributes.width);
    return true;
  }

  /// Converts the count of a duration to the new type's period.
  bool rescale(const resolved_pair& pair, field& count, std::size_t at) {
    const std::uint32_t was = old_node(pair).children[0].node;
    const schema_attributes& target = plan_.to.child(new_node(pair), 0).attributes;
    const auto n =
        convert_count(source_.scalar(count, was), plan_.from.nodes[was].attributes, target, pair.period);
    if (n) return put(at, *n, target.width), true;
    const std::string expected = "a " + part_name(old_node(pair).attributes) + " that is a whole count in " +
                                 part_name(new_node(pair).attributes).substr(sizeof("duration in ") - 1);
    return fail(errc::out_of_range, expected);
  }

  /// Writes the members of the new record in their order. Each member gets the value of a member of
  /// the old record, or its default.
  bool record(const resolved_pair& pair, field& from, std::size_t at, std::size_t tail, nesting depth) {
    auto old = source_.open_record(from, pair.from, pair);
    const evolving_node& target = new_node(pair);
    const packed_part& part = to_[pair.to];
    for (std::size_t j = 0; j < pair.links.size(); ++j) {
      // `at` and `tail` are positions in `out_`
      const std::size_t position = at + static_cast<std::size_t>(part.offsets[j]);
      const resolved_link& link = pair.links[j];
      const std::uint32_t member = target.children[j].node;
      if (j == 0 && pair.sets_version) {
        put(position, target.attributes.extent, static_cast<std::size_t>(to_[member].slot));
      } else if (link.source == resolved_link::none || !source_.has_member(old, link.source)) {
        if (!splice(member, plan_.defaults[pair.to][j], position, tail)) return false;
      } else {
        field value = source_.member(old, link.source);
        const bool well = link.unwraps ? unwrapped(pair, j, value, position, tail, depth)
                                       : slot(link.pair, value, position, tail, depth.call());
        if (!well) {
          why_.in_member(target.children[j].name);
          return false;
        }
        source_.done(old, link.source, value);
      }
    }
    source_.close(from, old);
    return true;
  }

  /// Writes the value of an optional, or the new member's default if the optional is empty.
  bool unwrapped(const resolved_pair& pair, std::size_t j, field& from, std::size_t at, std::size_t tail,
                 nesting depth) {
    const resolved_link& link = pair.links[j];
    field held{};
    const std::size_t tag = source_.open_tagged(from, old_node(pair).children[link.source].node, held);
    const bool well = tag == 0 ? splice(new_node(pair).children[j].node, plan_.defaults[pair.to][j], at, tail)
                               : slot(link.pair, held, at, tail, depth.call());
    source_.leave(from, held);
    return well;
  }

  /// Writes the payload of a part whose slot is an end offset.
  bool leaf(std::uint32_t index, field& from, nesting depth) {
    const resolved_pair& pair = plan_.pairs[index];
    if (to_[pair.to].is_recursive && depth.levels > max_depth)
      return fail(errc::too_deep, "at most 128 levels of nesting");
    if constexpr (Source::copies) {
      if (pair.is_same && !from.is_opened) return append(source_.tail_bytes(from, pair.from));
    }
    if (pair.how == step::upgrade) {
      std::vector<std::byte> bytes;
      return upgraded(pair, from, bytes, depth) && append(bytes);
    }
    if (pair.how == step::wrap) {
      return append(std::array{std::byte{1}}) && payload(pair.links[0].pair, from, depth.level());
    }
    const evolving_node& old = old_node(pair);
    if (is_text_kind(old.attributes.kind)) return append(source_.text(from, pair.from));
    if (is_list_kind(old.attributes.kind)) return list(pair, from, depth.level());
    if (old.attributes.kind == schema_kind::record) { // an evolvable record
      const std::size_t at = out_.size() + end_size;
      if (!grow(end_size + to_[pair.to].fixed_part)) return false;
      put(at - end_size, to_[pair.to].fixed_part, end_size);
      return record(pair, from, at, out_.size(), depth.level());
    }
    field held{};
    const std::size_t tag = source_.open_tagged(from, pair.from, held);
    const selected chosen = select_alternative(old, tag);
    const bool is_absent = old.attributes.kind == schema_kind::optional && !chosen.holds;
    std::byte now{};
    if (!put_tag(pair, tag, now) || (!is_absent && !append(std::array{now}))) return false;
    if (chosen.holds && !payload(pair.links[chosen.child].pair, held, depth.level())) return false;
    source_.leave(from, held);
    return true;
  }
  bool list(const resolved_pair& pair, field& from, nesting depth) {
    auto old = source_.open_list(from, pair.from);
    if constexpr (!Source::is_message) {
      if (!old.keeps_links) return fail(errc::layout_mismatch, only_filled_pool);
    }
    const std::uint32_t element = new_node(pair).children[0].node;
    const std::uint32_t elements = pair.links[0].pair;
    const packed_part& part = to_[element];
    const std::uint64_t stride = to_.stride(element);
    const bool is_evolvable = to_.is_evolvable(element);
    if (!part.is_fixed || stride == 0) {
      const std::size_t at = out_.size();
      if (old.count > max_size) return fail(errc::too_large, "less than 2^32 elements");
      if (!grow(is_evolvable ? 2 * end_size : end_size)) return false;
      put(at, old.count, end_size);
      if (is_evolvable) put(at + end_size, part.fixed_part, end_size);
    }
    const std::size_t first = out_.size();
    if (stride != 0 && old.count > max_size / stride)
      return fail(errc::too_large, "a value of less than 4 GiB when packed as the new type");
    if (!grow(old.count * stride)) return false;
    const std::size_t tail = out_.size();
    std::vector<field> sorted;
    if constexpr (!Source::is_message) {
      if (plan_.pairs[elements].is_same) {
        const bytes_view run = source_.run(old);
        if (!run.empty()) {
          std::memcpy(out_.data() + first, run.data(), run.size());
          return true;
        }
      }
      const schema_kind kind = old_node(pair).attributes.kind;
      if ((kind == schema_kind::unordered_set || kind == schema_kind::unordered_map) &&
          !sort_entries(pair, old, sorted, depth))
        return false;
    }
    for (std::uint64_t i = 0; i < old.count; ++i) {
      field value = sorted.empty() ? source_.next(old) : sorted[static_cast<std::size_t>(i)];
      const std::size_t at = first + static_cast<std::size_t>(i * stride);
      const bool well = is_evolvable ? evolvable_element(elements, value, at, tail, depth.call())
                                     : slot(elements, value, at, tail, depth.call());
      if (!well || !poll_.should_continue(out_.size())) return in_element(i);
      source_.done(old, value);
    }
    source_.close(from, old);
    return true;
  }
  /// Sorts the entries of an unordered set or map by the new bytes of their keys, as the format
  /// requires. The source may have another order.
  template <class List>
  bool sort_entries(const resolved_pair& pair, List& old, std::vector<field>& sorted, nesting depth) {
    const std::uint32_t elements = pair.links[0].pair;
    const bool is_map = is_map_kind(old_node(pair).attributes.kind);
    const std::uint32_t key_pair = is_map ? plan_.pairs[elements].links[0].pair : elements;
    struct keyed {
      field entry;
      std::size_t begin;
      std::size_t end;
    };
    std::vector<keyed> entries;
    std::vector<std::byte> message;
    message.swap(out_); // each key is a separate message
    bool well = true;
    for (std::uint64_t i = 0; i < old.count && well; ++i) {
      field entry = source_.next(old);
      field key = entry;
      if (is_map) {
        auto parts = source_.open_record(entry, plan_.pairs[elements].from, plan_.pairs[elements]);
        key = source_.member(parts, 0);
      }
      const std::size_t begin = out_.size();
      well = payload(key_pair, key, depth.call()) && poll_.step_should_continue();
      entries.push_back({entry, begin, out_.size()});
    }
    message.swap(out_);
    if (!well) return false;
    const auto before = [&](const keyed& a, const keyed& b) {
      const bytes_view all(message);
      return order_of_bytes(all.subspan(a.begin, a.end - a.begin), all.subspan(b.begin, b.end - b.begin)) < 0;
    };
    if (!cancellable_sort(entries.data(), entries.data() + entries.size(), before, poll_)) return false;
    sorted.reserve(entries.size());
    for (const keyed& one : entries) sorted.push_back(one.entry);
    return true;
  }
  /// Writes an evolvable record as an element of a list. The bytes at `at` are the end offset of
  /// the element and then its fixed part.
  bool evolvable_element(std::uint32_t index, field& from, std::size_t at, std::size_t tail, nesting depth) {
    const resolved_pair& pair = plan_.pairs[index];
    if (pair.how == step::upgrade) {
      std::vector<std::byte> bytes;
      if (!upgraded(pair, from, bytes, depth)) return false;
      const std::size_t fixed = static_cast<std::size_t>(to_[pair.to].fixed_part);
      std::memcpy(out_.data() + at + end_size, bytes.data() + end_size, fixed);
      if (!append(bytes_view(bytes).subspan(end_size + fixed))) return false;
    } else if (!record(pair, from, at + end_size, out_.size(), depth)) {
      return false;
    }
    put(at, out_.size() - tail, end_size);
    return true;
  }

  /// Sets `bytes` to the result of the type's upgrade function for a message of the previous type.
  /// Returns false if this fails.
  bool upgraded(const resolved_pair& pair, field& from, std::vector<std::byte>& bytes, nesting depth) {
    std::vector<std::byte> earlier;
    earlier.swap(out_);
    const bool well = payload(pair.links[0].pair, from, {depth.calls + 1, 0}); // a separate message
    earlier.swap(out_);
    if (!well) return false;
    result<std::vector<std::byte>> message = new_node(pair).type->codec->upgrade(earlier);
    if (!message) {
      why_ = message.error();
      return false;
    }
    bytes = std::move(*message);
    return true;
  }
  bool upgrade(const resolved_pair& pair, field& from, std::size_t at, std::size_t tail, nesting depth) {
    std::vector<std::byte> bytes;
    return upgraded(pair, from, bytes, depth) && splice(pair.to, bytes, at, tail);
  }

  /// Writes a part from `bytes`, its packed form: fills the slot at `at` and appends the payloads.
  bool splice(std::uint32_t node, bytes_view bytes, std::size_t at, std::size_t tail) {
    const packed_part& part = to_[node];
    const std::size_t fixed = part.is_leaf ? 0 : static_cast<std::size_t>(part.slot);
    copy(node, bytes.first(fixed), bytes.subspan(fixed), 0, at, tail);
    return well_;
  }
  /// Copies a part. Adjusts the end offsets of the part: they count from the start of the tail, and
  /// the payloads are now at another position in the tail.
  void copy(std::uint32_t node, bytes_view fixed, bytes_view payloads, std::uint64_t begin, std::size_t at,
            std::size_t tail) {
    const std::uint64_t here = out_.size() - tail;
    well_ = append(payloads);
    if (!well_) return;
    if (to_[node].is_leaf) return put(at, out_.size() - tail, end_size);
    if (!fixed.empty()) std::memcpy(out_.data() + at, fixed.data(), fixed.size());
    to_.for_each_end(node, at, [&](std::uint64_t end) {
      const auto position = static_cast<std::size_t>(end);
      put(position, load_number(out_.data() + position, end_size) - begin + here, end_size);
    });
  }
  bool in_element(std::uint64_t i) {
    why_.in_element(i);
    return false;
  }

  const evolution_plan& plan_;
  const packed_layout& from_;
  const packed_layout& to_;
  Source source_;
  progress_tracker* tracker_;
  progress_poll poll_;
  std::uint64_t expected_;
  std::uint64_t limit_;
  std::uint64_t telling_; ///< position at which progress is reported next
  std::vector<std::byte> out_;
  error why_;
  bool well_ = true;
};

}}} // namespace ingot::INGOT_V1::detail
