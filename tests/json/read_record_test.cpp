// SPDX-License-Identifier: Apache-2.0
// Records are read by a loop that predicts the next member, the number of absent members before it,
// and that it may read past each token. A wrong prediction must not change the result. These tests
// write known values as text, in every form that the loop may predict wrongly, and place the text
// at the end of readable memory. For each text with a mistake, the expected error and its position
// are known.
#include <ingot/document/document.hpp>
#include <ingot/json/document.hpp>
#include <ingot/json/json.hpp>
#include <ingot/reflect/annotations.hpp>
#include <ingot/reflect/members.hpp>

#include "hostile/fenced_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace read_record_test {

using ingot::errc;
namespace json = ingot::json;
using text_or_none = std::optional<std::string>;

// The reader remembers absent members of records for at most eight types. This template gives more.

template <int>
struct small {
  std::string name;
  text_or_none note;
  bool operator==(const small&) const = default;
};
/// More consecutive members may be absent than the reader looks ahead.
template <int>
struct broad {
  text_or_none one;
  std::string two;
  text_or_none three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen;
  std::string last;
  bool operator==(const broad&) const = default;
};
/// Keys that are longer than one comparison, differ late, or are written with escapes.
template <int>
struct spelled {
  text_or_none the_same_first_bytes_a, the_same_first_bytes_b;
  std::string key_of_exactly_29_bytes_here_;
  text_or_none key_of_exactly_30_bytes_or_so__, a_key_that_is_longer_than_thirty_two_bytes;
  text_or_none quoted;
  bool operator==(const spelled&) const = default;
};
/// Contains records, among them some of its own type, which are read while the outer one is
/// incomplete.
template <int N>
struct deep {
  std::string name;
  std::vector<deep> kids;
  small<N> inner;
  text_or_none tail;
  bool operator==(const deep&) const = default;
};
template <int>
struct numbered {
  std::uint32_t first = 0;
  text_or_none note;
  std::uint64_t last = 0;
  bool operator==(const numbered&) const = default;
};
/// As many members as there are bits for them.
struct fullest {
  text_or_none a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
  text_or_none c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7;
  text_or_none e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3, f4, f5, f6, f7;
  text_or_none g0, g1, g2, g3, g4, g5, g6, g7, h0, h1, h2, h3, h4, h5, h6, h7;
  bool operator==(const fullest&) const = default;
};
struct turn {
  small<0> a;
  broad<1> b;
  small<2> c;
  numbered<3> d;
  spelled<4> e;
  small<5> f;
  broad<6> g;
  deep<7> h;
  small<8> i;
  numbered<9> j;
  broad<10> k;
  spelled<11> l;
  std::vector<small<12>> m;
  std::vector<broad<13>> n;
  fullest o;
  bool operator==(const turn&) const = default;
};

} // namespace read_record_test

template <int N>
inline constexpr auto ingot::annotations<read_record_test::spelled<N>> =
    ingot::annotate(ingot::member<"quoted">(ingot::rename("a \"key\"")));

namespace read_record_test {

class dice {
public:
  explicit dice(unsigned seed) : source_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(source_()) % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

private:
  std::mt19937_64 source_;
};

// Values.

std::string some_text(dice& random) {
  static constexpr std::size_t lengths[] = {0, 1, 5, 14, 15, 16, 17, 30, 31, 32, 33, 63, 64, 65, 150};
  static constexpr std::string_view pieces[] = {"a", "b", " ",  "{",  "}",  "[", "]",
                                                ",", ":", "\"", "\\", "\n", "é"};
  std::string text;
  const std::size_t size = random.one_in(6) ? lengths[random.below(std::size(lengths))] : random.below(20);
  const std::size_t kinds = random.one_in(3) ? std::size(pieces) : 9;
  while (text.size() < size) text += pieces[random.below(kinds)];
  return text;
}

template <class T>
void fill(T& value, dice& random, std::size_t absent, int depth) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = some_text(random);
  } else if constexpr (std::is_same_v<T, text_or_none>) {
    if (random.below(100) >= absent) value = some_text(random);
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(random.below(std::numeric_limits<std::size_t>::max()));
    value = static_cast<T>(value >> random.below(std::numeric_limits<T>::digits));
  } else if constexpr (requires { value.resize(1); }) {
    value.resize(depth > 2 ? 0 : random.below(4));
    for (auto& each : value) fill(each, random, absent, depth + 1);
  } else {
    ingot::for_each_member(value, [&](auto, auto& member) { fill(member, random, absent, depth); });
  }
}

// Texts.

