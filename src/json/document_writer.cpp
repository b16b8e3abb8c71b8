// SPDX-License-Identifier: Apache-2.0
// Documents to text, with a list of what is open in place of recursion.
#include <ingot/json/detail/text_writer.hpp>
#include <ingot/json/document.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::inline v1::json::detail {

namespace {

class document_text {
public:
  explicit document_text(text_writer& to) noexcept : to_(to) {}

  [[nodiscard]] bool write(const value& root) {
    if (run(root)) return true;
    for (; !open_.empty(); open_.pop_back()) {
      const open_container& inner = open_.back();
      const std::uint32_t last = inner.next - 1;
      if (inner.next == 0) continue;
      if (inner.object) to_.error().in_member(key_of(inner, last));
      else to_.error().in_element(last);
    }
    return false;
  }

private:
  using members = ingot::detail::doc::element_iterator<value>;

  struct open_container {
    value of;
    std::uint32_t next;
    std::uint32_t count;
    bool object;
    std::size_t sorted; ///< where in that list its keys begin
  };
  struct sorted_member {
    std::string_view key;
    std::uint32_t index;
  };

  [[nodiscard]] bool is_sorted() const noexcept { return to_.options().key_order == key_order::sorted; }
  [[nodiscard]] std::string_view key_of(const open_container& in, std::uint32_t i) const {
    return is_sorted() ? sorted_[in.sorted + i].key : members(in.of, i).key();
  }

  [[nodiscard]] bool run(const value& root) {
    if (!begin_or_write(root)) return false;
    while (!open_.empty()) {
      open_container& inner = open_.back();
      if (inner.next == inner.count) {
        inner.object ? to_.close_object() : to_.close_array();
        if (inner.object) sorted_.resize(inner.sorted);
        open_.pop_back();
        continue;
      }
      const std::uint32_t i = inner.next++;
      if (!inner.object) {
        to_.element();
        if (!begin_or_write(inner.of[std::size_t{i}])) return false;
        continue;
      }
      const std::uint32_t index = is_sorted() ? sorted_[inner.sorted + i].index : i;
      if (!to_.key(key_of(inner, i)) || !begin_or_write(inner.of[std::size_t{index}])) return false;
    }
    return true;
  }
  /// Scalars are written at once. `of` may lie in what is open, which grows.
  [[nodiscard]] bool begin_or_write(const value& of) {
    switch (of.kind()) {
    case value_kind::array:
    case value_kind::object: return begin(of);
    case value_kind::null: to_.null(); return true;
    case value_kind::boolean: to_.boolean(of.value_or(false)); return true;
    case value_kind::integer: to_.integer(of.value_or(std::int64_t{0})); return true;
    case value_kind::large_integer: to_.natural(of.value_or(std::uint64_t{0})); return true;
    case value_kind::number: return number(of.value_or(0.0));
    case value_kind::text: return to_.string(of.value_or(std::string_view{}));
    case value_kind::binary: {
      const auto bytes = of.as<bytes_view>();
      return bytes ? binary(*bytes) : to_.fail(bytes.error());
    }
    case value_kind::absent: break;
    }
    return to_.fail(errc::missing_member, "a value that exists");
  }
  [[nodiscard]] bool begin(const value& of) {
    const bool object = of.is_object();
    if (!(object ? to_.open_object() : to_.open_array())) return false;
    const std::size_t first = sorted_.size();
    const auto count = static_cast<std::uint32_t>(of.size());
    if (object && is_sorted()) {
      for (std::uint32_t i = 0; i < count; ++i) sorted_.push_back({members(of, i).key(), i});
      std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.end(),
                [](const sorted_member& a, const sorted_member& b) { return a.key < b.key; });
    }
    open_.push_back({of, 0, count, object, first});
    return true;
  }
  /// A double stays one: what looks like an integer would be read as one.
  [[nodiscard]] bool number(double d) {
    const std::size_t before = to_.size();
    if (!to_.real(d)) return false;
    if (std::isfinite(d) && to_.since(before).find_first_of(".e") == std::string_view::npos)
      to_.verbatim(".0");
    return true;
  }
  [[nodiscard]] bool binary(bytes_view bytes) {
    switch (to_.options().binary) {
    case binary_style::base64: return base64(bytes);
    case binary_style::numbers:
      if (!to_.open_array()) return false;
      for (const std::byte each : bytes) {
        to_.element();
        to_.natural(std::to_integer<std::uint64_t>(each));
      }
      to_.close_array();
      return true;
    default: return to_.fail(errc::type_mismatch, "text, or the option json::binary_style", "bytes");
    }
  }
  /// RFC 4648, with padding.
  [[nodiscard]] bool base64(bytes_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      const std::size_t left = std::min<std::size_t>(bytes.size() - i, 3);
      std::uint32_t three = 0;
      for (std::size_t j = 0; j < 3; ++j)
        three = three << 8 | (j < left ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
      for (std::size_t j = 0; j < 4; ++j) text.push_back(j > left ? '=' : digits[three >> (18 - 6 * j) & 63]);
    }
    return to_.string(text);
  }

  text_writer& to_;
  std::vector<open_container> open_;
  std::vector<sorted_member> sorted_;
};

} // namespace

result<std::size_t> write_document(std::string& out, const value& from, const write_options& options) {
  text_writer writer(out, options);
  if (!document_text(writer).write(from)) return fail(writer.error());
  return writer.finish();
}

} // namespace ingot::inline v1::json::detail
