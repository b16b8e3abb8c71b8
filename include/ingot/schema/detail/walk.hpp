// SPDX-License-Identifier: Apache-2.0
// The state of a walk over a type: the visited records, the hashes of their parts, the listener.
// The state is not a template, so the compiler compiles it once for all types; only the walk itself
// is compiled for each type. Inlining is disabled for the same reason.
#pragma once

#include <ingot/core/detail/config.hpp>
#include <ingot/reflect/detail/plain_name.hpp>
#include <ingot/reflect/detail/proto_form.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/schema/fingerprint.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace detail {

/// Receives the events of the walk that computes a fingerprint. At run time, a listener builds the
/// schema from the same walk, so the schema and the fingerprint always agree.
class schema_listener {
public:
  /// Begins a part, and returns its node. For a recursion, `target` is the node of the record to
  /// which the recursion refers.
  virtual std::uint32_t begin(const schema_attributes& attributes, std::uint32_t target) = 0;
  /// Sets the name of the C++ type of `node`, a record or an enumeration.
  virtual void type_name(std::uint32_t node, std::string_view name) = 0;
  /// Sets the `json::tag_key` of `node`, a variant.
  virtual void tag_key(std::uint32_t node, std::string_view key) = 0;
  virtual void enumerator(std::uint32_t node, std::uint64_t value, std::string_view name) = 0;
  virtual void child(std::uint32_t node, std::string_view name, std::uint64_t annotations,
                     std::uint32_t child) = 0;
  virtual void finish(std::uint32_t node, std::uint64_t id) = 0;
  /// Sets the field number of the node's last member.
  virtual void field_number(std::uint32_t node, std::uint32_t number) = 0;
  virtual void form(std::uint32_t node, const proto_form& form) = 0;

protected:
  ~schema_listener() = default;
};

/// A growing list for constant expressions. With the checked containers of libstdc++ 12,
/// std::vector is not constexpr.
template <class T>
class walk_list {
public:
  constexpr walk_list() = default;
  walk_list(const walk_list&) = delete;
  walk_list& operator=(const walk_list&) = delete;
  constexpr ~walk_list() { delete[] items_; }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  [[nodiscard]] constexpr const T* begin() const noexcept { return items_; }
  [[nodiscard]] constexpr const T* end() const noexcept { return items_ + size_; }

  constexpr void push_back(const T& item) {
    if (size_ == capacity_) {
      capacity_ = 2 * capacity_ + 8;
      T* const larger = new T[capacity_]{};
      for (std::size_t i = 0; i < size_; ++i) larger[i] = items_[i];
      delete[] std::exchange(items_, larger);
    }
    items_[size_++] = item;
  }
  constexpr void shrink(std::size_t size) noexcept { size_ = size; }

private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The result of describing a part.
struct described_part {
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t id = 0;
  std::uint32_t node = 0;
  /// position in `open_` of the first open record to which a recursion inside the part refers;
  /// `nowhere` if there is none
  std::uint32_t reach = nowhere;
};

/// State of one walk. A record is open while it is being described. A reference to an open record
/// is described as a recursion. If a record contains a recursion to an outer record, the two
/// records are mutually recursive and form a group: then the inner record stays open until the
/// outer record is described.
///
/// A record that was visited before takes one look-up, so the work is proportional to the distinct
/// records. A record's fingerprint is the same at every occurrence, except inside a group: there
/// the fingerprint depends on the record through which the walk entered the group.
class schema_walk {
public:
  constexpr explicit schema_walk(schema_listener* listener = nullptr) : listener_(listener) {}

  [[nodiscard]] constexpr schema_listener* listener() const noexcept { return listener_; }
  /// Enables the check that descriptions accept all names. A walk that only computes a fingerprint
  /// does not need this check.
  constexpr void look_at_names() noexcept { looks_at_names_ = true; }
  constexpr void meet_name(std::string_view name) noexcept {
    if (looks_at_names_ && !is_plain_name(name)) names_are_plain_ = false;
  }
  [[nodiscard]] constexpr bool names_are_plain() const noexcept { return names_are_plain_; }

  /// Returns true if the record is already described or open. Then sets `found` to the record's
  /// part, or to a recursion if the record is open.
  INGOT_NOINLINE constexpr bool find(std::string_view type, described_part& found) const {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].type == type) {
        found = recursion_to(i);
        return true;
      }
    }
    for (const closed_record& record : closed_) {
      if (record.type == type && !any_open(record)) {
        found = {record.id, record.node, described_part::nowhere};
        return true;
      }
    }
    return false;
  }
  /// Opens the record until `leave`, and returns its position among the open records.
  INGOT_NOINLINE constexpr std::uint32_t enter(std::string_view type, std::uint32_t node) {
    open_.push_back({type, node});
    return static_cast<std::uint32_t>(open_.size() - 1);
  }
  INGOT_NOINLINE constexpr described_part leave(std::uint32_t position, described_part part) {
    // A recursion inside this record refers to an outer record: this record stays open as a part of
    // the outer record's group.
    if (part.reach < position) return part;
    const std::size_t first = groups_.size();
    for (std::size_t i = position + 1; i < open_.size(); ++i) groups_.push_back(open_[i].type);
    closed_.push_back({open_[position].type, part.id, part.node, first, groups_.size()});
    open_.shrink(position);
    part.reach = described_part::nowhere;
    return part;
  }

