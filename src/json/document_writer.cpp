// SPDX-License-Identifier: Apache-2.0
// Writes documents as text. A list of open containers replaces recursion.
#include <ingot/core/detail/cancellable_sort.hpp>
#include <ingot/core/detail/catch_bad_alloc.hpp>
#include <ingot/core/detail/float_tests.hpp>
#include <ingot/core/detail/progress_poll.hpp>
#include <ingot/document/detail/walk.hpp>
#include <ingot/document/value_view.hpp>
#include <ingot/json/detail/text_writer.hpp>
#include <ingot/json/detail/write_value.hpp>
#include <ingot/json/document.hpp>

#include "plain_document_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

namespace {

using access = ingot::detail::doc::access;
using item = ingot::detail::doc::item;

[[nodiscard]] ingot::detail::doc::validated memory_of(const value& v) noexcept {
  const auto* const core = access::core_of(v);
  return core != nullptr ? core->mem() : ingot::detail::doc::validated{};
}
[[nodiscard]] item item_of(const value& v) noexcept { return access::item_of(v); }

class document_text {
public:
  explicit document_text(text_writer& to) noexcept
      : to_(to), is_sorted_(to.options().key_order == key_order::sorted) {}

  [[nodiscard]] bool write(ingot::detail::doc::validated in, const item& root) {
    in_ = in;
    if (run(root) && fits(0)) return true;
    for (; !open_.empty(); open_.pop_back()) {
      const open_container& inner = open_.back();
      if (inner.next == 0) continue;
      if (inner.of.is_object()) to_.error().in_member(member(inner, inner.next - 1).key);
      else to_.error().in_element(inner.next - 1);
    }
    return false;
  }

private:
  struct open_container {
    ingot::detail::doc::container_walk of;
    std::uint32_t next;
    std::uint32_t count;
    std::size_t sorted; ///< position of the keys of the object in the list of sorted keys
  };
  struct named_member {
    std::string_view key;
    std::uint32_t index;
  };

  [[nodiscard]] named_member member(const open_container& in, std::uint32_t i) const noexcept {
    if (is_sorted_) return sorted_[in.sorted + i];
    return {in.of.key(i), i};
  }

