// SPDX-License-Identifier: Apache-2.0
// `ingot bench`: the time to load a file in each possible way on this machine. The file is in the
// system's cache each time.
#include <ingot/core/buffer.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/detail/input_file.hpp>

#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

struct measured {
  std::string way;
  std::string what;         ///< description for people
  std::uint64_t bytes = 0;  ///< bytes that are processed
  std::uint64_t stored = 0; ///< bytes of the compressed form, else 0
  double seconds = 0;       ///< median
  std::size_t runs = 0;
};

class benchmark {
public:
  explicit benchmark(double seconds) : seconds_(seconds) {}

  void run(std::string way, std::string what, std::uint64_t bytes, const std::function<void()>& once,
           std::uint64_t stored = 0) {
    using clock = std::chrono::steady_clock;
    std::vector<double> times;
    once(); // not measured: allocates memory and brings the file into the cache
    const auto start = clock::now();
    constexpr std::size_t most = 10000;
    do {
      const auto before = clock::now();
      once();
      times.push_back(std::chrono::duration<double>(clock::now() - before).count());
    } while (times.size() < most && std::chrono::duration<double>(clock::now() - start).count() < seconds_);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    all_.push_back({std::move(way), std::move(what), bytes, stored, *middle, times.size()});
  }
  [[nodiscard]] const std::vector<measured>& all() const noexcept { return all_; }

private:
  double seconds_;
  std::vector<measured> all_;
};

[[nodiscard]] std::string decimal(double number, const char* form) {
  std::array<char, 32> text{};
  const int n = std::snprintf(text.data(), text.size(), form, number);
  return {text.data(), static_cast<std::size_t>(std::max(n, 0))};
}
[[nodiscard]] std::string time_of(double seconds) {
  if (seconds < 1e-3) return decimal(seconds * 1e6, "%.1f us");
  return seconds < 1 ? decimal(seconds * 1e3, "%.1f ms") : decimal(seconds, "%.2f s");
}
[[nodiscard]] std::string speed_of(const measured& of) {
  const double speed = of.seconds > 0 ? static_cast<double>(of.bytes) / of.seconds : 0;
  return speed < 1e9 ? decimal(speed / 1e6, "%.0f MB/s") : decimal(speed / 1e9, "%.1f GB/s");
}

void bench_file(benchmark& to, const std::string& name) {
  const opened whole = value_of(open(name, format::ingot), name);
  const auto& info = whole.header->info;
  const std::uint64_t size = info.payload_size;
  const auto file = value_of(ingot::detail::input_file::open(files(), name), name);
  const auto map = [&](bool check, bool copy) { return value_of(file.map(false, check, copy), name); };
  const bool is_plain = info.method == ingot::codec::none;
  // Files that are edited in place have no checksum of the payload.
  const bool has_checksum = !whole.header->is_edited();
  if (is_plain) {
    to.run("map unchecked", "mapped, nothing looked at", size, [&] { static_cast<void>(map(false, false)); });
  }
  if (is_plain && has_checksum) {
    to.run("map", "mapped, checksums compared", size, [&] { static_cast<void>(map(true, false)); });
  }
  to.run(is_plain ? "read" : "decompress", is_plain ? "read into memory" : "read and decompressed", size,
         [&] { static_cast<void>(map(false, true)); });
  if (has_checksum)
    to.run("read checked", "the same, checksums compared", size, [&] { static_cast<void>(map(true, true)); });
  if (whole.root()) {
    to.run("validate", "the same, every value validated", size,
           [&] { static_cast<void>(value_of(open(name, format::ingot), name)); });
    to.run("decode", "the same, made a document of", size, [&] {
      const opened again = value_of(open(name, format::ingot), name);
      static_cast<void>(value_of(root_of(again).to_document(), name));
    });
  }
  const auto bytes = ingot::bytes_view(whole.memory->payload());
  for (const auto& [codec, way] :
       {std::pair{ingot::codec::lz4, "lz4"}, std::pair{ingot::codec::zstd, "zstd"}}) {
    if (!ingot::has_codec(codec)) continue;
    ingot::compression how;
    how.method = codec;
    const auto small = value_of(ingot::compress(bytes, how), name);
    to.run(
        way, "the payload in memory, decompressed", size,
        [&] { static_cast<void>(value_of(ingot::decompress(small, bytes.size()), name)); }, small.size());
  }
}
void bench_text(benchmark& to, const std::string& name, const opened& whole, format as) {
  to.run("read", "read into memory", whole.bytes, [&] { static_cast<void>(value_of(read_all(name), name)); });
  to.run("decode", "the same, made a document of", whole.bytes,
         [&] { static_cast<void>(value_of(open(name, as), name)); });
}

} // namespace

exit_code bench(output& to, const bench_options& options, const shared_options& shared) {
  if (options.file == "-")
    throw failure(sentence("-", "a file, which can be read again", "standard input", "name the file"),
                  exit_code::usage);
  const opened whole = value_of(open(options.file, shared.from), options.file);
  if (whole.is_log()) {
    throw failure(sentence(whole.name + ": nothing to measure", "a file that is loaded as a whole",
                           whole.what(), "ingot inspect reads it record by record"),
                  exit_code::usage);
  }
  benchmark all(options.seconds);
  if (whole.header) bench_file(all, options.file);
  else bench_text(all, options.file, whole, whole.as);
  if (shared.json) {
    to << R"({"file":)" << json_string(whole.name) << R"(,"kind":)" << json_string(whole.what())
       << R"(,"bytes":)" << std::to_string(whole.bytes) << R"(,"ways":[)";
    bool is_first = true;
    for (const measured& each : all.all()) {
      if (!std::exchange(is_first, false)) to << ",";
      to << R"({"way":)" << json_string(each.way) << R"(,"nanoseconds":)"
         << decimal(each.seconds * 1e9, "%.0f") << R"(,"runs":)" << std::to_string(each.runs)
         << R"(,"bytes":)" << std::to_string(each.bytes);
      if (each.stored != 0) to << R"(,"stored":)" << std::to_string(each.stored);
      to << "}";
    }
    to << "]}\n";
    return exit_code::ok;
  }
  to << printable(whole.name) << ": " << whole.what() << ", " << counted(whole.bytes, "byte") << "\n";
  const auto column = [](std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
  };
  for (const measured& each : all.all()) {
    to << column(each.way, 14) << column(time_of(each.seconds), 12) << column(speed_of(each), 12)
       << each.what;
    if (each.stored != 0) to << ", from " << counted(each.stored, "byte");
    to << "\n";
  }
  return exit_code::ok;
}

} // namespace tool
