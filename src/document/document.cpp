// SPDX-License-Identifier: Apache-2.0
// Compiles the functions of documents that don't depend on a program's types.
#include <ingot/document/compiled/build.hpp>
#include <ingot/document/compiled/bulk.hpp>
#include <ingot/document/compiled/change_log.hpp>
#include <ingot/document/compiled/document.hpp>
#include <ingot/document/compiled/equal.hpp>
#include <ingot/document/compiled/events.hpp>
#include <ingot/document/compiled/interchange_numbers.hpp>
#include <ingot/document/compiled/item_view.hpp>
#include <ingot/document/compiled/key_position.hpp>
#include <ingot/document/compiled/meaning.hpp>
#include <ingot/document/compiled/nodes.hpp>
#include <ingot/document/compiled/peek_change.hpp>
#include <ingot/document/compiled/quick_edit.hpp>
#include <ingot/document/compiled/text_lookup.hpp>
#include <ingot/document/compiled/tree.hpp>
#include <ingot/document/compiled/validate.hpp>
