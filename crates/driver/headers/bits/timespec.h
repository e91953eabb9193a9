/* Shared between header files. */
#ifndef _UFORIA_BITS_TIMESPEC_H
#define _UFORIA_BITS_TIMESPEC_H
#include <bits/time_t.h>
struct timespec { time_t tv_sec; long int tv_nsec; };
#endif
