// SPDX-License-Identifier: Apache-2.0
// `ingot recover`: checks and repairs a log or an edited file after a crash.
#include <ingot/file/recover.hpp>

#include "in_place.hpp"
#include "source.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <string>
#include <utility>

namespace tool {

exit_code recover(output& to, const recover_options& options, const shared_options& shared) {
  if (const auto info = ingot::peek_file(options.file, files());
      info && ingot::detail::file_header{*info}.is_edited())
    return recover_edited(to, options, shared);
  const auto how = options.cut ? ingot::recovery::truncate : ingot::recovery::report;
  auto recovered = ingot::recover(options.file, {.how = how}, files());
  if (!recovered && recovered.error().code() == ingot::errc::schema_mismatch) {
    throw failure(sentence(options.file + ": nothing to recover", "a log, or a file that is edited in place",
                           recovered.error().found(), "ingot validate checks other files"));
  }
  const auto found = value_of(std::move(recovered), options.file);
  const bool is_cut = options.cut && found.lost_bytes != 0;
  if (shared.json) {
    to << R"({"file":)" << json_string(options.file) << R"(,"records":)" << std::to_string(found.records)
       << R"(,"kept":)" << std::to_string(found.valid_bytes) << R"(,"lost":)"
       << std::to_string(found.lost_bytes) << R"(,"cut":)" << (is_cut ? "true" : "false");
    if (found.reason) to << R"(,"why":)" << json_string(error_text(*found.reason, options.file));
    to << "}\n";
  } else {
    to << printable(options.file) << ": " << counted(found.records, "record") << " in "
       << counted(found.valid_bytes, "byte");
    if (found.lost_bytes != 0) {
      to << "; " << counted(found.lost_bytes, "byte") << " after them "
         << (is_cut ? "cut off" : "are no record");
      if (found.reason) to << ": " << printable(error_text(*found.reason, options.file));
    }
    to << "\n";
  }
  return found.lost_bytes != 0 && !options.cut ? exit_code::no : exit_code::ok;
}

} // namespace tool
