/* <stdarg.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDARG_H
#define _UFORIA_STDARG_H
#include <bits/va_list.h>
typedef __builtin_va_list __gnuc_va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define __va_copy(to, from) __builtin_va_copy(to, from)
#endif
