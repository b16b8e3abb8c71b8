// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of pack (scripts/site_reference.py).
#include <ingot/pack/checked_list_view.hpp>
#include <ingot/pack/checked_view.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/compact_view.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#include <ingot/schema/description.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pages::pack_examples { namespace {

struct item {
  std::uint32_t id = 0;
  std::string name;
};
struct hero {
  std::string name;
  std::vector<item> items;
  std::map<std::string, std::uint32_t> skills;
};
const hero ada{"Ada", {{7, "rope"}, {9, "lamp"}}, {{"climb", 3}, {"swim", 1}}};

// example: pack/pack.hpp
void pack_example() {
  struct point {
    std::int32_t x, y;
  };
  ingot::result<ingot::buffer> bytes = ingot::pack(point{3, 4});
  assert(bytes && bytes->size() == 8);
  assert(*bytes == *ingot::pack(point{3, 4})); // equal values, equal bytes
  static_assert(ingot::packed_size_of<point> == 8);

  std::vector<std::byte> out;
  auto first = ingot::pack_to(out, std::string("appended")); // to any sink
  auto second = ingot::pack_to(out, point{5, 6});
  assert(first && second && out.size() == *first + *second);
}

// example: unpack_options, pack/unpack.hpp
void unpack_example() {
  ingot::buffer bytes = ingot::pack(ada).value();
  ingot::result<hero> again = ingot::unpack<hero>(bytes); // any bytes: a value or an error
  assert(again && again->items[1].name == "lamp" && again->skills.at("climb") == 3);
  hero reused;
  assert(ingot::unpack_into(reused, bytes)); // reuses the memory of `reused`

  const std::vector<std::byte> two(8);
  assert(!ingot::unpack<std::uint32_t>(two)); // trailing_bytes
  auto first = ingot::unpack<std::uint32_t>(two, {.rest = ingot::trailing::allow});
  assert(first == 0U);
}

// example: pack/view.hpp
void view_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto seen = ingot::view<hero>::open(bytes); // validates once, copies nothing
  assert(seen);
  std::string_view name = seen->get<"name">(); // text in `bytes`
  assert(name == "Ada");
  assert(seen->get<"items">()[1].get<&item::id>() == 9);
  assert(seen->get<"skills">().contains("swim"));
}

// example: record_view
void record_view_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto seen = ingot::record_view<hero>::open(bytes); // ingot::view<hero> is this class
  assert(seen);
  assert(seen->get<0>() == "Ada" && seen->get<"name">() == "Ada" && seen->get<&hero::name>() == "Ada");
  ingot::record_view<item> lamp = seen->get<"items">().back();
  ingot::result<item> object = lamp.unpack(); // this record alone
  assert(object && object->id == 9 && object->name == "lamp");
}

// example: list_view, list_view::iterator
void list_view_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto seen = ingot::view<hero>::open(bytes);
  assert(seen);
  const auto items = seen->get<"items">(); // a range of views
  std::uint32_t sum = 0;
  for (const auto each : items) sum += each.get<"id">();
  assert(items.size() == 2 && sum == 16);
  const auto skills = seen->get<"skills">(); // in the order of the keys
  const auto climb = skills.find("climb");   // binary search
  assert(climb != skills.end() && (*climb).second == 3);
  assert(skills.lower_bound("d") - skills.begin() == 1);
}

// example: tagged_view
void tagged_view_example() {
  struct order {
    std::optional<item> gift;
    std::variant<std::uint32_t, std::string> paid;
    std::expected<std::string, std::uint32_t> receipt;
  };
  const order sent{item{7, "rope"}, "card", std::unexpected(404U)};
  const ingot::buffer bytes = ingot::pack(sent).value();
  auto seen = ingot::view<order>::open(bytes);
  assert(seen);
  assert(seen->get<"gift">() && seen->get<"gift">()->get<"name">() == "rope");
  assert(seen->get<"paid">().index() == 1 && seen->get<"paid">().get<1>() == "card");
  assert(!seen->get<"receipt">() && seen->get<"receipt">().error() == 404);
}

// example: checked_record_view, pack/checked_view.hpp
void checked_view_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto seen = ingot::checked_view<hero>::over(bytes); // O(1): validates nothing
  assert(seen);
  auto name = seen->get<"name">(); // checks these bytes only
  assert(name && *name == "Ada");

  const std::vector<std::byte> damaged(bytes.size(), std::byte{0xff});
  auto safe = ingot::checked_view<hero>::over(damaged);
  assert(!safe || !safe->get<"name">()); // an error, never an access outside of the bytes
}

// example: checked_list_view
void checked_list_view_example() {
  const ingot::buffer bytes = ingot::pack(ada).value();
  auto seen = ingot::checked_view<hero>::over(bytes);
  auto skills = seen->get<"skills">();
  assert(skills && skills->size() == 2);
  auto at = skills->find("swim"); // an index; size() if the key is absent
  assert(at == 1U);
  auto swim = skills->at(*at);
  assert(swim && swim->second == 1);
  assert(skills->at(2).error().code() == ingot::errc::out_of_range);
}

// example: checked_tagged_view
void checked_tagged_view_example() {
  using answer = std::variant<std::uint32_t, std::string>;
  const ingot::buffer bytes = ingot::pack(answer("yes")).value();
  auto seen = ingot::checked_view<answer>::over(bytes);
  assert(seen && seen->index() == 1);
  auto text = seen->get<1>();
  assert(text && *text == "yes");
  assert(seen->get<0>().error().code() == ingot::errc::bad_variant); // another alternative
}

