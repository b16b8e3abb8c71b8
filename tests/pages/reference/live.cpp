// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of live (scripts/site_reference.py).
#include <ingot/live/block_options.hpp>
#include <ingot/live/block_stats.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/flat_set.hpp>
#include <ingot/live/hash.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/multimap.hpp>
#include <ingot/live/optional.hpp>
#include <ingot/live/policy.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/print.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/same_layout_everywhere.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/twin.hpp>
#include <ingot/live/validate.hpp>
#include <ingot/live/variant.hpp>
#include <ingot/live/vector.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pages::live_examples { namespace {

// example: live
void live_example() {
  struct hero {
    ingot::string name;
    ingot::vector<std::uint32_t> items;
  };
  ingot::live<hero> block;
  block->name = "Grendel";
  block->items = {7, 8};

  // Nothing is encoded: the bytes of the block are the message.
  const std::vector<std::byte> sent(block.bytes().begin(), block.bytes().end());
  auto received = ingot::live<hero>::open(sent); // validates the bytes
  assert(received);
  (*received)->items.push_back(9);
  assert((*received)->name == "Grendel" && (*received)->items.size() == 3);
}

// example: live_view
void live_view_example() {
  struct hero {
    ingot::string name;
    std::uint32_t power = 0;
  };
  ingot::live<hero> block;
  block->name = "Grendel";
  block->power = 100;

  // Bytes at a multiple of 16, as in a mapped file, are read without a copy.
  ingot::result<ingot::live_view<hero>> view = ingot::live_view<hero>::open(block.bytes());
  assert(view);
  assert((*view)->name == "Grendel" && (*view)->power == 100);
}

// example: receive_buffer
void receive_buffer_example() {
  ingot::live<ingot::string> source;
  *source = "A message from another machine.";
  const ingot::bytes_view arriving = source.bytes();

  auto buffer = ingot::live<ingot::string>::receive_buffer(arriving.size());
  std::ranges::copy(arriving, buffer.bytes().begin());              // a program calls recv() here
  auto block = ingot::live<ingot::string>::open(std::move(buffer)); // without a copy
  assert(block && **block == "A message from another machine.");
}

// example: vector
void vector_example() {
  ingot::live<ingot::vector<std::uint32_t>> block;
  ingot::vector<std::uint32_t>& scores = *block;
  scores = {30, 10};
  scores.push_back(20);
  scores.sort();
  assert(scores.size() == 3 && scores.front() == 10 && scores.back() == 30);
  scores.erase(scores.begin());
  assert(scores[0] == 20);
  assert(scores.get_if(2) == nullptr); // the index is past the end
}

// example: string
void string_example() {
  struct message {
    ingot::string text;
  };
  ingot::live<message> block;
  ingot::string& text = block->text;
  text = "hello";
  text += ", world";
  assert(text == "hello, world" && text.starts_with("hello"));
  std::string_view word = text.substr(7); // a view: valid until the text is changed
  assert(word == "world");
  text.replace(0, 5, "goodbye");
  assert(text == "goodbye, world");
}

// example: queue
void queue_example() {
  ingot::live<ingot::queue<std::uint32_t>> block;
  ingot::queue<std::uint32_t>& waiting = *block;
  waiting.push_back(1u);
  waiting.push_back(2u);
  waiting.push_front(0u); // O(1) at both ends
  assert(waiting.size() == 3 && waiting[0] == 0);
  waiting.pop_front();
  assert(waiting.front() == 1 && waiting.back() == 2);
}

// example: map
void map_example() {
  ingot::live<ingot::map<std::uint64_t, ingot::string>> block;
  ingot::map<std::uint64_t, ingot::string>& names = *block;
  names[20] = "Beowulf";
  names.try_emplace(10, "Grendel");
  assert(names.at(10) == "Grendel");
  std::string joined;
  for (const auto& [id, name] : names) joined += name + " "; // in the order of the keys
  assert(joined == "Grendel Beowulf ");
  assert(names.erase(20) == 1 && !names.contains(20));
}

// example: set
void set_example() {
  ingot::live<ingot::set<std::uint32_t>> block;
  ingot::set<std::uint32_t>& ids = *block;
  ids = {30, 10};
  ids.insert(20);
  assert(!ids.insert(10).second); // the set has this key
  assert(*ids.begin() == 10 && ids.size() == 3);
  assert(*ids.lower_bound(15) == 20);
}

// example: multimap
void multimap_example() {
  ingot::live<ingot::multimap<std::uint32_t, ingot::string>> block;
  ingot::multimap<std::uint32_t, ingot::string>& log = *block;
  log.emplace(5, "opened");
  log.emplace(5, "read"); // entries with equal keys keep their order
  log.emplace(6, "closed");
  assert(log.count(5) == 2);
  const auto [first, last] = log.equal_range(5);
  std::string joined;
  for (auto at = first; at != last; ++at) joined += (*at).second + " ";
  assert(joined == "opened read ");
}

