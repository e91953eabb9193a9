/* <fenv.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_FENV_H
#define _UFORIA_FENV_H
typedef unsigned short int fexcept_t;
#if __SIZEOF_POINTER__ == 8
typedef struct { unsigned int __state[8]; } fenv_t;
#else
typedef struct { unsigned int __state[7]; } fenv_t;
#endif
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
extern int feclearexcept(int exceptions);
extern int feraiseexcept(int exceptions);
extern int fetestexcept(int exceptions);
extern int fegetround(void);
extern int fesetround(int mode);
extern int fegetenv(fenv_t *environment);
extern int fesetenv(const fenv_t *environment);
extern int feupdateenv(const fenv_t *environment);
extern int feholdexcept(fenv_t *environment);
extern int fegetexceptflag(fexcept_t *flags, int exceptions);
extern int fesetexceptflag(const fexcept_t *flags, int exceptions);
#endif
