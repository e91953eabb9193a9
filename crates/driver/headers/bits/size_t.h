/* Shared between header files. */
#ifndef _UFORIA_BITS_SIZE_T_H
#define _UFORIA_BITS_SIZE_T_H
typedef __SIZE_TYPE__ size_t;
#endif
