/* Shared between header files. */
#ifndef _UFORIA_BITS_LOCALE_T_H
#define _UFORIA_BITS_LOCALE_T_H
typedef struct __uforia_locale *locale_t;
#endif
