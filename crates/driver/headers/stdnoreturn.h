/* <stdnoreturn.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDNORETURN_H
#define _UFORIA_STDNORETURN_H
#define noreturn _Noreturn
#endif
