/* <malloc.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_MALLOC_H
#define _UFORIA_MALLOC_H
#include <stdlib.h>
extern void *memalign(size_t alignment, size_t size);
extern void *valloc(size_t size);
extern size_t malloc_usable_size(void *memory);
#endif
