// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of core (scripts/site_reference.py).
#include <ingot/core/buffer.hpp>
#include <ingot/core/bytes.hpp>
#include <ingot/core/descriptor.hpp>
#include <ingot/core/endian.hpp>
#include <ingot/core/error.hpp>
#include <ingot/core/fixed_buffer.hpp>
#include <ingot/core/format.hpp>
#include <ingot/core/hardening.hpp>
#include <ingot/core/path_ref.hpp>
#include <ingot/core/progress.hpp>
#include <ingot/core/read_limits.hpp>
#include <ingot/core/sink.hpp>
#include <ingot/core/too_many_collisions.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pages::core_examples { namespace {

// example: buffer
void buffer_example() {
  ingot::buffer out;
  assert(out.reserve(64)); // false if there is no memory
  const std::string header = "v1;";
  assert(out.append(ingot::as_bytes_view(header)));
  auto written = ingot::pack_to(out, std::uint32_t{7}); // a sink: appends
  assert(written && *written == 4);
  assert(out.size() == 7 && out[3] == std::byte{7});

  ingot::buffer moved = std::move(out); // O(1)
  assert(moved.size() == 7);
}

// example: core/bytes.hpp
std::size_t zero_bytes(ingot::bytes_view bytes) {
  std::size_t count = 0;
  for (const std::byte byte : bytes) count += byte == std::byte{0};
  return count;
}
void bytes_example() {
  const std::vector<unsigned char> received = {1, 0, 2, 0};
  assert(zero_bytes(ingot::as_bytes_view(received)) == 2); // no copy
  const std::string text = "a text is contiguous bytes, too";
  assert(zero_bytes(ingot::as_bytes_view(text)) == 0);
}

// example: core/endian.hpp
void endian_example() {
  std::array<std::byte, 6> frame{};
  ingot::store_le(frame.data(), std::uint16_t{513});
  ingot::store_le(frame.data() + 2, 1.5F); // at any alignment
  assert(frame[0] == std::byte{1} && frame[1] == std::byte{2});
  assert(ingot::load_le<std::uint16_t>(frame.data()) == 513);
  assert(ingot::load_le<float>(frame.data() + 2) == 1.5F);
}

// example: error
void error_example() {
  struct planet {
    std::string name;
    std::vector<bool> moons;
  };
  ingot::buffer bytes = ingot::pack(planet{"Mars", {true, true}}).value();
  bytes[bytes.size() - 1] = std::byte{7}; // damage: 7 is no bool
  ingot::result<planet> read = ingot::unpack<planet>(bytes);
  assert(!read);
  const ingot::error& why = read.error();
  assert(why.code() == ingot::errc::bad_bool);
  assert(why.path() == "moons[1]" && why.offset() == bytes.size() - 1);
  std::puts(why.message().c_str()); // one sentence with all of this, and what to do
}

// example: core/error.hpp
ingot::result<int> percent(int value) {
  if (value < 0 || value > 100) {
    return ingot::fail(ingot::error(ingot::errc::out_of_range).with_expected("0 to 100"));
  }
  return value;
}
void error_header_example() {
  assert(percent(7) == 7);
  ingot::result<int> wrong = percent(101);
  assert(!wrong && wrong.error().code() == ingot::errc::out_of_range);
  ingot::error err = wrong.error();
  err.in_element(3).in_member("shares"); // each caller adds its level of the path
  assert(err.path() == "shares[3]" && err.expected() == "0 to 100");
  assert(ingot::to_string(err.code()) == "out of range");
}

// example: core/format.hpp
void format_example() {
  const ingot::error err = ingot::error::make(ingot::errc::truncated, 12);
  std::ostringstream log;
  log << err;
  assert(log.str() == err.message());
#if defined(__cpp_lib_format)
  assert(std::format("{}", err) == err.message());
#endif
}

// example: fixed_buffer
void fixed_buffer_example() {
  struct position {
    float x, y, z;
  };
  constexpr std::size_t max_size = ingot::max_packed_size<position>.value();
  ingot::fixed_buffer<max_size> datagram; // on the stack: nothing is allocated
  auto size = ingot::pack_to(datagram, position{1, 2, 3});
  assert(size && *size == 12 && datagram.size() == 12);
  auto full = ingot::pack_to(datagram, position{4, 5, 6});
  assert(!full && full.error().code() == ingot::errc::no_space);
  assert(datagram.size() == 12); // unchanged
}

