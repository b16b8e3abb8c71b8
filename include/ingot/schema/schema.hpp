// SPDX-License-Identifier: Apache-2.0
// The description of a type as a value that can be printed, compared and stored in files. A program
// uses it to find the differences between its own type and the type of the program that wrote some
// bytes.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/schema/detail/printer.hpp>
#include <ingot/schema/schema_id.hpp>
#include <ingot/schema/schema_node.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

class schema;
namespace detail {
struct schema_marks;
} // namespace detail
/// Defined in <ingot/schema/description.hpp>.
[[nodiscard]] result<schema> read_schema(bytes_view bytes);

/// The canonical description of a type. A record that occurs several times may be one node. Copying
/// a schema copies all its nodes. A schema also contains the names of the C++ types, without
/// namespaces, and the variants' `json::tag_key`. These names and keys are not compared, and are no
/// part of the fingerprint.
class schema {
public:
  /// The default limit of `to_text`, in bytes.
  static constexpr std::size_t default_text_limit = 1U << 20;

  /// Creates an empty description: no nodes, fingerprint 0.
  schema() = default;

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// Returns the node that describes the whole type. Requires that the schema is not empty.
  [[nodiscard]] INGOT_CHECKED const schema_node& root() const noexcept {
    INGOT_REQUIRE(!empty(), broken_empty("ingot::schema", "root()"));
    return nodes_[root_];
  }
  /// Returns the index of the root in `nodes()`.
  [[nodiscard]] std::uint32_t root_index() const noexcept { return root_; }
  /// Returns all nodes, in unspecified order; valid until the schema is changed.
  [[nodiscard]] std::span<const schema_node> nodes() const noexcept { return nodes_; }
  /// Returns the node of a child. Requires that `child` belongs to a node of this schema.
  [[nodiscard]] INGOT_CHECKED const schema_node& node(const schema_child& child) const noexcept {
    INGOT_REQUIRE(child.node < nodes_.size(), broken_index("ingot::schema", child.node, nodes_.size()));
    return nodes_[child.node];
  }

  /// Returns the fingerprint: the `schema_id<T>` of the described type. O(1).
  [[nodiscard]] std::uint64_t id() const noexcept { return empty() ? 0 : root().id; }

  /// Returns true if the schema lacks annotations for protobuf that its type has. This happens if
  /// the schema came from the layout of a live block, since layouts don't contain these
  /// annotations. Messages of protobuf can't be read or written by such a schema. O(1).
  [[nodiscard]] bool lacks_protobuf() const noexcept { return lacks_protobuf_; }

  /// Returns a text with one line for each part; members are indented below their record. The text
  /// contains no names of C++ types, so equal schemas have equal texts. If the text is longer than
  /// `max_bytes`, returns its beginning and a last line `...`.
  [[nodiscard]] std::string to_text(std::size_t max_bytes = default_text_limit) const;
  /// As `to_text`, for people: the text also contains the names of the C++ types, after the words
  /// "record" and "enum", and the `json::tag_key` of variants.
  [[nodiscard]] std::string to_text_with_names(std::size_t max_bytes = default_text_limit) const;

  /// Returns true if all parts and their fingerprints are equal. The annotations for protobuf, the
  /// names of types and each `tag_key` are not compared. Time is linear in the nodes if the schemas
  /// are equal.
  friend bool operator==(const schema& a, const schema& b) {
    if (a.empty() || b.empty()) return a.empty() == b.empty();
    std::vector<std::uint32_t> validated(a.nodes_.size(), detail::described_part::nowhere);
    return equal_nodes(a, a.root_, b, b.root_, validated);
  }

  /// Writes `to_text()` to any stream.
  template <class Stream>
    requires requires(Stream& stream, std::string_view text) { stream.write(text.data(), std::ptrdiff_t{}); }
  friend Stream& operator<<(Stream& stream, const schema& s) {
    const std::string text = s.to_text();
    stream.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
    return stream;
  }

private:
  class builder;
  friend result<schema> read_schema(bytes_view bytes);
  friend detail::schema_marks;

