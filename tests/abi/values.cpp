// SPDX-License-Identifier: Apache-2.0
// Values that differ between platforms, written and read in every representation: one program,
// compiled once for each ABI.
//
//   values write DIR     writes each representation to a file
//   values read DIR      reads the files of another build: the values are equal, or rejected with
//                        their path if the type of this platform can't represent them
//
// tests/abi/run.py compiles it for each ABI, and every build reads the files of every other one.
#include "values.hpp"

#include <ingot/document/archive.hpp>
#include <ingot/document/cbor.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/msgpack.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/dynamic/layout_of.hpp>
#include <ingot/dynamic/live_evolution.hpp>
#include <ingot/live/hash_map.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/map.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>
#include <ingot/pack/compact.hpp>
#include <ingot/pack/compact_typed.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/typed.hpp>
#include <ingot/pack/unpack.hpp>
#include <ingot/pack/view.hpp>
#if INGOT_ABI_JSON
#include <ingot/json/json.hpp>
#endif

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace abi {

using clock_time = std::chrono::system_clock::time_point; // ns, us or 100 ns
using microseconds = std::chrono::sys_time<std::chrono::microseconds>;

enum plain { low = -1, high = 100 }; // with -fshort-enums they are smaller than elsewhere
enum natural { first, second = 200 };
enum class scoped { ok = 20, bad = 40 };
enum class narrow : std::uint8_t { a, b };
enum class wide : std::int64_t { near = 1, far = std::int64_t{1} << 40 };
enum class long_enum : long { one = 1, minus = -1 };
enum class unsigned_long_enum : unsigned long { none, some = 0x8000'0000 };

struct inner {
  std::int32_t number = 0;
  long count = 0;
  bool operator==(const inner&) const = default;
};

struct sample {
  bool flag = true;
  std::int8_t tiny = -5;
  std::uint16_t small = 65'000;
  std::int64_t large = -1'234'567'890'123;
  float real = 0.1F;
  double precise = -2.5e300;
  char unit = '\xe9';
  signed char with_sign = -23;
  unsigned char without = 233;
  char16_t wide_unit = u'\x20ac';
  std::byte raw{0xe9};
  long number = -7;
  unsigned long natural_number = 7;
  std::vector<unsigned long> numbers{1, 2, 0x11223344};
  std::map<long, std::string> names{{-1, "minus"}, {2, "two"}};
  std::array<long, 2> pair{3, -4};
  std::optional<long> maybe = 5;
  clock_time at{std::chrono::seconds(1'700'000'000)};
  microseconds micro{std::chrono::microseconds(-1'234'567)};
  std::vector<microseconds> marks{microseconds(), microseconds(std::chrono::microseconds(5))};
  std::map<microseconds, char> by_time{{microseconds(std::chrono::microseconds(-5)), '\x80'},
                                       {microseconds(std::chrono::microseconds(3)), 'b'}};
  std::chrono::sys_seconds begins{std::chrono::seconds(86'400)};
  std::chrono::sys_days day{std::chrono::days(19'675)};
  std::chrono::days days{-3};
  std::chrono::hours hours{5};
  std::chrono::minutes minutes{-70};
  std::chrono::seconds seconds{3};
  std::chrono::nanoseconds fine{1'000'000'001};
  std::chrono::duration<std::int32_t, std::milli> short_span{-9};
  std::chrono::duration<long, std::ratio<1, 60>> frames{11};
  plain old_enum = low;
  natural old_natural = second;
  scoped state = scoped::bad;
  narrow letter = narrow::b;
  wide distance = wide::far;
  long_enum of_long = long_enum::minus;
  std::map<unsigned_long_enum, std::int32_t> of_unsigned_long{{unsigned_long_enum::some, 1}};
  std::map<char, std::int32_t> by_char{{'\xe9', 1}, {'a', 2}, {'\x80', 3}};
  std::set<std::pair<char, std::int32_t>> pairs{{'\xff', 1}, {'a', 2}};
  std::unordered_map<char, std::int32_t> hashed{{'\xe9', 1}, {'a', 2}};
  std::vector<char> units{'a', '\xe9'};
  char tag[4] = {'a', '\xc3', '\xa9', '\0'};
  std::string text = "caf\xc3\xa9";
  std::tuple<long, char> tuple{6, '\xfe'};
  std::variant<std::string, long, clock_time> choice = clock_time(std::chrono::seconds(7));
  std::expected<long, std::string> outcome = 8;
  std::unique_ptr<inner> held = std::make_unique<inner>(inner{9, 10});
  std::complex<float> complex{1.5F, -2};
  std::bitset<9> bits{0x155};
  std::vector<inner> list{{1, -1}, {2, 2}};
};
bool operator==(const sample& a, const sample& b) {
  const auto first = [](const sample& s) {
    return std::tie(s.flag, s.tiny, s.small, s.large, s.real, s.precise, s.unit, s.with_sign, s.without,
                    s.wide_unit, s.raw, s.number, s.natural_number, s.numbers, s.names, s.pair, s.maybe, s.at,
                    s.micro, s.marks, s.by_time, s.begins, s.day, s.days, s.hours, s.minutes);
  };
  const auto second = [](const sample& s) {
    return std::tie(s.seconds, s.fine, s.short_span, s.frames, s.old_enum, s.old_natural, s.state, s.letter,
                    s.distance, s.by_char, s.pairs, s.hashed, s.units, s.text, s.tuple, s.choice, s.outcome,
                    *s.held, s.of_long, s.of_unsigned_long, s.complex, s.bits, s.list);
  };
  return first(a) == first(b) && second(a) == second(b) &&
         std::string_view(a.tag, 4) == std::string_view(b.tag, 4);
}

/// Members whose encoding annotations define in the compact profile.
struct spelled {
  long number = -300;
  unsigned long usual = 0; // omitted
  clock_time at{std::chrono::seconds(1)};
  microseconds same{}; // omitted
  std::vector<long> list{1, -1};
  plain old_enum = high;
  bool operator==(const spelled&) const = default;
};

/// Values that some platforms can't represent, and that every platform writes in the same way.
struct beyond {
  std::vector<unsigned long> numbers;
  clock_time at{};
};
struct beyond_written {
  std::vector<std::uint64_t> numbers{1, 2, 0x1122334455667788};
  std::chrono::sys_time<std::chrono::nanoseconds> at{std::chrono::nanoseconds(1'700'000'000'123'456'789)};
};
static_assert(ingot::schema_id<beyond> == ingot::schema_id<beyond_written>);

/// A block is memory, which a program on another machine reads by its layout.
struct block {
  microseconds micro{};
  clock_time at{};
  long number = 0;
  std::int64_t large = 0;
  char unit = 0;
  plain old_enum = high;
  std::chrono::days days{};
  ingot::string text;
  ingot::vector<long> numbers;
  ingot::map<char, std::int32_t> by_char;
  ingot::hash_map<long, microseconds> by_number;
};

} // namespace abi
template <>
inline constexpr auto ingot::annotations<abi::spelled> =
    ingot::annotate(ingot::type(ingot::varint, ingot::elide_defaults));

namespace abi { namespace {

template <class T>
void expect(std::string_view name, const ingot::result<T>& read, const T& value) {
  if (!read) fail(name, read.error().message());
  else if (!(*read == value)) fail(name, "another value");
}
/// Expects that `beyond` is read unchanged, or rejected at the member that does not fit.
void expect_beyond(std::string_view name, const ingot::result<beyond>& read) {
  const beyond_written value;
  if constexpr (sizeof(long) == 4 || !std::is_same_v<clock_time::period, std::nano>) {
    if (read) return fail(name, "a value that this platform can't hold was read");
    if (read.error().code() != ingot::errc::out_of_range) return fail(name, read.error().message());
    if (read.error().path() != (sizeof(long) == 4 ? "numbers[2]" : "at")) fail(name, read.error().message());
  } else {
    if (!read) return fail(name, read.error().message());
    if (!std::equal(read->numbers.begin(), read->numbers.end(), value.numbers.begin(), value.numbers.end()) ||
        read->at.time_since_epoch() != value.at.time_since_epoch())
      fail(name, "another value");
  }
}

void fill(block& to) {
  to.micro = microseconds(std::chrono::microseconds(-1'234'567));
  to.at = clock_time(std::chrono::seconds(1'700'000'000));
  to.number = -7;
  to.large = std::int64_t{1} << 40;
  to.unit = '\xe9';
  to.old_enum = low;
  to.days = std::chrono::days(-3);
  to.text = "a text that is longer than a small string is";
  to.numbers.push_back(-1);
  to.numbers.push_back(2);
  to.by_char.emplace('\xe9', 1);
  to.by_char.emplace('a', 2);
  to.by_number.emplace(-1, microseconds(std::chrono::microseconds(5)));
}
bool is_filled(const block& b) {
  return b.micro == microseconds(std::chrono::microseconds(-1'234'567)) &&
         b.at == clock_time(std::chrono::seconds(1'700'000'000)) && b.number == -7 &&
         b.large == std::int64_t{1} << 40 && b.unit == '\xe9' && b.old_enum == low &&
         b.days == std::chrono::days(-3) && b.text == "a text that is longer than a small string is" &&
         b.numbers.size() == 2 && b.numbers[0] == -1 && b.by_char.begin()->first == 'a' &&
         b.by_char.at('\xe9') == 1 && b.by_number.at(-1) == microseconds(std::chrono::microseconds(5));
}

void write() {
  const sample value;
  save("same.pack", ingot::pack(value));
  save("same.compact", ingot::compact::pack(value));
  save("same.typed", ingot::pack_typed(value));
  save("same.typed_compact", ingot::compact::pack_typed(value));
  save("same.spelled", ingot::compact::pack(spelled{}));
  save("same.beyond", ingot::pack(beyond_written{}));
  const ingot::document document(value);
  save("same.archive", ingot::archive(document));
  save("document", document.bytes());
  save("beyond.archive", ingot::archive(ingot::document(beyond_written{})));
  save("same.msgpack", ingot::msgpack::write(document));
  save("same.cbor", ingot::cbor::write(document));
#if INGOT_ABI_JSON
  save("same.json", ingot::json::write(value));
  save("same.iso.json", ingot::json::write(value, {.time_style = ingot::json::time_style::iso8601}));
#endif
  ingot::live<block> created;
  fill(*created);
  save("live", created.bytes());
  save("layout", ingot::layout_of<block>());
}

void read() {
  const sample value;
  const auto packed = load("same.pack");
  expect("pack", ingot::unpack<sample>(packed), value);
  if (const auto view = ingot::view<sample>::open(packed); !view) {
    fail("view", view.error().message());
  } else if (view->get<"number">() != -7 || view->get<"numbers">()[2] != 0x11223344 ||
             view->get<"at">().time_since_epoch() != std::chrono::seconds(1'700'000'000) ||
             view->get<"by_char">().find('\xe9') == view->get<"by_char">().end() ||
             view->get<"unit">() != '\xe9') {
    fail("view", "another value");
  }
  expect("compact", ingot::compact::unpack<sample>(load("same.compact")), value);
  expect("typed", ingot::unpack_typed<sample>(load("same.typed")), value);
  expect("typed_compact", ingot::compact::unpack_typed<sample>(load("same.typed_compact")), value);
  expect("spelled", ingot::compact::unpack<spelled>(load("same.spelled")), spelled{});
  expect_beyond("beyond", ingot::unpack<beyond>(load("same.beyond")));

  if (const auto document = ingot::unarchive(load("same.archive")); document)
    expect("archive", document->root().as<sample>(), value);
  else fail("archive", document.error().message());
  if (const auto document = ingot::document::open(load("document")); document)
    expect("document", document->root().as<sample>(), value);
  else if (document.error().code() != ingot::errc::layout_mismatch) // the other byte order
    fail("document", document.error().message());
  if (const auto document = ingot::unarchive(load("beyond.archive")); document)
    expect_beyond("beyond.archive", document->root().as<beyond>());
  else fail("beyond.archive", document.error().message());
  if (const auto document = ingot::msgpack::read_document(load("same.msgpack")); document)
    expect("msgpack", document->root().as<sample>(), value);
  else fail("msgpack", document.error().message());
  if (const auto document = ingot::cbor::read_document(load("same.cbor")); document)
    expect("cbor", document->root().as<sample>(), value);
  else fail("cbor", document.error().message());
#if INGOT_ABI_JSON
  for (const char* name : {"same.json", "same.iso.json"}) {
    const bytes text = load(name);
    if (text.empty()) continue; // by a build without JSON
    expect(
        name,
        ingot::json::read<sample>(std::string_view(reinterpret_cast<const char*>(text.data()), text.size())),
        value);
  }
#endif

  // A block of this layout can be opened. One of another layout is rejected with the difference,
  // and read by its layout.
  const bytes live = load("live");
  const bytes layout = load("layout");
  const auto own = ingot::layout_of<block>();
  const bool is_own = std::equal(layout.begin(), layout.end(), own.begin(), own.end());
  if (const auto opened = ingot::live<block>::open(live); opened) {
    if (!is_filled(**opened)) fail("live", "another value");
  } else if (is_own || (opened.error().code() != ingot::errc::layout_mismatch &&
                        opened.error().code() != ingot::errc::schema_mismatch)) {
    fail("live", opened.error().message());
  }
  const auto conversion = ingot::live_evolution<block>::from(layout);
  if (!conversion) {
    if (conversion.error().code() != ingot::errc::layout_mismatch)
      fail("layout", conversion.error().message()); // the other byte order
  } else if (const auto opened = conversion->open(live); !opened) {
    fail("live by layout", opened.error().message());
  } else if (!is_filled(**opened)) {
    fail("live by layout", "another value");
  }
}

}} // namespace abi

int main(int count, char** arguments) {
  if (count != 3) return 2;
  abi::folder = arguments[2];
  const bool writes = std::string_view(arguments[1]) == "write";
  if (writes) abi::write();
  else abi::read();
  for (const abi::part* each : abi::part::all()) writes ? each->write() : each->read();
  return abi::failures == 0 ? 0 : 1;
}
