/* <sys/cdefs.h> of Uforia: the macros that other headers of the C library use. */
#ifndef _UFORIA_SYS_CDEFS_H
#define _UFORIA_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __P(arguments) arguments
#endif
