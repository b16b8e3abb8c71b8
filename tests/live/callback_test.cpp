// SPDX-License-Identifier: Apache-2.0
// The library calls code of the program: `valid`, progress callbacks, constructors, conversions,
// iterators. Such code may call the library. Inside the callback it must get the results that it
// gets outside, and the interrupted operation must continue unaffected.
#include <ingot/live/box.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

/// Runs when the library calls code of the program, but not inside itself.
struct callback {
  std::function<void()> run;
  std::size_t calls = 0;
  void operator()() {
    if (!run) return;
    const auto action = std::exchange(run, nullptr);
    ++calls;
    action();
    run = action;
  }
};
callback& interruption() {
  static callback one;
  return one;
}

struct tree {
  int id = 0;
  ingot::string name;
  ingot::vector<tree> kids;
};
struct flat {
  int id = 0;
  ingot::vector<ingot::string> names;
};
struct linked {
  int id = 0;
  ingot::box<linked> next;
  ingot::map<int, ingot::box<linked>> by_number;
};

void fill(tree& to, int depth, int& id) {
  to.id = ++id;
  to.name = "a name that is not short " + std::to_string(id);
  if (depth == 0) return;
  for (int i = 0; i < 3; ++i) fill(to.kids.emplace_back(), depth - 1, id);
}
ingot::live<tree> sample_tree(int depth = 2) {
  ingot::live<tree> block;
  int id = 0;
  fill(*block, depth, id);
  return block;
}
ingot::live<linked> sample_linked() {
  ingot::live<linked> block;
  linked* at = &*block;
  for (int i = 0; i < 6; ++i) {
    at->id = i;
    at->by_number[i].emplace().id = i;
    at = &at->next.emplace();
  }
  return block;
}

template <class T>
void add_outcome(std::string& to, const ingot::result<ingot::live<T>>& opened) {
  to += opened.has_value() ? std::to_string(opened->size()) : opened.error().message();
  to += '\n';
}

/// Opens damaged bytes, copies, compares, compacts and destroys. Returns the results as text.
template <class T>
std::string work_on(const ingot::live<T>& sound) {
  std::string seen;
  const auto bytes = sound.bytes();
  std::vector<std::byte> damaged(bytes.begin(), bytes.end());
  for (std::size_t at = 64; at < damaged.size(); at += 36) {
    damaged[at] ^= std::byte{0x41};
    add_outcome(seen, ingot::live<T>::open(damaged));
    damaged[at] ^= std::byte{0x41};
  }
  auto opened = ingot::live<T>::open(bytes);
  add_outcome(seen, opened);
  if (!opened) return seen;
  ingot::live<T> copy;
  copy = *sound;
  seen += std::to_string(copy.size()) + (copy == sound ? " same" : " other");
  copy.compact();
  seen += std::to_string(copy.size()) + (copy == sound ? " same" : " other");
  seen += copy.check().has_value() ? " whole" : " broken";
  if constexpr (requires { copy->kids; }) {
    copy->kids[1].kids[2].id = -1;
    seen += copy == sound ? " same" : " other";
    seen += copy->kids == sound->kids ? " same" : " other";
    copy->kids.emplace_back(sound->kids[0]); // another block
    copy->kids.insert(copy->kids.begin(), copy->kids[1]);
    seen += copy.check().has_value() ? " whole" : " broken";
    copy->kids.clear();
  } else if constexpr (requires { copy->next; }) {
    copy->next->next->id = -1;
    seen += copy == sound ? " same" : " other";
    copy->next = nullptr;
  } else {
    copy->names[3] = "other";
    seen += copy == sound ? " same" : " other";
    copy->names.clear();
  }
  seen += ' ' + std::to_string(copy.stats().free_bytes) + ' ' + std::to_string(copy.reclaim());
  return seen;
}
std::string work() {
  ingot::live<flat> third;
  for (int i = 0; i < 8; ++i) third->names.emplace_back(std::string(30, 'x'));
  return work_on(sample_tree()) + work_on(sample_linked()) + work_on(third);
}

