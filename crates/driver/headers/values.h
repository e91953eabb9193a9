/* <values.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_VALUES_H
#define _UFORIA_VALUES_H
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#endif
