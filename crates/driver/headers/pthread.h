/* <pthread.h> of Uforia: declarations only, correct for ILP32 and LP64. */
#ifndef _UFORIA_PTHREAD_H
#define _UFORIA_PTHREAD_H
#include <bits/size_t.h>
#include <bits/null.h>
#include <sched.h>
#include <time.h>
typedef unsigned long int pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
#if __SIZEOF_POINTER__ == 8
typedef union { char __size[56]; long int __align; } pthread_attr_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
typedef union { char __size[56]; long int __align; } pthread_rwlock_t;
#else
typedef union { char __size[36]; long int __align; } pthread_attr_t;
typedef union { char __size[24]; long int __align; } pthread_mutex_t;
typedef union { char __size[32]; long int __align; } pthread_rwlock_t;
#endif
typedef union { char __size[48]; long long int __align; } pthread_cond_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[4]; int __align; } pthread_condattr_t;
typedef union { char __size[8]; long int __align; } pthread_rwlockattr_t;
typedef volatile int pthread_spinlock_t;
#define PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define PTHREAD_COND_INITIALIZER { { 0 } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0 } }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
extern int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_detach(pthread_t thread);
extern int pthread_cancel(pthread_t thread);
extern void pthread_exit(void *result) __attribute__((noreturn));
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t left, pthread_t right);
extern int pthread_once(pthread_once_t *once, void (*function)(void));
extern int pthread_attr_init(pthread_attr_t *attributes);
extern int pthread_attr_destroy(pthread_attr_t *attributes);
extern int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
extern int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
extern int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
extern int pthread_mutex_destroy(pthread_mutex_t *mutex);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
extern int pthread_cond_destroy(pthread_cond_t *condition);
extern int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
extern int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
extern int pthread_cond_signal(pthread_cond_t *condition);
extern int pthread_cond_broadcast(pthread_cond_t *condition);
extern int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes);
extern int pthread_rwlock_destroy(pthread_rwlock_t *lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
extern int pthread_rwlock_unlock(pthread_rwlock_t *lock);
extern int pthread_spin_init(pthread_spinlock_t *lock, int shared);
extern int pthread_spin_lock(pthread_spinlock_t *lock);
extern int pthread_spin_unlock(pthread_spinlock_t *lock);
extern int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
extern int pthread_key_delete(pthread_key_t key);
extern void *pthread_getspecific(pthread_key_t key);
extern int pthread_setspecific(pthread_key_t key, const void *value);
#endif
