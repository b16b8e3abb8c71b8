// SPDX-License-Identifier: Apache-2.0
// LOAD: from a file to memory that is ready for use. A contender writes each data set once in its
// format. A turn loads the file; in the cases `-once` and `-twice` it then sums all values once or
// twice. Loaded data is freed before the next turn, which is not timed.
//
// `-cold`: the pages of the file are removed from the system's cache before each turn. Lower levels
// may still have them, such as a host or the disk's own cache. `-warm`: all pages are in the cache.
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

/// Returns the folder of the files, which is removed at the end.
const std::filesystem::path& load_folder();

/// Removes the file from the system's cache, if necessary by replacing it with a copy. Returns
/// false if it stays in the cache, as in a folder that is kept in memory.
[[nodiscard]] bool make_cold(const std::filesystem::path& path);
/// Brings the file into the cache.
void make_warm(const std::filesystem::path& path);

/// Returns all free memory to the system, so that each contender gets fresh memory, as in a program
/// that loads once. Otherwise, the free memory of earlier contenders decides if large memory is
/// fresh.
void release_memory();

/// The bytes of a file in memory that is not zeroed first, which the peers read from.
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

/// Suffixes of the cases of compressed files, which ingot alone has. These cases repeat the bounds
/// without compression.
inline constexpr std::string_view load_variant_names[] = {"", "-lz4", "-zstd", "-columns", "-columns-zstd"};

enum class enter_what : unsigned char { cold_and_warm, warm };

/// Returns true if any case of these files is to be run.
inline bool wants_load(const suite& all, const std::string& name, std::string_view variant) {
  for (const std::string_view suffix : {"-cold", "-warm"}) {
    for (const std::string_view passes : {"", "-once", "-twice"}) {
      if (all.wants(name + std::string(suffix) + std::string(variant) + std::string(passes))) return true;
    }
  }
  return false;
}

/// Adds a contender. `Format` converts a file to a type like an optional or an ingot::result, and
/// sums its contents:
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
    bool checked = false; ///< for all cases of the contender
    ~state() {
      std::error_code ignored;
      std::filesystem::remove(path, ignored);
    }
  };
  // Files of characters take seconds to write, so write only files of cases that run.
  if (variant != data.variant || !wants_load(all, data.name, variant)) return;
  auto* const p = &all.make<state>();
  p->format = format;
  p->path = load_folder() / (data.name + compressed + '.' + std::string(who));
  p->format.save(data.values, p->path);
  const std::size_t bytes = std::filesystem::file_size(p->path);
  const auto check = [p, &data] {
    if (p->checked) return true;
    const auto value = p->format.load(p->path);
    return p->checked = value && p->format.sum(*value) == data.sum;
  };
  // In a run of all cases, long ones are loaded only, not summed.
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
                      before, turn, check);
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

/// Adds the case `save`: writes a new file each turn, without forcing it to the disk.
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

// One function for records and one for characters, in the file of each contender.
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

/// Adds the case `-decode` of characters: packed bytes in memory to objects, with validation and
/// without.
void enter_decode(suite& all, const character_data& data);

} // namespace bench