private:
  struct open_record {
    std::string_view type;
    std::uint32_t node = 0;
  };
  struct closed_record {
    std::string_view type;
    std::uint64_t id = 0;
    std::uint32_t node = 0;
    std::size_t group_begin = 0; ///< in `groups_`: the other records of this record's group
    std::size_t group_end = 0;
  };

  [[nodiscard]] constexpr bool any_open(const closed_record& record) const {
    for (std::size_t i = record.group_begin; i < record.group_end; ++i) {
      for (const open_record& open : open_) {
        if (open.type == groups_[i]) return true;
      }
    }
    return false;
  }
  [[nodiscard]] constexpr described_part recursion_to(std::size_t position) const {
    const schema_attributes attributes{schema_kind::recursion, 0, 0, open_.size() - 1 - position, 0};
    fingerprint hash;
    hash.header(attributes, 0);
    described_part part{hash.finish(), 0, static_cast<std::uint32_t>(position)};
    if (listener_ != nullptr) {
      part.node = listener_->begin(attributes, open_[position].node);
      listener_->finish(part.node, part.id);
    }
    return part;
  }

  schema_listener* listener_;
  bool looks_at_names_ = false;
  bool names_are_plain_ = true;
  walk_list<open_record> open_;
  walk_list<closed_record> closed_;
  walk_list<std::string_view> groups_;
};

/// Passes one part to the listener and computes its fingerprint, while its children are being
/// described.
class part_writer {
public:
  INGOT_NOINLINE constexpr part_writer(schema_walk& walk, const schema_attributes& attributes,
                                       std::size_t children)
      : walk_(walk), listener_(walk.listener()) {
    hash_.header(attributes, children);
    if (listener_ != nullptr) part_.node = listener_->begin(attributes, 0);
  }
  [[nodiscard]] constexpr std::uint32_t node() const noexcept { return part_.node; }

  /// Calls `name` only if a listener needs the name: fingerprints don't contain it.
  constexpr void type_name(std::string_view (*name)()) {
    if (listener_ != nullptr) listener_->type_name(part_.node, name());
  }
  /// Sets the `json::tag_key` of a variant. Fingerprints don't contain it.
  constexpr void tag_key(std::string_view key) {
    walk_.meet_name(key);
    if (listener_ != nullptr) listener_->tag_key(part_.node, key);
  }
  INGOT_NOINLINE constexpr void enumerator(std::uint64_t value, std::string_view name) {
    walk_.meet_name(name);
    hash_.enumerator(value, name);
    if (listener_ != nullptr) listener_->enumerator(part_.node, value, name);
  }
  INGOT_NOINLINE constexpr void child(const described_part& child) {
    hash_.word(child.id);
    join({}, 0, child);
  }
  INGOT_NOINLINE constexpr void alternative(std::string_view name, const described_part& child) {
    if (!name.empty()) walk_.meet_name(name);
    hash_.alternative(name, child.id);
    join(name, 0, child);
  }
  INGOT_NOINLINE constexpr void member(std::string_view name, std::uint64_t annotations,
                                       const described_part& child) {
    walk_.meet_name(name);
    hash_.member(name, annotations, child.id);
    join(name, annotations, child);
  }
  constexpr void field_number(std::uint32_t number) {
    if (listener_ != nullptr) listener_->field_number(part_.node, number);
  }
  constexpr void form(const proto_form& form) {
    if (listener_ != nullptr) listener_->form(part_.node, form);
  }
  INGOT_NOINLINE constexpr described_part finish() {
    part_.id = hash_.finish();
    if (listener_ != nullptr) listener_->finish(part_.node, part_.id);
    return part_;
  }

private:
  constexpr void join(std::string_view name, std::uint64_t annotations, const described_part& child) {
    if (child.reach < part_.reach) part_.reach = child.reach;
    if (listener_ != nullptr) listener_->child(part_.node, name, annotations, child.node);
  }

  schema_walk& walk_;
  schema_listener* listener_;
  fingerprint hash_;
  described_part part_;
};

/// Describes a type by means of the given walk.
using type_describer = described_part (*)(schema_walk&);

}}} // namespace ingot::INGOT_V1::detail
