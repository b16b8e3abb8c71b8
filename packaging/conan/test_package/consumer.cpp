// SPDX-License-Identifier: Apache-2.0
// A program that has ingot by Conan: it ends with 0 if what the package has does what it says.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>
#ifdef WITH_json
#include <ingot/json/json.hpp>
#endif
#ifdef WITH_file
#include <ingot/file/load.hpp>
#include <ingot/file/save.hpp>
#endif

#include <cstdio>
#include <string>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto back = ingot::unpack<person>(ingot::pack(person{"Ada", 36}));
  if (!back || back->name != "Ada") return 1;
#ifdef WITH_json
  std::puts("json");
  if (const auto read = ingot::json::read<person>(R"({"name": "Ada", "age": 36})"); !read || read->age != 36)
    return 2;
#endif
#ifdef WITH_file
  std::puts("file");
  if (!ingot::save("person.ingot", *back, {.compress = {.method = ingot::codec::zstd}})) return 3;
  if (const auto loaded = ingot::load<person>("person.ingot"); !loaded || loaded->age != 36) return 4;
#endif
  return 0;
}
