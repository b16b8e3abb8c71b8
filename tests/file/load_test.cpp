// SPDX-License-Identifier: Apache-2.0
// Loading: saved values are read back; for other files the error says what is wrong and at which
// position of the file.
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/load.hpp>

#include "file/column_tools.hpp"
#include "file/file_tools.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include <sys/stat.h>

namespace load_test {

using namespace file_test;
using ingot::errc;

TEST(load, gives_back_values_in_either_profile) {
  const scratch_folder folder;
  for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
    ASSERT_TRUE(ingot::save(folder / "hero", ada(), {.form = form}));
    const auto back = ingot::load<hero>(folder / "hero");
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(back->name, ada().name);
    EXPECT_EQ(back->equips, ada().equips);
    EXPECT_EQ(back->items, ada().items);
    hero warm;
    ASSERT_TRUE(ingot::load_into(warm, folder / "hero"));
    EXPECT_EQ(warm.items, ada().items);
  }
}

// A path of any type names the same file, and errors name it too.
TEST(load, paths_of_every_type_name_the_same_file) {
  const scratch_folder folder;
  const std::filesystem::path path = folder / "hero";
  const std::string name = path.string();
  const auto expect_round_trip = [&](const auto& argument) {
    std::filesystem::remove(path);
    ASSERT_TRUE(ingot::save(argument, ada()));
    ASSERT_TRUE(std::filesystem::exists(path));
    const auto back = ingot::load<hero>(argument);
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_EQ(back->items, ada().items);
    hero warm;
    EXPECT_TRUE(ingot::load_into(warm, argument));
    EXPECT_TRUE(ingot::map_file<hero>(argument));
    EXPECT_TRUE(ingot::peek_file(argument));
    std::filesystem::resize_file(path, 70);
    const auto cut = ingot::load<hero>(argument);
    ASSERT_FALSE(cut);
    EXPECT_NE(cut.error().path().find("hero]"), std::string_view::npos) << cut.error().message();
  };
  expect_round_trip(path);
  expect_round_trip(name);
  expect_round_trip(name.c_str());
  // No zero byte follows this one.
  const std::string longer = name + "es";
  expect_round_trip(std::string_view(longer).substr(0, name.size()));
}
// Otherwise `hero\0.png` would be read as `hero`.
TEST(load, paths_with_a_zero_byte_are_rejected) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "hero", ada()));
  const std::string name = (folder / "hero").string() + std::string("\0.png", 5);
  EXPECT_EQ(ingot::load<hero>(name).error().found(), "Invalid argument");
  EXPECT_EQ(ingot::load<hero>(std::string_view(name)).error().code(), errc::io);
  EXPECT_EQ(ingot::map_file<hero>(std::filesystem::path(name)).error().code(), errc::io);
}

TEST(load, gives_back_whatever_can_be_packed) {
  const scratch_folder folder;
  const auto there_and_back = [&]<class T>(const T& value) {
    EXPECT_TRUE(ingot::save(folder / "x", value));
    const auto back = ingot::load<T>(folder / "x");
    EXPECT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(back && *back == value);
  };
  there_and_back(std::uint32_t{7});
  there_and_back(std::string());
  there_and_back(std::string(1'000'000, 'x'));
  there_and_back(std::vector<std::string>{"a", "", "c"});
  there_and_back(std::optional<double>(2.5));
  there_and_back(std::variant<int, std::string>("text"));
  there_and_back(std::map<int, std::vector<int>>{{1, {2, 3}}});
}