  [[nodiscard]] bool run(const item& root) {
    if (!begin_or_write(root)) return false;
    while (!open_.empty()) {
      open_container& inner = open_.back();
      if (inner.next == inner.count) {
        if (inner.of.is_object()) to_.close_object();
        else to_.close_array();
        sorted_.resize(inner.sorted);
        open_.pop_back();
        continue;
      }
      std::uint32_t i = inner.next++;
      if (inner.of.is_object()) {
        const named_member next = member(inner, i);
        if (!fits(next.key.size()) || !to_.key(next.key)) return false;
        i = next.index;
      } else {
        to_.element();
      }
      if (!begin_or_write(inner.of.element(i))) return false;
    }
    return true;
  }
  /// Checks that `more` further bytes don't exceed the maximum size of the text. The writer calls
  /// this before each value, and before it writes text.
  [[nodiscard]] bool fits(std::size_t more) {
    const std::size_t limit = to_.options().max_bytes;
    return (to_.size() <= limit && more <= limit - to_.size()) ||
           to_.fail(errc::too_large, "no more bytes than max_bytes");
  }
  [[nodiscard]] bool begin_or_write(const item& of) {
    if (!fits(0)) [[unlikely]]
      return false;
    switch (of.kind) {
    case value_kind::array:
    case value_kind::object: return begin(of);
    case value_kind::null: to_.null(); return true;
    case value_kind::boolean: to_.boolean(of.number != 0); return true;
    case value_kind::integer: to_.integer(of.integer()); return true;
    case value_kind::large_integer: to_.natural(of.number); return true;
    case value_kind::number: return number(of.real());
    case value_kind::text: return text(text_of(in_, of));
    case value_kind::binary: return binary(as_bytes_view(text_of(in_, of)));
    case value_kind::absent: break;
    }
    return to_.fail(errc::missing_member, "a value that exists");
  }
  [[nodiscard]] bool begin(const item& of) {
    open_container entered{{}, 0, 0, sorted_.size()};
    if (!entered.of.enter(in_, of)) return to_.fail(errc::missing_member, "a value that exists");
    if (!(entered.of.is_object() ? to_.open_object() : to_.open_array())) return false;
    entered.count = entered.of.count();
    if (entered.of.is_object() && is_sorted_) {
      for (std::uint32_t i = 0; i < entered.count; ++i) sorted_.push_back({entered.of.key(i), i});
      const auto before = [](const named_member& a, const named_member& b) { return a.key < b.key; };
      const text_writer::listener ask{&to_};
      ingot::detail::listener_poll each(ask);
      named_member* const members = sorted_.data();
      const bool is_complete =
          ingot::detail::cancellable_sort(members + entered.sorted, members + sorted_.size(), before, each);
      each.rethrow();
      if (!is_complete) return false;
    }
    open_.push_back(entered);
    return true;
  }
  [[nodiscard]] bool text(std::string_view written) { return fits(written.size()) && to_.string(written); }
  /// Writes a double with a point or an exponent. A number without a point or an exponent would be
  /// read as an integer.
  [[nodiscard]] bool number(double d) {
    const std::size_t before = to_.size();
    if (!to_.real(d)) return false;
    if (ingot::detail::is_finite(d) && to_.since(before).find_first_of(".e") == std::string_view::npos)
      to_.verbatim(".0");
    return true;
  }
  [[nodiscard]] bool binary(bytes_view bytes) {
    switch (to_.options().binary) {
    case binary_style::base64: return base64(bytes);
    case binary_style::numbers:
      if (!to_.open_array()) return false;
      for (const std::byte each : bytes) {
        if (!fits(0)) return false;
        to_.element();
        to_.natural(std::to_integer<std::uint64_t>(each));
      }
      to_.close_array();
      return true;
    default: return to_.fail(errc::type_mismatch, "text, or the option json::binary_style", "bytes");
    }
  }
  /// Writes bytes in base64 (RFC 4648), with padding.
  [[nodiscard]] bool base64(bytes_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!fits(bytes.size())) return false; // a lower bound: the text is slightly longer
    std::string encoded;
    encoded.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      const std::size_t left = std::min<std::size_t>(bytes.size() - i, 3);
      std::uint32_t three = 0;
      for (std::size_t j = 0; j < 3; ++j)
        three = three << 8 | (j < left ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
      for (std::size_t j = 0; j < 4; ++j)
        encoded.push_back(j > left ? '=' : digits[three >> (18 - 6 * j) & 63]);
    }
    return text(encoded);
  }

  text_writer& to_;
  ingot::detail::doc::validated in_;
  std::vector<open_container> open_;
  std::vector<named_member> sorted_;
  bool is_sorted_;
};

} // namespace

namespace {

[[nodiscard]] result<std::size_t> write_nodes(std::string& out, ingot::detail::doc::validated in,
                                              const item& root, const write_options& options) {
  return ingot::detail::catch_bad_alloc([&]() -> result<std::size_t> {
    write_options by = options;
    // The text may be written twice. During the second pass, the reported progress must not be less
    // than before.
    std::uint64_t reported = 0;
    const auto tell = [&](std::uint64_t done, std::uint64_t total) {
      reported = std::max(reported, done);
      return options.progress(reported, std::max(reported, total));
    };
    if (options.progress) by.progress = tell;
    if (writes_plain(by)) {
      const std::size_t before = out.size();
      switch (write_plain(out, in, root, by)) {
      case plain_text::written: return out.size() - before;
      case plain_text::cancelled: return fail(error{errc::cancelled, reported});
      case plain_text::odd: break;
      }
    }
    text_writer writer(out, by);
    while (!document_text(writer).write(in, root) || !writer.close()) {
      if (!writer.restart()) return fail(writer.final_error());
    }
    return writer.finish();
  });
}

} // namespace

result<std::size_t> write_document(std::string& out, const value& from, const write_options& options) {
  return write_nodes(out, memory_of(from), item_of(from), options);
}
result<std::size_t> write_document(std::string& out, const value_view& from, const write_options& options) {
  return write_nodes(out, access::memory_of(from), access::item_of(from), options);
}

bool write_document_value(text_writer& writer, const value& from) {
  const auto in = memory_of(from);
  if (in.start == nullptr) return writer.null(), true;
  return document_text(writer).write(in, item_of(from));
}
bool write_document_value(text_writer& writer, const value_view& from) {
  return document_text(writer).write(access::memory_of(from), access::item_of(from));
}

}}} // namespace ingot::INGOT_V1::json::detail
