// SPDX-License-Identifier: Apache-2.0
// Reads a protobuf message by a schema and emits the message as a document. Open messages are on an
// explicit stack, so that the input does not control the use of machine stack. If the field of a
// message occurs several times, the occurrences are pieces of one message. Protobuf merges them by
// concatenation, so the reader reads the concatenation of the pieces.
#pragma once

#include <ingot/core/detail/widen_float.hpp>
#include <ingot/document/detail/archive_emitter.hpp>
#include <ingot/document/detail/events.hpp>
#include <ingot/protobuf/detail/field_reading.hpp>
#include <ingot/protobuf/detail/known_time.hpp>
#include <ingot/protobuf/detail/schema_wire.hpp>
#include <ingot/protobuf/detail/value_read.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/schema/detail/alternative_tags.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

class schema_reading : field_reading {
public:
  schema_reading(bytes_view whole, const schema& by, document_events& to, std::size_t levels) noexcept
      : field_reading(whole, levels, ingot::detail::doc::event_access::allowance_of(to)), whole_(whole),
        by_(by), to_(to) {}

  [[nodiscard]] bool run() {
    const schema_node& root = plain_node(by_, by_.root_index());
    const std::vector<occurrence> all{{0, 0, whole_, wire::bytes, 0, 0}};
    bool good = false;
    if (is_message_node(root)) {
      good = tell({by_.root_index(), {}}, all, 0);
    } else { // a type that is not a message is field 1 of a message
      good = tell_only({by_.root_index(), {}}, all, 1);
    }
    while (good && !stack_.empty()) good = step() && to_.good(); // the document reports progress
    if (!good && !to_.good() && !failed_) in_.fail(to_.why().code(), 0, to_.why().expected()), failed_ = true;
    if (!good) add_path();
    return good;
  }
  using field_reading::why;

private:
  enum class form : std::uint8_t { record, tuple, list, map, end };
  struct frame {
    form is;
    std::uint32_t node;
    proto_form as;
    std::size_t depth;
    /// The fields of a message, sorted by number; for a list or map, its elements.
    occurrences fields;
    std::size_t next = 0;
    std::uint64_t zeros = 0; ///< missing elements of an array; 1 for a missing tuple
    int turn = 0;            ///< next part of an entry: 0 key, 1 value, 2 end
    occurrences entry{};
  };
  /// Maximum number of values that are emitted although the message omits them: elements of arrays,
  /// bytes of bitsets, parts of tuples. Without a limit, a schema of a few bytes could request an
  /// output of any size.
  static constexpr std::uint64_t max_zeros = 1U << 20;

  void add_path() noexcept {
    for (auto at = stack_.rbegin(); at != stack_.rend(); ++at) {
      if (at->is == form::end || at->next == 0) continue;
      if (at->is == form::record) in_.why()->in_member(by_.nodes()[at->node].children[at->next - 1].name);
      else in_.why()->in_element(at->next - 1);
    }
  }
  [[nodiscard]] const schema_node& node(std::uint32_t index) const noexcept { return plain_node(by_, index); }

  /// Emits the value of a message with only one field.
  [[nodiscard]] bool tell_only(const schema_part& part, const occurrences& all, std::size_t depth) {
    occurrences fields;
    occurrences found;
    return parse(all, depth, fields) && pick(fields, 1, wires_of_part(by_, part), found) &&
           tell(part, found, depth);
  }
  /// Emits a value in an alternative, a list or a map. If the value has a label (`repeated` or
  /// `optional`), it is in a separate message.
  [[nodiscard]] bool tell_single(const schema_part& part, const occurrences& all, std::size_t depth) {
    if (!ingot::detail::has_proto_label(by_, node(part.node))) return tell(part, all, depth);
    return tell_only(part, all, depth + 1);
  }
  /// Emits the value of a field. `all` has all occurrences of the field, and may be empty. Emits a
  /// scalar as a whole. For a value with parts, may emit only the beginning; `step` then emits the
  /// parts.
  [[nodiscard]] bool tell(const schema_part& part, const occurrences& all, std::size_t depth) {
    const schema_node& what = node(part.node);
    if (const known_message known = known_of(by_, part); known != known_message::none)
      return tell_known(part, known, all, depth);
    if (is_scalar_node(what)) return scalar(what, part.as, all.empty() ? occurrence{} : all.back());
    switch (what.attributes.kind) {
    case schema_kind::string:
    case schema_kind::path: return text(all);
    case schema_kind::bitset: return bits(what, all);
    case schema_kind::document: return archive(all);
    case schema_kind::complex: return array({part.node, {}}, of_last_piece(all), 2);
    case schema_kind::optional: return optional(part, all, depth);
    case schema_kind::record: return record(what, all, depth);
    case schema_kind::tuple: return tuple(part, all, depth);
    case schema_kind::variant:
    case schema_kind::expected: return alternative(part, all, depth);
    case schema_kind::map:
    case schema_kind::unordered_map: return map(part, all, depth);
    case schema_kind::sequence:
    case schema_kind::array:
    case schema_kind::set:
    case schema_kind::unordered_set:
      if (ingot::detail::is_proto_bytes(by_, what)) return bytes(what, all);
      return list(part, all, depth);
    default: return to_.null();
    }
  }

