// SPDX-License-Identifier: Apache-2.0
// One character through three processes. A makes it and sends its memory over a socket. B receives
// the bytes into a block, validates it, edits it until it has grown, and passes its memory on
// through shared memory. C validates it there, edits it, and answers A.
#pragma once

#include "character.hpp"
#include "clock.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace live_demo {

inline void write_all(int to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    require(n > 0, "writing to a socket");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}
inline void read_all(int from, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::read(from, bytes.data(), bytes.size());
    require(n > 0, "reading from a socket");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}
/// A length, then the block.
inline void send_block(int to, ingot::bytes_view block) {
  const std::uint64_t size = block.size();
  write_all(to, std::as_bytes(std::span(&size, 1)));
  write_all(to, block);
}
/// Receives into the memory that the block will use: `open` validates the bytes without a copy.
inline Hero receive_block(int from, double& check_ns) {
  std::uint64_t size = 0;
  read_all(from, std::as_writable_bytes(std::span(&size, 1)));
  require(size <= hero_ceiling.bytes, "a length that a character may have");
  auto buffer = Hero::receive_buffer(size, hero_ceiling);
  read_all(from, buffer.bytes());
  std::optional<ingot::result<Hero>> opened;
  check_ns = nanoseconds([&] { opened.emplace(Hero::open(std::move(buffer))); });
  return must(std::move(*opened));
}

inline void paid(const char* who, const char* what, double ns, std::size_t bytes) {
  std::printf("  %-2s %-58s %9.0f ns %8zu bytes\n", who, what, ns, bytes);
  std::fflush(stdout);
}

/// Memory that one process of the chain shares with the next: a length and the bytes.
struct shared_area {
  static constexpr std::size_t capacity = 1 << 20;
  std::uint64_t size;
  alignas(16) std::array<std::byte, capacity> bytes;
};

[[noreturn]] inline void run_b(int from_a, int to_c, shared_area& area) {
  double check_ns = 0;
  Hero hero = receive_block(from_a, check_ns);
  paid("B", "validates the message, where it was received", check_ns, hero.size());

  const double edit_ns = nanoseconds([&] {
    hero->name = "a name too long to lie in the string itself";
    hero->items.erase(hero->items.begin()->first);
    hero->items[0xda4c] = Item{8056, 1, 0xda4c, 7};
    for (std::uint32_t i = 0; i < 8; ++i) {
      Equip& more = hero->equips.emplace_back();
      more.id = i;
      more.attributes = {1.5F, 2.5F, 3.5F};
    }
  });
  paid("B", "edits: a name, two items, eight more pieces of equipment", edit_ns, hero.size());

  const double pass_ns = nanoseconds([&] {
    const auto bytes = hero.bytes();
    std::memcpy(area.bytes.data(), bytes.data(), bytes.size());
    area.size = bytes.size();
  });
  paid("B", "passes it on: one copy into shared memory", pass_ns, area.size);
  write_all(to_c, std::as_bytes(std::span("!", 1)));
  std::exit(0);
}

[[noreturn]] inline void run_c(int from_b, int to_a, const shared_area& area) {
  std::byte signal{};
  read_all(from_b, std::span(&signal, 1));
  std::optional<ingot::result<Hero>> opened;
  const double open_ns = nanoseconds([&] {
    // Copied before it is validated: the memory is shared, and B could still write to it.
    const std::size_t size = area.size < area.capacity ? area.size : area.capacity;
    opened.emplace(Hero::open(std::span(area.bytes).first(size), {.max_size = hero_ceiling}));
  });
  Hero hero = must(std::move(*opened));
  paid("C", "opens it: one copy out of shared memory, and validation", open_ns, hero.size());

  const double edit_ns = nanoseconds([&] {
    for (Equip& each : hero->equips) each.level += 1;
    hero->equips.erase(hero->equips.begin());
    hero->path.clear();
  });
  paid("C", "edits: a level everywhere, one piece and the path gone", edit_ns, hero.size());
  const double compact_ns = nanoseconds([&] { static_cast<void>(hero.compact()); });
  paid("C", "rewrites it without holes", compact_ns, hero.size());
  send_block(to_a, hero.bytes());
  std::exit(0);
}

/// Runs the three; false when one of them did not end well.
inline bool journey() {
  std::puts("\nOne character through three processes; nothing is encoded or decoded anywhere");
  std::array<int, 2> a_to_b{};
  std::array<int, 2> b_to_c{};
  std::array<int, 2> c_to_a{};
  for (auto* pair : {&a_to_b, &b_to_c, &c_to_a}) {
    require(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair->data()) == 0, "a pair of sockets");
  }
  void* const shared =
      ::mmap(nullptr, sizeof(shared_area), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(shared != MAP_FAILED, "shared memory");
  auto& area = *static_cast<shared_area*>(shared);
  std::fflush(stdout);

  const pid_t b = ::fork();
  require(b >= 0, "a second process");
  if (b == 0) run_b(a_to_b[1], b_to_c[0], area);
  const pid_t c = ::fork();
  require(c >= 0, "a third process");
  if (c == 0) run_c(b_to_c[1], c_to_a[0], area);

  std::optional<Hero> hero;
  const demo::Character source = demo::make_character(1);
  const double make_ns = nanoseconds([&] { hero.emplace(source, hero_ceiling); });
  paid("A", "makes it from a struct of std:: members", make_ns, hero->size());
  ingot::bytes_view bytes;
  const double hand_ns = nanoseconds([&] { bytes = hero->bytes(); });
  paid("A", "hands its memory over", hand_ns, bytes.size());
  send_block(a_to_b[0], bytes);

  double check_ns = 0;
  const Hero answer = receive_block(c_to_a[1], check_ns);
  paid("A", "validates the answer, where it was received", check_ns, answer.size());
  require(answer->name == "a name too long to lie in the string itself" && answer->equips.size() == 15 &&
              answer->items.contains(0xda4c) && answer->path.empty(),
          "the answer is what B and C made of it");

  bool well = true;
  for (const pid_t child : {b, c}) {
    int status = 0;
    well = ::waitpid(child, &status, 0) == child && status == 0 && well;
  }
  for (auto* pair : {&a_to_b, &b_to_c, &c_to_a}) {
    for (const int fd : *pair) ::close(fd);
  }
  ::munmap(shared, sizeof(shared_area));
  return well;
}

} // namespace live_demo
