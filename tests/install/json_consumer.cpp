// SPDX-License-Identifier: Apache-2.0
// A program in another project that links ingot::json. Returns 0 if it works.
#include <ingot/json/json.hpp>

#include <string>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto back = ingot::json::read<person>(R"({"name": "Ada", "age": 36})");
  return back && back->name == "Ada" && back->age == 36 ? 0 : 1;
}
