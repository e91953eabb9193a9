
/* What every harness has in common. All of it gives way to what the program defines itself. */

#define QUIET __attribute__((no_instrument_function))
#define GIVES_WAY __attribute__((weak, no_instrument_function))

typedef __SIZE_TYPE__ harness_size;

#if defined(__x86_64__)
QUIET static long system_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#define CALL_WRITE 1
#define CALL_EXIT 231
#elif defined(__i386__)
QUIET static long system_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
#define CALL_WRITE 4
#define CALL_EXIT 252
#elif defined(__aarch64__)
QUIET static long system_call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#define CALL_WRITE 64
#define CALL_EXIT 94
#else
#error "this harness knows Linux on x86-64, i386 and AArch64"
#endif

QUIET __attribute__((noreturn)) static void harness_end(const char *text, int code)
{
    harness_size length = 0;
    while (text[length])
        length++;
    system_call(CALL_WRITE, 2, (long)text, (long)length);
    for (;;)
        system_call(CALL_EXIT, code, 0, 0);
}

QUIET __attribute__((noreturn)) static void harness_reached(void)
{
    harness_end("harness: error reached\n", HARNESS_REACHED);
}

#if defined(HARNESS_LOST)
/* Allocated memory that no pointer leads to. */
extern int __lsan_do_recoverable_leak_check(void);
QUIET static int harness_leaks(void) { return __lsan_do_recoverable_leak_check(); }
#elif defined(HARNESS_LEFT)
/* Allocated memory that was not freed. */
static long harness_objects;
QUIET void __sanitizer_malloc_hook(const volatile void *object, harness_size size) { harness_objects++; }
QUIET void __sanitizer_free_hook(const volatile void *object) { harness_objects -= object != 0; }
QUIET static int harness_leaks(void) { return harness_objects != 0; }
__attribute__((constructor)) QUIET static void harness_counts(void) { harness_objects = 0; }
#else
QUIET static int harness_leaks(void) { return 0; }
#endif

QUIET __attribute__((noreturn)) static void harness_missed(const char *text)
{
    if (harness_leaks())
        harness_reached();
    harness_end(text, HARNESS_MISSED);
}

GIVES_WAY void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    harness_reached();
}
/* A program that defines its error call itself mostly aborts there. With -finstrument-functions the call
   has been noticed before that, and an abort is the end of a run that took another way. */
GIVES_WAY void abort(void) { harness_missed("harness: abort was called; the error was not reached\n"); }
GIVES_WAY void exit(int code) { harness_missed("harness: exit was called; the error was not reached\n"); }
GIVES_WAY void _exit(int code) { harness_missed("harness: exit was called; the error was not reached\n"); }
GIVES_WAY void __VERIFIER_assume(int condition)
{
    if (!condition)
        harness_missed("harness: an assumption failed; the error was not reached\n");
}
