#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that gcc and clang, which keep one ABI on Linux, give a type of C one size. For
# _Atomic structs whose size is no power of two they don't: gcc keeps size and alignment of the
# struct, clang rounds both up, so that its atomic instructions can be used. A struct with such a
# member has other offsets in the two compilers, and neither of them warns.
#
# Seen with gcc 12.2.0 of Debian 12, and clang 18.1 (as in ziglang 0.13.0). Exits with 1 if that has
# changed, with 2 if gcc has another version.
set -eu
[ "$(gcc -dumpfullversion)" = 12.2.0 ] || exit 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install --quiet --disable-pip-version-check ziglang==0.13.0
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
cat >seen.c <<'C'
struct three { char bytes[3]; };
struct six { short words[3]; };
struct holder { _Atomic struct three held; char next; };
int size_of_three = sizeof(_Atomic struct three);
int alignment_of_three = _Alignof(_Atomic struct three);
int size_of_six = sizeof(_Atomic struct six);
int position_of_next = __builtin_offsetof(struct holder, next);
C
# The numbers are read from the assembly.
numbers() { awk -v by="$1" '/^[a-z_]+:/ { name = $1 } /\.long/ { print by ", " name " " $2 }' "$2"; }
gcc -std=c17 -S seen.c -o gcc.s
env/bin/python -m ziglang cc -target x86_64-linux-gnu -std=c17 -g0 -S seen.c -o clang.s
{ numbers gcc gcc.s; numbers clang clang.s; } | tee seen
cat >expected <<'SEEN'
gcc, size_of_three: 3
gcc, alignment_of_three: 1
gcc, size_of_six: 6
gcc, position_of_next: 3
clang, size_of_three: 4
clang, alignment_of_three: 4
clang, size_of_six: 8
clang, position_of_next: 4
SEEN
diff expected seen
