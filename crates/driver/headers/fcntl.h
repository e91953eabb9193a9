/* <fcntl.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_FCNTL_H
#define _UFORIA_FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define F_GETFL 3
#define F_SETFL 4
extern int open(const char *name, int flags, ...);
extern int creat(const char *name, mode_t mode);
extern int fcntl(int descriptor, int command, ...);
#endif
