// SPDX-License-Identifier: Apache-2.0
// Members with ordinary keys and values take a fast path, which reads numbers by their length and
// predicts keys from the record before. Without these tests that path could read another value than
// the general one, or accept an error.
#include <ingot/json/json.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/reflect/annotations.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace plain_members_test {

template <class T>
struct holder {
  T first{};
  T second{};
  bool operator==(const holder&) const = default;
};
struct person {
  std::optional<std::string> title;
  std::string name;
  std::optional<std::string> town = "here";
  std::uint32_t age = 0;
  bool operator==(const person&) const = default;
};
struct strings_only {
  std::string name;
  std::optional<std::string> parent;
  std::vector<std::string> tags;
  bool operator==(const strings_only&) const = default;
};
struct node {
  std::vector<node> kids;
  std::uint8_t n = 0;
};
/// Describes all members that its texts have, and has another one.
struct with_cache {
  std::string name;
  std::optional<int> size;
  std::uint64_t hits[4];
  constexpr auto reflect(auto&& f) { return f(name, size); }
};
/// An allocator whose memory has earlier contents.
template <class T>
struct used_memory {
  using value_type = T;
  used_memory() = default;
  template <class U>
  used_memory(const used_memory<U>&) noexcept {}
  [[nodiscard]] T* allocate(std::size_t n) {
    T* const allocated = std::allocator<T>().allocate(n);
    std::memset(static_cast<void*>(allocated), 0xA5, n * sizeof(T));
    return allocated;
  }
  void deallocate(T* from, std::size_t n) noexcept { std::allocator<T>().deallocate(from, n); }
  bool operator==(const used_memory&) const = default;
};
struct in_block {
  ingot::string name;
  std::uint64_t filler[8];
};
struct root {
  ingot::vector<in_block> list;
};

class dice {
public:
  explicit dice(unsigned seed) : source_(seed) {}
  std::size_t operator()() { return static_cast<std::size_t>(source_()); }

private:
  std::mt19937_64 source_;
};

} // namespace plain_members_test

template <>
inline constexpr auto ingot::annotations<plain_members_test::with_cache> =
    ingot::annotate(ingot::type(ingot::partial));

