// SPDX-License-Identifier: Apache-2.0
// Views of packed and compact messages of every kind of type, whose fields the printers for
// debuggers show; their tests stop at `look_here`.
#include <ingot/document/archive.hpp>
#include <ingot/document/document.hpp>
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/view.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

void look_at_twin();

namespace shown {

enum class mood : std::int16_t { calm = -1, angry = 300 };
enum class colour : std::uint8_t { red, green };

struct tag {
  std::uint8_t level;
  std::string name;
};
struct node {
  std::int32_t value;
  std::unique_ptr<node> next;
  std::vector<node> kids;
};
struct news {
  std::uint32_t id;
  std::string title;
  std::vector<std::uint16_t> pages;
};
struct news_of_old {
  std::uint32_t id;
  std::string title;
};
struct everything {
  std::uint32_t id;
  std::int64_t secret; ///< skipped
  std::string name;
  tag first;
  std::vector<tag> tags;
  std::vector<float> numbers;
  std::map<std::string, std::vector<std::uint8_t>> lists;
  std::set<std::int16_t> odd;
  std::optional<std::uint32_t> maybe;
  std::optional<std::string> motto;
  std::optional<std::string> nothing;
  std::variant<std::uint32_t, std::string, tag> choice;
  std::variant<bool, double> plain_choice;
  std::expected<std::uint16_t, std::string> went;
  mood feels;
  colour paint;
  std::chrono::milliseconds pause;
  std::chrono::sys_seconds since;
  std::bitset<10> bits;
  std::complex<float> wave;
  std::array<std::string, 2> pair_of_names;
  std::int16_t grid[2][2];
  std::tuple<bool, char, std::byte> small;
  std::u16string wide;
  std::unique_ptr<node> chain;
  news late;
  std::vector<news> papers;
  ingot::document any;
};
/// Members with a different encoding in the compact profile.
struct spelled {
  std::uint32_t count;
  std::int64_t change;
  std::uint32_t in_full;
  float half;
  double tight;
  float rounded;
  std::array<float, 3> up;
  std::array<float, 4> turn;
  std::vector<mood> moods;
  std::vector<std::optional<std::int32_t>> some;
};
struct elided {
  std::uint32_t id = 1;
  std::string name = "nobody";
  std::vector<std::uint32_t> list;
  float size = 1;
};

} // namespace shown

template <>
inline constexpr auto ingot::annotations<shown::everything> =
    ingot::annotate(ingot::member<"secret">(ingot::skip), ingot::member<"id">(ingot::rename("number")));
template <>
inline constexpr auto ingot::annotations<shown::news> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<shown::news_of_old> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<shown::colour> = ingot::annotate(ingot::type(ingot::open_enum));
template <>
inline constexpr auto ingot::annotations<shown::mood> = ingot::annotate(
    ingot::enumerator<shown::mood::calm>(), ingot::enumerator<shown::mood::angry>(ingot::rename("cross")));
template <>
inline constexpr auto ingot::annotations<shown::spelled> =
    ingot::annotate(ingot::type(ingot::varint), ingot::member<"in_full">(ingot::fixed),
                    ingot::member<"half">(ingot::short_float), ingot::member<"tight">(ingot::tight_float),
                    ingot::member<"rounded">(ingot::quantize(0.25)),
                    ingot::member<"up">(ingot::unit_vector(16)), ingot::member<"turn">(ingot::unit_vector));
template <>
inline constexpr auto ingot::annotations<shown::elided> = ingot::annotate(ingot::type(ingot::elide_defaults));