  [[nodiscard]] bool scalar(const schema_node& what, const proto_form& as, const occurrence& one) {
    const schema_attributes& attributes = what.attributes;
    const bool with_sign = attributes.has(schema_flag::is_signed);
    const unsigned bits = 8U * attributes.width;
    switch (attributes.kind) {
    case schema_kind::boolean: return to_.boolean(one.bits != 0);
    case schema_kind::floating:
      return to_.number_bits(attributes.width == 4 ? ingot::detail::widen_float(one.bits) : one.bits);
    case schema_kind::enumeration:
      if (ingot::detail::is_proto_integer(what)) break;
      if (one.bits >> 32 == 0)
        return to_.integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(one.bits)));
      return to_.integer(static_cast<std::int64_t>(one.bits));
    default: break;
    }
    if (with_sign) {
      std::int64_t number = static_cast<std::int64_t>(one.bits);
      if (as.number == proto_number::sint && ingot::detail::is_proto_number(what))
        number = unzigzag(one.bits);
      if (one.type == wire::fixed32) number = static_cast<std::int32_t>(static_cast<std::uint32_t>(one.bits));
      if (bits < 64 && number >> (bits - 1) != 0 && number >> (bits - 1) != -1)
        return too_big(one, static_cast<std::uint64_t>(number), bits, true);
      return to_.integer(number);
    }
    const unsigned width = attributes.kind == schema_kind::byte ? 8 : bits;
    if (width < 64 && one.bits >> width != 0) return too_big(one, one.bits, width, false);
    return to_.unsigned_integer(one.bits);
  }
  bool too_big(const occurrence& one, std::uint64_t number, unsigned bits, bool is_signed) noexcept {
    failed_ = true;
    return in_.fail_integer(one.offset, number, bits / 8, is_signed);
  }
  [[nodiscard]] static std::string_view view(bytes_view bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] bool text(const occurrences& all) {
    if (all.empty()) return to_.text("");
    for (const occurrence& each : all) {
      if (!ingot::detail::is_utf8(view(each.bytes)))
        return fail(errc::invalid_utf8, each.offset, "UTF-8, which protobuf requires of strings");
    }
    return to_.text(view(all.back().bytes));
  }
  [[nodiscard]] bool bytes(const schema_node& what, const occurrences& all) {
    const bytes_view found = all.empty() ? bytes_view() : all.back().bytes;
    const bool is_text = by_.node(what.children[0]).attributes.kind == schema_kind::character;
    if (what.attributes.kind != schema_kind::array)
      return is_text ? to_.text(view(found)) : to_.binary(found);
    if (found.size() > what.attributes.extent ||
        (!is_text && !all.empty() && found.size() != what.attributes.extent))
      return fail(found.size() > what.attributes.extent ? errc::too_long : errc::bad_length,
                  all.empty() ? 0 : all.back().offset, "as many bytes as the array has");
    if (!skip_zeros(what.attributes.extent - found.size())) return false;
    std::string filled(view(found));
    filled.resize(static_cast<std::size_t>(what.attributes.extent), '\0');
    return is_text ? to_.text(filled) : to_.binary(as_bytes_view(filled));
  }
  /// Emits a value of any kind. Such a value is stored as an archive. Emits null if there are no
  /// bytes.
  [[nodiscard]] bool archive(const occurrences& all) {
    const bytes_view found = all.empty() ? bytes_view() : all.back().bytes;
    if (found.empty()) return to_.null();
    const auto emitted = ingot::detail::doc::tell_archive(found, to_);
    if (emitted) return to_.good();
    failed_ = true;
    error err = emitted.error();
    in_.why() = err.with_offset(static_cast<std::uint64_t>(found.data() - whole_.data()) + err.offset());
    return false;
  }
  [[nodiscard]] bool bits(const schema_node& what, const occurrences& all) {
    const std::uint64_t extent = what.attributes.extent;
    const bytes_view found = all.empty() ? bytes_view() : all.back().bytes;
    const std::uint64_t max_size = extent / 8 + (extent % 8 != 0 ? 1 : 0);
    const std::uint64_t where = all.empty() ? 0 : all.back().offset;
    if (found.size() > max_size) return fail(errc::too_long, where, "at most as many bytes as the bits need");
    if (extent % 8 != 0 && found.size() == max_size &&
        std::to_integer<unsigned>(found.back()) >> extent % 8 != 0)
      return fail(errc::bad_padding, where, "zeros after the last bit");
    if (!skip_zeros(max_size - found.size())) return false;
    std::string digits(static_cast<std::size_t>(extent), '0');
    for (std::size_t i = 0; i < digits.size() && i / 8 < found.size(); ++i) {
      if ((std::to_integer<unsigned>(found[i / 8]) >> i % 8 & 1) != 0) digits[digits.size() - 1 - i] = '1';
    }
    return to_.text(digits);
  }
  [[nodiscard]] bool skip_zeros(std::uint64_t n) noexcept {
    if (n > max_zeros - zeros_)
      return fail(errc::too_large, 0, "at most 1048576 values that are not in the message");
    zeros_ += n;
    return true;
  }
  /// Emits a list of scalars, packed or not.
  [[nodiscard]] bool scalars(const schema_part& part, const occurrences& all, std::uint64_t zeros) {
    const schema_node& element = node(node(part.node).children[0].node);
    const proto_form& as = part.as;
    bool good = to_.begin_array();
    for (const occurrence& each : all) {
      if (each.type != wire::bytes) {
        good = good && scalar(element, as, each);
        continue;
      }
      const auto outer = in_.enter(each.bytes);
      while (good && !in_.done()) {
        occurrence one{0, in_.offset(), {}, wire_of_scalar(element, as), 0, each.piece};
        good = value(one);
        failed_ = failed_ || !good;
        good = good && scalar(element, as, one);
      }
      if (!good) return false;
      in_.leave(outer);
    }
    for (; good && zeros != 0; --zeros) good = scalar(element, as, {});
    return good && to_.end();
  }
  /// Emits an array of scalars. Emits zeros if there are no occurrences.
  [[nodiscard]] bool array(const schema_part& part, const occurrences& all, std::uint64_t extent) {
    const std::uint64_t zeros = all.empty() ? extent : 0;
    return skip_zeros(zeros) && scalars(part, all, zeros);
  }
  [[nodiscard]] bool list(const schema_part& part, const occurrences& all, std::size_t depth) {
    const schema_node& what = node(part.node);
    const bool is_array = what.attributes.kind == schema_kind::array;
    if (is_scalar_part(by_, {what.children[0].node, part.as}))
      return is_array ? array(part, of_last_piece(all), what.attributes.extent) : scalars(part, all, 0);
    const std::uint64_t zeros = is_array && all.empty() ? what.attributes.extent : 0;
    if (!skip_zeros(zeros) || !to_.begin_array()) return false;
    stack_.push_back({form::list, number_of(what), part.as, depth, is_array ? of_last_messages(all) : all});
    stack_.back().zeros = zeros;
    return true;
  }
  [[nodiscard]] bool optional(const schema_part& part, const occurrences& all, std::size_t depth) {
    if (all.empty()) return to_.null();
    // The inner value may itself be null. So the document has the inner value in an array of one
    // element.
    const schema_part inner{node(part.node).children[0].node, part.as};
    if (const schema_kind held = node(inner.node).attributes.kind;
        held == schema_kind::optional || held == schema_kind::document) {
      if (!to_.begin_array()) return false;
      stack_.push_back({form::end, inner.node, {}, depth, {}});
    }
    if (!is_held_wrapped(by_, inner)) return tell(inner, all, depth);
    const bool has_label = ingot::detail::has_proto_label(by_, node(inner.node));
    return tell_only({inner.node, has_label ? inner.as : proto_form()}, all, depth + 1);
  }
  [[nodiscard]] bool record(const schema_node& what, const occurrences& all, std::size_t depth) {
    frame inner{form::record, number_of(what), {}, depth + 1, {}};
    if (!parse(all, depth + 1, inner.fields) || !to_.begin_object()) return false;
    sort(inner.fields);
    stack_.push_back(std::move(inner));
    return true;
  }
  [[nodiscard]] bool tuple(const schema_part& part, const occurrences& all, std::size_t depth) {
    frame inner{form::tuple, number_of(node(part.node)), part.as, depth + 1, {}};
    inner.zeros = all.empty() ? 1 : 0;
    if (!parse(all, depth + 1, inner.fields) || !to_.begin_array()) return false;
    sort(inner.fields);
    stack_.push_back(std::move(inner));
    return true;
  }
  [[nodiscard]] bool alternative(const schema_part& part, const occurrences& all, std::size_t depth) {
    const schema_node& what = node(part.node);
    occurrences fields;
    if (!parse(all, depth + 1, fields)) return false;
    // The last alternative counts. The value of this alternative consists of its occurrences after
    // the last occurrence of any other alternative.
    occurrences found;
    std::size_t chosen = 0;
    // An `expected` without a value type has only one child, the error. It is alternative 1.
    const std::size_t shift = holds_nothing(what) ? 1 : 0;
    for (const occurrence& each : fields) {
      for (std::size_t k = 0; k < what.children.size() + shift; ++k) {
        if (ingot::detail::number_of_field(k) != each.number) continue;
        const unsigned wires = k < shift
                                   ? mask_of(wire::varint)
                                   : single_wires_of_part(by_, {what.children[k - shift].node, part.as});
        if (k != chosen) found.clear();
        chosen = k;
        if (!pick_one(each, wires, found)) {
          if (what.attributes.kind == schema_kind::expected) in_.why()->in_member(k == 0 ? "value" : "error");
          else in_.why()->in_element(k);
          return false;
        }
        break;
      }
    }
    if (!to_.begin_object()) return false;
    if (what.attributes.kind == schema_kind::expected) {
      if (!to_.key(chosen == 0 ? "value" : "error")) return false;
      if (chosen < shift) return to_.null() && to_.end();
    } else {
      const auto& tags = tags_.try_emplace(number_of(what), what).first->second;
      if (!to_.key(std::string_view(tags[chosen]))) return false;
    }
    stack_.push_back({form::end, 0, {}, depth, {}});
    return tell_single({what.children[chosen - shift].node, part.as}, found, depth + 1);
  }
  [[nodiscard]] bool map(const schema_part& part, const occurrences& all, std::size_t depth) {
    const schema_node& what = node(part.node);
    frame inner{form::map, number_of(what), part.as, depth + 1, all};
    if (ingot::detail::has_proto_key(by_, what) && !keep_last(part, depth + 1, inner.fields)) return false;
    if (!to_.begin_array()) return false;
    stack_.push_back(std::move(inner));
    return true;
  }
  /// Keeps the last of the entries with equal keys.
  [[nodiscard]] bool keep_last(const schema_part& map, std::size_t depth, occurrences& entries) {
    const schema_part key_part{node(map.node).children[0].node, map.as.of_key()};
    const schema_node& key = node(key_part.node);
    const unsigned wires = wires_of_part(by_, key_part);
    struct named {
      std::uint64_t bits;
      std::string_view text;
      std::size_t index;
    };
    std::vector<named> keys;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      occurrences fields;
      if (!parse({entries[i]}, depth, fields)) return false;
      occurrences found;
      if (!pick(fields, 1, wires, found)) {
        in_.why()->in_member("key");
        in_.why()->in_element(i);
        return false;
      }
      named item{0, {}, i};
      if (!found.empty()) {
        item.bits = key.attributes.kind == schema_kind::boolean ? (found.back().bits != 0 ? 1U : 0U)
                                                                : found.back().bits;
        item.text = view(found.back().bytes);
      }
      keys.push_back(item);
    }
    std::sort(keys.begin(), keys.end(), [](const named& a, const named& b) {
      return a.bits != b.bits ? a.bits < b.bits : a.text != b.text ? a.text < b.text : a.index < b.index;
    });
    occurrences unique;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + 1 < keys.size() && keys[i].bits == keys[i + 1].bits && keys[i].text == keys[i + 1].text)
        continue;
      unique.push_back(entries[keys[i].index]);
    }
    entries = std::move(unique);
    return true;
  }
  [[nodiscard]] std::uint32_t number_of(const schema_node& what) const noexcept {
    return static_cast<std::uint32_t>(&what - by_.nodes().data());
  }

  /// Emits a google.protobuf message. Merges the pieces of this message.
  [[nodiscard]] bool tell_known(const schema_part& part, known_message known, const occurrences& all,
                                std::size_t depth) {
    if (known != known_message::timestamp && known != known_message::duration) {
      if (all.empty()) return to_.null();
      std::vector<bytes_view> pieces;
      for (const occurrence& each : all) pieces.push_back(each.bytes);
      value_reading reading(in_, to_, levels_ - depth);
      if (reading.run(known, pieces)) return true;
      failed_ = failed_ || reading.failed();
      return false;
    }
    occurrences fields;
    occurrences seconds;
    occurrences nanos;
    if (!parse(all, all.empty() ? depth : depth + 1, fields) ||
        !pick(fields, 1, mask_of(wire::varint), seconds) || !pick(fields, 2, mask_of(wire::varint), nanos))
      return false;
    known_time time;
    if (!seconds.empty()) time.seconds = static_cast<std::int64_t>(seconds.back().bits);
    if (!nanos.empty()) {
      time.nanos = static_cast<std::int32_t>(static_cast<std::int64_t>(nanos.back().bits));
      if (static_cast<std::int64_t>(nanos.back().bits) != time.nanos)
        return fail(errc::out_of_range, nanos.back().offset, "nanoseconds of 32 bits");
    }
    const schema_node* duration = &by_.nodes()[part.node];
    if (duration->attributes.kind == schema_kind::time_point) duration = &by_.node(duration->children[0]);
    std::int64_t count = 0;
    const known_period period{duration->attributes.extent, duration->attributes.divisor};
    const std::uint64_t where = all.empty() ? 0 : all.back().offset;
    const schema_node& number = node(part.node);
    const unsigned bits = 8U * number.attributes.width;
    const bool is_signed = number.attributes.has(schema_flag::is_signed);
    const auto fits = [&] {
      if (!is_signed) return count >= 0 && (bits == 64 || count >> bits == 0);
      return bits == 64 || count >> (bits - 1) == 0 || count >> (bits - 1) == -1;
    };
    if (!time.check(known) || !time.join(period, count) || !fits())
      return fail(errc::out_of_range, where, time_expected(known));
    return to_.integer(count);
  }

  /// Emits the next part of the innermost open value.
  [[nodiscard]] bool step() {
    frame& at = stack_.back();
    const schema_node& what = by_.nodes()[at.node];
    switch (at.is) {
    case form::end: stack_.pop_back(); return to_.end();
    case form::record:
    case form::tuple: {
      if (at.next == what.children.size()) break;
      const std::size_t k = at.next++;
      const schema_child& child = what.children[k];
      const std::uint32_t number =
          at.is == form::record ? ingot::detail::number_of_field(what, k) : ingot::detail::number_of_field(k);
      const schema_part part{child.node, at.is == form::record ? child.form : at.as};
      occurrences found;
      if (!find(at.fields, number, wires_of_part(by_, part), found)) return false;
      if (at.zeros != 0 && !skip_zeros(1)) return false;
      if (at.is == form::record) {
        if (found.empty()) return true; // packing the document sets a missing member to zero
        if (!to_.key(std::string_view(child.name))) return false;
      }
      return tell(part, found, at.depth);
    }
    case form::list: {
      if (at.next == at.fields.size() + at.zeros) break;
      const std::size_t k = at.next++;
      const occurrences one = k < at.fields.size() ? occurrences{at.fields[k]} : occurrences();
      return tell_single({what.children[0].node, at.as}, one, at.depth);
    }
    default: return step_entry(at, what);
    }
    stack_.pop_back();
    return to_.end();
  }
  [[nodiscard]] bool step_entry(frame& at, const schema_node& what) {
    if (at.turn == 0 && at.next == at.fields.size()) {
      stack_.pop_back();
      return to_.end();
    }
    if (at.turn == 2) {
      at.turn = 0;
      return to_.end();
    }
    if (at.turn == 0) {
      at.entry.clear();
      if (!parse({at.fields[at.next]}, at.depth, at.entry)) return false;
      ++at.next;
      if (!to_.begin_array()) return false;
    }
    const bool is_plain = ingot::detail::has_proto_key(by_, what);
    const std::uint32_t part = static_cast<std::uint32_t>(at.turn++);
    const schema_part child{what.children[part].node, part == 0 ? at.as.of_key() : at.as};
    occurrences found;
    if (!pick(at.entry, part + 1, is_plain ? single_wires_of_part(by_, child) : wires_of_part(by_, child),
              found)) {
      in_.why()->in_member(part == 0 ? "key" : "value");
      return false;
    }
    const std::size_t depth = at.depth;
    return is_plain ? tell_single(child, found, depth) : tell(child, found, depth);
  }

  bytes_view whole_;
  const schema& by_;
  document_events& to_;
  std::uint64_t zeros_ = 0;
  std::vector<frame> stack_;
  /// tags of variants, by node
  std::unordered_map<std::uint32_t, ingot::detail::alternative_tags> tags_;
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
