
/* For a program without a C library: an entry, and the library functions that programs like this one use. */

#if defined(__x86_64__)
__asm__(".weak _start\n_start:\n xor %ebp, %ebp\n and $-16, %rsp\n call harness_entry\n");
#elif defined(__i386__)
__asm__(".weak _start\n_start:\n xor %ebp, %ebp\n and $-16, %esp\n call harness_entry\n");
#else
__asm__(".weak _start\n_start:\n mov x29, xzr\n bl harness_entry\n");
#endif

extern int main(int, char **);

QUIET __attribute__((used)) void harness_entry(void)
{
    static char name[] = "program";
    static char *arguments[] = {name, 0};
    main(1, arguments);
    harness_missed("harness: main returned; the error was not reached\n");
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
GIVES_WAY int strncmp(const char *a, const char *b, harness_size size)
{
    for (; size && *a && *a == *b; size--)
        a++, b++;
    return size ? (int)(unsigned char)*a - (int)(unsigned char)*b : 0;
}
GIVES_WAY char *strncpy(char *to, const char *from, harness_size size)
{
    harness_size at = 0;
    for (; at < size && from[at]; at++)
        to[at] = from[at];
    for (; at < size; at++)
        to[at] = 0;
    return to;
}
GIVES_WAY char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}
GIVES_WAY char *strncat(char *to, const char *from, harness_size size)
{
    char *at = to + strlen(to);
    for (; size && *from; size--)
        *at++ = *from++;
    *at = 0;
    return to;
}
GIVES_WAY char *strchr(const char *text, int byte)
{
    for (; *text != (char)byte; text++)
        if (!*text)
            return 0;
    return (char *)text;
}
GIVES_WAY char *strrchr(const char *text, int byte)
{
    const char *found = 0;
    do
        if (*text == (char)byte)
            found = text;
    while (*text++);
    return (char *)found;
}
GIVES_WAY char *strstr(const char *text, const char *part)
{
    harness_size length = strlen(part);
    for (;; text++) {
        if (!strncmp(text, part, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}
GIVES_WAY void *memchr(const void *from, int byte, harness_size size)
{
    const unsigned char *at = from;
    for (; size; size--, at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return 0;
}
GIVES_WAY harness_size strnlen(const char *text, harness_size size)
{
    harness_size length = 0;
    while (length < size && text[length])
        length++;
    return length;
}
GIVES_WAY int isdigit(int c) { return c >= '0' && c <= '9'; }
GIVES_WAY int islower(int c) { return c >= 'a' && c <= 'z'; }
GIVES_WAY int isupper(int c) { return c >= 'A' && c <= 'Z'; }
GIVES_WAY int isalpha(int c) { return islower(c) || isupper(c); }
GIVES_WAY int isalnum(int c) { return isalpha(c) || isdigit(c); }
GIVES_WAY int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
GIVES_WAY int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
GIVES_WAY int isblank(int c) { return c == ' ' || c == 9; }
GIVES_WAY int isprint(int c) { return c >= 32 && c < 127; }
GIVES_WAY int isgraph(int c) { return c > 32 && c < 127; }
GIVES_WAY int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
GIVES_WAY int ispunct(int c) { return isgraph(c) && !isalnum(c); }
GIVES_WAY int tolower(int c) { return isupper(c) ? c + 32 : c; }
GIVES_WAY int toupper(int c) { return islower(c) ? c - 32 : c; }
GIVES_WAY int abs(int x) { return x < 0 ? -x : x; }
GIVES_WAY long labs(long x) { return x < 0 ? -x : x; }
GIVES_WAY long long llabs(long long x) { return x < 0 ? -x : x; }
/* Each block has its size in front. Memory is never handed out twice, so it is zero. */
static unsigned char harness_heap[1 << 24] __attribute__((aligned(16)));
static harness_size harness_heap_used;
QUIET static void *harness_allocate(harness_size size)
{
    harness_size rounded = (size + 31) & ~(harness_size)15;
    unsigned char *block = harness_heap + harness_heap_used;
    if (rounded < size || rounded > sizeof harness_heap - harness_heap_used)
        harness_missed("harness: out of memory; the error was not reached\n");
    harness_heap_used += rounded;
    *(harness_size *)block = size;
    return block + 16;
}
GIVES_WAY void *malloc(harness_size size) { return harness_allocate(size); }
GIVES_WAY void *calloc(harness_size count, harness_size size)
{
    if (size && count > ~(harness_size)0 / size)
        return 0;
    return harness_allocate(count * size);
}
GIVES_WAY void free(void *block) { (void)block; }
GIVES_WAY void *realloc(void *block, harness_size size)
{
    void *larger = harness_allocate(size);
    harness_size before = block ? *(harness_size *)((unsigned char *)block - 16) : 0;
    if (block)
        memcpy(larger, block, before < size ? before : size);
    return larger;
}
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
