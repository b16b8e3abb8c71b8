// SPDX-License-Identifier: Apache-2.0
// LOAD: from a file to memory ready for use. A contender's format writes each set of data once; a turn loads it, and in the cases
// `-once` and `-twice` then adds every value up. What was loaded is released untimed, ahead of the next turn.
//
// `-cold`: the pages of the file are taken out of the system's cache before each turn (what lies under the system, a host or the disk's own
// cache, may still have them). `-warm`: they are all there.
#pragma once

#include "../harness/keep.hpp"
#include "../harness/suite.hpp"
#include "data.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace bench {

/// The folder of the files, removed at the end.
const std::filesystem::path& load_folder();

/// Takes the file out of the system's cache, or a copy that takes its place. False if it stays there: a folder that is kept in memory says nothing.
[[nodiscard]] bool make_cold(const std::filesystem::path& path);
/// Brings it there.
void make_warm(const std::filesystem::path& path);

/// Gives all memory that is free back to the system, so that everybody's comes fresh from there, as it does for a program that loads once. Large
/// memory would otherwise do so or not, by what holes those before have left.
void release_memory();

/// The bytes of a file in memory that is not zeroed first, as the peers want them.
class file_bytes {
public:
  explicit file_bytes(const std::filesystem::path& path);
  file_bytes(file_bytes&&) = default;
  [[nodiscard]] const std::byte* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
};
void write_bytes(const std::filesystem::path& path, const void* bytes, std::size_t size);

/// Cases of compressed files, which ingot alone has, repeat the bounds, uncompressed.
inline constexpr std::string_view load_variant_names[] = {"", "-lz4", "-zstd", "-columns", "-columns-zstd"};

enum class enter_what : unsigned char { cold_and_warm, warm };

/// Whether any case of these files is wanted.
inline bool wants_load(const suite& all, const std::string& name, std::string_view variant) {
  for (const std::string_view way : {"-cold", "-warm"}) {
    for (const std::string_view passes : {"", "-once", "-twice"}) {
      if (all.wants(name + std::string(way) + std::string(variant) + std::string(passes))) return true;
    }
  }
  return false;
}

/// `Format` makes of a file something like an optional or an ingot::result, and sums up what is in it:
///   void save(values, path); auto load(path); Sum sum(loaded value)
template <class Format, class Data>
void enter_load(suite& all, const Data& data, std::string_view who, std::string_view variant = "",
                Format format = {}, enter_what what = enter_what::cold_and_warm) {
  const std::string compressed(variant);
  using loaded = decltype(format.load(std::filesystem::path()));
  struct state {
    Format format;
    std::filesystem::path path;
    std::optional<loaded> last;
    bool proved = false; ///< for all of its cases
    ~state() {
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
    }
  };
  // Files of characters take seconds to write: only those of cases that are wanted are.
  if (variant != data.variant || !wants_load(all, data.name, variant)) return;
  auto* const p = &all.make<state>();
  p->format = format;
  p->path = load_folder() / (data.name + compressed + '.' + std::string(who));
  p->format.save(data.values, p->path);
  const std::size_t bytes = std::filesystem::file_size(p->path);
  const auto proof = [p, &data] {
    if (p->proved) return true;
    const auto value = p->format.load(p->path);
    return p->proved = value && p->format.sum(*value) == data.sum;
  };
  // Where all is run, what takes long is loaded alone, not summed.
  constexpr bool is_long = std::is_same_v<Data, character_data>;
  for (const bool cold : {true, false}) {
    if (cold && what == enter_what::warm) continue;
    const auto before = [p, cold]() -> std::string_view {
      p->last.reset();
      release_memory();
      if (!cold) make_warm(p->path);
      else if (!make_cold(p->path))
        return "the file stays in the system's memory; a folder on a disk for TMPDIR?";
      return {};
    };
    const auto enter = [&](std::string_view passes, auto turn) {
      all.add_waiting(data.name + (cold ? "-cold" : "-warm") + compressed + std::string(passes), who, bytes,
                      before, turn, proof);
    };
    enter("", [p](std::size_t) { escape(&p->last.emplace(p->format.load(p->path))); });
    if (is_long && !all.is_chosen()) continue;
    enter("-once", [p](std::size_t) {
      escape(&p->last.emplace(p->format.load(p->path)));
      keep(p->format.sum(**p->last));
    });
    enter("-twice", [p](std::size_t) {
      escape(&p->last.emplace(p->format.load(p->path)));
      keep(p->format.sum(**p->last));
      escape(&*p->last);
      keep(p->format.sum(**p->last));
    });
  }
}

/// The case `save`: a file that is written anew each turn and not forced to the disk.
template <class Format, class Data>
void enter_save(suite& all, const Data& data, std::string_view who, Format format = {}) {
  struct state {
    Format format;
    std::filesystem::path path;
  };
  if (!all.wants("save") || !data.variant.empty()) return;
  auto* const p = &all.make<state>();
  p->format = format;
  p->path = load_folder() / ("save." + std::string(who));
  p->format.save(data.values, p->path);
  all.add_waiting(
      "save", who, std::filesystem::file_size(p->path), [p] { std::filesystem::remove(p->path); },
      [p, &data](std::size_t) { p->format.save(data.values, p->path); },
      [p, &data] {
        const auto value = p->format.load(p->path);
        return value && p->format.sum(*value) == data.sum;
      });
}

// One function for records and one for characters in the file of each contender.
#define BENCH_LOAD_CONTENDER(name)                                                                           \
  void enter_load_##name(suite& all, const record_data<load_record>& data);                                  \
  void enter_load_##name(suite& all, const record_data<padded_record>& data);                                \
  void enter_load_##name(suite& all, const character_data& data)
BENCH_LOAD_CONTENDER(native); // memcpy and vector-copy
BENCH_LOAD_CONTENDER(boost);
BENCH_LOAD_CONTENDER(protobuf);
BENCH_LOAD_CONTENDER(flatbuffers);
BENCH_LOAD_CONTENDER(ingot_pack);
BENCH_LOAD_CONTENDER(ingot_compact);
BENCH_LOAD_CONTENDER(ingot_live);
#undef BENCH_LOAD_CONTENDER

/// The case `-decode` of characters: packed bytes in memory to objects, checked and believed.
void enter_decode(suite& all, const character_data& data);

} // namespace bench
