/* Shared between header files. */
#undef NULL
#define NULL ((void *)0)
