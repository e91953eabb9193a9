/* <alloca.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_ALLOCA_H
#define _UFORIA_ALLOCA_H
#include <bits/size_t.h>
extern void *alloca(size_t size);
#undef alloca
#define alloca(size) __builtin_alloca(size)
#endif
