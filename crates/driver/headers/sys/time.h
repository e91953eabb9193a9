/* <sys/time.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SYS_TIME_H
#define _UFORIA_SYS_TIME_H
#include <sys/types.h>
#include <bits/timeval.h>
struct timezone { int tz_minuteswest; int tz_dsttime; };
extern int gettimeofday(struct timeval *when, void *zone);
#endif
