// SPDX-License-Identifier: Apache-2.0
// Functions that part.cpp defines once for each mode. Blocks are passed between files of all modes.
#pragma once

#include <ingot/live/live.hpp>
#include <ingot/live/queue.hpp>
#include <ingot/live/string.hpp>
#include <ingot/live/vector.hpp>

namespace modes {

struct record {
  ingot::vector<int> list;
  ingot::queue<int> one, other;
  ingot::string text;
};

} // namespace modes

// Each reads after the end of the list, inside the list's capacity.
int index_none(ingot::live<modes::record>& block);
int index_fast(ingot::live<modes::record>& block);
int index_extensive(ingot::live<modes::record>& block);
int index_debug(ingot::live<modes::record>& block);
// Each compares iterators of two queues.
int compare_none(ingot::live<modes::record>& block);
int compare_fast(ingot::live<modes::record>& block);
int compare_extensive(ingot::live<modes::record>& block);
int compare_debug(ingot::live<modes::record>& block);
// Each uses an iterator that a change has invalidated, in mode debug only.
int grow_none(ingot::live<modes::record>& block);
int grow_fast(ingot::live<modes::record>& block);
int grow_extensive(ingot::live<modes::record>& block);
int grow_debug(ingot::live<modes::record>& block);
int shrink_none(ingot::live<modes::record>& block);
int shrink_fast(ingot::live<modes::record>& block);
int shrink_extensive(ingot::live<modes::record>& block);
int shrink_debug(ingot::live<modes::record>& block);
