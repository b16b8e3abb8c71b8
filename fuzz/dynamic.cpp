// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a live block that is read without its type. The first byte chooses the input:
//
// - a block of a type of this file, from its root on. Readers without the type must accept the
//   block if and only if readers with the type accept it;
// - the length of a description in two bytes, a description of any layout, and a block.
//   Fingerprints and the hash are corrected, so that they match.
//
// An accepted block must answer all queries. Compacting the block gives the same bytes as with the
// type, and the block can be rebuilt from its document. A description must be equal to the
// description that is written from its tables. The layout must lead to a schema, and the schema to
// a layout with an equal schema. Layouts are also compared with one another. Memory and time must
// stay within the documented bounds; memory is measured if the address sanitizer reports
// allocations.
#include <ingot/dynamic/build.hpp>
#include <ingot/dynamic/document.hpp>
#include <ingot/dynamic/layout_for.hpp>
#include <ingot/dynamic/same_layout.hpp>
#include <ingot/dynamic/schema_for.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>

#include "dynamic/hostile.hpp"
#include "dynamic/zoo.hpp"
#include "fuzz.hpp"
#include "with_progress.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INGOT_FUZZ_MEASURES 1
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                              void (*)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void*);
}
#endif
#endif
#ifndef INGOT_FUZZ_MEASURES
#define INGOT_FUZZ_MEASURES 0
#endif

namespace {

struct taken {
  std::int64_t now = 0;
  std::int64_t peak = 0;
};
taken memory;

/// Returns the peak memory of `call` in bytes; 0 without the address sanitizer.
template <class Call>
std::uint64_t memory_of(const Call& call) {
#if INGOT_FUZZ_MEASURES
  static const int installed = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t size) {
        memory.now += static_cast<std::int64_t>(size);
        if (memory.now > memory.peak) memory.peak = memory.now;
      },
      [](const volatile void* p) {
        if (p != nullptr) memory.now -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(p));
      });
  static_cast<void>(installed);
#endif
  memory = {};
  call();
  return static_cast<std::uint64_t>(memory.peak);
}
/// Returns true if `call` takes over two microseconds per step, which is enough even with
/// sanitizers.
template <class Call>
bool takes_longer(std::uint64_t steps, const Call& call) {
  const std::clock_t begun = std::clock();
  call();
  const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  return seconds > 0.1 + 2e-6 * static_cast<double>(steps);
}
template <class Call>
std::string within(std::uint64_t bytes, std::uint64_t steps, const Call& call) {
  bool slow = false;
  if (memory_of([&] { slow = takes_longer(steps, call); }) > bytes) return "more memory than was promised";
  return slow ? "more time than was promised" : "";
}

/// Returns a block: the header, then the body, cut to a multiple of 8 bytes. The length in the
/// header is corrected.
std::vector<std::byte> after_header(ingot::bytes_view header, ingot::bytes_view body) {
  std::vector<std::byte> block(header.begin(), header.end());
  block.insert(block.end(), body.begin(), body.end());
  block.resize(block.size() / 8 * 8);
  const std::uint64_t used = block.size();
  std::memcpy(block.data() + offsetof(ingot::detail::block_header, used), &used, sizeof used);
  return block;
}

constexpr ingot::build_block_options small{.max_bytes = std::size_t{1} << 22};

/// Compacts an accepted block without its type and with it, and compares the results.
template <class T, class P>
std::string compare_compacted(const ingot::dynamic_block& block) {
  auto typed = ingot::basic_live<T, P>::open(block.bytes());
  if (!typed || !typed->try_compact()) return "a block that its type can't compact";
  typed->scrub();
  const auto tight = ingot::compact_block(block, small);
  if (!tight) return "a block that can't be compacted: " + tight.error().message();
  if (!std::ranges::equal(tight->bytes(), typed->bytes()))
    return "a block is compacted otherwise than its type does it";
  const auto said = ingot::to_document(block.root());
  static_cast<void>(
      // JSON form
      ingot::to_document(block.root(), {.max_size = {1 << 22}, .form = ingot::value_format::json}));
  if (said) static_cast<void>(ingot::build_block(*said, block.layout(), small).has_value());
  return {};
}

