// SPDX-License-Identifier: Apache-2.0
// Reading documents as a type needs the header for files of documents; the error names it.
// expect: ingot: include <ingot/file/document_file.hpp> to load a type that loads_documents
// errors: 1
#ifdef MUST_COMPILE
#include <ingot/file/document_file.hpp>
#endif
#include <ingot/file/load.hpp>
#include <ingot/file/loads_documents.hpp>

#include <string>

struct person {
  std::string name;
};
template <>
inline constexpr bool ingot::loads_documents<person> = true;

bool read() { return ingot::load<person>("person.ingot").has_value(); }
