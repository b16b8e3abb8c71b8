// SPDX-License-Identifier: Apache-2.0
// Runs the compiler as a user would and measures it: CPU time and peak memory of the process and
// its children, and the size of the object file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

struct compilation {
  double ns = 0; // user and system time
  double user_ns = 0;
  std::size_t peak_bytes = 0;   // peak of the largest process
  std::size_t object_bytes = 0; // stripped
  std::size_t text_bytes = 0;   // code, constants and unwind tables, as `size` counts them
};

/// Runs a command and waits for it. Ends the program if the command fails, whose output has the
/// reason.
inline compilation run_measured(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const auto& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) {
    std::fprintf(stderr, "failed:");
    for (const auto& w : words) std::fprintf(stderr, " %s", w.c_str());
    std::fprintf(stderr, "\n");
    std::exit(EXIT_FAILURE);
  }
  const auto ns = [](const timeval& t) {
    return (static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec)) * 1e3;
  };
  compilation result;
  result.user_ns = ns(used.ru_utime);
  result.ns = result.user_ns + ns(used.ru_stime);
  result.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  return result;
}

/// Compiles `source` in `folder` with `flags` (`-O2`, include folders) and measures the object.
inline compilation compile(const std::filesystem::path& folder, const std::string& source,
                           const std::vector<std::string>& flags) {
  const auto file = folder / "unit.cpp";
  const auto object = (folder / "unit.o").string();
  std::ofstream(file) << source;
  std::vector<std::string> words{BENCH_CXX, "-std=c++23", "-c", file.string(), "-o", object};
  words.insert(words.end(), flags.begin(), flags.end());
  compilation result = run_measured(words);

  run_measured({"strip", "--strip-unneeded", object});
  result.object_bytes = static_cast<std::size_t>(std::filesystem::file_size(object));
  const auto sizes = (folder / "unit.size").string();
  run_measured({"sh", "-c", "size '" + object + "' > '" + sizes + "'"});
  std::ifstream in(sizes);
  std::string heading;
  std::getline(in, heading);
  in >> result.text_bytes;
  return result;
}

/// Returns the user time of `compiler` for `source`: all of it with `optimisation`, else without
/// code generation (`-fsyntax-only`).
inline double user_time(const std::filesystem::path& folder, const std::string& compiler,
                        const std::string& source, const std::string& optimisation) {
  const auto file = folder / "unit.cpp";
  std::ofstream(file) << source;
  std::vector<std::string> words{compiler, "-std=c++23", "-I" BENCH_INCLUDE, file.string()};
  if (optimisation.empty()) words.push_back("-fsyntax-only");
  else words.insert(words.end(), {optimisation, "-DNDEBUG", "-c", "-o", (folder / "unit.o").string()});
  return run_measured(words).user_ns;
}
/// Returns true if `compiler` accepts `source`.
inline bool compiles(const std::filesystem::path& folder, const std::string& compiler,
                     const std::string& source) {
  const auto file = folder / "unit.cpp";
  std::ofstream(file) << source;
  const std::string command = "'" + compiler + "' -std=c++23 -fsyntax-only '" + file.string() + "' >'" +
                              (folder / "said").string() + "' 2>&1";
  return std::system(command.c_str()) == 0;
}

} // namespace bench
