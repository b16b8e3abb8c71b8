// SPDX-License-Identifier: Apache-2.0
// Types that declare that they can also be loaded from documents, and types that don't.
#include <ingot/file/compile.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/json/document.hpp>
#include <ingot/schema/previous.hpp>

#include "file/file_tools.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace loads_documents_test {

using namespace file_test;
using ingot::errc;
using ingot::load;

/// As the hero of other tests, whose `load` accepts no documents.
using hero = hero_that<true>;
struct sword_v1 {
  std::string caption;
  std::int16_t weight = 0;
  bool rusty = false;
};
struct sword {
  std::optional<std::string> owner = "nobody";
  double weight = 0;
  std::string title;
  std::vector<int> runes{1, 2};
};
struct shield_v1 {
  std::uint32_t version = 1;
  std::string motto;
  std::uint16_t width_cm = 0;
};
struct shield_v2 {
  std::uint32_t version = 2;
  std::string motto;
  std::uint32_t width_mm = 0;
};
struct shield {
  std::uint32_t version = 3;
  std::string motto;
  std::uint64_t width_um = 0;
  std::optional<std::string> colour;
};
struct rack {
  std::vector<shield> shields;
  std::map<std::string, shield> named;
};
/// Objects don't state their version, except those that were a text.
struct helmet_v1 {
  std::uint16_t size_cm = 0;
};
struct helmet {
  std::uint32_t size_mm = 0;
};
/// Documents have no form for these characters.
struct wide_name {
  std::u16string name;
};

} // namespace loads_documents_test
template <>
inline constexpr auto ingot::annotations<loads_documents_test::shield_v1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<loads_documents_test::shield_v2> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
inline constexpr auto ingot::annotations<loads_documents_test::shield> =
    ingot::annotate(ingot::type(ingot::version(3)), ingot::member<"width_um">(ingot::range(0, 9'000'000)));
template <>
inline constexpr auto ingot::annotations<loads_documents_test::helmet_v1> =
    ingot::annotate(ingot::type(ingot::version(1)));
template <>
inline constexpr auto ingot::annotations<loads_documents_test::helmet> =
    ingot::annotate(ingot::type(ingot::version(2)));
template <>
struct ingot::previous<loads_documents_test::shield_v2> {
  using type = loads_documents_test::shield_v1;
  static loads_documents_test::shield_v2 upgrade(type&& old) {
    return {0, std::move(old.motto), old.width_cm * 10U};
  }
};
template <>
struct ingot::previous<loads_documents_test::shield> {
  using type = loads_documents_test::shield_v2;
  static ingot::result<loads_documents_test::shield> upgrade(type&& old) {
    if (old.motto == "lost")
      return ingot::fail(ingot::error{ingot::errc::invalid_value}.with_expected("a shield that is there"));
    return loads_documents_test::shield{0, std::move(old.motto), old.width_mm * 1000U, "red"};
  }
};
template <>
struct ingot::previous<loads_documents_test::helmet> {
  using type = loads_documents_test::helmet_v1;
  static loads_documents_test::helmet upgrade(type&& old) { return {old.size_cm * 10U}; }
};
template <>
inline constexpr bool ingot::loads_documents<loads_documents_test::rack> = true;
template <>
inline constexpr bool ingot::loads_documents<loads_documents_test::helmet> = true;
template <>
inline constexpr bool ingot::loads_documents<loads_documents_test::hero> = true;
template <>
inline constexpr bool ingot::loads_documents<loads_documents_test::sword> = true;
template <>
inline constexpr bool ingot::loads_documents<loads_documents_test::sword_v1> = true;
template <>
inline constexpr auto ingot::annotations<loads_documents_test::sword> =
    ingot::annotate(ingot::member<"title">(ingot::renamed_from("inscription", "caption")));