/// Runs `operation`, which returns a text, and calls the library from each of its callbacks.
template <class F>
void expect_undisturbed(const F& operation) {
  static const std::string expected = work();
  interruption().run = nullptr;
  const std::string alone = operation();
  std::size_t different = 0;
  interruption().calls = 0;
  interruption().run = [&] { different += work() != expected; };
  const std::string interrupted = operation();
  interruption().run = nullptr;
  EXPECT_GT(interruption().calls, 0U);
  EXPECT_EQ(different, 0U) << "of " << interruption().calls;
  EXPECT_EQ(interrupted, alone);
}

/// `valid` is called for nodes of a recursive type, and for flat parts of a node.
struct polled_part {
  int id = 0;
  [[nodiscard]] bool valid() const {
    interruption()();
    return id != 13;
  }
};
struct polled_tree {
  polled_part part;
  ingot::vector<polled_tree> kids;
  [[nodiscard]] bool valid() const {
    interruption()();
    return part.id != 14;
  }
};
struct polled_flat {
  ingot::vector<polled_part> parts;
};

template <class T>
std::string opened_by_all_functions(ingot::live<T>& block) {
  std::string seen;
  const auto bytes = block.bytes();
  add_outcome(seen, ingot::live<T>::open(bytes));
  const auto listen = [](std::uint64_t, std::uint64_t) {
    interruption()();
    return true;
  };
  add_outcome(seen, ingot::live<T>::open(bytes, {.progress = listen}));
  auto copied = block.try_copy({.progress = listen});
  add_outcome(seen, copied);
  if (copied) seen += *copied == block ? "same" : "other";
  seen += block.check().has_value() ? "whole" : "broken";
  return seen;
}

TEST(live_callback, valid_may_call_the_library) {
  for (const int id : {0, 13, 14}) {
    expect_undisturbed([id] {
      ingot::live<polled_tree> block;
      block->kids.emplace_back().kids.emplace_back().part.id = id;
      block->kids.emplace_back().kids.emplace_back();
      return opened_by_all_functions(block);
    });
    expect_undisturbed([id] {
      ingot::live<polled_flat> block;
      block->parts.emplace_back().id = id;
      return opened_by_all_functions(block);
    });
  }
}

/// The tree is larger than two intervals between progress reports, with nodes of every level on
/// both sides of each report.
const ingot::live<tree>& big_tree() {
  static const auto big = [] {
    ingot::live<tree> block(ingot::max_block_size{std::size_t{8} << 20});
    int id = 0;
    fill(*block, 2, id);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) block->kids[1].kids[1].kids.emplace_back().name.assign(100'000, 'x');
    }
    return block;
  }();
  return big;
}

TEST(live_callback, progress_of_open_may_call_the_library) {
  expect_undisturbed([] {
    auto block = big_tree();
    return opened_by_all_functions(block);
  });
}

TEST(live_callback, progress_of_compact_may_call_the_library) {
  for (const bool assigns : {false, true}) {
    expect_undisturbed([assigns] {
      ingot::live<tree> block = big_tree();
      const auto listen = [](std::uint64_t, std::uint64_t) {
        interruption()();
        return true;
      };
      const auto done = assigns ? block.try_rebuild(*big_tree(), listen) : block.try_compact(listen);
      return (done ? std::to_string(block.size()) : done.error().message()) +
             (block == big_tree() ? "same" : "other");
    });
  }
}

/// The default constructor of this number, the conversions to it and its comparisons are code of
/// the program.
int next_number() {
  interruption()();
  return 7;
}
enum class light : std::uint8_t { red, green };
constexpr bool operator==(light a, light b) {
  if !consteval {
    interruption()();
  }
  return std::to_underlying(a) == std::to_underlying(b);
}
struct eager_tree {
  int id = next_number();
  light shines = light::red;
  ingot::vector<eager_tree> kids;
  ingot::string text;
};

