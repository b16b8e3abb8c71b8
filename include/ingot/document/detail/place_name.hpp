// SPDX-License-Identifier: Apache-2.0
// Paths of values in errors: the keys and indices that lead from the root of a document to a value,
// or to where one was looked for.
//
// A handle knows two steps of that path. The others are searched when an error is made, among a
// fixed number of elements. A handle to nothing has no place; the key or index that was looked for
// is kept in the words that are free then.
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

namespace ingot::inline INGOT_V1::detail::doc {

/// Path of a value that does not exist, of at most 23 bytes. The outermost names are cut off where
/// it is longer.
class absent_path {
public:
  constexpr absent_path() noexcept = default;
  /// An empty path: of the root, or `below` it of a value that is not named.
  explicit constexpr absent_path(bool below) noexcept { set_head(0, below); }
  absent_path(bool below, std::string_view key) noexcept : absent_path(below) {
    if (key.size() > most) [[unlikely]] {
      add(key);
      return;
    }
    set_head(key.size(), below);
    copy_short(reinterpret_cast<std::byte*>(chars_.data()) + 1,
               reinterpret_cast<const std::byte*>(key.data()), key.size());
  }
  /// What the words of a handle to nothing say.
  absent_path(const location& at, uint64_t rest) noexcept {
    std::memcpy(chars_.data(), &at.index, 4);
    std::memcpy(chars_.data() + 4, &at.parent, 4);
    std::memcpy(chars_.data() + 8, &at.parent_index, 4);
    std::memcpy(chars_.data() + 12, &at.packed, 4);
    std::memcpy(chars_.data() + 16, &rest, 8);
    const bool is_path = at.none() && (head() & known) != 0 && length() <= most;
    if (!is_path) set_head(0, true);
  }

  [[nodiscard]] location at() const noexcept {
    location made{.place = npos};
    std::memcpy(&made.index, chars_.data(), 4);
    std::memcpy(&made.parent, chars_.data() + 4, 4);
    std::memcpy(&made.parent_index, chars_.data() + 8, 4);
    std::memcpy(&made.packed, chars_.data() + 12, 4);
    return made;
  }
  [[nodiscard]] uint64_t rest() const noexcept {
    uint64_t made = 0;
    std::memcpy(&made, chars_.data() + 16, 8);
    return made;
  }

  absent_path& add_member(std::string_view key) noexcept {
    if (length() != 0) add(".");
    return add(key);
  }
  absent_path& add_element(std::size_t index) noexcept {
    const decimal_text digits{index};
    return add("[").add(digits.view()).add("]");
  }
  absent_path& add_path(std::string_view path) noexcept {
    const bool is_marked = path.starts_with("...");
    set_head(length(), is_cut() || is_marked);
    return add(path.substr(is_marked ? 3 : 0));
  }
  /// Puts the path in front of that of the error.
  INGOT_COLD void name(error& why) const noexcept {
    std::string_view text{chars_.data() + 1, length()};
    // The mark of a cut path ends with a dot.
    if (is_cut() && !text.empty() && text.front() == '.') text.remove_prefix(1);
    if (text.empty()) return;
    why.in_member(text);
    if (is_cut()) why.cut_path();
  }

private:
  static constexpr std::size_t most = 23;
  static constexpr unsigned known = 0x80;
  static constexpr unsigned cut = 0x40;

