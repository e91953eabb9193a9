/* <memory.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_MEMORY_H
#define _UFORIA_MEMORY_H
#include <string.h>
#endif
