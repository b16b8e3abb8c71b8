// SPDX-License-Identifier: Apache-2.0
// Writes a value of a document as a compact message of a schema that is known at run time.
#pragma once

#include <ingot/core/buffer.hpp>
#include <ingot/core/detail/growing_buffer.hpp>
#include <ingot/dynamic/detail/pack_packed.hpp>
#include <ingot/pack/detail/compact_float.hpp>
#include <ingot/pack/detail/compact_layout.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::dyn {

class compact_from_document : public value_encoder_base {
public:
  /// Requires that `types` has the compact profile.
  compact_from_document(const message_tables& types, const pack_document_options& options)
      : value_encoder_base(types, options) {}

  [[nodiscard]] bool run(const input& from) {
    return write(message_tables::root, from, {}) && has_space(out_, 0);
  }
  [[nodiscard]] buffer take() noexcept { return out_.take(); }

private:
  bool enter(nesting depth) {
    return depth.calls < nesting::max_call_depth || fail(errc::too_deep, "at most 128 levels of nesting");
  }
  bool enter_level(std::uint32_t type, nesting depth) {
    if (types_.packed(type).is_recursive && depth.levels > max_depth) depth.calls = nesting::max_call_depth;
    return enter(depth);
  }
  void byte(std::uint64_t n) { out_.push_back(static_cast<std::byte>(n)); }
  void varint(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) byte((n & 0x7F) | 0x80);
    byte(n);
  }
  void number(std::uint64_t n, std::size_t width) {
    for (; width != 0; --width, n >>= 8) byte(n & 0xFF);
  }
  bool sized(std::string_view bytes, std::uint64_t units) {
    if (!has_space(out_, bytes.size())) return false;
    varint(units);
    out_.append(bytes);
    return true;
  }

  bool write(std::uint32_t type, const input& from, nesting depth) {
    const schema_attributes& attributes = types_.node(type).attributes;
    if (!has_space(out_, 0)) return false;
    const bool is_level =
        is_list_kind(attributes.kind) || is_tagged_kind(attributes.kind) || types_.of[type].is_evolvable;
    if (!(is_level ? enter_level(type, depth) : enter(depth))) return false;
    switch (attributes.kind) {
    case schema_kind::string:
    case schema_kind::path: {
      growing_buffer units;
      if (!text(type, from, units)) return false;
      const std::string_view bytes(reinterpret_cast<const char*>(units.data()), units.size());
      return sized(bytes, units.size() / types_.all.types[types_.part_type(type, 0)].size);
    }
    case schema_kind::sequence:
    case schema_kind::set:
    case schema_kind::unordered_set:
    case schema_kind::map:
    case schema_kind::unordered_map: return list(type, from, depth.level());
    case schema_kind::array: return array(type, from, depth);
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: return holder(type, from, depth.level());
    case schema_kind::tuple:
      return elements(from, types_.all.types[type].parts, true) && parts(type, from, depth);
    case schema_kind::record: return record(type, from, types_.of[type].is_evolvable ? depth.level() : depth);
    case schema_kind::complex: return elements(from, 2, true) && half(type, from, 0) && half(type, from, 1);
    case schema_kind::duration:
    case schema_kind::time_point: {
      if (!is_meant(from)) [[likely]]
        return write(types_.part_type(type, 0), from, depth.call());
      std::uint64_t number = 0;
      std::uint32_t count = 0;
      return time(type, from, count, number) && (!in_key_ || normal(types_.node(count).attributes, number)) &&
             spell(count, number);
    }
    case schema_kind::bitset: {
      const std::size_t at = out_.size();
      if (!has_space(out_, types_.packed(type).slot)) return false;
      out_.resize(at + static_cast<std::size_t>(types_.packed(type).slot));
      return bits(type, from, out_.data() + at);
    }
    default: {
      std::uint64_t found = 0;
      if (!scalar(type, from, found) || (in_key_ && !normal(attributes, found))) return false;
      return spell(type, found);
    }
    }
  }
  bool spell(std::uint32_t type, std::uint64_t found) {
    const schema_attributes& attributes = types_.node(type).attributes;
    const encoding how = types_.of[type].how;
    if (compact_validator::is_varint(attributes, how)) {
      varint(attributes.has(schema_flag::is_signed) ? zigzag(static_cast<std::int64_t>(found)) : found);
      return true;
    }
    if (compact_validator::is_spelled_float(attributes, how)) {
      std::int64_t steps = 0;
      if (spells(how, encoding::quantized)) {
        if (in_key_)
          return fail(errc::invalid_value, "keys without quantised floats: two keys might become one");
        if (!quantise(attributes.width == 4 ? widen_float(found) : found, quantum_in(std::to_underlying(how)),
                      steps))
          return fail(errc::out_of_range, "a number that quantize's steps can reach");
      }
      std::array<std::byte, varint_limit> bytes{};
      std::byte* const end = attributes.width == 4 ? put_float_bits<4>(bytes.data(), how, found)
                                                   : put_float_bits<8>(bytes.data(), how, found);
      out_.append(bytes_view(bytes.data(), end));
      return true;
    }
    number(found, attributes.width);
    return true;
  }
  bool half(std::uint32_t type, const input& from, std::size_t i) {
    const input part{from.is_missing() ? value() : from.of[i], {}, false};
    return write(types_.part_type(type, 0), part, {}) || in_element(i);
  }
  bool parts(std::uint32_t type, const input& from, nesting depth) {
    for (std::size_t k = 0; k < types_.all.types[type].parts; ++k) {
      const input one{from.is_missing() ? value() : from.of[k], {}, false};
      if (!write(types_.part_type(type, k), one, depth.call())) return in_element(k);
    }
    return true;
  }
  bool array(std::uint32_t type, const input& from, nesting depth) {
    const std::uint32_t element = types_.of[type].element;
    const std::uint64_t count = types_.all.types[type].extent;
    std::string_view bytes;
    if (side_by_side(element, from, bytes)) {
      const bool fits = from.is_text() ? bytes.size() <= count : bytes.size() == count;
      if (!fits) return fail(errc::too_long, "as many bytes as the array has elements");
      if (!has_space(out_, count)) return false;
      out_.append(bytes);
      out_.resize(out_.size() + static_cast<std::size_t>(count - bytes.size()));
      return true;
    }
    if (!elements(from, count, true)) return false;
    if (types_.packed(type).is_zero_size) return true;
    if (types_.of[type].is_unit) return unit_vector(type, from, static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      const input one{from.is_missing() ? value() : from.of[static_cast<std::size_t>(i)], {}, false};
      if (!write(element, one, depth.call())) return in_element(i);
    }
    return true;
  }
  bool unit_vector(std::uint32_t type, const input& from, std::size_t count) {
    if (in_key_) return fail(errc::invalid_value, "keys without unit vectors: two keys might become one");
    const std::uint32_t element = types_.of[type].element;
    std::array<std::uint64_t, 4> numbers{};
    for (std::size_t i = 0; i < count; ++i) {
      const input one{from.is_missing() ? value() : from.of[i], {}, false};
      if (!scalar(element, one, numbers[i])) return in_element(i);
      if (types_.node(element).attributes.width == 4) numbers[i] = widen_float(numbers[i]);
    }
    const auto size = static_cast<unsigned>(types_.of[type].bytes);
    std::uint64_t code = 0;
    if (!unit_code(numbers.data(), static_cast<unsigned>(count), size, code))
      return fail(errc::out_of_range, unit_expected);
    number(code, size);
    return true;
  }
  bool holder(std::uint32_t type, const input& from, nesting depth) {
    std::size_t tag = 0;
    input held;
    if (types_.node(type).attributes.kind == schema_kind::optional) {
      bool has_value = false;
      if (!optional(type, from, has_value, held)) return false;
      tag = has_value ? 1 : 0;
    } else if (!tagged(type, from, tag, held)) {
      return false;
    }
    byte(tag);
    const selected chosen = select_alternative(types_.node(type), tag);
    return !chosen.holds || write(types_.part_type(type, chosen.child), held, depth);
  }
  bool record(std::uint32_t type, const input& from, nesting depth) {
    const message_type& what = types_.of[type];
    const std::size_t count = types_.all.types[type].parts;
    if (!object(type, from)) return false;
    growing_buffer outer;
    if (what.is_evolvable) outer.swap(out_);
    const std::size_t mask = out_.size();
    if (what.elides) out_.resize(mask + (count + 7) / 8);
    bool well = true;
    for (std::size_t k = 0; well && k < count; ++k) {
      input one;
      well = member(type, from, k, one);
      if (!well || (what.elides && one.is_missing())) continue; // a missing member has its default
      if (what.elides) out_[mask + k / 8] |= std::byte{1} << k % 8;
      well =
          (k == 0 && types_.has_version_member(type) ? version(type, one)
                                                     : write(types_.part_type(type, k), one, depth.call())) ||
          in_member(type, k);
    }
    if (!what.is_evolvable) return well;
    outer.swap(out_);
    const std::string_view bytes(reinterpret_cast<const char*>(outer.data()), outer.size());
    return well && sized(bytes, outer.size());
  }
  bool version(std::uint32_t type, const input& from) {
    const std::uint64_t wanted = types_.node(type).attributes.extent;
    std::uint64_t found = wanted;
    if (!from.is_missing() && !scalar(types_.part_type(type, 0), from, found)) return false;
    if (found != wanted) return fail(errc::wrong_version, "the version that the schema names");
    spell(types_.part_type(type, 0), wanted);
    return true;
  }

  bool list(std::uint32_t type, const input& from, nesting depth) {
    const std::uint32_t element = types_.of[type].element;
    const schema_kind kind = types_.node(type).attributes.kind;
    std::string_view bytes;
    if (types_.node(type).is_archive) {
      growing_buffer archive;
      return archived(from, archive) &&
             sized({reinterpret_cast<const char*>(archive.data()), archive.size()}, archive.size());
    }
    if (kind == schema_kind::sequence) {
      if (side_by_side(element, from, bytes)) return sized(bytes, bytes.size());
      if (!elements(from, 0, false)) return false;
      const std::size_t count = from.is_missing() ? 0 : from.of.size();
      if (!counted(element, count)) return false;
      for (std::size_t i = 0; i < count; ++i) {
        if (!write(element, {from.of[i], {}, false}, depth.call())) return in_element(i);
      }
      return true;
    }
    std::vector<packed_from_document::entry> entries;
    if (in_key_) return fail(errc::invalid_value, "keys without sets and maps in them");
    if (!sorted(type, from, entries, depth) || !counted(element, entries.size())) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      in_key_ = true;
      const bool is_map = is_map_kind(kind);
      const bool well = write(is_map ? types_.part_type(type, 0) : element, entries[i].key, depth.call());
      in_key_ = false;
      if (well && (!is_map || write(types_.part_type(type, 1), entries[i].held, depth.call()))) continue;
      if (!is_map) entries[i].name_element(why_);
      else if (well) entries[i].name_value(why_);
      else entries[i].name_key(why_);
      return false;
    }
    return true;
  }
  bool counted(std::uint32_t element, std::uint64_t count) {
    if (types_.packed(element).is_zero_size) {
      if (count > max_empty_elements - empty_elements_)
        return fail(errc::too_large, "at most 65536 elements of size zero in a message");
      empty_elements_ += count;
    }
    varint(count);
    return true;
  }
  /// Gathers and sorts entries by their keys, in the order of packed messages.
  bool sorted(std::uint32_t type, const input& from, std::vector<packed_from_document::entry>& to,
              nesting depth) {
    if (!packed_types_) {
      packed_types_.emplace(types_.graph, types_.id, message_profile::pack);
      for (std::uint32_t t = message_tables::root; t < packed_types_->of.size(); ++t) {
        if (!packed_types_->of[t].is_opened) packed_of_.emplace(packed_types_->of[t].node, t);
      }
    }
    if (!packed_types_->has_memory) return fail(errc::no_memory, "memory for a schema's types");
    pack_document_options apart = options_;
    apart.progress = {}; // these keys are written only to be sorted, so no progress is reported
    packed_from_document keys(*packed_types_, apart, packed_from_document::for_compact());
    if (keys.sorted(packed_of_.at(types_.of[type].node), from, to, depth)) return true;
    why_ = keys.why();
    return false;
  }
  bool normal(const schema_attributes& attributes, std::uint64_t& bits) {
    if (attributes.kind == schema_kind::floating && bits == std::uint64_t{1} << (attributes.width * 8U - 1U))
      bits = 0;
    return true; // `sorted` has already rejected NaNs
  }

  growing_buffer out_;
  std::optional<message_tables> packed_types_;
  /// For each node: index of its type in `packed_types_`.
  std::unordered_map<std::uint32_t, std::uint32_t> packed_of_;
  std::uint64_t empty_elements_ = 0;
  bool in_key_ = false;
};

}}} // namespace ingot::INGOT_V1::detail::dyn
