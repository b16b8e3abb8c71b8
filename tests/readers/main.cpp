// SPDX-License-Identifier: Apache-2.0
// All readers of the library in one process, for tests/python/compare_messages.py. Reads requests
// from standard input and writes answers to standard output; each begins with its length.
//
//  K                             all kinds of messages: form, if other versions are accepted, name,
//                                description
//  M, kind, seed, count, share   `count` random messages of a kind; `share` / 256 of them are not
//                                damaged: each message with the readers' answers
//  R, kind, bytes                the readers' answers for one message
//  F, bytes                      the tool's answer for a file
//
// Numbers are little-endian: lengths and counts of 32 bits, kinds of 16, seeds of 64; the rest is
// bytes.
#include "files.hpp"
#include "kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace readers { namespace {

/// Damages messages as transmission errors do, and as an attacker with knowledge of the format
/// does.
class damage {
public:
  explicit damage(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] std::uint64_t raw() { return random_(); }
  void apply(message& to, const message& other, bool has_header) {
    constexpr unsigned many[]{1, 1, 1, 2, 3};
    for (unsigned left = many[raw() % 5]; left != 0; --left) once(to, other, has_header);
  }

private:
  [[nodiscard]] std::size_t below(std::size_t limit) { return static_cast<std::size_t>(raw() % limit); }
  void once(message& to, const message& other, bool has_header) {
    if (to.empty()) {
      to.push_back(static_cast<std::byte>(below(3)));
      return;
    }
    // All bytes of a header are checked, so headers are damaged less often.
    const std::size_t first = has_header && to.size() > 64 && raw() % 16 != 0 ? 64 : 0;
    const std::size_t at = first + below(to.size() - first);
    const std::size_t left = to.size() - at;
    switch (raw() % 9) {
    case 0: to[at] ^= std::byte{1} << below(8); break;
    case 1: {
      constexpr unsigned edges[]{0, 1, 2, 0x7F, 0x80, 0xFF};
      to[at] = static_cast<std::byte>(raw() % 2 == 0 ? edges[below(6)] : raw());
      break;
    }
    case 2: {
      constexpr int steps[]{1, -1, 4, -4, 8, -8};
      to[at] = static_cast<std::byte>(std::to_integer<int>(to[at]) + steps[below(6)]);
      break;
    }
    case 3: {
      constexpr std::size_t sizes[]{1, 1, 4, 8};
      const auto begin = to.begin() + static_cast<std::ptrdiff_t>(at);
      to.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(left, sizes[below(4)])));
      break;
    }
    case 4: {
      constexpr std::size_t sizes[]{1, 4, 8};
      message more(sizes[below(3)]);
      for (auto& each : more) each = static_cast<std::byte>(below(3));
      to.insert(to.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
      break;
    }
    case 5: { // copies a piece to another position
      constexpr std::size_t sizes[]{1, 2, 4, 8};
      const std::size_t from = below(to.size());
      const std::size_t size = std::min({sizes[below(4)], left, to.size() - from});
      const message piece(to.begin() + static_cast<std::ptrdiff_t>(from),
                          to.begin() + static_cast<std::ptrdiff_t>(from + size));
      std::memcpy(to.data() + at, piece.data(), size);
      break;
    }
    case 6: { // a word
      const std::size_t word = at / 4 * 4;
      if (to.size() - word < 4) break;
      std::uint32_t value = 0;
      std::memcpy(&value, to.data() + word, 4);
      constexpr std::uint32_t edges[]{0, 1, 2, 0xFFFFFFFF};
      value = raw() % 2 == 0 ? edges[below(4)] : value + static_cast<std::uint32_t>(below(33)) * 4 - 64;
      std::memcpy(to.data() + word, &value, 4);
      break;
    }
    case 7: to.resize(at); break;
    default: // takes the end of another message of the same kind
      if (other.empty()) break;
      to.resize(at);
      to.insert(to.end(), other.begin() + static_cast<std::ptrdiff_t>(std::min(at, other.size())),
                other.end());
    }
    if (has_header && to.size() > 32 && raw() % 16 != 0) { // corrects the length in the header
      if (to.size() >= 64) to.resize(to.size() / 8 * 8);
      const std::uint64_t size = to.size();
      std::memcpy(to.data() + 24, &size, sizeof size);
    }
  }

  std::mt19937_64 random_;
};

