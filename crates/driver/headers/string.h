/* <string.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STRING_H
#define _UFORIA_STRING_H
#include <bits/size_t.h>
#include <bits/null.h>
extern void *memcpy(void *to, const void *from, size_t count);
extern void *mempcpy(void *to, const void *from, size_t count);
extern void *memmove(void *to, const void *from, size_t count);
extern void *memset(void *to, int byte, size_t count);
extern int memcmp(const void *left, const void *right, size_t count);
extern void *memchr(const void *in, int byte, size_t count);
extern void *memrchr(const void *in, int byte, size_t count);
extern void *memmem(const void *in, size_t in_count, const void *what, size_t count);
extern void *memccpy(void *to, const void *from, int byte, size_t count);
extern char *strcpy(char *to, const char *from);
extern char *strncpy(char *to, const char *from, size_t count);
extern char *stpcpy(char *to, const char *from);
extern char *stpncpy(char *to, const char *from, size_t count);
extern size_t strlcpy(char *to, const char *from, size_t count);
extern size_t strlcat(char *to, const char *from, size_t count);
extern char *strcat(char *to, const char *from);
extern char *strncat(char *to, const char *from, size_t count);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t count);
extern int strcoll(const char *left, const char *right);
extern size_t strxfrm(char *to, const char *from, size_t count);
extern char *strchr(const char *in, int byte);
extern char *strrchr(const char *in, int byte);
extern char *strchrnul(const char *in, int byte);
extern size_t strspn(const char *text, const char *accept);
extern size_t strcspn(const char *text, const char *reject);
extern char *strpbrk(const char *text, const char *accept);
extern char *strstr(const char *in, const char *what);
extern char *strcasestr(const char *in, const char *what);
extern char *strtok(char *text, const char *separators);
extern char *strtok_r(char *text, const char *separators, char **state);
extern char *strsep(char **text, const char *separators);
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t count);
extern size_t strlen(const char *text);
extern size_t strnlen(const char *text, size_t count);
extern char *strerror(int number);
extern int strerror_r(int number, char *to, size_t count);
extern char *strsignal(int number);
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t count);
#endif
