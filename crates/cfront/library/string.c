/* Models of <string.h> and <strings.h>, byte by byte as the standard defines it. */

typedef __typeof__(sizeof(0)) __uforia_size;

void *__uforia_malloc(__uforia_size size);
int __uforia_tolower(int c);

void *__uforia_memcpy(void *to, const void *from, __uforia_size n)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    for (__uforia_size i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *__uforia_mempcpy(void *to, const void *from, __uforia_size n)
{
    __uforia_memcpy(to, from, n);
    return (unsigned char *)to + n;
}

void *__uforia_memccpy(void *to, const void *from, int c, __uforia_size n)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    for (__uforia_size i = 0; i < n; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)c)
            return t + i + 1;
    }
    return (void *)0;
}

void *__uforia_memmove(void *to, const void *from, __uforia_size n)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    /* Whether the target begins inside the source, found by equalities alone: the order of two objects is open. */
    __uforia_size ahead = 1;
    while (ahead < n && t != f + ahead)
        ahead++;
    if (ahead < n) {
        for (__uforia_size i = n; i > 0; i--)
            t[i - 1] = f[i - 1];
    } else {
        for (__uforia_size i = 0; i < n; i++)
            t[i] = f[i];
    }
    return to;
}

void __uforia_bcopy(const void *from, void *to, __uforia_size n)
{
    __uforia_memmove(to, from, n);
}

void *__uforia_memset(void *to, int c, __uforia_size n)
{
    unsigned char *t = (unsigned char *)to;
    for (__uforia_size i = 0; i < n; i++)
        t[i] = (unsigned char)c;
    return to;
}

void __uforia_bzero(void *to, __uforia_size n)
{
    __uforia_memset(to, 0, n);
}

int __uforia_memcmp(const void *left, const void *right, __uforia_size n)
{
    const unsigned char *l = (const unsigned char *)left;
    const unsigned char *r = (const unsigned char *)right;
    for (__uforia_size i = 0; i < n; i++)
        if (l[i] != r[i])
            return l[i] < r[i] ? -1 : 1;
    return 0;
}

int __uforia_bcmp(const void *left, const void *right, __uforia_size n)
{
    return __uforia_memcmp(left, right, n);
}

void *__uforia_memchr(const void *in, int c, __uforia_size n)
{
    const unsigned char *s = (const unsigned char *)in;
    for (__uforia_size i = 0; i < n; i++)
        if (s[i] == (unsigned char)c)
            return (void *)(s + i);
    return (void *)0;
}

__uforia_size __uforia_strlen(const char *s)
{
    __uforia_size n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

__uforia_size __uforia_strnlen(const char *s, __uforia_size most)
{
    __uforia_size n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

char *__uforia_strcpy(char *to, const char *from)
{
    __uforia_size i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

char *__uforia_stpcpy(char *to, const char *from)
{
    __uforia_size i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to + i;
}

char *__uforia_strncpy(char *to, const char *from, __uforia_size n)
{
    __uforia_size i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

char *__uforia_strcat(char *to, const char *from)
{
    __uforia_strcpy(to + __uforia_strlen(to), from);
    return to;
}

char *__uforia_strncat(char *to, const char *from, __uforia_size n)
{
    char *end = to + __uforia_strlen(to);
    __uforia_size i = 0;
    while (i < n && from[i] != 0) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

int __uforia_strcmp(const char *left, const char *right)
{
    __uforia_size i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    unsigned char l = (unsigned char)left[i], r = (unsigned char)right[i];
    return l < r ? -1 : l > r;
}

int __uforia_strcoll(const char *left, const char *right)
{
    return __uforia_strcmp(left, right);
}

int __uforia_strncmp(const char *left, const char *right, __uforia_size n)
{
    for (__uforia_size i = 0; i < n; i++) {
        unsigned char l = (unsigned char)left[i], r = (unsigned char)right[i];
        if (l != r)
            return l < r ? -1 : 1;
        if (l == 0)
            return 0;
    }
    return 0;
}

int __uforia_strcasecmp(const char *left, const char *right)
{
    for (__uforia_size i = 0;; i++) {
        int l = __uforia_tolower((unsigned char)left[i]), r = __uforia_tolower((unsigned char)right[i]);
        if (l != r)
            return l < r ? -1 : 1;
        if (l == 0)
            return 0;
    }
}

int __uforia_strncasecmp(const char *left, const char *right, __uforia_size n)
{
    for (__uforia_size i = 0; i < n; i++) {
        int l = __uforia_tolower((unsigned char)left[i]), r = __uforia_tolower((unsigned char)right[i]);
        if (l != r)
            return l < r ? -1 : 1;
        if (l == 0)
            return 0;
    }
    return 0;
}

char *__uforia_strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return (char *)0;
    }
}

char *__uforia_index(const char *s, int c)
{
    return __uforia_strchr(s, c);
}

char *__uforia_strchrnul(const char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

char *__uforia_strrchr(const char *s, int c)
{
    const char *last = (const char *)0;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (*s == 0)
            return (char *)last;
    }
}

char *__uforia_rindex(const char *s, int c)
{
    return __uforia_strrchr(s, c);
}

__uforia_size __uforia_strspn(const char *s, const char *accept)
{
    __uforia_size n = 0;
    while (s[n] != 0 && __uforia_strchr(accept, s[n]) != (char *)0)
        n++;
    return n;
}

__uforia_size __uforia_strcspn(const char *s, const char *reject)
{
    __uforia_size n = 0;
    while (s[n] != 0 && __uforia_strchr(reject, s[n]) == (char *)0)
        n++;
    return n;
}

char *__uforia_strpbrk(const char *s, const char *accept)
{
    s += __uforia_strcspn(s, accept);
    return *s != 0 ? (char *)s : (char *)0;
}

char *__uforia_strstr(const char *in, const char *sought)
{
    for (;; in++) {
        __uforia_size i = 0;
        while (sought[i] != 0 && in[i] == sought[i])
            i++;
        if (sought[i] == 0)
            return (char *)in;
        if (*in == 0)
            return (char *)0;
    }
}

char *__uforia_strtok_r(char *s, const char *separators, char **rest)
{
    if (s == (char *)0)
        s = *rest;
    s += __uforia_strspn(s, separators);
    if (*s == 0) {
        *rest = s;
        return (char *)0;
    }
    char *end = s + __uforia_strcspn(s, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

char *__uforia_strtok(char *s, const char *separators)
{
    static char *rest;
    return __uforia_strtok_r(s, separators, &rest);
}

char *__uforia_strsep(char **s, const char *separators)
{
    char *start = *s;
    if (start == (char *)0)
        return (char *)0;
    char *end = start + __uforia_strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *s = end + 1;
    } else {
        *s = (char *)0;
    }
    return start;
}

char *__uforia_strdup(const char *s)
{
    __uforia_size n = __uforia_strlen(s) + 1;
    char *copy = (char *)__uforia_malloc(n);
    __uforia_memcpy(copy, s, n);
    return copy;
}

char *__uforia_strndup(const char *s, __uforia_size most)
{
    __uforia_size n = __uforia_strnlen(s, most);
    char *copy = (char *)__uforia_malloc(n + 1);
    __uforia_memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

int __uforia_ffs(int n) { return __builtin_ffs(n); }
int __uforia_ffsl(long n) { return __builtin_ffsl(n); }
int __uforia_ffsll(long long n) { return __builtin_ffsll(n); }