enum class mistake : std::uint8_t {
  none,
  wrong_type,
  bad_escape,
  twice,
  unknown,
  left_out,
  no_comma,
  no_colon
};
constexpr mistake mistakes[] = {mistake::wrong_type, mistake::bad_escape, mistake::twice,   mistake::unknown,
                                mistake::left_out,   mistake::no_comma,   mistake::no_colon};

struct due_error {
  errc code{};
  std::size_t offset = 0;
  std::string path;
};

/// Writes a value and makes a mistake in the member that the countdown selects.
class scribe {
public:
  /// One in this number on average; 0: none.
  struct habits {
    std::size_t spaces = 0, shuffled = 0, nulls = 0, unknown = 0, escaped_keys = 0, escaped_letters = 0;
  };
  scribe(dice& random, habits how, mistake wrong = mistake::none, std::size_t members_before = 0)
      : random_(random), how_(how), wrong_(wrong), left_(members_before) {}

  std::string text;
  due_error due;
  [[nodiscard]] bool has_mistake() const { return has_mistake_; }

  template <class T>
  void value(const T& from, const std::string& path) {
    space();
    if constexpr (std::is_same_v<T, std::string>) {
      string(from, how_.escaped_letters);
    } else if constexpr (std::is_same_v<T, text_or_none>) {
      if (from) string(*from, how_.escaped_letters);
      else text += "null";
    } else if constexpr (std::is_integral_v<T>) {
      text += std::to_string(from);
    } else if constexpr (requires { from.push_back(from.front()); } || requires { from.capacity(); }) {
      text += '[';
      for (std::size_t i = 0; i < from.size(); ++i) {
        if (i != 0) text += ',';
        value(from[i], path + "[" + std::to_string(i) + "]");
        space();
      }
      space();
      text += ']';
    } else {
      record(from, path);
    }
  }

private:
  template <class T>
  void record(const T& from, const std::string& path) {
    constexpr std::size_t count = ingot::member_count<T>;
    std::array<std::size_t, count> order{};
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    if (happens(how_.shuffled)) {
      for (std::size_t swaps = 1 + random_.below(3); swaps > 0; --swaps)
        std::swap(order[random_.below(count)], order[random_.below(count)]);
    }
    const std::size_t start = text.size();
    text += '{';
    first_ = true;
    for (const std::size_t wanted : order) {
      ingot::for_each_member(from, [&]<class I, class M>(I, const M& member) {
        if (I::value == wanted) this->member(ingot::member_name<T, I::value>, member, path, start);
      });
      if (happens(how_.unknown)) unknown();
    }
    space();
    text += '}';
    first_ = false; // the next member is not the first of the outer object
  }

