// SPDX-License-Identifier: Apache-2.0
// The functions of node_ownership.hpp, with their definitions if INGOT_HEADER_ONLY is defined. The
// definitions need copy.hpp, which needs the declarations.
#pragma once

#include <ingot/document/detail/node_ownership.hpp>

#if defined(INGOT_HEADER_ONLY)
#include <ingot/document/compiled/nodes.hpp>
#endif
