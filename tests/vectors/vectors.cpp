// SPDX-License-Identifier: Apache-2.0
// Runs functions that process sixteen bytes at a time, if the processor can, on random inputs. Each
// line of output has the name of the function, the inputs, and a hash of all results. This is built
// with such instructions and as for a processor without them, and for another processor.
// tests/vectors/compare.py checks that all print the same lines.
//
// vectors [MILLIONS] [SEED]
#include <ingot/document/detail/interchange_token.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>
#include <ingot/live/detail/reserved_bits_check.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/hash_set.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/set.hpp>
#include <ingot/live/string.hpp>
#include <ingot/reflect/hooks.hpp>

#include "file/unshuffle.hpp"
#include "json/escape.hpp"
#include "json/format.hpp"
#include "json/key_paths.hpp"
#include "json/plain_value.hpp"
#include "json/string_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#if defined(WITH_SIMDJSON)
#include <simdjson.h>
#endif

namespace {

/// SplitMix64, which takes few instructions, since an emulator runs them one by one.
class random_numbers {
public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
  }
  /// Fills memory. The last bytes are from a number of their own.
  void fill(void* to, std::size_t size) {
    for (std::size_t i = 0; i < size; i += 8) {
      const std::uint64_t word = (*this)();
      std::memcpy(static_cast<char*>(to) + i, &word, std::min<std::size_t>(8, size - i));
    }
  }

private:
  std::uint64_t state_;
};

constexpr std::size_t block = 100'000; // inputs in a line, so that a difference can be reproduced

/// FNV-1a, one word at a time.
class digest {
public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001B3 + (hash_ >> 47); }
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const char*>(bytes) + i, std::min<std::size_t>(8, size - i));
      add(word);
    }
    add(size);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

class runner {
public:
  runner(std::size_t inputs, std::uint64_t seed)
      : blocks_(std::max<std::size_t>(1, inputs / block)), seed_(seed) {}

  /// Calls `f(random, digest)`, which returns the number of inputs that it used.
  template <class F>
  void run(const char* name, F&& f) const {
    std::uint64_t number = 0;
    for (const char* c = name; *c != 0; ++c) number = number * 31 + static_cast<unsigned char>(*c);
    for (std::size_t b = 0; b < blocks_; ++b) {
      random_numbers random(seed_ * 1'000'003 + b + (number << 32));
      digest all;
      for (std::size_t done = 0; done < block;) done += f(random, all);
      std::printf("%s %zu %016llx\n", name, b, static_cast<unsigned long long>(all.value()));
    }
  }

private:
  std::size_t blocks_;
  std::uint64_t seed_;
};

/// Returns a small length, often one at which implementations change their method.
[[nodiscard]] std::size_t length(random_numbers& random) {
  constexpr std::size_t edges[]{0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48};
  return random() % 2 == 0 ? edges[random() % std::size(edges)] : random() % 70;
}
/// Memory that ends where reading is not allowed, so that a read after its end ends the program.
class guarded_memory {
public:
  guarded_memory() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const both = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) std::abort();
    end_ = static_cast<char*>(both) + page;
    if (mprotect(end_, page, PROT_NONE) != 0) std::abort();
  }
  /// Copies a text so that `after` bytes follow it in the memory.
  [[nodiscard]] std::string_view put(std::string_view text, std::size_t after = 0) {
    char* const to = end_ - after - text.size();
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

private:
  char* end_ = nullptr;
};

/// Returns text with few characters that are not plain, or random bytes.
[[nodiscard]] std::string text(random_numbers& random) {
  std::string chars(length(random), 'a');
  const bool is_noise = random() % 8 == 0;
  random.fill(chars.data(), chars.size());
  for (char& c : chars) {
    if (!is_noise) c = static_cast<char>(' ' + static_cast<unsigned char>(c) % 95);
    if (c == '"' || c == '\\') c = 'q';
  }
  constexpr char rare[]{'"', '\\', '\n', '\0', '\x1F', '\x7F', '\x80', '\xFF', '\xC3'};
  for (auto left = random() % 3; left != 0 && !chars.empty(); --left) {
    const std::size_t at = random() % chars.size();
    chars[at] = rare[random() % std::size(rare)];
  }
  return chars;
}

