/* Shared between header files. */
#ifndef _UFORIA_BITS_SSIZE_T_H
#define _UFORIA_BITS_SSIZE_T_H
#if __SIZEOF_SIZE_T__ == 8
typedef long int ssize_t;
#else
typedef int ssize_t;
#endif
#endif
