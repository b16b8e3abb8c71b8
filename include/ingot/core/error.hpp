// SPDX-License-Identifier: Apache-2.0
// The error type of the whole library: code, position in the bytes, and path of the member.
//
// An error is trivially copyable and holds its texts inline. Reporting an error therefore never
// allocates (running out of memory is an error, too), and works in constant expressions. A
// successful call does no work for errors.
#pragma once

#include <ingot/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 {

/// The kinds of failure. Names are stable; new codes are appended.
enum class errc : std::uint8_t {
  truncated,          ///< the bytes end before the value does
  trailing_bytes,     ///< the value ends before the bytes do
  bad_length,         ///< a length or end offset contradicts the bytes around it
  bad_bool,           ///< a bool that is neither 0 nor 1
  bad_enum,           ///< a number that is no enumerator of a closed enum
  bad_variant,        ///< the tag of a std::variant, optional or expected is out of range
  bad_padding,        ///< bytes that must be zero are not zero
  not_canonical,      ///< a value in an encoding that the format does not allow
  unsorted_keys,      ///< keys are not in the required order
  duplicate_key,      ///< a key that occurs twice where keys must be unique
  out_of_range,       ///< a value outside the member's `range`, or too big for its type
  too_long,           ///< more elements than the member's `max_size` or fixed array allows
  invalid_utf8,       ///< text that is not UTF-8 where UTF-8 is required
  invalid_value,      ///< rejected by the type's own `valid`, `after_load` or `adapt`
  wrong_version,      ///< a version other than the version of the type
  too_large,          ///< more than a limit of the format (4 GiB for a payload)
  too_deep,           ///< nested beyond the depth limit
  no_space,           ///< the sink is full
  no_memory,          ///< memory could not be allocated
  io,                 ///< the system failed to read or write
  syntax,             ///< text that does not parse
  type_mismatch,      ///< the value has another type than the member
  unknown_member,     ///< a key of the input that names no member
  missing_member,     ///< a member without a key in the input
  unknown_enumerator, ///< a name that names no enumerator
  overlap,            ///< two parts of a block use the same bytes
  misaligned,         ///< bytes at an address that is not aligned for the type
  not_ingot,          ///< the bytes do not begin like this format
  layout_mismatch,    ///< a block of a machine or compiler with another layout of the type
  schema_mismatch,    ///< bytes of another type, according to their fingerprint
  state_mismatch,     ///< a patch for another base state
  bad_checksum,       ///< the bytes differ from the bytes that were written
  unsupported,        ///< valid, but not supported by this call or this build of the library
  cancelled,          ///< the progress callback returned false
  not_closed,         ///< a file that a program is editing, or was editing when it ended
  file_changed,       ///< another program truncated, replaced or deleted an open file
  /// too many keys of a hashed container share a bucket (see `read_limits`), or a key finds no slot
  /// in a hash table
  too_many_collisions,
  too_much_memory, ///< a value that takes more memory than `max_memory`
};

class error;

/// Result of functions that can fail: a `T` or an `error`.
template <class T>
using result = std::expected<T, error>;

