/* <err.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_ERR_H
#define _UFORIA_ERR_H
extern void err(int status, const char *format, ...) __attribute__((noreturn));
extern void errx(int status, const char *format, ...) __attribute__((noreturn));
extern void warn(const char *format, ...);
extern void warnx(const char *format, ...);
#endif
