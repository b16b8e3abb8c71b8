// SPDX-License-Identifier: Apache-2.0
// Writes a value of a document as a packed message of a schema that is known at run time. Writes
// the same bytes as the writer of pack/.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/dynamic/detail/message_packed.hpp>
#include <ingot/dynamic/value_encoder.hpp>
#include <ingot/pack/detail/order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class packed_from_document : public value_encoder_base {
public:
  /// Requires that `types` has the packed profile.
  packed_from_document(const message_tables& types, const pack_document_options& options)
      : value_encoder_base(types, options) {}
  /// Selects the constructor for a writer that sorts the sets and maps of a compact message. If a
  /// record in a key omits a member that has its default value, this value is unknown, because
  /// schemas don't store defaults. The entries of that set or map then keep the order of the input.
  struct for_compact {};
  packed_from_document(const message_tables& types, const pack_document_options& options, for_compact)
      : value_encoder_base(types, options), knows_defaults_(false) {}

  [[nodiscard]] bool run(const input& from) { return payload(message_tables::root, from, {}); }
  [[nodiscard]] buffer take() noexcept { return out_.take(); }

  /// An entry of a set or map. Lists of entries are in the order of the message.
  struct entry : entry_input {
    std::size_t begin = 0; ///< beginning of the key's payload; `end` is its end
    std::size_t end = 0;
  };
  [[nodiscard]] bool sorted(std::uint32_t type, const input& from, std::vector<entry>& to, nesting depth) {
    const evolving_node& what = types_.node(type);
    // A key is written twice. If keys contained keys, each level would double the work.
    if (in_key_) return fail(errc::invalid_value, "keys without sets and maps in them");
    if (!gather(type, from, to)) return false;
    growing_buffer keys;
    const std::uint32_t key = types_.part_type(type, 0);
    keys.swap(out_);
    const bool outer = std::exchange(in_key_, true);
    const bool left_out_before = std::exchange(left_out_, false);
    bool well = true;
    for (std::size_t i = 0; well && i < to.size(); ++i) {
      to[i].begin = out_.size();
      well = payload(key, to[i].key, depth.call());
      to[i].end = out_.size();
      if (well) continue;
      if (is_map_kind(what.attributes.kind)) to[i].name_key(why_);
      else to[i].name_element(why_);
    }
    in_key_ = outer;
    keys.swap(out_);
    const bool is_unknown = left_out_ && !knows_defaults_;
    left_out_ = left_out_ || left_out_before;
    return well && (is_unknown || sort(type, keys, to, depth));
  }