namespace detail {

struct errc_text {
  std::string_view name;
  std::string_view advice;
};

inline constexpr std::array<errc_text, 38> errc_texts{{
    {"truncated", "the bytes were cut short, or are of another type"},
    {"trailing bytes", "pass only the bytes of the value"},
    {"bad length", "the bytes are damaged or of another type"},
    {"bad bool", "the bytes are damaged or of another type"},
    {"bad enumerator", "correct the value, or annotate the enum: ingot::flags if combinations of enumerators "
                       "are values, ingot::open_enum if "
                       "every number is, before C++26 ingot::enumerator<> for one beyond 1023"},
    {"bad tag", "the bytes are damaged or of another type"},
    {"bad padding", "the bytes are damaged or were not written by a conforming writer"},
    {"not canonical", "the bytes were not written by a conforming writer"},
    {"unsorted keys", "the bytes are damaged or were not written by a conforming writer"},
    {"duplicate key", "write each key once"},
    {"out of range", "correct the value, or choose a type or a range that has it"},
    {"too long", "check the sender, or raise the limit"},
    {"invalid UTF-8", "convert the text to UTF-8 first"},
    {"invalid value", "correct the value at its source"},
    {"wrong version", "read it with the version of the type that wrote it"},
    {"too large", "make the value smaller, or raise the limit"},
    {"too deep", "flatten the value; where the call has max_depth, raise it"},
    {"no space", "use a larger buffer or a larger maximum size"},
    {"out of memory", "free memory, or read in smaller pieces"},
    {"input or output failed", "see the system's error"},
    {"syntax error", "correct the text"},
    {"wrong type", "correct the value or the member's type"},
    {"unknown member", "remove it, or let JSON ignore it (unknown_keys::ignore)"},
    {"missing member", "add it, or annotate the member with default_value"},
    {"unknown enumerator",
     "use one of the enum's names, or annotate the enum ingot::flags or ingot::open_enum"},
    {"overlap", "the bytes are damaged or were made to mislead"},
    {"misaligned", "copy the bytes to memory of that alignment, or open() them, which copies"},
    {"not ingot", "check where the bytes come from"},
    {"other layout", "send packed bytes between machines that lay types out differently"},
    {"other type", "read it as the type that wrote it, in the form that it has"},
    {"other state", "apply the changes in between first, or send the whole document"},
    {"bad checksum", "the bytes were damaged after they were written: take another copy"},
    {"unsupported", "this call or this build of the library can't do it: use one that can"},
    {"cancelled", "stopped on request; call again to finish"},
    {"not closed",
     "wait until its editor closes it; after a crash, use edit_options::repair or `ingot recover`"},
    {"file changed", "open it again; what was written since the other program changed it is lost"},
    {"too many collisions",
     "check the sender; if the keys are right, give them a better hash or raise max_collisions"},
    {"too much memory", "check the sender, or raise max_memory"},
}};

/// A short text held by value. Longer texts are cut at the end and marked with "...".
template <std::size_t N>
struct inline_text {
  std::array<char, N> chars{};
  std::uint8_t length = 0;
  static_assert(N < 256);

  constexpr void assign(std::string_view text) noexcept {
    const bool cut = text.size() > N;
    const std::size_t n = cut ? N - 3 : text.size();
    for (std::size_t i = 0; i < n; ++i) chars[i] = text[i];
    if (cut) {
      for (std::size_t i = 0; i < 3; ++i) chars[n + i] = '.';
    }
    length = static_cast<std::uint8_t>(cut ? N : n);
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {chars.data(), length}; }
};

struct decimal_text {
  std::array<char, 21> chars{};
  std::size_t begin = 21;

  explicit constexpr decimal_text(std::uint64_t value, bool negative = false) noexcept {
    do {
      chars[--begin] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    if (negative) chars[--begin] = '-';
  }
  [[nodiscard]] constexpr std::string_view view() const noexcept {
    if (begin > chars.size()) return {}; // never true, but g++ 12 can't know that and warns
    return {chars.data() + begin, chars.size() - begin};
  }
};

/// Returns the decimal text of a 64-bit number. If `is_signed`, `bits` is a number in two's
/// complement.
[[nodiscard]] constexpr decimal_text number_text(std::uint64_t bits, bool is_signed) noexcept {
  const bool negative = is_signed && bits >> 63 != 0;
  return decimal_text{negative ? 0 - bits : bits, negative};
}

} // namespace detail

/// Returns the name of a code for error messages, such as "bad bool".
[[nodiscard]] constexpr std::string_view to_string(errc code) noexcept {
  const auto index = static_cast<std::size_t>(code);
  return index < detail::errc_texts.size() ? detail::errc_texts[index].name
                                           : std::string_view{"unknown error"};
}

/// A failure: its code, the position in the bytes, the path to the member, what was expected and
/// what was found.
class error {
public:
  constexpr error() noexcept = default;
  /// `offset` is in bytes from the start of the input that the caller passed.
  explicit constexpr error(errc code, std::uint64_t offset = 0) noexcept : offset_(offset), code_(code) {}

  /// Returns an error, as the constructor does.
  [[nodiscard]] static constexpr error make(errc code, std::uint64_t offset = 0) noexcept {
    return error{code, offset};
  }

  /// Returns the kind of failure.
  [[nodiscard]] constexpr errc code() const noexcept { return code_; }
  /// Returns the position in bytes from the start of the input that the caller passed.
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return offset_; }
  /// Returns the path to the member, such as `equips[3].attributes`; empty for the value itself. A
  /// path that is too long begins with "...": its outermost names are cut off.
  [[nodiscard]] constexpr std::string_view path() const noexcept {
    return {path_.data() + path_begin_, path_.size() - path_begin_};
  }
  /// Returns the line in a text, from 1; 0 if the input is no text.
  [[nodiscard]] constexpr std::uint32_t line() const noexcept { return line_; }
  /// Returns the column in a line of text, in bytes from 1; 0 if the input is no text.
  [[nodiscard]] constexpr std::uint32_t column() const noexcept { return column_; }
  /// Returns a noun phrase for what the format requires; empty if there is none.
  [[nodiscard]] constexpr std::string_view expected() const noexcept { return expected_.view(); }
  /// Returns a text for what the input has instead of `expected()`; empty if there is none.
  [[nodiscard]] constexpr std::string_view found() const noexcept { return found_.view(); }

