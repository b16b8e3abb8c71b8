// SPDX-License-Identifier: Apache-2.0
// A program that uses only the single header with text and files, and their compiled parts.
#include <filesystem>
#include <string>

#include <ingot.hpp>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto read = ingot::json::read<person>(R"({"name": "Ada", "age": 36})");
  if (!read || read->name != "Ada") return 1;

  for (const auto method : {ingot::codec::none, ingot::codec::lz4, ingot::codec::zstd}) {
    const std::string name(1'000, 'A');
    if (!ingot::save("person.ingot", person{name, 36}, {.compress = {.method = method}})) return 2;
    const auto back = ingot::load<person>("person.ingot");
    std::filesystem::remove("person.ingot");
    if (!back || back->name != name || back->age != 36) return 3;
  }
  return 0;
}
