// SPDX-License-Identifier: Apache-2.0
// Each list and each text in the description of the type is one kind of records, whichever
// container holds it. So similar values are stored together.
#include "column_plan.hpp"

#include <ingot/core/endian.hpp>
#include <ingot/schema/description.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

namespace {

/// Variable field of a fixed part: the position of its end, and the node of its payload.
struct described_field {
  std::uint32_t at = 0;
  std::uint32_t node = 0;
};

/// Fixed part of a node; unknown if it is too long or has too many columns.
struct described_slot {
  bool known = false;
  bool fixed = true; ///< has no variable fields
  std::size_t size = 0;
  std::vector<std::uint16_t> widths;
  std::vector<described_field> fields;
};

constexpr std::size_t end_width = 4;
constexpr std::size_t max_fields = 1024;

[[nodiscard]] bool is_column_of_text(schema_kind kind) noexcept {
  return kind == schema_kind::string || kind == schema_kind::path || kind == schema_kind::document;
}
[[nodiscard]] bool holds_elements(schema_kind kind) noexcept {
  return kind == schema_kind::sequence || (kind >= schema_kind::set && kind <= schema_kind::unordered_map);
}
[[nodiscard]] bool begins_with_tag(schema_kind kind) noexcept {
  return kind >= schema_kind::optional && kind <= schema_kind::expected;
}

/// Layout of each node of a schema in packed bytes, computed when it is first needed.
class described_layout {
public:
  explicit described_layout(const schema& described) : schema_(described), parts_(described.nodes().size()) {}

  [[nodiscard]] const schema_node& node(std::uint32_t index) const { return schema_.nodes()[index]; }
  /// Returns the record that a recursion refers to; other nodes refer to themselves.
  [[nodiscard]] std::uint32_t meant(std::uint32_t index) const {
    return node(index).attributes.kind == schema_kind::recursion ? node(index).target : index;
  }
  /// Recursive: the maximum depth of a description limits the nesting of nodes.
  [[nodiscard]] const described_slot& slot(std::uint32_t index) {
    if (!parts_[index]) {
      described_slot made = work_out(index);
      parts_[index] = std::move(made);
    }
    return *parts_[index];
  }
  /// Returns the fixed part of a list's element; for maps, of an entry.
  [[nodiscard]] described_slot element(std::uint32_t list) {
    described_slot made;
    made.known = true;
    for (const schema_child& child : node(list).children) append(made, slot_or_record(child.node));
    return made;
  }
  /// Returns the fixed part of a record, also of one that is never part of another.
  [[nodiscard]] described_slot members(std::uint32_t record) {
    described_slot made;
    made.known = true;
    for (const schema_child& child : node(record).children) append(made, slot(child.node));
    return made;
  }

private:
  /// An element may be the record that contains it.
  [[nodiscard]] described_slot slot_or_record(std::uint32_t index) {
    const std::uint32_t record = meant(index);
    if (record == index || node(record).attributes.has(schema_flag::is_evolvable)) return slot(index);
    return members(record);
  }
  static void append(described_slot& to, const described_slot& more) {
    to.fixed &= more.fixed;
    if (!to.known || !more.known || more.size > max_stride - to.size ||
        more.widths.size() > max_columns - to.widths.size() ||
        more.fields.size() > max_fields - to.fields.size()) {
      to.known = false;
      return;
    }
    for (described_field field : more.fields) {
      field.at += static_cast<std::uint32_t>(to.size);
      to.fields.push_back(field);
    }
    to.widths.insert(to.widths.end(), more.widths.begin(), more.widths.end());
    to.size += more.size;
  }
  [[nodiscard]] static described_slot column(std::size_t width) {
    described_slot made;
    made.known = width <= max_stride;
    made.size = width;
    if (made.known && width != 0) made.widths.push_back(static_cast<std::uint16_t>(width));
    return made;
  }
  [[nodiscard]] static described_slot end_of(std::uint32_t index) {
    described_slot made = column(end_width);
    made.fixed = false;
    made.fields.push_back({0, index});
    return made;
  }

