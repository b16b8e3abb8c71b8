// SPDX-License-Identifier: Apache-2.0
// Types of live blocks that are read without their types: every container, keys of every kind, both
// policies, and special cases: nonzero models of absent values, entries aligned to 16, recursive
// records.
#pragma once

#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace dynamic_zoo {

enum class mood : std::int8_t { furious = -2, sad, calm = 1, happy = 5 };
enum class channel : std::uint16_t { red = 1, green = 500 };

struct scalars {
  bool yes = true;
  std::int8_t small = -5;
  std::uint16_t natural = 65'000;
  std::int32_t whole = -70'000;
  std::uint64_t large = 0xFEDCBA9876543210;
  float half = 0.5F;
  double third = 1.0 / 3;
  char letter = 'x';
  char16_t wide_letter = u'\u00e4';
  std::byte raw{0x7F};
  mood now = mood::sad;
  channel colour = static_cast<channel>(77); ///< an open enum without an enumerator of this value
  std::chrono::milliseconds wait{1500};
  std::chrono::sys_seconds since{std::chrono::seconds{1'700'000'000}};
  std::complex<float> point{1.5F, -2.0F};
  std::bitset<11> bits{0b101'0000'0110};
  std::array<std::pair<std::uint8_t, std::int32_t>, 2> pairs{{{1, -1}, {2, -2}}};
  bool flags[3]{true, false, true};
};

struct alignas(16) quad {
  double x = 1;
  double y = 2;
  friend auto operator<=>(const quad&, const quad&) = default;
};
struct spot {
  std::int16_t row = 0;
  std::uint8_t column = 0;
  friend auto operator<=>(const spot&, const spot&) = default;
};

template <class P>
struct named {
  ingot::basic_string<char, P> name;
  std::uint32_t rank = 3;
};

/// Values that their owner contains directly, and that may be absent.
template <class P>
struct singles {
  using string = ingot::basic_string<char, P>;
  using choice_type = ingot::basic_variant<P, named<P>, std::uint32_t, ingot::basic_vector<bool, P>>;
  ingot::basic_optional<std::uint32_t, P> number;
  ingot::basic_optional<string, P> text;
  ingot::basic_optional<std::array<string, 2>, P> texts;
  ingot::basic_optional<choice_type, P> choice; ///< an absent one is not all zeros: its rank is 3
  choice_type other;
  ingot::basic_variant<P, bool, std::uint64_t> plain;
  ingot::basic_vector<ingot::basic_optional<ingot::basic_vector<std::uint8_t, P>, P>, P> more;
  ingot::basic_box<string, P> box;
  ingot::basic_box<quad, P> aligned;
  ingot::basic_string<char16_t, P> utf16;
  ingot::basic_string<char32_t, P> utf32;
  ingot::basic_vector<std::byte, P> bytes;
};

template <class P>
struct trees {
  using string = ingot::basic_string<char, P>;
  ingot::basic_map<std::int32_t, std::uint16_t, P> numbers;
  ingot::basic_map<string, named<P>, P> by_name;
  ingot::basic_map<mood, string, P> by_mood;
  ingot::basic_map<std::uint8_t, quad, P> aligned;
  ingot::basic_set<string, P> words;
  ingot::basic_set<std::uint64_t, P> plain;
  ingot::basic_set<double, P> reals;
  ingot::basic_set<std::pair<spot, string>, P> pairs;
  ingot::basic_multimap<std::uint16_t, string, P> repeated;
  ingot::basic_map<std::uint8_t, ingot::basic_map<std::uint8_t, bool, P>, P> nested;
};

template <class P>
struct tables {
  using string = ingot::basic_string<char, P>;
  ingot::basic_hash_map<string, std::uint32_t, P> by_name;
  ingot::basic_hash_map<spot, string, P> by_spot;
  ingot::basic_hash_map<std::uint64_t, quad, P> aligned;
  ingot::basic_hash_set<std::int32_t, P> numbers;
  ingot::basic_hash_set<float, P> reals;
  ingot::basic_hash_set<std::array<std::uint8_t, 3>, P> runs;
  ingot::basic_flat_map<string, string, P> flat;
  ingot::basic_flat_map<std::int16_t, std::uint64_t, P> flat_numbers;
  ingot::basic_flat_set<mood, P> moods;
};

template <class P>
struct rings {
  ingot::basic_queue<ingot::basic_string<char, P>, P> texts;
  ingot::basic_queue<std::uint16_t, P> numbers;
  ingot::basic_queue<quad, P> aligned;
  ingot::basic_pool<named<P>, P> people;
  ingot::basic_pool<bool, P> flags;
  ingot::basic_ref<named<P>, P> first;
  ingot::basic_ref<named<P>, P> gone;
};

/// Contains itself in every possible way.
template <class P>
struct branch {
  ingot::basic_string<char, P> name;
  ingot::basic_vector<branch, P> branches;
  ingot::basic_box<branch, P> last;
  ingot::basic_map<std::uint8_t, branch, P> by_number;
};

struct limited {
  std::int32_t age = 30;
  ingot::vector<std::uint8_t> scores;
  ingot::string name;
  ingot::optional<float> share;
};

inline std::string text(std::size_t i) {
  return i % 2 == 0 ? "t" + std::to_string(i)
                    : "a text of more than eleven, and of twenty-three " + std::to_string(i);
}

template <class P>
void fill(singles<P>& to) {
  to.number = 7U;
  to.text.emplace("an optional text that is rather long");
  to.other.template emplace<2>(std::vector<bool>{true, false});
  to.plain = true;
  to.more.emplace_back();
  to.more.emplace_back(std::vector<std::uint8_t>{1, 2, 3});
  to.box.emplace("a boxed text of some length");
  to.aligned.emplace();
  to.utf16 = u"of two bytes each \u00e4";
  to.utf32 = U"\U0001F600";
  to.bytes = {std::byte{1}, std::byte{255}};
}
template <class P>
void fill(trees<P>& to) {
  for (int i = 0; i < 40; ++i) to.numbers.try_emplace(i * 37 % 101 - 50, static_cast<std::uint16_t>(i));
  for (std::size_t i = 0; i < 5; ++i) {
    to.by_name.try_emplace(text(i));
    to.words.insert(text(i));
    to.plain.insert(std::uint64_t{1} << 63 | i);
    to.reals.insert(static_cast<double>(i) - 2.5);
    to.pairs.insert(std::pair(spot{static_cast<std::int16_t>(i), 1}, text(i)));
    to.nested[static_cast<std::uint8_t>(i)][static_cast<std::uint8_t>(2 * i)] = i % 2 == 0;
  }
  for (std::size_t i = 0; i < 20; ++i) {
    to.aligned.try_emplace(static_cast<std::uint8_t>(i));
    to.repeated.emplace(static_cast<std::uint16_t>(i / 18), text(i));
  }
  to.by_mood.try_emplace(mood::happy, "happy");
  to.by_mood.try_emplace(mood::furious, "furious, and not only a little");
}
template <class P>
void fill(tables<P>& to) {
  for (std::size_t i = 0; i < 6; ++i) {
    to.by_name.try_emplace(text(i), static_cast<std::uint32_t>(i));
    to.by_spot.try_emplace(spot{static_cast<std::int16_t>(-static_cast<int>(i)), 7}, text(i));
    to.aligned.try_emplace(i * i);
    to.numbers.insert(static_cast<std::int32_t>(i) - 3);
    to.reals.insert(static_cast<float>(i) / 4);
    to.runs.insert(std::array<std::uint8_t, 3>{1, 2, static_cast<std::uint8_t>(i)});
    to.flat.try_emplace(text(i), text(i + 1));
    to.flat_numbers.try_emplace(static_cast<std::int16_t>(5 - static_cast<int>(i)), i);
  }
  to.moods.insert(mood::calm);
  to.moods.insert(mood::sad);
}
template <class P>
void fill(rings<P>& to) {
  for (std::size_t i = 0; i < 6; ++i) {
    to.texts.push_back(text(i));
    to.numbers.push_back(static_cast<std::uint16_t>(i));
    const auto link = to.people.add();
    to.people.get(link)->name = text(i);
    if (i == 0) to.gone = link;
    if (i == 1) to.first = link;
    static_cast<void>(to.flags.add(i % 2 == 0));
  }
  to.aligned.push_front(quad{});
  to.texts.pop_front();
  to.texts.push_back(text(7));
  to.texts.push_back(text(8));
  to.people.erase(to.gone);
}
template <class P>
void fill(branch<P>& to, unsigned depth = 3) {
  to.name = text(depth);
  if (depth == 0) return;
  fill(to.branches.emplace_back(), depth - 1);
  fill(to.branches.emplace_back(), depth - 1);
  fill(to.last.emplace(), depth - 1);
  fill(to.by_number[static_cast<std::uint8_t>(depth)], 0);
}
inline void fill(limited& to) {
  to.scores = {1, 5, 10};
  to.name = "a name";
  to.share.emplace(0.25F);
}
inline void fill(scalars&) {}

} // namespace dynamic_zoo

template <>
inline constexpr auto ingot::annotations<dynamic_zoo::channel> =
    ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<dynamic_zoo::limited> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)),
                    ingot::member<"scores">(ingot::range(0, 10), ingot::max_size(5)),
                    ingot::member<"name">(ingot::utf8), ingot::member<"share">(ingot::range(0.0, 1.0)));
