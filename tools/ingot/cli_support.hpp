// SPDX-License-Identifier: Apache-2.0
// Shared by all commands: exit codes, error messages, output and progress.
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

/// Exit codes of the process. Scripts rely on them.
enum class exit_code : std::uint8_t {
  ok = 0,     ///< success; the answer is yes
  no = 1,     ///< the answer is no: absent, invalid, different
  usage = 2,  ///< invalid command line
  failed = 3, ///< an input or output could not be read, understood or written
};

/// Ends a command with a message for standard error.
class failure : public std::runtime_error {
public:
  explicit failure(const std::string& sentence, exit_code code = exit_code::failed)
      : std::runtime_error(sentence), code_(code) {}
  /// Ends a command with the message of a library error.
  explicit failure(const ingot::error& err, exit_code code = exit_code::failed);
  /// Ends a command with the message of a library error about a file. The message begins with the
  /// file's name and ends with `more`.
  failure(const ingot::error& err, std::string_view file, exit_code code = exit_code::failed,
          std::string_view more = {});
  [[nodiscard]] exit_code code() const noexcept { return code_; }
  /// Returns additional attributes of the failure, as members of a JSON object; may be empty.
  [[nodiscard]] const std::string& attributes() const noexcept { return facts_; }

private:
  exit_code code_;
  std::string facts_;
};

/// Returns a message in the library's form: the problem, what was expected and found, and advice.
[[nodiscard]] std::string sentence(std::string_view what, std::string_view expected, std::string_view found,
                                   std::string_view advice);

/// Returns the value of a library call, or ends the command with its error.
template <class T>
T value_of(ingot::result<T>&& got) {
  if (!got) throw failure(got.error());
  if constexpr (!std::is_void_v<T>) return std::move(*got);
}

/// Returns the message of `err` without the file's name in the error's path, because the caller
/// writes the name before the message.
[[nodiscard]] std::string error_text(const ingot::error& err, std::string_view file);
/// Returns the part of the path of `err` that is inside the file.
[[nodiscard]] std::string_view path_in(const ingot::error& err, std::string_view file) noexcept;

/// Returns code, position and path of `err` as members of a JSON object.
[[nodiscard]] std::string attributes_of(const ingot::error& err, std::string_view file);

/// Returns the value of `got`. On an error, throws a `failure` whose message begins with the file's
/// name.
template <class T>
T value_of(ingot::result<T>&& got, std::string_view file) {
  if (!got) throw failure(got.error(), file);
  if constexpr (!std::is_void_v<T>) return std::move(*got);
}

/// If standard input, output or error is closed, opens the stream in a mode in which its use fails.
/// Otherwise the next opened file would get the descriptor of the stream, and messages would be
/// written into that file.
void ensure_standard_streams() noexcept;

/// Prints the failure to standard error, in one line. Characters that control a terminal are
/// escaped.
void complain(const failure& err);
/// Prints a message that does not end the command, in the form that `complain` prints.
void print_warning(std::string_view sentence);
/// Writes text for people to standard error, as it is.
void write_error(std::string_view text);
/// Returns the reason of an error: its name, and the bytes that were expected and found, without
/// position, path and advice.
[[nodiscard]] std::string reason_of(const ingot::error& err);
/// Prints a warning about a damaged place of a file, which does not end the command. `effect` says
/// what is shown instead. If the offset of `err` does not count from the first byte of the file,
/// `part` names the bytes that the offset counts from.
void print_damage(const ingot::error& err, std::string_view file, std::string_view effect,
                  std::string_view part = {});
/// After this call, `complain` and the functions for warnings print JSON. The option `--json`
/// selects this form.
void print_errors_as_json() noexcept;
/// After this call, error messages do not advise the option `--unchecked`.
void omit_unchecked_hint() noexcept;

enum class colours : std::uint8_t { automatic, always, never };

/// Role of a piece of output. Each role has its own colour.
enum class paint : std::uint8_t { plain, name, type, number, text, note, added, removed };

/// Standard output, buffered. Call `finish` last.
class output {
public:
  explicit output(colours wanted);
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output() = default; // without `finish`, buffered text is not written, as the command has failed

  output& operator<<(std::string_view text);
  /// Writes `text` in the colour of `as`, if colours are enabled. `text` must be printable already.
  output& put(paint as, std::string_view text);
  /// Writes arbitrary bytes. Throws `failure` if standard output is a terminal.
  void binary(std::string_view bytes);
  void finish();
  [[nodiscard]] bool is_terminal() const noexcept { return terminal_; }

private:
  void write();

  std::string waiting_;
  bool terminal_;
  bool coloured_;
};

/// While this object exists, signals that end the process are blocked. So a guarded operation is
/// done completely or not at all.
class signal_blocker {
public:
  signal_blocker();
  signal_blocker(const signal_blocker&) = delete;
  signal_blocker& operator=(const signal_blocker&) = delete;
  ~signal_blocker();
  /// Returns true if a signal is pending. The caller should then cancel the operation, if this is
  /// still possible.
  [[nodiscard]] bool has_pending_signal() const noexcept;

private:
  ::sigset_t before_;
};

/// Shows that a command is still running: a line with the seconds on standard error, if standard
/// error is a terminal. The line appears after one second, and only while there is no
/// `progress_bar`. The line is removed before other output. After the command has begun to write
/// its result, the line does not appear again. Only one indicator may exist at a time.
class activity_indicator {
public:
  explicit activity_indicator(std::string_view verb);
  activity_indicator(const activity_indicator&) = delete;
  activity_indicator& operator=(const activity_indicator&) = delete;
  ~activity_indicator() { end(); }
  /// Stops the indicator and clears its line.
  static void end() noexcept;
};

/// A progress callback for library calls. After one second, shows a line on standard error if
/// standard error is a terminal. Removes this line at the end. Cancels the call if `guard` has a
/// pending signal.
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
  const signal_blocker* guard_; ///< null if a signal may end the process at any time
  clock::time_point start_;
  clock::time_point shown_{};
  bool is_shown_ = false;
};

} // namespace tool
