/* Shared between header files. */
#ifndef _UFORIA_BITS_OFF_T_H
#define _UFORIA_BITS_OFF_T_H
typedef long int off_t;
typedef long long int off64_t;
#endif
