// SPDX-License-Identifier: Apache-2.0
// The cursor that every reading template pulls values from. It is compiled once (src/json), so that a type's
// own code is a few calls and no header of the parser underneath shows here.
//
// The text is first indexed by simdjson: the position of every bracket, colon, comma, string and other scalar,
// with UTF-8, control characters and unclosed strings checked on the way. The cursor walks that index.
//
// Functions that return bool return false after they have recorded an error; callers return false in turn and
// add their place to the path. The first error is the one that counts.
#pragma once

#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ingot::inline v1::json::detail {

class token_index;
struct record_table;
namespace plain {
class reader;
}

/// What follows inside an array or object.
enum class step : std::uint8_t {
  end,   ///< the closing bracket was taken
  value, ///< an element or a key comes next
  error,
};

class text_reader {
public:
  explicit text_reader(const read_options& options) noexcept;
  text_reader(const text_reader&) = delete;
  text_reader& operator=(const text_reader&) = delete;
  ~text_reader();

  /// Indexes `text`, which has to outlive the reader. O(n); takes up to 4 bytes of memory a byte of text.
  [[nodiscard]] bool open(std::string_view text);
  /// Nothing but white space may follow.
  [[nodiscard]] bool close();

  /// The first character of the next token; '\0' at the end.
  [[nodiscard]] char peek() const noexcept { return at_ == last_ ? '\0' : text_[*at_]; }
  /// Where the next token stands, in bytes.
  [[nodiscard]] std::size_t offset() const noexcept { return at_ == last_ ? size_ : *at_; }
  /// Where the token that was taken last stands.
  [[nodiscard]] std::size_t last_offset() const noexcept { return at_[-1]; }

  [[nodiscard]] step open_array();
  [[nodiscard]] step next_element() { return next_after(']'); }
  [[nodiscard]] step open_object();
  [[nodiscard]] step next_key() { return next_after('}'); }
  /// Takes a key and its colon. The text is valid until the next call.
  [[nodiscard]] bool key(std::string_view& out);

  [[nodiscard]] bool null();
  [[nodiscard]] bool boolean(bool& out);
  [[nodiscard]] bool natural(std::uint64_t& out, std::uint64_t max);
  [[nodiscard]] bool integer(std::int64_t& out, std::int64_t min, std::int64_t max);
  [[nodiscard]] bool real(float& out);
  [[nodiscard]] bool real(double& out);
  /// The text is valid until the next call.
  [[nodiscard]] bool string(std::string_view& out);
  [[nodiscard]] bool string(std::string& out);
  /// Checks a value of any depth and passes over it, without recursion.
  [[nodiscard]] bool skip();
  /// As `skip`, and hands out the value as it is written.
  [[nodiscard]] bool raw(std::string_view& out);

  /// Elements until the end of the array that was just opened, if they are scalars; 0 if unknown.
  [[nodiscard]] std::size_t scalars_ahead() const noexcept;

  /// Error at the next token, with what stands there as what was found.
  [[nodiscard]] bool mismatch(std::string_view expected);
  /// Error at a place of its own.
  [[nodiscard]] bool fail(errc code, std::size_t offset, std::string_view expected,
                          std::string_view found = {});
  [[nodiscard]] bool fail(const error& why) noexcept {
    error_ = why;
    return false;
  }

  [[nodiscard]] ingot::error& error() noexcept { return error_; }
  /// Puts the key that stands at `offset` in front of the error's path.
  void in_key_at(std::size_t offset) noexcept;
  /// The error with its line and column. O(offset).
  [[nodiscard]] ingot::error located_error() const noexcept;
  /// What stands at `offset`, as a person would name it.
  [[nodiscard]] std::string describe(std::size_t offset) const;
  [[nodiscard]] const read_options& options() const noexcept { return options_; }
  [[nodiscard]] std::string_view text() const noexcept { return {text_, size_}; }

  /// Whether the values read into are as their constructors left them, so that absent members need no reset.
  [[nodiscard]] bool fresh() const noexcept { return fresh_; }
  void set_fresh(bool fresh) noexcept { fresh_ = fresh; }

  /// Returns to a place in the text that was passed before.
  struct mark {
    const std::uint32_t* at;
  };
  [[nodiscard]] mark here() const noexcept { return {at_}; }
  void back_to(mark place) noexcept { at_ = place.at; }

private:
  friend class document_reader;
  friend class plain::reader;
  friend class record_reader;
  friend class upgrade_run;

  [[nodiscard]] step next_after(char closer) {
    const char c = peek();
    if (c == ',') [[likely]] {
      ++at_;
      return step::value;
    }
    if (c != closer) [[unlikely]]
      return no_separator(closer);
    ++at_;
    --depth_;
    return step::end;
  }
  [[nodiscard]] step no_separator(char closer);
  [[nodiscard]] std::string_view raw_string(std::size_t open) const noexcept;
  [[nodiscard]] bool unescape(std::string_view raw, std::string& out);
  template <class Float>
  [[nodiscard]] bool real_of(Float& out);
  [[nodiscard]] bool enter(char bracket, std::string_view expected);
  [[nodiscard]] bool skip_scalar();

  const char* text_ = nullptr;
  const std::uint32_t* at_ = nullptr;
  const std::uint32_t* last_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t depth_ = 0;
  bool fresh_ = true;
  read_options options_;
  std::unique_ptr<token_index> index_;
  std::string copy_; // the text without comments, or with room behind a final number
  std::string scratch_;
  ingot::error error_;
};

} // namespace ingot::inline v1::json::detail
