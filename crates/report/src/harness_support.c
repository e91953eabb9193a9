
/* What every harness has in common: an entry, an exit, and the few functions of the C library that
   programs like this one use. All of it gives way to what the program defines itself. */

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
__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n and $-16, %rsp\n call harness_entry\n");
#elif defined(__i386__)
QUIET static long system_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
#define CALL_WRITE 4
#define CALL_EXIT 252
__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n and $-16, %esp\n call harness_entry\n");
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
__asm__(".globl _start\n_start:\n mov x29, xzr\n bl harness_entry\n");
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

QUIET __attribute__((noreturn)) static void harness_missed(const char *text)
{
    harness_end(text, HARNESS_MISSED);
}

extern int main(int, char **);

QUIET void harness_entry(void)
{
    static char name[] = "program";
    static char *arguments[] = {name, 0};
    main(1, arguments);
    harness_missed("harness: main returned; the error was not reached\n");
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

GIVES_WAY void *memset(void *to, int byte, harness_size size)
{
    volatile unsigned char *at = to;
    while (size--)
        *at++ = (unsigned char)byte;
    return to;
}
GIVES_WAY void *memcpy(void *to, const void *from, harness_size size)
{
    volatile unsigned char *at = to;
    const unsigned char *source = from;
    while (size--)
        *at++ = *source++;
    return to;
}
GIVES_WAY void *memmove(void *to, const void *from, harness_size size)
{
    volatile unsigned char *at = to;
    const volatile unsigned char *source = from;
    if (at < source)
        return memcpy(to, from, size);
    while (size--)
        at[size] = source[size];
    return to;
}
GIVES_WAY int memcmp(const void *left, const void *right, harness_size size)
{
    const unsigned char *a = left, *b = right;
    for (; size; size--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}
GIVES_WAY harness_size strlen(const char *text)
{
    const volatile char *at = text;
    while (*at)
        at++;
    return (harness_size)(at - (const volatile char *)text);
}
GIVES_WAY int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}
GIVES_WAY char *strcpy(char *to, const char *from)
{
    char *at = to;
    while ((*at++ = *from++))
        ;
    return to;
}
static unsigned char harness_heap[1 << 24] __attribute__((aligned(16)));
static harness_size harness_heap_used;
GIVES_WAY void *malloc(harness_size size)
{
    harness_size rounded = (size + 15) & ~(harness_size)15;
    void *block = harness_heap + harness_heap_used;
    if (rounded < size || rounded > sizeof harness_heap - harness_heap_used)
        harness_missed("harness: out of memory; the error was not reached\n");
    harness_heap_used += rounded;
    return block;
}
GIVES_WAY void *calloc(harness_size count, harness_size size)
{
    /* Fresh memory is never handed out twice, so it is zero. */
    return malloc(count * size);
}
GIVES_WAY void free(void *block) { (void)block; }
GIVES_WAY int printf(const char *text, ...) { return 0; }
GIVES_WAY int puts(const char *text) { return 0; }
GIVES_WAY int putchar(int c) { return c; }

#ifdef __i386__
/* The 64-bit divisions that 32-bit code calls. */
QUIET static unsigned long long harness_divide(unsigned long long a, unsigned long long b, unsigned long long *rest)
{
    unsigned long long quotient = 0, remainder = 0;
    int bit;
    for (bit = 63; bit >= 0; bit--) {
        int carry = (int)(remainder >> 63);
        remainder = remainder << 1 | (a >> bit & 1);
        if (carry || remainder >= b) {
            remainder -= b;
            quotient |= 1ULL << bit;
        }
    }
    *rest = remainder;
    return quotient;
}
GIVES_WAY unsigned long long __udivdi3(unsigned long long a, unsigned long long b)
{
    unsigned long long rest;
    return harness_divide(a, b, &rest);
}
GIVES_WAY unsigned long long __umoddi3(unsigned long long a, unsigned long long b)
{
    unsigned long long rest;
    harness_divide(a, b, &rest);
    return rest;
}
GIVES_WAY long long __divdi3(long long a, long long b)
{
    unsigned long long rest, left = a < 0 ? 0ULL - a : a, right = b < 0 ? 0ULL - b : b;
    unsigned long long quotient = harness_divide(left, right, &rest);
    return (long long)((a < 0) != (b < 0) ? 0ULL - quotient : quotient);
}
GIVES_WAY long long __moddi3(long long a, long long b)
{
    unsigned long long rest, left = a < 0 ? 0ULL - a : a, right = b < 0 ? 0ULL - b : b;
    harness_divide(left, right, &rest);
    return (long long)(a < 0 ? 0ULL - rest : rest);
}
#endif