  [[nodiscard]] described_slot work_out(std::uint32_t index) {
    const schema_node& n = node(index);
    switch (n.attributes.kind) {
    case schema_kind::boolean:
    case schema_kind::byte: return column(1);
    case schema_kind::integer:
    case schema_kind::floating:
    case schema_kind::character:
    case schema_kind::enumeration: return column(n.attributes.width);
    case schema_kind::bitset: {
      const std::uint64_t bytes = n.attributes.extent / 8 + (n.attributes.extent % 8 != 0 ? 1 : 0);
      return column(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, max_stride + 1)));
    }
    case schema_kind::duration:
    case schema_kind::time_point: return slot(n.children[0].node);
    case schema_kind::complex: {
      described_slot made = slot(n.children[0].node);
      append(made, slot(n.children[0].node));
      return made;
    }
    case schema_kind::array: return array_of(slot(n.children[0].node), n.attributes.extent);
    case schema_kind::record:
      if (n.attributes.has(schema_flag::is_evolvable)) return end_of(index);
      [[fallthrough]];
    case schema_kind::tuple: return members(index);
    case schema_kind::optional:
    case schema_kind::variant:
    case schema_kind::expected: return tagged(index);
    // A record that contains itself, which would otherwise have no size.
    case schema_kind::recursion: {
      described_slot made;
      made.fixed = false;
      if (node(n.target).attributes.has(schema_flag::is_evolvable)) return end_of(n.target);
      return made;
    }
    default: return end_of(index);
    }
  }
  [[nodiscard]] static described_slot array_of(const described_slot& element, std::uint64_t count) {
    described_slot made;
    made.known = element.known;
    made.fixed = element.fixed;
    if (!element.known || element.size == 0 || count == 0) return made;
    if (count > max_stride / element.size) {
      made.known = false;
      return made;
    }
    const auto n = static_cast<std::size_t>(count);
    const bool fits = n <= max_columns / element.widths.size();
    if (element.fixed && (!fits || (element.size == 1 && n > most_single_bytes)))
      return column(n * element.size);
    for (std::size_t i = 0; i < n && made.known; ++i) append(made, element);
    return made;
  }
  [[nodiscard]] described_slot tagged(std::uint32_t index) {
    described_slot largest;
    largest.known = true;
    for (const schema_child& child : node(index).children) {
      const described_slot& one = slot(child.node);
      if (!one.fixed) return end_of(index);
      if (!one.known) largest.known = false;
      else if (largest.known && one.size > largest.size) largest = one;
    }
    described_slot made = column(1);
    append(made, largest);
    return made;
  }

  const schema& schema_;
  std::vector<std::optional<described_slot>> parts_;
};

/// Parameters for walking the payload of a node.
struct payload_form {
  enum class what : std::uint8_t { bytes, text, fixed_list, variable_list, optional, alternatives, record };
  what is = what::bytes;
  std::uint8_t kind = 0;    ///< for records: the text, the elements, the fixed part
  bool evolvable = false;   ///< the record or the elements are evolvable
  bool empty_first = false; ///< for alternatives: tag 0 has no value
  std::size_t stride = 0;
  std::vector<described_field> fields;
};

class payload_walk {
public:
  payload_walk(const schema& described, bytes_view payload)
      : schema_(described), layout_(described), payload_(payload), forms_(described.nodes().size()) {}

  [[nodiscard]] column_plan go(progress_poll& by) {
    begin(schema_.root_index(), 0, payload_.size());
    while (!open_.empty() && by.step_should_continue()) step();
    emit(0, payload_.size());
    return std::move(plan_);
  }

private:
  /// Elements, or one record, whose variable fields are visited in order.
  struct walked {
    const payload_form* form;
    std::size_t slots;
    std::size_t count;
    std::size_t tail;
    std::size_t end;
    std::size_t element = 0;
    std::size_t field = 0;
    std::size_t reached = 0; ///< position in the tail
    /// Position in the tail from which the ends of an evolvable element count.
    std::size_t base = 0;
  };
  static constexpr std::size_t most_open = 512;

  [[nodiscard]] std::size_t number(std::size_t at) const noexcept {
    return load_le<std::uint32_t>(payload_.data() + at);
  }
  /// Adds a run. Bytes before it that are in no run become a run of bytes.
  void emit(std::uint8_t kind, std::size_t end) {
    if (end == emitted_) return;
    if (!plan_.runs.empty() && plan_.runs.back().kind == kind) plan_.runs.back().end = end;
    else plan_.runs.push_back({end, kind});
    emitted_ = end;
  }
  void emit_from(std::uint8_t kind, std::size_t begin, std::size_t end) {
    emit(0, begin);
    emit(kind, end);
  }