namespace {

enum class mood : std::uint8_t { calm, angry };

/// Another file has a different type of this name: the name alone does not determine the fields of
/// views.
struct twin {
  std::uint32_t a;
  std::string b;
};
struct lone {
  std::string only;
  std::uint32_t one;
};

shown::everything make() {
  shown::everything e{};
  e.id = 7;
  e.secret = 12345;
  e.name = "Ada \"of\" the \u00e9lan";
  e.first = {3, "first"};
  e.tags = {{1, "one"}, {2, ""}};
  e.numbers = {0.1F, -2.5F};
  e.lists = {{"empty", {}}, {"two", {8, 9}}};
  e.odd = {-3, 5};
  e.maybe = 40;
  e.motto = "onward";
  e.choice = shown::tag{9, "chosen"};
  e.plain_choice = 2.5;
  e.went = std::unexpected("no way");
  e.feels = shown::mood::angry;
  e.paint = static_cast<shown::colour>(9);
  e.pause = std::chrono::milliseconds(1500);
  e.since = std::chrono::sys_seconds(std::chrono::seconds(60));
  e.bits = 5;
  e.wave = {1.5F, -2};
  e.pair_of_names = {"left", "right"};
  e.grid[0][1] = 1;
  e.grid[1][0] = -1;
  e.small = {true, 'x', std::byte{0x1f}};
  e.wide = u"w\u00efde";
  e.chain = std::make_unique<shown::node>(1);
  e.chain->next = std::make_unique<shown::node>(2);
  e.chain->kids.emplace_back().value = 3;
  e.late = {11, "late", {1, 2}};
  e.papers.emplace_back(12, "a", std::vector<std::uint16_t>{});
  e.papers.emplace_back(13, "b", std::vector<std::uint16_t>{4});
  e.any["price"] = 2.5;
  return e;
}

volatile int looked = 0;
[[gnu::noinline]] void look_here(const void* const* addresses) {
  asm volatile("" : : "r"(addresses) : "memory"); // keeps them in memory, even in optimised code
  looked = 1;
}

} // namespace

