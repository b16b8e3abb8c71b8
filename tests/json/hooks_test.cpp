// SPDX-License-Identifier: Apache-2.0
// A type's own code during reading and writing of text: adapt, after_load, valid, limits and
// skipped members.
#include <ingot/json/json.hpp>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace hooks_test {

/// A class of another library, without a default constructor, stored as text that may be rejected.
class ticket {
public:
  explicit ticket(int number) : number_(number) {}
  [[nodiscard]] int number() const { return number_; }
  auto operator<=>(const ticket&) const = default;

private:
  int number_;
};

/// `from` only reads the text, so no copy is needed.
struct looked_at {
  std::size_t length = 0;
};

struct span_of_years {
  int from = 0;
  int to = 0;
  int length = 0;
  [[nodiscard]] bool valid() const { return from <= to; }
  ingot::result<void> after_load() {
    if (to > 3000)
      return std::unexpected(ingot::error(ingot::errc::out_of_range).with_expected("a year that I will see"));
    length = to - from;
    return {};
  }
};

struct limited {
  std::uint16_t percent = 0;
  std::vector<int> few;
  std::string note;
  int cache = 42;
};

struct holder {
  std::vector<ticket> tickets;
  std::optional<ticket> spare;
  std::map<ticket, int> seats;
  std::unique_ptr<ticket> kept;
  std::variant<int, ticket> either;
};

struct no_default {
  ticket first;
  std::string name;
  std::optional<int> note;
};

} // namespace hooks_test

template <>
struct ingot::adapt<hooks_test::ticket> {
  static std::string to(const hooks_test::ticket& t) { return "T" + std::to_string(t.number()); }
  static ingot::result<hooks_test::ticket> from(std::string&& text) {
    if (text.size() == 2 && text[0] == 'T') return hooks_test::ticket(text[1] - '0');
    return std::unexpected(
        ingot::error(ingot::errc::invalid_value).with_expected("T and a digit").with_found(text));
  }
};
template <>
struct ingot::adapt<hooks_test::looked_at> {
  static std::string_view to(const hooks_test::looked_at& l) {
    return std::string_view("xxxxxxxx").substr(0, l.length);
  }
  static hooks_test::looked_at from(std::string_view text) { return {text.size()}; }
};
template <>
inline constexpr auto ingot::annotations<hooks_test::span_of_years> =
    ingot::annotate(ingot::member<"length">(ingot::skip));
template <>
inline constexpr auto ingot::annotations<hooks_test::limited> =
    ingot::annotate(ingot::member<"percent">(ingot::rename("%"), ingot::range(0, 100)),
                    ingot::member<"few">(ingot::max_size(2)), ingot::member<"cache">(ingot::skip));

namespace hooks_test {

using ingot::errc;
namespace json = ingot::json;

TEST(json_adapt, a_class_without_a_default_goes_everywhere) {
  const std::string text =
      R"({"tickets":["T1","T2"],"spare":"T3","seats":{"T4":7},"kept":"T5","either":{"ticket":"T6"}})";
  const auto value = json::read<holder>(text);
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(value->tickets[1].number(), 2);
  EXPECT_EQ(value->spare->number(), 3);
  EXPECT_EQ(value->seats.at(ticket(4)), 7);
  EXPECT_EQ(value->kept->number(), 5);
  EXPECT_EQ(std::get<ticket>(value->either).number(), 6);
  EXPECT_EQ(json::write(*value).value(), text);
  EXPECT_EQ(json::read<ticket>(R"("T9")").value().number(), 9);
}

TEST(json_adapt, a_record_of_such_classes_needs_no_default_either) {
  const std::string text = R"({"first":"T1","name":"n"})";
  const auto value = json::read<no_default>(text);
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(value->first.number(), 1);
  EXPECT_EQ(value->name, "n");
  EXPECT_EQ(json::write(*value).value(), text);
  EXPECT_EQ(json::read<std::vector<no_default>>("[" + text + "," + text + "]").value().size(), 2u);
  EXPECT_EQ(json::read<no_default>(R"({"name":"n"})").error().code(), errc::missing_member);
  EXPECT_EQ(json::read<no_default>(R"({"first":"x","name":"n"})").error().path(), "first");
}

TEST(json_adapt, arrays_and_tuples_of_such_classes_need_no_default_either) {
  using seats = std::array<ticket, 2>;
  const std::string text = R"(["T1","T2"])";
  const auto two = json::read<seats>(text);
  ASSERT_TRUE(two) << two.error().message();
  EXPECT_EQ(*two, (seats{ticket(1), ticket(2)}));
  EXPECT_EQ(json::write(*two).value(), text);
  EXPECT_EQ(json::read<std::vector<seats>>("[" + text + "]").value().at(0), *two);
  using pair = std::pair<int, ticket>;
  EXPECT_EQ(json::read<pair>(R"([7,"T3"])").value(), pair(7, ticket(3)));
  using triple = std::tuple<ticket, std::unique_ptr<ticket>, seats>;
  const auto three = json::read<triple>(R"(["T1","T2",["T3","T4"]])");
  ASSERT_TRUE(three) << three.error().message();
  EXPECT_EQ(std::get<1>(*three)->number(), 2);
  EXPECT_EQ(std::get<2>(*three), (seats{ticket(3), ticket(4)}));
  using many = std::array<ticket, 1200>; // larger than what is read on the stack
  const auto read = json::read<many>(json::write(std::vector(1200, ticket(5))).value());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->back(), ticket(5));

