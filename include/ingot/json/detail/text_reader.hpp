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

#include <ingot/core/detail/owned.hpp>
#include <ingot/core/error.hpp>
#include <ingot/json/options.hpp>
#include <ingot/reflect/detail/bucket_watch.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

class token_index;
struct record_reader_table;
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
  /// A place in the text.
  struct mark {
    const std::uint32_t* at;
  };

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

  /// Takes a key that is a natural number as it is mostly written, and its colon. False, and nothing is taken, when that takes another look.
  [[nodiscard]] bool natural_key(std::uint64_t& out, std::uint64_t max) noexcept;

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
  /// Room for how many elements of `size` bytes a list needs that is full with `count`, whose first began at `first`: a guess by the tokens up to the next
  /// ']', which for records without lists is the list's own. 0 if it can't tell. All that is guessed for a text is at most 8 bytes a byte of it, and no byte is
  /// looked at more than a few times for it, however many lists are open.
  [[nodiscard]] std::size_t elements_expected(mark first, std::size_t count, std::size_t size) noexcept;

  /// Error at the next token, with what stands there as what was found.
  [[nodiscard]] bool mismatch(std::string_view expected);
  /// Error at a place of its own.
  [[nodiscard]] bool fail(errc code, std::size_t offset, std::string_view expected,
                          std::string_view found = {});
  [[nodiscard]] bool fail(const error& err) noexcept {
    error_ = err;
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
  /// Takes memory for what is made of the text. False, with an error at the next token, beyond the
  /// limit.
  [[nodiscard]] bool take_memory(std::uint64_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return too_much_memory();
    memory_left_ -= bytes;
    return true;
  }
  [[nodiscard]] std::uint64_t memory_left() const noexcept { return memory_left_; }
  /// Of all hashed containers of the text.
  [[nodiscard]] ingot::detail::collision_count& collisions() noexcept { return collisions_; }

  [[nodiscard]] mark here() const noexcept { return {at_}; }
  /// Returns to a place that was passed before.
  void back_to(mark place) noexcept {
    at_ = place.at;
    if (told_ != 0) [[unlikely]]
      lookup_unresolved();
  }

  /// Whoever waits is asked where nothing is read for long. `at`: the last token that was, not the end of the text, which `close` tells of.
  struct listener {
    text_reader* of;
    const std::uint32_t* at;
    [[nodiscard]] bool operator()() const { return of->tell(at); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };

private:
  friend class document_reader;
  friend class plain::reader;
  friend class record_reader;
  friend class upgrade_run;

  [[nodiscard]] step next_after(char closer) {
    if (at_ >= poll_at_) [[unlikely]]
      return told_next_after(closer);
    return step_at(text_[*at_], closer);
  }
  [[nodiscard]] step step_at(char c, char closer) {
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
  [[nodiscard]] step told_next_after(char closer);
  /// As `peek`, after who waits was told. False if they no longer do.
  [[nodiscard]] bool peek_with_progress(char& next) {
    if (at_ < poll_at_) [[likely]] {
      next = text_[*at_];
      return true;
    }
    if (!tell(at_)) return false;
    next = peek();
    return true;
  }
  /// Tells who waits that the text is understood up to `at`. False, with an error, if they no longer do.
  [[nodiscard]] bool tell(const std::uint32_t* at);
  void lookup_unresolved() noexcept;
  [[nodiscard]] const std::uint32_t* next_ask(const std::uint32_t* at) const noexcept;
  [[nodiscard]] step no_separator(char closer);
  [[nodiscard]] bool too_much_memory();
  [[nodiscard]] const char* plain_end() const noexcept;
  void find_roomy() noexcept;
  /// Whether sixteen bytes can be read before the token, three tokens come behind it, and sixty-four bytes can be read of each of them.
  [[nodiscard]] bool is_roomy(const std::uint32_t* at) const noexcept {
    return at >= first_roomy_ && roomy_end_ - at > 3;
  }
  [[nodiscard]] std::string_view raw_string(std::size_t open) const noexcept;
  [[nodiscard]] bool unescape(std::string_view raw, std::string& out);
  template <class Float>
  [[nodiscard]] bool real_of(Float& out);
  [[nodiscard]] bool enter(char bracket, std::string_view expected);
  [[nodiscard]] bool skip_scalar();

  const char* text_ = nullptr;
  const std::uint32_t* at_ = nullptr;
  const std::uint32_t* last_ = nullptr;
  const std::uint32_t* poll_at_ =
      nullptr; ///< the token at which who waits is told next; the end if nobody does
  const std::uint32_t* first_roomy_ = nullptr;
  const std::uint32_t* roomy_end_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t depth_ = 0;
  std::uint64_t guessed_bytes_left_ = 0;
  std::uint64_t told_ = 0;       ///< the most bytes that anybody was told of
  std::uint64_t looks_left_ = 0; ///< bytes of text that may still be searched for what ends lists
  bool fresh_ = true;
  ingot::detail::collision_count collisions_;
  std::uint64_t memory_left_ = 0;
  /// Members that were absent before one of a record came, for some types at a time.
  struct absent_before {
    const record_reader_table* of = nullptr;
    std::uint8_t counts[65]; ///< of at most 64 members, and behind the last of them
  };
  absent_before absent_[8];
  read_options options_;
  ingot::detail::owned<token_index> index_;
  std::string copy_; // the text without comments, or with room behind a final number
  std::string scratch_;
  ingot::error error_;
};

}}} // namespace ingot::INGOT_V1::json::detail
