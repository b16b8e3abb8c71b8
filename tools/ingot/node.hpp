// SPDX-License-Identifier: Apache-2.0
// A value of whatever the tool can open, seen alike: scalars, and what has parts that are found by name, by number or by key. What holds
// one value or none (optionals, boxes, variants) is what it holds.
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

/// Addresses for a document of anything. They cost no memory.
inline constexpr ingot::max_block_size max_document_size{(std::size_t{1} << 31) - 65536};

enum class node_form : std::uint8_t {
  absent, ///< there is nothing of that path
  scalar,
  members, ///< each with a name
  entries, ///< each with a key
  elements,
};

class node;
struct part;

/// A handle, valid as long as what it was opened from.
class node {
public:
  node() = default;
  /// A member that a compact message left out.
  [[nodiscard]] static node left_out();
  explicit node(const ingot::value& from) : of_(from) {}
  explicit node(ingot::dynamic_value from);

  [[nodiscard]] bool exists() const { return form() != node_form::absent; }
  [[nodiscard]] node_form form() const;
  /// Parts; 0 of a scalar.
  [[nodiscard]] std::size_t size() const;
  /// What it is, in a word or two, printable: "Character", "vector", "object".
  [[nodiscard]] std::string type() const;
  /// Which alternative of a variant it is.
  [[nodiscard]] std::optional<std::size_t> alternative() const { return alternative_; }

  /// A scalar as people read it, printable. Of text and bytes at most so many bytes, and then how many there are.
  [[nodiscard]] std::string scalar(std::size_t most_text) const;
  [[nodiscard]] paint colour() const;
  /// Text, if it is text of one-byte characters or an enumerator.
  [[nodiscard]] std::optional<std::string_view> text() const;

  [[nodiscard]] node member(std::string_view name) const;
  /// The part of that number: of a sequence or a map, of a tuple, of a record in the order of its
  /// declaration. Objects of documents have no such order, and nothing is found.
  [[nodiscard]] node element(std::size_t index) const;
  /// The entry of a key that is text, or a number that is spelled so.
  [[nodiscard]] node entry(std::string_view key) const;

  /// A document of it, with what says that it is held by an optional or a variant; see docs/dynamic.md for what becomes of typed values.
  [[nodiscard]] ingot::result<ingot::document>
  to_document(ingot::value_format form = ingot::value_format::document) const;
  /// JSON of it as its type has it, on one line, or indented by so many spaces a level; printable.
  [[nodiscard]] std::string json(std::uint32_t indent) const;
  /// JSON of what is held alone, as paths lead to it.
  [[nodiscard]] std::string held_json(std::uint32_t indent) const;
  /// What is held as a value of a document, as JSON has it.
  [[nodiscard]] node as_document() const;
  /// Which alternatives of variants, the first of each apart, and how many optionals of optionals hold it: "2", "++".
  [[nodiscard]] std::string held_by() const;
  /// Where a document, which is that of this value or of a similar one, has what is held; nothing if it can't be such a document.
  [[nodiscard]] std::optional<node> counterpart_in(const node& document) const;

  /// What it stands for in the library; null if it is of the other kind.
  [[nodiscard]] const ingot::value* as_value() const { return std::get_if<ingot::value>(&of_); }
  [[nodiscard]] const ingot::dynamic_value* as_typed() const {
    return std::get_if<ingot::dynamic_value>(&of_);
  }
  /// Returns true if the value was made for this handle: its names are gone when it is.
  [[nodiscard]] bool is_temporary() const noexcept { return whole_ != nullptr; }
  /// A typed value with what it is held by.
  [[nodiscard]] const ingot::dynamic_value& holder() const noexcept { return holder_; }

private:
  friend class parts;
  /// A value of a document that a typed value is.
  node(const ingot::value& from, std::shared_ptr<const ingot::document> in)
      : of_(from), whole_(std::move(in)) {}
  std::variant<ingot::value, ingot::dynamic_value> of_;
  ingot::dynamic_value holder_;
  std::optional<std::size_t> alternative_;
  const char* instead_ = nullptr;                ///< what stands there where no value is
  std::shared_ptr<const ingot::document> whole_; ///< what `of_` lies in, if it was made for this
};

struct part {
  std::size_t index = 0;
  std::string_view name; ///< of a member
  node key;              ///< of an entry
  node value;
};

/// Compares names of members. Objects of one document share their keys, which may be long and begin
/// alike: each two of them are compared once. Keep one as long as the documents, and no longer.
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

/// Goes through the parts of a node: members of documents in the order of their names, all else as it lies.
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
  std::shared_ptr<const ingot::document> whole_; ///< as of the node
};

} // namespace tool