template <class T, class P>
std::string try_block(ingot::bytes_view body) {
  static const auto layout = ingot::dynamic_layout::of<T, P>();
  if (!layout) return "the layout of a type is refused";
  const ingot::basic_live<T, P> model(ingot::max_block_size{40'000});
  const auto block = after_header(model.bytes().first(ingot::detail::root_position), body);
  // `block` is allocated with exactly its size, at a multiple of 16.
  const auto typed = ingot::basic_live_view<T, P>::open(block);
  const auto dynamic = ingot::dynamic_block::open(block, *layout);
  const auto with_progress =
      ingot::dynamic_block::open(block, *layout, [](std::uint64_t, std::uint64_t) { return true; });
  if (fuzz::verdict(dynamic) != fuzz::verdict(with_progress))
    return "validation with progress says something else";
  if (typed.has_value() != dynamic.has_value())
    return "a block is accepted with its type or without, not both";
  if (!dynamic) return {};
  dynamic_hostile::exercise all(block.size());
  all(dynamic->root());
  const std::string failure = all.failure();
  return failure.empty() ? compare_compacted<T, P>(*dynamic) : failure;
}

/// Checks the comparison of two layouts. It must be symmetric. Layouts are equal if and only if
/// their blocks have the same fingerprints; otherwise the error describes both layouts.
std::string compare_layouts(const ingot::dynamic_layout& a, const ingot::dynamic_layout& b) {
  const std::size_t both = a.bytes().size() + b.bytes().size();
  std::string failure;
  const auto compare = [&] {
    const auto there = ingot::same_layout(a, b);
    const auto back = ingot::same_layout(b, a);
    const bool same = a.schema_id() == b.schema_id() && a.layout_id() == b.layout_id();
    if (there.has_value() != same || back.has_value() != same) failure = "layouts are the same one way only";
    else if (!same && (there.error().expected().empty() || there.error().found().empty()))
      failure = "layouts differ in nothing";
  };
  const std::string slow = within(64 * both + 8'192, 64 * both, compare);
  return failure.empty() ? slow : failure;
}

/// Checks the schema of a layout. The schema must be readable, and a layout that is built for this
/// schema must have an equal schema. For any nesting of types, a schema has at most 262,144 parts
/// and 1 MiB of description, and takes at most as many steps as `layout_id`.
std::string try_schema(const ingot::dynamic_layout& layout) {
  static const auto known = ingot::dynamic_layout::of<dynamic_zoo::tables<ingot::narrow_policy>>();
  if (!known) return "the layout of a type is refused";
  if (std::string failure = compare_layouts(layout, *known); !failure.empty()) return failure;
  constexpr std::uint64_t max_part_count = std::uint64_t{1} << 18, max_bytes = std::uint64_t{1} << 20;
  constexpr std::uint64_t memory_of_part = 4 * sizeof(ingot::schema_node) + 4 * sizeof(ingot::schema_child);
  ingot::result<ingot::schema> described = ingot::fail(ingot::errc::invalid_value);
  if (std::string failure = within(max_part_count * memory_of_part + 16 * max_bytes, std::uint64_t{1} << 22,
                                   [&] { described = ingot::schema_for(layout); });
      !failure.empty())
    return "the schema of a layout: " + failure;
  if (!described) return {};
  if (ingot::schema_bytes(*described).size() > max_bytes) return "a schema with a longer description";
  const auto obvious = ingot::layout_for(*described);
  if (!obvious) return {};
  if (const auto failure = compare_layouts(layout, *obvious); !failure.empty()) return failure;
  const auto again = ingot::schema_for(*obvious);
  if (!again) return "a layout made for a schema has none: " + again.error().message();
  return again->id() == described->id() ? "" : "a layout made for a schema has another one";
}

std::string try_description(ingot::bytes_view input) {
  if (input.size() < 2) return {};
  const std::size_t length = std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1])
                                                                          << 8;
  input = input.subspan(2);
  if (length > input.size()) return {};
  // The hash is not in the input, since mutations can't guess it.
  std::vector<std::byte> description(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(length));
  description.resize(length + 8);
  const ingot::live<dynamic_zoo::scalars> model(ingot::max_block_size{40'000});
  auto header = dynamic_hostile::copy(model.bytes().first(ingot::detail::root_position));
  // A flag chooses the width of offsets.
  if (length > 5 && (description[5] & std::byte{2}) != std::byte{0}) {
    header[5] |= std::byte{2};
    const std::uint64_t prefix[]{0, 40};
    std::memcpy(header.data() + 40, prefix, sizeof prefix);
  }
  const auto block = after_header(header, input.subspan(length));
  const auto sealed = dynamic_hostile::sealed_anew(description);
  std::string failure = within(160 * sealed.size() + 32'768, 64 * sealed.size() + 4096,
                               [&] { static_cast<void>(ingot::dynamic_layout::open(sealed)); });
  if (failure.empty()) {
    if (const auto layout = ingot::dynamic_layout::open(sealed)) {
      if (failure = try_schema(*layout); !failure.empty()) return failure;
      auto fitting = block;
      const std::uint64_t ids[]{layout->layout_id(), layout->schema_id()};
      std::memcpy(fitting.data() + 8, ids, sizeof ids);
      failure = within(2 * block.size() + 20'480, 64 * block.size(),
                       [&] { static_cast<void>(ingot::dynamic_block::open_in_place(fitting, *layout)); });
      // Members that share bytes may have other values after a rebuild, so results aren't compared.
      // The rebuilt block is still validated.
      if (const auto any = ingot::dynamic_block::open_in_place(fitting, *layout)) {
        if (const auto tight = ingot::compact_block(*any, small); tight)
          static_cast<void>(ingot::compact_block(*tight, small).has_value());
        if (const auto said = ingot::to_document(any->root()); said)
          static_cast<void>(ingot::build_block(*said, *layout, small).has_value());
      }
    }
  }
  return failure.empty() ? dynamic_hostile::read_anything(description, block).failure : failure;
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  using namespace dynamic_zoo;
  using ingot::narrow_policy;
  if (input.empty() || input.size() > 32'768) return {};
  const auto body = input.subspan(1);
  switch (std::to_integer<unsigned>(input[0]) % 8) {
  case 0: return try_block<singles<narrow_policy>, narrow_policy>(body);
  case 1: return try_block<trees<narrow_policy>, narrow_policy>(body);
  case 2: return try_block<tables<narrow_policy>, narrow_policy>(body);
  case 3: return try_block<rings<narrow_policy>, narrow_policy>(body);
  case 4: return try_block<branch<narrow_policy>, narrow_policy>(body);
  case 5: return try_block<limited, narrow_policy>(body);
  default: return try_description(body);
  }
}
