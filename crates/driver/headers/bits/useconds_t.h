/* Shared between header files. */
#ifndef _UFORIA_BITS_USECONDS_T_H
#define _UFORIA_BITS_USECONDS_T_H
typedef unsigned int useconds_t;
#endif
