// SPDX-License-Identifier: Apache-2.0
#include "cli_support.hpp"

#include "text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

namespace tool {

namespace {

/// Ends the process after the reader of standard output has closed its end of the pipe. This is not
/// a failure, so no message is printed. The process ends as SIGPIPE ends a process by default, even
/// if the parent process ignored the signal.
[[noreturn]] void end_without_reader() {
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  static_cast<void>(::raise(SIGPIPE));
  std::_Exit(static_cast<int>(exit_code::failed));
}

/// Writes all bytes. Returns false after an error, with the reason in errno.
[[nodiscard]] bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// State that is shared with the timer's signal handler. The handler may interrupt any code, so
/// code that uses this state takes no lock and allocates no memory.
struct living {
  char name[32]; ///< name of the command
  std::size_t name_size = 0;
  volatile std::sig_atomic_t ticks = 0; ///< quarters of a second
  volatile std::sig_atomic_t quiet = 0; ///< ticks to skip while a `progress_bar` is shown
  volatile std::sig_atomic_t is_shown = 0;
  bool is_on = false;
};
living life;

constexpr int ticks_a_second = 4;

/// Draws "\r[ ### ] 12 s validate", as wide as a `progress_bar`.
void show_life(int /*signal*/) {
  life.ticks = life.ticks + 1;
  if (life.quiet > 0) {
    life.quiet = life.quiet - 1;
    return;
  }
  const int saved_errno = errno;
  constexpr int width = 30;
  char line[128];
  std::size_t size = 0;
  const auto put = [&](char c) { line[size++] = c; };
  put('\r');
  put('[');
  const int step = static_cast<int>(life.ticks) % (2 * (width - 3));
  const int at = step < width - 3 ? step : 2 * (width - 3) - step;
  for (int i = 0; i < width; ++i) put(i >= at && i < at + 3 ? '#' : ' ');
  put(']');
  put(' ');
  char digits[12];
  int count = 0;
  int seconds = static_cast<int>(life.ticks) / ticks_a_second + 1;
  for (; seconds != 0; seconds /= 10) digits[count++] = static_cast<char>('0' + seconds % 10);
  while (count != 0) put(digits[--count]);
  for (const char c : {' ', 's', ' '}) put(c);
  for (std::size_t i = 0; i < life.name_size; ++i) put(life.name[i]);
  for (const char c : {'\x1b', '[', 'K'}) put(c);
  life.is_shown = 1;
  static_cast<void>(write_all(STDERR_FILENO, {line, size}));
  errno = saved_errno;
}

void set_timer(std::chrono::milliseconds first, std::chrono::milliseconds then) noexcept {
  const auto time = [](std::chrono::milliseconds of) {
    ::timeval interval{};
    interval.tv_sec = static_cast<decltype(interval.tv_sec)>(of.count() / 1000);
    interval.tv_usec = static_cast<decltype(interval.tv_usec)>(of.count() % 1000 * 1000);
    return interval;
  };
  const ::itimerval timer{time(then), time(first)};
  static_cast<void>(::setitimer(ITIMER_REAL, &timer, nullptr));
}

[[nodiscard]] std::string_view code_of(paint as) noexcept {
  switch (as) {
  case paint::name: return "\x1b[36m";
  case paint::type: return "\x1b[35m";
  case paint::number: return "\x1b[33m";
  case paint::text: return "\x1b[32m";
  case paint::note: return "\x1b[2m";
  case paint::added: return "\x1b[32m";
  case paint::removed: return "\x1b[31m";
  case paint::plain: break;
  }
  return {};
}

bool is_json = false; ///< format of standard error

void print_error(std::string_view line) {
  activity_indicator::end();
  static_cast<void>(write_all(STDERR_FILENO, line)); // a failure cannot be reported elsewhere
}
void tell_people(std::string_view sentence) { print_error("ingot: " + printable(sentence) + '\n'); }

/// Returns advice for a file error, by the `found` part of the error. Returns empty text for rare
/// system errors.
[[nodiscard]] std::string_view remedy(std::string_view found) {
  if (found == "a symbolic link") return "name the file that it leads to";
  if (found == "something else than a regular file") return "name another file, or - for standard output";
  constexpr std::array<std::pair<int, std::string_view>, 6> known{{
      {ENOENT, "check the name, and the folder that it is in"},
      {ENOTDIR, "check the name: what stands before a / has to be a folder"},
      {EISDIR, "name a file in it"},
      {EACCES, "ask for the permission, or use a file of your own"},
      {ENOSPC, "free space on the disk, or write to another disk"},
      {EROFS, "write somewhere else"},
  }};
  for (const auto& [number, advice] : known) {
    if (found == std::strerror(number)) return advice; // NOLINT(concurrency-mt-unsafe): one thread
  }
  return {};
}

/// Returns the message for a file that could not be opened or created. The message has what was
/// expected, what was found, and advice. Omits the position, which is always byte 0.
[[nodiscard]] std::string system_error_text(std::string plain_text, const ingot::error& err) {
  plain_text.erase(0, plain_text.rfind(": expected " + std::string(err.expected())) + 2);
  const std::string_view advice = remedy(err.found());
  if (!advice.empty()) plain_text.replace(plain_text.rfind("; ") + 2, std::string::npos, advice);
  return plain_text;
}

/// Time after which an operation shows progress. Shorter operations show no progress. Tests set a
/// shorter time.
[[nodiscard]] std::chrono::milliseconds patience() {
  const char* const set =
      std::getenv("INGOT_TEST_PATIENCE"); // NOLINT(concurrency-mt-unsafe): there is one thread
  return std::chrono::milliseconds(set == nullptr ? 1000 : std::atoi(set)); // NOLINT(cert-err34-c)
}

} // namespace

std::string sentence(std::string_view what, std::string_view expected, std::string_view found,
                     std::string_view advice) {
  std::string joined(what);
  if (!expected.empty()) joined.append(": expected ").append(expected);
  if (!found.empty()) joined.append(expected.empty() ? ": found " : ", found ").append(found);
  if (!advice.empty()) joined.append("; ").append(advice);
  return joined;
}

std::string_view path_in(const ingot::error& err, std::string_view file) noexcept {
  std::string_view inside = err.path();
  const bool is_named = inside.size() >= file.size() + 2 && inside[0] == '[' &&
                        inside.substr(1, file.size()) == file && inside[file.size() + 1] == ']';
  if (!is_named) return inside;
  inside.remove_prefix(file.size() + 2);
  if (inside.starts_with('.')) inside.remove_prefix(1);
  return inside;
}

namespace {

bool is_hint_omitted = false; ///< --unchecked is given already

/// Returns true for an error after which --unchecked may show a part of the file.
[[nodiscard]] bool is_damage(const ingot::error& err) {
  return err.code() == ingot::errc::bad_checksum ||
         (err.code() == ingot::errc::truncated && err.expected().ends_with("as the header says"));
}
[[nodiscard]] std::string library_text(const ingot::error& err, std::string_view file) {
  std::string plain_text = err.message();
  const std::string_view inside = path_in(err, file);
  if (err.code() == ingot::errc::io && err.offset() == 0 && !err.expected().empty() && inside.empty())
    return system_error_text(std::move(plain_text), err);
  if (inside.size() == err.path().size()) return plain_text;
  const std::string was = " (" + std::string(err.path()) + ")";
  const auto at = plain_text.find(was); // code and position, before the path, have no parenthesis
  plain_text.replace(at, was.size(), inside.empty() ? "" : " (" + std::string(inside) + ")");
  return plain_text;
}

} // namespace

std::string error_text(const ingot::error& err, std::string_view file) {
  std::string text = library_text(err, file);
  if (!is_hint_omitted && is_damage(err)) text += "; ingot inspect --unchecked shows what is left";
  return text;
}

void ensure_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // `open` returns the lowest free descriptor, which is `stream` here.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

activity_indicator::activity_indicator(std::string_view verb) {
  const auto patient = patience();
  if (patient.count() <= 0 || ::isatty(STDERR_FILENO) != 1)
    return; // tests set this time to 0 and expect the output of `progress_bar` alone
  life.name_size = verb.copy(life.name, sizeof life.name);
  life.is_on = true;
  struct ::sigaction act{};
  act.sa_handler = show_life;
  act.sa_flags = SA_RESTART;
  static_cast<void>(sigemptyset(&act.sa_mask)); // without `::`: a macro on macOS
  static_cast<void>(::sigaction(SIGALRM, &act, nullptr));
  set_timer(patient, std::chrono::milliseconds(1000 / ticks_a_second));
}
void activity_indicator::end() noexcept {
  if (!life.is_on) return;
  life.is_on = false;
  set_timer({}, {});
  static_cast<void>(std::signal(SIGALRM, SIG_IGN)); // ignores a signal that is still pending
  if (life.is_shown != 0) static_cast<void>(write_all(STDERR_FILENO, "\r\x1b[K"));
}

std::string attributes_of(const ingot::error& err, std::string_view file) {
  std::string members =
      R"("code":)" + json_string(to_string(err.code())) + R"(,"offset":)" + std::to_string(err.offset());
  if (err.line() != 0)
    members += R"(,"line":)" + std::to_string(err.line()) + R"(,"column":)" + std::to_string(err.column());
  return members + R"(,"path":)" + json_string(path_in(err, file));
}

failure::failure(const ingot::error& err, exit_code code)
    : std::runtime_error(err.message()), code_(code), facts_(attributes_of(err, {})) {}
failure::failure(const ingot::error& err, std::string_view file, exit_code code, std::string_view more)
    : std::runtime_error(std::string(file) + ": " + error_text(err, file) + std::string(more)), code_(code),
      facts_(R"("file":)" + json_string(file) + ',' + attributes_of(err, file)) {}

void complain(const failure& err) {
  if (!is_json) return tell_people(err.what());
  print_error(R"({"error":)" + json_string(err.what()) +
              (err.attributes().empty() ? "" : "," + err.attributes()) + R"(,"exit_code":)" +
              std::to_string(static_cast<int>(err.code())) + "}\n");
}
void print_warning(std::string_view sentence) {
  if (!is_json) return tell_people(sentence);
  print_error(R"({"remark":)" + json_string(sentence) + "}\n");
}
void write_error(std::string_view text) { print_error(text); }
std::string reason_of(const ingot::error& err) {
  std::string text(to_string(err.code()));
  if (!err.expected().empty()) text.append(": expected ").append(err.expected());
  if (!err.found().empty()) text.append(err.expected().empty() ? ": found " : ", found ").append(err.found());
  return text;
}
void print_damage(const ingot::error& err, std::string_view file, std::string_view effect,
                  std::string_view part) {
  std::string text = library_text(err, file);
  if (!part.empty()) { // the text begins with the code and the offset
    const std::string offset = " at byte " + std::to_string(err.offset());
    text.insert(text.find(offset) + offset.size(), " of " + std::string(part));
  }
  // The usual advice is to take another copy. The user has none.
  const std::string advice =
      "; " + std::string(ingot::detail::errc_texts[std::to_underlying(err.code())].advice);
  if (text.ends_with(advice)) text.erase(text.size() - advice.size());
  if (!is_json) return tell_people(std::string(file) + ": " + text + "; " + std::string(effect));
  print_error(R"({"damage":)" + json_string(text) + R"(,"file":)" + json_string(file) + "," +
              attributes_of(err, file) + (part.empty() ? "" : R"(,"part":)" + json_string(part)) +
              R"(,"effect":)" + json_string(effect) + "}\n");
}
void print_errors_as_json() noexcept { is_json = true; }
void omit_unchecked_hint() noexcept { is_hint_omitted = true; }

output::output(colours wanted) : terminal_(::isatty(STDOUT_FILENO) == 1) {
  const char* const none = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): one thread
  const char* const kind = std::getenv("TERM");     // NOLINT(concurrency-mt-unsafe)
  const bool can = terminal_ && (none == nullptr || *none == '\0') &&
                   (kind == nullptr || std::string_view(kind) != "dumb");
  coloured_ = wanted == colours::always || (wanted == colours::automatic && can);
}

