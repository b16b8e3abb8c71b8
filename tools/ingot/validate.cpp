// SPDX-License-Identifier: Apache-2.0
// `ingot validate`: checks files against their format and their types.
#include <ingot/file/damage.hpp>

#include "cli_support.hpp"
#include "lost_values.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tool {

namespace {

enum class verdict : std::uint8_t {
  valid,
  unvalidated, ///< the file is undamaged, but does not describe its type
  invalid,
  unreadable,
};

[[nodiscard]] std::string_view word(verdict of) noexcept {
  switch (of) {
  case verdict::valid: return "valid";
  case verdict::unvalidated: return "unvalidated";
  case verdict::invalid: return "invalid";
  case verdict::unreadable: break;
  }
  return "unreadable";
}

struct finding {
  verdict is = verdict::valid;
  std::string what;
  ingot::error why;
  std::optional<ingot::damage_report> lost; ///< set if a part of the payload is undamaged
  /// for each range of `lost` the path of the first value in it, or empty text
  std::vector<std::string> first_values{};
};

/// Finds the damaged parts of a file. Returns nothing if the file has no undamaged part.
[[nodiscard]] std::optional<ingot::damage_report> lost_bytes(const std::string& name) {
  const auto info = ingot::peek_file(name, files());
  if (!info) return {};
  auto found = ingot::find_damage(name, files());
  if (!found || found->lost_bytes == 0 || found->lost_bytes == info->payload_size) return {};
  return *found;
}

[[nodiscard]] finding look_at(const std::string& name, const reading& how) {
  const auto file = open(name, how);
  if (!file) {
    const bool is_unread =
        file.error().code() == ingot::errc::io || file.error().code() == ingot::errc::no_memory;
    finding found{is_unread ? verdict::unreadable : verdict::invalid, {}, file.error(), {}};
    if (file.error().code() == ingot::errc::bad_checksum) found.lost = lost_bytes(name);
    if (found.lost) found.first_values = first_lost_values(name, *found.lost);
    return found;
  }
  std::string what = file->what();
  if (file->is_log()) what += ", " + counted(file->records, "record");
  if (file->missing_reason) return {verdict::invalid, what, *file->missing_reason, {}};
  if (!file->is_validated()) return {verdict::unvalidated, what, {}, {}};
  return {verdict::valid, what, {}, {}};
}

[[nodiscard]] bool is_wrong(const finding& found) noexcept {
  return found.is == verdict::invalid || found.is == verdict::unreadable;
}

void tell_json(output& to, const std::string& name, const finding& found) {
  to << R"({"file":)" << json_string(name) << R"(,"verdict":")" << word(found.is) << "\"";
  if (!found.what.empty()) to << R"(,"what":)" << json_string(found.what);
  if (is_wrong(found)) {
    to << "," << attributes_of(found.why, name) << R"(,"message":)"
       << json_string(error_text(found.why, name));
  }
  if (found.lost) {
    to << R"(,"lost_bytes":)" << std::to_string(found.lost->lost_bytes) << R"(,"lost_ranges":)"
       << std::to_string(found.lost->range_count) << R"(,"lost":[)";
    std::string_view comma;
    std::size_t i = 0;
    for (const auto& each : found.lost->ranges()) {
      const std::string& first = found.first_values[i++];
      to << comma << R"({"offset":)" << std::to_string(each.offset) << R"(,"size":)"
         << std::to_string(each.size) << R"(,"file_offset":)" << std::to_string(each.file_offset)
         << R"(,"file_size":)" << std::to_string(each.file_size);
      if (!first.empty()) to << R"(,"first_value":)" << json_string(first);
      to << "}";
      comma = ",";
    }
    to << "]";
  }
  to << "}\n";
}

void tell(output& to, const std::string& name, const finding& found) {
  to << printable(name) << ": ";
  to.put(found.is == verdict::valid ? paint::added : paint::removed, word(found.is));
  if (!found.what.empty()) to << ", " << found.what;
  if (is_wrong(found)) to << ": " << printable(error_text(found.why, name));
  if (found.is == verdict::unvalidated)
    to << ": its checksums hold, but only a program that has its type can validate the value";
  to << "\n";
  if (!found.lost) return;
  std::size_t i = 0;
  for (const auto& each : found.lost->ranges()) {
    const std::string& first = found.first_values[i++];
    to << "  lost: bytes " << std::to_string(each.offset) << ".." << std::to_string(each.offset + each.size)
       << " of the payload, which are bytes " << std::to_string(each.file_offset) << ".."
       << std::to_string(each.file_offset + each.file_size) << " of the file";
    if (!first.empty()) to << "; first value: " << printable(first);
    to << "\n";
  }
  if (const auto more = found.lost->range_count - found.lost->ranges().size(); more != 0)
    to << "  " << counted(more, "more range") << "\n";
}

} // namespace

exit_code validate(output& to, const validate_options& options, const shared_options& shared) {
  exit_code worst = exit_code::ok;
  for (const std::string& name : options.files) {
    const finding found = look_at(name, shared.from);
    if (shared.json) tell_json(to, name, found);
    else if (!options.quiet) tell(to, name, found);
    if (found.is == verdict::unreadable) worst = exit_code::failed;
    else if (found.is != verdict::valid) worst = std::max(worst, exit_code::no);
  }
  return worst;
}

} // namespace tool
