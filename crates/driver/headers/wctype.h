/* <wctype.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_WCTYPE_H
#define _UFORIA_WCTYPE_H
#include <bits/wint_t.h>
typedef unsigned long int wctype_t;
extern int iswalnum(wint_t character);
extern int iswalpha(wint_t character);
extern int iswblank(wint_t character);
extern int iswcntrl(wint_t character);
extern int iswdigit(wint_t character);
extern int iswgraph(wint_t character);
extern int iswlower(wint_t character);
extern int iswprint(wint_t character);
extern int iswpunct(wint_t character);
extern int iswspace(wint_t character);
extern int iswupper(wint_t character);
extern int iswxdigit(wint_t character);
extern wint_t towlower(wint_t character);
extern wint_t towupper(wint_t character);
#endif
