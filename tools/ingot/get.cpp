// SPDX-License-Identifier: Apache-2.0
// `ingot get`: prints values for scripts, text without quotation marks and other values as JSON.
#include "path.hpp"
#include "records.hpp"
#include "text.hpp"
#include "verbs.hpp"

#include <optional>
#include <string>

namespace tool {

exit_code get(output& to, const get_options& options, const shared_options& shared) {
  path where = parse_path(options.path);
  const auto json = [&](const node& of) { return shared.json ? with_safe_integers(of.json(0)) : of.json(0); };
  const opened file = value_of(open(options.file, shared.from), options.file);
  std::optional<records> at;
  if (file.is_log() && where.empty()) {
    to << "[";
    for (at.emplace(file); at->next();) to << (at->number() == 0 ? "" : ",") << json(at->value());
    to << "]\n";
    return exit_code::ok;
  }
  if (is_multiple(where)) {
    find_all(file, where, [&](const std::string&, const node& found) {
      const auto text = shared.json ? std::nullopt : found.text();
      if (text) to << (to.is_terminal() ? printable(*text) : std::string(*text)) << "\n";
      else to << (shared.json ? json(found) : found.held_json(0)) << "\n";
    });
    return exit_code::ok;
  }
  const node found = find(file, where, at);
  if (const auto text = found.text(); text && !shared.json) {
    // If the output is not a terminal, a program gets the text unchanged.
    to << (to.is_terminal() ? printable(*text) : std::string(*text)) << "\n";
    return exit_code::ok;
  }
  to << (shared.json ? json(found) : found.held_json(2)) << "\n";
  return exit_code::ok;
}

} // namespace tool
