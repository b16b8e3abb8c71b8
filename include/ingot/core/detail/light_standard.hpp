// SPDX-License-Identifier: Apache-2.0
// The little that most headers need of <algorithm>, <functional>, <iterator>, <memory> and <ranges>: std::min, std::copy,
// std::fill and std::equal; std::less and std::hash; iterator categories, concepts and std::reverse_iterator;
// std::addressof and std::construct_at; concepts and access of ranges. Whole, these headers cost as much as
// <map>, <string> and <vector> together. libstdc++ defines those parts in what <string> and <span> include anyway.
// Other libraries get the whole headers. What is not in the list, such as std::sort, needs its own header.
#pragma once

#include <span>
#include <string>

#if !defined(__GLIBCXX__)
#endif
