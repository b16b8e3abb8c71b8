// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#if defined(__cpp_impl_reflection)
#error "compiled with -freflection"
#endif

Answers answers_without() { return answers("ingot_front_end_without.ingot"); }
