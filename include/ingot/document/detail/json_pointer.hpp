// SPDX-License-Identifier: Apache-2.0
// Reads JSON Pointers (RFC 6901) such as `/orders/0/price`, one part at a time.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/document/format.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace detail::doc {

/// Returns the index that a part of a JSON Pointer represents; npos if it represents none.
[[nodiscard]] constexpr uint32_t pointer_index(std::string_view part) noexcept {
  if (part.empty() || part.size() > 9 || (part.size() > 1 && part[0] == '0')) return npos;
  uint32_t index = 0;
  for (const char c : part) {
    if (c < '0' || c > '9') return npos;
    index = 10 * index + static_cast<uint32_t>(c - '0');
  }
  return index;
}

/// Splits a JSON Pointer (RFC 6901) into its parts. A part without `~` is a view of the pointer's
/// text. Any other part is decoded to `plain`.
class pointer_parts {
public:
  explicit pointer_parts(std::string_view pointer) noexcept : left_(pointer) {}
  [[nodiscard]] bool good() const noexcept { return good_ && (left_.empty() || left_.front() == '/'); }
  [[nodiscard]] bool done() const noexcept { return left_.empty(); }
  [[nodiscard]] std::string_view next(std::string& plain) {
    left_.remove_prefix(1);
    const std::string_view part = left_.substr(0, left_.find('/'));
    left_.remove_prefix(part.size());
    if (part.find('~') == std::string_view::npos) return part;
    plain.clear();
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] != '~') {
        plain += part[i];
      } else if (i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1')) {
        plain += part[++i] == '0' ? '~' : '/';
      } else {
        good_ = false;
      }
    }
    return plain;
  }

private:
  std::string_view left_;
  bool good_ = true;
};

/// Returns the value at a pointer, beginning at the handle `reached`; absent if there is none.
template <class Handle>
[[nodiscard]] Handle follow_pointer(Handle reached, std::string_view pointer) {
  pointer_parts parts(pointer);
  std::string plain;
  while (parts.good() && !parts.done()) {
    const auto part = parts.next(plain);
    if (!parts.good()) return {};
    const value_kind kind = reached.kind();
    const uint32_t index = kind == value_kind::array ? pointer_index(part) : npos;
    if (index == npos) reached = reached.find(part); // absent if the value is no object
    else reached = reached[std::size_t{index}];
  }
  return parts.good() ? reached : Handle();
}

/// Prepends the path of `pointer` to the path of an error. The pointer begins at the handle
/// `reached`, and need not lead to a value. Allocates memory.
template <class Handle>
INGOT_COLD void name_pointer(error& err, Handle reached, std::string_view pointer) {
  struct step {
    std::string key;
    std::size_t index;
  };
  std::vector<step> steps;
  pointer_parts parts(pointer);
  std::string plain;
  while (parts.good() && !parts.done()) {
    const auto part = parts.next(plain);
    if (!parts.good()) return;
    if (reached.kind() == value_kind::array) {
      const std::size_t index = part == "-" ? reached.size() : pointer_index(part);
      steps.push_back({index == npos ? std::string(part) : std::string(), index});
      reached = reached[index];
    } else {
      steps.push_back({std::string(part), npos});
      reached = reached.find(part);
    }
  }
  for (; !steps.empty(); steps.pop_back()) {
    const step& last = steps.back();
    if (last.index == npos) err.in_member(last.key);
    else err.in_element(last.index);
  }
}

}}} // namespace ingot::INGOT_V1::detail::doc