  [[nodiscard]] constexpr unsigned head() const noexcept { return static_cast<unsigned char>(chars_[0]); }
  [[nodiscard]] constexpr std::size_t length() const noexcept { return head() & 0x3FU; }
  [[nodiscard]] constexpr bool is_cut() const noexcept { return (head() & cut) != 0; }
  constexpr void set_head(std::size_t length, bool is_cut) noexcept {
    chars_[0] = static_cast<char>(known | (is_cut ? cut : 0U) | static_cast<unsigned>(length));
  }
  absent_path& add(std::string_view text) noexcept {
    bool now_cut = is_cut();
    std::size_t here = length();
    if (text.size() > most - here) {
      now_cut = true;
      if (text.size() > most) text.remove_prefix(text.size() - most);
      const std::size_t gone = here + text.size() - most;
      std::memmove(chars_.data() + 1, chars_.data() + 1 + gone, here - gone);
      here -= gone;
    }
    if (!text.empty()) std::memcpy(chars_.data() + 1 + here, text.data(), text.size());
    here += text.size();
    std::size_t torn = 0; // no half of a character is left
    while (now_cut && torn < here && (static_cast<unsigned char>(chars_[1 + torn]) & 0xC0U) == 0x80U) ++torn;
    std::memmove(chars_.data() + 1, chars_.data() + 1 + torn, here - torn);
    set_head(here - torn, now_cut);
    return *this;
  }

  std::array<char, most + 1> chars_{};
};
static_assert(sizeof(absent_path) == 24);

/// The path of a member that an object does not have; `below` says that it is not the root.
[[nodiscard]] INGOT_NOINLINE inline absent_path absent_member(bool below, const char* key,
                                                              std::size_t size) noexcept {
  return absent_path(below, {key, size});
}

/// Names the element `index` of the node at `place` in front of the error's path.
template <class Memory>
INGOT_COLD void name_step(error& why, Memory in, uint32_t place, uint32_t index) noexcept {
  node n;
  key_columns keys;
  std::string_view key;
  if (!find_node(in, place, n) || index >= n.count) return;
  if (n.kind == node_kind::array) why.in_element(index);
  else if (n.is_object() && key_columns::of_object(in, n, keys) && keys.text(index, key)) why.in_member(key);
}

/// Searches the containers from the root on, the outer ones first, for the one at `wanted`, and
/// names what leads to it. False when it is not among the first few.
template <class Memory>
[[nodiscard]] INGOT_COLD bool name_steps_to(error& why, Memory in, uint32_t root, uint32_t wanted) noexcept {
  struct met_node {
    uint32_t place;
    uint32_t from;
    uint32_t index;
  };
  std::array<met_node, 32> met;
  std::size_t count = 1;
  unsigned left = 64;
  met[0] = {root, 0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    node n;
    if (!find_node(in, met[i].place, n) || !n.is_container()) continue;
    for (uint32_t j = 0; j < n.count; ++j, --left) {
      if (left == 0) return false;
      const item each = n.value(j);
      if (each.is != item::form::node || (each.kind != value_kind::array && each.kind != value_kind::object))
        continue;
      if (each.place() == wanted) {
        name_step(why, in, met[i].place, j);
        for (std::size_t k = i; k != 0; k = met[k].from)
          name_step(why, in, met[met[k].from].place, met[k].index);
        return true;
      }
      if (count < met.size()) met[count++] = {each.place(), static_cast<uint32_t>(i), j};
    }
  }
  return false;
}

/// Puts the path of the value at `at` in front of that of the error. O(1).
template <class Memory>
INGOT_COLD void name_place(error& why, Memory in, const location& at) noexcept {
  if (at.none() || at.place == 0) return;
  if (at.packed != 0) why.in_element(at.packed - 1);
  name_step(why, in, at.place, at.index);
  const auto root = load<uint32_t>(in.start + offsetof(document_header, root));
  uint32_t known = at.place;
  node n;
  if (known != root && at.parent != 0 && at.parent != npos && find_node(in, at.parent, n) &&
      n.is_container() && at.parent_index < n.count) {
    const item link = n.value(at.parent_index);
    if (link.is == item::form::node && link.place() == known) {
      name_step(why, in, at.parent, at.parent_index);
      known = at.parent;
    }
  }
  if (known != root && !name_steps_to(why, in, root, known)) why.cut_path();
}

} // namespace ingot::inline INGOT_V1::detail::doc
