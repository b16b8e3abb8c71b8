// SPDX-License-Identifier: Apache-2.0
// The examples of the reference, one function for each file. An example that is wrong ends the
// program.
#pragma once

namespace pages {

void core_reference();
void reflect_reference();
void schema_reference();
void live_reference();
void pack_reference();
void document_reference();
void interchange_reference();
void dynamic_reference();
void protobuf_reference();
void json_reference();
void file_reference();

} // namespace pages
