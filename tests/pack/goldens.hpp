// SPDX-License-Identifier: Apache-2.0
// The messages whose bytes are committed in tests/golden/pack_<name>.hex. They guarantee that
// packed bytes stay readable.
//
//  pack_test::for_each_golden([](std::string_view name, std::string_view type,
//                                std::string_view what, const auto& value) { ... });
//
// Values are fixed here and never change; new values are appended. golden_file.hpp describes the
// format of the files.
#pragma once

#include "zoo/zoo.hpp"

#include <cstddef>
#include <expected>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pack_test {

template <class F>
void golden_scalars(F&& f) {
  using namespace std::chrono;
  f("scalars",
    "std::tuple<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, "
    "std::uint32_t, std::uint64_t, float, double, char, char16_t, char32_t, std::byte>",
    "one of each, none aligned",
    std::tuple(true, std::int8_t{-2}, std::int16_t{-300}, std::int32_t{-70'000}, std::int64_t{-5'000'000'000},
               std::uint8_t{250}, std::uint16_t{0x1234}, std::uint32_t{0x12345678},
               std::uint64_t{0x123456789ABCDEF0}, 1.5F, -0.1, 'x', u'\u20AC', U'\U0001F600',
               std::byte{0xA5}));
  f("floats", "std::array<double, 5>", "zero, minus zero, infinity, the least and the greatest",
    std::array{0.0, -0.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::denorm_min(),
               std::numeric_limits<double>::max()});
  f("enum_closed", "zoo::colour", "blue, one byte", zoo::colour::blue);
  f("enum_negative", "zoo::mood", "sad, -1 in one byte", zoo::mood::sad);
  f("enum_sparse", "zoo::distance", "far, eight bytes", zoo::distance::far);
  f("enum_of_bool", "zoo::answer", "yes", zoo::answer::yes);
  f("enum_codes", "zoo::status", "moved, 301 in four bytes", zoo::status::moved);
  f("enum_flags", "zoo::rights", "two of its bits, one byte", static_cast<zoo::rights>(0x81));
  f("enum_signed_flags", "zoo::weather", "rain and snow, two bytes", static_cast<zoo::weather>(0x401));
  f("duration", "std::chrono::duration<std::int32_t, std::ratio<1, 60>>", "-90 frames",
    duration<std::int32_t, std::ratio<1, 60>>(-90));
  f("time_point", "std::chrono::sys_time<std::chrono::milliseconds>", "2024-02-29 12:00:00.123 UTC",
    sys_time<milliseconds>(milliseconds(1'709'208'000'123)));
  f("clock_time", "std::chrono::sys_time<std::chrono::microseconds>",
    "2024-02-29 12:00:00.123456 UTC, in nanoseconds",
    sys_time<microseconds>(microseconds(1'709'208'000'123'456)));
  f("days", "std::chrono::duration<std::int32_t, std::ratio<86400>>", "-2 days, in 64 bits",
    duration<std::int32_t, std::ratio<86'400>>(-2));
  f("long_numbers", "std::vector<long>", "1 and -2, in 64 bits each", std::vector<long>{1, -2});
  f("char_keys", "std::set<char>", "a, then 0x80 and 0xE9", std::set<char>{'\xe9', 'a', '\x80'});
  f("complex", "std::complex<float>", "1.5 - 2i", std::complex<float>(1.5F, -2));
  f("bitset", "std::bitset<77>", "bits 0, 9 and 76; the last three bits of the last byte are zero", [] {
    std::bitset<77> bits;
    return bits.set(0).set(9).set(76);
  }());
  f("pair", "std::pair<std::uint8_t, double>", "no padding between them", std::pair(std::uint8_t{7}, 0.5));
  f("tuple_empty", "std::tuple<>", "no bytes at all", std::tuple<>());
  f("optional_absent", "std::optional<std::uint32_t>", "tag 0, zeros", std::optional<std::uint32_t>());
  f("optional_present", "std::optional<std::uint32_t>", "tag 1, the value",
    std::optional<std::uint32_t>(0xAABBCCDD));
  f("optional_nested", "std::optional<std::optional<bool>>", "present, and absent inside",
    std::optional<std::optional<bool>>(std::in_place));
  f("variant_small", "std::variant<std::uint8_t, double, std::array<std::uint16_t, 3>>",
    "alternative 0, zeros up to the largest",
    std::variant<std::uint8_t, double, std::array<std::uint16_t, 3>>(std::uint8_t{9}));
  f("variant_middle", "std::variant<std::uint8_t, double, std::array<std::uint16_t, 3>>",
    "alternative 2, two zeros after it",
    std::variant<std::uint8_t, double, std::array<std::uint16_t, 3>>(std::array<std::uint16_t, 3>{1, 2, 3}));
  f("expected_value", "std::expected<std::uint32_t, zoo::colour>", "tag 0",
    std::expected<std::uint32_t, zoo::colour>(17));
  f("expected_error", "std::expected<std::uint32_t, zoo::colour>", "tag 1, three zeros after it",
    std::expected<std::uint32_t, zoo::colour>(std::unexpected(zoo::colour::green)));
  f("unique_ptr_fixed", "std::unique_ptr<std::uint64_t>", "tag 1, the value",
    std::make_unique<std::uint64_t>(3));
}

template <class F>
void golden_sequences(F&& f) {
  using strings = std::vector<std::string>;
  f("string_empty", "std::string", "no bytes at all", std::string());
  f("string", "std::string", "its characters and nothing else",
    std::string("It is just a character's name."));
  f("u16string", "std::u16string", "little-endian units", std::u16string(u"a\u20AC\U0001F600"));
  f("u32string", "std::u32string", "little-endian units", std::u32string(U"a\U0001F600"));
  f("path", "std::filesystem::path", "UTF-8 text", std::filesystem::path(u8"/tmp/gr\u00FC\u00DFe.bin"));
  f("vector_int64", "std::vector<std::int64_t>", "elements only: the size tells their number",
    std::vector<std::int64_t>{1, -1, std::int64_t{1} << 40});
  f("vector_bool", "std::vector<bool>", "a byte each", std::vector<bool>{true, false, true});
  f("vector_string", "std::vector<std::string>", "count, three ends, characters",
    strings{"one", "", "three"});
  f("vector_vector_string", "std::vector<std::vector<std::string>>", "count, ends; each a list of its own",
    std::vector<strings>{{"a", "bc"}, {}, {"def"}});
  f("vector_fixed_record", "std::vector<zoo::grid_cell>", "stride 8",
    std::vector<zoo::grid_cell>{{1, -1}, {2, -2}});
  f("vector_variable_record", "std::vector<zoo::full_name>",
    "count, four ends that run through, one common tail",
    std::vector<zoo::full_name>{{"Lovelace", "Ada"}, {"Hopper", "Grace"}});
  f("vector_nothing", "std::vector<zoo::nothing>", "elements of size zero: a count only",
    std::vector<zoo::nothing>(3));
  f("vector_optional_string", "std::vector<std::optional<std::string>>",
    "absent is empty, present starts with 1", std::vector<std::optional<std::string>>{std::nullopt, "", "x"});
  f("vector_padded", "std::vector<zoo::padded>", "no padding: 15 bytes each",
    std::vector<zoo::padded>{{1, 2, true, 3, 4}, {5, 6, false, 7, 8}});
  f("array_string", "std::array<std::string, 3>", "three ends, characters",
    std::array<std::string, 3>{"x", "", "yz"});
  f("tuple_variable", "std::tuple<std::string, std::uint32_t, std::vector<std::string>>",
    "fixed between variable", std::tuple(std::string("t"), std::uint32_t{5}, strings{"u", "v"}));
  f("optional_string_absent", "std::optional<std::string>", "no bytes at all", std::optional<std::string>());
  f("optional_string_empty", "std::optional<std::string>", "the tag", std::optional<std::string>(""));
  f("variant_variable", "std::variant<std::string, std::uint32_t, std::vector<double>>",
    "tag 2, the elements",
    std::variant<std::string, std::uint32_t, std::vector<double>>(std::vector<double>{0.5, -2}));
  f("variant_monostate", "std::variant<std::monostate, zoo::full_name, zoo::grid_cell>", "the tag",
    std::variant<std::monostate, zoo::full_name, zoo::grid_cell>());
  f("expected_string_error", "std::expected<std::uint64_t, std::string>", "tag 1, the error's characters",
    std::expected<std::uint64_t, std::string>(std::unexpected("lost")));
  f("unique_ptr_record", "std::unique_ptr<zoo::full_name>", "tag 1, then a record as in a message",
    std::make_unique<zoo::full_name>("Turing", "Alan"));
}

template <class F>
void golden_keyed(F&& f) {
  f("set_int16", "std::set<std::int16_t>", "ascending by value, not by bytes",
    std::set<std::int16_t>{256, 1, -1});
  f("set_string", "std::set<std::string>", "ascending by unsigned bytes",
    std::set<std::string>{"b", "a", "\xC3\xA9", ""});
  f("multiset", "std::multiset<std::uint8_t>", "repeated keys", std::multiset<std::uint8_t>{2, 1, 2});
  f("map_fixed", "std::map<std::int32_t, double>", "entries of 12 bytes",
    std::map<std::int32_t, double>{{2, 0.5}, {-1, 1.5}});
  f("map_double", "std::map<double, std::uint8_t>", "-0 is stored as +0",
    std::map<double, std::uint8_t>{{-0.0, 1}, {-2.5, 2}, {2.5, 3}});
  f("map_string", "std::map<std::string, std::vector<std::string>>", "count, entries of two ends, one tail",
    std::map<std::string, std::vector<std::string>>{{"k", {"v", "w"}}, {"", {}}});
  f("map_variable_record", "std::map<zoo::full_name, std::string>", "ordered member by member",
    std::map<zoo::full_name, std::string>{{{"b", "a"}, "2"}, {{"a", "z"}, "1"}});
  f("multimap", "std::multimap<std::int16_t, std::string>", "equal keys keep the order of insertion",
    std::multimap<std::int16_t, std::string>{{3, "z"}, {3, "a"}, {-3, "m"}});
  f("unordered_set", "std::unordered_set<std::uint32_t>", "ascending by packed bytes: 256 before 1",
    std::unordered_set<std::uint32_t>{1, 256, 2});
  f("unordered_map", "std::unordered_map<std::string, zoo::full_name>", "ascending by key bytes",
    std::unordered_map<std::string, zoo::full_name>{{"b", {"x", "y"}}, {"ab", {"", "z"}}});
  f("unordered_multimap", "std::unordered_multimap<std::string, std::uint16_t>",
    "equal keys by the bytes of the value",
    std::unordered_multimap<std::string, std::uint16_t>{{"k", 1}, {"k", 256}, {"a", 5}});
}

template <class F>
void golden_records(F&& f) {
  f("padded", "zoo::padded", "15 bytes of 32 in memory", zoo::padded{1, 2, true, 3, 4});
  f("arrays", "zoo::arrays", "C arrays, flattened",
    zoo::arrays{{1, 2, 3},
                {{1, 2, 3}, {4, 5, 6}},
                {'a', 'b', 'c', '\0'},
                {"x", "yz"},
                {zoo::colour::red, zoo::colour::blue},
                {}});
  f("nested", "zoo::nested", "nested records flattened, fixed and variable in turn",
    zoo::sample<zoo::nested>(5));
  f("mixture", "zoo::mixture", "one of each kind", zoo::sample<zoo::mixture>(3));
  f("station", "zoo::station", "bases first", [] {
    zoo::station s;
    s.id = 7;
    s.label = "Gare";
    s.at = {1, 2};
    s.platforms = 3;
    return s;
  }());
  f("account", "zoo::account", "private members", zoo::account("Ada", -5));
  f("binary_tree", "zoo::binary_tree", "recursive through a pointer", [] {
    zoo::binary_tree root{1, nullptr, nullptr};
    root.left = std::make_unique<zoo::binary_tree>(2, nullptr,
                                                   std::make_unique<zoo::binary_tree>(3, nullptr, nullptr));
    return root;
  }());
  f("outline", "zoo::outline", "recursive through a vector",
    zoo::outline{"book", {1, 2}, {{"one", {3, 4}, {{"one.one", {}, {}}}}, {"two", {5, 6}, {}}}});
  f("folder", "zoo::folder", "recursive through map, variant and pointer", zoo::sample<zoo::folder>(6));
}

template <class F>
void golden_annotated(F&& f) {
  f("customer", "zoo::customer", "limits, a skipped member", zoo::sample<zoo::customer>(2));
  f("save_header", "zoo::save_header", "a version that is checked", zoo::save_header{3, "title", 9});
  f("sensor_v1", "zoo::sensor_v1", "evolvable: the size of the fixed part leads", zoo::sensor_v1{7, "roof"});
  f("sensor_v2", "zoo::sensor_v2", "the same with members appended",
    zoo::sensor_v2{7, "roof", 0.25, {"a", "bc"}});
  f("vector_sensor_v1", "std::vector<zoo::sensor_v1>", "count, size, then an end before each fixed part",
    std::vector<zoo::sensor_v1>{{1, "a"}, {2, ""}, {3, "bcd"}});
  f("network", "zoo::network", "evolvable as member, element, value, alternative",
    zoo::network{
        "n", {1, "g", 0.5, {}}, {{2, "s", 1.5, {"t"}}}, {{4, {5, 6}}}, zoo::reading{7, 8}, {9, 10}, 11});
  f("rectangle", "zoo::rectangle", "a skipped member takes no bytes", zoo::rectangle{2, 3, 6});
  f("invoice", "zoo::invoice", "adapted classes, as what they are stored as", [] {
    zoo::invoice i;
    i.total = zoo::money(1999);
    i.number = zoo::serial_number(42);
    i.items = {zoo::money(999), zoo::money(1000)};
    i.copies = {zoo::serial_number(1), zoo::serial_number(2)};
    i.storage = zoo::celsius(-18.5);
    i.discounts.emplace("spring", zoo::money(-100));
    return i;
  }());
}

template <class F>
void golden_games(F&& f) {
  f("tick", "zoo::tick", "TICK's 25 bytes", zoo::tick{1, 2.5, 3, 4, 1});
  f("vector_tick", "std::vector<zoo::tick>", "stride 25",
    std::vector<zoo::tick>{{1, 2.5, 3, 4, 1}, {5, 6.5, 7, 8, 0}});
  f("monster", "zoo::monster", "MONSTER",
    zoo::monster{{1, 2, 3},
                 150,
                 80,
                 "Orc",
                 {0, 1, 2, 3},
                 zoo::monster_colour::red,
                 {{"Sword", 3}, {"Axe", 5}},
                 {"Axe", 5},
                 {{1, 2, 3}, {4, 5, 6}}});
  f("sink_message", "zoo::sink_message", "SINK, small",
    zoo::sink_message{1, "title", {1, 2, 3}, {{4, 0.5F}}, {{5, 6}, "note"}, 7.5});
  f("character", "zoo::character", "CHAR-1, FILL(0)", zoo::char1(0));
}

template <class F>
void for_each_golden(F&& f) {
  golden_scalars(f);
  golden_sequences(f);
  golden_keyed(f);
  golden_records(f);
  golden_annotated(f);
  golden_games(f);
}

} // namespace pack_test
