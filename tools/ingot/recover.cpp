// SPDX-License-Identifier: Apache-2.0
// What a crash left of a log.
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
  const auto how = options.cut ? ingot::recovery::cut : ingot::recovery::report;
  auto recovered = ingot::recover(options.file, how, files());
  if (!recovered && recovered.error().code() == ingot::errc::other_type) {
    throw failure(sentence(options.file + ": nothing to recover", "a log, or a file that is edited in place",
                           recovered.error().found(), "ingot validate proves other files"));
  }
  const auto found = value_of(std::move(recovered), options.file);
  const bool is_cut = options.cut && found.lost != 0;
  if (shared.json) {
    to << R"({"file":)" << json_string(options.file) << R"(,"records":)" << std::to_string(found.records)
       << R"(,"kept":)" << std::to_string(found.kept) << R"(,"lost":)" << std::to_string(found.lost)
       << R"(,"cut":)" << (is_cut ? "true" : "false");
    if (found.why) to << R"(,"why":)" << json_string(told_of(*found.why, options.file));
    to << "}\n";
  } else {
    to << printable(options.file) << ": " << counted(found.records, "record") << " in "
       << counted(found.kept, "byte");
    if (found.lost != 0) {
      to << "; " << counted(found.lost, "byte") << " behind them " << (is_cut ? "cut off" : "are no record");
      if (found.why) to << ": " << printable(told_of(*found.why, options.file));
    }
    to << "\n";
  }
  return found.lost != 0 && !options.cut ? exit_code::no : exit_code::ok;
}

} // namespace tool
