// SPDX-License-Identifier: Apache-2.0
// Blocks that are read without their type, while each allocation fails in turn: the error is always
// `no_memory`. With enough memory, the size of a description, its validation and a document is
// bounded by the input bytes, whatever these claim.
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/print.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/box.hpp>
#include <ingot/live/flat_map.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/pool.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "dynamic/hostile.hpp"
#include "hostile/failing_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hostile_dynamic_memory { namespace {

using failing::memory;
using ingot::dynamic_block;
using ingot::dynamic_kind;
using ingot::dynamic_layout;
using ingot::errc;
using namespace dynamic_hostile;

struct leaf {
  ingot::vector<ingot::string> texts;
  ingot::map<std::uint8_t, ingot::string> by_number;
};
struct tree {
  ingot::u16string wide;
  ingot::vector<leaf> leaves;
  ingot::hash_map<ingot::string, leaf> by_name;
};
ingot::live<tree> make_tree() {
  ingot::live<tree> block(ingot::max_block_size{std::size_t{1} << 20});
  block->wide = u"text of two bytes each";
  for (int i = 0; i < 3; ++i) {
    leaf& each = block->leaves.emplace_back();
    each.texts = {"a text that is longer than what lies in place", "short"};
    each.by_number.try_emplace(static_cast<std::uint8_t>(i), "one");
    block->by_name.try_emplace(std::to_string(i)).first->second.texts = {"x"};
  }
  return block;
}

/// Runs `call` with the first allocation failing, then the second, and so on until it succeeds;
/// each time alone and with all after it.
template <class Call>
void without_memory(const Call& call, errc other = errc::no_memory) {
  for (const bool for_ever : {false, true}) {
    for (std::size_t n = 1;; ++n) {
      ASSERT_LT(n, 10'000U);
      const std::size_t alive = memory.alive;
      memory = {};
      memory.alive = alive;
      memory.for_ever = for_ever;
      memory.fail_at = n;
      memory.active = true;
      const errc code = call();
      memory.active = false;
      EXPECT_EQ(memory.alive, alive) << "at allocation " << n;
      if (memory.count < n) {
        EXPECT_EQ(code, errc::io);
        break;
      }
      EXPECT_TRUE(code == errc::no_memory || code == other) << "at allocation " << n;
    }
  }
}
/// Returns the code of the error, or `io` if there was none.
template <class R>
errc code_of(const R& r) {
  return r ? errc::io : r.error().code();
}

TEST(dynamic_memory, a_description_without_memory_is_no_memory) {
  const auto bytes = copy(ingot::layout_of<tree>());
  without_memory([&] { return code_of(dynamic_layout::open(bytes)); });
}
TEST(dynamic_memory, a_block_without_memory_is_no_memory) {
  const auto block = make_tree();
  const auto bytes = copy(block.bytes());
  const auto layout = dynamic_layout::of<tree>().value();
  without_memory([&] { return code_of(dynamic_block::open(bytes, layout)); });
  without_memory([&] { return code_of(dynamic_block::open_in_place(bytes, layout)); });
  without_memory([&] { return code_of(dynamic_block::open(bytes, ingot::layout_of<tree>())); });
}
TEST(dynamic_memory, a_document_without_memory_says_so) {
  const auto block = make_tree();
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<tree>()).value();
  static_cast<void>(ingot::to_document(read.root())); // creates the pool of slots
  without_memory([&] { return code_of(ingot::to_document(read.root())); }, errc::no_space);
}
#if INGOT_EXCEPTIONS // without exceptions, a std::string that finds no memory ends the program
TEST(dynamic_memory, a_copy_of_a_text_without_memory_is_no_memory) {
  const auto block = make_tree();
  const auto read = dynamic_block::open(block.bytes(), ingot::layout_of<tree>()).value();
  const auto text = read.at("leaves[0].texts[0]");
  without_memory([&] { return code_of(text.as<std::string>()); });
}
#endif

/// Returns the maximum memory that `call` uses at a time.
template <class Call>
std::size_t measure(const Call& call) {
  const std::size_t alive = memory.alive;
  memory = {};
  memory.alive = alive;
  memory.measures = true;
  call();
  memory.measures = false;
  return memory.peak;
}