  template <class M>
  void member(std::string_view name, const M& from, const std::string& path, std::size_t start) {
    const std::string here = (path.empty() ? "" : path + ".") + std::string(name);
    const mistake now = mistake_here<M>();
    if constexpr (std::is_same_v<M, text_or_none>) {
      if (!from && now == mistake::none && !happens(how_.nulls)) return;
    } else if (now == mistake::left_out) {
      due = {errc::missing_member, start, here};
      return;
    }
    if (now == mistake::unknown) {
      comma();
      due = {errc::unknown_member, text.size(), path};
      text += R"("nobody's":[{"a":0}])";
    }
    if (now == mistake::no_comma) {
      text += ' ';
      space();
      due = {errc::syntax, text.size(), path};
    } else {
      comma();
    }
    quoted_key(name);
    space();
    text += ':';
    if (now == mistake::no_colon) {
      text.pop_back();
      text += ' ';
      due = {errc::syntax, text.size(), path};
      text += "null";
    } else if (now == mistake::wrong_type) {
      space();
      due = {errc::type_mismatch, text.size(), here};
      text += random_.one_in(2) ? "{}" : "17";
    } else if (now == mistake::bad_escape) {
      const std::string good = some_text(random_);
      space();
      string(good, how_.escaped_letters);
      text.pop_back();
      due = {errc::syntax, text.size(), here};
      text += R"(\q")";
    } else {
      value(from, here);
    }
    space();
    if (now == mistake::twice) {
      comma();
      due = {errc::duplicate_key, text.size(), here};
      quoted_key(name);
      text += random_.one_in(2) ? ":\"again\"" : ": null ";
    }
    first_ = false;
  }
  /// If the mistake would have no effect here, the next member gets it.
  template <class M>
  [[nodiscard]] mistake mistake_here() {
    constexpr bool is_optional = std::is_same_v<M, text_or_none>;
    if (wrong_ == mistake::none || has_mistake_ || !(is_optional || std::is_same_v<M, std::string>))
      return mistake::none;
    if (left_ != 0) {
      --left_;
      return mistake::none;
    }
    if ((wrong_ == mistake::left_out && is_optional) || (wrong_ == mistake::no_comma && first_))
      return mistake::none;
    has_mistake_ = true;
    return wrong_;
  }

  void unknown() {
    static constexpr std::string_view values[] = {"null", "{}", "[[],{\"name\":\"x\"}]",
                                                  "\"a long text, longer than most of them\"", "-1.5e3"};
    comma();
    text += "\"unlisted " + std::to_string(unknown_++) + "\":";
    text += values[random_.below(std::size(values))];
  }
  void comma() {
    if (!first_) text += ',';
    first_ = false;
    space();
  }
  void quoted_key(std::string_view name) {
    text += '"';
    for (const char c : name) letter(c, how_.escaped_keys);
    text += '"';
  }
  void string(std::string_view from, std::size_t escapes) {
    text += '"';
    for (const char c : from) letter(c, escapes);
    text += '"';
  }
  void letter(char c, std::size_t escapes) {
    static constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && happens(escapes)) text += {'\\', 'u', '0', '0', digits[byte / 16], digits[byte % 16]};
    else text += escaped({&c, 1});
  }
  static std::string escaped(std::string_view from) {
    std::string to;
    for (const char c : from) {
      if (c == '"' || c == '\\') to += '\\';
      if (c == '\n') to += "\\n";
      else to += c;
    }
    return to;
  }
  void space() {
    while (happens(how_.spaces)) text += " \n\t\r"[random_.below(4)];
  }
  [[nodiscard]] bool happens(std::size_t one_in) { return one_in != 0 && random_.one_in(one_in); }

  dice& random_;
  habits how_;
  mistake wrong_;
  std::size_t left_;
  std::size_t unknown_ = 0;
  bool has_mistake_ = false;
  bool first_ = true; ///< no comma is expected
};

scribe::habits some_habits(dice& random) {
  scribe::habits how;
  if (random.one_in(3)) how.spaces = 2 + random.below(6);
  if (random.one_in(3)) how.shuffled = 1 + random.below(6);
  if (random.one_in(3)) how.nulls = 1 + random.below(4);
  if (random.one_in(4)) how.escaped_keys = 1 + random.below(60);
  if (random.one_in(3)) how.escaped_letters = 1 + random.below(30);
  return how;
}

