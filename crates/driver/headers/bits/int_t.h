/* Shared between header files. */
#ifndef _UFORIA_BITS_INT_T_H
#define _UFORIA_BITS_INT_T_H
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
#endif
