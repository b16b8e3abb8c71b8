// SPDX-License-Identifier: Apache-2.0
#include "pager.hpp"

#include "cli_support.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tool {

namespace {

[[nodiscard]] std::string_view variable(const char* name) {
  const char* const set = std::getenv(name); // NOLINT(concurrency-mt-unsafe): there is one thread
  return set == nullptr ? std::string_view() : std::string_view(set);
}

/// Returns the number that an environment variable has; 0 if it has none.
[[nodiscard]] std::size_t number_in(std::string_view text) noexcept {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && end == text.data() + text.size() ? number : 0;
}

[[nodiscard]] ::winsize terminal_size() noexcept {
  ::winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return size;
}

/// Writes text to a pager. Returns false if the pager could not be started.
[[nodiscard]] bool wrote_to_pager(const std::string& text, const char* command) {
  // As git does: less ends at once if the text fits, shows colours, and does not clear the screen.
  static_cast<void>(::setenv("LESS", "FRX", 0)); // NOLINT(concurrency-mt-unsafe): one thread
  // Ctrl-C is a command of the pager. A pager that ends early closes the pipe.
  const auto interrupt = std::signal(SIGINT, SIG_IGN);
  const auto quit = std::signal(SIGQUIT, SIG_IGN);
  const auto closed = std::signal(SIGPIPE, SIG_IGN);
  std::FILE* const pipe = ::popen(command, "w"); // NOLINT(cert-env33-c): the user's own command
  int status = -1;
  if (pipe != nullptr) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), pipe));
    status = ::pclose(pipe);
  }
  static_cast<void>(std::signal(SIGINT, interrupt));
  static_cast<void>(std::signal(SIGQUIT, quit));
  static_cast<void>(std::signal(SIGPIPE, closed));
  constexpr int not_found = 127; // exit code of the shell
  return status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) >= not_found - 1);
}

} // namespace

std::size_t help_width() {
  constexpr std::size_t narrowest = 40;
  constexpr std::size_t widest = 100;
  std::size_t width = number_in(variable("COLUMNS"));
  if (width == 0) width = terminal_size().ws_col;
  if (width == 0) width = 80;
  return std::clamp(width, narrowest, widest);
}

void print_paged(const std::string& text, bool wanted) {
  output to(colours::never);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const std::size_t rows = to.is_terminal() ? terminal_size().ws_row : 0;
  const char* const set = std::getenv("PAGER"); // NOLINT(concurrency-mt-unsafe)
  const std::string_view pager = set == nullptr ? "less" : set;
  // `lines` of a terminal with as many rows do not fit, because the shell's prompt takes one row.
  if (wanted && rows != 0 && lines >= rows && !pager.empty() && pager != "cat") {
    // a machine without less has the text on the terminal
    const char* const command =
        set == nullptr ? "command -v less >/dev/null 2>&1 || exec cat; exec less" : set;
    if (wrote_to_pager(text, command)) return;
  }
  to << text;
  to.finish();
}

} // namespace tool
