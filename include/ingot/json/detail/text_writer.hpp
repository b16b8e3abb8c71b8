// SPDX-License-Identifier: Apache-2.0
// The output to which all writing templates append values. The writer is compiled once (src/json).
// The writer appends to a string, without zeroing the new bytes first.
//
// Functions that return bool record an error before they return false. Callers then return false as
// well, and add their position to the path.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// A string for text under construction. Reuses the memory of earlier texts of this thread.
class draft {
public:
  draft() noexcept;
  ~draft();
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// Returns the text. A large text is moved; a smaller text is copied to a string of the text's
  /// size.
  [[nodiscard]] std::string take();

private:
  std::string text_;
};

class text_writer {
public:
  /// Appends to `out`. The destructor restores `out` unless `finish` was called.
  text_writer(std::string& out, const write_options& options);
  text_writer(const text_writer&) = delete;
  text_writer& operator=(const text_writer&) = delete;
  ~text_writer();

  /// Validates the strings, and reports that the text is complete. Returns false if cancelled, or
  /// if a string is ill-formed: the caller then calls `restart`.
  [[nodiscard]] bool close();
  /// Call this after a failure, before the error is used. If the failure may come from ill-formed
  /// UTF-8, removes the text and returns true. The caller then writes the value a second time. Each
  /// string is then validated when it is written, so that the error has a path.
  [[nodiscard]] bool restart();
  /// Keeps the written text in `out`: the destructor then does not restore `out`. Returns the size
  /// of the written text in bytes.
  std::size_t finish();

  [[nodiscard]] bool open_array();
  void close_array();
  [[nodiscard]] bool open_object();
  void close_object();
  /// Starts an element of an array.
  void element();
  /// Starts a member of an object: writes its key.
  [[nodiscard]] bool key(std::string_view name);

  void null();
  void boolean(bool value);
  void natural(std::uint64_t value);
  void integer(std::int64_t value);
  [[nodiscard]] bool real(float value);
  [[nodiscard]] bool real(double value);
  [[nodiscard]] bool string(std::string_view value);
  /// Appends text that is JSON already.
  void verbatim(std::string_view text);

  /// Records an error in the current value; callers add the path.
  [[nodiscard]] bool fail(errc code, std::string_view expected, std::string_view found = {});
  [[nodiscard]] bool fail(const error& err) noexcept {
    if (!cancelled_) error_ = err;
    return false;
  }
  [[nodiscard]] ingot::error& error() noexcept { return error_; }
  /// Returns the error that the caller of the writer gets.
  [[nodiscard]] ingot::error final_error() const noexcept;
  /// Returns true if cancelled. All functions that return bool then return false. Other functions
  /// don't report the cancellation, so code that calls them many times must check `cancelled`.
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// Polls for cancellation during long work without writing.
  struct listener {
    text_writer* of;
    [[nodiscard]] bool operator()(std::uint64_t, std::uint64_t) const { return of->tell(of->size()); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };
  [[nodiscard]] const write_options& options() const noexcept { return options_; }

  /// Returns the number of bytes written. `since(from)` returns the text that was written after
  /// `size()` had returned `from`.
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] std::string_view since(std::size_t from) const noexcept {
    return {begin_ + from, size() - from};
  }
  /// Removes the text written since `size()` was `to`.
  void truncate(std::size_t to) noexcept {
    at_ = begin_ + to;
    if (validated_ > to) validated_ = to;
  }

private:
  friend class direct_output;
  friend class record_writer;

  /// Makes space for `n` more bytes. Returns false if cancelled; even then there is space.
  bool reserve(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
      return grow(n);
    return true;
  }
  bool grow(std::size_t n);
  [[nodiscard]] bool tell(std::size_t used);
  void new_line();
  [[nodiscard]] bool enter(char bracket);
  void leave(char open, char close);
  template <class Float>
  [[nodiscard]] bool real_of(Float value);
  [[nodiscard]] bool string_with_escapes(std::string_view value, std::size_t done, std::uint32_t high);
  [[nodiscard]] bool validate() noexcept;
  [[nodiscard]] bool ill_formed(std::string_view value, std::size_t start);
  /// Returns true if the value is written a second time, after `restart`.
  [[nodiscard]] bool is_rewritten() const noexcept {
    return at_once_ != 0 && options_.invalid_utf8 == invalid_utf8::error;
  }

  char* begin_ = nullptr;
  char* at_ = nullptr;
  /// Position up to which text is written without a check: the end of the memory, or the position
  /// of the next validation or progress report.
  char* end_ = nullptr;
  std::string* out_;
  std::size_t before_; // size of `out` before the writing
  std::uint32_t depth_ = 0;
  bool finished_ = false;
  bool cancelled_ = false;
  bool is_ill_formed_ = false; ///< true if a validation of the text failed
  std::uint32_t high_ = 0;     ///< not 0 if a byte after `validated_` may be above 127
  std::uint32_t at_once_ = 0;  ///< all bits set if each string is validated when it is written
  std::size_t validated_ = 0;  ///< number of bytes that are known to be UTF-8
  std::size_t reported_ = 0;   ///< bytes reported
  write_options options_;
  ingot::error error_;
};

}}} // namespace ingot::INGOT_V1::json::detail