std::size_t lanes_of_documents(random_numbers& random, digest& to) {
  namespace doc = ingot::detail::doc;
  std::array<std::uint16_t, 16> lanes{};
  const std::uint64_t bits = random() % 17;
  random.fill(lanes.data(), sizeof lanes);
  for (auto& each : lanes) each = static_cast<std::uint16_t>(each & ((std::uint32_t{1} << bits) - 1));
  if (random() % 2 == 0) std::ranges::sort(lanes);
  const auto wanted = static_cast<std::uint16_t>(random() % 2 == 0 ? lanes[random() % 16] : random());
  const auto* const from = reinterpret_cast<const std::byte*>(lanes.data());
  to.add(doc::match_lanes(from, doc::twice_hash::of(wanted)));
  to.add(doc::lanes_below(from, wanted));
  return 1;
}

std::size_t tags_of_tables(random_numbers& random, digest& to) {
  std::array<std::uint8_t, 16> tags{};
  std::array<std::uint32_t, 16> choices{};
  random.fill(choices.data(), sizeof choices);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::uint32_t choice = choices[i];
    if (choice % 3 != 0)
      tags[i] = static_cast<std::uint8_t>(choice >> 8 & 3 ? 0x80 | (choice >> 16 & 3) : choice >> 16);
  }
  const ingot::detail::tag_group group(tags.data());
  to.add(group.full());
  to.add(group.with(static_cast<std::uint8_t>(random() % 2 == 0 ? tags[random() % 16] : random())));
  return 1;
}

std::size_t reserved_bits(random_numbers& random, digest& to) {
  std::array<std::byte, 32> bytes{};
  std::array<std::byte, 32> forbidden{};
  random.fill(bytes.data(), bytes.size());
  for (auto& each : forbidden) each = std::byte{0};
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t number = random();
    forbidden[number % 32] = static_cast<std::byte>(1U << (number / 32 % 8));
  }
  if (random() % 2 == 0) forbidden.back() = static_cast<std::byte>(0xF);
  ingot::detail::reserved_bits_check check;
  check.look<32, 3>(bytes.data(), forbidden.data());
  to.add(check.none());
  return 1;
}

template <class Number>
std::size_t moves_in_leaves(random_numbers& random, digest& to) {
  std::array<Number, 16> numbers{};
  random.fill(numbers.data(), sizeof numbers);
  auto* const at = reinterpret_cast<std::byte*>(numbers.data());
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t position_bits = random(); // two calls as arguments would have no order
    ingot::detail::insert_into_sixteen<Number>(at, position_bits % 16, static_cast<Number>(random()));
    ingot::detail::erase_from_sixteen<Number>(at, position_bits / 16 % 16, static_cast<Number>(random()));
  }
  to.add(numbers.data(), sizeof numbers);
  return 8;
}

/// Looks up all keys of an object with one to eighty keys, and one absent key for each.
std::size_t lookups_in_documents(random_numbers& random, digest& to) {
  ingot::document_writer writer({.repeated_keys = ingot::key_policy::last_wins});
  std::vector<std::string> keys;
  writer.begin_object();
  for (auto left = 1 + random() % (random() % 2 == 0 ? 20 : 80); left != 0; --left) {
    std::string key = "k" + std::to_string(random() % 2000);
    if (random() % 10 == 0) key.append(random() % 40, 'x');
    writer.key(key);
    writer.integer(static_cast<std::int64_t>(random() % 1000));
    keys.push_back(key);
  }
  writer.end();
  const auto document = writer.finish();
  if (!document) std::abort();
  for (const auto& key : keys) {
    to.add(static_cast<std::uint64_t>((*document)[key].value_or(std::int64_t{-1})));
    to.add(static_cast<std::uint64_t>((*document)[key + "y"].value_or(std::int64_t{-1})));
  }
  to.add(document->bytes().data(), document->bytes().size());
  return 2 * keys.size();
}

/// Adds the results of edits and lookups in a container, and finally its elements and size.
template <class T, class Key, class Put>
std::size_t lookups_in_blocks(random_numbers& random, digest& to, const Key& key, const Put& put) {
  ingot::live<T> container(ingot::max_block_size{std::size_t{1} << 20});
  const auto edits = 1 + random() % 200;
  for (std::uint64_t i = 0; i < edits; ++i) {
    const auto wanted = key(random);
    if (random() % 4 == 0) to.add(container->erase(wanted));
    else put(*container, wanted);
    const auto other = key(random);
    to.add(container->find(other) == container->end() ? 0 : 1);
    to.add(container->count(wanted));
  }
  for (const auto& each : *container) to.add(&each, sizeof each); // the elements are only numbers
  to.add(container.bytes().size());
  return 3 * edits;
}