/// A text, a number, a range and a tree that a program defines. Blocks are filled from them.
struct own_text {
  operator std::string_view() const { // NOLINT: implicit
    interruption()();
    return "a text that is longer than short ones are";
  }
};
struct own_number {
  operator int() const { // NOLINT: implicit
    interruption()();
    return 5;
  }
};
template <class T>
struct own_range {
  std::list<T> all;
  struct iterator {
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    typename std::list<T>::const_iterator at{};
    const T& operator*() const {
      interruption()();
      return *at;
    }
    iterator& operator++() {
      interruption()();
      return ++at, *this;
    }
    iterator operator++(int) {
      auto before = *this;
      return ++*this, before;
    }
    bool operator==(const iterator& other) const {
      interruption()();
      return at == other.at;
    }
  };
  [[nodiscard]] iterator begin() const { return {all.begin()}; }
  [[nodiscard]] iterator end() const { return {all.end()}; }
};
struct own_tree {
  own_number id;
  light shines = light::green;
  own_range<own_tree> kids;
  own_text text;
};
struct standard_tree {
  own_number id;
  light shines = light::green;
  std::vector<standard_tree> kids;
  own_text text;
};

std::string outline(const eager_tree& of) {
  std::string text = std::to_string(of.id) + std::string(of.text.view());
  for (const auto& each : of.kids) text += '(' + outline(each) + ')';
  return text;
}

// Compilers print names of types differently. Containers of the standard library stay on the list
// of a walk. Classes of the program do not, nor do views, because views compute their elements.
using ingot::detail::is_silent_source;
static_assert(is_silent_source<std::vector<int>>() && is_silent_source<std::string>() &&
              is_silent_source<std::list<own_text>>() && is_silent_source<ingot::vector<tree>>());
static_assert(!is_silent_source<own_range<int>>() && !is_silent_source<own_text>() &&
              !is_silent_source<std::ranges::iota_view<int>>());
static_assert(ingot::detail::defaults_silently<ingot::vector<tree>>() &&
              !ingot::detail::defaults_silently<eager_tree>());

TEST(live_callback, constructors_may_call_the_library) {
  expect_undisturbed([] {
    ingot::live<eager_tree> block;
    block->kids.emplace_back().kids.emplace_back().id = 3;
    block->kids[0].kids.emplace_back().kids.emplace_back().id = 4;
    ingot::live<eager_tree> copy;
    copy = *block;
    copy.compact();
    return outline(*copy) + (copy == block ? "same" : "other");
  });
}

TEST(live_callback, conversions_may_call_the_library) {
  expect_undisturbed([] {
    standard_tree from;
    from.kids.resize(3);
    from.kids[1].kids.resize(2);
    ingot::live<eager_tree> block(from);
    return outline(*block) + (block.check().has_value() ? "whole" : "broken");
  });
}

TEST(live_callback, ranges_may_call_the_library) {
  expect_undisturbed([] {
    own_tree from;
    from.kids.all.resize(3);
    from.kids.all.front().kids.all.resize(2);
    ingot::live<eager_tree> block(from);
    block->kids.append_range(from.kids);
    return outline(*block) + (block.check().has_value() ? "whole" : "broken");
  });
}

#if INGOT_EXCEPTIONS
/// An exception of user code leaves no entry on the list of the walk.
TEST(live_callback, exceptions_pass_and_leave_nothing) {
  const std::string expected = work();
  ingot::live<polled_tree> block;
  block->kids.emplace_back().kids.emplace_back();
  interruption().run = [] { throw std::runtime_error("no"); };
  EXPECT_THROW(static_cast<void>(ingot::live<polled_tree>::open(block.bytes())), std::runtime_error);
  standard_tree from;
  from.kids.resize(2);
  ingot::live<eager_tree> second;
  interruption().run = [] { throw std::runtime_error("no"); };
  EXPECT_THROW(second = from, std::runtime_error);
  interruption().run = nullptr;
  EXPECT_EQ(work(), expected);
}
#endif

} // namespace