class session {
public:
  session() {
    add_annotated(kinds_);
    add_crafted(kinds_);
    add_compact(kinds_);
    add_live(kinds_);
    add_documents(kinds_);
#if !defined(INGOT_READERS_SAMPLE)
    add_scalars(kinds_);
    add_sequences(kinds_);
    add_keyed(kinds_);
    add_records(kinds_);
    add_games(kinds_);
#endif
  }

  int run() {
    std::string question;
    while (ask(question)) {
      out_.clear();
      if (!reply(question)) {
        std::fputs("a question that is none\n", stderr);
        return 2;
      }
      const std::string whole = number(static_cast<std::uint32_t>(out_.size())) + out_;
      if (std::fwrite(whole.data(), 1, whole.size(), stdout) != whole.size() || std::fflush(stdout) != 0)
        return 2;
    }
    return 0;
  }

private:
  template <class N>
  [[nodiscard]] static std::string number(N value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(N); ++i)
      bytes += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> 8 * i));
    return bytes;
  }
  template <class N>
  [[nodiscard]] static N take(std::string_view& from) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(N) && i < from.size(); ++i)
      number |= std::uint64_t{static_cast<unsigned char>(from[i])} << 8 * i;
    from.remove_prefix(std::min(from.size(), sizeof(N)));
    return static_cast<N>(number);
  }
  [[nodiscard]] static bool ask(std::string& question) {
    char size[4];
    if (std::fread(size, 1, 4, stdin) != 4) return false;
    std::string_view rest(size, 4);
    question.resize(take<std::uint32_t>(rest));
    return std::fread(question.data(), 1, question.size(), stdin) == question.size();
  }
  void put(std::string_view text) { out_ += number(static_cast<std::uint32_t>(text.size())) += text; }
  void put(const message& bytes) {
    put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void put(const answer& said) {
    out_ += static_cast<char>(said.accepted | said.typed << 1);
    put(said.text);
    put(said.contradiction);
  }

  [[nodiscard]] bool reply(std::string_view question) {
    const char what = question.empty() ? '?' : question[0];
    question.remove_prefix(question.empty() ? 0 : 1);
    switch (what) {
    case 'K':
      for (const auto& each : kinds_) {
        out_ += static_cast<char>(each.is);
        out_ += static_cast<char>(each.may_be_older);
        put(each.name);
        put(each.description);
      }
      return true;
    case 'F': {
      const auto bytes = std::as_bytes(std::span(question));
      const file_answer said = read_file(bytes);
      out_ += static_cast<char>(said.opened | said.whole << 1 | said.is_log << 2);
      out_ += number(said.records);
      put(said.text);
      put(said.why);
      return true;
    }
    case 'R':
    case 'M': {
      const auto which = take<std::uint16_t>(question);
      if (which >= kinds_.size()) return false;
      const kind_of_message& of = kinds_[which];
      if (what == 'R') {
        const auto bytes = std::as_bytes(std::span(question));
        put(of.read(of, message(bytes.begin(), bytes.end())));
        return true;
      }
      const auto seed = take<std::uint64_t>(question);
      const auto count = take<std::uint32_t>(question);
      draw(of, seed, count, take<std::uint8_t>(question));
      return true;
    }
    default: return false;
    }
  }
  void draw(const kind_of_message& of, std::uint64_t seed, std::uint32_t count, unsigned share) {
    damage dice(seed);
    message other;
    for (; count != 0; --count) {
      message mutant = of.sample(dice.raw());
      message fresh = mutant;
      const bool whole = dice.raw() % 256 < share;
      if (!whole) dice.apply(mutant, other, of.is == form::live);
      other = std::move(fresh);
      out_ += static_cast<char>(whole);
      put(mutant);
      const message exact(mutant); // the allocation ends with the message
      put(of.read(of, exact));
    }
  }

  std::vector<kind_of_message> kinds_;
  std::string out_;
};

}} // namespace readers

int main() { return readers::session().run(); }
