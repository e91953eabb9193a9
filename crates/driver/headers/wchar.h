/* <wchar.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_WCHAR_H
#define _UFORIA_WCHAR_H
#include <bits/size_t.h>
#include <bits/wchar_t.h>
#include <bits/wint_t.h>
#include <bits/null.h>
#include <bits/va_list.h>
#include <bits/file.h>
typedef struct { int __count; unsigned int __value; } mbstate_t;
#define WEOF ((wint_t)-1)
#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
#endif
extern size_t wcslen(const wchar_t *text);
extern wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
extern wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wcscat(wchar_t *to, const wchar_t *from);
extern int wcscmp(const wchar_t *left, const wchar_t *right);
extern int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count);
extern wchar_t *wcschr(const wchar_t *in, wchar_t character);
extern wchar_t *wcsrchr(const wchar_t *in, wchar_t character);
extern wchar_t *wcsstr(const wchar_t *in, const wchar_t *what);
extern wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count);
extern int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
extern long int wcstol(const wchar_t *text, wchar_t **end, int base);
extern int wprintf(const wchar_t *format, ...);
extern int fwprintf(FILE *stream, const wchar_t *format, ...);
extern int swprintf(wchar_t *to, size_t count, const wchar_t *format, ...);
extern wint_t fgetwc(FILE *stream);
extern wint_t getwchar(void);
extern wint_t putwchar(wchar_t character);
extern wint_t btowc(int byte);
extern int wctob(wint_t character);
extern size_t mbrtowc(wchar_t *to, const char *from, size_t count, mbstate_t *state);
extern size_t wcrtomb(char *to, wchar_t character, mbstate_t *state);
#endif
