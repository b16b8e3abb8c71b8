// SPDX-License-Identifier: Apache-2.0
// Asks AddressSanitizer or Valgrind whether it would report an access.
#pragma once

#include <ingot/core/bytes.hpp>
#include <ingot/core/detail/poison.hpp>

#include <cstddef>

#include <gtest/gtest.h>

#if INGOT_POISONS == 1
#include <sanitizer/asan_interface.h>
#elif INGOT_POISONS == 2
#include <valgrind/memcheck.h>
#endif

#if INGOT_POISONS != 0
namespace ingot_test {

[[nodiscard]] inline bool has_poison(const void* start, std::size_t size) {
#if INGOT_POISONS == 1
  return __asan_region_is_poisoned(const_cast<void*>(start), size) != nullptr;
#else
  VALGRIND_DISABLE_ERROR_REPORTING;
  const bool found = VALGRIND_CHECK_MEM_IS_ADDRESSABLE(start, size) != 0;
  VALGRIND_ENABLE_ERROR_REPORTING;
  return found;
#endif
}
/// Returns true if an access to the object is reported.
template <class T>
[[nodiscard]] bool reported(const T* object) {
  return has_poison(object, sizeof(T));
}
[[nodiscard]] inline bool readable(ingot::bytes_view bytes) {
  return !has_poison(bytes.data(), bytes.size());
}

/// A test without reports. If there is one, AddressSanitizer ends the program.
class nothing_reported : public testing::Test {
#if INGOT_POISONS == 2
protected:
  void SetUp() override {
    ASSERT_NE(RUNNING_ON_VALGRIND, 0U) << "run this by valgrind";
    before_ = VALGRIND_COUNT_ERRORS;
  }
  void TearDown() override { EXPECT_EQ(VALGRIND_COUNT_ERRORS, before_); }

private:
  unsigned before_ = 0;
#endif
};

} // namespace ingot_test
#endif
