// SPDX-License-Identifier: Apache-2.0
// Reads objects of older versions. Splits an object into keys and values, and calls the upgrade
// functions of the type (steps). Then joins keys and values to a new text, and reads this text.
// Errors in values that no step changed keep their position in the caller's text.
#include <ingot/json/upgrade.hpp>

#include "record_reader.hpp"

#include <algorithm>
#include <utility>

namespace ingot { inline namespace INGOT_V1 { namespace json {

std::optional<std::string_view> object_editor::text(std::string_view key) const noexcept {
  const entry* const found = find(key);
  if (found == nullptr) return std::nullopt;
  return found->text;
}

const object_editor::entry* object_editor::find(std::string_view key) const noexcept {
  for (const entry& candidate : entries_) {
    if (candidate.key == key) return &candidate;
  }
  return nullptr;
}

void object_editor::set_text(std::string_view key, std::string_view text) {
  for (entry& candidate : entries_) {
    if (candidate.key != key) continue;
    candidate.text = std::string{text};
    candidate.offset = std::string::npos;
    return;
  }
  entries_.push_back({std::string{key}, std::string{text}, std::string::npos});
}

bool object_editor::rename(std::string_view from, std::string_view to) {
  if (from == to || contains(to)) return false;
  for (entry& candidate : entries_) {
    if (candidate.key != from) continue;
    candidate.key = std::string{to};
    return true;
  }
  return false;
}

bool object_editor::remove(std::string_view key) {
  return std::erase_if(entries_, [&](const entry& candidate) { return candidate.key == key; }) != 0;
}

}}} // namespace ingot::INGOT_V1::json

namespace ingot { inline namespace INGOT_V1 { namespace json::detail {

class upgrade_run {
public:
  upgrade_run(record_reader& record, text_reader& reader, const record_reader_table& table,
              std::uint32_t from) noexcept
      : record_(record), reader_(reader), table_(table), start_(reader.offset()), from_(from) {}

  [[nodiscard]] bool run() { return take_apart() && change() && write() && read(); }

private:
  /// A value inside the joined text.
  struct piece {
    std::size_t begin;
    std::size_t size;
    std::size_t original; ///< position in the caller's text; npos if a step wrote it
  };

  [[nodiscard]] bool take_apart();
  [[nodiscard]] bool change();
  [[nodiscard]] bool write();
  [[nodiscard]] bool read();
  [[nodiscard]] std::size_t original_offset(std::size_t offset) const noexcept;

  record_reader& record_;
  text_reader& reader_;
  const record_reader_table& table_;
  std::size_t start_;
  std::uint32_t from_;
  object_editor editor_;
  bool changed_ = false; ///< true after a step has run
  std::string text_;
  std::vector<piece> pieces_;
};

bool upgrade_run::take_apart() {
  editor_.version_ = from_;
  auto& entries = editor_.entries_;
  step next = reader_.open_object();
  while (next == step::value) {
    const std::size_t key_offset = reader_.offset();
    std::string_view name;
    if (!reader_.key(name)) return false;
    if (reader_.is_tag(name)) { // the tag is not a member, so steps don't see it
      if (!reader_.pass_tag(key_offset)) return false;
      next = reader_.next_key();
      continue;
    }
    std::string key{name};
    const std::size_t offset = reader_.offset();
    std::string_view text;
    if (!reader_.raw(text)) {
      reader_.error().in_member(key);
      return false;
    }
    const auto same =
        std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.key == key; });
    if (same == entries.end()) {
      entries.push_back({std::move(key), std::string{text}, offset});
    } else if (reader_.options().duplicate_keys == duplicate_keys::error) {
      (void)reader_.fail(errc::duplicate_key, key_offset, "each key once", "the key \"" + key + "\" again");
      reader_.error().in_member(key);
      return false;
    } else if (reader_.options().duplicate_keys == duplicate_keys::last_wins) {
      same->text = std::string{text};
      same->offset = offset;
    }
    next = reader_.next_key();
  }
  return next == step::end;
}

bool upgrade_run::change() {
  for (; editor_.version_ < table_.version; ++editor_.version_) {
    for (const upgrade& step : table_.upgrades) {
      if (step.from != editor_.version_) continue;
      changed_ = true;
      if (const auto done = step.step(editor_); !done) {
        error err = done.error();
        // The step does not know positions inside the object, so the error has the object's
        // position.
        return reader_.fail(err.with_offset(start_));
      }
    }
  }
  const std::string number = std::to_string(table_.version);
  editor_.set_text(table_.version_is_member ? table_.members[0].name : version_key, number);
  return true;
}

bool upgrade_run::write() {
  write_options options;
  // An upgrade step may have added an ill-formed key. When its ill-formed bytes are replaced, the
  // key is the name of no member.
  options.invalid_utf8 = invalid_utf8::replace;
  text_writer writer(text_, options);
  (void)writer.open_object();
  for (const auto& [key, text, offset] : editor_.entries_) {
    if (!writer.key(key)) return false;
    pieces_.push_back({writer.size(), text.size(), offset});
    writer.verbatim(text);
  }
  writer.close_object();
  (void)writer.finish();
  return true;
}

bool upgrade_run::read() {
  read_options options = reader_.options();
  options.comments = comments::reject; // comments were already replaced by spaces
  options.trailing_commas = trailing_commas::reject;
  options.max_bytes = read_options{}.max_bytes; // steps may have exceeded the caller's limit
  // Progress does not count this text, but the callback may still cancel.
  constexpr std::size_t long_text = std::size_t{256} << 10;
  const auto still = [this](std::uint64_t, std::uint64_t) {
    return reader_.options_.progress(reader_.reported_, reader_.size_);
  };
  if (text_.size() < long_text) options.progress = {};
  else if (options.progress) options.progress = still;
  text_reader inner(options);
  inner.depth_ = reader_.depth_;
  inner.fresh_ = reader_.fresh_;
  bool good = inner.open(text_);
  if (good) {
    record_reader record(inner, table_, record_.to_, record_.many_, from_);
    // After a step, the keys are the present names of the members, so former names are not searched
    // for.
    good = (changed_ ? record_reader::read(inner, table_, record_.to_, record_.many_, from_)
                     : record.current()) &&
           inner.close();
  }
  if (good) return true;
  error err = inner.error();
  return reader_.fail(err.with_offset(original_offset(static_cast<std::size_t>(err.offset()))));
}

std::size_t upgrade_run::original_offset(std::size_t offset) const noexcept {
  for (const piece& p : pieces_) {
    if (p.original != std::string::npos && offset >= p.begin && offset < p.begin + p.size) {
      return p.original + (offset - p.begin);
    }
  }
  return start_;
}

bool read_upgraded(record_reader& record, text_reader& reader, const record_reader_table& table,
                   std::uint32_t from) {
  return upgrade_run(record, reader, table, from).run();
}

}}} // namespace ingot::INGOT_V1::json::detail
