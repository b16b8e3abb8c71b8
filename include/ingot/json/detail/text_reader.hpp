// SPDX-License-Identifier: Apache-2.0
// The cursor from which all reading templates take values. It is compiled once (src/json), so that
// a type's own code is a few calls, and no header of the parser is included here.
//
// simdjson first indexes the text: the position of every bracket, colon, comma, string and other
// scalar. simdjson also checks UTF-8, control characters and unclosed strings. The cursor walks
// that index.
//
// Functions that return bool record an error before they return false. Callers then return false as
// well, and add their position to the path. The first error is the one that is reported.
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

/// The next token inside an array or object.
enum class step : std::uint8_t {
  end,   ///< the closing bracket was read
  value, ///< an element or a key follows
  error,
};

/// The tag of a variant, if the tag is a member of the alternative's object.
struct member_tag {
  std::string_view key;
  std::size_t at = 0;      ///< position of the tag's key; if repeated, of the key that counts
  std::uint32_t depth = 0; ///< depth of the object's members; 0 if no object with a tag is read
  /// Not null if the tag is the first member. Points to the index entry of the comma after the tag,
  /// or of the tag itself if the object has no other member. While the object is read, this entry
  /// has the position of the opening bracket, so that the object begins after the tag. `position`
  /// is the original value of the entry.
  std::uint32_t* bracket = nullptr;
  std::uint32_t position = 0;
};

class text_reader {
public:
  /// A position in the text.
  struct mark {
    const std::uint32_t* at;
  };

  explicit text_reader(const read_options& options) noexcept;
  text_reader(const text_reader&) = delete;
  text_reader& operator=(const text_reader&) = delete;
  ~text_reader();

  /// Indexes `text`. Requires that `text` outlives the reader. O(n); takes up to 4 bytes of memory
  /// for each byte of text.
  [[nodiscard]] bool open(std::string_view text);
  /// Checks that only white space follows.
  [[nodiscard]] bool close();

  /// Returns the first character of the next token, or '\0' at the end.
  [[nodiscard]] char peek() const noexcept { return at_ == last_ ? '\0' : text_[*at_]; }
  /// Returns the position of the next token in bytes.
  [[nodiscard]] std::size_t offset() const noexcept { return at_ == last_ ? size_ : *at_; }
  /// Returns the position of the token that was read last.
  [[nodiscard]] std::size_t last_offset() const noexcept { return at_[-1]; }

  [[nodiscard]] step open_array();
  [[nodiscard]] step next_element() { return next_after(']'); }
  [[nodiscard]] step open_object();
  [[nodiscard]] step next_key() { return next_after('}'); }
  /// Reads a key and its colon. The text is valid until the next call.
  [[nodiscard]] bool key(std::string_view& out);

  /// Reads a key and its colon, if the key is a natural number of at most `max` in its usual form.
  /// Returns false and reads nothing for any other key, and for keys near the beginning or the end
  /// of the text.
  [[nodiscard]] bool natural_key(std::uint64_t& out, std::uint64_t max) noexcept;

  [[nodiscard]] bool null();
  [[nodiscard]] bool boolean(bool& out);
  [[nodiscard]] bool natural(std::uint64_t& out, std::uint64_t max);
  [[nodiscard]] bool integer(std::int64_t& out, std::int64_t min, std::int64_t max);
  [[nodiscard]] bool real(float& out);
  [[nodiscard]] bool real(double& out);
  /// Reads a string. The view is valid until the next call.
  [[nodiscard]] bool string(std::string_view& out);
  [[nodiscard]] bool string(std::string& out);
  /// Checks a value of any depth and skips it, without recursion.
  [[nodiscard]] bool skip();
  /// As `skip`, but also sets `out` to the text of the value.
  [[nodiscard]] bool raw(std::string_view& out);

  /// Returns the number of elements of the array that was just opened if all elements are scalars;
  /// otherwise 0.
  [[nodiscard]] std::size_t scalars_ahead() const noexcept;
  /// Returns the capacity that a list will probably need, in elements; 0 if unknown. The list has
  /// `count` elements so far, each of `size` bytes in memory. The first of them begins at `first`
  /// in the text. Assumes that the next ']' ends the list; this is true if the elements contain no
  /// lists. All guesses for a text together request at most 8 bytes for each byte of text. The
  /// searches for these guesses read at most four times the length of the text, for any number of
  /// open lists.
  [[nodiscard]] std::size_t elements_expected(mark first, std::size_t count, std::size_t size) noexcept;

  /// Records an error at the next token, with the token as the value found.
  [[nodiscard]] bool mismatch(std::string_view expected);
  /// Records an error at the position `offset`.
  [[nodiscard]] bool fail(errc code, std::size_t offset, std::string_view expected,
                          std::string_view found = {});
  [[nodiscard]] bool fail(const error& err) noexcept {
    error_ = err;
    return false;
  }

  [[nodiscard]] ingot::error& error() noexcept { return error_; }
  /// Adds the key at `offset` to the start of the error's path.
  void in_key_at(std::size_t offset) noexcept;
  /// Returns the error with its line and column. Names the option that accepts comments or trailing
  /// commas if the text has one of these. O(offset).
  [[nodiscard]] ingot::error located_error() const noexcept;
  /// Returns a description of the token at `offset` for error messages.
  [[nodiscard]] std::string describe(std::size_t offset) const;
  [[nodiscard]] const read_options& options() const noexcept { return options_; }
  [[nodiscard]] std::string_view text() const noexcept { return {text_, size_}; }

