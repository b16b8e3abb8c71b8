// SPDX-License-Identifier: Apache-2.0
// Any bytes as a live block that is read without its type. A byte chooses: a block of a type that is here, which has to be refused or
// accepted as the type does it (what follows is the block from its root on); or a description of any layout, after two bytes that
// say how long it is, and a block behind it, both with the fingerprints and the hash that make them fit together.
#include <ingot/document/dynamic.hpp>
#include <ingot/live/live_view.hpp>

#include "document/dynamic_hostile.hpp"
#include "document/dynamic_zoo.hpp"
#include "fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// A block of `size` bytes behind the header that a new one has.
std::vector<std::byte> behind_header(ingot::bytes_view header, ingot::bytes_view body) {
  std::vector<std::byte> block(header.begin(), header.end());
  block.insert(block.end(), body.begin(), body.end());
  block.resize(block.size() / 8 * 8);
  const std::uint64_t used = block.size();
  std::memcpy(block.data() + offsetof(ingot::detail::block_header, used), &used, sizeof used);
  return block;
}

template <class T, class P>
std::string try_block(ingot::bytes_view body) {
  static const auto layout = ingot::dynamic_layout::of<T, P>();
  if (!layout) return "the layout of a type is refused";
  const ingot::basic_live<T, P> model(ingot::ceiling{40'000});
  const auto block = behind_header(model.bytes().first(ingot::detail::root_position), body);
  // An allocation of its size, at an address that is a multiple of 16.
  const auto typed = ingot::basic_live_view<T, P>::open(block);
  const auto dynamic = ingot::dynamic_block::open(block, *layout);
  if (typed.has_value() != dynamic.has_value())
    return "a block is accepted with its type or without, not both";
  if (!dynamic) return {};
  dynamic_hostile::exercise all;
  all(dynamic->root());
  return all.lost() == 0 ? "" : "a key that its own lookup does not find";
}

std::string try_description(ingot::bytes_view input) {
  if (input.size() < 2) return {};
  const std::size_t length = std::to_integer<std::size_t>(input[0]) | std::to_integer<std::size_t>(input[1])
                                                                          << 8;
  input = input.subspan(2);
  if (length > input.size()) return {};
  // The seal is not in the input: a mutation would have to guess it.
  std::vector<std::byte> description(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(length));
  description.resize(length + 8);
  const ingot::live<dynamic_zoo::scalars> model(ingot::ceiling{40'000});
  auto header = dynamic_hostile::copy(model.bytes().first(ingot::detail::root_position));
  // Offsets of which width says a flag.
  if (length > 5 && (description[5] & std::byte{2}) != std::byte{0}) {
    header[5] |= std::byte{2};
    const std::uint64_t prefix[]{0, 40};
    std::memcpy(header.data() + 40, prefix, sizeof prefix);
  }
  return dynamic_hostile::read_anything(description, behind_header(header, input.subspan(length))).failure;
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
