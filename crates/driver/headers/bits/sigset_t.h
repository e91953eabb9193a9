/* Shared between header files. */
#ifndef _UFORIA_BITS_SIGSET_T_H
#define _UFORIA_BITS_SIGSET_T_H
typedef struct { unsigned long int __bits[1024 / (8 * sizeof(unsigned long int))]; } sigset_t;
#endif