namespace plain_members_test {

/// Reads it in the middle of a text, where the fast path is taken: it needs text on both sides.
template <class T>
ingot::result<std::vector<holder<T>>> read_amid(const std::string& number) {
  const std::string spaces(80, ' ');
  return ingot::json::read<std::vector<holder<T>>>(spaces + R"([{"first":)" + number + R"(,"second":)" +
                                                   number + "}]" + spaces);
}

/// Expects the result of the standard library, if JSON has such a number.
template <class T>
void expect_as_the_library(const std::string& number) {
  T wanted{};
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  const bool negative = number.starts_with('-');
  const bool spelled = number.size() == 1U + negative || number[negative] != '0';
  const bool natural_zero = std::is_unsigned_v<T> && number == "-0";
  const auto read = read_amid<T>(number);
  if ((problem == std::errc() && end == number.data() + number.size() && spelled) || natural_zero) {
    ASSERT_TRUE(read.has_value()) << number << ": " << read.error().message();
    EXPECT_EQ(*read, (std::vector<holder<T>>{{wanted, wanted}})) << number;
  } else {
    EXPECT_FALSE(read.has_value()) << number;
  }
}

template <class T>
void expect_integers_as_the_library() {
  dice random(1);
  using limits = std::numeric_limits<T>;
  for (const T edge : {limits::min(), limits::max(), T(0), T(1)}) {
    std::string text = std::to_string(edge);
    expect_as_the_library<T>(text);
    expect_as_the_library<T>("-" + text);
    expect_as_the_library<T>("0" + text);
    for (const char last : {'0', '4', '5', '6', '7', '8', '9'}) {
      text.back() = last;
      expect_as_the_library<T>(text);
    }
  }
  for (const char* const number :
       {"18446744073709551615", "18446744073709551616", "19999999999999999999", "20000000000000000000",
        "10000000000000000000", "99999999999999999999", "100000000000000000000", "00000000000000001"})
    expect_as_the_library<T>(number);
  for (int i = 0; i < 2'000; ++i) {
    std::string digits;
    for (std::size_t n = 1 + random() % 21; n > 0; --n) digits += static_cast<char>('0' + random() % 10);
    expect_as_the_library<T>(random() % 4 == 0 ? "-" + digits : digits);
    digits[random() % digits.size()] = static_cast<char>(' ' + random() % 90);
    if (digits.find_first_of(" ,.}eE\"") == std::string::npos) expect_as_the_library<T>(digits);
  }
}

TEST(json_plain_members, integers_of_any_length_are_what_the_library_reads) {
  expect_integers_as_the_library<std::uint64_t>();
  expect_integers_as_the_library<std::int64_t>();
  expect_integers_as_the_library<std::uint32_t>();
  expect_integers_as_the_library<std::int32_t>();
  expect_integers_as_the_library<std::uint16_t>();
  expect_integers_as_the_library<std::int16_t>();
  expect_integers_as_the_library<std::uint8_t>();
  expect_integers_as_the_library<std::int8_t>();
}

template <class Float>
void expect_reals_as_the_library() {
  dice random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random() % 3 == 0 ? "-" : "";
    const std::size_t whole = 1 + random() % (i % 2 == 0 ? 2 : 8);
    for (std::size_t n = 0; n < whole; ++n)
      text += static_cast<char>((n == 0 && whole > 1 ? '1' : '0') + random() % 9);
    text += '.';
    for (std::size_t n = 1 + random() % 20; n > 0; --n) text += static_cast<char>('0' + random() % 10);
    Float wanted = 0;
    std::from_chars(text.data(), text.data() + text.size(), wanted);
    const auto read = read_amid<Float>(text);
    ASSERT_TRUE(read.has_value()) << text << ": " << read.error().message();
    ASSERT_EQ(read->at(0).first, wanted) << text;
    ASSERT_EQ(read->at(0).second, wanted) << text;
  }
  for (const char* const wrong : {"1.", "-1.", ".5", "01.5", "1.5.2", "1.-5", "--1.5", "1.5x"})
    EXPECT_FALSE(read_amid<Float>(wrong).has_value()) << wrong;
}

TEST(json_plain_members, reals_are_rounded_once) {
  expect_reals_as_the_library<float>();
  expect_reals_as_the_library<double>();
}

TEST(json_plain_members, natural_keys_of_any_length_are_read) {
  std::mt19937_64 random(3);
  std::map<std::uint64_t, std::uint32_t> wanted;
  for (unsigned bits = 0; bits < 64; ++bits) wanted[random() >> bits] = bits;
  const std::string text = ingot::json::write(wanted).value();
  EXPECT_EQ((ingot::json::read<std::map<std::uint64_t, std::uint32_t>>(text).value()), wanted);
  for (const std::string wrong : {"012", "1 ", "1.0", "18446744073709551616", "", "1\\u0030x"}) {
    const std::string object = std::string(80, ' ') + "{\"" + wrong + "\":1}" + std::string(80, ' ');
    EXPECT_FALSE((ingot::json::read<std::map<std::uint64_t, std::uint32_t>>(object).has_value())) << wrong;
  }
}

TEST(json_plain_members, members_that_are_absent_now_and_then_are_found) {
  dice random(4);
  std::vector<person> wanted;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    auto& one = wanted.emplace_back();
    one.age = i;
    const auto text = [&] { return std::string(random() % 40, 'x') + (random() % 8 == 0 ? "\"\\]\n" : ""); };
    one.name = text();
    one.town.reset();
    if (random() % 3 == 0) one.title = text();
    if (random() % 2 == 0) one.town = text();
  }
  for (const auto& options : {ingot::json::write_options{}, ingot::json::pretty}) {
    const std::string text = ingot::json::write(wanted, options).value();
    EXPECT_EQ(ingot::json::read<std::vector<person>>(text).value(), wanted);
    std::vector<person> used(5'000, person{"a title", "a name that has memory of its own", "a town", 7});
    ASSERT_TRUE(ingot::json::read_into(used, text).has_value());
    EXPECT_EQ(used, wanted);
  }
}

