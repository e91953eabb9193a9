/* <sys/types.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SYS_TYPES_H
#define _UFORIA_SYS_TYPES_H
#include <bits/size_t.h>
#include <bits/ssize_t.h>
#include <bits/off_t.h>
#include <bits/pid_t.h>
#include <bits/time_t.h>
#include <bits/clock_t.h>
typedef unsigned char u_char;
typedef unsigned short int u_short;
typedef unsigned int u_int;
typedef unsigned long int u_long;
#include <bits/int_t.h>
typedef __UINT8_TYPE__ u_int8_t;
typedef __UINT16_TYPE__ u_int16_t;
typedef __UINT32_TYPE__ u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef unsigned int mode_t;
typedef unsigned long long int dev_t;
typedef unsigned long int ino_t;
typedef unsigned long int nlink_t;
typedef long int blksize_t;
typedef long int blkcnt_t;
typedef int key_t;
typedef int id_t;
#include <bits/useconds_t.h>
typedef long int suseconds_t;
typedef char *caddr_t;
#endif
