/* <uchar.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_UCHAR_H
#define _UFORIA_UCHAR_H
#include <bits/size_t.h>
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#endif
