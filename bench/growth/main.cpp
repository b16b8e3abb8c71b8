// SPDX-License-Identifier: Apache-2.0
// The cost of a write that may find the block full. Blocks grow in address space that is reserved
// in advance. The alternative is a larger block and another attempt, with different ways to tell
// the writer. A vector of texts and a map are built entry by entry, 1.6 MB in the end.
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "../harness/keep.hpp"
#include "../harness/options.hpp"
#include "attack.hpp"

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bench { namespace {

constexpr std::size_t entries = 20'000;
constexpr std::size_t smallest = 64 * 1024; // the smallest slot
constexpr std::size_t enough = 4 << 20;
constexpr std::string_view text = "a text that does not fit in place";

struct catalogue {
  ingot::vector<ingot::string> texts;
  ingot::map<std::uint64_t, std::uint64_t> numbers;
};
using block = ingot::live<catalogue>;

struct plain_catalogue {
  std::vector<std::string> texts;
  std::map<std::uint64_t, std::uint64_t> numbers;
};

/// Returns keys that are not in ascending order.
std::uint64_t key(std::size_t i) { return i * 0x9E3779B97F4A7C15; }

template <class C>
bool is_whole(const C& c) {
  return c.texts.size() == entries && c.numbers.size() == entries && c.texts.back() == text &&
         c.numbers.find(key(7)) != c.numbers.end();
}
template <class C>
void write(C& c, std::size_t i) {
  c.texts.emplace_back(text);
  c.numbers.try_emplace(key(i), i);
}
/// As `write`, but in two steps. Each returns false, without an effect, if there is no space.
bool try_text(catalogue& c) { return c.texts.try_emplace_back(text) != nullptr; }
bool try_number(catalogue& c, std::size_t i) {
  return c.numbers.try_insert(key(i), i).first != c.numbers.end();
}

void grow(block& full, std::size_t factor) { full.reserve((factor - 1) * full.size()); }

void by_reserved_addresses(block& target) {
  for (std::size_t i = 0; i < entries; ++i) write(*target, i);
}
void by_exception(block& target, std::size_t factor) {
  for (std::size_t i = 0; i < entries; ++i) {
    for (bool done = false; !done;) {
      try {
        if (target->texts.size() == i) target->texts.emplace_back(text);
        target->numbers.try_emplace(key(i), i);
        done = true;
      } catch (const ingot::out_of_space&) {
        grow(target, factor);
      }
    }
  }
}
void by_result(block& target, std::size_t factor) {
  for (std::size_t i = 0; i < entries; ++i) {
    while (!try_text(*target)) grow(target, factor);
    while (!try_number(*target, i)) grow(target, factor);
  }
}
/// The writer jumps back to its start; no object on the path has a destructor.
void by_longjmp(block& target, std::size_t factor) {
  static std::jmp_buf again;
  static std::size_t i; // a local variable would have an indeterminate value after the jump
  for (i = 0; i < entries; ++i) {
    if (setjmp(again) != 0) grow(target, factor);
    if (target->texts.size() == i && !try_text(*target)) std::longjmp(again, 1);
    if (!try_number(*target, i)) std::longjmp(again, 1);
  }
}

template <class Grow>
void enter(suite& all, std::string_view name, std::size_t max_size, Grow grown) {
  all.add(
      "build", name, 0,
      [=](std::size_t) {
        block target(ingot::max_block_size{max_size});
        grown(target);
        escape(&target);
      },
      [=] {
        block target(ingot::max_block_size{max_size});
        grown(target);
        return is_whole(*target);
      });
}

}} // namespace bench

int main(int count, char** words) {
  using namespace bench;
  const auto options = read_options(count, words);
  suite all("growth", "reserved", options.rounds, options.only);
  enter(all, "reserved", enough, [](block& target) { by_reserved_addresses(target); });
  enter(all, "exception-x2", smallest, [](block& target) { by_exception(target, 2); });
  enter(all, "exception-x4", smallest, [](block& target) { by_exception(target, 4); });
  enter(all, "exception-enough", enough, [](block& target) { by_exception(target, 2); });
  enter(all, "longjmp-x2", smallest, [](block& target) { by_longjmp(target, 2); });
  enter(all, "longjmp-x4", smallest, [](block& target) { by_longjmp(target, 4); });
  enter(all, "longjmp-enough", enough, [](block& target) { by_longjmp(target, 2); });
  enter(all, "result-x2", smallest, [](block& target) { by_result(target, 2); });
  enter(all, "result-x4", smallest, [](block& target) { by_result(target, 4); });
  enter(all, "result-enough", enough, [](block& target) { by_result(target, 2); });
  all.add(
      "build", "std", 0,
      [](std::size_t) {
        plain_catalogue target;
        for (std::size_t i = 0; i < entries; ++i) write(target, i);
        escape(&target);
      },
      [] {
        plain_catalogue target;
        for (std::size_t i = 0; i < entries; ++i) write(target, i);
        return is_whole(target);
      });
  const attack attacks(all);
  return finish(all, "growth", options);
}
