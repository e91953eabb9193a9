/* Shared between header files. */
#ifndef _UFORIA_BITS_WINT_T_H
#define _UFORIA_BITS_WINT_T_H
typedef __WINT_TYPE__ wint_t;
#endif
