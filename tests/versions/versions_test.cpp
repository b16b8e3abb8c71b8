// SPDX-License-Identifier: Apache-2.0
// Reads documents of every version of a type as every other version. `as_evolved` must give the
// same result as a model of the rules. If `compatible` accepts the schemas, the packed value must
// give that result, too, except for the reasons in document_node.hpp. The types are made by
// make_versions.py.
#include "pack/evolution_lab_bytes.hpp"
#include "versions/read_model.hpp"
#include "versions/type_functions.hpp"
#include "versions/values.hpp"
#include "versions/written_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace versions_test {

using namespace versions;
using evolution_lab::packed_reader;
using evolution_lab::packed_writer;

/// A version, and everything that does not depend on the version that reads it.
struct subject {
  explicit subject(const version& from) : is(from), type(from.words), schema(from.does.schema()) {}

  const version& is;
  known_type type;
  ingot::schema schema;
  std::map<std::uint32_t, value> defaults;

  /// Returns a default-constructed record, which the compiler determines and not the library.
  value default_of(std::uint32_t record) {
    const auto [at, is_new] = defaults.try_emplace(record);
    if (!is_new) return at->second;
    const auto found = std::ranges::find_if(all_defaults(), [&](const named_default& each) {
      return each.space == is.space && each.name == type.attributes[record].record;
    });
    if (found != all_defaults().end()) at->second = packed_reader(type.schema, found->bytes()).read(record);
    return at->second;
  }
  [[nodiscard]] byte_vector pack(const value& v) const {
    return packed_writer(type.schema).write(type.schema.root, v);
  }
};

struct counts {
  std::size_t pairs = 0;
  std::size_t readable = 0; ///< pairs that `compatible` accepts
  std::size_t values = 0;
  std::size_t read = 0; ///< values read from a document
  /// values read although `compatible` rejects the pair: numbers that fit, equal forms
  std::size_t read_beyond = 0;
  std::array<std::size_t, reason_count> differing{};
};

class pair_test {
public:
  pair_test(subject& old, subject& now, counts& all) : old_(old), now_(now), all_(all) {}

  void run(std::size_t values) {
    const auto answer = now_.is.does.compatible(old_.schema);
    dice r(static_cast<dice::result_type>(1 + old_.is.family * 1'000'003 + old_.is.number * 1'009 +
                                          now_.is.number));
    ++all_.pairs;
    if (answer) ++all_.readable;
    for (std::size_t i = 0; i < values && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE("family " + std::to_string(old_.is.family) + ", version " +
                   std::to_string(old_.is.number) + " read as " + std::to_string(now_.is.number) +
                   ", value " + std::to_string(i) + "\n" + answer.to_text());
      try_value(value_maker(old_.type, r).make(), static_cast<bool>(answer), i % 2 != 0);
    }
  }

private:
  void try_value(const value& v, bool is_compatible, bool compacted) {
    ++all_.values;
    const byte_vector packed = old_.pack(v);
    written_model writer(old_.type);
    read_model reader(now_.type,
                      [&](const known_type&, std::uint32_t record) { return now_.default_of(record); });
    const std::optional<value> expected = reader.read(writer.write(v));
    const unsigned reasons = writer.reasons() | reader.reasons();

    const auto bytes = old_.is.does.to_document(packed, compacted);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message();
    const auto opened = ingot::document::open(*bytes);
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    const auto read = now_.is.does.as_evolved(std::as_const(*opened).root());
    ASSERT_EQ(read.has_value(), expected.has_value())
        << (read ? "the model refuses" : read.error().message()) << "\nreasons " << reasons;
    if (read) {
      ++all_.read;
      if (!is_compatible) ++all_.read_beyond;
      ASSERT_EQ(packed_reader(now_.type.schema, *read).read(now_.type.schema.root), *expected);
      ASSERT_EQ(*read, now_.pack(*expected));
    }

    const auto evolved = now_.is.does.evolve(packed, old_.schema);
    if (!is_compatible) {
      ASSERT_FALSE(evolved.has_value());
      return;
    }
    if (evolved.has_value() ? expected && *evolved == *read : !expected) return;
    ASSERT_NE(reasons, 0U) << "packed and document differ: "
                           << (evolved ? "packed is read" : evolved.error().message()) << ", "
                           << (read ? "the document is read" : read.error().message());
    for (std::size_t k = 0; k < reason_count; ++k) all_.differing[k] += reasons >> k & 1;
  }

