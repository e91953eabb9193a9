/* <assert.h> of Uforia. It may be included again after NDEBUG has changed. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#ifndef _UFORIA_ASSERT_H
#define _UFORIA_ASSERT_H
extern void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((noreturn));
extern void __assert(const char *assertion, const char *file, int line) __attribute__((noreturn));
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
#endif
