#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that clang prints an enumerator in __PRETTY_FUNCTION__ by its name, as it does for
# ordinary enums: libraries that list enumerators at compile time stand on that. For a scoped enum
# that is a member of a class template, clang prints a cast, `(box<int>::color)0`, until something
# has looked up an enumerator in that instance; then it prints the name. So what such a library
# finds depends on which lines came before, and an enum looks as if it had no enumerators. g++
# prints the name in both cases.
#
# Seen with clang 18.1 (as in ziglang 0.13.0). Exits with 1 if that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet ziglang==0.13.0
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
# The names are read from the assembly, so that no C library is needed.
names() {
  "$folder/env/bin/python" -m ziglang c++ -std=c++20 -O0 -g0 -S "$@" "$folder/names.cpp" -o "$folder/names.s"
  grep -o 'V = [^]]*\]' "$folder/names.s" | sort -u
}

cat > "$folder/names.cpp" <<'CPP'
template <class E, E V> const char* name() { return __PRETTY_FUNCTION__; }
enum class plain { red = 0 };
template <class T> struct box {
  enum class color { red = 0 };
};
#ifdef LOOK_UP
constexpr auto looked_up = box<int>::color::red;
#endif
using color = box<int>::color;
const char* of_plain() { return name<plain, static_cast<plain>(0)>(); }
const char* of_nested() { return name<color, static_cast<color>(0)>(); }
CPP
"$folder/env/bin/python" -m ziglang c++ --version | head -n 1
without=$(names)
with=$(names -DLOOK_UP)
printf 'without a look-up:\n%s\nwith one before:\n%s\n' "$without" "$with"
[[ $without == *'V = plain::red]'* && $without == *'V = (box<int>::color)0]'* ]]
[[ $with == *'V = plain::red]'* && $with == *'V = box<int>::color::red]'* ]]
echo 'as described'
