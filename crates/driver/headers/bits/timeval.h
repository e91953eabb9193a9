/* Shared between header files. */
#ifndef _UFORIA_BITS_TIMEVAL_H
#define _UFORIA_BITS_TIMEVAL_H
#include <bits/time_t.h>
struct timeval { time_t tv_sec; long int tv_usec; };
#endif
