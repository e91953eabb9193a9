/* <stddef.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDDEF_H
#define _UFORIA_STDDEF_H
#include <bits/size_t.h>
#include <bits/wchar_t.h>
#include <bits/null.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef struct {
    long long __a __attribute__((aligned(__alignof__(long long))));
    long double __b __attribute__((aligned(__alignof__(long double))));
#if __SIZEOF_POINTER__ == 4
    __float128 __c __attribute__((aligned(__alignof__(__float128))));
#endif
} max_align_t;
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
