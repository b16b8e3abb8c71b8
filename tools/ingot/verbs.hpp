// SPDX-License-Identifier: Apache-2.0
// The commands of the tool. Each command is one function, in a file with the name of the command.
// The function is called with the options of the command line.
#pragma once

#include "cli_support.hpp"
#include "opened_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// Options of all commands.
struct shared_options {
  bool json = false;
  colours colour = colours::automatic;
  reading from;
};

struct inspect_options {
  std::string file;
  std::string path;
  std::size_t depth = 4;
  bool all = false;
  bool sizes = false;
};
exit_code inspect(output& to, const inspect_options& options, const shared_options& shared);

struct get_options {
  std::string file;
  std::string path;
};
exit_code get(output& to, const get_options& options, const shared_options& shared);

struct validate_options {
  std::vector<std::string> files;
  bool quiet = false;
};
exit_code validate(output& to, const validate_options& options, const shared_options& shared);

struct schema_options {
  std::string file;
  std::string as = "text";
};
exit_code schema(output& to, const schema_options& options, const shared_options& shared);

struct set_options {
  std::string file;
  std::string path;
  std::string value;
  bool is_text = false;
  bool adds_names = false; ///< a name that does not exist is added to its object
};
exit_code set(output& to, const set_options& options, const shared_options& shared);

struct convert_options {
  std::string from;
  std::string to;
  format as = format::automatic;
  std::string schema;   ///< file whose schema is used to read and write
  std::string compress; ///< empty, or a codec with an optional level: "zstd:9"
  bool columns = false; ///< records are split into columns
  bool rows = false;    ///< records are not split; if both are false, split as in the source
  std::uint32_t indent = 2;
  bool reduce = false;
  /// Keeps values that the format of OUT lacks: writes them as objects with `$` keys. Also reads
  /// such objects as the original values.
  bool wrap = false;
  bool integer_keys = false; ///< write keys that are integers in the form of text as integers
  bool wide_reals = false;
  bool flag_names = false; ///< JSON: combinations of flags are arrays of names
};
exit_code convert(output& to, const convert_options& options, const shared_options& shared);

struct diff_options {
  std::string before;
  std::string after;
  bool schema = false;
};
exit_code diff(output& to, const diff_options& options, const shared_options& shared);

struct annotate_options {
  std::string file;
  std::string range; ///< FROM..TO
  bool all = false;
};
exit_code annotate(output& to, const annotate_options& options, const shared_options& shared);

struct layout_options {
  std::string file;
  std::string html;
  std::string compare;
  std::string range; ///< FROM..TO
};
exit_code layout(output& to, const layout_options& options, const shared_options& shared);

struct compact_options {
  std::string file;
};
exit_code compact(output& to, const compact_options& options, const shared_options& shared);

struct recover_options {
  std::string file;
  bool cut = false;
};
exit_code recover(output& to, const recover_options& options, const shared_options& shared);

struct stats_options {
  std::string file;
  bool all = false;
};
exit_code stats(output& to, const stats_options& options, const shared_options& shared);

} // namespace tool
