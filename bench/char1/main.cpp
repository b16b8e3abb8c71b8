// SPDX-License-Identifier: Apache-2.0
// CHAR-1: a live game character, compared with containers that must be encoded.
#include "../harness/options.hpp"
#include "wire.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace bench { namespace {

constexpr std::array contenders{&char1_std, &char1_boost, &char1_boost_flat, &char1_boost_interprocess,
                                &char1_ingot_live};

/// Runs in the process that `measure_memory` starts.
int hold(std::string_view contender, memory_of what) {
  for (const auto* c : contenders) {
    if (c->name != contender) continue;
    const auto taken = c->hold(what);
    std::printf("%zu %" PRIu64 "\n", taken.bytes, taken.checksum);
    return EXIT_SUCCESS;
  }
  return EXIT_FAILURE;
}

void enter_memory(suite& all, std::string_view name, memory_of what) {
  std::uint64_t checksum = 0;
  for (const auto* c : contenders) {
    const auto taken = measure_memory(c->name, what);
    if (c == contenders.front() && taken) checksum = taken->checksum;
    if (!taken || taken->checksum != checksum) {
      std::fprintf(stderr, "char1 %s: %s holds something else\n", name.data(), c->name.data());
      std::exit(EXIT_FAILURE);
    }
    all.add_measured(name, c->name, taken->bytes, {});
  }
}

void set_targets(suite& all) {
  all.target("write", "ingot-live", {.ratio = 0.55});
  all.target("read", "ingot-live", {.ratio = 0.60});
  all.target("finds", "ingot-live", {.ratio = 0.50});
  all.target("build", "ingot-live", {.ratio = 0.60});
  all.target("map-1000", "ingot-live", {.ratio = 0.6});
  all.target("map-50000", "ingot-live", {.ratio = 0.6});
  all.target("holes-8000", "ingot-live", {.ratio = 1.0});
  all.target("memory-10k", "ingot-live", {.ratio = 0.65});
  all.target("memory-world", "ingot-live", {.ratio = 0.50});
  all.target("size", "ingot-live", {.bytes = 3'300});
  all.target("size-zlib6", "ingot-live", {.bytes = 3'075});
}

}} // namespace bench

int main(int count, char** words) {
  using namespace bench;
  if (count == 4 && std::string_view(words[1]) == "--memory") {
    return hold(words[2], static_cast<memory_of>(std::atoi(words[3])));
  }
  const auto options = read_options(count, words);
  suite all("char1", "std", options.rounds, options.only);
  for (const auto* c : contenders) c->enter(all);
  enter_char1_null(all);
  enter_char1_capnproto(all);
  enter_char1_flatbuffers(all);
  enter_char1_msgpack(all);
  enter_char1_protobuf(all);
  enter_char1_ingot_pack(all);
  for (const char* name : {"size", "size-zlib6", "size-lz4", "size-zstd"}) all.base(name, "protobuf");
  for (const char* name : {"size-trimmed", "size-trimmed-filled", "size-prealloc", "size-prealloc-filled"}) {
    all.base(name, "ingot-live");
  }
  enter_memory(all, "memory-10k", memory_of::edited);
  enter_memory(all, "memory-10k-filled", memory_of::filled);
  enter_memory(all, "memory-world", memory_of::world);
  set_targets(all);
  return finish(all, "char1", options);
}
