// SPDX-License-Identifier: Apache-2.0
// `ingot set`: changes one value of a file. A failure or a crash leaves the file as it was.
#include <ingot/json/document.hpp>
#include <ingot/json/edit.hpp>

#include "blocks.hpp"
#include "in_place.hpp"
#include "packing.hpp"
#include "path.hpp"
#include "source.hpp"
#include "text.hpp"
#include "typed_scalar.hpp"
#include "verbs.hpp"
#include "writing.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tool {

namespace {

struct change {
  std::string where;
  std::string before; ///< the value before the change as JSON; may be empty
  std::string after;
  std::string how;
};

[[nodiscard]] ingot::document parse_value(const set_options& options) {
  if (options.is_text) return ingot::document(std::string_view(options.value));
  auto parsed = ingot::json::read_document(options.value);
  if (parsed) return std::move(*parsed);
  throw failure(sentence("value " + quote(options.value), "JSON", parsed.error().message(),
                         "use --text if the value is text"),
                exit_code::usage);
}

[[nodiscard]] std::string json_at(const ingot::value& at) {
  return at.exists() ? node(at).json(0) : std::string();
}

[[noreturn]] void reject_path(const opened& file, std::string_view why, const std::string& where) {
  throw failure(sentence(file.name + ": " + std::string(why) + " (" + where + ")",
                         "an object and a name, or an array and a number no greater than its size", "",
                         "ingot inspect shows which paths there are"),
                exit_code::no);
}

/// Gives a step of a JSON Pointer the kind `index` if it leads to the element after the last one.
void number_new_element(const node& here, path_step& step) {
  if (step.is != path_step::kind::any || here.form() != node_form::elements) return;
  if (index_in(step.text) == here.size() || step.text == "-") step = index_step(here.size());
}

/// Ends the command if the step `where[i]` names a member that an object of a document lacks, or
/// that would make an object of null: the name may be misspelled.
void reject_new_name(const node& here, const path& where, std::size_t i) {
  const ingot::value* const in = here.as_value();
  const bool is_null = in != nullptr && in->kind() == ingot::value_kind::null;
  const bool is_number = where[i].is == path_step::kind::index || where[i].is == path_step::kind::from_end;
  if (in == nullptr || is_number || (here.form() != node_form::members && !is_null)) return;
  throw failure(no_value_message(here, where, i, "--add adds a member of this name"), exit_code::no);
}

/// Follows a path from a value of a document as far as values exist. A number in brackets is the
/// index in an array, not the name of a member. The index after the last element means a new
/// element. Returns the number of steps that lead to existing values. If the first step that leads
/// nowhere names a member, ends the command unless `adds_names`.
[[nodiscard]] std::size_t follow_existing(const opened& file, node here, path& where, bool adds_names) {
  for (std::size_t i = 0; i < where.size(); ++i) {
    const node next = follow(here, where[i]);
    if (!next.exists()) {
      number_new_element(here, where[i]);
      const bool is_new = here.form() == node_form::elements && here.size() == where[i].index &&
                          where[i].is == path_step::kind::index;
      const bool is_number =
          where[i].is == path_step::kind::index || where[i].is == path_step::kind::from_end;
      if (is_number && !is_new && here.as_value() != nullptr)
        reject_path(file, "no element of that number", spelled(where, i + 1));
      if (!adds_names) reject_new_name(here, where, i);
      return i;
    }
    here = next;
  }
  return where.size();
}

/// Returns the value to store at the first missing step of the path `where`. This is `value`,
/// inside one object or array for each step after the first missing step.
[[nodiscard]] ingot::document wrapped(const opened& file, const path& where, std::size_t first_missing,
                                      const ingot::document& value) {
  ingot::document nested(value.root(), max_document_size);
  for (std::size_t end = where.size(); end > first_missing + 1; --end) {
    const std::size_t i = end - 1;
    ingot::document around(max_document_size);
    if (where[i].is == path_step::kind::from_end)
      reject_path(file, "no element of that number", spelled(where, i + 1));
    if (where[i].is != path_step::kind::index) {
      value_of(around.root().set(where[i].text, nested.root()), file.name);
    } else {
      if (where[i].index != 0) reject_path(file, "no element of that number", spelled(where, i + 1));
      value_of(around.root().append(nested.root()), file.name);
    }
    nested = std::move(around);
  }
  return nested;
}

/// Ends the command if JSON Lines can't have the value: the file is an array, an element a line.
void check_lines(const opened& file, const path& where, const ingot::value& value) {
  if (file.as != format::jsonl || !where.empty() || value.kind() == ingot::value_kind::array) return;
  throw failure(sentence(file.name + ": not changed", "an array, whose elements become the lines",
                         json_at(value),
                         "name one line: [0] is the first, [" + std::to_string(file.document->root().size()) +
                             "] adds one"),
                exit_code::no);
}

/// Appends a line with the value to JSON Lines text. The line ends as the lines before it do.
void append_line(std::string& text, const ingot::value& value) {
  const bool has_returns = text.find("\r\n") != std::string::npos;
  const std::string_view end = has_returns ? "\r\n" : "\n";
  if (!text.empty() && !text.ends_with('\n')) text += end;
  text.append(json_at(value)).append(end);
}

/// Returns the line of JSON Lines text that contains the element `index`. Returns empty text if
/// there is no such line.
[[nodiscard]] std::string_view line_of(std::string_view text, std::size_t index) {
  for (;;) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool is_empty = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (!is_empty && index-- == 0) return line;
    if (line.size() == text.size()) return {};
    text.remove_prefix(line.size() + 1);
  }
}

