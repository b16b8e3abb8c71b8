// SPDX-License-Identifier: Apache-2.0
// Upgrades the text of an older version of a type before the text is read.
//
// A type with `ingot::version(n)` writes its version into its text. If the first member of the type
// is an integer called `version`, this member holds the version. Otherwise the version has the key
// "$version". If a text has an older version, upgrade steps change its object. The steps get the
// object as a list of keys, each with its value as JSON text. The changed object is then read as
// the current type:
//
//   template <>
//   inline constexpr ingot::json::upgrade ingot::json::upgrades<window>[] = {
//       {1, [](ingot::json::object_editor& object) -> ingot::result<void> {  // from version 1 to 2
//          object.rename("caption", "title");
//          return {};
//        }},
//   };
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json {

namespace detail {
class upgrade_run;
}

/// An object as an ordered list of keys, each with its value as JSON text. A lookup is O(n) in the
/// number of keys.
class object_editor {
public:
  /// A key and its value.
  struct entry {
    /// The key without escapes.
    std::string key;
    /// The value as JSON text.
    std::string text;
    /// Position of the value in the text that was read, in bytes, or npos for a new value.
    std::size_t offset;
  };

  /// Returns the version of the object after the steps so far.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
  /// Returns the keys and values in order. Any change to the editor invalidates the returned span.
  [[nodiscard]] std::span<const entry> entries() const noexcept { return entries_; }

  [[nodiscard]] bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  /// Returns the value as JSON text, or nothing if the key is missing. Any change to the editor
  /// invalidates the returned text.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const noexcept;
  /// Reads the value as a `T`. Errors: as `read`; `errc::missing_member` if the key is missing.
  template <class T>
  [[nodiscard]] result<T> get(std::string_view key, const read_options& options = {}) const;

  /// Sets the value of `key`. If the object has no such key, appends the key. The text of the value
  /// is checked when the object is read.
  void set_text(std::string_view key, std::string_view text);
  /// As `set_text`, with `value` written as JSON. Errors: as `write`.
  template <class T>
  [[nodiscard]] result<void> set(std::string_view key, const T& value, const write_options& options = {});
  /// Renames the key `from`, and keeps its position and value. Returns false and changes nothing if
  /// `from` is missing or `to` exists.
  bool rename(std::string_view from, std::string_view to);
  bool remove(std::string_view key);

private:
  friend class detail::upgrade_run;
  [[nodiscard]] const entry* find(std::string_view key) const noexcept;

  std::vector<entry> entries_;
  std::uint32_t version_ = 0;
};

/// One step: converts an object of version `from` to version `from + 1`. An error ends the reading.
struct upgrade {
  /// The version that the step converts.
  std::uint32_t from;
  /// The function that changes the object. Its error ends the reading.
  result<void> (*step)(object_editor&);
};

/// The upgrade steps of a type. Specialise this variable as an array of `upgrade`, in ascending
/// order of `from`. A text without a version has version 0. If a version has no step, the next
/// version must only have added members (`since`).
template <class T>
inline constexpr std::span<const upgrade> upgrades{};

}}} // namespace ingot::INGOT_V1::json
