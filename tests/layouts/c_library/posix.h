// SPDX-License-Identifier: Apache-2.0
// The part of macOS's POSIX declarations that the headers and sources of ingot name. Nothing is
// defined.
#pragma once
#include "declarations.h"
#include <pthread.h>
#include <signal.h>

typedef long ssize_t;
typedef long long off_t;
typedef unsigned short mode_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef int dev_t;
typedef unsigned long long ino_t;

/* <sys/mman.h> */
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_NORESERVE 64
#define MAP_ANON 0x1000
#define MAP_ANONYMOUS MAP_ANON
#define MAP_FAILED ((void*)-1)
#define MADV_NORMAL 0
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 5
#define MS_ASYNC 1
#define MS_SYNC 16

/* <fcntl.h> */
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NONBLOCK 4
#define O_APPEND 8
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_PREALLOCATE 42
#define F_FULLFSYNC 51
#define AT_FDCWD (-2)
#define AT_SYMLINK_NOFOLLOW 0x20

/* <sys/file.h> */
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8

/* <sys/stat.h> */
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  unsigned short st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  struct timespec st_mtimespec;
  off_t st_size;
  long long st_blocks;
  int st_blksize;
};
#define S_IFMT 0170000
#define S_ISDIR(mode) (((mode) & S_IFMT) == 0040000)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == 0010000)
#define S_ISREG(mode) (((mode) & S_IFMT) == 0100000)
#define S_ISLNK(mode) (((mode) & S_IFMT) == 0120000)
#define S_IRUSR 0400
#define S_IWUSR 0200

/* <unistd.h> */
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 29

/* <sys/time.h>, <sys/resource.h> */
struct timeval {
  long tv_sec;
  int tv_usec;
};
struct itimerval {
  struct timeval it_interval, it_value;
};
#define ITIMER_REAL 0
typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss;
};
#define RLIMIT_FSIZE 1
#define RLIM_INFINITY (((rlim_t)1 << 63) - 1)
#define RUSAGE_SELF 0

/* <sys/ioctl.h>, <sys/wait.h> */
struct winsize {
  unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCGWINSZ 0x40087468ul
#define WIFEXITED(status) (((status) & 0177) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)

extern "C" {
void* mmap(void*, size_t, int, int, int, off_t);
int munmap(void*, size_t);
int madvise(void*, size_t, int);
int mprotect(void*, size_t, int);
int msync(void*, size_t, int);
int open(const char*, int, ...);
int openat(int, const char*, int, ...);
int fcntl(int, int, ...);
int flock(int, int);
int stat(const char*, struct stat*);
int lstat(const char*, struct stat*);
int fstat(int, struct stat*);
int fstatat(int, const char*, struct stat*, int);
int fchmod(int, mode_t);
int fchown(int, uid_t, gid_t);
mode_t umask(mode_t);
int access(const char*, int);
int close(int);
int dup(int);
int fsync(int);
int ftruncate(int, off_t);
int isatty(int);
int linkat(int, const char*, int, const char*, int);
int unlink(const char*);
int unlinkat(int, const char*, int);
int renameat(int, const char*, int, const char*);
off_t lseek(int, off_t, int);
pid_t getpid(void);
uid_t geteuid(void);
ssize_t read(int, void*, size_t);
ssize_t write(int, const void*, size_t);
ssize_t pread(int, void*, size_t, off_t);
ssize_t pwrite(int, const void*, size_t, off_t);
long sysconf(int);
int getentropy(void*, size_t);
#if defined(__linux__)
ssize_t getrandom(void*, size_t, unsigned);
#endif
int setitimer(int, const struct itimerval*, struct itimerval*);
int getrlimit(int, struct rlimit*);
int getrusage(int, struct rusage*);
int ioctl(int, unsigned long, ...);
int setenv(const char*, const char*, int);
int fileno(FILE*);
FILE* popen(const char*, const char*);
int pclose(FILE*);
int strerror_r(int, char*, size_t);
}