  [[nodiscard]] const payload_form& form_of(std::uint32_t index) {
    if (!forms_[index]) {
      payload_form made = work_out(index);
      forms_[index] = std::move(made);
    }
    return *forms_[index];
  }
  [[nodiscard]] payload_form work_out(std::uint32_t index) {
    using what = payload_form::what;
    const schema_node& n = layout_.node(index);
    payload_form made;
    if (is_column_of_text(n.attributes.kind)) {
      made.is = what::text;
      made.stride = n.attributes.kind == schema_kind::string ? n.attributes.width : 1;
      made.kind = plan_.table.add({static_cast<std::uint16_t>(made.stride)});
    } else if (holds_elements(n.attributes.kind)) {
      const std::uint32_t only = layout_.meant(n.children[0].node);
      made.evolvable = n.children.size() == 1 && layout_.node(only).attributes.has(schema_flag::is_evolvable);
      take(made, made.evolvable ? layout_.members(only) : layout_.element(index));
      if (made.is == what::record)
        made.is = made.evolvable || !fixed_ ? what::variable_list : what::fixed_list;
      if (made.is == what::variable_list && counts_ == 0) counts_ = plan_.table.add({end_width});
    } else if (n.attributes.kind == schema_kind::optional && !layout_.slot(index).fixed) {
      made.is = what::optional;
    } else if (begins_with_tag(n.attributes.kind) && !layout_.slot(index).fixed) {
      made.is = what::alternatives;
      made.empty_first = n.attributes.kind == schema_kind::expected && n.children.size() == 1;
    } else {
      made.evolvable = n.attributes.has(schema_flag::is_evolvable);
      const bool record = n.attributes.kind == schema_kind::record || n.attributes.kind == schema_kind::tuple;
      take(made, record ? layout_.members(index) : described_slot(layout_.slot(index)));
    }
    return made;
  }
  /// Adds a record, unless its fixed part is unknown.
  void take(payload_form& made, described_slot part) {
    fixed_ = part.fixed;
    if (!part.known || part.size == 0) return;
    made.is = payload_form::what::record;
    made.stride = part.size;
    made.fields = std::move(part.fields);
    if (made.evolvable) part.widths.insert(part.widths.begin(), end_width);
    made.kind = plan_.table.add(std::move(part.widths));
  }

  void begin(std::uint32_t index, std::size_t from, std::size_t to) {
    using what = payload_form::what;
    while (true) {
      index = layout_.meant(index);
      const payload_form& form = form_of(index);
      const auto& children = layout_.node(index).children;
      const std::size_t size = to - from;
      if (size == 0) return;
      switch (form.is) {
      case what::bytes: return;
      case what::text:
      case what::fixed_list: return emit_from(form.kind, from, to - size % form.stride);
      case what::variable_list: return begin_list(form, from, to);
      case what::record: return begin_record(form, from, to);
      case what::optional: index = children[0].node; break;
      case what::alternatives: {
        std::size_t tag = std::to_integer<std::size_t>(payload_[from]);
        if (form.empty_first && tag-- == 0) return;
        if (tag >= children.size()) return;
        index = children[tag].node;
        break;
      }
      }
      ++from;
    }
  }
  void begin_record(const payload_form& form, std::size_t from, std::size_t to) {
    const std::size_t head = form.evolvable ? end_width : 0;
    if (to - from < head + form.stride) return;
    if (form.evolvable && number(from) != form.stride) return; // an element of another version
    const std::size_t tail = from + head + form.stride;
    emit_from(form.kind, from, tail);
    if (!form.fields.empty()) open({&form, from + head, 1, tail, to});
  }
  void begin_list(const payload_form& form, std::size_t from, std::size_t to) {
    const std::size_t head = form.evolvable ? 2 * end_width : end_width;
    const std::size_t each = form.stride + (form.evolvable ? end_width : 0);
    if (to - from < head) return;
    const std::size_t count = number(from);
    if (form.evolvable && number(from + end_width) != form.stride) return;
    if (count > (to - from - head) / each) return;
    emit_from(counts_, from, from + head);
    const std::size_t tail = from + head + count * each;
    emit(form.kind, tail);
    open({&form, from + head, count, tail, to});
  }
  void open(const walked& made) {
    if (open_.size() < most_open) open_.push_back(made);
  }

  void step() {
    walked& top = open_.back();
    const payload_form& form = *top.form;
    const std::size_t size = top.end - top.tail;
    const bool in_list = form.is == payload_form::what::variable_list;
    const std::size_t slot = form.evolvable && in_list ? end_width : 0;
    if (top.element == top.count) {
      open_.pop_back();
      return;
    }
    const std::size_t at = top.slots + top.element * (form.stride + slot);
    if (top.field == form.fields.size()) {
      if (slot != 0) {
        const std::size_t end = number(at);
        if (end < top.reached || end > size) {
          open_.pop_back();
          return;
        }
        top.reached = top.base = end;
      }
      top.field = 0;
      ++top.element;
      return;
    }
    const described_field field = form.fields[top.field++];
    const std::size_t end = number(at + slot + field.at);
    if (end > size - top.base || top.base + end < top.reached) { // invalid, and so is the rest
      open_.pop_back();
      return;
    }
    const std::size_t from = top.tail + top.reached;
    top.reached = top.base + end;
    begin(field.node, from, top.tail + top.reached); // may move `top`
  }

  const schema& schema_;
  described_layout layout_;
  bytes_view payload_;
  column_plan plan_;
  std::vector<std::optional<payload_form>> forms_;
  std::vector<walked> open_;
  std::size_t emitted_ = 0;
  std::uint8_t counts_ = 0;
  bool fixed_ = true; ///< true if the last part taken was fixed
};

} // namespace

result<column_plan> plan_columns(bytes_view schema, bytes_view payload, progress_poll* by) {
  const auto described = read_schema(schema);
  if (!described) return fail(described.error());
  return plan_by(by, [&](auto& who) { return payload_walk(*described, payload).go(who); });
}

}}} // namespace ingot::INGOT_V1::detail
