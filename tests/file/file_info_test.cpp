// SPDX-License-Identifier: Apache-2.0
// The first 64 bytes of a file: the same on every machine, and every number in them compared with
// the others and the file's length.
#include <ingot/core/endian.hpp>
#include <ingot/document/archive.hpp>
#include <ingot/dynamic/dynamic.hpp>
#include <ingot/file/detail/checksum.hpp>
#include <ingot/file/file_info.hpp>

#include "file/file_tools.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace file_info_test {

using namespace file_test;
using ingot::errc;
using ingot::file_info;
using ingot::file_kind;
using ingot::schema_form;

TEST(file_golden, bytes_are_as_they_were_committed_on_every_machine) {
  const std::vector<std::string> values{"one", "", "three"};
  const byte_vector packed = file_of(values, {.schema = false});
  EXPECT_EQ(packed, golden("packed", "a file of three packed strings: \"one\", \"\", \"three\"", packed));
  const byte_vector compact = file_of(values, {.form = ingot::profile::compact, .schema = false});
  EXPECT_EQ(compact, golden("compact", "the same three strings in a compact file", compact));
  const byte_vector scalar = file_of(std::uint32_t{7}, {.schema = false});
  EXPECT_EQ(scalar, golden("scalar", "a file of a packed std::uint32_t, 7", scalar));
}

