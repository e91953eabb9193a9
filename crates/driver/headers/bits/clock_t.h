/* Shared between header files. */
#ifndef _UFORIA_BITS_CLOCK_T_H
#define _UFORIA_BITS_CLOCK_T_H
typedef long int clock_t;
#endif
