// SPDX-License-Identifier: Apache-2.0
// Types whose blocks other platforms can't open: one of each kind, and two by the path of a member.
// expect: unfixed_enum
// expect: team
// expect: members[].mode
// expect: platform_integer
// expect: plain_char
// expect: library_duration
// expect: library_bitset
// expect: empty_array
// expect: base_padding
// expect: empty_base
// expect: shared_bytes
// expect: x86_32_alignment
// expect: position[]
#include <ingot/live/live.hpp>
#include <ingot/live/same_layout_everywhere.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>

#ifdef MUST_COMPILE
struct team {
  std::uint32_t size;
};
static_assert(ingot::same_layout_everywhere<team>);
#else
enum motion { idle, moving };
struct player {
  std::uint32_t id;
  motion mode;
};
struct team {
  ingot::vector<player> members;
};
enum class wide_letter : wchar_t { a };
struct letters {
  wide_letter a;
};
enum class letter : char { a };
struct timed {
  std::chrono::minutes a;
};
struct flags {
  std::bitset<8> a;
};
struct nothing {
  std::uint32_t id;
  std::array<int, 0> a;
};
struct base {
  std::uint32_t a = 0;
  std::uint16_t b = 0;
};
struct derived : base {
  std::uint16_t c = 0;
  constexpr auto reflect(auto&& f) { return f(ingot::base<base>(*this), c); }
};
struct empty {};
struct also_empty {};
struct two_empty : empty, also_empty {
  std::uint32_t a;
};
struct shares {
  [[no_unique_address]] empty a;
  std::uint32_t b;
};
struct point {
  std::array<double, 3> position;
};

static_assert(ingot::same_layout_everywhere<team>);
static_assert(ingot::same_layout_everywhere<letters>);
static_assert(ingot::same_layout_everywhere<letter>);
static_assert(ingot::same_layout_everywhere<timed>);
static_assert(ingot::same_layout_everywhere<flags>);
static_assert(ingot::same_layout_everywhere<nothing>);
static_assert(ingot::same_layout_everywhere<derived>);
static_assert(ingot::same_layout_everywhere<two_empty>);
static_assert(ingot::same_layout_everywhere<shares>);
static_assert(ingot::same_layout_everywhere<point, ingot::platforms::with_x86_32>);
#endif