struct note {
  std::optional<std::string> title, town;
  std::string text;
  bool operator==(const note&) const = default;
};
struct noted {
  std::vector<note> notes;
  note last;
  std::vector<std::vector<note>> pages;
  bool operator==(const noted&) const = default;
};
// clang can't use strings of g++'s library in constants
#if defined(__GNUC__) && !defined(__clang__)
static_assert(ingot::json::detail::record_reading<note>::table.starts_quiet);
#endif
static_assert(!ingot::json::detail::record_reading<person>::table.starts_quiet,
              "a town has a value at first");

// A member without contents in a new object is not cleared again. In an existing object it must be
// cleared, also after a list of new ones, and so must a member with an initial value.
TEST(json_plain_members, what_is_absent_is_empty_in_new_objects_and_in_those_that_were_there) {
  const note bare{{}, {}, "x"};
  const note full{"a title", "a town that has memory of its own", "y"};
  const std::string text =
      R"({"notes":[{"text":"x"},{"text":"x"},{"title":"t","text":"x"}],"last":{"text":"x"},)"
      R"("pages":[[{"text":"x"}],[{"text":"x"},{"text":"x"}]]})" +
      std::string(100, ' ');
  const noted wanted{{bare, bare, {"t", {}, "x"}}, bare, {{bare}, {bare, bare}}};
  EXPECT_EQ(ingot::json::read<noted>(text).value(), wanted);
  for (const std::size_t before : {0U, 1U, 2U, 3U, 5U}) {
    noted used{std::vector<note>(before, full), full, std::vector<std::vector<note>>(before, {full})};
    ASSERT_TRUE(ingot::json::read_into(used, text).has_value());
    EXPECT_EQ(used, wanted) << before;
    // `keep` keeps absent members of existing objects, and leaves them empty in new ones.
    noted target{std::vector<note>(before, full), full, {}};
    ASSERT_TRUE(
        ingot::json::read_into(target, text, {.missing_keys = ingot::json::missing_keys::keep}).has_value());
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(target.notes[i].town, i < before ? full.town : std::nullopt) << i;
    EXPECT_EQ(target.last.title, full.title);
  }
  const std::string people =
      R"([{"name":"a","age":1},{"town":null,"name":"b","age":2}])" + std::string(100, ' ');
  for (const std::size_t before : {0U, 1U, 2U}) {
    std::vector<person> used(before, person{"a title", "a", "a town", 7});
    ASSERT_TRUE(ingot::json::read_into(used, people).has_value());
    EXPECT_EQ(used, (std::vector<person>{{{}, "a", {}, 1}, {{}, "b", {}, 2}})) << before;
  }
}

TEST(json_plain_members, a_member_that_comes_twice_is_reported) {
  const std::string one = R"({"title":"a","name":"b","town":"c","age":1},)";
  const auto text = [&](const std::string& last) {
    return "[" + one + one + last + "]" + std::string(80, ' ');
  };
  for (const char* const last :
       {R"({"title":"a","name":"b","name":"c","age":1})", R"({"name":"b","title":"a","name":"c","age":1})",
        R"({"title":"a","name":"b","town":"c","age":1,"title":"a"})"}) {
    const auto read = ingot::json::read<std::vector<person>>(text(last));
    ASSERT_FALSE(read.has_value()) << last;
    EXPECT_EQ(read.error().code(), ingot::errc::duplicate_key);
  }
  const auto missing = ingot::json::read<std::vector<person>>(text(R"({"title":"a","age":1})"));
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), ingot::errc::missing_member);
}

