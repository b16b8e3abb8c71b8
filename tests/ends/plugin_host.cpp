// SPDX-License-Identifier: Apache-2.0
// A plugin that uses the library can be unloaded by the rules of docs/live.md: it is used on a
// thread that ends before, and leaves only bytes.
#include "plugin.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

// Descriptions of types that the plugin created are never freed, and nothing refers to them when
// the plugin is unloaded. LeakSanitizer reports them as a leak; docs/live.md says so.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace {

int wrong = 0;
void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  ++wrong;
}

bool is_loaded(const char* path) {
  void* const again = ::dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (again != nullptr) ::dlclose(again);
  return again != nullptr;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const char* const path = arguments[1];
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("ingot-plugin-" + std::to_string(::getpid()));
  plugin::bytes block;
  for (int times = 0; times < 3; ++times) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    void* const loaded = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
      std::fprintf(stderr, "%s\n", ::dlerror());
      return 2;
    }
    auto* const use = reinterpret_cast<plugin::use_function*>(::dlsym(loaded, "ingot_plugin_use"));
    expect(use != nullptr, "the function is there");
    if (use == nullptr) return 1;
    const auto use_it = [&] { expect(use(file.c_str(), &block) == 0, "the plugin works"); };
    if (times < 2) {
      std::thread(use_it).join();
      ::dlclose(loaded);
    } else {
      std::thread([&] {
        use_it();
        ::dlclose(loaded);
        expect(is_loaded(path), "a thread that used the plugin keeps it loaded");
      }).join();
      static_cast<void>(is_loaded(path)); // the C library unloads it at the next `dlclose`
    }
    expect(!is_loaded(path), "the plugin is gone");

    // Its handlers for `fork` are unloaded, too.
    const pid_t child = ::fork();
    if (child == 0) ::_exit(3);
    int status = 0;
    expect(::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3, "fork");
    const auto opened = ingot::live<plugin::node>::open(block);
    expect(opened && (*opened)->kids.size() == 1 && (*opened)->kids[0].name == plugin::long_name,
           "the program reads what the plugin left");
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return wrong == 0 ? 0 : 1;
}
