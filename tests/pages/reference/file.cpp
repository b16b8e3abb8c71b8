// SPDX-License-Identifier: Apache-2.0
// Examples of the reference of file (scripts/site_reference.py). They use a folder of their
// own, which is removed at the end.
#include <ingot/file/bulk_vector.hpp>
#include <ingot/file/compile.hpp>
#include <ingot/file/compression.hpp>
#include <ingot/file/damage.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/edit_file.hpp>
#include <ingot/file/file_info.hpp>
#include <ingot/file/file_system.hpp>
#include <ingot/file/live_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/loads_documents.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/map_file.hpp>
#include <ingot/file/open_file.hpp>
#include <ingot/file/recover.hpp>
#include <ingot/file/save.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

#include "checks.hpp"
#include "reference.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

// example: file/loads_documents.hpp
struct Settings {
  std::string name;
  int volume = 5;
};
template <>
inline constexpr bool ingot::loads_documents<Settings> = true; // beside the type
void loads_documents_example() {
  ingot::document doc; // as a tool or a person writes it
  doc["name"] = "Ada";
  assert(ingot::save("settings.ingot", doc));
  ingot::result<Settings> read = ingot::load<Settings>("settings.ingot"); // members by name
  assert(read && read->name == "Ada" && read->volume == 5);
}