// example: pack/compact.hpp
void compact_example() {
  ingot::result<ingot::buffer> bytes = ingot::compact::pack(ada);
  assert(bytes && bytes->size() < ingot::packed_size(ada).value());
  ingot::result<hero> again = ingot::compact::unpack<hero>(bytes);
  assert(again && again->skills == ada.skills);
  assert(ingot::compact::validate<hero>(*bytes));
}

// example: compact::view, compact::record_view
void compact_view_example() {
  const ingot::buffer bytes = ingot::compact::pack(ada).value();
  auto seen = ingot::compact::view<hero>::open(bytes); // one pass: validates and makes an index
  assert(seen && seen->index_size() <= 20 * bytes.size());
  assert(seen->get<"name">() == "Ada");
  assert(seen->get<"items">()[1].get<&item::id>() == 9);
  ingot::result<item> rope = seen->get<"items">()[0].unpack(); // this record alone
  assert(rope && rope->name == "rope");
}

// example: compact::list_view, compact::list_view::iterator
void compact_list_view_example() {
  const std::map<std::string, std::uint32_t> scores = {{"Ada", 3}, {"Eve", 5}};
  const ingot::buffer bytes = ingot::compact::pack(scores).value();
  auto seen = ingot::compact::view<std::map<std::string, std::uint32_t>>::open(bytes);
  assert(seen && seen->size() == 2 && seen->contains("Ada"));
  std::uint32_t sum = 0;
  for (const auto entry : *seen) sum += entry.second; // pairs of views
  assert(sum == 8);
  const auto eve = seen->find("Eve"); // binary search
  assert(eve != seen->end() && (*eve).second == 5);
}

// example: compact::tagged_view
void compact_tagged_view_example() {
  using answer = std::variant<std::uint32_t, std::string>;
  const ingot::buffer bytes = ingot::compact::pack(answer("yes")).value();
  auto seen = ingot::compact::view<answer>::open(bytes);
  assert(seen && seen->index() == 1 && seen->get<1>() == "yes");
}

// example: pack/typed.hpp
void typed_example() {
  struct chat {
    std::string text;
  };
  struct password {
    std::string secret;
  };
  ingot::buffer bytes = ingot::pack_typed(chat{"hello"}).value(); // 8 bytes say the type
  ingot::result<chat> read = ingot::unpack_typed<chat>(bytes);
  assert(read && read->text == "hello");
  auto seen = ingot::open_typed<chat>(bytes); // a view
  assert(seen && seen->get<"text">() == "hello");
  ingot::result<password> wrong = ingot::unpack_typed<password>(bytes);
  assert(!wrong && wrong.error().code() == ingot::errc::schema_mismatch);
}

// example: pack/compact_typed.hpp
void compact_typed_example() {
  const ingot::buffer bytes = ingot::compact::pack_typed(ada).value();
  ingot::result<hero> again = ingot::compact::unpack_typed<hero>(bytes);
  assert(again && again->name == "Ada");
  // A reader of packed messages rejects compact ones.
  assert(ingot::unpack_typed<hero>(bytes).error().code() == ingot::errc::schema_mismatch);
}

struct settings_v1 {
  std::uint16_t width = 0;
};
struct settings {
  std::uint32_t width = 0;
  std::string title = "untitled";
};

// example: evolution
void evolution_example() {
  auto from_v1 = ingot::evolution<settings>::from(ingot::schema_bytes<settings_v1>()); // once
  assert(from_v1 && !from_v1->is_identity());
  for (const std::uint16_t width : {std::uint16_t{640}, std::uint16_t{800}}) {
    const ingot::buffer old = ingot::pack(settings_v1{width}).value();
    ingot::result<settings> now = from_v1->unpack(old);
    assert(now && now->width == width && now->title == "untitled");
  }
}

// example: evolution_options, pack/evolution.hpp
void unpack_evolved_example() {
  const ingot::buffer old = ingot::pack(settings_v1{640}).value();
  // One message: with the bytes that describe its type.
  ingot::result<settings> now = ingot::unpack_evolved<settings>(old, ingot::schema_bytes<settings_v1>());
  assert(now && now->width == 640 && now->title == "untitled");
}

// example: pack/layout.hpp
struct tree {
  std::vector<tree> branches;
};
void layout_example() {
  tree deep;
  for (unsigned level = 0; level <= ingot::max_depth; ++level) {
    tree outer;
    outer.branches.push_back(std::move(deep));
    deep = std::move(outer);
  }
  assert(ingot::pack(deep).error().code() == ingot::errc::too_deep);
  assert(ingot::pack(deep.branches[0]));
}

}} // namespace pages::pack_examples

void pages::pack_reference() {
  using namespace pack_examples;
  pack_example();
  unpack_example();
  view_example();
  record_view_example();
  list_view_example();
  tagged_view_example();
  checked_view_example();
  checked_list_view_example();
  checked_tagged_view_example();
  compact_example();
  compact_view_example();
  compact_list_view_example();
  compact_tagged_view_example();
  typed_example();
  compact_typed_example();
  evolution_example();
  unpack_evolved_example();
  layout_example();
}
