// SPDX-License-Identifier: Apache-2.0
// The pen that every writing template pushes values to. It is compiled once (src/json) and appends to a string
// whose growth is not zeroed first.
//
// Functions that return bool return false after they have recorded an error; callers return false in turn and
// add their place to the path.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

/// A string for text in the making, whose memory earlier texts of this thread have paid for.
class draft {
public:
  draft() noexcept;
  ~draft();
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// The text in a string of its own size; a large one keeps its memory and is moved.
  [[nodiscard]] std::string take();

private:
  std::string text_;
};

class text_writer {
public:
  /// Appends to `out`. Without `finish` the string ends up as it was.
  text_writer(std::string& out, const write_options& options);
  text_writer(const text_writer&) = delete;
  text_writer& operator=(const text_writer&) = delete;
  ~text_writer();

  /// Tells who waits that this is all. False if they no longer do.
  [[nodiscard]] bool close();
  /// What was written becomes content; returns how many bytes that is.
  std::size_t finish();

  [[nodiscard]] bool open_array();
  void close_array();
  [[nodiscard]] bool open_object();
  void close_object();
  /// Goes before each element of an array.
  void element();
  /// Goes before each value in an object.
  [[nodiscard]] bool key(std::string_view name);

  void null();
  void boolean(bool value);
  void natural(std::uint64_t value);
  void integer(std::int64_t value);
  [[nodiscard]] bool real(float value);
  [[nodiscard]] bool real(double value);
  [[nodiscard]] bool string(std::string_view value);
  /// Text that is JSON already.
  void verbatim(std::string_view text);

  /// Error in the value at hand; the path is added by the callers.
  [[nodiscard]] bool fail(errc code, std::string_view expected, std::string_view found = {});
  [[nodiscard]] bool fail(const error& err) noexcept {
    if (!cancelled_) error_ = err;
    return false;
  }
  [[nodiscard]] ingot::error& error() noexcept { return error_; }
  /// The error for the caller of the writing.
  [[nodiscard]] ingot::error final_error() const noexcept;
  /// Whether who waits no longer does. All that returns bool is false then; who writes many values that can't fail has to ask now and then.
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// Whoever waits is asked where nothing is written for long.
  struct listener {
    text_writer* of;
    [[nodiscard]] bool operator()() const { return of->tell(of->size()); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };
  [[nodiscard]] const write_options& options() const noexcept { return options_; }

  /// What has been written since `from`, a former `size()`.
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] std::string_view since(std::size_t from) const noexcept {
    return {begin_ + from, size() - from};
  }
  /// Forgets what has been written since.
  void truncate(std::size_t to) noexcept { at_ = begin_ + to; }

private:
  friend class record_writer;

  /// Room for `n` bytes more, which there is in any case. False when who waits no longer does.
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
  [[nodiscard]] bool string_with_escapes(std::string_view value);
  [[nodiscard]] bool ill_formed(std::string_view value, std::size_t start);

  char* begin_ = nullptr;
  char* at_ = nullptr;
  char* end_ = nullptr; ///< of the room, or where who waits is told next
  std::string* out_;
  std::size_t before_; // what `out` held already
  std::uint32_t depth_ = 0;
  bool finished_ = false;
  bool cancelled_ = false;
  std::size_t told_ = 0; ///< how many bytes
  write_options options_;
  ingot::error error_;
};

}}} // namespace ingot::INGOT_V1::json::detail