/// Text whose last byte is the last readable one.
class fenced_text {
public:
  std::string_view operator()(std::string_view text) {
    if (!pages_ || text.size() > size_) {
      size_ = 2 * text.size() + 4096;
      pages_.emplace(size_);
    }
    EXPECT_TRUE(pages_->ready());
    const auto bytes = pages_->at_end(std::as_bytes(std::span(text)));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

private:
  std::optional<hostile::fenced_pages> pages_;
  std::size_t size_ = 0;
};

/// Compares with the document of the text, which other code reads.
template <class T>
void expect_as_document(const T& value, ingot::value seen, const std::string& path) {
  if constexpr (std::is_same_v<T, text_or_none>) {
    if (value) expect_as_document(*value, seen, path);
    else
      EXPECT_TRUE(seen.kind() == ingot::value_kind::absent || seen.kind() == ingot::value_kind::null) << path;
  } else if constexpr (std::is_same_v<T, std::string>) {
    const auto text = seen.template as<std::string_view>();
    ASSERT_TRUE(text.has_value()) << path << ' ' << text.error().message();
    EXPECT_EQ(*text, value) << path;
  } else if constexpr (std::is_integral_v<T>) {
    const auto number = seen.template as<T>();
    ASSERT_TRUE(number.has_value()) << path << ' ' << number.error().message();
    EXPECT_EQ(*number, value) << path;
  } else if constexpr (requires { value.capacity(); }) {
    ASSERT_EQ(seen.size(), value.size()) << path;
    for (std::size_t i = 0; i < value.size(); ++i)
      expect_as_document(value[i], seen[i], path + "[" + std::to_string(i) + "]");
  } else {
    ingot::for_each_member(value, [&]<class I, class M>(I, const M& member) {
      constexpr std::string_view name = ingot::member_name<T, I::value>;
      expect_as_document(member, seen[name], path + "." + std::string(name));
    });
  }
}

TEST(json_read_record, more_types_than_are_remembered_are_read_in_turns_in_any_encoding) {
  dice random(1);
  fenced_text fenced;
  std::vector<turn> used;
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const int rounds = std::getenv("INGOT_TEST_SAMPLED") != nullptr ? 40 : 120;
  for (int round = 0; round < rounds; ++round) {
    std::vector<turn> wanted(1 + random.below(6));
    const std::size_t absent = random.below(101);
    for (turn& each : wanted) fill(each, random, absent, 0);
    scribe::habits how = some_habits(random);
    if (round % 4 == 0) how.unknown = 1 + random.below(8);
    scribe writes(random, how);
    writes.value(wanted, "");
    const std::string_view text = fenced(writes.text);
    const json::read_options options{.unknown_keys = how.unknown != 0 ? json::unknown_keys::ignore
                                                                      : json::unknown_keys::error};
    const auto read = json::read<std::vector<turn>>(text, options);
    ASSERT_TRUE(read.has_value()) << round << ' ' << read.error().message() << '\n' << text;
    ASSERT_TRUE(*read == wanted) << round << '\n' << text;
    // Read into an object with contents, which must be gone.
    const auto again = json::read_into(used, text, options);
    ASSERT_TRUE(again.has_value()) << again.error().message();
    ASSERT_TRUE(used == wanted) << round << '\n' << text;
    const auto doc = json::read_document(text);
    ASSERT_TRUE(doc.has_value()) << doc.error().message();
    expect_as_document(*read, doc->root(), "");
  }
}

TEST(json_read_record, each_mistake_is_reported_where_it_is) {
  dice random(2);
  fenced_text fenced;
  std::array<int, std::size(mistakes)> mistakes_seen{};
  for (int round = 0; round < 420; ++round) {
    std::vector<turn> value(1 + random.below(3));
    const std::size_t absent = random.below(90);
    for (turn& each : value) fill(each, random, absent, 0);
    const auto which = static_cast<std::size_t>(round) % std::size(mistakes);
    scribe writes(random, some_habits(random), mistakes[which], random.below(value.size() * 160));
    writes.value(value, "");
    const auto read = json::read<std::vector<turn>>(fenced(writes.text));
    if (!writes.has_mistake()) {
      ASSERT_TRUE(read.has_value()) << read.error().message() << '\n' << writes.text;
      continue;
    }
    ++mistakes_seen[which];
    ASSERT_FALSE(read.has_value()) << writes.text;
    ASSERT_EQ(read.error().code(), writes.due.code) << read.error().message() << '\n' << writes.text;
    ASSERT_EQ(read.error().offset(), writes.due.offset) << read.error().message() << '\n' << writes.text;
    ASSERT_EQ(read.error().path(), writes.due.path) << read.error().message() << '\n' << writes.text;
  }
  for (const int each : mistakes_seen) EXPECT_GE(each, 20);
}

/// The reader decides by the distance to the text's end whether it may read past a token, and up to
/// which member.
template <class T>
void move_the_end(const std::vector<T>& wanted, scribe::habits how) {
  dice random(3);
  fenced_text fenced;
  scribe writes(random, how);
  writes.value(wanted, "");
  for (std::size_t trailing_spaces = 0; trailing_spaces < 200; ++trailing_spaces) {
    const std::string text = writes.text + std::string(trailing_spaces, ' ');
    const auto read = json::read<std::vector<T>>(fenced(text));
    ASSERT_TRUE(read.has_value()) << trailing_spaces << ' ' << read.error().message();
    ASSERT_TRUE(*read == wanted) << trailing_spaces;
  }
  // A truncated text is an error, and nothing after its end is read.
  const std::string_view text = writes.text;
  for (std::size_t size = text.size() > 700 ? text.size() - 700 : 0; size < text.size(); ++size) {
    const auto read = json::read<std::vector<T>>(fenced(text.substr(0, size)));
    ASSERT_FALSE(read.has_value()) << size;
    EXPECT_LE(read.error().offset(), size);
  }
}

TEST(json_read_record, a_text_may_end_at_the_end_of_memory) {
  dice random(4);
  for (const scribe::habits& how : {scribe::habits{}, {.spaces = 3}, {.nulls = 1, .escaped_letters = 20}}) {
    std::vector<broad<1>> records(3);
    fill(records.back(), random, 0, 0);
    fill(records.front(), random, 60, 0);
    move_the_end(records, how);
    std::vector<numbered<2>> numbers(4);
    for (auto& each : numbers) fill(each, random, 50, 0);
    move_the_end(numbers, how);
    std::vector<deep<3>> deeper(2);
    for (auto& each : deeper) fill(each, random, 30, 0);
    move_the_end(deeper, how);
    move_the_end(std::vector<small<4>>{{"", {}}, {"", ""}, {"", {}}}, how);
  }
}

TEST(json_read_record, as_many_members_as_there_are_bits_come_and_go) {
  dice random(5);
  fenced_text fenced;
  for (const std::size_t absent : {0U, 3U, 50U, 90U, 97U, 100U}) {
    std::vector<fullest> wanted(12);
    for (fullest& each : wanted) fill(each, random, absent, 0);
    for (const std::size_t shuffled : {0U, 1U}) {
      scribe writes(random, {.shuffled = shuffled});
      writes.value(wanted, "");
      const auto read = json::read<std::vector<fullest>>(fenced(writes.text));
      ASSERT_TRUE(read.has_value()) << read.error().message();
      ASSERT_TRUE(*read == wanted);
    }
  }
  std::vector<fullest> short_ones(2);
  for (fullest& each : short_ones)
    ingot::for_each_member(each, [](auto, text_or_none& member) { member.emplace(); });
  move_the_end(short_ones, {}); // many tokens in few bytes
  // After the last member there is nothing to predict.
  for (const std::string other_key : {R"("h7":"again")", R"("i0":"unknown")"}) {
    const std::string one = R"({"a0":"x","h7":"y")";
    const std::string text =
        "[" + one + "}," + one + "," + other_key + "}," + one + "}]" + std::string(100, ' ');
    const auto read = json::read<std::vector<fullest>>(fenced(text));
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code(), other_key[1] == 'h' ? errc::duplicate_key : errc::unknown_member);
    EXPECT_EQ(read.error().offset(), text.find(other_key));
    EXPECT_EQ(read.error().path(), other_key[1] == 'h' ? "[1].h7" : "[1]");
  }
}

