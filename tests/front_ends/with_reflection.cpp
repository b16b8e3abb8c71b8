// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#if !defined(__cpp_impl_reflection)
#error "compiled without -freflection"
#endif

Answers answers_with_reflection() { return answers("ingot_front_end_with.ingot"); }
