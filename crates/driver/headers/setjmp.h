/* <setjmp.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SETJMP_H
#define _UFORIA_SETJMP_H
typedef long int jmp_buf[32];
typedef long int sigjmp_buf[48];
extern int setjmp(jmp_buf environment);
extern int _setjmp(jmp_buf environment);
extern int sigsetjmp(sigjmp_buf environment, int mask);
extern void longjmp(jmp_buf environment, int value) __attribute__((noreturn));
extern void siglongjmp(sigjmp_buf environment, int value) __attribute__((noreturn));
#endif
