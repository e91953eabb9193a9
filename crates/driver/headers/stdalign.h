/* <stdalign.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDALIGN_H
#define _UFORIA_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1
#endif