/// Returns the file's JSON text in which only the value at `steps` is changed. Returns nothing if
/// the file is not JSON, or if the new text is not read as `grown`, the changed document.
[[nodiscard]] std::optional<std::string>
edited_text(const opened& file, const path& steps, const ingot::document& put, const ingot::document& grown) {
  const bool is_lines = file.as == format::jsonl;
  if (file.as != format::json && !is_lines) return {};
  auto text = read_all(file.name);
  if (!text) return {};
  const auto text_if_equal = [&]() -> std::optional<std::string> {
    const auto read = read_as(file.how, *text);
    return read && std::as_const(*read).root() == grown.root() ? std::optional(std::move(*text))
                                                               : std::nullopt;
  };
  std::string_view changed = *text;
  path inside = steps;
  if (is_lines) {
    if (steps.empty() || steps[0].is != path_step::kind::index) return {};
    if (steps[0].index == std::as_const(*file.document).root().size()) {
      append_line(*text, put.root());
      return text_if_equal();
    }
    changed = line_of(*text, steps[0].index);
    inside.erase(inside.begin());
  }
  using ingot::json::comments, ingot::json::trailing_commas;
  const ingot::json::edit_options options{
      .comments = file.how.allows_comments ? comments::allow : comments::reject,
      .trailing_commas = file.how.allows_commas ? trailing_commas::allow : trailing_commas::reject,
      .max_depth = file.how.max_depth,
      .writing = {.key_order = ingot::json::key_order::sorted, .max_depth = file.how.max_depth}};
  const auto edited = ingot::json::edit(changed, pointer_of(inside), put.root(), options);
  if (!edited) return {};
  text->replace(static_cast<std::size_t>(changed.data() - text->data()), changed.size(), *edited);
  return text_if_equal();
}

