/* <time.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_TIME_H
#define _UFORIA_TIME_H
#include <bits/size_t.h>
#include <bits/null.h>
#include <bits/time_t.h>
#include <bits/clock_t.h>
#include <bits/timespec.h>
typedef int clockid_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define TIME_UTC 1
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long int tm_gmtoff;
    const char *tm_zone;
};
extern clock_t clock(void);
extern time_t time(time_t *where);
extern double difftime(time_t later, time_t earlier);
extern time_t mktime(struct tm *when);
extern struct tm *gmtime(const time_t *when);
extern struct tm *localtime(const time_t *when);
extern struct tm *gmtime_r(const time_t *when, struct tm *result);
extern struct tm *localtime_r(const time_t *when, struct tm *result);
extern char *asctime(const struct tm *when);
extern char *ctime(const time_t *when);
extern size_t strftime(char *to, size_t count, const char *format, const struct tm *when);
extern int nanosleep(const struct timespec *wanted, struct timespec *left);
extern int clock_gettime(clockid_t clock, struct timespec *when);
extern int clock_getres(clockid_t clock, struct timespec *resolution);
extern int timespec_get(struct timespec *when, int base);
#endif
