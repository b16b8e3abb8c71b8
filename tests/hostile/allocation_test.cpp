// SPDX-License-Identifier: Apache-2.0
// Each allocation fails alone, and then each one with all after it. The error is `no_memory`,
// nothing leaks, and earlier contents are unchanged.
//
// Without exceptions, the standard containers end the program when memory runs out, and ingot can't
// change that. Only `ingot::buffer`, which allocates without throwing, is tested there.
#include <ingot/pack/view.hpp>

#include "hostile/crafted.hpp"
#include "hostile/failing_memory.hpp"
#include "zoo/games.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace hostile {
namespace {

using failing::memory;

#if INGOT_EXCEPTIONS

/// One attempt. Returns the code of its error, or nothing if it succeeded.
using attempt = std::function<std::optional<ingot::errc>()>;

template <class R>
std::optional<ingot::errc> code_of(const R& r) {
  return r ? std::nullopt : std::optional{r.error().code()};
}

/// Lets the n-th allocation fail, for n from 1 until the operation succeeds. Returns the number of
/// failed attempts.
std::size_t walk(std::string_view name, bool for_ever, const attempt& operation) {
  for (std::size_t n = 1; n < 100'000; ++n) {
    memory.count = 0;
    memory.fail_at = n;
    memory.for_ever = for_ever;
    const std::size_t before = memory.alive;
    memory.active = true;
    const auto outcome = operation();
    memory.active = false;
    if (memory.alive != before) {
      ADD_FAILURE() << name << ": the failure of allocation " << n << " leaks";
      return n;
    }
    if (!outcome) return n - 1;
    if (*outcome != ingot::errc::no_memory) {
      ADD_FAILURE() << name << ": the failure of allocation " << n << " is called "
                    << ingot::to_string(*outcome);
      return n;
    }
  }
  ADD_FAILURE() << name << " never succeeds";
  return 0;
}

#endif

/// A value that needs many allocations.
template <class T>
T busy_sample(std::uint64_t seed) {
  T best = zoo::sample<T>(seed);
  std::size_t largest = 0;
  for (std::uint64_t s = seed; s < seed + 20; ++s) {
    const T candidate = zoo::sample<T>(s);
    const auto size = ingot::packed_size(candidate);
    if (size && *size > largest && *size < 2000) {
      largest = *size;
      best = zoo::sample<T>(s);
    }
  }
  return best;
}

TEST(allocation, failing_in_a_buffer_leaves_it_as_it_was) {
  const auto value = busy_sample<zoo::monster>(3);
  for (const bool for_ever : {false, true}) {
    std::size_t failures = 0;
    for (const std::size_t filled : {std::size_t{0}, std::size_t{10}, std::size_t{100}}) {
      ingot::buffer sink;
      const std::vector<std::byte> old(filled, std::byte{0x5A});
      ASSERT_TRUE(sink.append(old));
      memory = {.active = true, .for_ever = for_ever, .fail_at = 1, .count = 0, .alive = memory.alive};
      const auto failed = ingot::pack_to(sink, value);
      memory.active = false;
      if (!failed) {
        ++failures;
        EXPECT_EQ(failed.error().code(), ingot::errc::no_memory);
        EXPECT_TRUE(std::ranges::equal(sink, old));
      }
      memory = {.active = true, .for_ever = for_ever, .fail_at = 1, .count = 0, .alive = memory.alive};
      const auto fresh = ingot::pack(value);
      memory.active = false;
      EXPECT_EQ(fresh.has_value(), !for_ever) << "a smaller piece may be had where the larger one was not";
    }
    // A single failure is survived: if the doubled capacity can't be allocated, the exact size may
    // be.
    EXPECT_EQ(failures, for_ever ? 3U : 0U);
  }
}

#if INGOT_EXCEPTIONS

template <class T>
void every_reader_and_writer(std::string_view name) {
  const T value = busy_sample<T>(1);
  const auto whole = ingot::pack(value);
  ASSERT_TRUE(whole) << name;
  std::size_t total = 0;
  for (const bool for_ever : {false, true}) {
    total += walk(name, for_ever, [&] { return code_of(ingot::unpack<T>(*whole)); });
    if constexpr (!ingot::detail::is_text<T>) {
      total += walk(name, for_ever, [&] {
        return code_of(ingot::detail::open_view<T>(ingot::as_bytes_view(*whole), false));
      });
    }
    total += walk(name, for_ever, [&] { return code_of(ingot::pack(value)); });
    total += walk(name, for_ever, [&] { return code_of(ingot::packed_size(value)); });
    total += walk(name, for_ever, [&] {
      bool active = std::exchange(memory.active, false); // only ingot's allocations are tested
      std::string sink = "kept, and long enough not to fit inside the string itself";
      const auto before = sink;
      memory.active = active;
      const auto written = ingot::pack_to(sink, value);
      active = std::exchange(memory.active, false);
      EXPECT_TRUE(written ? sink.size() == before.size() + *written : sink == before) << name;
      memory.active = active;
      return code_of(written);
    });
    total += walk(name, for_ever, [&] {
      const bool active = std::exchange(memory.active, false);
      T target = busy_sample<T>(2);
      memory.active = active;
      const auto read = ingot::unpack_into(target, *whole);
      memory.active = false;
      const bool usable = read || ingot::unpack_into(target, *whole); // still a valid value
      EXPECT_TRUE(usable) << name;
      EXPECT_TRUE(zoo::equal(target, value)) << name;
      memory.active = active;
      return code_of(read);
    });
  }
  std::printf("[ allocated ] %.*s: %zu failures\n", static_cast<int>(name.size()), name.data(), total);
}

TEST(allocation, failing_anywhere_is_no_memory) {
  every_reader_and_writer<std::string>("string");
  every_reader_and_writer<std::vector<std::string>>("vector_string");
  every_reader_and_writer<std::deque<std::string>>("deque_string");
  every_reader_and_writer<std::map<std::string, std::vector<std::string>>>("map");
  every_reader_and_writer<std::unordered_map<std::string, zoo::full_name>>("unordered_map");
  every_reader_and_writer<std::unordered_multimap<std::string, std::string>>("unordered_multimap");
  every_reader_and_writer<std::set<std::vector<std::uint8_t>>>("set_vector");
  every_reader_and_writer<std::map<std::u16string, std::uint8_t>>("map_u16string");
  every_reader_and_writer<std::filesystem::path>("path");
  every_reader_and_writer<zoo::mixture>("mixture");
  every_reader_and_writer<zoo::binary_tree>("binary_tree");
  every_reader_and_writer<zoo::folder>("folder");
  every_reader_and_writer<zoo::customer>("customer");
  every_reader_and_writer<zoo::network>("network");
  every_reader_and_writer<zoo::invoice>("invoice");
  every_reader_and_writer<zoo::character>("character");
  every_reader_and_writer<limited>("limited");
  every_reader_and_writer<wrapped>("wrapped");
}

/// A type with its own check, which needs an object: opening a view has to create one.
struct checked_text {
  std::string text;
  std::vector<std::string> more;
  [[nodiscard]] bool valid() const { return std::string(text) == text; }
};

TEST(allocation, failing_in_a_hook_is_no_memory) {
  const std::vector<checked_text> value(3, {std::string(100, 'x'), {std::string(50, 'y')}});
  const auto whole = ingot::pack(value).value();
  for (const bool for_ever : {false, true}) {
    EXPECT_GT(
        walk("unpack", for_ever, [&] { return code_of(ingot::unpack<std::vector<checked_text>>(whole)); }),
        3u);
    EXPECT_GT(
        walk("open", for_ever, [&] { return code_of(ingot::view<std::vector<checked_text>>::open(whole)); }),
        3u);
  }
}

/// Views show a member that an older writer lacks from a default, which is created on first use.
struct older {
  std::uint8_t id = 0;
};
struct newer {
  std::uint8_t id = 0;
  std::string note = "a default that is too long to lie inside the string itself";
};

} // namespace
} // namespace hostile

template <>
inline constexpr auto ingot::annotations<hostile::older> = ingot::annotate(ingot::type(ingot::evolvable));
template <>
inline constexpr auto ingot::annotations<hostile::newer> = ingot::annotate(ingot::type(ingot::evolvable));

namespace hostile {
namespace {

TEST(allocation, failing_in_a_default_is_no_memory) {
  const auto whole = ingot::pack(older{7}).value();
  std::size_t failures = 0;
  for (std::size_t n = 1; n < 100; ++n) {
    memory = {.active = true, .for_ever = true, .fail_at = n, .count = 0, .alive = memory.alive};
    const auto seen = ingot::view<newer>::open(whole);
    memory.active = false;
    if (seen) {
      EXPECT_EQ(seen->get<"note">(), newer{}.note);
      break;
    }
    ++failures;
    EXPECT_EQ(seen.error().code(), ingot::errc::no_memory);
  }
  EXPECT_GE(failures, 2u); // the text of the default, and its bytes
}

#endif

} // namespace
} // namespace hostile