// Lists that are decoded while their file is read, variable and fixed ones, of either profile,
// compressed or not.
TEST(load, bounds_the_memory_of_values) {
  const scratch_folder folder;
  const auto check = [&]<class T>(const T& value) {
    for (const auto form : {ingot::profile::packed, ingot::profile::compact}) {
      ASSERT_TRUE(ingot::save(folder / "x", value, {.form = form}));
      const auto rejected = ingot::load<T>(folder / "x", {.max_memory = 15'000});
      ASSERT_FALSE(rejected.has_value());
      EXPECT_EQ(rejected.error().code(), errc::too_much_memory) << rejected.error().message();
      T warm;
      EXPECT_FALSE(ingot::load_into(warm, folder / "x", {.max_memory = 15'000}));
      EXPECT_TRUE(ingot::load<T>(folder / "x", {.max_memory = 400'000}));
      EXPECT_TRUE(ingot::load<T>(folder / "x"));
    }
  };
  check(std::vector<std::string>(2'000, "x"));
  check(std::vector<std::uint64_t>(2'000));
  check(std::vector<std::pair<std::uint8_t, std::uint64_t>>(2'000));
  check(std::map<int, std::vector<std::string>>{{1, std::vector<std::string>(2'000, "x")}});
  check(std::vector<std::vector<std::string>>(200, std::vector<std::string>(10, "x")));
}

TEST(load, gives_back_a_block_that_grows_and_a_document) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  auto world = ingot::load<ingot::live<live_hero>>(folder / "world");
  ASSERT_TRUE(world.has_value()) << world.error().message();
  EXPECT_TRUE(*world == live_ada());
  for (std::uint32_t i = 0; i < 10'000; ++i) (*world)->equips.push_back({i, i});
  EXPECT_GE(world->max_size(), ingot::live<live_hero>::default_max_block_size.bytes);

  ASSERT_TRUE(ingot::save(folder / "doc", ada_document()));
  auto doc = ingot::load<ingot::document>(folder / "doc");
  ASSERT_TRUE(doc.has_value()) << doc.error().message();
  EXPECT_TRUE(*doc == ada_document());
  (*doc)["more"] = std::string(10'000, 'm');
}

TEST(load, of_another_kind_names_both) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "hero", ada()));
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  ASSERT_TRUE(ingot::save(folder / "doc", ada_document()));
  const auto check = [](const auto& loaded, std::string_view wanted, std::string_view found) {
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code(), errc::schema_mismatch);
    EXPECT_EQ(loaded.error().offset(), 5u);
    EXPECT_EQ(loaded.error().expected(), wanted);
    EXPECT_EQ(loaded.error().found(), found);
  };
  check(ingot::load<hero>(folder / "world"), "a packed value", "a live block");
  check(ingot::load<hero>(folder / "doc"),
        "a packed value (documents are read only for types that set `loads_documents`)", "a document");
  check(ingot::load<ingot::live<live_hero>>(folder / "hero"), "a live block", "a packed value");
  check(ingot::load<ingot::document>(folder / "world"), "a document", "a live block");
}

TEST(load, of_another_type_is_rejected_by_its_fingerprint) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "hero", ada()));
  EXPECT_EQ(ingot::load<item>(folder / "hero").error().code(), errc::schema_mismatch);
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  EXPECT_EQ(ingot::load<ingot::live<item>>(folder / "world").error().code(), errc::schema_mismatch);
#if UINTPTR_MAX > 0xFFFFFFFF // wide blocks need a 64-bit machine
  ASSERT_TRUE(ingot::save(folder / "narrow", ingot::live<item>(), {.schema = false}));
  const auto wide = ingot::load<ingot::wide::live<item>>(folder / "narrow");
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code(), errc::layout_mismatch)
      << "a file that carries its layout would be read by it";
#endif
}

TEST(load, of_what_is_no_file_gives_the_path_and_the_reason) {
  const scratch_folder folder;
  const auto why = [&](std::string_view name) {
    const auto loaded = ingot::load<hero>(folder / name);
    EXPECT_EQ(loaded.error().code(), errc::io);
    EXPECT_NE(loaded.error().path().find(folder.path().filename().string()), std::string_view::npos);
    return std::string(loaded.error().found());
  };
  EXPECT_EQ(why("missing"), "No such file or directory");
  EXPECT_EQ(why(""), "Is a directory");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(why("pipe"), "Invalid argument") << "it does not wait for a writer";
}

TEST(load, of_a_missing_file_says_what_to_check) {
  const scratch_folder folder;
  EXPECT_TRUE(ingot::load<hero>(folder / "missing")
                  .error()
                  .message()
                  .ends_with("; check the path (a relative path begins in the working directory) and the "
                             "permissions"));
}

TEST(load, of_a_long_path_shows_its_end) {
  const auto loaded = ingot::load<hero>(std::string(200, 'f') + "/the-name-of-the-file");
  const auto path = loaded.error().path();
  EXPECT_TRUE(path.starts_with("[...fff"));
  EXPECT_TRUE(path.ends_with("fff/the-name-of-the-file]"));
}

TEST(load, counts_errors_of_the_payload_from_the_beginning_of_the_file) {
  struct flags {
    bool first = true;
    bool second = true;
  };
  auto bytes = file_of(flags{});
  bytes[65] = std::byte{7};
  simulated_disk disk;
  disk.put("flags", bytes);
  EXPECT_EQ(ingot::load<flags>("flags", {}, disk).error().code(), errc::bad_checksum);
  const auto loaded = ingot::load<flags>("flags", {.checksum = false}, disk);
  EXPECT_EQ(loaded.error().code(), errc::bad_bool);
  EXPECT_EQ(loaded.error().offset(), 65u);
  EXPECT_EQ(loaded.error().path(), "[flags].second");
}

TEST(load, takes_no_memory_beyond_the_limit) {
  simulated_disk disk;
  disk.put("x", file_of(std::string(100, 'x')));
  EXPECT_TRUE(ingot::load<std::string>("x", {.max_bytes = 100}, disk));
  const auto rejected = ingot::load<std::string>("x", {.max_bytes = 99}, disk);
  EXPECT_EQ(rejected.error().code(), errc::too_large);
  disk.put("doc", file_of(ada_document()));
  EXPECT_EQ(ingot::load<ingot::document>("doc", {.max_bytes = 99}, disk).error().code(), errc::too_large);
  disk.put("world", file_of(live_ada()));
  EXPECT_EQ(ingot::load<ingot::live<live_hero>>("world", {.max_bytes = 99}, disk).error().code(),
            errc::too_large);
}

/// A file of each kind, and how to load it: returns an error, or nothing on success.
struct subject {
  std::string_view name;
  byte_vector bytes;
  std::optional<ingot::error> (*load)(file_system&, const ingot::load_options&);
};
template <class T>
std::optional<ingot::error> load_as(file_system& files, const ingot::load_options& options) {
  const auto loaded = ingot::load<T>("x", options, files);
  if (loaded) return std::nullopt;
  return loaded.error();
}
std::vector<subject> subjects() {
  return {{"packed", file_of(ada()), &load_as<hero>},
          {"compact", file_of(ada(), {.form = ingot::profile::compact}), &load_as<hero>},
          {"live", file_of(live_ada()), &load_as<ingot::live<live_hero>>},
          {"document", file_of(ada_document()), &load_as<ingot::document>}};
}

TEST(load_damaged, every_file_that_was_cut_short_is_rejected) {
  for (const auto& [name, bytes, load] : subjects()) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      simulated_disk disk;
      disk.put("x", ingot::bytes_view(bytes).first(size));
      const auto why = load(disk, {});
      ASSERT_TRUE(why) << name << " of " << size << " bytes";
      EXPECT_EQ(why->code(), errc::truncated);
      EXPECT_EQ(why->offset(), size);
      EXPECT_EQ(disk.open_files(), 0u);
    }
    byte_vector longer = bytes;
    longer.push_back({});
    simulated_disk disk;
    disk.put("x", longer);
    EXPECT_EQ(load(disk, {})->code(), errc::trailing_bytes);
    EXPECT_EQ(load(disk, {})->offset(), bytes.size());
  }
}

TEST(load_damaged, every_flipped_bit_is_noticed) {
  for (const auto& [name, bytes, load] : subjects()) {
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      byte_vector damaged = bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto why = load(disk, {});
      ASSERT_TRUE(why) << name << ", bit " << bit;
      const bool as_expected = bit < 32 ? why->code() == errc::not_ingot
                               : bit < 40
                                   ? why->code() == errc::wrong_version
                                   : why->code() == errc::bad_checksum || why->code() == errc::bad_padding;
      EXPECT_TRUE(as_expected) << name << ", bit " << bit << ": " << why->message();
    }
  }
}

TEST(load_damaged, without_checksums_every_flipped_bit_is_noticed_or_harmless) {
  for (const auto& [name, bytes, load] : subjects()) {
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      byte_vector damaged = bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      simulated_disk disk;
      disk.put("x", damaged);
      const auto why = load(disk, {.checksum = false});
      EXPECT_TRUE(why || bit >= 512) << name << ", bit " << bit;
      EXPECT_EQ(disk.open_files(), 0u);
    }
  }
}

TEST(load_damaged, a_file_that_becomes_shorter_meanwhile_is_an_error) {
  class shrinking final : public ingot::file_system {
  public:
    shrinking(simulated_disk& disk, std::uint64_t size) : disk_(disk), size_(size) {}
    int open_folder(const char* path) noexcept override { return disk_.open_folder(path); }
    int open(int folder, const char* name, file_open_mode mode, unsigned permissions) noexcept override {
      return disk_.open(folder, name, mode, permissions);
    }
    int close(int file) noexcept override { return disk_.close(file); }
    std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
      if (from == 64 && disk_.truncate(file, size_) < 0) return -EIO;
      return disk_.read(file, to, from);
    }
    std::int64_t write(int, ingot::bytes_view, std::uint64_t) noexcept override { return -EIO; }
    int sync(int) noexcept override { return -EIO; }
    int truncate(int, std::uint64_t) noexcept override { return -EIO; }
    int rename(int, const char*, const char*) noexcept override { return -EIO; }
    int link(int, const char*, const char*) noexcept override { return -EIO; }
    int remove(int, const char*) noexcept override { return -EIO; }
    int status(int file, file_status& out) noexcept override { return disk_.status(file, out); }
    int status(int folder, const char* name, file_status& out) noexcept override {
      return disk_.status(folder, name, out);
    }
    int set_permissions(int, unsigned) noexcept override { return -EIO; }
    int set_group(int, unsigned) noexcept override { return -EIO; }
    int lock(int) noexcept override { return -EIO; }
    int map(int, std::size_t, bool, std::byte*&) noexcept override { return -EIO; }
    void unmap(std::byte*, std::size_t) noexcept override {}

  private:
    simulated_disk& disk_;
    std::uint64_t size_;
  };
  for (const auto& [name, bytes, load] : subjects()) {
    for (const std::size_t left : {std::size_t{64}, std::size_t{70}, bytes.size() - 1}) {
      simulated_disk disk;
      disk.put("x", bytes);
      shrinking files(disk, left);
      const auto why = load(files, {});
      ASSERT_TRUE(why) << name;
      EXPECT_EQ(why->code(), errc::truncated);
      EXPECT_EQ(why->offset(), left);
    }
  }
}

TEST(load_failing, at_any_call_is_an_error_and_leaves_nothing_open) {
  for (const auto& [name, bytes, load] : subjects()) {
    for (std::size_t n = 0;; ++n) {
      simulated_disk disk;
      disk.put("x", bytes);
      troubled_files files(disk);
      files.fail_at = n;
      const auto why = load(files, {});
      EXPECT_EQ(files.open_files(), 0);
      if (n >= files.calls.size()) {
        EXPECT_FALSE(why);
        EXPECT_GE(n, 5u);
        break;
      }
      if (files.calls[n] == "close") {
        EXPECT_FALSE(why) << "all was read";
        continue;
      }
      ASSERT_TRUE(why) << name << ", " << files.calls[n];
      EXPECT_EQ(why->code(), errc::io);
      EXPECT_EQ(why->found(), "Input/output error");
    }
  }
}

TEST(load_failing, signals_and_short_reads_are_no_failure) {
  for (const auto& [name, bytes, load] : subjects()) {
    simulated_disk disk;
    disk.put("x", bytes);
    troubled_files files(disk);
    files.interrupts = true;
    files.max_bytes = 3;
    EXPECT_FALSE(load(files, {})) << name;
  }
}

TEST(load, of_more_bytes_than_a_block_can_have_says_so_instead_of_asking_for_them) {
  const scratch_folder folder;
  for (const auto& bytes : {file_of(live_ada()), file_of(ada_document())}) {
    auto header = ingot::detail::read_header(ingot::bytes_view(bytes).first(64), bytes.size()).value();
    header.info.payload_size = std::uint64_t{3} << 30;
    header.info.schema = ingot::schema_form::none;
    header.info.schema_size = 0;
    header.schema_checksum = 0;
    byte_vector head(64);
    ingot::detail::write_header(header, head.data());
    write_file(folder / "large", head);
    std::filesystem::resize_file(folder / "large",
                                 header.info.payload_size + 64); // holes, which take no disk space
    const auto code = header.info.kind == ingot::file_kind::live
                          ? ingot::load<ingot::live<live_hero>>(folder / "large").error().code()
                          : ingot::load<ingot::document>(folder / "large").error().code();
    EXPECT_EQ(code, errc::too_large);
  }
}

TEST(load, takes_no_memory_for_a_schema_however_long) {
  // No limit of the caller applies to it, so it must not be in memory as a whole.
  simulated_disk disk;
  ingot::detail::file_header header;
  header.info.kind = ingot::file_kind::packed;
  header.info.schema = ingot::schema_form::portable;
  header.info.schema_id = ingot::schema_id<std::uint64_t>;
  header.info.payload_size = 8;
  header.info.schema_size = 1'000'000;
  byte_vector bytes(72 + 1'000'000, std::byte{1});
  header.payload_checksum = ingot::detail::checksum(ingot::bytes_view(bytes).subspan(64, 8));
  header.schema_checksum =
      static_cast<std::uint32_t>(ingot::detail::checksum(ingot::bytes_view(bytes).subspan(72)));
  ingot::detail::write_header(header, bytes.data());
  disk.put("x", bytes);
  troubled_files files(disk);
  EXPECT_TRUE(ingot::load<std::uint64_t>("x", {.max_bytes = 8}, files));
  EXPECT_LE(files.largest_read, 100'000u);
  bytes.back() = std::byte{2};
  disk.put("x", bytes);
  EXPECT_EQ(ingot::load<std::uint64_t>("x", {.max_bytes = 8}, files).error().code(), errc::bad_checksum);
}

TEST(load, of_a_document_without_a_byte_says_that_it_is_cut_short) {
  byte_vector bytes(64);
  ingot::detail::file_header header;
  header.info.kind = ingot::file_kind::document;
  header.payload_checksum = ingot::detail::checksum({});
  ingot::detail::write_header(header, bytes.data());
  simulated_disk disk;
  disk.put("x", bytes);
  EXPECT_EQ(ingot::load<ingot::document>("x", {}, disk).error().code(), errc::truncated);
}

// Columns need no codec, so every machine reads them: this tests what could differ between
// machines. column_file_test tests the rest.
TEST(load_columns, of_earlier_versions_on_every_machine) {
  const auto expected = *ingot::pack(readings(200));
  const byte_vector then = golden("message_columns");
  const auto back = ingot::decompress(then, expected.size());
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(*back, expected);

  const scratch_folder folder;
  const auto all = readings(3'000);
  ASSERT_TRUE(ingot::save(folder / "r", all, {.columns = true}));
  EXPECT_TRUE(ingot::peek_file(folder / "r")->columns);
  const auto loaded = ingot::load<std::vector<reading>>(folder / "r");
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  EXPECT_EQ(*ingot::pack(*loaded), *ingot::pack(all));
}

/// Shuffled numbers of the width of `U`, also as differences, next to a column of seven constant
/// bytes; expected values follow docs/format.md.
template <class U>
void reads_columns_of() {
  constexpr std::size_t n = 700; // more than one batch of the reader
  constexpr std::size_t w = sizeof(U);
  const byte_vector drawn = noise(n * w);
  const byte_vector table = as_bytes({1, 2, 7, w});
  for (const bool deltas : {false, true}) {
    byte_vector block = as_bytes({1, 1, 0xBC, 5, 1, 4, 1, 2, 3, 4, 5, 6, 7, deltas ? 2 : 1});
    byte_vector expected;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t value = 0;
      for (std::size_t k = 0; k < w; ++k) value |= std::to_integer<std::uint64_t>(drawn[k * n + i]) << 8 * k;
      sum = deltas ? sum + value : value;
      for (int k = 1; k <= 7; ++k) expected.push_back(static_cast<std::byte>(k));
      for (std::size_t k = 0; k < w; ++k) expected.push_back(static_cast<std::byte>(sum >> 8 * k & 0xFFU));
    }
    block.insert(block.end(), drawn.begin(), drawn.end());
    const auto back = ingot::decompress(crafted(expected.size(), table, block), expected.size());
    ASSERT_TRUE(back.has_value()) << back.error().message();
    EXPECT_TRUE(std::ranges::equal(*back, expected)) << w << deltas;
  }
}
TEST(load_columns, shuffled_and_by_differences_in_every_width) {
  reads_columns_of<std::uint8_t>();
  reads_columns_of<std::uint16_t>();
  reads_columns_of<std::uint32_t>();
  reads_columns_of<std::uint64_t>();
}

} // namespace load_test
