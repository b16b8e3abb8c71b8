// SPDX-License-Identifier: Apache-2.0
// Documents and their archives: opening a copy, opening in place, and reading in place give the
// same value.
#include <ingot/document/archive_view.hpp>
#include <ingot/document/document.hpp>
#include <ingot/document/writer.hpp>

#include "readers/kinds.hpp"
#include "readers/value_text.hpp"
#include "zoo/sample.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace readers {

namespace {

/// Writes a random document by events, so that objects share shapes, keys are short and long, and
/// arrays have numbers of one width or of several.
class drawn_document {
public:
  explicit drawn_document(std::uint64_t seed) : dice_(seed + 1) {}
  [[nodiscard]] ingot::document make() {
    left_ = 2 + dice_.raw() % (dice_.chance(4) ? 160 : 24);
    ingot::document_writer to({.repeated_keys = ingot::key_policy::last_wins});
    value(to, 0);
    auto built = to.finish();
    return built ? std::move(*built) : ingot::document();
  }

private:
  void value(ingot::document_writer& to, int depth) { // NOLINT(misc-no-recursion): seven levels
    if (left_ != 0) --left_;
    const auto container = dice_.raw() % 4;
    if (depth < 6 && left_ > 3 && (depth == 0 || container < 2)) return many(to, depth, container % 2 == 0);
    switch (dice_.raw() % 12) {
    case 0: to.null(); break;
    case 1: to.boolean(dice_.chance(2)); break;
    case 2: to.integer(static_cast<std::int64_t>(dice_.raw()) >> dice_.raw() % 64); break;
    case 3: to.unsigned_integer(dice_.raw() | std::uint64_t{1} << 63); break;
    case 4: to.number(std::bit_cast<double>(dice_.raw() << dice_.raw() % 64)); break;
    case 5: to.number(static_cast<double>(dice_.raw() % 4096) / 16); break;
    case 6:
      to.number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(dice_.raw()))));
      break;
    case 7: {
      std::vector<std::byte> bytes(dice_.raw() % (dice_.chance(8) ? 300 : 20));
      for (auto& each : bytes) each = static_cast<std::byte>(dice_.raw());
      to.binary(bytes);
      break;
    }
    case 8: to.begin_array(), to.end(); break;
    default: to.text(zoo::rules::string<std::string>(dice_));
    }
  }
  // Seven levels: NOLINTNEXTLINE(misc-no-recursion)
  void many(ingot::document_writer& to, int depth, bool as_array) {
    as_array ? to.begin_array() : to.begin_object();
    const bool has_numbers = dice_.chance(3);
    const bool has_records = as_array && dice_.chance(3);
    const auto bits = dice_.raw() % 64;
    for (auto n = dice_.raw() % 12; n != 0; --n) {
      if (has_records) {
        to.begin_object();
        for (int k = 0; k < 3; ++k) {
          to.key("field " + std::to_string(k));
          to.integer(static_cast<std::int64_t>(dice_.raw()) >> bits);
        }
        to.end();
        continue;
      }
      if (!as_array) to.key(key());
      if (has_numbers) to.integer(static_cast<std::int64_t>(dice_.raw()) >> bits);
      else value(to, depth + 1);
    }
    to.end();
  }
  [[nodiscard]] std::string key() {
    std::string text = "key " + std::to_string(dice_.raw() % 30);
    if (dice_.chance(12)) text.append(40, 'k');
    return dice_.chance(40) ? std::string() : text;
  }

  zoo::source dice_;
  std::uint64_t left_ = 0;
};

[[nodiscard]] message sample_document(std::uint64_t seed) {
  const auto drawn = drawn_document(seed).make();
  return {drawn.bytes().begin(), drawn.bytes().end()};
}
[[nodiscard]] message sample_archive(std::uint64_t seed) {
  const auto drawn = ingot::archive(drawn_document(seed).make());
  return drawn ? message(drawn->begin(), drawn->end()) : message();
}

[[nodiscard]] answer read_document(const kind_of_message&, ingot::bytes_view bytes) {
  answer said;
  const auto copied = ingot::document::open(bytes);
  message there(bytes.begin(), bytes.end());
  const auto placed = ingot::document::open_in_place(there);
  said.accepted = copied.has_value();
  said.typed = placed.has_value();
  if (said.accepted != said.typed) {
    said.contradiction = "open and open_in_place are not of one opinion";
    return said;
  }
  if (!copied) {
    said.text = copied.error().message();
    return said;
  }
  said.text = value_text::of(copied->root());
  if (value_text::of(placed->root()) != said.text) said.contradiction = "opened in place it is another value";
  return said;
}

/// The archive view validates a value only when it is read. It may open an archive that the other
/// readers reject, but it must not read outside of the bytes.
[[nodiscard]] answer read_archive(const kind_of_message&, ingot::bytes_view bytes) {
  answer said;
  const auto outcome = ingot::unarchive(bytes);
  const auto checked = ingot::validate_archive(bytes);
  const auto seen = ingot::archive_view::over(bytes);
  said.accepted = outcome.has_value();
  said.typed = checked.has_value();
  if (said.accepted != said.typed || (said.accepted && !seen)) {
    said.contradiction = "unarchive, validate_archive and archive_view are not of one opinion";
    return said;
  }
  const std::string shown = seen ? value_text::of(seen->root()) : std::string();
  if (!outcome) {
    said.text = outcome.error().message();
    return said;
  }
  said.text = value_text::of(std::as_const(*outcome).root());
  if (shown != said.text) said.contradiction = "the view shows another value than the document has";
  return said;
}

} // namespace

void add_documents(std::vector<kind_of_message>& all) {
  kind_of_message kind;
  kind.name = "document";
  kind.is = form::document;
  kind.sample = sample_document;
  kind.read = read_document;
  all.push_back(kind);
  kind.name = "archive";
  kind.is = form::archive;
  kind.sample = sample_archive;
  kind.read = read_archive;
  all.push_back(kind);
}

} // namespace readers
