// SPDX-License-Identifier: Apache-2.0
// `ingot validate`: checks files against their format and their types.
#include "text.hpp"
#include "verbs.hpp"

#include <algorithm>
#include <string>

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
};

[[nodiscard]] finding look_at(const std::string& name, const reading& how) {
  const auto file = open(name, how);
  if (!file) {
    const bool is_unread =
        file.error().code() == ingot::errc::io || file.error().code() == ingot::errc::no_memory;
    return {is_unread ? verdict::unreadable : verdict::invalid, {}, file.error()};
  }
  std::string what = file->what();
  if (file->is_log()) what += ", " + counted(file->records, "record");
  if (file->missing_reason) return {verdict::invalid, what, *file->missing_reason};
  if (!file->is_validated()) return {verdict::unvalidated, what, {}};
  return {verdict::valid, what, {}};
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
