// SPDX-License-Identifier: Apache-2.0
// How two versions of a type differ: what a program has to know before it reads data of one version as the other.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 {

/// What changed from the old version to the new one. Data can be read in spite of all but the last;
/// `unless_used` refuses some values.
enum class schema_change_kind : std::uint8_t {
  added,         ///< a member that old data lacks: it gets its default
  removed,       ///< a member that only old data has: it is dropped
  moved,         ///< a member at another position in its record
  renamed,       ///< a member found under a name that `renamed_from` gives
  widened,       ///< a number whose new type holds every value of the old one
  made_optional, ///< a value that was always there may now be absent
  made_required, ///< an optional member that no longer is: it gets its default where there was nothing
  extended,      ///< more enumerators, alternatives, bits; keys that may repeat
  renumbered,    ///< an enumeration whose names have other numbers
  upgraded,      ///< read as the `previous` type, then passed to its upgrade
  maybe_omitted,      ///< `elide_defaults` may have left the member out: it then gets its current default
  unless_used,   ///< an enumerator or alternative that only old data has: a value that uses it is refused
  rescaled, ///< a duration whose period differs: each value is converted exactly, or refused when it is read
  incompatible, ///< can't be read; `schema_change::reason` says why
};

struct schema_change {
  schema_change_kind kind;
  std::string path;   ///< in the new version, as in errors: `equips[].level`; empty for the whole
  std::string before; ///< the old side: a kind and a width, a name, a number
  std::string after;  ///< the new side
  std::string reason; ///< why the change is incompatible
};

/// Whether data of one schema can be read as another, with everything that differs.
class compatibility {
public:
  /// The largest number of changes that are listed. An incompatible one is always included.
  static constexpr std::size_t max_changes = 256;

  compatibility() = default;
  compatibility(std::vector<schema_change> changes, bool is_complete, bool reads, bool reads_every = true)
      : changes_(std::move(changes)), is_whole_(is_complete), reads_(reads), reads_every_(reads_every) {}

  /// Whether data that was written with the old schema can be read with the new one. Four things
  /// can still refuse a value: an enumerator or alternative in it that the new schema lacks
  /// (`reads_every_value` tells whether there is one), a count of a duration that is no whole
  /// number in the new period, the new type's own limits (`range`, `valid`, ...), and depth,
  /// because each part that was made optional adds a level to the 128.
  [[nodiscard]] explicit operator bool() const noexcept { return reads_; }
  /// Whether the new schema has all enumerators and alternatives of the old one. If not, changes of
  /// the kind `unless_used` name those that are missing.
  [[nodiscard]] bool reads_every_value() const noexcept { return reads_ && reads_every_; }
  /// The differences, from the outside in. Each pair of parts is compared once, where it is met first.
  [[nodiscard]] std::span<const schema_change> changes() const noexcept { return changes_; }
  /// Whether `changes` lists all differences.
  [[nodiscard]] bool is_complete() const noexcept { return is_whole_; }
  /// Returns one line for each change, or "the same" if there is none.
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
    case schema_change_kind::made_optional: return at + "made optional, was " + c.before;
    case schema_change_kind::made_required:
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
