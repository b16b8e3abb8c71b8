// SPDX-License-Identifier: Apache-2.0
// Small messages that demand much: very deep nesting, elements that take no bytes, counts of 2^32.
// The limits and the size of the message must bound stack and work, whatever the message says.
#include <ingot/core/endian.hpp>
#include <ingot/pack/view.hpp>

#include "hostile/crafted.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hostile { namespace {

using bytes = std::vector<std::byte>;

void put(bytes& to, std::uint32_t word) {
  const std::size_t at = to.size();
  to.resize(at + sizeof word);
  ingot::store_le(to.data() + at, word);
}
void put(bytes& to, const bytes& more) { to.insert(to.end(), more.begin(), more.end()); }
std::uint32_t size_of(const bytes& b) { return static_cast<std::uint32_t>(b.size()); }

// Each chain nests `levels` times below the outermost record. The tests build them by hand, since
// the writer rejects them.

/// binary_tree: i32 value, end of left, end of right; a child is a tag and its record.
bytes tree_chain(std::size_t levels) {
  bytes message;
  std::size_t size = 12; // bytes below each level
  for (std::size_t i = 0; i < levels; ++i) size += 13;
  for (std::size_t i = 0; i <= levels; ++i) {
    if (i != 0) message.push_back(std::byte{1});
    put(message, 0u);
    const auto below = static_cast<std::uint32_t>(size - 12);
    put(message, below);
    put(message, below);
    size -= 13;
  }
  return message;
}
/// branch as a message: its size 5, value, end of kids, and the list: count 1, size 5, then end and
/// fixed part.
bytes branch_chain(std::size_t levels) {
  bytes record; // fixed part and tail of the innermost record: no kids
  record.push_back(std::byte{0});
  put(record, 8u);
  put(record, 0u);
  put(record, 5u);
  for (std::size_t i = 0; i < levels; ++i) {
    const bytes inner_tail(record.begin() + 5, record.end());
    bytes outer;
    outer.push_back(std::byte{0});
    put(outer, 8 + 4 + 5 + size_of(inner_tail));
    put(outer, 1u);
    put(outer, 5u);
    put(outer, size_of(inner_tail));
    put(outer, record);
    record = std::move(outer);
  }
  bytes message;
  put(message, 5u);
  put(message, record);
  return message;
}
/// pruned: value, end of kids; a list of one element is count 1, the fixed part, the tail.
bytes pruned_chain(std::size_t levels) {
  bytes record;
  record.push_back(std::byte{0});
  put(record, 4u);
  put(record, 0u);
  for (std::size_t i = 0; i < levels; ++i) {
    bytes outer;
    outer.push_back(std::byte{0});
    put(outer, 4 + size_of(record));
    put(outer, 1u);
    put(outer, record);
    record = std::move(outer);
  }
  return record;
}
/// burrow: depth, end of below; a set of two keys, each a tag and a burrow. The second key nests,
/// so that readers compare it with the first at every level.
bytes burrow_chain(std::size_t levels) {
  bytes record;
  record.push_back(std::byte{0});
  put(record, 4u);
  put(record, 0u);
  for (std::size_t i = 0; i < levels; ++i) {
    bytes list;
    put(list, 2u);
    put(list, 0u);                  // the first key is absent: no bytes
    put(list, 1 + size_of(record)); // end of the second key
    list.push_back(std::byte{1});
    put(list, record);
    bytes outer;
    outer.push_back(std::byte{0});
    put(outer, size_of(list));
    put(outer, list);
    record = std::move(outer);
  }
  return record;
}

