// SPDX-License-Identifier: Apache-2.0
// What the tool can do: one function a verb, each in a file of that name, called with what the command line said.
#pragma once

#include "manners.hpp"
#include "opened.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tool {

/// Of every verb.
struct shared_options {
  bool json = false;
  colours colour = colours::automatic;
  format from = format::automatic;
};

struct inspect_options {
  std::string file;
  std::string path;
  std::size_t depth = 4;
  bool all = false;
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

} // namespace tool