  EXPECT_EQ(json::read<seats>(R"(["T1"])").error().code(), errc::bad_length);
  EXPECT_EQ(json::read<seats>(R"(["T1","T2","T3"])").error().code(), errc::too_long);
  EXPECT_EQ(json::read<pair>("[]").error().code(), errc::bad_length);
  EXPECT_EQ(json::read<pair>("7").error().code(), errc::type_mismatch);
  const auto rejected = json::read<std::vector<seats>>(R"([["T1","X"]])");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().path(), "[0][1]");
  EXPECT_EQ(rejected.error().offset(), 7u);
}

TEST(json_adapt, a_rejection_has_the_position_of_the_value) {
  const auto value = json::read<holder>(R"({"tickets":["T1","X"]})");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code(), errc::invalid_value);
  EXPECT_EQ(value.error().path(), "tickets[1]");
  EXPECT_EQ(value.error().offset(), 17u);
  EXPECT_EQ(value.error().expected(), "T and a digit");
  EXPECT_EQ(json::read<holder>(R"({"seats":{"X":1}})").error().offset(), 10u);
}

TEST(json_adapt, text_can_be_looked_at_without_a_copy) {
  EXPECT_EQ(json::read<looked_at>(R"("abc")").value().length, 3u);
  EXPECT_EQ(json::write(looked_at{2}).value(), R"("xx")");
}

TEST(json_hooks, after_load_runs_on_complete_objects_and_may_reject) {
  EXPECT_EQ(json::read<span_of_years>(R"({"from":1990,"to":2000})").value().length, 10);
  const auto rejected = json::read<std::vector<span_of_years>>(R"([ {"from":1,"to":4000}])");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::out_of_range);
  EXPECT_EQ(rejected.error().path(), "[0]");
  EXPECT_EQ(rejected.error().offset(), 2u);
  EXPECT_EQ(rejected.error().expected(), "a year that I will see");
}

TEST(json_hooks, valid_is_called_on_every_reading) {
  const auto rejected = json::read<span_of_years>(R"({"from":2,"to":1})");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().code(), errc::invalid_value);
  EXPECT_EQ(rejected.error().found(), "an object");
}

TEST(json_limits, are_checked_with_path_and_value) {
  EXPECT_TRUE(json::read<limited>(R"({"%":100,"few":[1,2],"note":""})"));
  const auto percent = json::read<limited>(R"({"%":101,"few":[],"note":""})");
  ASSERT_FALSE(percent);
  EXPECT_EQ(percent.error().code(), errc::out_of_range);
  EXPECT_EQ(percent.error().path(), "%");
  EXPECT_EQ(percent.error().offset(), 5u);
  EXPECT_EQ(percent.error().found(), "101");
  EXPECT_EQ(percent.error().expected(), "a value from 0 to 100");
  EXPECT_EQ(json::read<limited>(R"({"%":1,"few":[1,2,3],"note":""})").error().code(), errc::too_long);
}

TEST(json_skip, members_have_no_key_and_get_their_default) {
  EXPECT_EQ(json::write(limited{}).value(), R"({"%":0,"few":[],"note":""})");
  EXPECT_EQ(json::read<limited>(R"({"%":0,"few":[],"note":"","cache":1})").error().code(),
            errc::unknown_member);
  limited used;
  used.cache = 1;
  ASSERT_TRUE(json::read_into(used, R"({"%":0,"few":[],"note":""})"));
  EXPECT_EQ(used.cache, 42);
}

} // namespace hooks_test
