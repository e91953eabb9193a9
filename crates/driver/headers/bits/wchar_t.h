/* Shared between header files. */
#ifndef _UFORIA_BITS_WCHAR_T_H
#define _UFORIA_BITS_WCHAR_T_H
typedef __WCHAR_TYPE__ wchar_t;
#endif