TEST(json_plain_members, a_list_of_records_has_little_unused_capacity) {
  std::vector<strings_only> wanted(1'100);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].name = std::to_string(i) + "]";
    wanted[i].tags = {};
    if (i % 3 == 0) wanted[i].parent = "a parent";
  }
  // A list in each element would stop the estimate; these have none.
  std::string text = "[";
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    text += i == 0 ? "" : ",\n";
    text += R"({"title":"t","name":")" + std::to_string(i) + (i % 100 == 7 ? "]" : "") + R"(","age":1})";
  }
  text += "]";
  const auto people = ingot::json::read<std::vector<person>>(text).value();
  ASSERT_EQ(people.size(), wanted.size());
  EXPECT_LE(people.capacity(), people.size() + people.size() / 4);
  EXPECT_EQ(ingot::json::read<std::vector<strings_only>>(ingot::json::write(wanted).value()).value(), wanted);
}

TEST(json_plain_members, lists_reserve_up_to_eight_bytes_a_byte_of_text) {
  // Each list seems to continue up to the first closing bracket.
  constexpr int depth = 50;
  std::string text;
  for (int i = 0; i < depth; ++i) text += R"({"n":0,"kids":[{"n":1},)";
  for (int i = 0; i < 20'000; ++i) text += R"({"n":1},)";
  text += R"({"n":1})";
  for (int i = 0; i < depth; ++i) text += "]}";
  const auto read = ingot::json::read<node>(text, {.missing_keys = ingot::json::missing_keys::use_defaults});
  ASSERT_TRUE(read.has_value()) << read.error().message();
  std::size_t reserved = 0, used = 0;
  for (const node* at = &*read; !at->kids.empty(); at = &at->kids.back()) {
    reserved += at->kids.capacity() * sizeof(node);
    used += at->kids.size() * sizeof(node);
  }
  EXPECT_LE(reserved, 8 * text.size() + 2 * used);
}

TEST(json_plain_members, members_that_a_description_leaves_out_are_zero) {
  static_assert(std::is_aggregate_v<with_cache>);
  const auto read = ingot::json::read<std::vector<with_cache, used_memory<with_cache>>>(
      R"([{"name":"a"},{"name":"b"},{"size":1,"name":"c"}])");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  ASSERT_EQ(read->size(), 3U);
  for (const with_cache& each : *read)
    EXPECT_TRUE(std::ranges::all_of(each.hits, [](std::uint64_t n) { return n == 0; }));
}

/// If the estimate took more space than exists, text that fits would be rejected.
TEST(json_plain_members, a_list_fills_a_block_as_far_as_appending_does) {
  constexpr ingot::max_block_size small{131'072};
  std::size_t count = 0;
  for (ingot::live<root> block(small); block->list.try_emplace_back() != nullptr;) ++count;
  ASSERT_GT(count, 1'000U);
  std::string text = R"({"list":[)";
  for (std::size_t i = 0; i < count; ++i) text += R"({"name":"a"},)";
  text.back() = ']';
  text += '}';
  ingot::live<root> block(small);
  const auto read = ingot::json::read_into(*block, text, {.missing_keys = ingot::json::missing_keys::keep});
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(block->list.size(), count);
}

// Nested lists would each search the rest of the text.
TEST(json_plain_members, what_closes_lists_is_searched_for_in_a_few_times_the_text_and_no_more) {
  const std::string text = R"([{},{"title":")" + std::string(100'000, 'x') + "\"}]";
  const ingot::json::read_options options;
  ingot::json::detail::text_reader reader(options);
  ASSERT_TRUE(reader.open(text));
  ASSERT_EQ(reader.open_array(), ingot::json::detail::step::value);
  const auto first = reader.here();
  ASSERT_TRUE(reader.skip());
  ASSERT_EQ(reader.next_element(), ingot::json::detail::step::value);
  int found = 0;
  for (int i = 0; i < 500; ++i) found += reader.elements_expected(first, 1, 1) != 0 ? 1 : 0;
  EXPECT_GE(found, 1);
  EXPECT_LE(found, 4);
}

} // namespace plain_members_test