namespace pages::file_examples { namespace {

struct hero {
  std::string name;
  std::vector<std::uint32_t> items;
};
struct player {
  ingot::string name;
  std::uint32_t level = 0;
};
struct world {
  ingot::vector<player> players;
};
struct event {
  std::uint32_t number = 0;
  std::string text;
};
const hero ada{"Ada", {7, 9}};

// example: file/save.hpp
void save_example() {
  assert(ingot::save("hero.ingot", ada)); // the whole file, or the old file stays
  assert(ingot::save("small.ingot", ada, {.form = ingot::profile::compact}));
  ingot::live<world> home;
  home->players.emplace_back().name = "Ada";
  assert(ingot::save("world.ingot", home)); // with <ingot/file/live_file.hpp>
  ingot::result<void> none = ingot::save("no_such_folder/hero.ingot", ada);
  assert(!none && none.error().code() == ingot::errc::io);
}

// example: file/load.hpp
void load_example() {
  assert(ingot::save("hero.ingot", ada));
  ingot::result<hero> again = ingot::load<hero>("hero.ingot"); // validates untrusted contents
  assert(again && again->items == ada.items);
  hero reused;
  assert(ingot::load_into(reused, "hero.ingot") && reused.name == "Ada");
  auto other = ingot::load<std::vector<hero>>("hero.ingot");
  assert(!other && other.error().code() == ingot::errc::schema_mismatch);
}

// example: save_options, load_options, map_options, file/options.hpp
void options_example() {
  const std::vector<hero> heroes(1'000, ada);
  assert(ingot::save("heroes.ingot", heroes,
                     {.compress = {.method = ingot::codec::zstd}, // smaller, but can't be mapped
                      .columns = true,                            // for many similar records
                      .backup = "~"})); // keeps the previous version as heroes.ingot~
  auto again = ingot::load<std::vector<hero>>("heroes.ingot", {.max_bytes = 1 << 20}); // untrusted
  assert(again && again->size() == 1'000);
  auto mapped = ingot::map_file<std::vector<hero>>("heroes.ingot", {.copy = true});
  assert(mapped && (*mapped)->size() == 1'000);
}

// example: damage_report, file/damage.hpp
void damage_report_example() {
  assert(ingot::save("numbers.ingot", std::vector<std::uint32_t>(50'000, 7)));
  std::fstream file("numbers.ingot", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100'000).put('?'); // a damaged disk
  file.close();

  ingot::result<ingot::damage_report> found = ingot::find_damage("numbers.ingot");
  assert(found && found->ranges().size() == 1 && found->lost_bytes == 16'384);

  ingot::damage_report lost; // loads what is left: the lost bytes are zeros
  auto numbers = ingot::load<std::vector<std::uint32_t>>("numbers.ingot", {.zero_damaged = &lost});
  assert(numbers && numbers->size() == 50'000 && numbers->front() == 7);
  assert(lost.lost_bytes == found->lost_bytes);
}

// example: mapped_file, file/map_file.hpp
void map_file_example() {
  assert(ingot::save("hero.ingot", ada));
  auto seen = ingot::map_file<hero>("hero.ingot"); // validates; copies and decodes nothing
  assert(seen && (*seen)->get<"name">() == "Ada"); // `*seen` is an ingot::view<hero>

  ingot::live<world> home;
  home->players.emplace_back().name = "Eve";
  assert(ingot::save("world.ingot", home));
  auto globe = ingot::map_file<ingot::live_view<world>>("world.ingot");
  assert(globe && (*globe)->players[0].name == "Eve"); // `->` reaches the members of the root
}

// example: opened_file, open_file_options, file/open_file.hpp
void open_file_example() {
  assert(ingot::save("hero.ingot", ada));
  std::ifstream file("hero.ingot", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}}; // or bytes in the program
  auto seen = ingot::open_file<hero>(ingot::as_bytes_view(bytes));
  assert(seen && (*seen)->get<"items">()[1] == 9);
}

// example: edited_file, edit_options, file/edit_file.hpp
void edit_file_example() {
  auto file = ingot::create_edited_file<ingot::live<world>>("world.edit");
  assert(file);
  (*file)->players.emplace_back().name = "Ada"; // in the file; it grows
  assert(file->sync());                         // from here on, a power cut leaves these changes
  assert(file->close());

  file = ingot::edit_file<ingot::live<world>>("world.edit"); // validates
  assert(file && file->was_closed());
  (*file)->players[0].level = 3;
  assert(ingot::save("world.ingot", **file)); // a copy that a crash can't damage
}

// example: file_info, file/file_info.hpp
void file_info_example() {
  assert(ingot::save("hero.ingot", ada));
  ingot::result<ingot::file_info> info = ingot::peek_file("hero.ingot"); // reads 64 bytes
  assert(info && info->kind == ingot::file_kind::packed && info->is_plain());
  assert(info->schema_id == ingot::schema_id<hero>);
  ingot::result<ingot::buffer> description = ingot::read_file_schema("hero.ingot");
  assert(description && ingot::read_schema(*description) == ingot::schema_of<hero>());
}

// example: log_writer, log_options, file/log_writer.hpp
void log_writer_example() {
  auto log = ingot::log_writer<event>::open("events.log"); // created if it does not exist
  assert(log);
  assert(log->append({1, "started"})); // readers see all of it or nothing
  assert(log->sync());                 // from here on it survives a power cut
  assert(log->rotate("events.1.log")); // continues in a new, empty log
  assert(log->append({2, "another"}) && log->records() == 1);
}

// example: log_reader, log_read_options, file/log_reader.hpp
void log_reader_example() {
  auto log = ingot::log_writer<event>::open("events.log");
  assert(log && log->append({1, "started"}) && log->append({2, "stopped"}));
  auto reader = ingot::log_reader<event>::open("events.log"); // also while it is written
  assert(reader);
  std::string last;
  for (event each; reader->next(each).value_or(false);) last = each.text;
  assert(last == "stopped" && reader->lost_bytes() == 0);
}

// example: log_recovery, recover_options, file/recover.hpp
void recover_example() {
  {
    auto log = ingot::log_writer<event>::open("crashed.log");
    assert(log && log->append({1, "started"}) && log->append({2, "stopped"}));
  }
  std::filesystem::resize_file("crashed.log", std::filesystem::file_size("crashed.log") - 3);
  ingot::result<ingot::log_recovery> found = ingot::recover("crashed.log"); // changes nothing
  assert(found && found->records == 1 && found->lost_bytes > 0);
  assert(found->reason->code() == ingot::errc::truncated); // an append that did not end
  assert(ingot::recover("crashed.log", {.how = ingot::recovery::truncate}));
  assert(ingot::log_writer<event>::open("crashed.log")); // accepts records again
}

// example: compile_options, decompile_options, file/compile.hpp
void compile_example() {
  std::ofstream("hero.json") << R"({"name": "Ada", /* the first */ "items": [7, 9]})";
  assert(ingot::compile<hero>("hero.json", "hero.ingot")); // for programs that load it
  assert(ingot::load<hero>("hero.ingot")->items[1] == 9);
  ingot::result<std::string> text = ingot::decompile<hero>("hero.ingot"); // for people
  assert(text && text->contains(R"("name": "Ada")"));
}

// example: compression, compress_options, decompress_options, file/compression.hpp
void compression_example() {
  const std::vector<hero> heroes(1'000, ada);
  const ingot::buffer bytes = ingot::pack(heroes).value();
  ingot::result<ingot::buffer> small = ingot::compress(bytes, {.method = ingot::codec::lz4});
  assert(small && small->size() < bytes.size() / 2);
  auto again = ingot::decompress(*small, 1 << 20); // at most a mebibyte, or too_large
  assert(again && *again == bytes);
  assert(ingot::decompressed_size(*small) == bytes.size()); // O(1), from untrusted bytes
}

// example: bulk_allocator, file/bulk_vector.hpp
void bulk_vector_example() {
  assert(ingot::save("samples.ingot", std::vector<float>(1'000'000, 0.5F)));
  auto samples = ingot::load<ingot::bulk_vector<float>>("samples.ingot"); // in large pages
  assert(samples && samples->size() == 1'000'000 && samples->back() == 0.5F);
  samples->push_back(1); // a std::vector with another allocator
}

// example: file_system
class read_only final : public ingot::file_system { // lets nothing change
public:
  int open_folder(const char* path) noexcept override { return real_.open_folder(path); }
  int open(int folder, const char* name, ingot::file_open_mode mode, unsigned rights) noexcept override {
    return mode == ingot::file_open_mode::read ? real_.open(folder, name, mode, rights) : -EROFS;
  }
  int close(int file) noexcept override { return real_.close(file); }
  std::int64_t read(int file, std::span<std::byte> to, std::uint64_t from) noexcept override {
    return real_.read(file, to, from);
  }
  std::int64_t write(int, ingot::bytes_view, std::uint64_t) noexcept override { return -EROFS; }
  int sync(int) noexcept override { return -EROFS; }
  int truncate(int, std::uint64_t) noexcept override { return -EROFS; }
  int rename(int, const char*, const char*) noexcept override { return -EROFS; }
  int link(int, const char*, const char*) noexcept override { return -EROFS; }
  int remove(int, const char*) noexcept override { return -EROFS; }
  int status(int file, ingot::file_status& out) noexcept override { return real_.status(file, out); }
  int status(int folder, const char* name, ingot::file_status& out) noexcept override {
    return real_.status(folder, name, out);
  }
  int set_permissions(int, unsigned) noexcept override { return -EROFS; }
  int set_group(int, unsigned) noexcept override { return -EROFS; }
  int lock(int file) noexcept override { return real_.lock(file); }
  int map(int file, std::size_t size, bool writable, std::byte*& start) noexcept override {
    return real_.map(file, size, writable, start);
  }
  void unmap(std::byte* start, std::size_t size) noexcept override { real_.unmap(start, size); }

private:
  ingot::file_system& real_ = ingot::system_files();
};
void file_system_example() {
  assert(ingot::save("hero.ingot", ada));
  read_only files;
  assert(ingot::load<hero>("hero.ingot", {}, files));
  assert(ingot::save("hero.ingot", ada, {}, files).error().code() == ingot::errc::io);
}

// example: file_status, file/file_system.hpp
void system_files_example() {
  assert(ingot::save("hero.ingot", ada));
  ingot::file_status status;
  assert(ingot::system_files().status(ingot::file_system::here, "hero.ingot", status) == 0);
  assert(status.what == ingot::file_status::kind::regular && status.names == 1);
  assert(ingot::system_files().status(ingot::file_system::here, "none", status) == -ENOENT);
}

}} // namespace pages::file_examples

void pages::file_reference() {
  using namespace file_examples;
  const auto before = std::filesystem::current_path();
  const auto folder = before / "ingot_reference_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::current_path(folder);
  loads_documents_example();
  save_example();
  load_example();
  options_example();
  damage_report_example();
  map_file_example();
  open_file_example();
  edit_file_example();
  file_info_example();
  log_writer_example();
  std::filesystem::remove("events.log");
  log_reader_example();
  recover_example();
  compile_example();
  compression_example();
  bulk_vector_example();
  file_system_example();
  system_files_example();
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
}
