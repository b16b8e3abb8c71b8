// SPDX-License-Identifier: Apache-2.0
#pragma once
typedef unsigned long long fenv_t;
typedef unsigned short fexcept_t;
#define FE_TONEAREST 0
#define FE_DOWNWARD 1
#define FE_UPWARD 2
#define FE_TOWARDZERO 3
#define FE_DFL_ENV ((const fenv_t*)-1)
extern "C" {
int fegetround(void);
int fesetround(int);
int feclearexcept(int);
int fegetexceptflag(fexcept_t*, int);
int feraiseexcept(int);
int fesetexceptflag(const fexcept_t*, int);
int fetestexcept(int);
int fegetenv(fenv_t*);
int feholdexcept(fenv_t*);
int fesetenv(const fenv_t*);
int feupdateenv(const fenv_t*);
}
