// SPDX-License-Identifier: Apache-2.0
// Writes a packed message as a protobuf message, by its schema. Open messages are on an explicit
// stack, as in schema_read.hpp.
#pragma once

#include <ingot/document/archive.hpp>
#include <ingot/dynamic/message.hpp>
#include <ingot/protobuf/detail/known_time.hpp>
#include <ingot/protobuf/detail/schema_wire.hpp>
#include <ingot/protobuf/detail/value_write.hpp>
#include <ingot/protobuf/detail/wide_text.hpp>
#include <ingot/reflect/hooks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

class schema_writing {
public:
  schema_writing(const schema& by, const options& how) noexcept : to_(how), by_(by) {}

  [[nodiscard]] bool run(const dynamic_value& root) {
    const schema_node& what = plain_node(by_, by_.root_index());
    bool good = to_.deeper();
    if (good && is_message_node(what)) good = begin({by_.root_index(), {}}, root, none);
    else good = good && put({by_.root_index(), {}}, 1, root, false);
    while (good && !stack_.empty()) good = step();
    if (good && to_.out().size() > max_bytes)
      good = to_.fail(errc::too_large, "a message of less than 2 GiB");
    if (!good) add_path();
    return good;
  }
  [[nodiscard]] wire_writer& to() noexcept { return to_; }

private:
  using access = ingot::detail::dyn::access;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  enum class form : std::uint8_t { record, tuple, list, map, end };
  struct frame {
    form is;
    std::uint32_t node;
    proto_form as;
    std::uint32_t number; ///< number of the field for elements and entries
    /// start of the message that ends with this frame; none for the outermost message and for lists
    std::size_t start;
    dynamic_value of;
    std::size_t next = 0;
    int turn = 0;
    ingot::detail::dyn::part_iterator at{};
    std::vector<std::size_t> starts{}; ///< starts of the elements of an unordered container
  };

  void add_path() noexcept {
    for (auto at = stack_.rbegin(); at != stack_.rend(); ++at) {
      if (at->is == form::end || at->next == 0) continue;
      if (at->is == form::record) to_.why()->in_member(by_.nodes()[at->node].children[at->next - 1].name);
      else to_.why()->in_element(at->next - 1);
    }
  }
  [[nodiscard]] const schema_node& node(std::uint32_t index) const noexcept { return plain_node(by_, index); }
  [[nodiscard]] std::uint32_t number_of(const schema_node& what) const noexcept {
    return static_cast<std::uint32_t>(&what - by_.nodes().data());
  }
  [[nodiscard]] bool open(std::uint32_t number, std::size_t& start) {
    if (!to_.deeper()) return false;
    to_.tag(number, wire::bytes);
    start = to_.open();
    return true;
  }
  [[nodiscard]] bool close(std::size_t start) {
    if (start == none) return true;
    to_.shallower();
    return to_.close(start);
  }