std::size_t digits(random_numbers& random, digest& to) {
  namespace json = ingot::json::detail;
  const std::uint64_t number = random() >> random() % 64;
  std::array<char, 64> written{};
  char* const end = json::put_natural(written.data(), number);
  to.add(written.data(), static_cast<std::size_t>(end - written.data()));
  json::sixteen_digits sixteen(number % 10'000'000'000'000'000);
  sixteen.put(written.data());
  to.add(written.data(), 16);
  to.add(sixteen.size_without_zeros());
  std::array<char, 24> around{};
  std::memcpy(around.data() + 4, written.data(), 16);
  const std::size_t size = random() % 17;
  if (random() % 4 == 0) {
    const std::size_t at = 4 + random() % 16;
    around[at] = static_cast<char>(random());
  }
  std::uint64_t value = 0;
  const bool good = json::last_digits(around.data() + 20, size, value);
  to.add(good);
  if (good) to.add(value);
  return 1;
}

std::size_t plain_text(random_numbers& random, digest& to) {
  namespace json = ingot::json::detail;
  static guarded_memory memory;
  const std::string source_text = text(random);
  const std::string_view from = memory.put(source_text);
  std::string written(from.size() + 32, '#');
  std::uint32_t high = 0;
  // The number of bytes that are copied before an escape differs.
  const std::size_t size = json::put_unescaped(written.data(), from, high);
  if (size > from.size() || written.compare(0, size, from, 0, size) != 0) std::abort();
  to.add(size == from.size());
  if (size == from.size()) to.add(high != 0);
  std::string all(json::max_escape_size * from.size() + json::escape_slack, '#');
  high = 0;
  const char* const end = json::put_escaped(all.data(), from, high);
  to.add(all.data(), static_cast<std::size_t>(end - all.data()));
  to.add(high != 0);
  to.add(json::has_escape(from, from.size()));
  const auto with_more = memory.put(source_text + std::string(16, '\\'));
  to.add(json::has_escape(with_more.substr(0, source_text.size()), with_more.size()));
  std::string out;
  const std::size_t more = random() % 32;
  const std::string_view input = memory.put(source_text + '"' + std::string(more, 'z'));
  // The function decides which texts it assigns; if it assigns one, the result must be correct.
  if (json::assign_short(input.data(), input.size(), out)) {
    const auto inside = input.substr(0, input.find('"'));
    if (out != inside || inside.size() > 15 || inside.find('\\') != std::string_view::npos) {
      std::printf("assign_short made \"%s\" of \"%s\"\n", out.c_str(), source_text.c_str());
      std::exit(1);
    }
  }
  if (input.size() >= 32 && json::assign_medium(input.data(), out)) {
    const auto inside = input.substr(0, input.find('"'));
    if (out != inside || inside.size() > 31 || inside.find('\\') != std::string_view::npos) {
      std::printf("assign_medium made \"%s\" of \"%s\"\n", out.c_str(), source_text.c_str());
      std::exit(1);
    }
  }
  return 1;
}

/// Looks up keys of records. Most keys differ from the stored key in one character at most.
std::size_t keys_in_text(random_numbers& random, digest& to) {
  namespace json = ingot::json::detail;
  static guarded_memory memory;
  json::key_paths paths;
  std::array<char, 32> stored{};
  std::ranges::fill(stored, 'k');
  const std::size_t size = 1 + random() % json::key_paths::longest_key;
  if (!paths.start() || paths.add(json::key_paths::root, stored.data(), size) == json::key_paths::nowhere)
    std::abort();
  json::member_reader member{};
  member.quoted = stored.data();
  member.quoted_bits = static_cast<std::uint32_t>((std::uint64_t{2} << random() % stored.size()) - 1);
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t number = random();
    std::array<char, 32> other = stored;
    if (number % 3 != 0) other[number / 3 % other.size()] = static_cast<char>(number >> 32);
    const auto all = memory.put({other.data(), other.size()});
    to.add(json::begins_with(all.data(), member));
    const std::size_t readable = size + (number >> 40) % (other.size() - size + 1);
    const auto key = memory.put({other.data(), readable});
    to.add(paths.find(json::key_paths::root, key.data(), size, key.size()));
  }
  return 16;
}

