// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of the C library's declarations that libc++'s headers name, for a system whose headers
// are not there. Nothing is defined: files are read by the compiler, and never linked.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
typedef long long time_t;
typedef long clock_t;
typedef unsigned short wint_t;
typedef unsigned short wctype_t;
#else
typedef long time_t;
typedef unsigned long clock_t;
typedef int wint_t;
typedef unsigned int wctype_t;
#endif
typedef int wctrans_t;
#if defined(__cplusplus)
extern "C" {
#endif

/* <string.h>; C++ has overloads of some functions, which libc++ adds */
void* memcpy(void*, const void*, size_t);
void* memmove(void*, const void*, size_t);
void* memchr(const void*, int, size_t);
void* memset(void*, int, size_t);
int memcmp(const void*, const void*, size_t);
char* strcpy(char*, const char*);
char* strncpy(char*, const char*, size_t);
char* strcat(char*, const char*);
char* strncat(char*, const char*, size_t);
int strcmp(const char*, const char*);
int strncmp(const char*, const char*, size_t);
int strcoll(const char*, const char*);
size_t strxfrm(char*, const char*, size_t);
char* strchr(const char*, int);
size_t strcspn(const char*, const char*);
char* strpbrk(const char*, const char*);
char* strrchr(const char*, int);
size_t strspn(const char*, const char*);
char* strstr(const char*, const char*);
char* strtok(char*, const char*);
char* strerror(int);
size_t strlen(const char*);

/* <stdlib.h> */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
double atof(const char*);
int atoi(const char*);
long atol(const char*);
long long atoll(const char*);
double strtod(const char*, char**);
float strtof(const char*, char**);
long double strtold(const char*, char**);
long strtol(const char*, char**, int);
long long strtoll(const char*, char**, int);
unsigned long strtoul(const char*, char**, int);
unsigned long long strtoull(const char*, char**, int);
int rand(void);
void srand(unsigned);
void* calloc(size_t, size_t);
void free(void*);
void* malloc(size_t);
void* realloc(void*, size_t);
void* aligned_alloc(size_t, size_t);
void* _aligned_malloc(size_t, size_t);
void _aligned_free(void*);
int posix_memalign(void**, size_t, size_t);
void abort(void) __attribute__((noreturn));
int atexit(void (*)(void));
int at_quick_exit(void (*)(void));
void exit(int) __attribute__((noreturn));
void _Exit(int) __attribute__((noreturn));
void quick_exit(int) __attribute__((noreturn));
char* getenv(const char*);
int system(const char*);
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
int mblen(const char*, size_t);
int mbtowc(wchar_t*, const char*, size_t);
int wctomb(char*, wchar_t);
size_t mbstowcs(wchar_t*, const char*, size_t);
size_t wcstombs(char*, const wchar_t*, size_t);
int rand_s(unsigned*);

/* <stdio.h> */
typedef struct file_of_c FILE;
typedef long long fpos_t;
extern FILE* stdin_of_c;
extern FILE* stdout_of_c;
extern FILE* stderr_of_c;
#define stdin stdin_of_c
#define stdout stdout_of_c
#define stderr stderr_of_c
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 512
#define _IOFBF 0
int fclose(FILE*);
int fflush(FILE*);
void setbuf(FILE*, char*);
int setvbuf(FILE*, char*, int, size_t);
int fprintf(FILE*, const char*, ...);
int fscanf(FILE*, const char*, ...);
int printf(const char*, ...);
int scanf(const char*, ...);
int snprintf(char*, size_t, const char*, ...);
int sprintf(char*, const char*, ...);
int sscanf(const char*, const char*, ...);
int vfprintf(FILE*, const char*, va_list);
int vfscanf(FILE*, const char*, va_list);
int vprintf(const char*, va_list);
int vscanf(const char*, va_list);
int vsnprintf(char*, size_t, const char*, va_list);
int vsprintf(char*, const char*, va_list);
int vsscanf(const char*, const char*, va_list);
int asprintf(char**, const char*, ...);
int vasprintf(char**, const char*, va_list);
int fgetc(FILE*);
char* fgets(char*, int, FILE*);
int fputc(int, FILE*);
int fputs(const char*, FILE*);
int getc(FILE*);
int getchar(void);
int putc(int, FILE*);
int putchar(int);
int puts(const char*);
int ungetc(int, FILE*);
size_t fread(void*, size_t, size_t, FILE*);
size_t fwrite(const void*, size_t, size_t, FILE*);
int fgetpos(FILE*, fpos_t*);
int fseek(FILE*, long, int);
int fsetpos(FILE*, const fpos_t*);
long ftell(FILE*);
void rewind(FILE*);
void clearerr(FILE*);
int feof(FILE*);
int ferror(FILE*);
void perror(const char*);
FILE* fopen(const char*, const char*);
FILE* freopen(const char*, const char*, FILE*);
int remove(const char*);
int rename(const char*, const char*);
FILE* tmpfile(void);
char* tmpnam(char*);

/* <time.h> */
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define TIME_UTC 1
#define CLOCKS_PER_SEC 1000000
clock_t clock(void);
double difftime(time_t, time_t);
time_t mktime(struct tm*);
time_t time(time_t*);
char* asctime(const struct tm*);
char* ctime(const time_t*);
struct tm* gmtime(const time_t*);
struct tm* localtime(const time_t*);
size_t strftime(char*, size_t, const char*, const struct tm*);
int timespec_get(struct timespec*, int);

/* <wchar.h>, <wctype.h> */
typedef struct { int state; } mbstate_t;
#if !defined(WEOF)
#define WEOF ((wint_t)-1)
#endif
int fwprintf(FILE*, const wchar_t*, ...);
int fwscanf(FILE*, const wchar_t*, ...);
int wprintf(const wchar_t*, ...);
int wscanf(const wchar_t*, ...);
int swprintf(wchar_t*, size_t, const wchar_t*, ...);
int swscanf(const wchar_t*, const wchar_t*, ...);
int vfwprintf(FILE*, const wchar_t*, va_list);
int vfwscanf(FILE*, const wchar_t*, va_list);
int vwprintf(const wchar_t*, va_list);
int vwscanf(const wchar_t*, va_list);
int vswprintf(wchar_t*, size_t, const wchar_t*, va_list);
int vswscanf(const wchar_t*, const wchar_t*, va_list);
wint_t fgetwc(FILE*);
wchar_t* fgetws(wchar_t*, int, FILE*);
wint_t fputwc(wchar_t, FILE*);
int fputws(const wchar_t*, FILE*);
int fwide(FILE*, int);
wint_t getwc(FILE*);
wint_t getwchar(void);
wint_t putwc(wchar_t, FILE*);
wint_t putwchar(wchar_t);
wint_t ungetwc(wint_t, FILE*);
double wcstod(const wchar_t*, wchar_t**);
float wcstof(const wchar_t*, wchar_t**);
long double wcstold(const wchar_t*, wchar_t**);
long wcstol(const wchar_t*, wchar_t**, int);
long long wcstoll(const wchar_t*, wchar_t**, int);
unsigned long wcstoul(const wchar_t*, wchar_t**, int);
unsigned long long wcstoull(const wchar_t*, wchar_t**, int);
wchar_t* wcscpy(wchar_t*, const wchar_t*);
wchar_t* wcsncpy(wchar_t*, const wchar_t*, size_t);
wchar_t* wcscat(wchar_t*, const wchar_t*);
wchar_t* wcsncat(wchar_t*, const wchar_t*, size_t);
int wcscmp(const wchar_t*, const wchar_t*);
int wcscoll(const wchar_t*, const wchar_t*);
int wcsncmp(const wchar_t*, const wchar_t*, size_t);
size_t wcsxfrm(wchar_t*, const wchar_t*, size_t);
wchar_t* wcschr(const wchar_t*, wchar_t);
wchar_t* wcspbrk(const wchar_t*, const wchar_t*);
wchar_t* wcsrchr(const wchar_t*, wchar_t);
wchar_t* wcsstr(const wchar_t*, const wchar_t*);
wchar_t* wmemchr(const wchar_t*, wchar_t, size_t);
size_t wcscspn(const wchar_t*, const wchar_t*);
size_t wcslen(const wchar_t*);
size_t wcsspn(const wchar_t*, const wchar_t*);
wchar_t* wcstok(wchar_t*, const wchar_t*, wchar_t**);
int wmemcmp(const wchar_t*, const wchar_t*, size_t);
wchar_t* wmemcpy(wchar_t*, const wchar_t*, size_t);
wchar_t* wmemmove(wchar_t*, const wchar_t*, size_t);
wchar_t* wmemset(wchar_t*, wchar_t, size_t);
size_t wcsftime(wchar_t*, size_t, const wchar_t*, const struct tm*);
wint_t btowc(int);
int wctob(wint_t);
int mbsinit(const mbstate_t*);
size_t mbrlen(const char*, size_t, mbstate_t*);
size_t mbrtowc(wchar_t*, const char*, size_t, mbstate_t*);
size_t wcrtomb(char*, wchar_t, mbstate_t*);
size_t mbsrtowcs(wchar_t*, const char**, size_t, mbstate_t*);
size_t wcsrtombs(char*, const wchar_t**, size_t, mbstate_t*);
#define CLASS(name) int is##name(int); int isw##name(wint_t);
CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph)
CLASS(lower) CLASS(print) CLASS(punct) CLASS(space) CLASS(upper) CLASS(xdigit)
#undef CLASS
int tolower(int);
int toupper(int);
wint_t towlower(wint_t);
wint_t towupper(wint_t);
int iswctype(wint_t, wctype_t);
wctype_t wctype(const char*);
wint_t towctrans(wint_t, wctrans_t);
wctrans_t wctrans(const char*);

