#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A thread that has `thread_local` objects of a shared library keeps that library loaded: `dlclose`
# must not take away the code of their destructors. One would guess that the library goes when the
# last such thread has ended. It doesn't. The end of the thread only lowers a count. The library
# goes at the next `dlclose` of any library, if there ever is one. A program that reloads one
# plugin sees the old code and the old static objects again: `dlopen` gives it the same copy.
#
# Seen with glibc 2.36 (Debian 12), a library in C++ compiled by clang 18.1 (as in ziglang 0.13.0).
# Exits with 1 if that has changed, with 2 on another C library.
set -euo pipefail
getconf GNU_LIBC_VERSION || exit 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ziglang==0.13.0
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
compile() { "$folder/env/bin/python" -m ziglang c++ -target x86_64-linux-gnu.2.36 -std=c++20 -O0 "$@"; }

cat > "$folder/plugin.cpp" <<'CPP'
struct spare {
  int uses = 0;
  ~spare() {}
};
static thread_local spare of_thread;
static int uses_of_all = 0;
extern "C" int use() {
  ++of_thread.uses;
  return ++uses_of_all;
}
CPP
cat > "$folder/host.cpp" <<'CPP'
#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>

static const char* path;
static void* of_thread(void*) {
  void* plugin = dlopen(path, RTLD_NOW);
  std::printf("first use: %d\n", reinterpret_cast<int (*)()>(dlsym(plugin, "use"))());
  dlclose(plugin);
  return nullptr;
}
int main(int, char** arguments) {
  path = arguments[1];
  pthread_t thread;
  pthread_create(&thread, nullptr, of_thread, nullptr);
  pthread_join(thread, nullptr);

  void* again = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  std::printf("after the end of the thread: %s\n", again ? "loaded" : "gone");
  if (again) std::printf("use of the copy that stayed: %d\n", reinterpret_cast<int (*)()>(dlsym(again, "use"))());
  if (again) dlclose(again);
}
CPP
cat > "$folder/quiet_host.cpp" <<'CPP'
#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>

static const char* path;
static void* of_thread(void*) {
  void* plugin = dlopen(path, RTLD_NOW);
  reinterpret_cast<int (*)()>(dlsym(plugin, "use"))();
  dlclose(plugin);
  return nullptr;
}
static bool is_loaded() {
  void* again = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (again) dlclose(again);
  return again != nullptr;
}
int main(int, char** arguments) {
  path = arguments[1];
  pthread_t thread;
  pthread_create(&thread, nullptr, of_thread, nullptr);
  pthread_join(thread, nullptr);
  std::printf("asked once: %s\n", is_loaded() ? "loaded" : "gone");
  std::printf("asked again, after that dlclose: %s\n", is_loaded() ? "loaded" : "gone");
}
CPP
compile -shared -fPIC "$folder/plugin.cpp" -o "$folder/plugin.so"
compile "$folder/host.cpp" -o "$folder/host" -ldl -lpthread
compile "$folder/quiet_host.cpp" -o "$folder/quiet_host" -ldl -lpthread
seen=$("$folder/host" "$folder/plugin.so"; "$folder/quiet_host" "$folder/plugin.so")
printf '%s\n' "$seen"
[[ $seen == "first use: 1
after the end of the thread: loaded
use of the copy that stayed: 2
asked once: loaded
asked again, after that dlclose: gone" ]]
echo 'as described'