// example: multiset
void multiset_example() {
  ingot::live<ingot::multiset<std::uint32_t>> block;
  ingot::multiset<std::uint32_t>& rolls = *block;
  rolls.insert(6);
  rolls.insert(1);
  rolls.insert(6);
  assert(rolls.size() == 3 && rolls.count(6) == 2);
  assert(rolls.erase(6) == 2 && rolls.size() == 1); // erases all equal keys
}

// example: flat_map
void flat_map_example() {
  ingot::live<ingot::flat_map<ingot::string, double>> block;
  ingot::flat_map<ingot::string, double>& prices = *block;
  prices["pear"] = 2.5;
  prices.insert_or_assign("apple", 1.25);
  prices.try_emplace("pear", 9.0); // the key is there: does nothing
  assert(prices.at("pear") == 2.5);
  assert(prices.keys()[0] == "apple" && prices.values()[0] == 1.25); // two arrays, sorted by key
  assert(prices.get_if("plum") == nullptr);
}

// example: flat_set
void flat_set_example() {
  ingot::live<ingot::flat_set<std::uint32_t>> block;
  ingot::flat_set<std::uint32_t>& ids = *block;
  ids.insert_range(std::vector<std::uint32_t>{30, 10, 20, 10});
  assert(ids.size() == 3 && ids.keys()[0] == 10); // one sorted array
  assert(ids.contains(20));
  assert(ids.erase_if([](std::uint32_t id) { return id > 15; }) == 2);
}

// example: hash_map
void hash_map_example() {
  ingot::live<ingot::hash_map<ingot::string, double>> block;
  ingot::hash_map<ingot::string, double>& prices = *block;
  prices.reserve(100);
  prices["pear"] = 2.5;
  prices.insert_or_assign("apple", 1.25);
  if (double* pear = prices.get_if("pear")) *pear += 1;
  assert(prices.at("pear") == 3.5);
  assert(prices.size() == 2 && !prices.contains("plum"));
}

// example: hash_set
void hash_set_example() {
  ingot::live<ingot::hash_set<ingot::string>> block;
  ingot::hash_set<ingot::string>& tags = *block;
  tags.insert("new");
  tags.insert("bulky");
  assert(!tags.insert("new").second); // the set has this key
  assert(tags.contains("bulky") && tags.size() == 2);
  tags.erase("new");
  assert(tags.size() == 1);
}

// example: optional
void optional_example() {
  struct door {
    ingot::optional<ingot::string> label; // std::optional is for plain types only
  };
  ingot::live<door> block;
  assert(!block->label);
  block->label = "Cellar";
  assert(block->label.has_value() && *block->label == "Cellar");
  block->label.emplace("Attic");
  assert(block->label == std::string_view("Attic"));
  block->label.reset();
  assert(!block->label);
}

// example: box
struct node {
  std::uint32_t value = 0;
  ingot::box<node> left; // a type that contains itself
  ingot::box<node> right;
};

void box_example() {
  ingot::live<node> root;
  root->value = 5;
  node& left = root->left.emplace();
  left.value = 3;
  assert(root->left && root->left->value == 3);
  assert(root->right.get() == nullptr);
  root->left.reset();
  assert(!root->left);
}

// example: variant
void variant_example() {
  struct setting {
    ingot::variant<std::uint32_t, ingot::string> value; // holds a number at first
  };
  ingot::live<setting> block;
  block->value = 7u;
  assert(*block->value.get_if<std::uint32_t>() == 7);
  block->value.emplace<ingot::string>("seven");
  assert(block->value.holds<ingot::string>() && block->value.index() == 1);
  const std::size_t length = block->value.visit([](const auto& value) {
    if constexpr (requires { value.size(); }) return value.size();
    else return sizeof(value);
  });
  assert(length == 5);
}

// example: pool, live/ref.hpp
struct person {
  ingot::string name;
  ingot::ref<person> friend_of; // null at first
};

void pool_example() {
  ingot::live<ingot::pool<person>> block;
  ingot::pool<person>& people = *block;
  ingot::ref<person> ann = people.add("Ann");
  ingot::ref<person> bob = people.add("Bob", ann);
  people.get(ann)->friend_of = bob; // links can form a cycle
  assert(people.get(people.get(bob)->friend_of)->name == "Ann");
  people.erase(ann);
  assert(people.get(ann) == nullptr); // a link to an erased object finds nothing
}

// example: out_of_space, live/out_of_space.hpp
void out_of_space_example() {
  ingot::live<ingot::vector<std::uint64_t>> block; // can grow to 1 MiB
  block->push_back(1);
  try {
    block->resize(1'000'000); // needs 8 MB
    assert(false);
  } catch (const ingot::out_of_space& full) {
    assert(full.why() == ingot::out_of_space_reason::full);
  }
  assert(block->size() == 1);             // unchanged
  assert(!block->try_reserve(1'000'000)); // the forms with `try_` do not throw
}

