// SPDX-License-Identifier: Apache-2.0
// LOAD: from a file to values that are ready for use.
#include <ingot/pack/pack.hpp>

#include "../harness/options.hpp"
#include "workload.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include <malloc.h>

namespace bench { namespace {

template <class Data>
void enter_everybody(suite& all, const Data& data) {
  enter_load_native(all, data);
  enter_load_boost(all, data);
  enter_load_protobuf(all, data);
  enter_load_flatbuffers(all, data);
  enter_load_ingot_pack(all, data);
  enter_load_ingot_compact(all, data);
  enter_load_ingot_live(all, data);
}

void set_targets(suite& all) {
  for (const std::string data : {"simple", "random", "half-varied", "defaults", "binomial", "padded"}) {
    all.target(data + "-cold", "ingot-pack", {.ratio = 0.6});
    all.target(data + "-warm", "ingot-pack", {.ratio = 1.05});
    for (const char* who : {"ingot-pack-uninitialised", "ingot-pack-bulk"})
      all.target(data + "-warm", who, {.ratio = 0.7});
  }
  for (const char* who : {"ingot-pack-mapped", "ingot-live-mapped"}) {
    all.target("simple-cold-once", who, {.ratio = 0.7});
    all.target("simple-warm-once", who, {.ratio = 0.7});
  }
  all.target("simple-cold-lz4", "ingot-pack", {.ratio = 0.4});
  all.target("simple-cold-zstd", "ingot-pack", {.ratio = 0.4});
  for (const std::string columns : {"-columns", "-columns-zstd"}) {
    all.target("simple-cold" + columns, "ingot-pack", {.ratio = 0.4, .bytes = 20'000});
    all.target("half-varied-cold" + columns, "ingot-pack", {.bytes = 310'000});
  }
  for (const std::string_view variant : load_variant_names) {
    if (!variant.empty())
      all.target("random-cold" + std::string(variant), "ingot-pack",
                 {.ratio = 1.1, .bytes = record_count * sizeof(load_record) / 1000 * 1001});
  }
  for (const std::string data : {"chars", "chars-real"}) {
    all.target(data + "-warm", "ingot-pack", {.ratio = 1.1});
    all.target(data + "-warm-lz4", "ingot-pack", {.ratio = 1.3});
  }
  all.target("chars-real-decode", "ingot-unpack", {.ratio = 1.25});
  all.base("chars-real-decode", "unchecked");
  for (const std::string data :
       {"simple", "random", "half-varied", "defaults", "binomial", "padded", "chars", "chars-real"}) {
    for (const std::string_view variant : load_variant_names) {
      for (const std::string passes : {"", "-once", "-twice"})
        all.base(data + "-warm" + std::string(variant) + passes, "vector-copy");
    }
  }
}

}} // namespace bench

int main(int count, char** words) {
  // Large vectors get fresh memory from the system each time, as in a program that loads once, and
  // not the memory that the previous contender freed.
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  const auto options = bench::read_options(count, words);
  // a run of all cases takes some minutes
  const bool hurries = options.only.empty() && !options.has_rounds;
  bench::print_title("load", options.rounds, hurries);
  std::vector<bench::row> rows;
  // One suite for each data set and each compression. Its cases are printed before the files of the
  // next suite are written, and its files are removed first.
  const auto run = [&](std::string_view name, auto make, auto enter) {
    const bench::suite filter("load", "memcpy", options.rounds, options.only);
    const auto wanted = [&](std::string_view variant) {
      return bench::wants_load(filter, std::string(name), variant) ||
             (variant.empty() && ((name == "simple" && filter.wants("save")) ||
                                  (name == "chars-real" && filter.wants("chars-real-decode"))));
    };
    if (std::ranges::none_of(bench::load_variant_names, wanted)) return;
    auto data = make();
    for (const std::string_view variant : bench::load_variant_names) {
      if (!wanted(variant)) continue;
      data.variant = variant;
      bench::suite all("load", "memcpy", options.rounds, options.only);
      if (hurries) all.hurry(5e8);
      enter(all, data);
      bench::set_targets(all);
      std::ranges::move(all.run(bench::print_case), std::back_inserter(rows));
      // If the user ends the run, the results so far are in the file. A failed write is reported at
      // the end.
      if (!options.json.empty()) static_cast<void>(bench::write_json(options.json, rows));
    }
  };
  const auto everybody = [](bench::suite& all, const auto& data) { bench::enter_everybody(all, data); };
  for (const std::string_view name : {"simple", "random", "half-varied", "defaults", "binomial"})
    run(name, [&] { return bench::make_records<bench::load_record>(name, name); }, everybody);
  run("padded", [] { return bench::make_records<bench::padded_record>("padded", "simple"); }, everybody);
  run("chars", bench::make_characters, everybody);
  run("chars-real", bench::make_real_characters, [](bench::suite& all, const bench::character_data& data) {
    bench::enter_everybody(all, data);
    if (data.variant.empty()) bench::enter_decode(all, data);
    const std::size_t packed = ingot::pack(data.values)->size();
    for (const std::string passes : {"-cold-columns", "-warm-columns"}) {
      for (const std::string codec : {"", "-zstd"})
        all.target("chars-real" + passes + codec, "ingot-pack", {.bytes = packed / 100 * 28});
    }
  });
  return bench::finish(rows, options);
}
