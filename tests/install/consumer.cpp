// SPDX-License-Identifier: Apache-2.0
// A program in another project that uses ingot: a part of it that is headers alone, and a part that
// ingot::ingot has compiled. Returns 0 if both work.
#include <ingot/document/document.hpp>
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include <string>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto back = ingot::unpack<person>(ingot::pack(person{"Ada", 36}));
  if (!back || back->name != "Ada" || back->age != 36) return 1;

  ingot::document doc;
  doc["person"] = *back;
  const auto opened = ingot::document::open(doc.bytes());
  return opened && (*opened)["person"].find("age").value_or(0) == 36 ? 0 : 2;
}
