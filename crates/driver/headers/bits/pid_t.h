/* Shared between header files. */
#ifndef _UFORIA_BITS_PID_T_H
#define _UFORIA_BITS_PID_T_H
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
#endif
