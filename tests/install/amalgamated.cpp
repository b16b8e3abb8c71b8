// SPDX-License-Identifier: Apache-2.0
// A program that uses only the single header of ingot. Returns 0 if every layer works.
#include <string>

#include <ingot.hpp>

struct person {
  std::string name;
  int age = 0;
};
struct crew {
  ingot::string ship;
  ingot::map<std::uint32_t, ingot::string> names;
};

int main() {
  const auto packed = ingot::pack(person{"Ada", 36});
  const auto seen = ingot::view<person>::open(packed);
  if (!seen || seen->get<"name">() != "Ada") return 1;

  ingot::live<crew> block;
  block->ship = "a ship with a long name";
  block->names[7] = "Grace";
  const auto got = ingot::live<crew>::open(block.bytes());
  if (!got || (*got)->names.find(7)->second != "Grace") return 2;

  ingot::document doc;
  doc["person"] = person{"Ada", 36};
  const auto back = doc["person"].as<person>();
  return back && back->age == 36 ? 0 : 3;
}
