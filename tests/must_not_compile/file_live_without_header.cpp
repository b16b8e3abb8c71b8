// SPDX-License-Identifier: Apache-2.0
// Files of blocks have a separate header; the error names the header.
// expect: ingot: include <ingot/file/live_file.hpp> for files of live blocks
// errors: 1
#ifdef MUST_COMPILE
#include <ingot/file/live_file.hpp>
#endif
#include <ingot/file/save.hpp>
#include <ingot/live/live.hpp>
#include <ingot/live/string.hpp>

struct person {
  ingot::string name;
};

bool keep(const ingot::live<person>& block) { return ingot::save("person.ingot", block).has_value(); }