namespace loads_documents_test {

static_assert(!ingot::loads_documents<file_test::hero> && !ingot::loads_documents<std::string> &&
              !ingot::loads_documents<std::vector<std::map<int, wide_name>>>);
static_assert(ingot::loads_documents<std::vector<std::optional<hero>>> &&
              ingot::loads_documents<std::map<std::string, std::vector<sword>>>);

[[nodiscard]] ingot::document document_of(const hero& from) { return ingot::document(from); }
[[nodiscard]] hero ada() { return file_test::ada<hero>(); }

TEST(loads_documents, is_said_by_the_type) {
  simulated_disk disk;
  disk.put("document", file_of(document_of(ada())));
  const auto text = ingot::decompile<hero>("document", {}, disk); // it reads the same files as load
  ASSERT_TRUE(text.has_value()) << text.error().message();
  EXPECT_NE(text->find("rope"), std::string::npos);
  EXPECT_EQ(load<std::vector<wide_name>>("document", {}, disk).error().code(), errc::schema_mismatch);
  EXPECT_EQ(load<file_test::hero>("document", {}, disk).error().message(),
            "other type at byte 5 ([document]): expected a packed value (documents are read only for types "
            "that set `loads_documents`), found a document; read it as the type that wrote it, in the form "
            "that it has");
}

TEST(loads_documents, reads_packed_compact_and_compressed_values_and_documents) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "packed", ada()));
  ASSERT_TRUE(ingot::save(folder / "compact", ada(), {.form = ingot::profile::compact}));
  ASSERT_TRUE(ingot::save(folder / "document", document_of(ada())));
  ASSERT_TRUE(ingot::create_edited_file(folder / "edited", document_of(ada())));
  for (const auto* const name : {"packed", "compact", "document", "edited"}) {
    const auto loaded = load<hero>(folder / name);
    ASSERT_TRUE(loaded.has_value()) << name << ": " << loaded.error().message();
    EXPECT_EQ(loaded->name, ada().name);
    EXPECT_EQ(loaded->position[1], 2.5F);
    EXPECT_EQ(loaded->equips, ada().equips);
    EXPECT_EQ(loaded->items.at("rope").count, 2u);
  }
}

TEST(loads_documents, names_file_and_member_of_what_a_document_has_otherwise) {
  simulated_disk disk;
  ingot::document doc = document_of(ada());
  doc["equips"][1]["count"] = -1;
  disk.put("x", file_of(doc));
  const auto low = load<hero>("x", {}, disk);
  ASSERT_FALSE(low.has_value());
  EXPECT_EQ(low.error().code(), errc::out_of_range);
  EXPECT_EQ(low.error().path(), "[x].equips[1].count");
  doc["equips"][1]["count"] = 1;
  doc["alive"] = "yes";
  disk.put("y", file_of(doc));
  const auto other = load<hero>("y", {}, disk);
  EXPECT_EQ(other.error().code(), errc::type_mismatch);
  EXPECT_EQ(other.error().path(), "[y].alive");
  EXPECT_EQ(disk.open_files(), 0u);
}

TEST(loads_documents, rejects_what_load_rejects) {
  simulated_disk disk;
  disk.put("live", file_of(live_ada()));
  EXPECT_EQ(load<hero>("live", {}, disk).error().code(), errc::schema_mismatch);
  EXPECT_EQ(load<ingot::document>("live", {}, disk).error().code(), errc::schema_mismatch);
  EXPECT_TRUE(load<ingot::live<live_hero>>("live", {}, disk)); // as without the declaration
  disk.put("text", file_of(std::string("text")));
  EXPECT_EQ(load<hero>("text", {}, disk).error().code(), errc::schema_mismatch);
  byte_vector damaged = file_of(document_of(ada()));
  for (std::size_t at = 0; at < damaged.size(); at += 5) {
    damaged[at] ^= std::byte{4};
    disk.put("damaged", damaged);
    EXPECT_FALSE(load<hero>("damaged", {}, disk)) << at;
    damaged[at] ^= std::byte{4};
  }
  disk.put("whole", damaged);
  EXPECT_EQ(load<hero>("whole", {.max_bytes = 100}, disk).error().code(), errc::too_large);
  EXPECT_TRUE(load<hero>("whole", {}, disk));
}

TEST(loads_documents, reads_documents_of_another_version_of_the_type) {
  simulated_disk disk;
  const std::vector<sword_v1> old{{"Excalibur", 7, true}, {"Sting", 2, false}};
  disk.put("old", file_of(ingot::document(old)));
  const auto now = load<std::vector<sword>>("old", {}, disk);
  ASSERT_TRUE(now.has_value()) << now.error().message();
  ASSERT_EQ(now->size(), 2u);
  EXPECT_EQ((*now)[0].title, "Excalibur"); // found by a former name
  EXPECT_EQ((*now)[0].weight, 7.0);        // widened
  // new, but a document does not distinguish a new member from an empty one
  EXPECT_EQ((*now)[1].owner, std::nullopt);
  EXPECT_EQ((*now)[1].runes, (std::vector<int>{1, 2})); // new: its default
  std::vector<sword> there(5);
  ASSERT_TRUE(ingot::load_into(there, "old", {}, disk));
  EXPECT_EQ(there.size(), 2u);
  EXPECT_EQ(there[1].title, "Sting");

  const auto back = load<std::vector<sword_v1>>("old", {}, disk);
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE((*back)[0].rusty);
  ingot::document doc(old);
  EXPECT_EQ(doc.root().as<std::vector<sword>>().error().code(),
            errc::missing_member); // without the declaration
  doc[1]["weight"] = "heavy";
  disk.put("other", file_of(doc));
  EXPECT_EQ(load<std::vector<sword>>("other", {}, disk).error().path(), "[other][1].weight");
}

