/* <sched.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SCHED_H
#define _UFORIA_SCHED_H
extern int sched_yield(void);
struct sched_param { int sched_priority; };
#endif
