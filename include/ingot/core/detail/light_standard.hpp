// SPDX-License-Identifier: Apache-2.0
// The parts of <algorithm>, <functional>, <iterator>, <memory> and <ranges> that most headers need:
// std::min, std::copy, std::fill and std::equal; std::less and std::hash; iterator categories,
// concepts and std::reverse_iterator; std::addressof and std::construct_at; concepts and access of
// ranges. The whole headers are not included, because compiling them takes as long as compiling
// <map>, <string> and <vector> together. libstdc++ defines the listed parts in smaller headers that
// <string> and <span> include anyway. With other libraries, this file includes the whole headers.
// Parts that are not in the list, such as std::sort, need their own header.
#pragma once

#include <span>
#include <string>

#if !defined(__GLIBCXX__)
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#endif