TEST(file_golden, of_a_payload_of_several_parts_is_as_it_was_committed) {
  const byte_vector file = file_of(std::string(20'000, '\0'), {.schema = false});
  ASSERT_EQ(file.size(), 64u + 20'000 + 16);
  byte_vector left_out = file;
  left_out.erase(left_out.begin() + 64, left_out.begin() + 64 + 20'000);
  EXPECT_EQ(
      left_out,
      golden("parts", "a file of a packed string of 20,000 zeros; bytes 64 to 20063 are left out", left_out));
}

struct order {
  std::string id;
  ingot::document extra;
};

TEST(file_golden, of_a_value_of_any_kind_in_a_struct_is_as_it_was_committed) {
  order original{"o-1", {}};
  original.extra["price"] = 3.5;
  const byte_vector now = file_of(original);
  const byte_vector then =
      golden("value", "a file of a packed struct: id \"o-1\", extra {\"price\": 3.5}", now);
  EXPECT_EQ(now, then);
  simulated_disk disk;
  disk.put("x", then);
  const auto loaded = ingot::load<order>("x", {}, disk);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  EXPECT_EQ(loaded->extra, original.extra);
}

TEST(file_golden, of_compressed_files_is_read_or_the_codec_is_named_that_this_build_lacks) {
  // The output of codecs may change with their libraries; the meaning of these bytes may not.
  const std::string value = std::string(60, 'a') + std::string(60, 'b');
  for (const auto method : {ingot::codec::lz4, ingot::codec::zstd}) {
    const bool is_there = ingot::has_codec(method);
    const std::string name = method == ingot::codec::lz4 ? "lz4" : "zstd";
    simulated_disk disk;
    disk.put("x", golden(name, "a file of a packed string, sixty times a and sixty times b, compressed",
                         is_there ? std::optional<ingot::bytes_view>(
                                        file_of(value, {.schema = false, .compress = {.method = method}}))
                                  : std::nullopt));
    const auto info = ingot::peek_file("x", disk);
    ASSERT_TRUE(info.has_value()) << info.error().message();
    EXPECT_EQ(info->method, method);
    EXPECT_EQ(info->payload_size, 120u);
    EXPECT_LT(info->stored_size, 40u);
    const auto loaded = ingot::load<std::string>("x", {}, disk);
    if (is_there) {
      EXPECT_EQ(loaded, value);
      continue;
    }
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code(), errc::unsupported);
    EXPECT_EQ(loaded.error().found(), to_string(method));
    EXPECT_EQ(ingot::save("y", value, {.compress = {.method = method}}, disk).error().code(),
              errc::unsupported);
    EXPECT_EQ(ingot::compress({}, {.method = method}).error().code(), errc::unsupported);
  }
}

/// Returns a file of `size` bytes with this header, followed by zeros.
byte_vector with_header(const ingot::detail::file_header& header, std::size_t size) {
  byte_vector bytes(std::max<std::size_t>(size, 64));
  ingot::detail::write_header(header, bytes.data());
  bytes.resize(size);
  return bytes;
}
/// Updates the header's own checksum: otherwise no other check would be reached.
void seal(byte_vector& bytes) {
  ingot::store_le(bytes.data() + 56, ingot::detail::checksum(ingot::bytes_view(bytes).first(56)));
}
ingot::result<ingot::detail::file_header> read(const byte_vector& bytes) {
  return ingot::detail::read_header(bytes, bytes.size());
}

TEST(file_header, says_what_was_written_into_it) {
  ingot::detail::file_header header;
  header.info = {.kind = file_kind::live,
                 .schema = schema_form::layout,
                 .schema_size = 24,
                 .schema_id = 11,
                 .layout_id = 12,
                 .payload_size = 103};
  header.schema_checksum = 14;
  header.payload_checksum = 15;
  const auto back = read(with_header(header, 64 + 104 + 24));
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(back->info.kind, file_kind::live);
  EXPECT_EQ(back->info.version, 1);
  EXPECT_EQ(back->info.schema, schema_form::layout);
  EXPECT_EQ(back->info.schema_size, 24u);
  EXPECT_EQ(back->info.schema_id, 11u);
  EXPECT_EQ(back->info.layout_id, 12u);
  EXPECT_EQ(back->info.payload_size, 103u);
  EXPECT_EQ(back->schema_checksum, 14u);
  EXPECT_EQ(back->payload_checksum, 15u);
  EXPECT_EQ(back->schema_at(), 64u + 104u);
}

TEST(file_header, of_other_bytes_says_whose_they_are_not) {
  const std::string text = "{\"json\": 1}";
  const auto bytes = ingot::as_bytes_view(text);
  EXPECT_EQ(ingot::detail::read_header(bytes, bytes.size()).error().code(), errc::not_ingot);
  EXPECT_EQ(ingot::detail::read_header({}, 0).error().code(), errc::truncated);
  EXPECT_EQ(ingot::detail::read_header(ingot::as_bytes_view(std::string("ingF")), 4).error().code(),
            errc::truncated);
  const std::string longer(100, '{');
  EXPECT_EQ(ingot::detail::read_header(ingot::as_bytes_view(longer), 100).error().code(), errc::not_ingot);
}

TEST(file_header, of_a_later_version_is_called_that_before_anything_else_is_looked_at) {
  byte_vector bytes = file_of(ada());
  bytes[4] = std::byte{3};
  const auto why = read(bytes).error();
  EXPECT_EQ(why.code(), errc::wrong_version);
  EXPECT_EQ(why.found(), "3");
}

/// A header field for which only the right value is valid.
struct field {
  std::size_t at;
  std::size_t size;
};

TEST(file_header, holds_every_field_against_the_others) {
  const std::vector<byte_vector> files{file_of(ada(), {.schema = false}), file_of(live_ada()),
                                       file_of(ada_document())};
  const std::vector<field> fields{{5, 1}, {6, 1}, {7, 1}, {16, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}};
  for (const byte_vector& file : files) {
    ASSERT_TRUE(read(file));
    for (const field& f : fields) {
      std::uint64_t right = 0;
      for (std::size_t i = f.size; i-- > 0;)
        right = right << 8 | std::to_integer<std::uint64_t>(file[f.at + i]);
      const std::uint64_t all = f.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * f.size) - 1;
      for (const std::uint64_t value :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{64}, all,
            all - 1, all / 2, all / 2 + 1, right - 1, right + 1, right + 8, all - 63, all - 64}) {
        if ((value & all) == right) continue;
        byte_vector changed = file;
        for (std::size_t i = 0; i < f.size; ++i) changed[f.at + i] = static_cast<std::byte>(value >> 8 * i);
        seal(changed);
        const auto why = read(changed);
        // A header of another kind can be valid; layout_id of a block and a schema's checksum can
        // have any value.
        const bool is_live = file[5] == std::byte{3};
        const bool may_pass =
            f.at == 5 || (is_live && (f.at == 16 || f.at == 44)) || (is_live && f.at == 7 && value == 2);
        EXPECT_TRUE(!why || may_pass) << "byte " << f.at << " is " << value;
        EXPECT_TRUE(why || why.error().offset() <= changed.size());
      }
    }
  }
}

TEST(file_header, allows_no_schema_that_would_take_much_memory) {
  ingot::detail::file_header header;
  header.info.schema = schema_form::portable;
  byte_vector bytes(64);
  for (const std::uint32_t size : {std::uint32_t{1} << 24, (std::uint32_t{1} << 24) + 1}) {
    header.info.schema_size = size;
    ingot::detail::write_header(header, bytes.data());
    const auto back = ingot::detail::read_header(bytes, std::uint64_t{64} + size);
    EXPECT_EQ(back.has_value(), size == std::uint32_t{1} << 24);
    EXPECT_TRUE(back || back.error().code() == errc::too_large);
  }
}

TEST(file_header, of_a_document_has_no_fingerprints) {
  byte_vector bytes = file_of(ada_document());
  bytes[8] = std::byte{1};
  seal(bytes);
  EXPECT_EQ(read(bytes).error().code(), errc::bad_padding);
  EXPECT_EQ(read(bytes).error().offset(), 8u);
}

TEST(file_header, of_a_log_ends_where_records_begin) {
  ingot::detail::file_header header;
  header.info.kind = file_kind::packed_log;
  EXPECT_TRUE(read(with_header(header, 64)));
  EXPECT_TRUE(read(with_header(header, 1'000)));
  byte_vector bytes = with_header(header, 1'000);
  bytes[48] = std::byte{1};
  seal(bytes);
  EXPECT_EQ(read(bytes).error().code(), errc::bad_padding);
  header.info.payload_size = 8;
  EXPECT_EQ(read(with_header(header, 1'000)).error().code(), errc::bad_padding);
  header.info.payload_size = 0;
  header.info.schema = schema_form::portable;
  header.info.schema_size = 9;
  EXPECT_EQ(read(with_header(header, 79)).error().code(), errc::truncated);
  ASSERT_TRUE(read(with_header(header, 80)));
  EXPECT_EQ(read(with_header(header, 80))->records_at(), 80u);
}

TEST(peek_file, recognises_a_file_without_its_type) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  const auto info = ingot::peek_file(folder / "world");
  ASSERT_TRUE(info.has_value()) << info.error().message();
  EXPECT_EQ(info->kind, file_kind::live);
  EXPECT_EQ(ingot::to_string(info->kind), "a live block");
  EXPECT_EQ(info->schema_id, ingot::schema_id<live_hero>);
  EXPECT_EQ(info->payload_size, live_ada().bytes().size());
  EXPECT_EQ(ingot::peek_file(folder / "missing").error().code(), errc::io);
}

TEST(peek_file, and_a_live_file_is_read_without_its_type_by_the_layout_in_it) {
  const scratch_folder folder;
  ASSERT_TRUE(ingot::save(folder / "world", live_ada()));
  const auto schema = ingot::read_file_schema(folder / "world");
  ASSERT_TRUE(schema.has_value()) << schema.error().message();
  const auto layout = ingot::dynamic_layout::open(*schema);
  ASSERT_TRUE(layout.has_value()) << layout.error().message();
  const byte_vector file = read_file(folder / "world");
  const auto info = ingot::peek_file(folder / "world");
  const auto block = ingot::dynamic_block::open(
      ingot::bytes_view(file).subspan(64, static_cast<std::size_t>(info->payload_size)), *layout);
  ASSERT_TRUE(block.has_value()) << block.error().message();
}

TEST(peek_file, without_a_schema_there_is_none) {
  simulated_disk disk;
  ASSERT_TRUE(ingot::save("world", live_ada(), {.schema = false}, disk));
  EXPECT_EQ(ingot::peek_file("world", disk)->schema, schema_form::none);
  EXPECT_TRUE(ingot::read_file_schema("world", disk)->empty());
  EXPECT_TRUE(ingot::load<ingot::live<live_hero>>("world", {}, disk));
}

TEST(peek_file, a_damaged_schema_is_noticed_by_its_reader) {
  byte_vector bytes = file_of(live_ada());
  bytes.back() ^= std::byte{1};
  simulated_disk disk;
  disk.put("world", bytes);
  EXPECT_TRUE(ingot::peek_file("world", disk));
  const auto schema = ingot::read_file_schema("world", disk);
  EXPECT_EQ(schema.error().code(), errc::bad_checksum);
  EXPECT_EQ(schema.error().offset(), 44u);
}

/// A file with another number in its header, and a checksum that fits.
byte_vector with_id(byte_vector file, std::size_t at, std::uint64_t id) {
  ingot::store_le(file.data() + at, id);
  seal(file);
  return file;
}

TEST(file_header, says_of_what_type_the_schema_in_the_file_is) {
  const auto rejected = [](const byte_vector& file, errc code, std::size_t offset) {
    simulated_disk disk;
    disk.put("x", file);
    const auto schema = ingot::read_file_schema("x", disk);
    ASSERT_FALSE(schema.has_value());
    EXPECT_EQ(schema.error().code(), code) << schema.error().message();
    EXPECT_EQ(schema.error().offset(), offset);
  };
  const auto other = ingot::schema_id<int>;
  rejected(with_id(file_of(ada()), 8, other), errc::schema_mismatch, 8);
  rejected(with_id(file_of(ada(), {.form = ingot::profile::compact}), 8, other), errc::schema_mismatch, 8);
  rejected(with_id(file_of(live_ada()), 8, other), errc::schema_mismatch, 8);
  rejected(with_id(file_of(live_ada()), 16, other), errc::layout_mismatch, 16);
}

TEST(file_header, has_the_form_of_schema_that_its_kind_has) {
  for (const bool is_live : {false, true}) {
    byte_vector file = is_live ? file_of(live_ada()) : file_of(ada());
    ASSERT_TRUE(read(file));
    file[7] = std::byte{is_live ? std::uint8_t{1} : std::uint8_t{2}};
    seal(file);
    const auto why = read(file);
    ASSERT_FALSE(why.has_value());
    EXPECT_EQ(why.error().code(), errc::bad_variant);
    EXPECT_EQ(why.error().offset(), 7u);
  }
}

TEST(file_kind, of_a_later_version_has_a_name_too) {
  EXPECT_EQ(ingot::to_string(file_kind{0}), "another kind of file");
  EXPECT_EQ(ingot::to_string(file_kind{9}), "another kind of file");
  EXPECT_EQ(ingot::to_string(file_kind::compact_log), "a log of compact records");
}

} // namespace file_info_test
