// SPDX-License-Identifier: Apache-2.0
// Documents: everything that does not depend on a program's types.
#include <ingot/document/compiled/document.hpp>
#include <ingot/document/compiled/validate.hpp>
