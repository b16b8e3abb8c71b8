// SPDX-License-Identifier: Apache-2.0
// Text of an older version of a type, brought up to date before it is read.
//
// A type with `ingot::version(n)` writes its version with its text: as its first member, when that is an
// integer called `version`, and under the key "$version" otherwise. When a text carries an older number, its
// object is handed to the steps below as keys with the text of their values, and then read as the current type:
//
//   template <>
//   inline constexpr ingot::json::upgrade ingot::json::upgrades<window>[] = {
//       {1, [](ingot::json::object_editor& object) -> ingot::result<void> {  // from version 1 to version 2
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

namespace ingot::inline v1::json {

namespace detail {
class upgrade_run;
}

/// An object as an ordered list of keys, each with its value as JSON text. Lookups are O(keys).
class object_editor {
public:
  /// A key and its value. `offset` is where the value stands in the text that was read; npos for new ones.
  struct entry {
    std::string key;
    std::string text;
    std::size_t offset;
  };

  /// The version of the object as the steps so far have left it.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
  [[nodiscard]] std::span<const entry> entries() const noexcept { return entries_; }

  [[nodiscard]] bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  /// The value as JSON text. Any change to the editor invalidates it.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const noexcept;
  /// The value read as a `T`; `errc::missing_member` without the key.
  template <class T>
  [[nodiscard]] result<T> get(std::string_view key, const read_options& options = {}) const;

  /// Sets the value of `key`, which is appended if there is none. The text is checked when the object is read.
  void set_text(std::string_view key, std::string_view text);
  /// As `set_text`, with `value` written as JSON.
  template <class T>
  [[nodiscard]] result<void> set(std::string_view key, const T& value, const write_options& options = {});
  /// Gives a key another name and leaves its place and value. False, and no change, when `from` is missing or `to` is there.
  bool rename(std::string_view from, std::string_view to);
  bool remove(std::string_view key);

private:
  friend class detail::upgrade_run;
  [[nodiscard]] const entry* find(std::string_view key) const noexcept;

  std::vector<entry> entries_;
  std::uint32_t version_ = 0;
};

/// One step: turns an object of version `from` into one of version `from + 1`. An error ends the reading.
struct upgrade {
  std::uint32_t from;
  result<void> (*step)(object_editor&);
};

/// The steps of a type, ascending by `from`: specialise as an array of `upgrade`. A text without a version
/// is of version 0. Where a version has no step, the next one must only have added members (`since`).
template <class T>
inline constexpr std::span<const upgrade> upgrades{};

} // namespace ingot::inline v1::json
