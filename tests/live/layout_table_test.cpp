// SPDX-License-Identifier: Apache-2.0
// The layouts that the leg `layouts` demands of other compilers are those of this machine.
//
// To write tests/layouts/table.hpp again, delete it and run this test with INGOT_WRITE_GOLDENS=1.
#include <ingot/live/detail/layout_id.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <layouts/types.hpp>

namespace layout_table_test {

template <class T>
std::string row(const char* name) {
  char ids[64];
  static_cast<void>(std::snprintf(
      ids, sizeof ids, "0x%016llX, 0x%016llX", static_cast<unsigned long long>(ingot::schema_id<T>),
      static_cast<unsigned long long>(ingot::detail::layout_id<T, ingot::narrow_policy>())));
  std::string text = std::string("LAYOUT_ROW(") + name + ", " + std::to_string(sizeof(T)) + ", " +
                     std::to_string(alignof(T)) + ", " + ids;
  if constexpr (ingot::kind_of<T> == ingot::kind::record) {
    alignas(T) static std::byte sample[sizeof(T)]; // only addresses are computed from this object
    ingot::for_each_member(*reinterpret_cast<T*>(sample), [&]<class I, class M>(I, M& member) {
      text += ", " + std::to_string(reinterpret_cast<const std::byte*>(&member) - sample);
    });
  }
  return text + ")\n";
}

std::string table() {
  std::string text = "// SPDX-License-Identifier: Apache-2.0\n"
                     "// Written by tests/live/layout_table_test.cpp: name, size, alignment, schema_id, "
                     "layout_id,\n// positions of the members.\n// clang-format off\n";
#define LAYOUT_TEXT(name, ...) text += row<__VA_ARGS__>(#name);
  LAYOUT_TYPES(LAYOUT_TEXT)
  return text;
}

TEST(layout_table, is_that_of_this_machine) {
#if !defined(__x86_64__) || defined(_WIN32)
  GTEST_SKIP() << "the table is of x86-64";
#endif
  const std::string path = INGOT_SOURCE_DIR "/tests/layouts/table.hpp";
  const std::string expected = table();
  if (std::getenv("INGOT_WRITE_GOLDENS") != nullptr && !std::ifstream(path).is_open())
    std::ofstream(path, std::ios::binary) << expected;
  std::ifstream in(path, std::ios::binary);
  const std::string stored{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(stored, expected);
}

} // namespace layout_table_test