  /// Starts the contents of an open message.
  [[nodiscard]] bool begin(const schema_part& part, const dynamic_value& of, std::size_t start) {
    const schema_node& what = node(part.node);
    if (what.attributes.kind == schema_kind::record || what.attributes.kind == schema_kind::tuple) {
      const form is = what.attributes.kind == schema_kind::record ? form::record : form::tuple;
      stack_.push_back({is, number_of(what), part.as, 0, start, of});
      return true;
    }
    stack_.push_back({form::end, number_of(what), {}, 0, start, {}});
    const std::size_t chosen = of.alternative();
    const std::uint32_t number = ingot::detail::number_of_field(chosen);
    if (holds_nothing(what)) {
      if (chosen != 0) return put_single({what.children[0].node, part.as}, number, of.held());
      to_.tag(number, wire::varint);
      to_.varint(1);
      return true;
    }
    return put_single({what.children[chosen].node, part.as}, number, of.held());
  }
  [[nodiscard]] bool put_single(const schema_part& part, std::uint32_t number, const dynamic_value& of) {
    if (!ingot::detail::has_proto_label(by_, node(part.node))) return put(part, number, of, true);
    return put_wrapped(part, number, of);
  }
  [[nodiscard]] bool put_wrapped(const schema_part& part, std::uint32_t number, const dynamic_value& of) {
    std::size_t start = 0;
    if (!open(number, start)) return false;
    stack_.push_back({form::end, part.node, {}, 0, start, {}});
    return put(part, 1, of, false);
  }
  /// Writes the value of an optional.
  [[nodiscard]] bool put_held(const schema_part& part, std::uint32_t number, const dynamic_value& of) {
    if (!is_held_wrapped(by_, part)) return put(part, number, of, true);
    const bool has_label = ingot::detail::has_proto_label(by_, node(part.node));
    return put_wrapped({part.node, has_label ? part.as : proto_form()}, number, of);
  }
  [[nodiscard]] bool put(const schema_part& part, std::uint32_t number, dynamic_value of, bool always) {
    const schema_node& what = node(part.node);
    if (const known_message known = known_of(by_, part); known != known_message::none)
      return put_known(part, known, number, of, always);
    if (is_scalar_node(what)) {
      const std::uint64_t bits = scalar(what, part.as, of);
      if (bits == 0 && !always) return true;
      to_.tag(number, wire_of_scalar(what, part.as));
      return put_bits(what, part.as, bits);
    }
    switch (what.attributes.kind) {
    case schema_kind::string:
    case schema_kind::path: return put_text(number, of, always);
    case schema_kind::bitset: return put_bitset(number, of, always);
    case schema_kind::document: return put_archive(number, of, always);
    case schema_kind::complex: return put_complex(what, number, of);
    case schema_kind::optional:
      return !of.held().exists() || put_held({what.children[0].node, part.as}, number, of.held());
    case schema_kind::sequence:
    case schema_kind::array:
    case schema_kind::set:
    case schema_kind::unordered_set:
      if (ingot::detail::is_proto_bytes(by_, what)) return put_bytes(what, number, of, always);
      return put_list(part, number, of);
    case schema_kind::map:
    case schema_kind::unordered_map:
      stack_.push_back({form::map, number_of(what), part.as, number, none, of});
      stack_.back().at = of.parts().begin();
      return true;
    case schema_kind::record:
    case schema_kind::tuple:
    case schema_kind::variant:
    case schema_kind::expected: {
      std::size_t start = 0;
      return open(number, start) && begin(part, of, start);
    }
    default: return true;
    }
  }

