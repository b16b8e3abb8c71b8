// SPDX-License-Identifier: Apache-2.0
// A program in another project that links ingot::file. Returns 0 if it works.
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>

#include <filesystem>
#include <string>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto method = ingot::has_codec(ingot::codec::lz4) ? ingot::codec::lz4 : ingot::codec::none;
  const std::string name(1'000, 'A');
  if (!ingot::save("person.ingot", person{name, 36}, {.compress = {.method = method}})) return 1;
  const auto back = ingot::load<person>("person.ingot");
  std::filesystem::remove("person.ingot");
  return back && back->name == name && back->age == 36 ? 0 : 1;
}
