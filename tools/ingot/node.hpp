// SPDX-License-Identifier: Apache-2.0
// A uniform view of the values that the tool can open: scalars, and values with parts that are
// found by name, number or key. An optional, box or variant appears as the value that it holds.
#pragma once

#include <ingot/document/document.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/parts.hpp>

#include "cli_support.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tool {

/// Maximum size in bytes of any document. Reserves address space, not memory.
inline constexpr ingot::max_block_size max_document_size{(std::size_t{1} << 31) - 65536};

enum class node_form : std::uint8_t {
  absent, ///< the path leads nowhere
  scalar,
  members, ///< each with a name
  entries, ///< each with a key
  elements,
};

class node;
struct part;

/// A handle to a value. It is valid as long as the opened file.
class node {
public:
  node() = default;
  /// Returns a node for a member that a compact message omits.
  [[nodiscard]] static node left_out();
  explicit node(const ingot::value& from) : of_(from) {}
  explicit node(ingot::dynamic_value from);

  [[nodiscard]] bool exists() const { return form() != node_form::absent; }
  [[nodiscard]] node_form form() const;
  /// Returns the number of parts; 0 for a scalar.
  [[nodiscard]] std::size_t size() const;
  /// Returns the type in a word or two, printable: "Character", "vector", "object".
  [[nodiscard]] std::string type() const;
  /// Returns the alternative of a variant.
  [[nodiscard]] std::optional<std::size_t> alternative() const { return alternative_; }

  /// Returns a scalar as text for people, printable. Text and bytes are cut after `max_text`
  /// bytes, followed by their length.
  [[nodiscard]] std::string scalar(std::size_t max_text) const;
  [[nodiscard]] paint colour() const;
  /// Returns the text of a value that is text of one-byte characters, or the name of an enumerator.
  /// Returns nothing for all other values.
  [[nodiscard]] std::optional<std::string_view> text() const;

  [[nodiscard]] node member(std::string_view name) const;
  /// Returns the part with this number. Members of records are numbered in the order of their
  /// declaration. Returns an absent node for objects of documents, because their members have no
  /// such order.
  [[nodiscard]] node element(std::size_t index) const;
  /// Returns the entry whose key is this text, or whose key is the number that this text stands
  /// for.
  [[nodiscard]] node entry(std::string_view key) const;

  /// Returns a document of the value, including the levels of optionals and variants that hold the
  /// value. docs/dynamic.md describes the conversion of typed values.
  [[nodiscard]] ingot::result<ingot::document>
  to_document(ingot::value_format form = ingot::value_format::document) const;
  /// Returns JSON in the form of the value's type, printable. The JSON is on one line if `indent`
  /// is 0; otherwise it has `indent` spaces per level.
  [[nodiscard]] std::string json(std::uint32_t indent) const;
  /// As `json`, but without the levels of optionals and variants: only the value inside them.
  [[nodiscard]] std::string held_json(std::uint32_t indent) const;
  /// Returns the held value as a value of a document, in its JSON form.
  [[nodiscard]] node as_document() const;
  /// Returns the variants and optionals that hold the value, as text ("2 ", "++"). A variant adds
  /// the number of its alternative, unless this number is 0. An optional adds a `+` if it holds a
  /// value that may be null.
  [[nodiscard]] std::string held_by() const;
  /// Returns the value in `document` that corresponds to the value inside this node's optionals and
  /// variants. `document` was converted from this value or from another value of its type, also in
  /// the JSON form. Returns nothing if `document` lacks a level for one of the optionals and
  /// variants.
  [[nodiscard]] std::optional<node> counterpart_in(const node& document) const;

  /// Returns true if the JSON form of this node's record has this member, but the record does not:
  /// the tag of a variant with a `tag_key`, or the version.
  [[nodiscard]] bool is_added_in_json(std::string_view name, const node& value) const;

  /// `as_value` returns a value of a document, and `as_typed` returns a typed value. Each returns
  /// null if the node has the other kind of value.
  [[nodiscard]] const ingot::value* as_value() const { return std::get_if<ingot::value>(&of_); }
  [[nodiscard]] const ingot::dynamic_value* as_typed() const {
    return std::get_if<ingot::dynamic_value>(&of_);
  }
  /// Returns true if the value was created for this handle. The names of the value's members are
  /// then destroyed with the handle.
  [[nodiscard]] bool is_temporary() const noexcept { return whole_ != nullptr; }
  /// Returns the node's typed value. If this value is inside optionals and variants, returns the
  /// outermost optional or variant.
  [[nodiscard]] const ingot::dynamic_value& holder() const noexcept { return holder_; }

private:
  friend class parts;
  /// Constructs a node for a value of a document that was converted from a typed value.
  node(const ingot::value& from, std::shared_ptr<const ingot::document> in)
      : of_(from), whole_(std::move(in)) {}
  std::variant<ingot::value, ingot::dynamic_value> of_;
  ingot::dynamic_value holder_;
  std::optional<std::size_t> alternative_;
  const char* instead_ = nullptr; ///< the word for a missing value
  /// Owner of `of_`, if the value was created for this node.
  std::shared_ptr<const ingot::document> whole_;
};

struct part {
  std::size_t index = 0;
  std::string_view name; ///< only for members
  node key;              ///< only for entries
  node value;
};

/// Compares names of members. Objects of one document share their keys. Keys may be long and have
/// common prefixes, so the result for each pair of long names is stored. Must not outlive the
/// documents.
class name_order {
public:
  [[nodiscard]] std::strong_ordering compare(std::string_view a, std::string_view b);

private:
  struct two_names {
    const char* a;
    const char* b;
    friend bool operator==(const two_names&, const two_names&) = default;
  };
  struct hash {
    std::size_t operator()(const two_names& of) const noexcept {
      return std::hash<const char*>()(of.a) * 31 + std::hash<const char*>()(of.b);
    }
  };
  std::unordered_map<two_names, std::strong_ordering, hash> known_;
};

/// Iterates over the parts of a node: members of documents sorted by name, all other parts in
/// stored order.
class parts {
public:
  explicit parts(const node& of, name_order* order = nullptr);
  [[nodiscard]] bool done() const;
  [[nodiscard]] part operator*() const;
  void next();

private:
  struct members {
    ingot::value of;
    std::vector<std::pair<std::string_view, std::uint32_t>> order;
    std::size_t at = 0;
  };
  struct elements {
    ingot::value of;
    std::size_t at = 0;
    std::size_t count = 0;
  };
  std::variant<std::monostate, members, elements, ingot::detail::dyn::part_iterator> at_;
  std::shared_ptr<const ingot::document> whole_; ///< as the node's `whole_`
};

} // namespace tool
