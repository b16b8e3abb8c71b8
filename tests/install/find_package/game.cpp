// SPDX-License-Identifier: Apache-2.0
// A program with data that ingot_compile_data compiled from text. Returns 0 if the data are in the
// program and in the file.
#include <ingot/file/load.hpp>
#include <ingot/file/open_file.hpp>

#include "level.hpp"
#include "level.ingot.hpp"

int main() {
  auto level = ingot::open_file<game::level>(assets::level()); // a view, nothing is copied
  const auto checked = ingot::open_file<game::level>(assets::level(), {.checksum = true});
  const auto loaded = ingot::load<game::level>("level.ingot");
  return level && checked && (*level)->get<"title">() == "Caves" && loaded && loaded->doors.size() == 3 ? 0
                                                                                                        : 1;
}
