/* <stdlib.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDLIB_H
#define _UFORIA_STDLIB_H
#include <bits/size_t.h>
#include <bits/wchar_t.h>
#include <bits/null.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot; int rem; } div_t;
typedef struct { long int quot; long int rem; } ldiv_t;
typedef struct { long long int quot; long long int rem; } lldiv_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *memory, size_t size);
extern void *reallocarray(void *memory, size_t count, size_t size);
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **memory, size_t alignment, size_t size);
extern void *alloca(size_t size);
extern void free(void *memory);
extern void abort(void) __attribute__((noreturn));
extern void exit(int status) __attribute__((noreturn));
extern void _Exit(int status) __attribute__((noreturn));
extern void quick_exit(int status) __attribute__((noreturn));
extern int atexit(void (*function)(void));
extern int at_quick_exit(void (*function)(void));
extern int on_exit(void (*function)(int, void *), void *argument);
extern int abs(int value);
extern long int labs(long int value);
extern long long int llabs(long long int value);
extern div_t div(int numerator, int denominator);
extern ldiv_t ldiv(long int numerator, long int denominator);
extern lldiv_t lldiv(long long int numerator, long long int denominator);
extern int atoi(const char *text);
extern long int atol(const char *text);
extern long long int atoll(const char *text);
extern double atof(const char *text);
extern long int strtol(const char *text, char **end, int base);
extern unsigned long int strtoul(const char *text, char **end, int base);
extern long long int strtoll(const char *text, char **end, int base);
extern unsigned long long int strtoull(const char *text, char **end, int base);
extern float strtof(const char *text, char **end);
extern double strtod(const char *text, char **end);
extern long double strtold(const char *text, char **end);
extern int rand(void);
extern int rand_r(unsigned int *seed);
extern void srand(unsigned int seed);
extern long int random(void);
extern void srandom(unsigned int seed);
extern double drand48(void);
extern long int lrand48(void);
extern long int mrand48(void);
extern void srand48(long int seed);
extern char *getenv(const char *name);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern int putenv(char *text);
extern int system(const char *command);
extern char *realpath(const char *path, char *resolved);
extern int mkstemp(char *pattern);
extern char *mkdtemp(char *pattern);
extern void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *items, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
extern int mblen(const char *text, size_t count);
extern int mbtowc(wchar_t *to, const char *text, size_t count);
extern int wctomb(char *to, wchar_t from);
extern size_t mbstowcs(wchar_t *to, const char *from, size_t count);
extern size_t wcstombs(char *to, const wchar_t *from, size_t count);
#endif
