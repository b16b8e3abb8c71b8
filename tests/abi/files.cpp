// SPDX-License-Identifier: Apache-2.0
// Files, logs and archives that are read in place, for tests/abi/values.cpp. tests/abi/run.py
// compiles this file and the compiled part of ingot::file for the group `files`.
#include <ingot/document/archive.hpp>
#include <ingot/document/archive_view.hpp>
#include <ingot/document/document.hpp>
#include <ingot/file/document_file.hpp>
#include <ingot/file/load.hpp>
#include <ingot/file/log_reader.hpp>
#include <ingot/file/log_writer.hpp>
#include <ingot/file/save.hpp>

#include "values.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace abi {

enum flavour { sweet = -1, sour = 3 };
/// Members whose size, sign or alignment depends on the platform.
struct fruit {
  std::string name;
  flavour taste = sour;
  long count = 0;
  char unit = '\xe9';
  double price = 0;
  float weight = 0;
  std::optional<std::uint64_t> code;
  std::vector<std::int16_t> sizes;
  std::variant<std::int32_t, std::string> origin;
  std::map<std::string, long long> stock;
  std::chrono::sys_time<std::chrono::milliseconds> picked;
  bool operator==(const fruit&) const = default;
};

namespace {

constexpr std::size_t count = 300; // needs more than one byte in a block of columns

fruit fruit_of(std::size_t i) {
  fruit value;
  value.name = "fruit " + std::to_string(i % 7);
  value.taste = i % 2 == 0 ? sweet : sour;
  value.count = static_cast<long>(i) - 100;
  value.price = 0.1 * static_cast<double>(i);
  value.weight = -1.5F * static_cast<float>(i);
  if (i % 3 == 0) value.code = 0x1234'5678'9ABC'DEF0U + i;
  for (std::size_t j = 0; j < i % 4; ++j)
    value.sizes.push_back(static_cast<std::int16_t>(-300 * static_cast<int>(j)));
  if (i % 2 == 0) value.origin = static_cast<std::int32_t>(i) << 20;
  else value.origin = "\xc3\xa4";
  value.stock = {{"here", static_cast<long long>(i) << 33}, {"there", -1}};
  value.picked = std::chrono::sys_time<std::chrono::milliseconds>(
      std::chrono::milliseconds(-1'000'000'007 * static_cast<std::int64_t>(i)));
  return value;
}
std::vector<fruit> fruits() {
  std::vector<fruit> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(fruit_of(i));
  return all;
}
std::filesystem::path path_of(const char* name) { return std::filesystem::path(folder) / name; }

template <class T>
void expect(const char* name, const ingot::result<T>& outcome, const T& value) {
  if (!outcome) fail(name, outcome.error().message());
  else if (!(*outcome == value)) fail(name, "another value");
}
void expect_done(const char* name, const ingot::result<void>& done) {
  if (!done) fail(name, done.error().message());
}

constexpr const char* packed = "same.file.packed";
constexpr const char* compact = "same.file.compact";
constexpr const char* columns = "same.file.columns";
constexpr const char* document = "file.document"; // in the byte order of its machine
constexpr const char* order = "file.order";       // a number in the writer's byte order
constexpr const char* archive = "same.file.archive";
constexpr const char* log = "same.file.log";

bytes order_of_this_machine() {
  const std::uint32_t number = 1;
  const auto* const from = reinterpret_cast<const std::byte*>(&number);
  return {from, from + sizeof number};
}

void write_files() {
  abi::save(std::string_view(order), order_of_this_machine());
  const std::vector<fruit> all = fruits();
  expect_done(packed, ingot::save(path_of(packed), all, {.durable = false}));
  expect_done(compact,
              ingot::save(path_of(compact), all, {.form = ingot::profile::compact, .durable = false}));
  expect_done(columns, ingot::save(path_of(columns), all, {.durable = false, .columns = true}));
  const ingot::document doc(all);
  expect_done(document, ingot::save(path_of(document), doc, {.durable = false}));
  abi::save(std::string_view(archive), ingot::archive(doc));
  // otherwise the records would be added to those of an earlier run
  std::filesystem::remove(path_of(log));
  auto writer = ingot::log_writer<fruit>::open(path_of(log));
  if (!writer) return fail(log, writer.error().message());
  for (const fruit& each : all) expect_done(log, writer->append(each));
}

void read_archive(const std::vector<fruit>& all) {
  const bytes content = load(archive);
  const auto opened = ingot::archive_view::over(content);
  if (!opened) return fail(archive, opened.error().message());
  if (opened->root().size() != all.size()) return fail(archive, "another size");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto each = (*opened)[i];
    expect<std::string>(archive, each["name"].as<std::string>(), all[i].name);
    expect<long>(archive, each["count"].as<long>(), all[i].count);
    expect<double>(archive, each["price"].as<double>(), all[i].price);
    expect<long long>(archive, each["stock"]["here"].as<long long>(), all[i].stock.at("here"));
  }
  expect<fruit>(archive, (*opened)[count - 1].as<fruit>(), all.back());
  const auto whole = ingot::unarchive(content);
  if (!whole) return fail(archive, whole.error().message());
  expect(archive, whole->root().as<std::vector<fruit>>(), all);
}

void read_log(const std::vector<fruit>& all) {
  auto reader = ingot::log_reader<fruit>::open(path_of(log));
  if (!reader) return fail(log, reader.error().message());
  std::vector<fruit> read;
  fruit next;
  for (;;) {
    const auto more = reader->next(next);
    if (!more) return fail(log, more.error().message());
    if (!*more) break;
    read.push_back(next);
  }
  if (read != all || reader->lost_bytes() != 0) fail(log, "other values");
}

void read_files() {
  if (!std::filesystem::exists(path_of(packed))) return fail(packed, "missing");
  const std::vector<fruit> all = fruits();
  using list = std::vector<fruit>;
  for (const char* name : {packed, compact, columns}) expect(name, ingot::load<list>(path_of(name)), all);
  const auto doc = ingot::load<ingot::document>(path_of(document));
  if (load(order) != order_of_this_machine()) {
    if (doc || doc.error().code() != ingot::errc::layout_mismatch)
      fail(document, "not refused by its byte order");
  } else if (!doc) {
    fail(document, doc.error().message());
  } else {
    expect(document, doc->root().as<list>(), all);
  }
  read_archive(all);
  read_log(all);
}

const part here{write_files, read_files};

} // namespace
} // namespace abi