// example: live/block_options.hpp, live/max_block_size.hpp
void block_options_example() {
  ingot::live<ingot::vector<std::uint64_t>> small;
  small->push_back(1);

  // The block can grow to 64 MiB. A larger maximum reserves address space, not memory.
  ingot::block_options options{.max_size = {std::size_t{64} << 20}};
  auto large = ingot::live<ingot::vector<std::uint64_t>>::open(small.bytes(), options);
  assert(large && large->max_size() >= std::size_t{64} << 20);
  (*large)->resize(1'000'000);
  assert((*large)->size() == 1'000'000 && (*large)->front() == 1);
}

// example: live/block_stats.hpp
void block_stats_example() {
  struct hero {
    ingot::string name;
    ingot::vector<std::uint64_t> items;
  };
  ingot::live<hero> block;
  block->items.resize(100);
  block->name = "A name that is stored after the items.";
  block->items.clear();
  block->items.shrink_to_fit();
  const ingot::block_stats stats = block.stats();
  assert(stats.used == stats.live + stats.free_bytes);
  assert(stats.free_bytes >= 800); // the bytes of the former elements, for later use
}

// example: live/print.hpp
void print_example() {
  struct item {
    std::uint32_t id = 0;
    ingot::string name;
  };
  ingot::live<item> block;
  block->id = 7;
  block->name = "lamp";
  assert(ingot::to_string(block) == R"({id: 7, name: "lamp"})");
}

// example: live/hash.hpp
void hash_example() {
  // A part of the format: the same number on every machine, for every class of text.
  assert(ingot::hash_value(std::string_view("rope")) == ingot::hash_value(std::string("rope")));
  assert(ingot::hash_value(std::uint8_t{7}) == ingot::hash_value(std::int64_t{7}));
}

// example: live/placeable.hpp
struct plain_hero { // keeps its data elsewhere: bytes are made by pack
  std::string name;
  std::vector<std::uint32_t> items;
};
struct live_hero { // the same members, stored in a block
  ingot::string name;
  ingot::vector<std::uint32_t> items;
};
void placeable_example() {
  // ingot::live<plain_hero> does not compile; the error says to use ingot::string.
  ingot::live<live_hero> block(plain_hero{"Ada", {7, 9}}); // from its twin
  assert(block->name == "Ada" && block->items[1] == 9);
}

// example: narrow_policy, wide_policy, live/policy.hpp
void policy_example() {
  struct samples { // offsets of 64 bits, for more than 2 GiB
    ingot::wide::vector<double> values;
  };
  ingot::wide::live<samples> block;
  block->values = {0.5, 2.5};
  assert(block->values.size() == 2);
  static_assert(sizeof(ingot::wide::vector<double>) == 2 * sizeof(ingot::vector<double>));
}

// example: platforms, live/same_layout_everywhere.hpp
enum class rank : std::uint8_t { soldier, sergeant }; // with a declared type
struct recruit {
  std::uint64_t id;
  rank grade;
  ingot::string name;
};
void same_layout_everywhere_example() {
  // Blocks of this type go between Linux, Windows, macOS and wasm.
  static_assert(ingot::same_layout_everywhere<recruit>);
  // 32-bit x86 has another layout for `id`, which has 64 bits: that would not compile.
  // static_assert(ingot::same_layout_everywhere<recruit, ingot::platforms::with_x86_32>);
  static_assert(ingot::same_layout_everywhere<ingot::string, ingot::platforms::with_x86_32>);
}

// example: block_info, live/validate.hpp
void validate_example() {
  struct hero {
    ingot::string name;
  };
  ingot::live<hero> block;
  block->name = "Ada";
  ingot::result<ingot::block_info> info = ingot::peek(block.bytes()); // the header alone
  assert(info && info->schema_id == ingot::schema_id<hero>);
  assert(!info->wide && info->size == block.bytes().size());
}

// example: live/variant.hpp
void variant_functions_example() {
  struct setting {
    ingot::variant<std::uint32_t, ingot::string> value;
  };
  ingot::live<setting> block;
  block->value = "loud";
  assert(ingot::holds_alternative<ingot::string>(block->value));
  assert(ingot::get<1>(block->value) == "loud");
  assert(ingot::get_if<std::uint32_t>(&block->value) == nullptr);
  const bool is_text = ingot::visit(
      [](const auto& value) { return std::is_same_v<decltype(value), const ingot::string&>; }, block->value);
  assert(is_text);
}

}} // namespace pages::live_examples

void pages::live_reference() {
  using namespace live_examples;
  live_example();
  live_view_example();
  receive_buffer_example();
  vector_example();
  string_example();
  queue_example();
  map_example();
  set_example();
  multimap_example();
  multiset_example();
  flat_map_example();
  flat_set_example();
  hash_map_example();
  hash_set_example();
  optional_example();
  box_example();
  variant_example();
  pool_example();
  out_of_space_example();
  block_options_example();
  block_stats_example();
  print_example();
  hash_example();
  placeable_example();
  policy_example();
  same_layout_everywhere_example();
  validate_example();
  variant_functions_example();
}
