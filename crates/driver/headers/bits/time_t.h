/* Shared between header files. */
#ifndef _UFORIA_BITS_TIME_T_H
#define _UFORIA_BITS_TIME_T_H
typedef long int time_t;
#endif