TEST(json_read_record, which_key_counts_is_the_options_also_after_guesses) {
  const std::string text = R"([{"name":"a","note":"b"},{"name":"c","note":"d","name":"e"},)"
                           R"({"note":"f","note":null,"name":"g"},{"name":"h","note":"i"}])" +
                           std::string(100, ' ');
  const auto read = [&](json::duplicate_keys keys) {
    return json::read<std::vector<small<0>>>(text, {.duplicate_keys = keys}).value();
  };
  using list = std::vector<small<0>>;
  EXPECT_EQ(read(json::duplicate_keys::last_wins), (list{{"a", "b"}, {"e", "d"}, {"g", {}}, {"h", "i"}}));
  EXPECT_EQ(read(json::duplicate_keys::first_wins), (list{{"a", "b"}, {"c", "d"}, {"g", "f"}, {"h", "i"}}));
}

struct only_optional {
  text_or_none a, b;
  bool operator==(const only_optional&) const = default;
};

// The loop enters an object, and other code may leave it: levels that are not left would add up.
TEST(json_read_record, objects_leave_each_level_that_they_enter) {
  std::string text = "[";
  for (int i = 0; i < 400; ++i) {
    text += R"({},{"b":"x"},{ },{"a":null,"b":"x"},{"b":"x","a":"\u0041"},)";
  }
  text.back() = ']';
  text += std::string(100, ' ');
  const auto many = json::read<std::vector<only_optional>>(text, {.max_depth = 2});
  ASSERT_TRUE(many.has_value()) << many.error().message();
  ASSERT_EQ(many->size(), 2'000U);
  EXPECT_EQ(many->back(), (only_optional{"A", "x"}));
  const auto one_less = json::read<std::vector<only_optional>>(text, {.max_depth = 1});
  ASSERT_FALSE(one_less.has_value());
  EXPECT_EQ(one_less.error().code(), errc::too_deep);
  EXPECT_EQ(one_less.error().offset(), 1U);
  EXPECT_EQ(one_less.error().path(), "[0]");

  std::string nested;
  for (int i = 0; i < 20; ++i) nested += R"({"name":"n","kids":[)";
  for (int i = 0; i < 20; ++i) nested += R"(],"inner":{"name":"i"}})";
  nested += std::string(100, ' ');
  EXPECT_TRUE(json::read<deep<0>>(nested, {.max_depth = 40}).has_value());
  const auto too_deep = json::read<deep<0>>(nested, {.max_depth = 39});
  ASSERT_FALSE(too_deep.has_value());
  EXPECT_EQ(too_deep.error().code(), errc::too_deep);
  EXPECT_EQ(too_deep.error().offset(),
            nested.rfind('[')); // nested brackets: 20 objects, and the same number of lists
}

} // namespace read_record_test
