// SPDX-License-Identifier: Apache-2.0
// Whether what the pages show does what they say, page by page.
#include "pages.hpp"

int main() {
  struct {
    const char* name;
    bool (*holds)();
  } const all[] = {{"live", pages::live_page},
                   {"document", pages::document_page},
                   {"dynamic", pages::dynamic_page},
                   {"json", pages::json_page},
                   {"protobuf", pages::protobuf_page}};
  int failed = 0;
  for (const auto& page : all) {
    if (page.holds()) continue;
    std::printf("docs/%s.md shows what is not so\n", page.name);
    ++failed;
  }
  return failed;
}
