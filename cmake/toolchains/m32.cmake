# SPDX-License-Identifier: Apache-2.0
# 32-bit x86, run natively: std::size_t has 32 bits and sums of lengths wrap.
# clang compiles with sanitizers in less than half of g++'s time; g++ compiles for 32 bits in the
# leg powerpc.
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)

# <asm/errno.h> and similar headers are the same for both word sizes, but Debian puts them on the
# 32-bit search path only in gcc-multilib, which conflicts with the cross compilers of the other
# legs.
set(CMAKE_C_FLAGS_INIT "-m32 -idirafter /usr/include/x86_64-linux-gnu")
set(CMAKE_CXX_FLAGS_INIT "-m32 -idirafter /usr/include/x86_64-linux-gnu")