int main() {
  const shown::everything sample = make();
  const auto packed = ingot::pack(sample);
  const auto view = *ingot::view<shown::everything>::open(packed);
  const auto tags = view.get<"tags">();
  const auto one_tag = tags[1];
  const auto lists = view.get<"lists">();
  const auto choice = view.get<"choice">();
  const auto plain_choice = view.get<"plain_choice">();
  const auto motto = view.get<"motto">();
  const auto went = view.get<"went">();
  const auto names = view.get<"pair_of_names">();
  const auto grid = view.get<"grid">();
  const auto wide = view.get<"wide">();
  const auto chain = view.get<"chain">();
  const auto papers = view.get<"papers">();
  const auto paper = papers[1];

  const auto checked = *ingot::checked_view<shown::everything>::over(*packed);
  const auto checked_tags = *checked.get<"tags">();
  const auto checked_tag = *checked_tags.at(0);
  const auto checked_choice = *checked.get<"choice">();
  const auto checked_plain = *checked.get<"plain_choice">();
  const auto checked_papers = *checked.get<"papers">();
  const auto checked_paper = *checked_papers.at(1);
  const auto checked_grid = *checked.get<"grid">();

  const auto small = ingot::compact::pack(sample);
  const auto compact = std::move(*ingot::compact::view<shown::everything>::open(small));
  const std::size_t small_size = small->size();
  const auto compact_tags = compact.get<"tags">();
  const auto compact_tag = compact_tags[1];
  const auto compact_choice = compact.get<"choice">();
  const auto compact_papers = compact.get<"papers">();
  const auto compact_wide = compact.get<"wide">();

  const auto spelled_bytes = ingot::compact::pack(shown::spelled{300,
                                                                 -70000,
                                                                 5,
                                                                 1.5F,
                                                                 0.1,
                                                                 2.75F,
                                                                 {0, 1, 0},
                                                                 {0, 0, 0, 1},
                                                                 {shown::mood::angry, shown::mood::calm},
                                                                 {{}, -300}});
  const auto spelled = std::move(*ingot::compact::view<shown::spelled>::open(spelled_bytes));
  const auto spelled_moods = spelled.get<"moods">();
  const auto elided_bytes = ingot::compact::pack(shown::elided{2, "nobody", {5}, 1});
  const auto elided = std::move(*ingot::compact::view<shown::elided>::open(elided_bytes));
  const auto word_bytes = ingot::compact::pack(std::string("a word"));
  const auto word = std::move(*ingot::compact::view<std::string>::open(word_bytes));

  // Other versions: one that lacks a member, and one that has more.
  const auto old_packed = ingot::pack(shown::news_of_old{21, "old"});
  const auto old = *ingot::view<shown::news>::open(old_packed);
  const auto new_packed = ingot::pack(shown::news{22, "new", {1}});
  const auto known = *ingot::view<shown::news_of_old>::open(new_packed);
  const auto old_compact_bytes = ingot::compact::pack(shown::news_of_old{23, "old"});
  const auto old_compact = std::move(*ingot::compact::view<shown::news>::open(old_compact_bytes));

  const auto many_bytes = ingot::pack(std::vector<std::uint32_t>(5000, 6));
  const auto many = *ingot::view<std::vector<std::uint32_t>>::open(many_bytes);
  const auto much_bytes = ingot::compact::pack(std::pair{std::vector<std::string>(500, "word"), 17});
  const auto much =
      std::move(*ingot::compact::view<std::pair<std::vector<std::string>, int>>::open(much_bytes));
  const auto long_bytes = ingot::pack(std::tuple{std::string(300, 'z'), true});
  const auto long_text = *ingot::view<std::tuple<std::string, bool>>::open(long_bytes);

  const auto twin_bytes = ingot::pack(twin{1, "this file's"});
  const auto ambiguous = *ingot::view<twin>::open(twin_bytes);
  const auto lone_bytes = ingot::pack(lone{"of this file alone", 1});
  const auto alone = *ingot::view<lone>::open(lone_bytes);

  // Bytes that were overwritten after validation: an end far away, and an invalid tag and bool.
  using torn_type =
      std::tuple<std::uint16_t, std::string, bool, std::optional<std::uint8_t>, mood, std::string>;
  std::vector<std::byte> torn_bytes;
  if (!ingot::pack_to(torn_bytes, torn_type{8, "torn", true, 1, mood::calm, "last"})) return 1;
  auto bytes_of_bool = torn_bytes;
  bytes_of_bool[6] = std::byte{3};
  bytes_of_bool[9] = std::byte{7};
  auto bytes_of_tag = torn_bytes;
  bytes_of_tag[7] = std::byte{9};
  const auto odd_bool = ingot::view<torn_type>::open_unchecked(bytes_of_bool);
  const auto odd_tag = ingot::view<torn_type>::open_unchecked(bytes_of_tag);
  torn_bytes[5] = std::byte{0xff};
  const auto torn = ingot::view<torn_type>::open_unchecked(torn_bytes);

  // Types that are local to a function.
  struct local {
    std::uint16_t x;
    std::string y;
  };
  const auto local_bytes = ingot::pack(local{5, "of main"});
  const auto local_view = *ingot::view<local>::open(local_bytes);

  look_at_twin();
  const void* const addresses[] = {&view,          &tags,           &one_tag,        &lists,
                                   &choice,        &plain_choice,   &motto,          &went,
                                   &names,         &grid,           &wide,           &chain,
                                   &papers,        &paper,          &checked,        &checked_tags,
                                   &checked_tag,   &checked_choice, &checked_plain,  &checked_papers,
                                   &checked_paper, &checked_grid,   &compact,        &compact_tags,
                                   &compact_tag,   &compact_choice, &compact_papers, &compact_wide,
                                   &spelled,       &spelled_moods,  &elided,         &word,
                                   &old,           &known,          &old_compact,    &many,
                                   &much,          &long_text,      &ambiguous,      &alone,
                                   &torn,          &odd_bool,       &odd_tag,        &local_view,
                                   &small_size};
  look_here(addresses);
  return looked == 1 ? 0 : 1;
}
