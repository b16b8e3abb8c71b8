// SPDX-License-Identifier: Apache-2.0
// Writes the value of an archive as google.protobuf.Value, Struct or ListValue. Open containers are
// on an explicit stack.
#pragma once

#include <ingot/core/detail/pending_error.hpp>
#include <ingot/document/detail/archive_read.hpp>
#include <ingot/protobuf/detail/value_read.hpp>
#include <ingot/protobuf/detail/wire.hpp>
#include <ingot/reflect/hooks.hpp>
#include <ingot/schema/detail/proto_shape.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot { inline namespace INGOT_V1 { namespace protobuf::detail {

/// Receives the events of an `archive_walk` and writes them.
class value_writing {
public:
  using item = ingot::detail::doc::item;
  using value_kind = ingot::value_kind;

  value_writing(ingot::detail::doc::archive_tables& tables, wire_writer& to, known_message what,
                std::uint32_t number, bool always) noexcept
      : tables_(tables), to_(to), what_(what), number_(number), always_(always) {}

  [[nodiscard]] bool scalar(const item& value) {
    if (open_.empty() && value.kind == value_kind::null && !always_) return true;
    if (open_.empty() && what_ != known_message::value) return reject_root();
    std::size_t start = 0;
    if (!begin_value(start)) return false;
    const auto* const bytes = reinterpret_cast<const char*>(value.bytes);
    switch (value.kind) {
    case value_kind::boolean:
      to_.tag(4, wire::varint);
      to_.varint(value.number != 0 ? 1 : 0);
      break;
    case value_kind::integer:
    case value_kind::large_integer: {
      const std::int64_t whole = value.integer();
      if (value.kind == value_kind::large_integer || whole < -max_exact || whole > max_exact)
        return reject(errc::out_of_range,
                      "a whole number of at most 2^53: google.protobuf.Value has doubles");
      to_.tag(2, wire::fixed64);
      to_.fixed(std::bit_cast<std::uint64_t>(static_cast<double>(whole)));
      break;
    }
    case value_kind::number:
      to_.tag(2, wire::fixed64);
      to_.fixed(value.number);
      break;
    case value_kind::text:
      if (!put_text(3, {value.length == 0 ? "" : bytes, value.length})) return false;
      break;
    case value_kind::binary:
      return reject(errc::type_mismatch, "a value that google.protobuf.Value has, which is not bytes");
    default: to_.tag(1, wire::varint); to_.varint(0);
    }
    return end_value(start);
  }
  [[nodiscard]] bool begin_array() { return begin(false); }
  [[nodiscard]] bool begin_object(std::uint32_t) { return begin(true); }
  [[nodiscard]] bool key(std::uint32_t number) {
    container& in = open_.back();
    in.key = tables_.key(number).text();
    ++in.index;
    return open(1, in.entry) && put_text(1, in.key);
  }
  [[nodiscard]] bool end() {
    const container in = open_.back();
    open_.pop_back();
    if (!close(in.start)) return false;
    return in.value == none || end_value(in.value);
  }
  /// Adds the path to the error.
  void add_path() noexcept {
    for (auto at = open_.rbegin(); at != open_.rend(); ++at) {
      if (at->is_object && at->index != 0) to_.why()->in_member(at->key);
      else if (at->index != 0) to_.why()->in_element(at->index - 1);
    }
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct container {
    bool is_object;
    std::size_t value; ///< start of the Value message that contains this container, or `none`
    std::size_t start;
    std::size_t entry = none;
    std::size_t index = 0; ///< index of the next element
    std::string key{};
  };

  bool reject(errc code, std::string_view expected) noexcept { return to_.fail(code, expected); }
  bool reject_root() noexcept {
    return reject(errc::type_mismatch, what_ == known_message::structure
                                           ? "an object: google.protobuf.Struct is nothing else"
                                           : "an array: google.protobuf.ListValue is nothing else");
  }
  [[nodiscard]] bool put_text(std::uint32_t number, std::string_view text) {
    if (!ingot::detail::is_utf8(text))
      return reject(errc::invalid_utf8, "UTF-8, which protobuf requires of strings");
    to_.tag(number, wire::bytes);
    to_.run(text);
    return true;
  }
  [[nodiscard]] bool open(std::uint32_t number, std::size_t& start) {
    if (!to_.deeper()) return false;
    to_.tag(number, wire::bytes);
    start = to_.open();
    return true;
  }
  [[nodiscard]] bool close(std::size_t start) {
    to_.shallower();
    return to_.close(start);
  }
  /// Opens the field for a value: in the message, in an entry, or in a list.
  [[nodiscard]] bool begin_value(std::size_t& start) {
    if (open_.empty()) return open(number_, start);
    container& in = open_.back();
    if (in.is_object) return open(2, start);
    ++in.index;
    return open(1, start);
  }
  [[nodiscard]] bool end_value(std::size_t start) {
    if (!close(start)) return false;
    return open_.empty() || !open_.back().is_object || close(open_.back().entry);
  }
  [[nodiscard]] bool begin(bool is_object) {
    container opened{is_object, none, none};
    if (!open_.empty() || what_ == known_message::value) {
      if (!begin_value(opened.value) || !open(is_object ? 5 : 6, opened.start)) return false;
    } else {
      if (is_object != (what_ == known_message::structure)) return reject_root();
      if (!open(number_, opened.start)) return false;
    }
    open_.push_back(std::move(opened));
    return true;
  }

  ingot::detail::doc::archive_tables& tables_;
  wire_writer& to_;
  known_message what_;
  std::uint32_t number_;
  bool always_;
  std::vector<container> open_;
};

/// Receives the events of the walk, and polls at each event. `failed` is true if the writer failed
/// or was cancelled. These functions allocate memory, which may throw, so neither they nor the walk
/// are noexcept.
struct value_events {
  value_writing& to;
  wire_writer& writer;
  bool failed = false;
  bool note(bool good) {
    failed = !good || !writer.should_continue();
    return !failed;
  }
  [[nodiscard]] bool scalar(const value_writing::item& value) { return note(to.scalar(value)); }
  [[nodiscard]] bool begin_array() { return note(to.begin_array()); }
  [[nodiscard]] bool begin_object(std::uint32_t shape) { return note(to.begin_object(shape)); }
  [[nodiscard]] bool key(std::uint32_t number) { return note(to.key(number)); }
  [[nodiscard]] bool end() { return note(to.end()); }
};

/// Validates an archive and writes it as a field. Null is omitted unless `always` is true.
[[nodiscard]] inline bool put_known_document(wire_writer& to, known_message what, std::uint32_t number,
                                             bytes_view archive, bool always) {
  const auto fail_here = [&](const error& err) {
    error located = err;
    to.why() = located.with_offset(to.out().size());
    return false;
  };
  const auto parts = ingot::detail::doc::find_archive_parts(archive);
  if (!parts) return fail_here(parts.error());
  ingot::detail::doc::archive_tables tables;
  ingot::detail::pending_error err;
  if (!ingot::detail::doc::validate_archive_bytes(archive.data(), *parts, tables, err))
    return fail_here(err.failure().error());
  value_writing writing(tables, to, what, number, always);
  value_events events{writing, to};
  std::uint32_t at = parts->shapes_end;
  ingot::detail::progress_poll no_callback; // `value_events` calls the callback
  ingot::detail::doc::archive_walk walk(archive.data(), tables, events, err, no_callback);
  if (walk.read(at, parts->end)) return true;
  if (!events.failed) return fail_here(err.failure().error());
  writing.add_path();
  return false;
}

}}} // namespace ingot::INGOT_V1::protobuf::detail
