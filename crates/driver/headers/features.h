/* <features.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_FEATURES_H
#define _UFORIA_FEATURES_H
#define __THROW
#endif