output& output::operator<<(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= std::size_t{1} << 16) write();
  return *this;
}

output& output::put(paint as, std::string_view text) {
  const std::string_view code = coloured_ ? code_of(as) : std::string_view();
  if (code.empty()) return *this << text;
  waiting_.append(code).append(text).append("\x1b[0m");
  return *this;
}

void output::binary(std::string_view bytes) {
  if (terminal_) {
    throw failure(sentence("bytes that are not text", "a file or a pipe to write them to", "a terminal",
                           "redirect the output, or name a file"),
                  exit_code::usage);
  }
  *this << bytes;
}

void output::finish() { write(); }

void output::write() {
  if (!waiting_.empty()) activity_indicator::end();
  if (!write_all(STDOUT_FILENO, waiting_)) {
    if (errno == EPIPE) end_without_reader();
    const char* const why = std::strerror(errno); // NOLINT(concurrency-mt-unsafe): one thread
    throw failure(std::string("standard output: ") + why);
  }
  waiting_.clear();
}

signal_blocker::signal_blocker() : before_() {
  ::sigset_t set;
  sigemptyset(&set); // without `::`: these are macros on macOS
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, each);
  static_cast<void>(::sigprocmask(SIG_BLOCK, &set, &before_));
}
signal_blocker::~signal_blocker() { static_cast<void>(::sigprocmask(SIG_SETMASK, &before_, nullptr)); }

