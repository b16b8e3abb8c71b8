// SPDX-License-Identifier: Apache-2.0
// Runs the examples of the reference. A wrong one ends the program.
#include "reference.hpp"

int main() {
  pages::core_reference();
  pages::reflect_reference();
  pages::schema_reference();
  pages::live_reference();
  pages::pack_reference();
  pages::document_reference();
  pages::interchange_reference();
  pages::dynamic_reference();
  pages::protobuf_reference();
  pages::json_reference();
  pages::file_reference();
}
