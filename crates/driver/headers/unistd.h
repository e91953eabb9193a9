/* <unistd.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_UNISTD_H
#define _UFORIA_UNISTD_H
#include <bits/size_t.h>
#include <bits/ssize_t.h>
#include <bits/off_t.h>
#include <bits/pid_t.h>
#include <bits/null.h>
#include <stdint.h>
#include <bits/useconds_t.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int count, char *const arguments[], const char *options);
extern ssize_t read(int descriptor, void *to, size_t count);
extern ssize_t write(int descriptor, const void *from, size_t count);
extern off_t lseek(int descriptor, off_t offset, int whence);
extern int close(int descriptor);
extern int dup(int descriptor);
extern int dup2(int from, int to);
extern int pipe(int descriptors[2]);
extern int access(const char *name, int mode);
extern int unlink(const char *name);
extern int rmdir(const char *name);
extern int chdir(const char *name);
extern char *getcwd(char *to, size_t count);
extern int isatty(int descriptor);
extern int ftruncate(int descriptor, off_t length);
extern int fsync(int descriptor);
extern pid_t fork(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern int execv(const char *name, char *const arguments[]);
extern int execvp(const char *name, char *const arguments[]);
extern int execve(const char *name, char *const arguments[], char *const environment[]);
extern void _exit(int status) __attribute__((noreturn));
extern unsigned int sleep(unsigned int seconds);
extern int usleep(useconds_t microseconds);
extern unsigned int alarm(unsigned int seconds);
extern int pause(void);
extern long int sysconf(int name);
extern int gethostname(char *name, size_t count);
extern void *sbrk(intptr_t increment);
#endif