[[nodiscard]] change set_in_document(output& to, const opened& file, path& where,
                                     const ingot::document& value, bool adds_names) {
  // The file's document may have no free bytes, but a copy of this document can grow.
  ingot::document grown(std::as_const(*file.document).root(), max_document_size);
  const std::size_t found = follow_existing(file, node{std::as_const(grown).root()}, where, adds_names);
  check_lines(file, where, value.root());
  const std::string pointer = pointer_of(where);
  change result_change{spelled(where, where.size()), json_at(std::as_const(grown).at(pointer)), {}, {}};
  const std::size_t common = std::min(found + 1, where.size());
  const std::string begin = pointer_of({where.begin(), where.begin() + static_cast<std::ptrdiff_t>(common)});
  const ingot::document put = wrapped(file, where, found, value);
  if (const auto done = grown.root().set_at(begin, put.root()); !done)
    reject_path(file, to_string(done.error().code()), result_change.where);
  result_change.after = json_at(std::as_const(grown).at(pointer));
  if (is_edited(file)) {
    set_where_it_is(file, begin, put);
    result_change.how = "the document was edited in place";
    return result_change;
  }
  if (auto text = edited_text(file, {where.begin(), where.begin() + static_cast<std::ptrdiff_t>(common)}, put,
                              grown)) {
    write_text(to, file.name, *text);
    result_change.how = "its text was edited, and is as it was everywhere else";
    return result_change;
  }
  write_document(to, file.name, grown, file.as,
                 {.unsupported_values = ingot::unsupported_values::wrap,
                  .max_depth = file.how.max_depth,
                  .compress = compression_of(file),
                  .columns = columns_of(file)});
  result_change.how = "the file was rewritten, " + std::string(file.header ? "a document" : file.what());
  return result_change;
}

void complain_of_valid(const opened& file) {
  if (file.block->layout().asks_valid())
    print_warning(file.name + ": its type has its own checks, which only a program with the type can run");
}

/// The steps of a path that lead to values of a typed file.
struct followed_path {
  node last;             ///< the value of the last step that leads to one
  std::size_t steps = 0; ///< number of these steps
};

/// Follows a path in a typed value as far as values exist. Ends the command if the first step that
/// leads nowhere can't become a value: records get no members, and a number leads to a new element
/// only after the last one. A document inside the value gets a new member only if `adds_names`.
[[nodiscard]] followed_path follow_existing_typed(const opened& file, path& where, bool adds_names) {
  followed_path found{root_of(file), 0};
  for (; found.steps < where.size(); ++found.steps) {
    path_step& step = where[found.steps];
    const node next = follow(found.last, step);
    if (next.exists()) {
      found.last = next;
      continue;
    }
    number_new_element(found.last, step);
    const bool is_number = step.is == path_step::kind::index || step.is == path_step::kind::from_end;
    const bool is_typed = found.last.as_typed() != nullptr;
    bool is_possible = true; // a scalar may be an empty optional; other scalars are rejected later
    switch (found.last.form()) {
    case node_form::members: is_possible = !is_typed; break;
    case node_form::entries: is_possible = !is_number || has_number_keys(found.last); break;
    case node_form::elements:
      is_possible = step.is == path_step::kind::index && step.index == found.last.size();
      break;
    default: break;
    }
    if (!is_possible) throw failure(no_value_message(found.last, where, found.steps), exit_code::no);
    if (!adds_names) reject_new_name(found.last, where, found.steps);
    break;
  }
  return found;
}

/// Returns the key of a new entry of a map whose keys are not text, as a document has it.
[[nodiscard]] ingot::document new_key(const node& map, const path& where, std::size_t step) {
  const std::string& text = where[step].text;
  const char* const end = text.data() + text.size();
  const auto parsed = [&](auto number) -> std::optional<ingot::document> {
    const auto [stop, why] = std::from_chars(text.data(), end, number);
    return why == std::errc{} && stop == end ? std::optional(ingot::document(number)) : std::nullopt;
  };
  std::string_view expected =
      "an entry that is there: a new one needs a key that is text, a number or an enumerator";
  std::optional<ingot::document> key;
  switch (key_kind(map)) {
  case ingot::dynamic_kind::integer:
  case ingot::dynamic_kind::duration:
  case ingot::dynamic_kind::time_point:
    expected = "a key that is an integer";
    key = parsed(std::int64_t{0});
    if (!key) key = parsed(std::uint64_t{0});
    break;
  case ingot::dynamic_kind::floating:
    expected = "a key that is a number";
    key = parsed(double{0});
    break;
  case ingot::dynamic_kind::boolean:
    expected = "a key that is true or false";
    if (text == "true" || text == "false") key = ingot::document(text == "true");
    break;
  case ingot::dynamic_kind::enumeration: key = ingot::document(std::string_view(text)); break;
  default: break;
  }
  if (key) return std::move(*key);
  throw failure(sentence("no value at " + spelled(where, step + 1), expected, "",
                         "ingot inspect shows which keys there are"),
                exit_code::no);
}