// An object that states an earlier version has the meaning of that version. If it were read as the
// current type, its numbers would have another unit.
TEST(loads_documents, upgrades_objects_that_say_that_they_are_of_earlier_versions) {
  const auto load_text = []<class T>(std::type_identity<T>, std::string_view text) {
    simulated_disk disk;
    EXPECT_TRUE(ingot::save("x", ingot::json::read_document(text).value(), {}, disk));
    return load<T>("x", {}, disk);
  };
  const auto read = load_text(std::type_identity<rack>(), R"({"shields": [
      {"version": 1, "motto": "one", "width_cm": 7}, {"version": 2, "motto": "two", "width_mm": 80},
      {"version": 3, "motto": "three", "width_um": 9000}, {"motto": "none", "width_cm": 6},
      {"version": 0, "width_cm": 5}], "named": {"first": {"motto": "m", "width_cm": 4, "version": 1}}})");
  ASSERT_TRUE(read.has_value()) << read.error().message();
  const std::uint64_t widths[] = {70'000, 80'000, 9'000, 60'000, 50'000};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(read->shields[i].width_um, widths[i]) << i;
    EXPECT_EQ(read->shields[i].colour.has_value(), i != 2) << i;
    EXPECT_EQ(read->shields[i].version, 3U) << "it is of the type as it is";
  }
  EXPECT_EQ(read->shields[1].motto, "two");
  EXPECT_EQ(read->named.at("first").width_um, 40'000U);

  const auto rejected = [&](std::string_view text, errc code, std::string_view path) {
    const auto wrong = load_text(std::type_identity<rack>(), text);
    ASSERT_FALSE(wrong.has_value()) << text;
    EXPECT_EQ(wrong.error().code(), code) << wrong.error().message();
    EXPECT_EQ(wrong.error().path(), path);
  };
  rejected(R"({"shields": [{"version": 4, "motto": "", "width_um": 1}]})", errc::wrong_version,
           "[x].shields[0].version");
  rejected(R"({"shields": [{"version": -1, "motto": ""}]})", errc::type_mismatch, "[x].shields[0].version");
  rejected(R"({"shields": [{"version": "1", "motto": ""}]})", errc::type_mismatch, "[x].shields[0].version");
  rejected(R"({"shields": [{"version": 1, "motto": "lost"}]})", errc::invalid_value, "[x].shields[0]");
  rejected(R"({"shields": [{"version": 1, "motto": "", "width_cm": 70000}]})", errc::out_of_range,
           "[x].shields[0].width_cm");
  rejected(R"({"shields": [{"version": 1, "motto": "", "width_cm": 1000}]})", errc::out_of_range,
           "[x].shields[0].width_um");

  EXPECT_EQ(load_text(std::type_identity<helmet>(), R"({"$version": 1, "size_cm": 6})").value().size_mm, 60U);
  EXPECT_EQ(load_text(std::type_identity<helmet>(), R"({"$version": 2, "size_mm": 6})").value().size_mm, 6U);
  EXPECT_EQ(load_text(std::type_identity<helmet>(), R"({"size_mm": 7})").value().size_mm, 7U)
      << "nothing is known of it";
  EXPECT_EQ(load_text(std::type_identity<helmet>(), R"({"$version": 3, "size_mm": 6})").error().code(),
            errc::wrong_version);
}

TEST(loads_documents, rejects_documents_that_have_nothing_of_the_type) {
  simulated_disk disk;
  ingot::document settings;
  settings["port"] = 8080;
  disk.put("settings", file_of(settings));
  const auto wrong = load<sword>("settings", {}, disk);
  // otherwise it would be read with defaults only, and saved like that
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code(), errc::schema_mismatch);
  EXPECT_EQ(wrong.error().path(), "[settings]");
  sword there;
  EXPECT_EQ(ingot::load_into(there, "settings", {}, disk).error().code(), errc::schema_mismatch);
}

} // namespace loads_documents_test
