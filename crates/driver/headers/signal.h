/* <signal.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_SIGNAL_H
#define _UFORIA_SIGNAL_H
#include <bits/size_t.h>
#include <bits/pid_t.h>
#include <bits/sigset_t.h>
typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_RESTART 0x10000000
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
typedef struct { int si_signo; int si_errno; int si_code; union { int __pad[28]; void *__align; } __rest; } siginfo_t;
struct sigaction {
    union {
        void (*sa_handler)(int);
        void (*sa_sigaction)(int, siginfo_t *, void *);
    };
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
extern void (*signal(int number, void (*handler)(int)))(int);
extern int raise(int number);
extern int kill(pid_t process, int number);
extern int sigaction(int number, const struct sigaction *action, struct sigaction *before);
extern int sigemptyset(sigset_t *set);
extern int sigfillset(sigset_t *set);
extern int sigaddset(sigset_t *set, int number);
extern int sigdelset(sigset_t *set, int number);
extern int sigismember(const sigset_t *set, int number);
extern int sigprocmask(int how, const sigset_t *set, sigset_t *before);
#endif
