// SPDX-License-Identifier: Apache-2.0
// What every verb does alike: how it ends, how it complains, and how it writes.
#pragma once

#include <ingot/core/error.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tool {

/// What the process returns. Scripts rely on these.
enum class exit_code : std::uint8_t {
  ok = 0,     ///< done; the answer is yes
  no = 1,     ///< the answer is no: absent, invalid, different
  usage = 2,  ///< the command line makes no sense
  failed = 3, ///< something could not be read, understood or written
};

/// Ends a verb, with a sentence for standard error.
class failure : public std::runtime_error {
public:
  explicit failure(const std::string& sentence, exit_code code = exit_code::failed)
      : std::runtime_error(sentence), code_(code) {}
  /// What a library call says.
  explicit failure(const ingot::error& err, exit_code code = exit_code::failed);
  /// The same of a file: the sentence begins with its name, and ends with what more is to be said.
  failure(const ingot::error& err, std::string_view file, exit_code code = exit_code::failed,
          std::string_view more = {});
  [[nodiscard]] exit_code code() const noexcept { return code_; }
  /// What is known of it beside the sentence, as members of a JSON object; empty if nothing is.
  [[nodiscard]] const std::string& attributes() const noexcept { return facts_; }

private:
  exit_code code_;
  std::string facts_;
};

/// A sentence in the form of the library's: what is wrong, what was expected and found, what to do.
[[nodiscard]] std::string sentence(std::string_view what, std::string_view expected, std::string_view found,
                                   std::string_view advice);

/// The value of a call of the library, or its error as the end of the verb.
template <class T>
T value_of(ingot::result<T>&& got) {
  if (!got) throw failure(got.error());
  if constexpr (!std::is_void_v<T>) return std::move(*got);
}

/// What a call says of a file whose name is in front of the sentence anyway: without the name in its path.
[[nodiscard]] std::string error_text(const ingot::error& err, std::string_view file);
/// Where in the file it was.
[[nodiscard]] std::string_view path_in(const ingot::error& err, std::string_view file) noexcept;

/// Its code and place, as members of a JSON object.
[[nodiscard]] std::string attributes_of(const ingot::error& err, std::string_view file);

/// The value of a call about a file: the sentence begins with its name.
template <class T>
T value_of(ingot::result<T>&& got, std::string_view file) {
  if (!got) throw failure(got.error(), file);
  if constexpr (!std::is_void_v<T>) return std::move(*got);
}

/// Opens what is missing of standard input, output and error, such that they fail: the next file that is opened would take the place, and what is said to people
/// would be written into it.
void ensure_standard_streams() noexcept;

/// Tells standard error how a verb ended, in one line, with nothing in it that a terminal would obey.
void complain(const failure& err);
/// The same of what does not end it.
void print_warning(std::string_view sentence);
/// From now on both are JSON: whoever asked for it reads no sentences.
void print_errors_as_json() noexcept;

enum class colours : std::uint8_t { automatic, always, never };

/// What a piece of output is, which colours tell apart.
enum class paint : std::uint8_t { plain, name, type, number, text, note, added, removed };

/// Standard output. Everything is kept until there is much of it; `finish` has to be the last call.
class output {
public:
  explicit output(colours wanted);
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output() = default; // without `finish` what is left is not written: the verb has failed

  output& operator<<(std::string_view text);
  /// In that colour, if colours are wanted. The text is the caller's to have made printable.
  output& put(paint as, std::string_view text);
  /// Whatever the bytes are: refused where a terminal would get them.
  void binary(std::string_view bytes);
  void finish();
  [[nodiscard]] bool is_terminal() const noexcept { return terminal_; }

private:
  void write();

  std::string waiting_;
  bool terminal_;
  bool coloured_;
};

/// Signals that end the process wait as long as this lives: what it guards is done wholly or not begun.
class signal_blocker {
public:
  signal_blocker();
  signal_blocker(const signal_blocker&) = delete;
  signal_blocker& operator=(const signal_blocker&) = delete;
  ~signal_blocker();
  /// Whether one is waiting: what can still be given up should be.
  [[nodiscard]] bool has_pending_signal() const noexcept;

private:
  ::sigset_t before_;
};

/// That a verb is still at work, for who waits at a terminal: from the second second on a line on standard error, with the seconds, wherever nothing
/// tells how far it is. It is gone before anything else is said, and for good once the verb has begun to write. One at a time.
class activity_indicator {
public:
  explicit activity_indicator(std::string_view verb);
  activity_indicator(const activity_indicator&) = delete;
  activity_indicator& operator=(const activity_indicator&) = delete;
  ~activity_indicator() { end(); }
  /// No more of it, and the line is empty.
  static void end() noexcept;
};

/// How far something long is, as the library's calls tell it: a line on standard error, if that is a terminal, from the second second on, gone
/// when it is done. What is waiting to end the process ends the call.
class progress_bar {
public:
  explicit progress_bar(std::string_view name, const signal_blocker* guard = nullptr)
      : name_(name), guard_(guard), start_(std::chrono::steady_clock::now()) {}
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar();
  [[nodiscard]] bool operator()(std::uint64_t done, std::uint64_t total);

private:
  using clock = std::chrono::steady_clock;
  std::string_view name_;
  const signal_blocker* guard_; ///< null where ending the process harms nothing
  clock::time_point start_;
  clock::time_point shown_{};
  bool is_shown_ = false;
};

} // namespace tool