  [[nodiscard]] static dynamic_value count_of(dynamic_value of) {
    while (of.kind() == dynamic_kind::duration || of.kind() == dynamic_kind::time_point)
      of = access::count_of(of);
    return of;
  }
  [[nodiscard]] static std::uint64_t scalar(const schema_node& what, const proto_form& as, dynamic_value of) {
    of = count_of(of);
    if (what.attributes.kind == schema_kind::boolean) return of.value_or(false) ? 1 : 0;
    const std::uint64_t number = access::number_of(of);
    const bool is_zigzag = as.number == proto_number::sint && what.attributes.has(schema_flag::is_signed) &&
                           ingot::detail::is_proto_number(what);
    return is_zigzag ? zigzag(static_cast<std::int64_t>(number)) : number;
  }
  [[nodiscard]] bool put_bits(const schema_node& what, const proto_form& as, std::uint64_t bits) {
    if (what.attributes.kind == schema_kind::enumeration &&
        static_cast<std::int64_t>(bits) != static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)) &&
        !ingot::detail::is_proto_integer(what))
      return to_.fail(errc::out_of_range, "a value that fits into 32 bits, as in protobuf");
    const wire type = wire_of_scalar(what, as);
    if (type == wire::fixed32) to_.fixed(static_cast<std::uint32_t>(bits));
    else if (type == wire::fixed64) to_.fixed(bits);
    else to_.varint(bits);
    return true;
  }
  /// Writes a google.protobuf message.
  [[nodiscard]] bool put_known(const schema_part& part, known_message known, std::uint32_t number,
                               const dynamic_value& of, bool always) {
    if (known != known_message::timestamp && known != known_message::duration) {
      const bytes_view archive = of.value_or(bytes_view());
      return put_known_document(to_, known, number, archive, always);
    }
    const schema_node* duration = &by_.nodes()[part.node];
    if (duration->attributes.kind == schema_kind::time_point) duration = &by_.node(duration->children[0]);
    const std::uint64_t bits = access::number_of(count_of(of));
    const bool with_sign = node(part.node).attributes.has(schema_flag::is_signed);
    known_time time;
    if ((!with_sign && bits >> 63 != 0) ||
        !time.split(known, {duration->attributes.extent, duration->attributes.divisor},
                    static_cast<std::int64_t>(bits)))
      return to_.fail(errc::out_of_range, time_expected(known));
    std::size_t start = 0;
    if (!open(number, start)) return false;
    put_time(to_, time);
    return close(start);
  }
  [[nodiscard]] bool put_run(std::uint32_t number, std::string_view bytes, bool always) {
    if (bytes.size() > max_bytes) return to_.fail(errc::too_large, "bytes of less than 2 GiB");
    if (bytes.empty() && !always) return true;
    to_.tag(number, wire::bytes);
    to_.run(bytes);
    return true;
  }
  [[nodiscard]] bool put_text(std::uint32_t number, const dynamic_value& of, bool always) {
    const auto& in = *access::memory_of(of);
    const auto run = access::text_of(of);
    std::string utf8;
    std::string_view text;
    bool good = true;
    if (run.width == 1) {
      text = in.view(run);
      good = ingot::detail::is_utf8(text);
    } else {
      std::u32string units;
      std::u16string pairs;
      for (std::uint64_t i = 0; i < run.units; ++i) {
        if (run.width == 2) pairs += static_cast<char16_t>(in.unit(run, i));
        else units += static_cast<char32_t>(in.unit(run, i));
      }
      good = run.width == 2 ? append_utf8(std::u16string_view(pairs), utf8)
                            : append_utf8(std::u32string_view(units), utf8);
      text = utf8;
    }
    return good ? put_run(number, text, always)
                : to_.fail(errc::invalid_utf8, "UTF-8, which protobuf requires of strings");
  }
  [[nodiscard]] bool put_bytes(const schema_node& what, std::uint32_t number, const dynamic_value& of,
                               bool always) {
    const bytes_view found = of.value_or(bytes_view());
    std::string_view bytes(reinterpret_cast<const char*>(found.data()), found.size());
    if (what.attributes.kind == schema_kind::array) {
      if (by_.node(what.children[0]).attributes.kind != schema_kind::character)
        return put_run(number, bytes, true);
      while (!bytes.empty() && bytes.back() == '\0') bytes.remove_suffix(1);
    }
    return put_run(number, bytes, always);
  }
  /// Writes an archive. Validates the archive first, because a packed message may have any bytes as
  /// an archive.
  [[nodiscard]] bool put_archive(std::uint32_t number, const dynamic_value& of, bool always) {
    const bytes_view found = of.value_or(bytes_view());
    if (const auto good = validate_archive(found); !good) {
      error err = good.error();
      to_.why() = err.with_offset(to_.out().size());
      return false;
    }
    return put_run(number, {reinterpret_cast<const char*>(found.data()), found.size()}, always);
  }
  [[nodiscard]] bool put_bitset(std::uint32_t number, const dynamic_value& of, bool always) {
    std::string bytes((of.size() + 7) / 8, '\0');
    bool any = false;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (!of.bit(i)) continue;
      any = true;
      bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | 1U << i % 8);
    }
    return put_run(number, any || always ? std::string_view(bytes) : std::string_view(), always);
  }
  [[nodiscard]] bool put_complex(const schema_node& what, std::uint32_t number, const dynamic_value& of) {
    const auto* const in = access::memory_of(of);
    to_.tag(number, wire::bytes);
    const std::size_t start = to_.open();
    for (unsigned i = 0; i < 2; ++i)
      static_cast<void>(
          put_bits(node(what.children[0].node), {},
                   access::number_of(access::make(in, in->message->part(access::spot_of(of), i)))));
    return to_.close(start);
  }
  [[nodiscard]] bool put_list(const schema_part& list, std::uint32_t number, const dynamic_value& of) {
    const schema_node& what = node(list.node);
    const schema_node& element = node(what.children[0].node);
    if (!is_scalar_part(by_, {what.children[0].node, list.as})) {
      stack_.push_back({form::list, number_of(what), list.as, number, none, of});
      stack_.back().at = of.parts().begin();
      return true;
    }
    if (of.empty()) return true;
    to_.tag(number, wire::bytes);
    const std::size_t start = to_.open();
    std::vector<std::size_t> starts;
    std::size_t index = 0;
    for (const dynamic_part part : of.parts()) {
      if (what.attributes.kind == schema_kind::unordered_set) starts.push_back(to_.out().size());
      if (!put_bits(element, list.as, scalar(element, list.as, part.value))) {
        to_.why()->in_element(index);
        return false;
      }
      ++index;
    }
    if (!to_.sort_since(starts)) return false;
    return to_.close(start);
  }

  [[nodiscard]] bool step() {
    frame& at = stack_.back();
    const schema_node& what = by_.nodes()[at.node];
    switch (at.is) {
    case form::record:
    case form::tuple: {
      if (at.next == what.children.size()) break;
      const std::size_t k = at.next++;
      const std::uint32_t number =
          at.is == form::record ? ingot::detail::number_of_field(what, k) : ingot::detail::number_of_field(k);
      const schema_child& child = what.children[k];
      return put({child.node, at.is == form::record ? child.form : at.as}, number, at.of[k], false);
    }
    case form::list: {
      if (at.at == std::default_sentinel) break;
      if (!to_.should_continue()) return false;
      if (what.attributes.kind == schema_kind::unordered_set) at.starts.push_back(to_.out().size());
      const dynamic_value element = (*at.at).value;
      ++at.at;
      ++at.next;
      return put_single({what.children[0].node, at.as}, at.number, element);
    }
    case form::map:
      if (at.turn == 0 && at.at == std::default_sentinel) break;
      return step_entry(at, what);
    case form::end: break;
    }
    const std::size_t start = at.start;
    if (!to_.sort_since(at.starts)) return false;
    stack_.pop_back();
    return close(start);
  }
  [[nodiscard]] bool step_entry(frame& at, const schema_node& what) {
    const bool is_plain = ingot::detail::has_proto_key(by_, what);
    const proto_form as = at.as;
    const auto put_part = [&](std::uint32_t part, const dynamic_value& of) {
      const schema_part child{what.children[part].node, part == 0 ? as.of_key() : as};
      return is_plain ? put_single(child, part + 1, of) : put(child, part + 1, of, false);
    };
    const dynamic_part entry = at.turn < 2 ? *at.at : dynamic_part();
    switch (at.turn++) {
    case 0:
      if (what.attributes.kind == schema_kind::unordered_map) at.starts.push_back(to_.out().size());
      ++at.next;
      return open(at.number, at.start) && put_part(0, entry.key);
    case 1: return put_part(1, entry.value);
    default:
      at.turn = 0;
      ++at.at;
      return close(std::exchange(at.start, none));
    }
  }

  wire_writer to_;
  const schema& by_;
  std::vector<frame> stack_;
};

}}} // namespace ingot::INGOT_V1::protobuf::detail
