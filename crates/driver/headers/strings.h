/* <strings.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STRINGS_H
#define _UFORIA_STRINGS_H
#include <bits/size_t.h>
extern int bcmp(const void *left, const void *right, size_t count);
extern void bcopy(const void *from, void *to, size_t count);
extern void bzero(void *to, size_t count);
extern int ffs(int value);
extern int ffsl(long int value);
extern int ffsll(long long int value);
extern char *index(const char *in, int byte);
extern char *rindex(const char *in, int byte);
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t count);
#endif