  subject& old_;
  subject& now_;
  counts& all_;
};

std::vector<std::unique_ptr<subject>>& subjects() {
  static std::vector<std::unique_ptr<subject>> all = [] {
    std::vector<std::unique_ptr<subject>> list;
    for (const version& each : all_versions()) list.push_back(std::make_unique<subject>(each));
    return list;
  }();
  return all;
}

/// The model's types are equal to the compiler's. Otherwise the tests below would test other types.
TEST(versions, are_known_as_they_are) {
  for (auto& each : subjects()) {
    dice r(static_cast<dice::result_type>(each->is.number + 1));
    for (int i = 0; i < 8; ++i) {
      const byte_vector packed = each->pack(value_maker(each->type, r).make());
      const auto again = each->is.does.round_trip(packed);
      ASSERT_TRUE(again.has_value()) << each->is.space << ' ' << each->is.number << ": "
                                     << again.error().message() << '\n'
                                     << each->is.words;
      ASSERT_EQ(*again, packed);
    }
  }
}

/// `as_evolved` reads a document of the type itself as `as` does.
TEST(versions, of_themselves_are_read_as_they_are) {
  for (auto& each : subjects()) {
    dice r(static_cast<dice::result_type>(each->is.number + 7));
    for (int i = 0; i < 8; ++i) {
      const byte_vector packed = each->pack(value_maker(each->type, r).make());
      const auto bytes = each->is.does.to_document(packed, i % 2 == 0);
      ASSERT_TRUE(bytes.has_value());
      const auto opened = ingot::document::open(*bytes);
      ASSERT_TRUE(opened.has_value());
      const auto plain = each->is.does.as(std::as_const(*opened).root());
      const auto evolved = each->is.does.as_evolved(std::as_const(*opened).root());
      ASSERT_TRUE(plain.has_value()) << plain.error().message();
      ASSERT_TRUE(evolved.has_value()) << evolved.error().message();
      ASSERT_EQ(*plain, *evolved) << each->is.space << ' ' << each->is.number << '\n' << each->is.words;
    }
  }
}

TEST(versions, are_read_as_each_other_by_the_rules) {
  counts all;
  // few values are enough for many pairs
  const std::size_t values = subjects().size() > 100 ? 3 : 6;
  for (auto& old : subjects()) {
    for (auto& now : subjects()) {
      if (old->is.family == now->is.family && !HasFailure()) pair_test(*old, *now, all).run(values);
    }
  }
  constexpr std::array<const char*, reason_count> names{"an enumerator by a former name",
                                                        "no member has the name of one in the other",
                                                        "nothing is absent",
                                                        "optional twice",
                                                        "version missing",
                                                        "quiet NaN",
                                                        "text of an array",
                                                        "an alternative by its index"};
  std::printf(
      "%zu pairs, %zu compatible; %zu values, %zu read, %zu of them of pairs that are not compatible\n",
      all.pairs, all.readable, all.values, all.read, all.read_beyond);
  for (std::size_t k = 0; k < reason_count; ++k)
    std::printf("  packed and document differ, %s: %zu\n", names[k], all.differing[k]);
  // If nearly no pairs were readable, or nearly all, the test would show little.
  EXPECT_GT(all.readable, all.pairs / 20);
  EXPECT_LT(all.readable, all.pairs * 9 / 10);
  EXPECT_GT(all.read_beyond, 0U);
}

} // namespace versions_test
