/* <getopt.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_GETOPT_H
#define _UFORIA_GETOPT_H
#include <unistd.h>
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option { const char *name; int has_arg; int *flag; int val; };
extern int getopt_long(int count, char *const arguments[], const char *options, const struct option *longs, int *index);
#endif
