// SPDX-License-Identifier: Apache-2.0
// The code, the offset and the path of an error are public, for the reader of a type and for the
// validator by a schema. Both report the first error in their own order: the reader by level, the
// validator by slot. This test keeps both orders.
//
// A line of the golden has the errors of all mutants of a type's messages. INGOT_PRINT_ERRORS=1
// prints each error: compare the output of two commits to find what differs.
#include <ingot/pack/evolution.hpp>

#include "zoo/annotated.hpp"
#include "zoo/records.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace validator_golden {

/// One member of each encoding that only the compact profile has.
struct encoded {
  std::uint32_t count = 0;
  std::vector<std::int16_t> moves;
  zoo::mood feeling{};
  float weight = 0;
  double height = 0;
  std::array<float, 3> normal{};
  std::vector<float> prices;
  std::uint32_t plain = 0;
};
ZOO_MEMBERS(encoded, count, moves, feeling, weight, height, normal, prices, plain)

} // namespace validator_golden
template <>
struct zoo::sampler<validator_golden::encoded> {
  static validator_golden::encoded make(source& s) {
    validator_golden::encoded value;
    fill(value.count, s);
    fill(value.moves, s);
    fill(value.feeling, s);
    value.weight = static_cast<float>(s.between(0, 1000)) / 8;
    value.height = static_cast<double>(s.between(0, 1000)) / 10;
    value.normal = {0.6F, 0, 0.8F};
    value.prices.resize(s.size());
    for (float& price : value.prices) price = static_cast<float>(s.between(0, 1000)) / 4;
    fill(value.plain, s);
    return value;
  }
};
template <>
inline constexpr auto ingot::annotations<validator_golden::encoded> =
    ingot::annotate(ingot::type(ingot::varint), ingot::member<"weight">(ingot::short_float),
                    ingot::member<"height">(ingot::tight), ingot::member<"normal">(ingot::unit_vector),
                    ingot::member<"prices">(ingot::quantize(0.25)), ingot::member<"plain">(ingot::fixed));
namespace validator_golden {

using ingot::bytes_view;
using byte_vector = std::vector<std::byte>;

/// Collects the outcomes of one kind of reading.
class outcomes {
public:
  outcomes(std::string_view name, std::string_view reader) : name_(name), reader_(reader) {}

  void add(const ingot::error* why, std::size_t mutant) {
    ++tried_;
    if (why == nullptr) {
      ++accepted_;
      take(0xFF);
      return;
    }
    const std::string path(why->path());
    take(static_cast<std::uint64_t>(why->code()));
    for (std::uint64_t n = why->offset(), i = 0; i < 8; ++i, n >>= 8) take(n & 0xFF);
    for (const char c : path) take(static_cast<unsigned char>(c));
    take(0);
    static const bool prints = std::getenv("INGOT_PRINT_ERRORS") != nullptr;
    if (prints)
      std::printf("%s %s %zu: %u at %llu %s\n", name_.c_str(), reader_.c_str(), mutant,
                  static_cast<unsigned>(why->code()), static_cast<unsigned long long>(why->offset()),
                  path.c_str());
  }
  [[nodiscard]] std::string line() const {
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(hash_));
    return name_ + " " + reader_ + ": " + std::to_string(accepted_) + " of " + std::to_string(tried_) +
           " accepted, " + hash + "\n";
  }

private:
  void take(std::uint64_t byte) noexcept { hash_ = (hash_ ^ byte) * 0x100000001B3; } // FNV-1a

  std::string name_;
  std::string reader_;
  std::size_t tried_ = 0;
  std::size_t accepted_ = 0;
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

/// Calls `f` with prefixes of `whole`, and with copies that have another byte, or one byte more or
/// less. Long messages are changed at 60 positions.
template <class F>
void for_each_mutant(const byte_vector& whole, F&& f) {
  f(whole);
  const std::size_t step = whole.size() / 60 + 1;
  for (std::size_t at = 0; at < whole.size(); at += step) {
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(at);
    f(byte_vector(whole.begin(), from));
    byte_vector changed = whole;
    for (const unsigned flip : {0x01U, 0x02U, 0x10U, 0x80U, 0xFFU}) {
      changed[at] = whole[at] ^ static_cast<std::byte>(flip);
      f(changed);
    }
    changed[at] = std::byte{0};
    f(changed);
    changed = whole;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
    f(changed);
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), 2, std::byte{1});
    f(changed);
  }
}

template <class Check, class Decode>
void offer(const byte_vector& whole, const ingot::detail::packed_layout& layout, outcomes& by_schema,
           outcomes& by_type, Decode&& decode) {
  std::size_t mutant = 0;
  for_each_mutant(whole, [&](const byte_vector& bytes) {
    Check check(layout, bytes);
    by_schema.add(check.run() ? nullptr : &check.why(), mutant);
    const auto decoded = decode(bytes);
    by_type.add(decoded ? nullptr : &decoded.error(), mutant);
    ++mutant;
  });
}