/// Nested objects in the smallest possible storage.
struct chain;
template <int N>
struct wrapped {
  wrapped<N - 1> inner;
};
template <>
struct wrapped<0> {
  ingot::box<chain> next;
};
struct chain {
  wrapped<20> outer;
};
struct sequence {
  ingot::vector<sequence> more;
};
struct sorted {
  ingot::map<std::uint8_t, sorted> more;
};
struct hashed {
  ingot::hash_map<std::uint8_t, hashed> more;
};
struct pooled {
  ingot::pool<pooled> more;
};
struct flat {
  ingot::flat_map<std::uint8_t, flat> more;
};
template <int N>
chain* below(wrapped<N>& at) {
  if constexpr (N == 0) return &at.next.emplace();
  else return below(at.inner);
}
chain* below(chain& at) { return below(at.outer); }
sequence* below(sequence& at) { return &at.more.emplace_back(); }
sorted* below(sorted& at) { return &at.more.try_emplace(std::uint8_t{1}).first->second; }
hashed* below(hashed& at) { return &at.more.try_emplace(std::uint8_t{1}).first->second; }
pooled* below(pooled& at) { return at.more.get(at.more.add()); }
flat* below(flat& at) { return &at.more.try_emplace(std::uint8_t{1}).first->second; }

template <class T>
void deep_takes_little(const char* what) {
  ingot::live<T> block(ingot::max_block_size{std::size_t{64} << 20});
  T* at = &*block;
  for (int i = 0; i < 20'000; ++i) at = below(*at);
  static_cast<void>(block.compact()); // removes free bytes from the storages
  const auto layout = dynamic_layout::of<T>();
  ASSERT_TRUE(layout.has_value()) << layout.error().message();
  bool opened = false;
  const std::size_t taken =
      measure([&] { opened = dynamic_block::open_in_place(block.bytes(), *layout).has_value(); });
  EXPECT_TRUE(opened) << what;
  EXPECT_LE(taken, 2 * block.bytes().size() + 20'480) << what;
  EXPECT_GT(taken, block.bytes().size() / 64) << what; // otherwise nothing was measured
}
TEST(dynamic_memory, validation_takes_twice_its_block_at_any_depth) {
  deep_takes_little<chain>("boxes in records");
  deep_takes_little<sequence>("vectors");
  deep_takes_little<sorted>("trees");
  deep_takes_little<hashed>("tables");
  deep_takes_little<pooled>("pools");
  deep_takes_little<flat>("flat maps");
}
TEST(dynamic_memory, validation_of_a_flat_block_takes_a_64th) {
  ingot::live<leaf> block(ingot::max_block_size{std::size_t{16} << 20});
  for (int i = 0; i < 50'000; ++i) block->texts.emplace_back("text number " + std::to_string(i));
  const auto layout = dynamic_layout::of<leaf>().value();
  const std::size_t taken =
      measure([&] { static_cast<void>(dynamic_block::open_in_place(block.bytes(), layout)); });
  EXPECT_LE(taken, block.bytes().size() / 64 + 20'480);
}

/// A record with `names` long names, and `referrers` other types that refer to it and to which it
/// refers. Each of these is another path from the root into the group.
std::vector<std::byte> group_entered_often(std::uint64_t referrers, std::uint64_t names) {
  const auto list_of = [](std::uint64_t type) {
    return with_numbers(head(dynamic_kind::vector, 8, 4), {type});
  };
  const auto list_type = [](std::uint64_t referrer) { return referrer == 0 ? 1 : 4 + 2 * referrer; };
  const auto add = [](layout_bytes& to, const std::string& name, std::uint64_t offset, std::uint64_t type) {
    to.text(name);
    to.number(offset);
    to.number(type);
    to.byte(0);
  };
  layout_bytes root = head(dynamic_kind::record, 8 * referrers, 4);
  root.text("root");
  root.number(referrers);
  const std::uint64_t names_end = (names + 3) / 4 * 4;
  layout_bytes named = head(dynamic_kind::record, names_end + 8 * referrers, 4);
  named.text("named");
  named.number(names + referrers);
  for (std::uint64_t i = 0; i < names; ++i)
    add(named, "a_rather_long_name_of_a_member_" + std::to_string(i), i, 5);
  for (std::uint64_t referrer = 0; referrer < referrers; ++referrer) {
    add(root, "way" + std::to_string(referrer), 8 * referrer, list_type(referrer));
    add(named, "way" + std::to_string(referrer), names_end + 8 * referrer, list_type(referrer));
  }
  std::vector<layout_bytes> types{root,       list_of(2), record(8, 4, {{0, 3}}),
                                  list_of(4), named,      head(dynamic_kind::integer, 1, 1)};
  for (std::uint64_t referrer = 1; referrer < referrers; ++referrer) {
    types.push_back(list_of(list_type(referrer) + 1));
    types.push_back(record(8, 4, {{0, 3}}));
  }
  return description_of(types);
}
// A description repeats the group for each path into it. Once all of this was written before it was
// found to be too long.
TEST(dynamic_memory, the_schema_of_a_layout_takes_little_whatever_comes_of_it) {
  const auto once = dynamic_layout::open(group_entered_often(1, 2000));
  ASSERT_TRUE(once) << once.error().message();
  EXPECT_TRUE(ingot::schema_for(*once));
  const auto often = dynamic_layout::open(group_entered_often(300, 4000));
  ASSERT_TRUE(often) << often.error().message();
  errc code{};
  const std::size_t taken = measure([&] { code = code_of(ingot::schema_for(*often)); });
  EXPECT_EQ(code, errc::too_large);
  EXPECT_LE(taken, std::size_t{32} << 20);
}

std::size_t taken_by(const std::vector<std::byte>& description, bool accepted) {
  bool opened = false;
  std::string sentence;
  const std::size_t taken = measure([&] {
    const auto layout = dynamic_layout::open(description);
    opened = layout.has_value();
    if (!layout) sentence = layout.error().message();
  });
  EXPECT_EQ(opened, accepted) << sentence;
  return taken;
}
TEST(dynamic_memory, a_description_takes_a_multiple_of_its_bytes) {
  const auto bound = [](const std::vector<std::byte>& bytes) { return 160 * bytes.size() + 32'768; };
  // Types of the fewest bytes, each with a part: nested vectors.
  std::vector<layout_bytes> vectors;
  for (std::uint64_t i = 0; i < 5000; ++i)
    vectors.push_back(with_numbers(head(dynamic_kind::vector, 8, 4), {i + 1}));
  vectors.push_back(head(dynamic_kind::byte, 1, 1));
  const auto nested = description_of(vectors);
  EXPECT_LE(taken_by(nested, true), bound(nested));
  // Parts of the fewest bytes: variants of 256 alternatives, each an empty name and a type.
  std::vector<layout_bytes> variants;
  for (std::uint64_t i = 0; i < 50; ++i) {
    std::vector<std::uint64_t> alternatives{256};
    for (int alternative = 0; alternative < 256; ++alternative) {
      alternatives.push_back(0);
      alternatives.push_back(i + 1);
    }
    variants.push_back(with_numbers(head(dynamic_kind::variant, 60 - i, 1), alternatives));
  }
  variants.push_back(with_numbers(head(dynamic_kind::array, 10, 1), {10, 51}));
  variants.push_back(head(dynamic_kind::byte, 1, 1));
  const auto wide = description_of(variants);
  EXPECT_LE(taken_by(wide, true), bound(wide));
  // Objects that need much more memory than the bytes that describe them.
  std::vector<layout_bytes> records;
  std::uint64_t size = 64'000'000;
  for (std::uint64_t i = 0; i < 4; ++i, size /= 40) {
    std::vector<member_of> members;
    for (std::uint64_t k = 0; k < 40; ++k) members.push_back({k * (size / 40), i + 1});
    records.push_back(record(size, 1, members));
  }
  records.push_back(record(size, 1, {}));
  const auto many = description_of(records);
  EXPECT_LE(taken_by(many, false), bound(many));
}
TEST(dynamic_memory, what_fails_takes_no_more) {
  const auto whole = copy(ingot::layout_of<tree>());
  for (std::size_t bit = 8 * 24; bit < 8 * (whole.size() - 8); bit += 3) {
    auto flipped = whole;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    const auto sealed = sealed_anew(flipped);
    const std::size_t taken = measure([&] { static_cast<void>(dynamic_layout::open(sealed)); });
    EXPECT_LE(taken, 160 * sealed.size() + 32'768) << bit;
  }
}

}} // namespace hostile_dynamic_memory
