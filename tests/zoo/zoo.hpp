// SPDX-License-Identifier: Apache-2.0
// The types that every representation must support, and values of them.
//
//  zoo::for_each_type([]<class T>(std::string_view name) {
//    for (std::uint64_t seed = 0; seed < 8; ++seed) {
//      const T value = zoo::sample<T>(seed);
//      ...
//      EXPECT_TRUE(zoo::equal(value, read_back)) << name << " seed " << seed;
//    }
//  });
//
// for_each_type compiles a test body about 170 times. A test that is slow to compile uses the
// groups below, each in its own file.
#pragma once

#include "annotated.hpp"
#include "containers.hpp"
#include "equal.hpp"
#include "games.hpp"
#include "records.hpp"
#include "sample.hpp"
#include "scalars.hpp"

namespace zoo {

/// Calls f.template operator()<T>(name) for every type; names are unique and never change.
template <class F>
void for_each_type(F&& f) {
  for_each_scalar(f);
  for_each_sequence(f);
  for_each_keyed(f);
  for_each_record(f);
  for_each_widest(f);
  for_each_annotated(f);
  for_each_game(f);
}

} // namespace zoo