template <class T>
void print_type(std::string_view name, std::string& lines) {
  const auto described = ingot::read_schema(ingot::schema_bytes<T>());
  ASSERT_TRUE(described.has_value()) << name;
  const ingot::detail::evolving_graph graph = ingot::detail::graph_of(*described);
  const ingot::detail::packed_layout layout(graph);
  outcomes packed(name, "packed by schema");
  outcomes packed_type(name, "packed by type");
  outcomes compact(name, "compact by schema");
  outcomes compact_type(name, "compact by type");
  for (const std::uint64_t seed : {0, 3, 4}) {
    const T value = zoo::sample<T>(seed);
    const auto in_packed = ingot::pack(value);
    const auto in_compact = ingot::compact::pack(value);
    ASSERT_TRUE(in_packed.has_value() && in_compact.has_value()) << name << " " << seed;
    const auto copy = [](bytes_view bytes) { return byte_vector(bytes.begin(), bytes.end()); };
    offer<ingot::detail::packed_validator>(copy(ingot::as_bytes_view(*in_packed)), layout, packed,
                                           packed_type,
                                           [](const byte_vector& bytes) { return ingot::unpack<T>(bytes); });
    offer<ingot::detail::compact_validator>(
        copy(ingot::as_bytes_view(*in_compact)), layout, compact, compact_type,
        [](const byte_vector& bytes) { return ingot::compact::unpack<T>(bytes); });
  }
  for (const outcomes* each : {&packed, &packed_type, &compact, &compact_type}) lines += each->line();
}

constexpr std::string_view golden = R"(
mixture packed by schema: 777 of 1596 accepted, 67464ab773076284
mixture packed by type: 771 of 1596 accepted, 4fd5992e484a89df
mixture compact by schema: 928 of 1533 accepted, ad9072a31f94b753
mixture compact by type: 921 of 1533 accepted, dd8265942b08cabf
network packed by schema: 686 of 1434 accepted, 9744cc08b4fd7209
network packed by type: 688 of 1434 accepted, ac580b1aa86e635e
network compact by schema: 803 of 1335 accepted, 44564a554a26d8b1
network compact by type: 796 of 1335 accepted, 7b5e90dc78361873
sensors packed by schema: 612 of 1146 accepted, d18fc0e5ba884792
sensors packed by type: 633 of 1146 accepted, 9af7ec486a65440d
sensors compact by schema: 664 of 1056 accepted, b4bd8bfb0998424f
sensors compact by type: 665 of 1056 accepted, 5729e76b0be9a3fd
outline packed by schema: 696 of 1326 accepted, 07e65ea76de27d9f
outline packed by type: 696 of 1326 accepted, 64b8e0f6c7b457b8
outline compact by schema: 805 of 1245 accepted, e9243f4c940d4f4b
outline compact by type: 805 of 1245 accepted, c5b89f3f2655badc
customer packed by schema: 720 of 1308 accepted, e762c145851ad897
customer packed by type: 670 of 1308 accepted, 41409fad1aa77f0f
customer compact by schema: 484 of 912 accepted, a7daeece3b7f0cdc
customer compact by type: 398 of 912 accepted, 93be610ead3ec104
preferences packed by schema: 519 of 1083 accepted, d67919f56efd10b9
preferences packed by type: 519 of 1083 accepted, 98b5345cebf40fe6
preferences compact by schema: 659 of 1002 accepted, cb371432f2e599f1
preferences compact by type: 659 of 1002 accepted, 394b871dd068c3a3
encoded packed by schema: 630 of 1083 accepted, 535136d1ed866b5f
encoded packed by type: 630 of 1083 accepted, 3fdbba2cb320ff46
encoded compact by schema: 406 of 912 accepted, e40783a5930c0a80
encoded compact by type: 406 of 912 accepted, e40783a5930c0a80
array packed by schema: 506 of 921 accepted, 8bba1d2e612a4ff7
array packed by type: 506 of 921 accepted, c52f3e9afc05162d
array compact by schema: 487 of 795 accepted, 2f98305585e0f840
array compact by type: 487 of 795 accepted, 2f98305585e0f840
variants packed by schema: 585 of 1074 accepted, 004747323ce02df0
variants packed by type: 585 of 1074 accepted, 004747323ce02df0
variants compact by schema: 601 of 975 accepted, 130974517ff913dc
variants compact by type: 601 of 975 accepted, 130974517ff913dc
)";

TEST(validator_golden, mutants_have_the_errors_that_they_had) {
  std::string lines = "\n";
  const auto each = [&]<class T>(std::string_view name) { print_type<T>(name, lines); };
  each.template operator()<zoo::mixture>("mixture");
  each.template operator()<zoo::network>("network");
  each.template operator()<std::vector<zoo::sensor_v2>>("sensors");
  each.template operator()<zoo::outline>("outline");
  each.template operator()<zoo::customer>("customer");
  each.template operator()<std::vector<zoo::preferences>>("preferences");
  each.template operator()<encoded>("encoded");
  each.template operator()<std::array<std::tuple<std::int16_t, std::optional<std::string>>, 2>>("array");
  each.template operator()<std::vector<std::variant<bool, std::string, std::pair<zoo::rights, zoo::colour>>>>(
      "variants");
  EXPECT_EQ(lines, golden);
}

} // namespace validator_golden
