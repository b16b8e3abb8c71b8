#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One would guess that `std::define_static_array(nonstatic_data_members_of(^^T, ...))`, the usual
# way to keep the members of a class, returns members of T. By g++ 16 it returns those of another
# class if two functions have local classes of one name, whose members have the same names: each
# function after the first one gets the first one's members. Types and sizes may differ, and
# `nonstatic_data_members_of` itself is right. So code that is correct for every class alone stops
# compiling ("invalid use of non-static data member") when a second function of the same file
# declares a class of that name; the enumerators of local enums are exchanged in the same way.
#
# The cause is the name that a reflection of such a member gets in a symbol. It leaves out the
# function, so a template over two such reflections has two instances of one name, too.
#
# Seen with g++ 16.2.0 of Debian forky. Exits with 1 if that has changed, with 2 if there is no
# such package any more, or no Debian whose packages could be asked for.
set -euo pipefail
version=16.2.0-3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The compiler proper and what it reads, out of the mirror that this machine uses already.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1) || exit 2
mkdir -p state/lists/partial cache/archives/partial debs root
echo "deb $mirror forky main" > list
options=(-qq -o Dir::State="$folder/state" -o Dir::State::status=/dev/null -o Dir::Cache="$folder/cache"
  -o Dir::Etc::sourcelist="$folder/list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root)
apt-get "${options[@]}" update || exit 2
packages=("g++-16-x86-64-linux-gnu=$version" "libstdc++-16-dev=$version" "libgcc-16-dev=$version"
  libc6 libc6-dev linux-libc-dev libstdc++6 libgcc-s1 libisl23 libmpc3 libmpfr6 libgmp10 libzstd1 zlib1g)
(cd debs && apt-get "${options[@]}" download "${packages[@]}") || exit 2
for deb in debs/*.deb; do dpkg-deb -x "$deb" root; done

system=$folder/root/usr/lib/x86_64-linux-gnu
headers=$folder/root/usr/include
compile() { # $1 to the assembly $2
  "$system/ld-linux-x86-64.so.2" --library-path "$system" \
    "$folder/root/usr/libexec/gcc/x86_64-linux-gnu/16/cc1plus" -quiet -D_GNU_SOURCE -std=c++26 -freflection \
    -nostdinc -nostdinc++ -isystem "$headers/c++/16" -isystem "$headers/x86_64-linux-gnu/c++/16" \
    -isystem "$folder/root/usr/lib/gcc/x86_64-linux-gnu/16/include" -isystem "$headers/x86_64-linux-gnu" \
    -isystem "$headers" "$1" -o "$2"
}

cat > members.cpp <<'CPP'
#include <meta>

constexpr auto all = std::meta::access_context::unchecked();

bool first() {
  struct local { int a; };
  static_assert(std::meta::nonstatic_data_members_of(^^local, all)[0] == ^^local::a);
  constexpr bool is_own =
      std::define_static_array(std::meta::nonstatic_data_members_of(^^local, all))[0] == ^^local::a;
  return is_own;
}
bool second() {
  struct local { char a; };
  static_assert(std::meta::nonstatic_data_members_of(^^local, all)[0] == ^^local::a);
  constexpr bool is_own =
      std::define_static_array(std::meta::nonstatic_data_members_of(^^local, all))[0] == ^^local::a;
  return is_own;
}
bool of_another_name() {
  struct other { char a; };
  constexpr bool is_own =
      std::define_static_array(std::meta::nonstatic_data_members_of(^^other, all))[0] == ^^other::a;
  return is_own;
}
CPP
cat > splice.cpp <<'CPP'
#include <meta>

template <class T>
constexpr auto members = std::define_static_array(
    std::meta::nonstatic_data_members_of(^^T, std::meta::access_context::unchecked()));
template <class T>
int first_member_of(const T& object) { return object.[:members<T>[0]:]; }

int first() {
  struct local { int a = 1; };
  return first_member_of(local());
}
#ifdef BOTH
int second() {
  struct local { int a = 2; };
  return first_member_of(local());
}
#endif
CPP
cat > names.cpp <<'CPP'
#include <meta>

template <std::meta::info Member>
int count() {
  static int calls = 0;
  return ++calls;
}
int first() {
  struct local { int a; };
  return count<^^local::a>();
}
int second() {
  struct local { int a; };
  return count<^^local::a>();
}
CPP

# Prints the value that each function returns.
returned() { awk '/^_Z[0-9]*[a-z_]*v:/ { name = $1 } /movl.*%eax/ { print name, $2 }' "$1"; }
compile members.cpp members.s
seen=$(returned members.s)
printf '%s\n' "$seen"
[[ $seen == '_Z5firstv: $1,
_Z6secondv: $0,
_Z15of_another_namev: $1,' ]]

compile splice.cpp splice.s
if { echo '#define BOTH'; cat splice.cpp; } > both.cpp && compile both.cpp both.s 2> errors; then exit 1; fi
grep -m 1 'error:' errors
grep -q "invalid use of non-static data member ‘first()::local::a’" errors

compile names.cpp names.s
printf 'functions of one symbol: %s\n' "$(grep -c '^_Z5countILDmdm5local1aEEiv:' names.s)"
[[ $(grep -c '^_Z5countILDmdm5local1aEEiv:' names.s) == 2 ]]
echo 'as described'
