// SPDX-License-Identifier: Apache-2.0
// One program of a file that is compiled with -freflection and one that is not: the results of each
// depend on its own compiler.
#include "values.hpp"

#include <iostream>

namespace {

int failures = 0;

void expect(bool held, const char* what) {
  if (held) return;
  std::cerr << "not so: " << what << '\n';
  ++failures;
}

} // namespace

#define EXPECT(condition) expect(condition, #condition)

int main() {
  const Answers with = answers_with_reflection();
  EXPECT(with.tags == "0 Report Fee 3 monostate 5 ");
  EXPECT(with.name_of_net == "net");
  EXPECT(with.packs_fault);
  EXPECT(with.unpacks_fault);
  EXPECT(!with.unpacks_percent);

  const Answers without = answers_without();
  EXPECT(without.tags == with.tags);
  EXPECT(without.name_of_net.empty());
  EXPECT(!without.packs_fault);
  EXPECT(!without.unpacks_fault);
  EXPECT(without.unpacks_percent);

#if defined(WITH_JSON)
  EXPECT(with.text == R"({"fault":"net","percent":0})");
  EXPECT(with.reads_fault);
  EXPECT(!with.reads_percent);
  EXPECT(without.text == "refused");
  EXPECT(!without.reads_fault);
  EXPECT(without.reads_percent);
#endif

#if defined(WITH_FILE)
  EXPECT(with.saves_fault);
  EXPECT(!with.saves_percent);
  EXPECT(with.loads);
  EXPECT(!without.saves_fault);
  EXPECT(without.saves_percent);
  EXPECT(without.loads);
#endif
  return failures == 0 ? 0 : 1;
}
