// SPDX-License-Identifier: Apache-2.0
// The differences between two versions of a type: the facts that a program must know before it
// reads data of one version as the other version.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// The kind of a change from the old version to the new one. Data can be read after all kinds of
/// changes except `incompatible`; after `unless_used` and `rescaled`, some values are rejected.
enum class schema_change_kind : std::uint8_t {
  added,           ///< a member that old data lacks: it gets its default value
  removed,         ///< a member that only old data has: it is dropped
  moved,           ///< a member at another position in its record
  renamed,         ///< a member whose old name is in its `renamed_from`
  widened,         ///< a number whose new type holds every value of the old type
  became_optional, ///< a value that was required may now be absent
  /// an optional member is now required: it gets its default value if the old value was absent
  became_required,
  extended,   ///< now more enumerators, alternatives or bits, or keys may repeat
  renumbered, ///< enumerators kept their names but have other numbers
  upgraded,   ///< read as the `previous` type, then passed to its `upgrade`
  /// the old type has `elide_defaults`, so old data may lack the member: then the member gets its
  /// current default value
  maybe_omitted,
  /// an enumerator or alternative that only old data has: values that use it are rejected
  unless_used,
  /// a duration with a different period: each value is converted exactly, or rejected when it is
  /// read
  rescaled,
  incompatible, ///< can't be read; see `schema_change::reason`
};

/// One difference between two schemas.
struct schema_change {
  schema_change_kind kind; ///< kind of the difference
  /// path in the new version, as in errors: `equips[].level`; empty for the whole type
  std::string path;
  std::string before; ///< text for the old version: a kind and a width, a name, a number
  std::string after;  ///< text for the new version
  std::string reason; ///< the reason why the change is incompatible
};

/// The result of a comparison of two schemas: whether data of the old schema can be read with the
/// new schema, and all differences.
class compatibility {
public:
  /// Maximum number of changes in the list. An incompatible change is always in the list.
  static constexpr std::size_t max_changes = 256;

  compatibility() = default;
  /// `is_complete`: the list has all changes; `reads`: data can be read; `reads_every`: no value is
  /// rejected because of its enumerators or alternatives.
  compatibility(std::vector<schema_change> changes, bool is_complete, bool reads, bool reads_every = true)
      : changes_(std::move(changes)), is_whole_(is_complete), reads_(reads), reads_every_(reads_every) {}

  /// Returns true if data that was written with the old schema can be read with the new schema. A
  /// single value can still be rejected for four reasons. It has an enumerator or alternative that
  /// the new schema lacks (then `reads_every_value` is false). It has a duration whose count is no
  /// whole number in the new period. It violates a limit of the new type (`range`, `valid`, ...).
  /// Or it is nested too deeply: each part that became optional adds one level, and a value has at
  /// most 128 levels.
  [[nodiscard]] explicit operator bool() const noexcept { return reads_; }
  /// Returns true if the new schema has all enumerators and alternatives of the old schema.
  /// Otherwise, changes of the kind `unless_used` name the missing enumerators and alternatives.
  [[nodiscard]] bool reads_every_value() const noexcept { return reads_ && reads_every_; }
  /// Returns the differences; differences of outer parts come first. Each pair of parts is compared
  /// once, at its first occurrence.
  [[nodiscard]] std::span<const schema_change> changes() const noexcept { return changes_; }
  /// Returns true if `changes` lists all differences.
  [[nodiscard]] bool is_complete() const noexcept { return is_whole_; }
  /// Returns one line for each change, or "the same" if there is no change.
  [[nodiscard]] std::string to_text() const {
    std::string text;
    for (const schema_change& each : changes_) text += line(each) + '\n';
    if (!is_whole_) text += "...\n";
    return text.empty() ? "the same\n" : text;
  }

private:
  static std::string line(const schema_change& c) {
    const std::string at = (c.path.empty() ? "the whole" : c.path) + ": ";
    switch (c.kind) {
    case schema_change_kind::added: return at + "added as " + c.after;
    case schema_change_kind::removed: return at + "removed, was " + c.before;
    case schema_change_kind::moved: return at + "moved";
    case schema_change_kind::renamed: return at + "renamed from " + c.before;
    case schema_change_kind::widened: return at + "widened from " + c.before + " to " + c.after;
    case schema_change_kind::became_optional: return at + "made optional, was " + c.before;
    case schema_change_kind::became_required:
      return at + "made required, takes its default where there was none";
    case schema_change_kind::extended: return at + "extended from " + c.before + " to " + c.after;
    case schema_change_kind::renumbered: return at + "renumbered";
    case schema_change_kind::upgraded: return at + "upgraded from " + c.before + " to " + c.after;
    case schema_change_kind::maybe_omitted:
      return at + "may be missing from old compact data, and then takes today's default";
    case schema_change_kind::unless_used: return at + "read unless it uses " + c.before;
    case schema_change_kind::rescaled: return at + "changed from " + c.before + " to " + c.after;
    case schema_change_kind::incompatible: break;
    }
    return at + c.before + " can't be read as " + c.after + ": " + c.reason;
  }

  std::vector<schema_change> changes_;
  bool is_whole_ = true;
  bool reads_ = true;
  bool reads_every_ = true;
};

}} // namespace ingot::INGOT_V1
