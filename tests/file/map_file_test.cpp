// SPDX-License-Identifier: Apache-2.0
// Mapped files: views, blocks and documents in memory that the system maps; changes don't reach the
// file.
#include <ingot/file/map_file.hpp>

#include "file/file_tools.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace map_file_test {

using namespace file_test;
using ingot::errc;
using ingot::live_view;

TEST(map_file, reads_packed_values_in_place) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "hero", ada()));
  const auto file = ingot::map_file<hero>(folder / "hero");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ((*file)->get<"name">(), ada().name);
  EXPECT_EQ((*file)->get<&hero::equips>().size(), 2u);
  EXPECT_EQ((*(*file)->get<"items">().find("rope")).second.get<"count">(), 2u);
  EXPECT_TRUE(std::ranges::equal(file->payload(), *ingot::pack(ada())));
}

TEST(map_file, reads_lists_text_and_numbers_as_their_views) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "list", std::vector<std::uint64_t>{1, 2, 3}));
  const auto list = ingot::map_file<std::vector<std::uint64_t>>(folder / "list");
  ASSERT_TRUE(list.has_value()) << list.error().message();
  EXPECT_EQ((**list)[2], 3u);
  ASSERT_TRUE(ingot::save(folder / "text", std::string("some text")));
  EXPECT_EQ(**ingot::map_file<std::string>(folder / "text"), "some text");
  EXPECT_EQ(**ingot::map_file_unchecked<std::string>(folder / "text"), "some text");
  ASSERT_TRUE(ingot::save(folder / "number", std::uint16_t{7}));
  EXPECT_EQ(**ingot::map_file<std::uint16_t>(folder / "number"), 7);
  EXPECT_EQ(**ingot::map_file_unchecked<std::uint16_t>(folder / "number"), 7);
}

TEST(map_file, begins_payloads_at_a_multiple_of_64) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  for (const bool copy : {false, true}) {
    const auto file = ingot::map_file<live_view<live_hero>>(folder / "world", {.copy = copy});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->payload().data()) % 64, 0u);
  }
}

TEST(map_file, reads_a_live_block_in_place) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  for (const bool copy : {false, true}) {
    const auto file =
        ingot::map_file<live_view<live_hero>>(folder / "world", {.checksum = true, .copy = copy});
    ASSERT_TRUE(file.has_value()) << file.error().message();
    EXPECT_EQ((*file)->name, ada().name);
    EXPECT_EQ((*file)->items.find("rope")->second.count, 2u);
  }
}

TEST(map_file, of_a_block_or_document_can_be_changed_and_the_file_stays) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  ASSERT_TRUE(ingot::save(folder / "doc", ada_document()));
  const byte_vector world_before = read_file(folder / "world");
  const byte_vector doc_before = read_file(folder / "doc");
  for (const bool copy : {false, true}) {
    for (const bool trusted : {false, true}) {
      auto world = trusted
                       ? ingot::map_file_unchecked<ingot::live<live_hero>>(folder / "world", {.copy = copy})
                       : ingot::map_file<ingot::live<live_hero>>(folder / "world", {.copy = copy});
      ASSERT_TRUE(world.has_value()) << world.error().message();
      (*world)->equips[0].count = 77;
      EXPECT_EQ((*world)->items.erase("rope"), 1u);
      EXPECT_EQ((*world)->equips.try_emplace_back(item{1, 1}), nullptr) << "it can't grow";
      auto doc = trusted ? ingot::map_file_unchecked<ingot::document>(folder / "doc", {.copy = copy})
                         : ingot::map_file<ingot::document>(folder / "doc", {.copy = copy});
      ASSERT_TRUE(doc.has_value()) << doc.error().message();
      EXPECT_EQ((**doc)["equips"][1].as<int>(), 8);
      EXPECT_TRUE((**doc).root().erase("quote"));
    }
  }
  EXPECT_EQ(read_file(folder / "world"), world_before);
  EXPECT_EQ(read_file(folder / "doc"), doc_before);
}

TEST(map_file, may_be_saved_over_while_it_is_mapped) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  const auto file = ingot::map_file<live_view<live_hero>>(folder / "world");
  auto other = live_ada();
  other->name = "Grace";
  ASSERT_TRUE(ingot::save(folder / "world", other));
  EXPECT_EQ((*file)->name, ada().name) << "the old file lives as long as it is mapped";
  // A mapped and changed block can be saved over its own file.
  auto draft = ingot::map_file<ingot::live<live_hero>>(folder / "world");
  (*draft)->equips[0].count = 5;
  ASSERT_TRUE(ingot::save(folder / "world", **draft));
  EXPECT_EQ((*ingot::load<ingot::live<live_hero>>(folder / "world"))->equips[0].count, 5u);
}

TEST(map_file, moves_and_is_assigned_to) {
  const scratch_folder folder;
  troubled_files files;
  ASSERT_TRUE(ingot::save(folder / "a", live_ada()));
  auto other = live_ada();
  other->name = "Grace";
  ASSERT_TRUE(ingot::save(folder / "b", other));
  {
    using draft = ingot::live<live_hero>;
    auto a = std::move(*ingot::map_file<draft>(folder / "a", {}, files));
    auto b = std::move(*ingot::map_file<draft>(folder / "b", {}, files));
    const auto* const name = &(*b).operator->()->name;
    a = std::move(b);
    EXPECT_EQ(a->name, "Grace");
    EXPECT_EQ(&a->name, name) << "nothing moved";
    EXPECT_EQ(files.open_files(), 1) << "what was mapped before is not any more";
    auto& self = a;
    a = std::move(self);
    EXPECT_EQ(a->name, "Grace");
  }
  EXPECT_EQ(files.open_files(), 0);
}

