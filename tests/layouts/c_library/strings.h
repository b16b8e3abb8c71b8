// SPDX-License-Identifier: Apache-2.0
#pragma once
extern "C" int strcasecmp(const char*, const char*);
extern "C" int strncasecmp(const char*, const char*, unsigned long);
