// SPDX-License-Identifier: Apache-2.0
// Paths of values in errors: the keys and indices from the root of a document to a value, or to the
// position at which a value was looked up.
//
// A handle stores the last two steps (keys or indices) of its path. When an error is created, a
// search finds the other steps, but visits only a limited number of elements. A handle to an absent
// value has no position. Such a handle stores the end of its path instead, in the words that other
// handles use for the position.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/document/detail/keys.hpp>
#include <ingot/document/detail/tree.hpp>
#include <ingot/pack/detail/short_copy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Path of at most `max_size` bytes to the target of a lookup. A longer path is cut at its
/// beginning, after a whole name. If the last name alone is too long, its end is cut.
template <std::size_t MaxSize>
class short_path {
public:
  static constexpr std::size_t max_size = MaxSize;

  constexpr short_path() noexcept = default;
  /// Creates an empty path. If `below` is false, the path begins at the root. If true, it begins at
  /// a value below the root, and the names of the steps to this value are unknown.
  explicit constexpr short_path(bool below) noexcept { set_head(0, below); }
  short_path(bool below, std::string_view key) noexcept : short_path(below) {
    if (key.size() > max_size) [[unlikely]] {
      add({}, key);
      return;
    }
    set_head(key.size(), below);
    copy_short(reinterpret_cast<std::byte*>(chars_.data()) + 1,
               reinterpret_cast<const std::byte*>(key.data()), key.size());
  }

  /// Returns the path as words, which a handle to an absent value stores instead of a position.
  [[nodiscard]] const std::array<char, max_size + 1>& words() const noexcept { return chars_; }
  [[nodiscard]] static short_path of_words(const std::array<char, max_size + 1>& words) noexcept {
    short_path restored;
    restored.chars_ = words;
    if ((restored.head() & known) == 0 || restored.length() > max_size) restored.set_head(0, true);
    return restored;
  }

  void add_member(std::string_view key) noexcept { add(length() != 0 ? "." : "", key); }
  void add_element(std::size_t index) noexcept {
    std::array<char, 24> text{'['};
    const detail::decimal_text digits{index};
    const std::string_view number = digits.view();
    std::memcpy(text.data() + 1, number.data(), number.size());
    text[number.size() + 1] = ']';
    add({}, {text.data(), number.size() + 2});
  }
  void add_key(std::string_view key) noexcept {
    const std::size_t size = key.size() < max_size ? key.size() : max_size;
    std::array<char, max_size + 2> text{'['};
    std::memcpy(text.data() + 1, key.data(), size);
    text[size + 1] = ']';
    add({}, {text.data(), size + 2});
  }
  /// Adds the path of an error. Requires that this path is empty.
  void add_path(std::string_view path) noexcept {
    const bool is_marked = path.starts_with(ellipsis);
    if (is_marked) path.remove_prefix(ellipsis.size());
    set_head(0, is_cut() || is_marked);
    if (path.size() > max_size) { // keeps only the last names
      std::size_t from = path.size() - max_size;
      while (from < path.size() && path[from] != '[' && path[from - 1] != '.') ++from;
      if (from == path.size()) { // the last name alone is too long
        from = path.find_last_of(".[");
        if (from == std::string_view::npos) from = 0;
        else if (path[from] == '.') ++from;
      }
      set_head(0, is_cut() || from != 0);
      path.remove_prefix(from);
    }
    add({}, path);
  }
  /// Prepends the path to the path of the error.
  INGOT_COLD void name(error& err) const noexcept {
    std::string_view text{chars_.data() + 1, length()};
    // The ellipsis at the beginning of a cut path already ends with a dot.
    if (is_cut() && !text.empty() && text.front() == '.') text.remove_prefix(1);
    if (text.empty()) return;
    err.in_member(text);
    if (is_cut()) err.cut_path();
  }

protected:
  static constexpr unsigned known = 0x80;
  static constexpr unsigned cut = 0x40;
  static constexpr std::string_view ellipsis = "...";
  static_assert(max_size < cut);

  [[nodiscard]] constexpr unsigned head() const noexcept { return static_cast<unsigned char>(chars_[0]); }
  [[nodiscard]] constexpr std::size_t length() const noexcept { return head() & 0x3FU; }
  [[nodiscard]] constexpr bool is_cut() const noexcept { return (head() & cut) != 0; }
  constexpr void set_head(std::size_t length, bool is_cut) noexcept {
    chars_[0] = static_cast<char>(known | (is_cut ? cut : 0U) | static_cast<unsigned>(length));
  }
  /// Returns true if a name, or the separator before it, begins at byte `at` of the path.
  [[nodiscard]] constexpr bool begins_at(std::size_t at) const noexcept {
    // no name begins with the dots of the ellipsis
    if (chars_[1 + at] == '.') return at + 1 < length() && chars_[2 + at] != '.';
    return chars_[1 + at] == '[';
  }
  void add(std::string_view separator, std::string_view name) noexcept {
    std::size_t here = length();
    if (separator.size() + name.size() > max_size - here) [[unlikely]] {
      const std::size_t retained = name.size() < max_size ? max_size - name.size() - separator.size() : 0;
      std::size_t gone = here > retained ? here - retained : 0;
      while (gone < here && !begins_at(gone)) ++gone;
      set_head(here, is_cut() || here != 0);
      std::memmove(chars_.data() + 1, chars_.data() + 1 + gone, here - gone);
      here -= gone;
      if (here == 0) separator = {};
    }
    here = append(here, separator);
    if (name.size() <= max_size - here) {
      here = append(here, name);
    } else { // the name alone is too long, so its end is cut
      std::size_t cut_at = max_size - ellipsis.size();
      while (cut_at != 0 && (static_cast<unsigned char>(name[cut_at]) & 0xC0U) == 0x80U) --cut_at;
      here = append(append(here, name.substr(0, cut_at)), ellipsis);
    }
    set_head(here, is_cut());
  }
  [[nodiscard]] std::size_t append(std::size_t here, std::string_view text) noexcept {
    if (!text.empty()) std::memcpy(chars_.data() + 1 + here, text.data(), text.size());
    return here + text.size();
  }

