/* Models of <stdlib.h> and <inttypes.h>. */

typedef __typeof__(sizeof(0)) __uforia_size;

void *__uforia_malloc(__uforia_size size);
int __uforia_isspace(int c);

int __uforia_abs(int n) { return n < 0 ? -n : n; }
long __uforia_labs(long n) { return n < 0 ? -n : n; }
long long __uforia_llabs(long long n) { return n < 0 ? -n : n; }
long long __uforia_imaxabs(long long n) { return n < 0 ? -n : n; }

struct __uforia_div { int quot, rem; };
struct __uforia_ldiv { long quot, rem; };
struct __uforia_lldiv { long long quot, rem; };

struct __uforia_div __uforia_div(int n, int d)
{
    struct __uforia_div result = { n / d, n % d };
    return result;
}

struct __uforia_ldiv __uforia_ldiv(long n, long d)
{
    struct __uforia_ldiv result = { n / d, n % d };
    return result;
}

struct __uforia_lldiv __uforia_lldiv(long long n, long long d)
{
    struct __uforia_lldiv result = { n / d, n % d };
    return result;
}

/* The number at the start of the text, between the limits; `negative` and `end` return the rest. */
static unsigned long long __uforia_number(const char *text, char **end, int base, unsigned long long most_positive,
                                          unsigned long long most_negative, int *negative)
{
    const char *s = text;
    while (__uforia_isspace((unsigned char)*s))
        s++;
    *negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
        && ((s[2] >= '0' && s[2] <= '9') || (s[2] >= 'a' && s[2] <= 'f') || (s[2] >= 'A' && s[2] <= 'F'))) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    unsigned long long most = *negative ? most_negative : most_positive;
    unsigned long long value = 0;
    int any = 0, over = 0;
    for (;; s++) {
        int digit;
        if (*s >= '0' && *s <= '9')
            digit = *s - '0';
        else if (*s >= 'a' && *s <= 'z')
            digit = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z')
            digit = *s - 'A' + 10;
        else
            break;
        if (digit >= base)
            break;
        any = 1;
        if (over || value > (most - (unsigned)digit) / (unsigned)base)
            over = 1;
        else
            value = value * (unsigned)base + (unsigned)digit;
    }
    if (end != (char **)0)
        *end = (char *)(any ? s : text);
    if (over) {
        /* Out of range: the limit itself; unsigned conversions do not negate it. */
        if (most_positive == most_negative)
            *negative = 0;
        return most;
    }
    return value;
}

long __uforia_strtol(const char *text, char **end, int base)
{
    unsigned long most = (unsigned long)-1 >> 1;
    int negative;
    unsigned long long value = __uforia_number(text, end, base, most, (unsigned long long)most + 1, &negative);
    return (long)(negative ? -value : value);
}

long long __uforia_strtoll(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1 >> 1;
    int negative;
    unsigned long long value = __uforia_number(text, end, base, most, most + 1, &negative);
    return (long long)(negative ? -value : value);
}

unsigned long __uforia_strtoul(const char *text, char **end, int base)
{
    unsigned long most = (unsigned long)-1;
    int negative;
    unsigned long long value = __uforia_number(text, end, base, most, most, &negative);
    return (unsigned long)(negative ? -value : value);
}

unsigned long long __uforia_strtoull(const char *text, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1;
    int negative;
    unsigned long long value = __uforia_number(text, end, base, most, most, &negative);
    return negative ? -value : value;
}

int __uforia_atoi(const char *text) { return (int)__uforia_strtol(text, (char **)0, 10); }
long __uforia_atol(const char *text) { return __uforia_strtol(text, (char **)0, 10); }
long long __uforia_atoll(const char *text) { return __uforia_strtoll(text, (char **)0, 10); }

int __uforia_posix_memalign(void **result, __uforia_size alignment, __uforia_size size)
{
    *result = __uforia_malloc(size);
    return 0;
}

int __uforia_unspecified(const char *what);

/* Whether an element moves past one that compares equal. Any order of equal elements is allowed; only elements that
   differ in some byte show it. */
static int __uforia_passes_equal(const unsigned char *left, const unsigned char *right, __uforia_size size)
{
    for (__uforia_size i = 0; i < size; i++)
        if (left[i] != right[i])
            return __uforia_unspecified("the order of equal elements after `qsort`") != 0;
    return 0;
}

void __uforia_qsort(void *base, __uforia_size count, __uforia_size size, int (*compare)(const void *, const void *))
{
    unsigned char *a = (unsigned char *)base;
    for (__uforia_size i = 1; i < count; i++) {
        for (__uforia_size j = i; j > 0; j--) {
            unsigned char *left = a + (j - 1) * size, *right = a + j * size;
            int order = compare(left, right);
            if (order < 0 || (order == 0 && !__uforia_passes_equal(left, right, size)))
                break;
            for (__uforia_size k = 0; k < size; k++) {
                unsigned char byte = left[k];
                left[k] = right[k];
                right[k] = byte;
            }
        }
    }
}

void *__uforia_bsearch(const void *key, const void *base, __uforia_size count, __uforia_size size,
                       int (*compare)(const void *, const void *))
{
    const unsigned char *a = (const unsigned char *)base;
    __uforia_size low = 0, high = count;
    while (low < high) {
        __uforia_size middle = low + (high - low) / 2;
        int order = compare(key, a + middle * size);
        if (order == 0) {
            /* Any of several equal elements may be found. */
            if ((middle > 0 && compare(key, a + (middle - 1) * size) == 0)
                || (middle + 1 < count && compare(key, a + (middle + 1) * size) == 0)) {
                __uforia_size other = (__uforia_size)__uforia_unspecified("which of several equal elements `bsearch` finds");
                if (other < count && compare(key, a + other * size) == 0)
                    return (void *)(a + other * size);
            }
            return (void *)(a + middle * size);
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}