  // The following functions are not inlined, because they run only after a failure, and have many
  // callers. Inlined, each caller would contain a copy of their code.
  /// Sets `expected()`; keeps at most 80 bytes of `text`.
  INGOT_COLD constexpr error& with_expected(std::string_view text) noexcept {
    expected_.assign(text);
    return *this;
  }
  /// Sets `found()`; keeps at most 64 bytes of `text`.
  INGOT_COLD constexpr error& with_found(std::string_view text) noexcept {
    found_.assign(text);
    return *this;
  }
  /// Sets `found()` to a decimal number.
  INGOT_COLD constexpr error& with_found(std::uint64_t number) noexcept {
    const detail::decimal_text digits{number};
    return with_found(digits.view());
  }
  /// Sets `offset()`, in bytes.
  constexpr error& with_offset(std::uint64_t offset) noexcept {
    offset_ = offset;
    return *this;
  }
  /// Sets `line()` and `column()`, both from 1.
  constexpr error& with_position(std::uint32_t line, std::uint32_t column) noexcept {
    line_ = line;
    column_ = column;
    return *this;
  }

  /// Adds a member's name at the front of the path. The innermost name is added first. Each
  /// function that passes the error to its caller adds the name of its own level.
  INGOT_COLD constexpr error& in_member(std::string_view name) noexcept {
    if (path_begin_ < path_.size() && path_[path_begin_] != '[') prepend(".");
    prepend(name);
    return *this;
  }
  /// Adds the index of an element, `[3]`, at the front of the path.
  INGOT_COLD constexpr error& in_element(std::uint64_t index) noexcept {
    const detail::decimal_text digits{index};
    return in_key(digits.view());
  }
  /// Adds the key of an entry, `[key]`, at the front of the path.
  INGOT_COLD constexpr error& in_key(std::string_view key) noexcept {
    if (path_begin_ < path_.size() && path_[path_begin_] != '[') prepend(".");
    prepend("]");
    prepend(key);
    prepend("[");
    return *this;
  }

  /// Adds the file's name at the front of the path: `[saves/hero.json].items[3]`. If `path` has
  /// more than 100 bytes, keeps its last 97.
  INGOT_COLD constexpr error& in_file(std::string_view path) noexcept {
    constexpr std::size_t max_size = 100;
    if (path.size() <= max_size) return in_key(path);
    std::array<char, max_size> end{'.', '.', '.'};
    for (std::size_t i = 3; i < max_size; ++i) end[i] = path[path.size() - max_size + i];
    return in_key({end.data(), max_size});
  }

  /// Records that the outer parts of the path are unknown: the path then begins with "...", and
  /// further names are ignored.
  INGOT_COLD constexpr error& cut_path() noexcept {
    if (!path_cut_) mark_cut();
    return *this;
  }

  /// Returns one sentence: what went wrong, where, what was expected and found, and what to do
  /// about it.
  [[nodiscard]] std::string message() const {
    std::string text{to_string(code_)};
    if (line_ != 0) {
      text.append(" at line ").append(detail::decimal_text{line_}.view());
      text.append(", column ").append(detail::decimal_text{column_}.view());
    } else {
      text.append(" at byte ").append(detail::decimal_text{offset_}.view());
    }
    if (!path().empty()) text.append(" (").append(path()).append(")");
    if (!expected().empty()) text.append(": expected ").append(expected());
    if (!found().empty()) text.append(expected().empty() ? ": found " : ", found ").append(found());
    if (const std::string_view todo = advice(); !todo.empty()) text.append("; ").append(todo);
    return text;
  }

