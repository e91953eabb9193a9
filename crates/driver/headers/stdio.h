/* <stdio.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_STDIO_H
#define _UFORIA_STDIO_H
#include <bits/size_t.h>
#include <bits/ssize_t.h>
#include <bits/off_t.h>
#include <bits/null.h>
#include <bits/va_list.h>
#include <bits/file.h>
typedef struct { long int __position; int __state[2]; } fpos_t;
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int dprintf(int descriptor, const char *format, ...);
extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, size_t count, const char *format, ...);
extern int asprintf(char **to, const char *format, ...);
extern int vprintf(const char *format, va_list arguments);
extern int vfprintf(FILE *stream, const char *format, va_list arguments);
extern int vdprintf(int descriptor, const char *format, va_list arguments);
extern int vsprintf(char *to, const char *format, va_list arguments);
extern int vsnprintf(char *to, size_t count, const char *format, va_list arguments);
extern int vasprintf(char **to, const char *format, va_list arguments);
extern int scanf(const char *format, ...);
extern int fscanf(FILE *stream, const char *format, ...);
extern int sscanf(const char *text, const char *format, ...);
extern int vscanf(const char *format, va_list arguments);
extern int vfscanf(FILE *stream, const char *format, va_list arguments);
extern int vsscanf(const char *text, const char *format, va_list arguments);
extern FILE *fopen(const char *name, const char *mode);
extern FILE *fdopen(int descriptor, const char *mode);
extern FILE *freopen(const char *name, const char *mode, FILE *stream);
extern FILE *fmemopen(void *memory, size_t size, const char *mode);
extern FILE *open_memstream(char **memory, size_t *size);
extern FILE *popen(const char *command, const char *mode);
extern int pclose(FILE *stream);
extern FILE *tmpfile(void);
extern char *tmpnam(char *name);
extern int fclose(FILE *stream);
extern int fflush(FILE *stream);
extern int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
extern void setbuf(FILE *stream, char *buffer);
extern void setlinebuf(FILE *stream);
extern size_t fread(void *to, size_t size, size_t count, FILE *stream);
extern size_t fwrite(const void *from, size_t size, size_t count, FILE *stream);
extern int fgetc(FILE *stream);
extern char *fgets(char *to, int count, FILE *stream);
extern int getc(FILE *stream);
extern int getchar(void);
extern char *gets(char *to);
extern ssize_t getline(char **line, size_t *size, FILE *stream);
extern ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream);
extern int ungetc(int byte, FILE *stream);
extern int fputc(int byte, FILE *stream);
extern int fputs(const char *text, FILE *stream);
extern int putc(int byte, FILE *stream);
extern int putchar(int byte);
extern int puts(const char *text);
extern int fseek(FILE *stream, long int offset, int whence);
extern int fseeko(FILE *stream, off_t offset, int whence);
extern long int ftell(FILE *stream);
extern off_t ftello(FILE *stream);
extern void rewind(FILE *stream);
extern int fgetpos(FILE *stream, fpos_t *position);
extern int fsetpos(FILE *stream, const fpos_t *position);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern void clearerr(FILE *stream);
extern int fileno(FILE *stream);
extern void perror(const char *text);
extern int remove(const char *name);
extern int rename(const char *from, const char *to);
#endif
