// SPDX-License-Identifier: Apache-2.0
// A program in another project that uses the headers of ingot. Returns 0 if they work.
#include <ingot/pack/pack.hpp>
#include <ingot/pack/unpack.hpp>

#include <string>

struct person {
  std::string name;
  int age = 0;
};

int main() {
  const auto back = ingot::unpack<person>(ingot::pack(person{"Ada", 36}));
  return back && back->name == "Ada" && back->age == 36 ? 0 : 1;
}