/// `depth_limit` is the number of levels below the outermost record that the format allows.
template <class T>
void limit_holds(bytes (*chain)(std::size_t), const char* name, std::size_t depth_limit) {
  for (const std::size_t levels : {std::size_t{1}, std::size_t{126}, std::size_t{127}, std::size_t{128},
                                   std::size_t{129}, std::size_t{1280}, std::size_t{3'000}}) {
    const bytes message = chain(levels);
    const auto decoded = ingot::unpack<T>(message);
    const auto seen = ingot::detail::open_view<T>(message, false);
    EXPECT_EQ(decoded.has_value(), levels <= depth_limit) << name << " nested " << levels << " times";
    ASSERT_EQ(decoded.has_value(), seen.has_value()) << name << " nested " << levels << " times";
    if (decoded) {
      const auto again = ingot::pack(*decoded); // a value that was read can be written
      ASSERT_TRUE(again) << name << " nested " << levels << " times: " << again.error().message();
      EXPECT_TRUE(std::ranges::equal(*again, message)) << name;
    } else {
      EXPECT_EQ(decoded.error().code(), ingot::errc::too_deep) << name << ": " << decoded.error().message();
    }
  }
}

TEST(depth, ends_at_128_through_a_pointer) { limit_holds<zoo::binary_tree>(tree_chain, "binary_tree", 128); }
TEST(depth, ends_at_128_through_a_vector) { limit_holds<pruned>(pruned_chain, "pruned", 128); }
/// An evolvable message is itself a level.
TEST(depth, ends_at_128_through_evolvable_elements) { limit_holds<branch>(branch_chain, "branch", 127); }

/// Keys are read to be compared: the comparison must neither restart the count of levels nor double
/// the work at each level.
TEST(depth, ends_at_128_or_less_through_keys) {
  for (const std::size_t levels : {std::size_t{1}, std::size_t{30}, std::size_t{60}}) {
    const bytes message = burrow_chain(levels);
    const auto decoded = ingot::unpack<burrow>(message);
    EXPECT_TRUE(decoded) << levels << " levels: " << (decoded ? std::string{} : decoded.error().message());
    EXPECT_TRUE(ingot::view<burrow>::open(message));
  }
  for (const std::size_t levels : {std::size_t{129}, std::size_t{1280}, std::size_t{20'000}}) {
    const bytes message = burrow_chain(levels);
    EXPECT_FALSE(ingot::unpack<burrow>(message)) << levels << " levels";
    EXPECT_FALSE(ingot::view<burrow>::open(message)) << levels << " levels";
  }
}

TEST(depth, of_values_is_limited_by_the_writer) {
  for (const unsigned levels : {127u, 128u, 129u}) {
    pruned root;
    branch base;
    zoo::binary_tree tree;
    pruned* p = &root;
    branch* b = &base;
    zoo::binary_tree* t = &tree;
    for (unsigned i = 0; i < levels; ++i) {
      p = &p->kids.emplace_back();
      b = &b->kids.emplace_back();
      t->left = std::make_unique<zoo::binary_tree>();
      t = t->left.get();
    }
    EXPECT_EQ(ingot::pack(root).has_value(), levels <= ingot::max_depth) << levels;
    // is itself a level
    EXPECT_EQ(ingot::pack(base).has_value(), levels < ingot::max_depth) << levels;
    EXPECT_EQ(ingot::pack(tree).has_value(), levels <= ingot::max_depth) << levels;
  }
}

// --- work ----------------------------------------------------------------------------------------

std::size_t calls = 0;

/// Counts the calls of its check.
struct counted {
  std::uint8_t value = 0;
  [[nodiscard]] bool valid() const {
    ++calls;
    return true;
  }
};
struct counted_nothing {
  [[nodiscard]] bool valid() const {
    ++calls;
    return true;
  }
};
struct counted_tree {
  counted here;
  std::vector<counted_tree> kids;
};
struct counted_limited {
  counted here;
  std::vector<counted_limited> kids;
};
/// Keys that readers decode to compare them.
struct counted_key {
  counted here;
  std::vector<std::uint8_t> rest;
  friend bool operator<(const counted_key& a, const counted_key& b) {
    return a.here.value != b.here.value ? a.here.value < b.here.value : a.rest < b.rest;
  }
};

}} // namespace hostile

template <>
inline constexpr auto ingot::annotations<hostile::counted_limited> =
    ingot::annotate(ingot::member<"kids">(ingot::max_size(2000)));

namespace hostile { namespace {

/// The decoder and the view's validator together call the type's own check at most 8 times for each
/// byte of the message.
template <class T>
void work_is_bounded(const bytes& message, const char* name, bool accepted, std::size_t allowance = 0) {
  calls = 0;
  EXPECT_EQ(ingot::unpack<T>(message).has_value(), accepted) << name;
  EXPECT_LE(calls, 8 * message.size() + allowance) << name << ", decoded";
  const std::size_t decoder = calls;
  calls = 0;
  EXPECT_EQ(ingot::detail::open_view<T>(message, false).has_value(), accepted) << name;
  EXPECT_LE(calls, 8 * message.size() + allowance) << name << ", opened";
  std::printf("[     work ] %s: %zu bytes, %zu calls to decode, %zu to open\n", name, message.size(), decoder,
              calls);
}

TEST(work, is_within_eight_times_the_bytes) {
  work_is_bounded<std::vector<counted>>(bytes(10'000), "vector of hooked bytes", true);

  std::vector<std::vector<std::vector<counted>>> deep(20, std::vector(20, std::vector(20, counted{})));
  const auto packed = ingot::pack(deep).value();
  work_is_bounded<decltype(deep)>({packed.begin(), packed.end()}, "vectors of vectors", true);

  for (const std::size_t levels : {std::size_t{100}, std::size_t{128}, std::size_t{1280}}) {
    work_is_bounded<counted_tree>(pruned_chain(levels), "recursive", levels <= ingot::max_depth);
    work_is_bounded<counted_limited>(pruned_chain(levels), "recursive and limited",
                                     levels <= ingot::max_depth);
  }

  // A deep chain that ends in many leaves: a reader that reads each level again for each level
  // above it reads the leaves 100 times.
  counted_limited root;
  counted_limited* bottom = &root;
  for (int i = 0; i < 100; ++i) bottom = &bottom->kids.emplace_back();
  bottom->kids.resize(2000);
  const auto broad = ingot::pack(root).value();
  work_is_bounded<counted_limited>({broad.begin(), broad.end()}, "deep, then broad", true);

  std::set<counted_key> keys;
  for (int i = 0; i < 200; ++i) keys.insert({{static_cast<std::uint8_t>(i)}, {1, 2, 3}});
  const auto sorted = ingot::pack(keys).value();
  work_is_bounded<std::set<counted_key>>({sorted.begin(), sorted.end()}, "keys decoded to be compared", true);
}

TEST(work, on_elements_of_size_zero_ends_at_65536) {
  for (const std::uint32_t count :
       {0u, 1u, 65'535u, 65'536u, 65'537u, 0x7FFF'FFFFu, 0x8000'0000u, 0xFFFF'FFFFu}) {
    bytes message;
    put(message, count);
    work_is_bounded<std::vector<counted_nothing>>(message, "elements of size zero", count <= 65'536, 65'536);
    EXPECT_EQ(ingot::unpack<std::vector<zoo::nothing>>(message).has_value(), count <= 65'536) << count;
    EXPECT_EQ((ingot::unpack<std::vector<std::array<std::string, 0>>>(message).has_value()), count <= 65'536);
  }
}

/// Many lists, each with the maximum count of one list: the limit holds for the whole message.
TEST(work, on_elements_of_size_zero_is_limited_for_the_whole_message) {
  for (const std::uint32_t lists : {1u, 2u, 3u, 1000u}) {
    for (const std::uint32_t each : {1u, 32'768u, 65'536u}) {
      bytes message;
      put(message, lists);
      for (std::uint32_t i = 1; i <= lists; ++i) put(message, i * 4);
      for (std::uint32_t i = 0; i < lists; ++i) put(message, each);
      const bool fits = std::uint64_t{lists} * each <= 65'536;
      work_is_bounded<std::vector<std::vector<counted_nothing>>>(message, "lists of elements of size zero",
                                                                 fits, 65'536);
    }
  }
}

/// An element counts once, with or without annotation.
TEST(work, on_limited_elements_of_size_zero_counts_each_once) {
  limited value;
  value.blanks.resize(50'000);
  const auto packed = ingot::pack(value);
  ASSERT_TRUE(packed);
  EXPECT_TRUE(ingot::unpack<limited>(*packed));
  EXPECT_TRUE(ingot::view<limited>::open(*packed));
}

/// Readers compare a count with the remaining bytes before they allocate anything for it.
TEST(work, for_a_count_that_the_bytes_cannot_hold_is_none) {
  for (const std::uint32_t count :
       {2u, 1000u, 0x0FFF'FFFFu, 0x2AAA'AAABu, 0x4000'0001u, 0x7FFF'FFFFu, 0xFFFF'FFFFu}) {
    bytes message;
    put(message, count);
    put(message, 0u);
    EXPECT_FALSE(ingot::unpack<std::vector<std::string>>(message)) << count;
    EXPECT_FALSE(ingot::unpack<std::vector<zoo::full_name>>(message)) << count;
    EXPECT_FALSE((ingot::unpack<std::map<std::string, std::string>>(message))) << count;
    for (const std::uint32_t size : {0u, 1u, 5u, 0x3FFF'FFFFu, 0xFFFF'FFFBu, 0xFFFF'FFFCu, 0xFFFF'FFFFu}) {
      bytes sized;
      put(sized, count);
      put(sized, size);
      put(sized, 0u);
      EXPECT_FALSE(ingot::unpack<std::vector<zoo::sensor_v2>>(sized)) << count << " of " << size;
      EXPECT_FALSE(ingot::view<std::vector<zoo::sensor_v2>>::open(sized)) << count << " of " << size;
    }
  }
}

// --- stack ---------------------------------------------------------------------------------------

/// Runs `f` in a thread whose stack was filled with a pattern, and returns how many bytes were
/// overwritten.
std::size_t stack_used(const std::function<void()>& f) {
  constexpr std::size_t size = 8u << 20;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const all = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) != 0) return 0;
  auto* const stack = static_cast<unsigned char*>(all) + page;
  std::memset(stack, 0xA5, size);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, size);
  pthread_t thread{};
  void* (*run)(void*) = [](void* call) -> void* {
    (*static_cast<const std::function<void()>*>(call))();
    return nullptr;
  };
  std::size_t used = 0;
  if (pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&f)) == 0) {
    pthread_join(thread, nullptr);
    std::size_t untouched = 0;
    while (untouched < size && stack[untouched] == 0xA5) ++untouched;
    used = size - untouched;
  }
  pthread_attr_destroy(&attributes);
  munmap(all, size + page);
  return used;
}

template <class T>
void stack_is_bounded(bytes (*chain)(std::size_t), const char* name) {
  const bytes depth_limit = chain(ingot::max_depth - 1);
  const bytes endless = chain(5'000);
  const std::size_t idle = stack_used([] {});
  ASSERT_NE(idle, 0u);
  const auto report = [&](const char* what, const std::function<void()>& f) {
    const std::size_t used = stack_used(f) - idle;
    std::printf("[    stack ] %s, %s: %zu bytes\n", name, what, used);
#if !INGOT_SANITIZED && defined(__OPTIMIZE__)
    EXPECT_LE(used, 64u * 1024) << name << ", " << what;
#endif
  };
  report("decoded at depth 127", [&] { static_cast<void>(ingot::unpack<T>(depth_limit)); });
  report("decoded, 5,000 deep", [&] { static_cast<void>(ingot::unpack<T>(endless)); });
  report("opened at depth 127", [&] { static_cast<void>(ingot::detail::open_view<T>(depth_limit, false)); });
  report("opened, 5,000 deep", [&] { static_cast<void>(ingot::detail::open_view<T>(endless, false)); });
  auto value = ingot::unpack<T>(depth_limit);
  ASSERT_TRUE(value);
  report("written at depth 127", [&] { static_cast<void>(ingot::pack(*value)); });
}

TEST(stack, for_the_deepest_message_is_within_64_kib) {
  stack_is_bounded<zoo::binary_tree>(tree_chain, "binary_tree");
  stack_is_bounded<pruned>(pruned_chain, "pruned");
  stack_is_bounded<branch>(branch_chain, "branch");
}

}} // namespace hostile