// example: precondition_violation, core/hardening.hpp
[[noreturn]] void log_and_stop(const ingot::precondition_violation& broken) noexcept {
  std::fprintf(stderr, "%s\n", broken.message); // "ingot::vector: index 7 of 5 elements"
  std::abort();
}
void hardening_example() {
  ingot::precondition_handler before = ingot::set_precondition_handler(log_and_stop);
  assert(before == nullptr); // the default handler
  assert(ingot::set_precondition_handler(before) == log_and_stop);
}

// example: path_ref, core/path_ref.hpp
bool is_ours(ingot::path_ref path) { return path.text().ends_with(".ingot"); }
void path_ref_example() {
  assert(is_ours("saves/hero.ingot"));
  assert(is_ours(std::string("hero.ingot")));
  assert(!is_ours(std::filesystem::path("hero.json"))); // without <filesystem> in the header
}

// example: progress_ref, core/progress.hpp
void progress_example() {
  const std::vector<std::uint64_t> samples(200'000, 7);
  std::uint64_t shown = 0;
  auto show = [&](std::uint64_t done, std::uint64_t /* total */) {
    shown = done;
    return true; // false cancels the call
  };
  auto bytes = ingot::pack(samples, show); // the callback lives longer than the call
  assert(bytes && shown == bytes->size());

  auto cancel = [](std::uint64_t, std::uint64_t) { return false; };
  auto none = ingot::pack(samples, cancel);
  assert(!none && none.error().code() == ingot::errc::cancelled);
}

// example: read_limits, core/read_limits.hpp
void read_limits_example() {
  const std::vector<std::string> names(1'000, "a");
  const ingot::buffer bytes = ingot::pack(names).value();
  // Elements of 32 bytes from a few bytes each. The default allows that, 10,000 bytes do not.
  assert(ingot::unpack<std::vector<std::string>>(bytes));
  auto less = ingot::unpack<std::vector<std::string>>(bytes, {.limits = {.max_memory = 10'000}});
  assert(!less && less.error().code() == ingot::errc::too_much_memory);
}

// example: ostream_sink, core/sink.hpp
void sink_example() {
  std::ostringstream file; // any std::ostream
  ingot::ostream_sink out(file);
  auto streamed = ingot::pack_to(out, std::uint32_t{7}); // in one write
  assert(streamed && file.str().size() == 4);

  std::vector<std::byte> bytes; // a container of bytes is a sink itself
  auto appended = ingot::pack_to(bytes, std::uint32_t{7});
  assert(appended && bytes.size() == 4);
}

// example: span_sink
void span_sink_example() {
  std::array<std::byte, 16> memory;
  ingot::span_sink out{std::span(memory)};
  auto first = ingot::pack_to(out, std::uint64_t{1});
  auto second = ingot::pack_to(out, std::uint32_t{2}); // after the first
  assert(first && second && out.written().size() == 12);
  assert(!ingot::pack_to(out, std::uint64_t{3})); // no_space: only 4 bytes are free
  assert(out.written().size() == 12);
}

// example: too_many_collisions, core/too_many_collisions.hpp
void too_many_collisions_example() {
  ingot::live<ingot::hash_map<std::uint64_t, std::uint32_t>> scores;
  const std::vector<std::uint64_t> untrusted = {3, 5, 8};
  try {
    for (const std::uint64_t key : untrusted) (*scores)[key] += 1;
  } catch (const ingot::too_many_collisions& why) { // keys that collide under every seed
    std::puts(why.what());
  } catch (const ingot::out_of_space&) { // the block is full
  }
  assert(scores->size() == 3);
}

// example: fd_sink, core/descriptor.hpp
void descriptor_example() {
  std::FILE* file = std::tmpfile();
  assert(file);
  const int descriptor = fileno(file); // or a pipe, a socket
  ingot::fd_sink out(descriptor);
  auto written = ingot::pack_to(out, std::string("hello"));
  assert(written);
  std::rewind(file);
  auto bytes = ingot::read_all(descriptor, 1 << 20); // at most a mebibyte
  assert(bytes && ingot::unpack<std::string>(*bytes) == "hello");
  std::fclose(file);
}

}} // namespace pages::core_examples

void pages::core_reference() {
  using namespace core_examples;
  buffer_example();
  bytes_example();
  endian_example();
  error_example();
  error_header_example();
  format_example();
  fixed_buffer_example();
  hardening_example();
  path_ref_example();
  progress_example();
  read_limits_example();
  sink_example();
  span_sink_example();
  too_many_collisions_example();
  descriptor_example();
}
