// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes for a reader with a memory limit. The first byte chooses the reader, two bytes
// the limit; the rest is read.
#include "limits.hpp"

#include <ingot/core/endian.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/evolution.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/protobuf/document.hpp>
#include <ingot/protobuf/read.hpp>

#include "dynamic/chest.hpp"
#include "fuzz.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

using dynamic_chest::chest;
using ingot::bytes_view;

struct part {
  std::string name;
  std::vector<part> inside;
  std::unique_ptr<part> next;
  std::map<std::string, std::uint64_t> ordered;
  std::unordered_set<std::uint32_t> hashed;
  std::vector<double> numbers;
  std::list<std::string> texts;
};
struct older {
  std::vector<std::uint8_t> numbers;
  std::vector<std::string> texts;
};
struct newer {
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> texts;
  std::vector<part> added;
};

constexpr auto same_bytes = [](const auto& a, const auto& b) {
  return std::ranges::equal(ingot::as_bytes_view(ingot::pack(a).value()),
                            ingot::as_bytes_view(ingot::pack(b).value()));
};
constexpr auto same_documents = [](const auto& a, const auto& b) { return a == b; };

} // namespace

std::string fuzz::one_input(bytes_view input) {
  if (input.size() < 3 || input.size() > 32'768) return {};
  const unsigned what = std::to_integer<unsigned>(input[0]) % 8;
  const std::uint64_t limit = std::uint64_t{ingot::load_le<std::uint16_t>(input.data() + 1)} * 4;
  const bytes_view bytes = input.subspan(3);
  const auto typed = [&](const auto& read) {
    return read_with_limit(
        limit, [&](std::uint64_t max_memory) { return read(ingot::read_limits{.max_memory = max_memory}); },
        same_bytes);
  };
  const auto limited = [&](const auto& read) { return read_with_limit(limit, read, same_documents); };
  switch (what) {
  case 0: return typed([&](const auto& limits) { return ingot::unpack<chest>(bytes, {.limits = limits}); });
  case 1:
    return typed(
        [&](const auto& limits) { return ingot::compact::unpack<chest>(bytes, {.limits = limits}); });
  case 2:
    return read_with_limit(
        limit,
        [&](std::uint64_t max_memory) {
          return ingot::protobuf::read<chest>(bytes, {.max_memory = max_memory});
        },
        same_bytes);
  case 3: {
    static const auto conversion = ingot::evolution<newer>::from(ingot::schema_of<older>()).value();
    return typed([&](const auto& limits) { return conversion.unpack(bytes, {.limits = limits}); });
  }
  case 4: {
    const auto doc = ingot::msgpack::read_document(bytes);
    if (!doc) return {};
    return read_with_limit(
        limit, [&](std::uint64_t max_memory) { return doc->root().as<part>({.max_memory = max_memory}); },
        same_bytes);
  }
  case 5:
    return limited([&](std::uint64_t max_memory) {
      return ingot::msgpack::read_document(bytes, {.max_memory = max_memory});
    });
  case 6:
    return limited([&](std::uint64_t max_memory) {
      return ingot::cbor::read_document(
          bytes, {.unsupported_values = ingot::unsupported_values::wrap, .max_memory = max_memory});
    });
  default: {
    static const auto schema = ingot::schema_of<chest>();
    return limited([&](std::uint64_t max_memory) {
      return ingot::protobuf::read_document(bytes, schema, ingot::max_block_size{1 << 24},
                                            {.max_memory = max_memory});
    });
  }
  }
}