  /// Writes `message()` to a stream. For `std::format`, include <ingot/core/format.hpp>.
  template <class Stream>
    requires requires(Stream& stream, std::string_view text) { stream.write(text.data(), std::ptrdiff_t{}); }
  friend Stream& operator<<(Stream& stream, const error& err) {
    stream << std::string_view(err.message());
    return stream;
  }

private:
  /// Returns what to do about the error: usually the advice that `errc_texts` has for `code_`. Some
  /// of this advice is about bytes, so errors in texts and documents get other advice. Errors in a
  /// combination of flags (an enum that is annotated `flags`) also get other advice.
  [[nodiscard]] INGOT_COLD constexpr std::string_view advice() const noexcept {
    if (code_ == errc::bad_variant && names_tags()) return "use one of these tags, and only one";
    if (code_ == errc::missing_member) {
      if (!found().empty() || expected() == "a value that exists") return "check the path";
      if (expected().ends_with(", the tag of the variant") || expected() == "the key \"$version\"")
        return "add it";
      if (line_ != 0 && expected().starts_with("the key "))
        return "add it, annotate the member with default_value, or read with missing_keys::use_defaults";
    }
    if (expected() == "an existing member" || expected() == "an index of the container" ||
        expected() == "an object or an array on the path")
      return "check the path";
    if (code_ == errc::io && (expected() == "a file that can be read" || expected() == "a folder to save to"))
      return "check the path (a relative path begins in the working directory) and the permissions";
    if (line_ != 0) {
      if (code_ == errc::truncated) return "the text was cut short";
      if (code_ == errc::trailing_bytes) return "pass only the text of the value";
      if (code_ == errc::bad_length) return "correct the text";
    }
    if (code_ == errc::bad_length && expected().starts_with("as many elements as the "))
      return "correct the value";
    if (code_ == errc::bad_enum && expected().starts_with("a kind of "))
      return "the bytes are damaged, or a later version of the library wrote them";
    const bool is_of_flags =
        expected().starts_with("a combination of ") || expected() == "the name of a flag";
    if (code_ == errc::bad_enum && is_of_flags)
      return "correct the value, or annotate the enum ingot::open_enum if every number is a value";
    if (code_ == errc::unknown_enumerator) {
      if (is_of_flags && !found().starts_with("the key "))
        return "write a name, an array of names, or the number of a combination";
      const char first = found().empty() ? '\0' : found()[0];
      if (is_of_flags || (first != '-' && (first < '0' || first > '9'))) return "use one of the enum's names";
    }
    const auto index = static_cast<std::size_t>(code_);
    return index < detail::errc_texts.size() ? detail::errc_texts[index].advice : std::string_view{};
  }
  /// Returns true for the error of a text or document. In texts and documents, the alternatives of
  /// a variant have names.
  [[nodiscard]] constexpr bool names_tags() const noexcept {
    const std::string_view wanted = expected();
    return line_ != 0 || wanted.starts_with("the tag ") || wanted.starts_with("one key of ") ||
           wanted.starts_with("an object with ") || wanted == "value or error";
  }

  static constexpr std::size_t mark = 3; // space for the "..." that replaces names that do not fit
  constexpr void mark_cut() noexcept {
    for (std::size_t i = 0; i < mark && path_begin_ > 0; ++i) path_[--path_begin_] = '.';
    path_cut_ = true;
  }
  constexpr void prepend(std::string_view text) noexcept {
    if (path_cut_) return;
    if (text.size() + mark > path_begin_) return mark_cut();
    path_begin_ = static_cast<std::uint8_t>(path_begin_ - text.size());
    for (std::size_t i = 0; i < text.size(); ++i) path_[path_begin_ + i] = text[i];
  }

  std::uint64_t offset_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
  errc code_ = errc::truncated;
  bool path_cut_ = false;
  std::uint8_t path_begin_ = path_size;
  static constexpr std::uint8_t path_size = 120;
  std::array<char, path_size> path_{};
  detail::inline_text<80> expected_{};
  detail::inline_text<64> found_{};
};

/// Writes `to_string(code)` to a stream. The condition tests `write` and not `<<`: compilers check
/// the condition at each `<<` in ingot, and a test of `<<` would make compilation slow.
template <class Stream>
  requires requires(Stream& stream, std::string_view text) { stream.write(text.data(), std::ptrdiff_t{}); }
Stream& operator<<(Stream& stream, errc code) {
  stream << to_string(code);
  return stream;
}

/// Returns the error as `std::unexpected`.
[[nodiscard]] constexpr std::unexpected<error> fail(const error& err) noexcept {
  return std::unexpected<error>(err);
}
/// Returns an error with this code and offset as `std::unexpected`. `offset` is in bytes from the
/// start of the input that the caller passed.
[[nodiscard]] constexpr std::unexpected<error> fail(errc code, std::uint64_t offset = 0) noexcept {
  return std::unexpected<error>(error{code, offset});
}

}} // namespace ingot::INGOT_V1