  static bool equal_nodes(const schema& a, std::uint32_t i, const schema& b, std::uint32_t j,
                          std::vector<std::uint32_t>& validated);

  std::vector<schema_node> nodes_;
  std::uint32_t root_ = 0;
  bool lacks_protobuf_ = false;
};

namespace detail {
struct schema_marks {
  static void lacks_protobuf(schema& of) noexcept { of.lacks_protobuf_ = true; }
  /// Returns the schema of the type that `describe` describes.
  static schema of_walk(type_describer describe);
};
} // namespace detail

class schema::builder final : public detail::schema_listener {
public:
  /// Appends nodes to `nodes`, which must outlive the builder.
  explicit builder(std::vector<schema_node>& nodes) : nodes_(nodes) {}

  std::uint32_t begin(const schema_attributes& attributes, std::uint32_t target) override {
    schema_node& node = nodes_.emplace_back();
    node.attributes = attributes;
    node.target = target;
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  /// Sets the name of a node's type.
  void type_name(std::uint32_t node, std::string_view name) override { nodes_[node].name = name; }
  /// Sets the `json::tag_key` of a variant.
  void tag_key(std::uint32_t node, std::string_view key) override { nodes_[node].name = key; }
  /// Appends an enumerator to a node.
  void enumerator(std::uint32_t node, std::uint64_t value, std::string_view name) override {
    nodes_[node].enumerators.push_back({std::string(name), value});
  }
  /// Appends a child to a node.
  void child(std::uint32_t node, std::string_view name, std::uint64_t annotations,
             std::uint32_t child) override {
    nodes_[node].children.push_back({std::string(name), annotations, child});
  }
  /// Sets the fingerprint of a node.
  void finish(std::uint32_t node, std::uint64_t id) override { nodes_[node].id = id; }
  /// Sets the field number of the node's last child.
  void field_number(std::uint32_t node, std::uint32_t number) override {
    nodes_[node].children.back().field_number = number;
  }
  /// Sets the protobuf form of the node's last child.
  void form(std::uint32_t node, const proto_form& form) override { nodes_[node].children.back().form = form; }

private:
  std::vector<schema_node>& nodes_;
};

/// Returns the description of `T`. Each call creates a new description, in time linear in the
/// distinct parts of `T`.
template <class T>
[[nodiscard]] schema schema_of() {
  static_assert(detail::require_storable<T>());
  return detail::schema_marks::of_walk(detail::describe<std::remove_const_t<T>>);
}

inline schema detail::schema_marks::of_walk(type_describer describe) {
  schema result;
  schema::builder builder(result.nodes_);
  schema_walk walk(&builder);
  result.root_ = describe(walk).node;
  return result;
}

inline bool schema::equal_nodes(const schema& a, std::uint32_t i, const schema& b, std::uint32_t j,
                                std::vector<std::uint32_t>& validated) {
  if (validated[i] == j) return true;
  const schema_node& x = a.nodes_[i];
  const schema_node& y = b.nodes_[j];
  if (x.id != y.id || x.attributes != y.attributes || x.enumerators != y.enumerators ||
      x.children.size() != y.children.size()) {
    return false;
  }
  for (std::size_t k = 0; k < x.children.size(); ++k) {
    const schema_child& left = x.children[k];
    const schema_child& right = y.children[k];
    if (left.name != right.name || left.annotations != right.annotations ||
        !equal_nodes(a, left.node, b, right.node, validated)) {
      return false;
    }
  }
  validated[i] = j;
  return true;
}

inline std::string schema::to_text(std::size_t max_bytes) const {
  return empty() ? std::string("nothing\n") : detail::schema_printer(nodes_, max_bytes).print(root_);
}
inline std::string schema::to_text_with_names(std::size_t max_bytes) const {
  return empty() ? std::string("nothing\n") : detail::schema_printer(nodes_, max_bytes, true).print(root_);
}

}} // namespace ingot::INGOT_V1