TEST(map_file, of_what_cant_be_read_in_place_names_both_sides) {
  simulated_disk disk;
  disk.put("compact", file_of(ada(), {.form = ingot::profile::compact}));
  const auto why = ingot::map_file<hero>("compact", {}, disk).error();
  EXPECT_EQ(why.code(), errc::schema_mismatch);
  EXPECT_EQ(why.expected(), "a packed value, which is read in place; load() reads compact ones");
  EXPECT_EQ(why.found(), "a compact value");
  EXPECT_EQ(ingot::map_file<ingot::document>("compact", {}, disk).error().expected(), "a document");
  EXPECT_EQ(ingot::map_file_unchecked<item>("compact", {}, disk).error().code(), errc::schema_mismatch);
  EXPECT_EQ(disk.open_files(), 0u);
}

/// A file of each kind, and how to map it: returns an error, or nothing on success.
struct subject {
  std::string_view name;
  byte_vector bytes;
  std::optional<ingot::error> (*map)(file_system&, const ingot::map_options&);
};
template <class T>
std::optional<ingot::error> map_as(file_system& files, const ingot::map_options& options) {
  auto mapped = ingot::map_file<T>("x", options, files);
  if (mapped) return std::nullopt;
  return mapped.error();
}
std::vector<subject> subjects() {
  return {{"packed", file_of(ada()), &map_as<hero>},
          {"live, read", file_of(live_ada()), &map_as<live_view<live_hero>>},
          {"live", file_of(live_ada()), &map_as<ingot::live<live_hero>>},
          {"document", file_of(ada_document()), &map_as<ingot::document>}};
}

TEST(map_file_damaged, every_file_that_was_cut_short_or_has_more_is_rejected) {
  for (const auto& [name, bytes, map] : subjects()) {
    for (std::size_t size = 0; size <= bytes.size() + 1; ++size) {
      if (size == bytes.size()) continue;
      byte_vector other = bytes;
      other.resize(size);
      simulated_disk disk;
      disk.put("x", other);
      EXPECT_TRUE(map(disk, {})) << name << " of " << size << " bytes";
      EXPECT_EQ(disk.open_files(), 0u);
    }
  }
}

TEST(map_file_damaged, every_flipped_bit_of_header_and_payload_is_noticed_on_request) {
  for (const auto& [name, bytes, map] : subjects()) {
    const std::size_t schema =
        std::to_integer<std::size_t>(bytes[40]) + 256 * std::to_integer<std::size_t>(bytes[41]);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      byte_vector damaged = bytes;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      for (const bool copy : {false, true}) {
        simulated_disk disk;
        disk.put("x", damaged);
        const bool in_schema = bit / 8 >= bytes.size() - schema;
        EXPECT_TRUE(map(disk, {.checksum = true, .copy = copy}) || (in_schema && !copy))
            << name << ", bit " << bit;
      }
    }
  }
}

TEST(map_file_failing, at_any_call_is_an_error_and_leaves_nothing_open) {
  for (const auto& [name, bytes, map] : subjects()) {
    for (const bool copy : {false, true}) {
      for (std::size_t n = 0;; ++n) {
        simulated_disk disk;
        disk.put("x", bytes);
        troubled_files files(disk);
        files.fail_at = n;
        const auto why = map(files, {.copy = copy});
        EXPECT_EQ(files.open_files(), 0);
        if (n >= files.calls.size()) break;
        EXPECT_TRUE(why || files.calls[n] == "close") << name << ", " << files.calls[n];
      }
    }
  }
}

#if defined(__linux__) && !INGOT_SANITIZED
TEST(map_file_cut_off, ends_the_process_with_sigbus_where_a_copy_continues) {
  // The documented behaviour if a program writes into a file that others have mapped.
  for (const bool copy : {false, true}) {
    const scratch_folder folder;
    ASSERT_TRUE(ingot::save(folder / "x", std::string(100'000, 'x'), {.durable = false}));
    const pid_t child = ::fork();
    if (child == 0) {
      const auto file = ingot::map_file<std::string>(folder / "x", {.copy = copy});
      if (!file || ::truncate((folder / "x").c_str(), 100) != 0) ::_exit(2);
      ::_exit((**file)[50'000] == 'x' ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (copy) EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    else EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
  }
}
#endif

TEST(map_file, that_compares_checksums_compares_that_of_the_schema_copied_or_not) {
  const scratch_folder folder;
  byte_vector bytes = file_of(live_ada());
  ASSERT_NE(ingot::detail::read_header(ingot::bytes_view(bytes).first(64), bytes.size())->info.schema_size,
            0u);
  bytes.back() ^= std::byte{1}; // a byte of the schema, which follows the payload
  write_file(folder / "world", bytes);
  const auto code = [&](const ingot::map_options& options) {
    const auto mapped = ingot::map_file<ingot::live_view<live_hero>>(folder / "world", options);
    return mapped ? std::optional<errc>() : mapped.error().code();
  };
  EXPECT_EQ(code({.checksum = true}), errc::bad_checksum);
  EXPECT_EQ(code({.checksum = true, .copy = true}), errc::bad_checksum);
  EXPECT_EQ(code({}), std::nullopt) << "not requested";
}

} // namespace map_file_test
