/* <setjmp.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SETJMP_H
#define _UFORIA_SETJMP_H
#if __SIZEOF_POINTER__ == 8
typedef struct { long int __registers[8]; int __saved; unsigned long int __mask[16]; } jmp_buf[1];
#else
typedef struct { int __registers[6]; int __saved; unsigned long int __mask[32]; } jmp_buf[1];
#endif
typedef jmp_buf sigjmp_buf;
extern int setjmp(jmp_buf environment);
extern int _setjmp(jmp_buf environment);
extern int sigsetjmp(sigjmp_buf environment, int mask);
extern void longjmp(jmp_buf environment, int value) __attribute__((noreturn));
extern void siglongjmp(sigjmp_buf environment, int value) __attribute__((noreturn));
#endif
