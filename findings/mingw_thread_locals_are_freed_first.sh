#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that the destructor of a thread_local object can name the object, as on Linux.
# With MinGW's g++ and the threads of POSIX, the end of a thread frees the memory of its
# thread_local variables first, and calls their destructors afterwards:
#
# * In the destructor, `this` is the object's old address, but the variable's name leads to another
#   object, which is created at that moment and destroyed after this one.
# * So the runtime has given up the memory at `this`, and members must not be read there.
# * At the end of the main thread the name still leads to the object.
#
# The same program by Debian's g++ for Linux destroys each object once, and its name leads to it.
# The program reads no freed memory: it compares addresses.
#
# Seen with g++-mingw-w64-x86-64-posix 12.2.0-14+deb12u1+25.2+b1 under wine64 8.0~repack-4 of Debian
# 12, and g++ 12.2.0. Exits with 1 if that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet --quiet \
  g++-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix-runtime gcc-mingw-w64-base \
  binutils-mingw-w64-x86-64 mingw-w64-x86-64-dev mingw-w64-common wine64 libwine libz-mingw-w64 >apt.log 2>&1
for package in ./*.deb; do dpkg -x "$package" packages; done
cp packages/usr/x86_64-w64-mingw32/lib/zlib1.dll packages/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/
cat >objects.cpp <<'CPP'
#include <cstdio>
#include <thread>

struct noted {
  noted() { std::printf("  created\n"); }
  ~noted();
};
thread_local noted here;
noted* first = nullptr;
bool named = false;

noted::~noted() {
  std::printf("  destroyed, %s\n", this == first ? "the first" : "another");
  if (named) return; // otherwise this object's destructor would create the next one
  named = true;
  std::printf("  its name leads to %s\n", &here == first ? "it" : "another");
}

int main() {
  std::printf("second thread\n");
  std::thread([] { first = &here; }).join();
  std::printf("main thread\n");
  named = false;
  first = &here;
}
CPP
g++ -std=c++20 -O0 objects.cpp -o objects
PATH="$PWD/packages/usr/bin:$PATH" packages/usr/bin/x86_64-w64-mingw32-g++-posix -std=c++20 -O0 -static objects.cpp -o objects.exe
# Wine's server ends a few seconds after its last program.
run_by_wine() {
  WINEPREFIX="$PWD/prefix" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" "$PWD/packages/usr/lib/wine/wine64" "$@" 2>wine.log
}
{
  echo "Linux:"
  ./objects
  echo "MinGW:"
  run_by_wine objects.exe | tr -d '\r'
} | tee seen
WINEPREFIX="$PWD/prefix" packages/usr/lib/wine/wineserver64 -w
cat >expected <<'SEEN'
Linux:
second thread
  created
  destroyed, the first
  its name leads to it
main thread
  created
  destroyed, the first
  its name leads to it
MinGW:
second thread
  created
  destroyed, the first
  created
  its name leads to another
  destroyed, another
main thread
  created
  destroyed, the first
  its name leads to it
SEEN
diff expected seen
