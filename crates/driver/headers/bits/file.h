/* Shared between header files. */
#ifndef _UFORIA_BITS_FILE_H
#define _UFORIA_BITS_FILE_H
/* Opaque: only the size is that of the real one. */
struct __uforia_file { long int __opaque[__SIZEOF_POINTER__ == 8 ? 27 : 37]; };
typedef struct __uforia_file FILE;
#endif
