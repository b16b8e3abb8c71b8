// SPDX-License-Identifier: Apache-2.0
// A program that imports ingot. Returns 0 if every layer works. `annotations` is specialised as in
// programs that include the headers.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

import ingot;

struct person {
  std::string name;
  int age = 0;
  std::vector<std::uint16_t> marks;
};
template <>
inline constexpr auto ingot::annotations<person> =
    ingot::annotate(ingot::member<"age">(ingot::range(0, 150)));

struct crew {
  ingot::string ship;
  ingot::map<std::uint32_t, ingot::string> names;
  ingot::vector<float> loads;
};

int main() {
  const auto packed = ingot::pack(person{"Ada", 36, {1, 2}});
  const auto seen = ingot::view<person>::open(packed);
  if (!seen || seen->get<"name">() != "Ada" || seen->get<"marks">().size() != 2) return 1;
  if (ingot::unpack<person>(ingot::pack(person{"Old", 151, {}}))) return 2;

  ingot::live<crew> block;
  block->ship = "a ship with a long name";
  block->names[7] = "Grace";
  block->loads = {1.5f, 2.5f};
  const auto got = ingot::live<crew>::open(block.bytes());
  if (!got || (*got)->names.find(7)->second != "Grace" || (*got)->loads.size() != 2) return 3;

  ingot::document doc;
  doc["person"] = person{"Ada", 36, {}};
  const auto back = doc["person"].as<person>();
  return back && back->age == 36 ? 0 : 4;
}