bool signal_blocker::has_pending_signal() const noexcept {
  ::sigset_t waiting;
  if (::sigpending(&waiting) != 0) return false;
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    if (sigismember(&waiting, each) == 1 && sigismember(&before_, each) == 0) return true;
  }
  return false;
}

progress_bar::~progress_bar() {
  if (is_shown_) static_cast<void>(write_all(STDERR_FILENO, "\r\x1b[K"));
}
bool progress_bar::operator()(std::uint64_t done, std::uint64_t total) {
  if (guard_ != nullptr && guard_->has_pending_signal()) return false;
  const auto now = clock::now();
  if (now - start_ < patience() || now - shown_ < std::chrono::milliseconds(100) || total == 0) return true;
  if (!is_shown_ && ::isatty(STDERR_FILENO) != 1) return true;
  shown_ = now;
  is_shown_ = true;
  life.quiet = 2; // while the bar is updated, the indicator is not drawn
  constexpr std::size_t width = 30;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const auto full = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  const std::string line = "\r[" + std::string(full, '#') + std::string(width - full, ' ') + "] " +
                           std::to_string(static_cast<unsigned>(share * 100)) + " % " + printable(name_) +
                           "\x1b[K";
  static_cast<void>(write_all(STDERR_FILENO, line)); // a failure does no harm
  return true;
}

} // namespace tool