/// Compares all validators of UTF-8, on text that is mostly valid: character by character, ASCII
/// words first, and each of simdjson's kernels that this processor can run. The last of these
/// kernels uses no vectors.
std::size_t utf8(random_numbers& random, digest& to) {
  std::string from;
  for (auto left = length(random) / 4; left != 0; --left) {
    constexpr std::string_view pieces[]{"a",
                                        "plain text of ASCII",
                                        "\xC2\x80",
                                        "\xDF\xBF",
                                        "\xE0\xA0\x80",
                                        "\xED\x9F\xBF",
                                        "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80",
                                        "\xF4\x8F\xBF\xBF"};
    from += pieces[random() % std::size(pieces)];
  }
  for (auto left = random() % 3; left != 0 && !from.empty(); --left) {
    const std::size_t at = random() % from.size();
    if (random() % 3 == 0) from.resize(at);
    else from[at] = static_cast<char>(random() % 2 == 0 ? random() : 0x80 + random() % 64);
  }
  const bool is_good = ingot::detail::is_utf8(from);
  bool all_agree = ingot::detail::interchange::is_text(from) == is_good;
#if defined(WITH_SIMDJSON)
  static const auto kernels = [] { // getting the list takes longer than using the kernels
    std::vector<const simdjson::implementation*> supported;
    for (const auto* const each : simdjson::get_available_implementations()) {
      if (each->supported_by_runtime_system()) supported.push_back(each);
    }
    return supported;
  }();
  for (const auto* const kernel : kernels)
    all_agree = all_agree && kernel->validate_utf8(from.data(), from.size()) == is_good;
#endif
  if (!all_agree) {
    std::printf("not of one opinion, whether this is UTF-8:");
    for (const char c : from) std::printf(" %02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    std::printf("\n");
    std::exit(1);
  }
  to.add(is_good);
  return 1;
}

template <std::size_t W>
std::size_t columns(random_numbers& random, digest& to) {
  std::size_t n = length(random);
  n += length(random);
  const std::size_t apart = n + random() % 3;
  std::vector<std::byte> planes(apart * W + 1);
  random.fill(planes.data(), planes.size());
  std::vector<std::byte> back(n * W + 1, std::byte{0x5A});
  ingot::detail::unshuffle<W>(planes.data(), apart, n, back.data());
  to.add(back.data(), back.size());
  return 1 + n;
}

} // namespace

int main(int count, char** arguments) {
  const double millions = count > 1 ? std::atof(arguments[1]) : 1;
  const runner all(static_cast<std::size_t>(millions * 1e6),
                   count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  all.run("document_lanes", lanes_of_documents);
  all.run("hash_tags", tags_of_tables);
  all.run("reserved_bits", reserved_bits);
  all.run("leaf_moves_1", moves_in_leaves<std::uint8_t>);
  all.run("leaf_moves_2", moves_in_leaves<std::uint16_t>);
  all.run("leaf_moves_4", moves_in_leaves<std::uint32_t>);
  all.run("leaf_moves_8", moves_in_leaves<std::uint64_t>);
  all.run("document_lookups", lookups_in_documents);
  const auto few = [](random_numbers& random) { return static_cast<std::uint32_t>(random() % 300); };
  const auto many = [](random_numbers& random) { return random() % 2 == 0 ? random() % 300 : random(); };
  const auto put = [](auto& to, const auto& key) { to.insert(key); };
  all.run("hash_set", [&](random_numbers& r, digest& d) {
    return lookups_in_blocks<ingot::hash_set<std::uint64_t>>(r, d, many, put);
  });
  all.run("tree_4", [&](random_numbers& r, digest& d) {
    return lookups_in_blocks<ingot::set<std::uint32_t>>(r, d, few, put);
  });
  all.run("tree_8", [&](random_numbers& r, digest& d) {
    return lookups_in_blocks<ingot::set<std::uint64_t>>(r, d, many, put);
  });
  all.run("digits", digits);
  all.run("plain_text", plain_text);
  all.run("keys_in_text", keys_in_text);
  all.run("utf8", utf8);
  all.run("columns_2", columns<2>);
  all.run("columns_4", columns<4>);
  all.run("columns_8", columns<8>);
  return 0;
}
