// SPDX-License-Identifier: Apache-2.0
// The part of POSIX threads that libc++ and src/file name.
#pragma once
#include "declarations.h"
#include <signal.h>

typedef struct thread_of_c* pthread_t;
typedef unsigned long pthread_key_t;
typedef struct { long opaque[8]; } pthread_mutex_t;
typedef struct { long opaque[2]; } pthread_mutexattr_t;
typedef struct { long opaque[6]; } pthread_cond_t;
typedef struct { long opaque[2]; } pthread_condattr_t;
typedef struct { long opaque[2]; } pthread_once_t;
typedef struct { long opaque[8]; } pthread_attr_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_ONCE_INIT {{0}}
#define PTHREAD_MUTEX_RECURSIVE 2
extern "C" {
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int pthread_detach(pthread_t);
int pthread_join(pthread_t, void**);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_once(pthread_once_t*, void (*)(void));
int pthread_key_create(pthread_key_t*, void (*)(void*));
void* pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void*);
int pthread_mutex_init(pthread_mutex_t*, const pthread_mutexattr_t*);
int pthread_mutex_lock(pthread_mutex_t*);
int pthread_mutex_trylock(pthread_mutex_t*);
int pthread_mutex_unlock(pthread_mutex_t*);
int pthread_mutex_destroy(pthread_mutex_t*);
int pthread_mutexattr_init(pthread_mutexattr_t*);
int pthread_mutexattr_settype(pthread_mutexattr_t*, int);
int pthread_mutexattr_destroy(pthread_mutexattr_t*);
int pthread_cond_init(pthread_cond_t*, const pthread_condattr_t*);
int pthread_cond_signal(pthread_cond_t*);
int pthread_cond_broadcast(pthread_cond_t*);
int pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*);
int pthread_cond_timedwait(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
int pthread_cond_destroy(pthread_cond_t*);
int pthread_sigmask(int, const sigset_t*, sigset_t*);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
int sched_yield(void);
int nanosleep(const struct timespec*, struct timespec*);
}