/// Sets a value in `said`, a document that has the file's contents. Returns the old and the new
/// value as JSON.
[[nodiscard]] change set_in_said(const opened& file, path& where, ingot::document& said,
                                 const ingot::document& value, bool adds_names) {
  const followed_path found = follow_existing_typed(file, where, adds_names);
  const ingot::dynamic_kind keys = key_kind(found.last);
  const bool is_new_pair =
      found.steps != where.size() && keys != ingot::dynamic_kind::absent && keys != ingot::dynamic_kind::text;
  const path existing(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(found.steps));
  const node root = root_of(file);
  // A document has an array of pairs for a map whose keys are not text. A new entry is a new pair.
  std::string pointer = pointer_in_document(root.holder(), is_new_pair ? existing : where);
  change result_change{spelled(where, where.size()), {}, {}, {}};
  bool is_done = false;
  if (is_new_pair) {
    const ingot::document key = new_key(found.last, where, found.steps);
    const ingot::document put = wrapped(file, where, found.steps, value);
    ingot::document pair(max_document_size);
    value_of(pair.root().append(key.root()), file.name);
    value_of(pair.root().append(put.root()), file.name);
    pointer += '/' + std::to_string(found.last.size());
    is_done = said.root().set_at(pointer, pair.root()).has_value();
    pointer += "/1" + pointer_of({where.begin() + static_cast<std::ptrdiff_t>(found.steps) + 1, where.end()});
  } else {
    result_change.before = json_at(std::as_const(said).at(pointer));
    is_done = said.root().set_at(pointer, value.root()).has_value();
  }
  if (!is_done) {
    throw failure(found.steps == where.size() ? sentence("no value at " + result_change.where, "", "",
                                                         "ingot inspect shows which paths there are")
                                              : no_value_message(found.last, where, found.steps),
                  exit_code::no);
  }
  result_change.after = json_at(std::as_const(said).at(pointer));
  return result_change;
}

/// Sets a value by building a new block, because the value needs more bytes or another form.
[[nodiscard]] change set_by_building(output& to, const opened& file, path& where,
                                     const ingot::document& value, bool adds_names) {
  const ingot::document whole = faithful_document(file);
  ingot::document grown(whole.root(), max_document_size);
  change result_change = set_in_said(file, where, grown, value, adds_names);
  const ingot::dynamic_block built = build(grown, file.block->layout(), file.name, false, exit_code::no);
  complain_of_valid(file);
  result_change.how = "the block was rebuilt, " + counted(built.bytes().size(), "byte");
  if (is_edited(file)) replace_block(file, built.bytes());
  else
    write_ingot(to, file.name, file.header->info, built.bytes(), built.layout().bytes(),
                compression_of(file));
  result_change.how += ", in a copy that took the file's place";
  return result_change;
}

[[nodiscard]] bool lies_in_place(ingot::dynamic_kind kind) noexcept {
  using enum ingot::dynamic_kind;
  return kind == boolean || kind == integer || kind == floating || kind == character || kind == byte ||
         kind == enumeration || kind == duration || kind == time_point;
}