  std::array<char, max_size + 1> chars_{};
};

/// Path of a value that does not exist. A handle stores it in the words that other handles use for
/// the position of the value.
class absent_path : public short_path<23> {
public:
  using short_path::short_path;
  absent_path(const location& at, uint64_t rest) noexcept {
    std::memcpy(chars_.data(), &at.index, 4);
    std::memcpy(chars_.data() + 4, &at.parent, 4);
    std::memcpy(chars_.data() + 8, &at.parent_index, 4);
    std::memcpy(chars_.data() + 12, &at.packed, 4);
    std::memcpy(chars_.data() + 16, &rest, 8);
    if (!at.none() || (head() & known) == 0 || length() > max_size) set_head(0, true);
  }

  [[nodiscard]] location at() const noexcept {
    location found{.position = npos};
    std::memcpy(&found.index, chars_.data(), 4);
    std::memcpy(&found.parent, chars_.data() + 4, 4);
    std::memcpy(&found.parent_index, chars_.data() + 8, 4);
    std::memcpy(&found.packed, chars_.data() + 12, 4);
    return found;
  }
  [[nodiscard]] uint64_t rest() const noexcept {
    uint64_t words = 0;
    std::memcpy(&words, chars_.data() + 16, 8);
    return words;
  }

  [[nodiscard]] absent_path with_member(std::string_view key) noexcept { return add_member(key), *this; }
  [[nodiscard]] absent_path with_element(std::size_t index) noexcept { return add_element(index), *this; }
  [[nodiscard]] absent_path with_path(std::string_view path) noexcept { return add_path(path), *this; }
};
static_assert(sizeof(absent_path) == 24);

/// Returns the path of a member that an object does not have. `below` is true if the object is not
/// the root.
[[nodiscard]] INGOT_NOINLINE inline absent_path absent_member(bool below, const char* key,
                                                              std::size_t size) noexcept {
  return absent_path(below, {key, size});
}

/// Prepends the name of the element `index` of the node at `position` to the path of the error.
template <class Memory>
INGOT_COLD void name_step(error& err, Memory in, uint32_t position, uint32_t index) noexcept {
  node n;
  key_columns keys;
  std::string_view key;
  if (!find_node(in, position, n) || index >= n.count) return;
  if (n.kind == node_kind::array) err.in_element(index);
  else if (n.is_object() && key_columns::of_object(in, n, keys) && keys.text(index, key)) err.in_member(key);
}

/// Searches for the container at `wanted`, from the root on, outer containers first. Prepends the
/// names of the steps to this container. Returns false if the container is not among the first few
/// containers.
template <class Memory>
[[nodiscard]] INGOT_COLD bool name_steps_to(error& err, Memory in, uint32_t root, uint32_t wanted) noexcept {
  struct met_node {
    uint32_t position;
    uint32_t from;
    uint32_t index;
  };
  std::array<met_node, 32> met;
  std::size_t count = 1;
  unsigned left = 64;
  met[0] = {root, 0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    node n;
    if (!find_node(in, met[i].position, n) || !n.is_container()) continue;
    for (uint32_t j = 0; j < n.count; ++j, --left) {
      if (left == 0) return false;
      const item each = n.value(j);
      if (each.is != item::form::node || (each.kind != value_kind::array && each.kind != value_kind::object))
        continue;
      if (each.position() == wanted) {
        name_step(err, in, met[i].position, j);
        for (std::size_t k = i; k != 0; k = met[k].from)
          name_step(err, in, met[met[k].from].position, met[k].index);
        return true;
      }
      if (count < met.size()) met[count++] = {each.position(), static_cast<uint32_t>(i), j};
    }
  }
  return false;
}

/// Prepends the path of the value at `at` to the path of the error. O(1).
template <class Memory>
INGOT_COLD void name_position(error& err, Memory in, const location& at) noexcept {
  if (at.none() || at.position == 0) return;
  if (at.packed != 0) err.in_element(at.packed - 1);
  name_step(err, in, at.position, at.index);
  const auto root = load<uint32_t>(in.start + offsetof(document_header, root));
  uint32_t known = at.position;
  node n;
  if (known != root && at.parent != 0 && at.parent != npos && find_node(in, at.parent, n) &&
      n.is_container() && at.parent_index < n.count) {
    const item link = n.value(at.parent_index);
    if (link.is == item::form::node && link.position() == known) {
      name_step(err, in, at.parent, at.parent_index);
      known = at.parent;
    }
  }
  if (known != root && !name_steps_to(err, in, root, known)) err.cut_path();
}

}}} // namespace ingot::INGOT_V1::detail::doc
