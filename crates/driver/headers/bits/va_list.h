/* Shared between header files. */
#ifndef _UFORIA_BITS_VA_LIST_H
#define _UFORIA_BITS_VA_LIST_H
typedef __builtin_va_list va_list;
#endif
