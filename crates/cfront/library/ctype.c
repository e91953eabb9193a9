/* Models of <ctype.h> in the "C" locale. */

int __uforia_isdigit(int c) { return c >= '0' && c <= '9'; }
int __uforia_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __uforia_islower(int c) { return c >= 'a' && c <= 'z'; }
int __uforia_isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
int __uforia_isalnum(int c) { return __uforia_isalpha(c) || __uforia_isdigit(c); }
int __uforia_isxdigit(int c) { return __uforia_isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int __uforia_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __uforia_isblank(int c) { return c == ' ' || c == '\t'; }
int __uforia_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int __uforia_isprint(int c) { return c >= ' ' && c < 127; }
int __uforia_isgraph(int c) { return c > ' ' && c < 127; }
int __uforia_ispunct(int c) { return __uforia_isgraph(c) && !__uforia_isalnum(c); }
int __uforia_isascii(int c) { return c >= 0 && c < 128; }
int __uforia_toascii(int c) { return c & 127; }
int __uforia_tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
int __uforia_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
