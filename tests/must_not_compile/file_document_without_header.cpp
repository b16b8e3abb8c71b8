// SPDX-License-Identifier: Apache-2.0
// Files of documents have a separate header; the error names the header.
// expect: ingot: include <ingot/file/document_file.hpp> for files of documents
// errors: 1
#ifdef MUST_COMPILE
#include <ingot/file/document_file.hpp>
#endif
#include <ingot/document/document.hpp>
#include <ingot/file/load.hpp>

bool read() { return ingot::load<ingot::document>("doc.ingot").has_value(); }
