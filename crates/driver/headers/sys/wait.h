/* <sys/wait.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SYS_WAIT_H
#define _UFORIA_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
extern pid_t wait(int *status);
extern pid_t waitpid(pid_t process, int *status, int options);
#endif
