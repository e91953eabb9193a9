/* <complex.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_COMPLEX_H
#define _UFORIA_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#endif
