// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include "cli_support.hpp"
#include "source.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tool {

namespace {

[[nodiscard]] const ingot::schema& schema_in(const opened& of) {
  if (of.schema) return *of.schema;
  throw failure(sentence(of.name + ": no value to show", "a log that carries its schema", of.what(),
                         "open it with a program that has the type"));
}

} // namespace

records::records(const opened& of)
    : log_(value_of(ingot::detail::log_input::open(files(), of.name), of.name)),
      by_(value_of(ingot::dynamic_schema::from(schema_in(of), of.profile()), of.name)), name_(of.name) {}

bool records::next() {
  message_.reset(); // the message refers to bytes that `log_.next` overwrites
  number_ = log_.records();
  ingot::bytes_view payload;
  if (!value_of(log_.next(payload, max_record_size), name_)) return false;
  auto opened_message = ingot::dynamic_message::open_in_place(payload, by_);
  if (!opened_message)
    opened_message = log_.with_file_context(opened_message.error(), number_, payload.size());
  message_ = value_of(std::move(opened_message), name_);
  return true;
}

node find(const opened& file, path& where, std::optional<records>& at) {
  if (!file.is_log()) return follow(root_of(file), where);
  path_step wanted = where.empty() ? path_step() : where.front();
  if (wanted.is == path_step::kind::any) wanted.index = index_in(wanted.text).value_or(file.records);
  else if (wanted.is == path_step::kind::from_end)
    wanted.index =
        static_cast<std::size_t>(wanted.index > file.records ? file.records : file.records - wanted.index);
  else if (wanted.is != path_step::kind::index) wanted.index = static_cast<std::size_t>(file.records);
  at.emplace(file);
  for (std::size_t left = wanted.index; at->next(); --left) {
    if (left != 0) continue;
    where.front() = index_step(wanted.index);
    return follow(at->value(), where, 1);
  }
  const std::string last = file.records == 1 ? "" : " to [" + std::to_string(file.records - 1) + "]";
  throw failure(sentence("no value at " + spelled(where, 1),
                         file.records == 0 ? "a log with records" : "the number of a record, [0]" + last,
                         file.records == 0 ? "none" : "", "ingot inspect shows the first records"),
                exit_code::no);
}

void find_all(const opened& file, const path& where, const found_value& found) {
  std::string why;
  std::size_t count = 0;
  if (!file.is_log()) {
    count = follow_all(root_of(file), where, 0, {}, found, why);
  } else if (!where.empty() && is_multiple(where.front())) {
    const auto [first, end] = bounds_of(where.front(), static_cast<std::size_t>(file.records));
    for (records at(file); at.next() && at.number() < end;) {
      if (at.number() >= first)
        count += follow_all(at.value(), where, 1, '[' + std::to_string(at.number()) + ']', found, why);
    }
    if (first == end && why.empty())
      why = "no value at " + spelled(where, 1) + ": the log has " + counted(file.records, "record") +
            "; ingot inspect shows the first records";
  } else {
    std::optional<records> at;
    path record(where.begin(), where.begin() + (where.empty() ? 0 : 1));
    const node value = find(file, record, at);
    count = follow_all(value, where, 1, spelled(record, 1), found, why);
  }
  if (count == 0) throw failure(why, exit_code::no);
}

} // namespace tool
