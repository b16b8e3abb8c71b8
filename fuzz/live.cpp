// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a live block, with all operations on a block that `open` accepts: reading,
// absent lookups, growing, erasing, compacting and opening again. Operations on a text are also
// done on a `std::string`, and the results are compared. A progress callback does not change the
// result of validation. The first byte chooses the type; the rest is the block from its root on.
// The header is valid, since hardly any input would have the right fingerprints.
#include "zoo/live.hpp"

#include <ingot/document/live_value.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "fuzz.hpp"
#include "live/operations.hpp"
#include "with_progress.hpp"
#include "zoo/scalars.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct twig {
  ingot::string name;
  ingot::vector<twig> twigs;
  ingot::box<twig> last;
};

struct order {
  ingot::string id;
  ingot::live_value extra;
  ingot::vector<ingot::live_value> more;
};

/// Combinations of flags, as values and as keys.
struct permits {
  zoo::rights own{};
  ingot::vector<zoo::weather> days;
  ingot::map<zoo::rights, ingot::string> by_rights;
  ingot::hash_map<zoo::weather, std::uint8_t> hashed;
};

template <class T>
std::string try_block(ingot::bytes_view body) {
  const ingot::live<T> model(ingot::max_block_size{40'000});
  const auto header = model.bytes().first(ingot::detail::root_position);
  const std::size_t size = (header.size() + body.size()) / 8 * 8;
  std::vector<std::byte> block(header.begin(), header.end());
  block.insert(block.end(), body.begin(), body.end());
  block.resize(size);
  const std::uint64_t used = size;
  std::memcpy(block.data() + offsetof(ingot::detail::block_header, used), &used, sizeof used);
  constexpr ingot::max_block_size max_size{60'000};
  if (auto opened = ingot::live<T>::open(block, {.max_size = max_size}))
    live_test::exercise(*opened, {.texts = 16});
  return fuzz::compare_with_progress<ingot::live<T>>(block, body.size(), max_size);
}

} // namespace

std::string fuzz::one_input(ingot::bytes_view input) {
  if (input.empty() || input.size() > 32'768) return {};
  const auto body = input.subspan(1);
  const std::string failure = [&] {
    switch (std::to_integer<unsigned>(input[0]) % 5) {
    case 0: return try_block<zoo::live_cabinet>(body);
    case 1: return try_block<twig>(body);
    case 2: return try_block<zoo::live_card>(body);
    case 4: return try_block<permits>(body);
    default: return try_block<order>(body);
    }
  }();
  if (!failure.empty()) return failure;
  return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? "operations on a block disagree"
                                                                         : "";
}
