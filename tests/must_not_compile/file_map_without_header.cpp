// SPDX-License-Identifier: Apache-2.0
// Views of mapped blocks have a separate header; the error names the header.
// expect: ingot: include <ingot/file/live_file.hpp> for files of live blocks
// errors: 1
#ifdef MUST_COMPILE
#include <ingot/file/live_file.hpp>
#endif
#include <ingot/file/map_file.hpp>
#include <ingot/live/live_view.hpp>
#include <ingot/live/string.hpp>

struct person {
  ingot::string name;
};

bool see() { return ingot::map_file<ingot::live_view<person>>("person.ingot").has_value(); }