  /// True if the target values are as their constructors left them, so that absent members need no
  /// reset.
  [[nodiscard]] bool fresh() const noexcept { return fresh_; }
  void set_fresh(bool fresh) noexcept { fresh_ = fresh; }
  /// Adds `bytes` to the memory of the objects that are made from the text. Returns false, with an
  /// error at the next token, if the total exceeds the limit.
  [[nodiscard]] bool take_memory(std::uint64_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return too_much_memory();
    memory_left_ -= bytes;
    return true;
  }
  [[nodiscard]] std::uint64_t memory_left() const noexcept { return memory_left_; }
  /// Counts collisions in all hashed containers of the text.
  [[nodiscard]] ingot::detail::collision_count& collisions() noexcept { return collisions_; }

  [[nodiscard]] mark here() const noexcept { return {at_}; }
  /// Returns to an earlier position.
  void back_to(mark earlier) noexcept {
    at_ = earlier.at;
    if (reported_ != 0) [[unlikely]]
      poll_again();
  }

  /// Requires that an object with a tag was read. Restores the entry at `member_tag::bracket`. Then
  /// makes `outer` the current tag: the tag of the object around that object.
  void leave_tag(const member_tag& outer) noexcept {
    if (tag_.bracket != nullptr) *tag_.bracket = tag_.position;
    tag_ = outer;
  }

  /// Polls for cancellation during long work that reads no tokens. `at` is the last token that was
  /// read. If `at` is the end of the text, nothing is reported, because `close` reports the whole
  /// text.
  struct listener {
    text_reader* of;
    const std::uint32_t* at;
    [[nodiscard]] bool operator()(std::uint64_t, std::uint64_t) const { return of->tell(at); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(of->options_.progress); }
  };

private:
  friend class document_reader;
  friend class plain::reader;
  friend class record_reader;
  friend class tag_search;
  friend class upgrade_run;

  [[nodiscard]] step next_after(char closer) {
    if (at_ >= poll_at_) [[unlikely]]
      return next_after_with_progress(closer);
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
  [[nodiscard]] step next_after_with_progress(char closer);
  /// As `peek`, but reports progress first, if a report is due. Returns false if cancelled.
  [[nodiscard]] bool peek_with_progress(char& next) {
    if (at_ < poll_at_) [[likely]] {
      next = text_[*at_];
      return true;
    }
    if (!tell(at_)) return false;
    next = peek();
    return true;
  }
  /// Reports that the text is read up to `at`. Returns false, with an error, if cancelled.
  [[nodiscard]] bool tell(const std::uint32_t* at);
  void poll_again() noexcept;
  [[nodiscard]] const std::uint32_t* next_ask(const std::uint32_t* at) const noexcept;
  [[nodiscard]] step no_separator(char closer);
  [[nodiscard]] bool too_much_memory();
  [[nodiscard]] const char* plain_end() const noexcept;
  void find_roomy() noexcept;
  /// Returns true if three tokens follow the token at `at`, and if enough bytes are readable: 16
  /// bytes before the token at `at`, and 64 bytes from each of the four tokens on.
  [[nodiscard]] bool is_roomy(const std::uint32_t* at) const noexcept {
    return at >= first_roomy_ && roomy_end_ - at > 3;
  }
  [[nodiscard]] std::string_view raw_string(std::size_t open) const noexcept;
  [[nodiscard]] bool unescape(std::string_view raw, std::string& out);
  template <class Float>
  [[nodiscard]] bool real_of(Float& out);
  [[nodiscard]] bool enter(char bracket, std::string_view expected);
  [[nodiscard]] bool skip_scalar();
  /// Returns true if `key`, a key of the current object, is the key of the object's tag.
  [[nodiscard]] bool is_tag(std::string_view key) const noexcept {
    return depth_ == tag_.depth && key == tag_.key;
  }
  /// Skips the value of the tag. The tag's key is at `offset`.
  [[nodiscard]] bool pass_tag(std::size_t offset);

  [[nodiscard]] bool is_after_trailing_comma(std::size_t offset) const noexcept;
  [[nodiscard]] ingot::error explained_error() const noexcept;

  const char* text_ = nullptr;
  const std::uint32_t* at_ = nullptr;
  const std::uint32_t* last_ = nullptr;
  /// Token at which progress is reported next. Without a callback, the end of the tokens.
  const std::uint32_t* poll_at_ = nullptr;
  const std::uint32_t* first_roomy_ = nullptr;
  const std::uint32_t* roomy_end_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t depth_ = 0;
  std::uint64_t guessed_bytes_left_ = 0;
  std::uint64_t reported_ = 0; ///< maximum position reported so far
  /// Number of bytes in which `elements_expected` may still search for a ']'.
  std::uint64_t looks_left_ = 0;
  bool fresh_ = true;
  member_tag tag_;
  ingot::detail::collision_count collisions_;
  std::uint64_t memory_left_ = 0;
  /// For each member of a record, the number of absent members directly before this member in the
  /// previous object. Stored for a few types at a time.
  struct absent_before {
    const record_reader_table* of = nullptr;
    std::uint8_t counts[65]; ///< before each of at most 64 members, and after the last member
  };
  absent_before absent_[8];
  read_options options_;
  ingot::detail::owned<token_index> index_;
  std::string copy_; // the text without comments, or with padding after a final number
  std::string scratch_;
  ingot::error error_;
};

}}} // namespace ingot::INGOT_V1::json::detail