[[nodiscard]] change set_in_block(output& to, const opened& file, path& where, const ingot::document& value,
                                  bool adds_names) {
  path steps = where;
  const followed_path typed = follow_existing_typed(file, steps, adds_names);
  const node found = typed.steps == steps.size() ? typed.last : node();
  const ingot::dynamic_value* const there = found.as_typed();
  if (there == nullptr || !lies_in_place(there->kind()) || value.root().is_null())
    return set_by_building(to, file, where, value, adds_names);
  where = steps;
  const ingot::dynamic_value& scalar = *there;
  change result_change{spelled(where, where.size()), found.held_json(0), {}, {}};
  const ingot::bytes_view old = file.block->bytes();
  std::vector<std::byte> bytes(old.begin(), old.end());
  const auto target = std::span(bytes).subspan(static_cast<std::size_t>(scalar.position()),
                                               static_cast<std::size_t>(scalar.byte_size()));
  overwrite_scalar(scalar, value.root(), target, result_change.where);
  // Validating the new block checks limits of members and the order of keys.
  const auto validated = ingot::dynamic_block::open(bytes, file.block->layout());
  if (!validated) throw failure(validated.error(), file.name, exit_code::no);
  complain_of_valid(file);
  path again = where;
  result_change.after = follow(node(validated->root()), again).held_json(0);
  result_change.how = counted(target.size(), "byte") + " at byte " +
                      grouped(scalar.position() + file.header->payload_at()) + " overwritten";
  if (is_edited(file)) {
    overwrite(file, static_cast<std::size_t>(scalar.position()), target);
    result_change.how += " in place";
    return result_change;
  }
  write_ingot(to, file.name, file.header->info, bytes, file.block->layout().bytes(), compression_of(file));
  result_change.how += ", in a copy that took the file's place";
  return result_change;
}

[[nodiscard]] change set_in_message(output& to, const opened& file, path& where, const ingot::document& value,
                                    bool adds_names) {
  const auto whole = value_of(root_of(file).to_document(), file.name);
  ingot::document grown(whole.root(), max_document_size);
  change result_change = set_in_said(file, where, grown, value, adds_names);
  const auto packed = pack(grown, *file.schema, file.profile(), false);
  if (!packed) throw failure(packed.error(), file.name, exit_code::no);
  write_packed(to, file.name, *packed, *file.schema, file.profile(), compression_of(file), columns_of(file));
  result_change.how = "the file was rewritten, " + file.what();
  return result_change;
}

void tell(output& to, const opened& file, const change& done, const shared_options& shared) {
  if (file.name == "-") return; // only the new file's bytes go to standard output
  if (shared.json) {
    to << R"({"file":)" << json_string(file.name) << R"(,"path":)" << json_string(done.where);
    if (!done.before.empty()) to << R"(,"before":)" << with_safe_integers(done.before);
    to << R"(,"after":)" << with_safe_integers(done.after) << R"(,"how":)" << json_string(done.how) << "}\n";
    return;
  }
  const auto cut = [](const std::string& json) {
    return json.size() <= 200 ? json : std::string(beginning(json, 200)) + "...";
  };
  to << printable(file.name) << ": " << (done.where.empty() ? "." : printable(done.where)) << " was "
     << (done.before.empty() ? "absent" : cut(done.before)) << ", is " << cut(done.after) << "; " << done.how
     << "\n";
}

} // namespace

exit_code set(output& to, const set_options& options, const shared_options& shared) {
  path where = parse_single_path(options.path);
  const ingot::document value = parse_value(options);
  const opened file = value_of(open(options.file, shared.from), options.file);
  if (shared.from.spells_keys && (file.as == format::msgpack || file.as == format::cbor))
    throw failure(sentence("--other-keys", "a verb that does not write keys, which would become text", "set",
                           "convert writes them, with --integer-keys"),
                  exit_code::usage);
  if (file.name == "-" && is_edited(file))
    throw failure(sentence("standard input", "a file, because it is edited in place", file.what(), "name it"),
                  exit_code::usage);
  if (file.document) {
    tell(to, file, set_in_document(to, file, where, value, options.adds_names), shared);
  } else if (file.block) {
    tell(to, file, set_in_block(to, file, where, value, options.adds_names), shared);
  } else if (file.message) {
    tell(to, file, set_in_message(to, file, where, value, options.adds_names), shared);
  } else if (file.is_log()) {
    throw failure(
        sentence(
            file.name + ": not changed", "a file of one value", file.what(),
            "the records of a log stay as they were written; ingot convert --to jsonl makes text of them"),
        exit_code::no);
  } else {
    throw failure(sentence(file.name + ": not changed", "a value with a description of its type", file.what(),
                           "write it with a program that has the type"),
                  exit_code::no);
  }
  return exit_code::ok;
}

} // namespace tool