private:
  bool grow(std::uint64_t n) {
    if (!has_space(out_, n)) return false;
    out_.resize(out_.size() + static_cast<std::size_t>(n));
    return true;
  }
  bool appended(std::string_view bytes) {
    if (!has_space(out_, bytes.size())) return false;
    out_.append(bytes);
    return true;
  }
  void put(std::size_t at, std::uint64_t n, std::size_t width = end_size) {
    store_number(out_.data() + at, n, width);
  }
  bool enter(nesting depth) {
    return depth.calls < nesting::max_call_depth || fail(errc::too_deep, "at most 128 levels of nesting");
  }

  /// Appends the payload of a value: a whole message, or the bytes of a variable field.
  bool payload(std::uint32_t type, const input& from, nesting depth) {
    const packed_part& part = types_.packed(type);
    if (part.is_leaf) return leaf(type, from, depth.call());
    const std::size_t at = out_.size();
    return grow(part.fixed_part) && slot(type, from, at, out_.size(), depth.call());
  }
  /// Writes a value in its slot at `at`. Requires that the slot contains zeros. The slot belongs to
  /// a fixed part whose tail begins at `tail`.
  bool slot(std::uint32_t type, const input& from, std::size_t at, std::size_t tail, nesting depth) {
    if (!enter(depth)) return false;
    const packed_part& part = types_.packed(type);
    if (part.is_leaf) {
      if (!leaf(type, from, depth.call())) return false;
      put(at, out_.size() - tail);
      return true;
    }
    const schema_attributes& attributes = types_.node(type).attributes;
    switch (attributes.kind) {
    case schema_kind::record: return record(type, from, at, tail, depth);
    case schema_kind::tuple:
      if (!elements(from, part.offsets.size(), true)) return false;
      return parts(type, from, part.offsets.size(), at, tail, depth);
    case schema_kind::array: return array(type, from, at, tail, depth);
    case schema_kind::complex:
      return elements(from, 2, true) && half(type, from, 0, at) && half(type, from, 1, at);
    case schema_kind::duration:
    case schema_kind::time_point: {
      if (!is_meant(from)) [[likely]]
        return slot(types_.part_type(type, 0), from, at, tail, depth.call());
      std::uint64_t number = 0;
      std::uint32_t count = 0;
      if (!time(type, from, count, number) || (in_key_ && !normal(types_.node(count).attributes, number)))
        return false;
      put(at, number, types_.node(count).attributes.width);
      return true;
    }
    case schema_kind::bitset: return bits(type, from, out_.data() + at);
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: {
      std::size_t tag = 0;
      input held;
      if (!choose(type, from, tag, held)) return false;
      out_[at] = static_cast<std::byte>(tag);
      const selected chosen = select_alternative(types_.node(type), tag);
      return !chosen.holds || slot(types_.part_type(type, chosen.child), held, at + 1, tail, depth.call());
    }
    default: {
      std::uint64_t number = 0;
      if (!scalar(type, from, number) || (in_key_ && !normal(attributes, number))) return false;
      put(at, number, attributes.width);
      return true;
    }
    }
  }
  /// Finds the tag and the held value of an optional, variant or expected.
  bool choose(std::uint32_t type, const input& from, std::size_t& tag, input& held) {
    if (types_.node(type).attributes.kind != schema_kind::optional) return tagged(type, from, tag, held);
    bool has_value = false;
    if (!optional(type, from, has_value, held)) return false;
    tag = has_value ? 1 : 0;
    return true;
  }
  /// Rejects NaN in a key, and replaces -0 by +0.
  bool normal(const schema_attributes& attributes, std::uint64_t& bits) {
    if (attributes.kind != schema_kind::floating) return true;
    const std::uint64_t sign = std::uint64_t{1} << (attributes.width * 8U - 1U);
    const std::uint64_t infinity = attributes.width == 4 ? 0x7F800000U : std::uint64_t{0x7FF} << 52;
    if (bits == sign) bits = 0;
    return (bits & ~sign) <= infinity || fail(errc::not_canonical, "a key that is neither NaN nor -0");
  }
  bool half(std::uint32_t type, const input& from, std::size_t i, std::size_t at) {
    const std::uint32_t number = types_.part_type(type, 0);
    const std::size_t width = types_.node(number).attributes.width;
    const input part{from.is_missing() ? value() : from.of[i], {}, false};
    std::uint64_t bits = 0;
    if (!scalar(number, part, bits) || (in_key_ && !normal(types_.node(number).attributes, bits)))
      return in_element(i);
    put(at + i * width, bits, width);
    return true;
  }
  bool record(std::uint32_t type, const input& from, std::size_t at, std::size_t tail, nesting depth) {
    const packed_part& part = types_.packed(type);
    if (!object(type, from)) return false;
    for (std::size_t k = 0; k < part.offsets.size(); ++k) {
      input one;
      if (!member(type, from, k, one)) return false;
      const std::size_t position = at + static_cast<std::size_t>(part.offsets[k]);
      if (!slot(types_.part_type(type, k), one, position, tail, depth.call()) ||
          (k == 0 && types_.has_version_member(type) && !version(type, one, position)))
        return in_member(type, k);
    }
    return true;
  }
  bool version(std::uint32_t type, const input& from, std::size_t position) {
    const std::size_t width = types_.node(types_.part_type(type, 0)).attributes.width;
    const std::uint64_t wanted = types_.node(type).attributes.extent;
    if (from.is_missing()) put(position, wanted, width);
    return load_number(out_.data() + position, width) == wanted ||
           fail(errc::wrong_version, "the version that the schema names");
  }
  bool parts(std::uint32_t type, const input& from, std::size_t count, std::size_t at, std::size_t tail,
             nesting depth) {
    for (std::size_t k = 0; k < count; ++k) {
      const input one{from.is_missing() ? value() : from.of[k], {}, false};
      const std::size_t position = at + static_cast<std::size_t>(types_.packed(type).offsets[k]);
      if (!slot(types_.part_type(type, k), one, position, tail, depth.call())) return in_element(k);
    }
    return true;
  }
  bool array(std::uint32_t type, const input& from, std::size_t at, std::size_t tail, nesting depth) {
    const std::uint32_t element = types_.of[type].element;
    const std::uint64_t count = types_.all.types[type].extent;
    const std::uint64_t stride = types_.packed(element).slot;
    std::string_view bytes;
    if (side_by_side(element, from, bytes)) {
      const bool fits = from.is_text() ? bytes.size() <= count : bytes.size() == count;
      if (!fits) return fail(errc::too_long, "as many bytes as the array has elements");
      if (!bytes.empty()) std::memcpy(out_.data() + at, bytes.data(), bytes.size());
      return true;
    }
    if (!elements(from, count, true)) return false;
    if (types_.packed(type).slot == 0) return true;
    for (std::uint64_t i = 0; i < count; ++i) {
      const input one{from.is_missing() ? value() : from.of[static_cast<std::size_t>(i)], {}, false};
      if (!slot(element, one, at + static_cast<std::size_t>(i * stride), tail, depth.call()))
        return in_element(i);
    }
    return true;
  }

  bool leaf(std::uint32_t type, const input& from, nesting depth) {
    if (!enter(depth)) return false;
    const packed_part& part = types_.packed(type);
    if (part.is_recursive && depth.levels > max_depth)
      return fail(errc::too_deep, "at most 128 levels of nesting");
    const schema_kind kind = types_.node(type).attributes.kind;
    if (is_text_kind(kind)) return text(type, from, out_) && grow(0);
    if (is_list_kind(kind)) return list(type, from, depth.level());
    if (kind == schema_kind::record) { // a record begins with its size
      const std::size_t at = out_.size() + end_size;
      if (!grow(end_size + part.fixed_part)) return false;
      put(at - end_size, part.fixed_part);
      return record(type, from, at, out_.size(), depth.level());
    }
    std::size_t tag = 0;
    input held;
    if (!choose(type, from, tag, held)) return false;
    const selected chosen = select_alternative(types_.node(type), tag);
    if (kind == schema_kind::optional && !chosen.holds) return true;
    const char first = static_cast<char>(tag);
    return appended({&first, 1}) &&
           (!chosen.holds || payload(types_.part_type(type, chosen.child), held, depth.level()));
  }
  bool list(std::uint32_t type, const input& from, nesting depth) {
    const std::uint32_t element = types_.of[type].element;
    const schema_kind kind = types_.node(type).attributes.kind;
    std::string_view bytes;
    if (types_.node(type).is_archive) {
      growing_buffer archive;
      return archived(from, archive) &&
             appended({reinterpret_cast<const char*>(archive.data()), archive.size()});
    }
    if (kind == schema_kind::sequence && side_by_side(element, from, bytes)) return appended(bytes);
    std::vector<entry> entries;
    if (kind == schema_kind::sequence) {
      if (!elements(from, 0, false)) return false;
    } else if (!sorted(type, from, entries, depth)) {
      return false;
    }
    const std::uint64_t count = kind != schema_kind::sequence ? entries.size()
                                : from.is_missing()           ? 0
                                                              : from.of.size();
    const packed_part& part = types_.packed(element);
    const std::uint64_t stride = types_.of[element].stride;
    const bool is_opened = types_.of[element].is_opened;
    if (!part.is_fixed || stride == 0) {
      const std::size_t at = out_.size();
      if (!grow(is_opened ? 2 * end_size : end_size)) return false;
      put(at, count);
      if (is_opened) put(at + end_size, part.fixed_part);
    }
    if (stride == 0) {
      if (count > max_empty_elements - empty_elements_)
        return fail(errc::too_large, "at most 65536 elements of size zero in a message");
      empty_elements_ += count;
    }
    const std::size_t first = out_.size();
    if (!grow(stride == 0 ? 0 : std::min(count, (std::uint64_t{1} << 62) / stride) * stride)) return false;
    const std::size_t tail = out_.size();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::size_t at = first + static_cast<std::size_t>(i * stride);
      const auto index = static_cast<std::size_t>(i);
      if (kind == schema_kind::sequence) {
        if (!one(element, {from.of[index], {}, false}, false, at, tail, depth)) return in_element(i);
      } else if (is_map_kind(kind)) {
        if (!pair(element, entries[index], at, tail, depth)) return false;
      } else if (!one(element, entries[index].key, is_set_kind(kind), at, tail, depth)) {
        entries[index].name_element(why_);
        return false;
      }
    }
    return true;
  }
  bool one(std::uint32_t element, const input& from, bool is_key, std::size_t at, std::size_t tail,
           nesting depth) {
    const bool outer = std::exchange(in_key_, in_key_ || is_key);
    bool well = false;
    if (types_.of[element].is_opened) {
      well = record(element, from, at + end_size, out_.size(), depth.call());
      if (well) put(at, out_.size() - tail);
    } else {
      well = slot(element, from, at, tail, depth.call());
    }
    in_key_ = outer;
    return well;
  }
  bool pair(std::uint32_t type, const entry& from, std::size_t at, std::size_t tail, nesting depth) {
    const packed_part& part = types_.packed(type);
    const auto key_at = at + static_cast<std::size_t>(part.offsets[0]);
    const auto held_at = at + static_cast<std::size_t>(part.offsets[1]);
    const bool outer = std::exchange(in_key_, true);
    const bool well = slot(types_.part_type(type, 0), from.key, key_at, tail, depth.call());
    in_key_ = outer;
    if (!well) from.name_key(why_);
    else if (!slot(types_.part_type(type, 1), from.held, held_at, tail, depth.call())) from.name_value(why_);
    else return true;
    return false;
  }

  static void add(std::vector<entry>& to, const input& key, const input& held) {
    to.push_back({{key, held, to.size()}});
  }
  /// Reads keys and values in any form that documents have for them: elements, members, or arrays
  /// of two elements.
  bool gather(std::uint32_t type, const input& from, std::vector<entry>& to) {
    const bool is_map = is_map_kind(types_.node(type).attributes.kind);
    if (from.is_missing()) return true;
    if (from.is_key) return mismatch(from, is_map ? "an object or an array of pairs" : "an array");
    if (is_map && from.of.is_object()) {
      for (const auto& [key, held] : from.of.members()) add(to, {{}, key, true}, {held, {}, false});
      return true;
    }
    if (!from.of.is_array()) return mismatch(from, is_map ? "an object or an array of pairs" : "an array");
    std::size_t i = 0;
    for (const value& each : from.of.elements()) {
      if (!is_map) {
        add(to, {each, {}, false}, {});
      } else if (each.is_array() && each.size() == 2) {
        add(to, {each[std::size_t{0}], {}, false}, {each[std::size_t{1}], {}, false});
      } else {
        mismatch({each, {}, false}, "an array of key and value");
        return in_element(i);
      }
      ++i;
    }
    return true;
  }
  /// Sorts entries by their keys. `keys` has the payloads of the keys. Compares bytes if the
  /// container is unordered, otherwise values.
  bool sort(std::uint32_t type, const growing_buffer& keys, std::vector<entry>& to, nesting depth) {
    const dynamic_kind kind = types_.all.types[type].kind;
    memory in{keys.data(), keys.size(), &types_.all};
    const packed_values values(types_, in);
    in.message = &values;
    const std::uint32_t key = types_.part_type(type, 0);
    const auto order = [&](const entry& a, const entry& b) {
      if (!is_unordered(kind))
        return compare_values(in, values.payload(key, a.begin, a.end - a.begin), in,
                              values.payload(key, b.begin, b.end - b.begin));
      const auto bytes = [&](const entry& e) { return bytes_view(keys).subspan(e.begin, e.end - e.begin); };
      const auto found = order_of_bytes(bytes(a), bytes(b));
      return found < 0 ? -1 : found > 0 ? 1 : 0;
    };
    sort_stably(to, [&](const entry& a, const entry& b) { return order(a, b) < 0; });
    const bool repeat = keys_repeat(kind);
    for (std::size_t i = 1; i < to.size(); ++i) {
      if (order(to[i - 1], to[i]) != 0) continue;
      if (!repeat) return fail(errc::duplicate_key, "each key once");
      if (kind == dynamic_kind::hash_multimap) return sort_held(type, order, to, depth);
    }
    return true;
  }
  /// Sorts entries with equal keys by the bytes of their values, since keys do not determine the
  /// order of these entries.
  template <class Order>
  bool sort_held(std::uint32_t type, const Order& order, std::vector<entry>& to, nesting depth) {
    if (held_levels_ == 3) // each level of nesting writes its values twice
      return fail(errc::too_deep, "unordered multimaps with equal keys nested at most three deep");
    ++held_levels_;
    const bool left_out_before = std::exchange(left_out_, false);
    std::vector<growing_buffer> payloads(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      payloads[i].swap(out_);
      const bool well = payload(types_.part_type(type, 1), to[i].held, depth.call());
      payloads[i].swap(out_);
      if (!well) {
        to[i].name_value(why_);
        return false;
      }
    }
    --held_levels_;
    const bool is_unknown = left_out_ && !knows_defaults_;
    left_out_ = left_out_ || left_out_before;
    if (is_unknown) return true;
    std::vector<std::size_t> indices(to.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    sort_stably(indices, [&](std::size_t a, std::size_t b) {
      const int keys = order(to[a], to[b]);
      return keys != 0 ? keys < 0 : order_of_bytes(payloads[a], payloads[b]) < 0;
    });
    std::vector<entry> sorted_entries;
    sorted_entries.reserve(to.size());
    for (const std::size_t index : indices) sorted_entries.push_back(to[index]);
    to.swap(sorted_entries);
    return true;
  }

  growing_buffer out_;
  std::uint64_t empty_elements_ = 0;
  unsigned held_levels_ = 0;
  bool in_key_ = false;
  /// If true, zero is written for a missing value. If false, a missing value is an unknown default.
  bool knows_defaults_ = true;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
