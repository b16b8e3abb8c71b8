// SPDX-License-Identifier: Apache-2.0
// Signals as macOS declares them: sigfillset and sigemptyset are macros there.
#pragma once
#include "declarations.h"

typedef unsigned int sigset_t;
typedef int sig_atomic_t;
struct siginfo_of_c;
typedef struct {
  int si_signo, si_errno, si_code, si_pid;
  void* si_addr;
} siginfo_t;
struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t*, void*);
  };
  sigset_t sa_mask;
  int sa_flags;
};
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_SIGINFO 0x40
#define SA_RESTART 2
#define SA_NODEFER 0x10
#define SA_ONSTACK 1
#define SIGHUP 1
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGFPE 8
#define SIGSYS 12
#define SIGINT 2
#define SIGABRT 6
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGXFSZ 25
extern "C" {
int sigaction(int, const struct sigaction*, struct sigaction*);
void (*signal(int, void (*)(int)))(int);
int raise(int);
int kill(int, int);
int sigaddset(sigset_t*, int);
int sigprocmask(int, const sigset_t*, sigset_t*);
int sigwait(const sigset_t*, int*);
int sigpending(sigset_t*);
int sigemptyset(sigset_t*);
int sigfillset(sigset_t*);
int sigdelset(sigset_t*, int);
int sigismember(const sigset_t*, int);
}
#define sigaddset(set, number) (*(set) |= 1u << ((number)-1), 0)
#define sigdelset(set, number) (*(set) &= ~(1u << ((number)-1)), 0)
#define sigismember(set, number) ((*(set) & 1u << ((number)-1)) != 0)
#define sigemptyset(set) (*(set) = 0, 0)
#define sigfillset(set) (*(set) = ~(sigset_t)0, 0)
