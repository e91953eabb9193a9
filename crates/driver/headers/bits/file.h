/* Shared between header files. */
#ifndef _UFORIA_BITS_FILE_H
#define _UFORIA_BITS_FILE_H
typedef struct __uforia_file FILE;
#endif
