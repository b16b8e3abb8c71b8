// SPDX-License-Identifier: Apache-2.0
#include "manners.hpp"

#include "text.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <unistd.h>

namespace tool {

namespace {

/// Whoever reads what is written here has gone. That is no failure to tell anybody of: the process ends as one does that never heard of
/// the signal, also where its parent had it ignored.
[[noreturn]] void end_without_reader() {
  static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
  static_cast<void>(::raise(SIGPIPE));
  std::_Exit(static_cast<int>(exit_code::failed));
}

/// Whether all was written; errno says why not.
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

/// Who waits for less sees nothing. Tests wait for less.
[[nodiscard]] std::chrono::milliseconds patience() {
  const char* const set =
      std::getenv("INGOT_TEST_PATIENCE"); // NOLINT(concurrency-mt-unsafe): there is one thread
  return std::chrono::milliseconds(set == nullptr ? 1000 : std::atoi(set)); // NOLINT(cert-err34-c)
}

} // namespace

std::string sentence(std::string_view what, std::string_view expected, std::string_view found,
                     std::string_view advice) {
  std::string made(what);
  if (!expected.empty()) made.append(": expected ").append(expected);
  if (!found.empty()) made.append(expected.empty() ? ": found " : ", found ").append(found);
  if (!advice.empty()) made.append("; ").append(advice);
  return made;
}

void complain(std::string_view sentence) {
  const std::string line = "ingot: " + printable(sentence) + '\n';
  static_cast<void>(write_all(STDERR_FILENO, line)); // there is nobody else to tell
}

output::output(colours wanted) : terminal_(::isatty(STDOUT_FILENO) == 1) {
  const char* const none = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): there is one thread
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
    throw failure(sentence("bytes that are no text", "a file or a pipe to write them to", "a terminal",
                           "redirect the output, or name a file"),
                  exit_code::usage);
  }
  *this << bytes;
}

void output::finish() { write(); }

void output::write() {
  if (!write_all(STDOUT_FILENO, waiting_)) {
    if (errno == EPIPE) end_without_reader();
    throw failure(std::string("standard output: ") + std::strerror(errno)); // NOLINT(concurrency-mt-unsafe)
  }
  waiting_.clear();
}

undisturbed::undisturbed() : before_() {
  ::sigset_t set;
  ::sigemptyset(&set);
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&set, each);
  static_cast<void>(::sigprocmask(SIG_BLOCK, &set, &before_));
}
undisturbed::~undisturbed() { static_cast<void>(::sigprocmask(SIG_SETMASK, &before_, nullptr)); }

bool undisturbed::is_wanted_back() const noexcept {
  ::sigset_t waiting;
  if (::sigpending(&waiting) != 0) return false;
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    if (::sigismember(&waiting, each) == 1 && ::sigismember(&before_, each) == 0) return true;
  }
  return false;
}

progress_bar::~progress_bar() {
  if (is_shown_) static_cast<void>(write_all(STDERR_FILENO, "\r\x1b[K"));
}
bool progress_bar::operator()(std::uint64_t done, std::uint64_t total) {
  if (guard_ != nullptr && guard_->is_wanted_back()) return false;
  const auto now = clock::now();
  if (now - start_ < patience() || now - shown_ < std::chrono::milliseconds(100) || total == 0) return true;
  if (!is_shown_ && ::isatty(STDERR_FILENO) != 1) return true;
  shown_ = now;
  is_shown_ = true;
  constexpr std::size_t width = 30;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const auto full = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  const std::string line = "\r[" + std::string(full, '#') + std::string(width - full, ' ') + "] " +
                           std::to_string(static_cast<unsigned>(share * 100)) + " % " + printable(name_) +
                           "\x1b[K";
  static_cast<void>(write_all(STDERR_FILENO, line)); // nobody is the worse for not seeing it
  return true;
}

} // namespace tool
