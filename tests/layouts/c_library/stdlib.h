// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "declarations.h"
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX 4