/* <math.h> */
typedef float float_t;
typedef double double_t;
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_NORMAL 3
#define FP_SUBNORMAL 4
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define ONE(name) double name(double); float name##f(float); long double name##l(long double);
#define TWO(name) double name(double, double); float name##f(float, float); long double name##l(long double, long double);
#define TO(R, name) R name(double); R name##f(float); R name##l(long double);
ONE(acos) ONE(asin) ONE(atan) ONE(ceil) ONE(cos) ONE(cosh) ONE(exp) ONE(fabs) ONE(floor) ONE(log) ONE(log10)
ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(acosh) ONE(asinh) ONE(atanh) ONE(cbrt) ONE(erf) ONE(erfc)
ONE(exp2) ONE(expm1) ONE(lgamma) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint) ONE(rint) ONE(round)
ONE(tgamma) ONE(trunc)
TWO(atan2) TWO(fmod) TWO(pow) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(hypot) TWO(nextafter)
TWO(remainder)
TO(int, ilogb) TO(long long, llrint) TO(long long, llround) TO(long, lrint) TO(long, lround)
#define LAST(R, name, T) R name(R, T);
#define LASTS(name, T) LAST(double, name, T) LAST(float, name##f, T) LAST(long double, name##l, T)
LASTS(frexp, int*) LASTS(ldexp, int) LASTS(nexttoward, long double) LASTS(scalbln, long) LASTS(scalbn, int)
double modf(double, double*);
float modff(float, float*);
long double modfl(long double, long double*);
double nan(const char*);
float nanf(const char*);
long double nanl(const char*);
double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double remquo(double, double, int*);
float remquof(float, float, int*);
long double remquol(long double, long double, int*);
#undef ONE
#undef TWO
#undef TO
#undef LAST
#undef LASTS

/* <errno.h> */
int* errno_of_c(void);
#define errno (*errno_of_c())

#if defined(__cplusplus)
}
#endif
