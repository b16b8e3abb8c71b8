// SPDX-License-Identifier: Apache-2.0
#include "node.hpp"

#include <ingot/core/detail/float_chars.hpp>
#include <ingot/dynamic/detail/tags.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/json/document.hpp>

#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tool {

using ingot::dynamic_kind;
using ingot::dynamic_value;
using ingot::value_kind;

namespace {

[[nodiscard]] std::string cut_text(std::string_view text, std::size_t max_size) {
  if (text.size() <= max_size) return quote(text);
  return quote(beginning(text, max_size)) + "... (" + counted(text.size(), "byte") + ')';
}

[[nodiscard]] std::string cut_bytes(ingot::bytes_view bytes, std::size_t max_size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "h'";
  for (const std::byte each : bytes.first(std::min(bytes.size(), max_size / 2))) {
    out += digits[std::to_integer<unsigned>(each) >> 4];
    out += digits[std::to_integer<unsigned>(each) & 15];
  }
  out += '\'';
  if (bytes.size() > max_size / 2) out += "... (" + counted(bytes.size(), "byte") + ')';
  return out;
}

/// Returns the shortest text that reads as the same number, with a point or an exponent.
[[nodiscard]] std::string real_text(double number) {
  char characters[32];
  std::string out(characters,
                  ingot::detail::float_to_chars(characters, characters + sizeof characters, number).ptr);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

[[nodiscard]] bool is_single_bytes(const dynamic_value& v) {
  return v.kind() == dynamic_kind::vector && v.as<ingot::bytes_view>().has_value() && !v.empty() &&
         v[std::size_t{0}].kind() == dynamic_kind::byte;
}

[[nodiscard]] node_form form_of(const dynamic_value& v) {
  switch (v.kind()) {
  case dynamic_kind::absent: return node_form::absent;
  case dynamic_kind::record:
  case dynamic_kind::ref:
  case dynamic_kind::pair:
  case dynamic_kind::tuple: return node_form::members;
  case dynamic_kind::map:
  case dynamic_kind::multimap:
  case dynamic_kind::hash_map:
  case dynamic_kind::hash_multimap:
  case dynamic_kind::flat_map: return node_form::entries;
  case dynamic_kind::array:
  case dynamic_kind::vector: return is_single_bytes(v) ? node_form::scalar : node_form::elements;
  case dynamic_kind::queue:
  case dynamic_kind::pool:
  case dynamic_kind::set:
  case dynamic_kind::multiset:
  case dynamic_kind::hash_multiset:
  case dynamic_kind::hash_set:
  case dynamic_kind::flat_set: return node_form::elements;
  default: return node_form::scalar;
  }
}

[[nodiscard]] node_form form_of(const ingot::value& v) {
  switch (v.kind()) {
  case value_kind::absent: return node_form::absent;
  case value_kind::object: return node_form::members;
  case value_kind::array: return node_form::elements;
  default: return node_form::scalar;
  }
}

[[nodiscard]] std::string scalar_of(const ingot::value& v, std::size_t max_size) {
  switch (v.kind()) {
  case value_kind::null: return "null";
  case value_kind::boolean: return v.value_or(false) ? "true" : "false";
  case value_kind::integer: return std::to_string(v.value_or(std::int64_t{0}));
  case value_kind::number: return real_text(v.value_or(0.0));
  case value_kind::text: return cut_text(v.value_or(std::string_view()), max_size);
  case value_kind::binary:
    return cut_bytes(v.as<ingot::bytes_view>().value_or(ingot::bytes_view()), max_size);
  default: // numbers over 63 bits
    return std::to_string(v.value_or(std::uint64_t{0}));
  }
}

[[nodiscard]] std::string scalar_of(const dynamic_value& v, std::size_t max_size) {
  switch (v.kind()) {
  case dynamic_kind::text:
    if (const auto text = v.as<std::string_view>()) return cut_text(*text, max_size);
    break;
  case dynamic_kind::vector:
    return cut_bytes(v.as<ingot::bytes_view>().value_or(ingot::bytes_view()), max_size);
  default: break;
  }
  return printable(ingot::to_string(v, std::max<std::size_t>(max_size, 64)));
}

[[nodiscard]] std::string_view name_of(value_kind kind) noexcept {
  switch (kind) {
  case value_kind::absent: return "absent";
  case value_kind::null: return "null";
  case value_kind::boolean: return "boolean";
  case value_kind::integer:
  case value_kind::large_integer: return "integer";
  case value_kind::number: return "number";
  case value_kind::text: return "text";
  case value_kind::binary: return "bytes";
  case value_kind::array: return "array";
  case value_kind::object: return "object";
  }
  return "unknown";
}

} // namespace

node::node(dynamic_value from) : holder_(from) {
  const bool exists = from.exists();
  for (;; from = from.held()) {
    if (from.kind() == dynamic_kind::variant || from.kind() == dynamic_kind::expected)
      alternative_ = from.alternative();
    else if (from.kind() != dynamic_kind::optional && from.kind() != dynamic_kind::box) break;
  }
  if (exists && !from.exists()) instead_ = "none";
  of_ = from;
  const bool is_wide = from.kind() == dynamic_kind::text && !from.as<std::string_view>();
  if (!from.is_any() && !is_wide) return;
  // Values of any kind, and text of wider characters, are converted to a document, because the
  // other functions can read a document.
  if (auto converted = ingot::to_document(from, {.max_size = max_document_size})) {
    whole_ = std::make_shared<const ingot::document>(std::move(*converted));
    of_ = whole_->root();
  }
}

node node::left_out() {
  node omitted;
  omitted.instead_ = "default";
  return omitted;
}

node_form node::form() const {
  if (instead_ != nullptr) return node_form::scalar;
  return std::visit([](const auto& v) { return form_of(v); }, of_);
}

std::size_t node::size() const {
  if (form() == node_form::scalar) return 0;
  return std::visit([](const auto& v) { return v.size(); }, of_);
}

std::string node::type() const {
  if (instead_ != nullptr) return instead_;
  if (const auto* const typed = as_typed()) {
    const std::string_view own = typed->type_name();
    return own.empty() ? std::string(to_string(typed->kind())) : printable(own);
  }
  return std::string(name_of(as_value()->kind()));
}

std::string node::scalar(std::size_t max_text) const {
  if (instead_ != nullptr) return instead_;
  return std::visit([&](const auto& v) { return scalar_of(v, max_text); }, of_);
}

paint node::colour() const {
  if (instead_ != nullptr) return paint::note;
  if (const auto* const typed = as_typed()) {
    if (typed->kind() == dynamic_kind::text || is_single_bytes(*typed)) return paint::text;
    return paint::number;
  }
  switch (as_value()->kind()) {
  case value_kind::null: return paint::note;
  case value_kind::text:
  case value_kind::binary: return paint::text;
  default: return paint::number;
  }
}

std::optional<std::string_view> node::text() const {
  if (instead_ != nullptr) return {};
  if (const auto* const typed = as_typed(); typed != nullptr && !typed->enumerator().empty())
    return typed->enumerator();
  const auto got = std::visit([](const auto& v) { return v.template as<std::string_view>(); }, of_);
  return got ? std::optional<std::string_view>(*got) : std::nullopt;
}

node node::member(std::string_view name) const {
  if (form() != node_form::members) return {};
  const auto* const typed = as_typed();
  if (typed == nullptr) return {as_value()->find(name), whole_};
  const dynamic_value found = typed->member(name);
  if (found.exists()) return node(found);
  for (std::size_t i = 0; i < typed->size(); ++i) {
    if (typed->member_name(i) == name) return left_out();
  }
  return {};
}

node node::element(std::size_t index) const {
  if (form() == node_form::scalar) return {};
  const auto* const typed = as_typed();
  if (typed == nullptr && form() == node_form::members) return {};
  if (typed == nullptr) return {(*as_value())[index], whole_};
  const dynamic_value found = (*typed)[index];
  return found.exists() || index >= typed->size() ? node(found) : left_out();
}

node node::entry(std::string_view key) const {
  const auto* const typed = as_typed();
  if (typed == nullptr || form() != node_form::entries) return member(key);
  dynamic_value found = typed->find(key);
  const char* const last = key.data() + key.size();
  const auto is_complete = [&](const std::from_chars_result& r) {
    return !key.empty() && r.ptr == last && r.ec == std::errc{};
  };
  if (std::uint64_t number = 0; !found.exists() && is_complete(std::from_chars(key.data(), last, number)))
    found = typed->find(number);
  if (std::int64_t number = 0; !found.exists() && is_complete(std::from_chars(key.data(), last, number)))
    found = typed->find(number);
  return node(found);
}

ingot::result<ingot::document> node::to_document(ingot::value_format form) const {
  if (holder_.exists()) return ingot::to_document(holder_, {.max_size = max_document_size, .form = form});
  if (instead_ != nullptr) return ingot::document(nullptr);
  return ingot::document(*as_value(), max_document_size);
}

namespace {

/// Returns true if `held`, the value of an optional or a box, may itself be null. Documents have
/// such a value in an array of one element, because a null would look like an empty optional.
[[nodiscard]] bool may_be_null(const dynamic_value& held) {
  return held.kind() == dynamic_kind::optional || held.kind() == dynamic_kind::box || held.is_any();
}

[[nodiscard]] std::string json_of(const ingot::value& from, std::uint32_t indent) {
  namespace json = ingot::json;
  // These options accept any value of a file, so that all values can be shown.
  const json::write_options options{.non_finite = json::non_finite::strings,
                                    .invalid_utf8 = json::invalid_utf8::replace,
                                    .binary = json::binary_style::base64,
                                    .key_order = json::key_order::sorted,
                                    .indent = indent,
                                    .max_depth = 1U << 30};
  return printable_json(value_of(json::write(from, options)));
}

} // namespace

std::string node::json(std::uint32_t indent) const {
  if (!holder_.exists()) return held_json(indent);
  return json_of(value_of(to_document(ingot::value_format::json)).root(), indent);
}

std::string node::held_json(std::uint32_t indent) const {
  if (instead_ != nullptr) return "null";
  if (const auto* const plain = as_value()) return json_of(*plain, indent);
  const auto held_document = value_of(
      ingot::to_document(*as_typed(), {.max_size = max_document_size, .form = ingot::value_format::json}));
  return json_of(held_document.root(), indent);
}

node node::as_document() const {
  const auto* const typed = as_typed();
  if (typed == nullptr) return *this;
  auto converted = std::make_shared<const ingot::document>(value_of(
      ingot::to_document(*typed, {.max_size = max_document_size, .form = ingot::value_format::json})));
  const ingot::value root = converted->root();
  return {root, std::move(converted)};
}

std::string node::held_by() const {
  std::string prefix;
  for (dynamic_value from = holder_;; from = from.held()) {
    const dynamic_kind kind = from.kind();
    if (kind == dynamic_kind::optional || kind == dynamic_kind::box) {
      if (may_be_null(from.held())) prefix += '+';
    } else if (kind == dynamic_kind::variant || kind == dynamic_kind::expected) {
      if (from.alternative() != 0) prefix += std::to_string(from.alternative()) + ' ';
    } else {
      return prefix;
    }
  }
}

namespace {

using type_access = ingot::detail::dyn::access;

/// Returns true if `object` has the tag of the variant's alternative as a member, as in JSON.
[[nodiscard]] bool is_tag_in_json(const dynamic_value& variant, const node& object, std::string_view tag) {
  const std::string_view key = type_access::type_of(variant).tag_key;
  return !key.empty() && object.member(key).text() == tag;
}

} // namespace

bool node::is_added_in_json(std::string_view name, const node& value) const {
  if (as_typed() == nullptr || as_typed()->kind() != dynamic_kind::record) return false;
  const auto& type = type_access::type_of(*as_typed());
  if (name == "$version")
    return type.has(ingot::detail::dyn::has_version) && value.form() == node_form::scalar &&
           value.scalar(24) == std::to_string(type.extent);
  for (dynamic_value from = holder_; from.exists(); from = from.held()) {
    if (from.kind() == dynamic_kind::variant && type_access::type_of(from).tag_key == name)
      return value.text() == ingot::detail::dyn::alternative_key(from);
  }
  return false;
}

std::optional<node> node::counterpart_in(const node& document) const {
  node at = document;
  for (dynamic_value from = holder_;; from = from.held()) {
    const dynamic_kind kind = from.kind();
    if (kind == dynamic_kind::optional || kind == dynamic_kind::box) {
      if (!may_be_null(from.held())) continue;
      if (at.form() != node_form::elements || at.size() != 1) return {};
      at = at.element(0);
    } else if (kind == dynamic_kind::variant || kind == dynamic_kind::expected) {
      const std::string key = ingot::detail::dyn::alternative_key(from);
      if (at.form() == node_form::members && is_tag_in_json(from, at, key)) continue;
      if (at.form() != node_form::members || at.size() != 1) return {};
      at = at.member(key);
      if (!at.exists()) return {};
    } else {
      return at;
    }
  }
}

std::strong_ordering name_order::compare(std::string_view a, std::string_view b) {
  constexpr std::size_t longest_compared = 512;
  if (a.size() <= longest_compared || b.size() <= longest_compared) return a <=> b;
  if (a.data() == b.data() && a.size() == b.size()) return std::strong_ordering::equal;
  const two_names both{a.data(), b.data()};
  if (const auto found = known_.find(both); found != known_.end()) return found->second;
  const std::strong_ordering ordering = a <=> b;
  known_.emplace(both, ordering);
  return ordering;
}

parts::parts(const node& of, name_order* order) {
  const node_form form = of.form();
  if (form == node_form::scalar || form == node_form::absent) return;
  if (const auto* const typed = of.as_typed()) {
    at_ = ingot::detail::dyn::part_iterator(*typed);
    return;
  }
  const ingot::value& from = *of.as_value();
  whole_ = of.whole_;
  if (form == node_form::elements) {
    at_ = elements{from, 0, from.size()};
    return;
  }
  members all{from, {}, 0};
  for (const auto& each : from.members())
    all.order.emplace_back(each.key, static_cast<std::uint32_t>(all.order.size()));
  if (order == nullptr || of.is_temporary()) std::ranges::sort(all.order);
  else
    std::ranges::sort(all.order,
                      [order](const auto& a, const auto& b) { return order->compare(a.first, b.first) < 0; });
  at_ = std::move(all);
}

bool parts::done() const {
  if (const auto* const named = std::get_if<members>(&at_)) return named->at == named->order.size();
  if (const auto* const numbered = std::get_if<elements>(&at_)) return numbered->at == numbered->count;
  if (const auto* const typed = std::get_if<ingot::detail::dyn::part_iterator>(&at_))
    return *typed == std::default_sentinel;
  return true;
}

part parts::operator*() const {
  if (const auto* const named = std::get_if<members>(&at_)) {
    const auto& [name, index] = named->order[named->at];
    return {named->at, name, {}, node(named->of[std::size_t{index}], whole_)};
  }
  if (const auto* const numbered = std::get_if<elements>(&at_))
    return {numbered->at, {}, {}, node(numbered->of[numbered->at], whole_)};
  const ingot::dynamic_part typed = **std::get_if<ingot::detail::dyn::part_iterator>(&at_);
  return {typed.index, typed.name, node(typed.key),
          typed.value.exists() ? node(typed.value) : node::left_out()};
}

void parts::next() {
  if (auto* const named = std::get_if<members>(&at_)) ++named->at;
  else if (auto* const numbered = std::get_if<elements>(&at_)) ++numbered->at;
  else if (auto* const typed = std::get_if<ingot::detail::dyn::part_iterator>(&at_)) ++*typed;
}

} // namespace tool
