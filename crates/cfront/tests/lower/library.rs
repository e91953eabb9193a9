//! Models of library functions.

use cfront::DataModel;
use program::InputKind;

use crate::harness::*;

const HEAD: &str = "typedef __typeof__(sizeof 0) size_t;\n\
    void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);\n\
    int memcmp(const void *, const void *, size_t); void *memchr(const void *, int, size_t);\n\
    size_t strlen(const char *); char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t);\n\
    char *strcat(char *, const char *); char *strncat(char *, const char *, size_t); int strcmp(const char *, const char *);\n\
    int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); char *strrchr(const char *, int);\n\
    char *strstr(const char *, const char *); char *strdup(const char *); char *strtok(char *, const char *); void *malloc(size_t); void free(void *);\n\
    int abs(int); long labs(long); int atoi(const char *); long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);\n\
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));\n\
    typedef struct { int quot, rem; } div_t; div_t div(int, int); int isdigit(int); int toupper(int); int rand(void); int printf(const char *, ...); int sprintf(char *, const char *, ...); int sscanf(const char *, const char *, ...);\n";

fn says(body: &str, expected: i32) {
    returns(&format!("{HEAD} int main(void) {{ {body} }}"), expected);
}

#[test]
fn memory_is_copied_and_compared() {
    says("int a[3] = {1, 2, 3}, b[3]; memcpy(b, a, sizeof a); return b[0] * 100 + b[1] * 10 + b[2];", 123);
    says("char s[6] = \"abcde\"; memmove(s + 1, s, 4); return s[1] == 'a' && s[4] == 'd';", 1);
    says("char s[6] = \"abcde\"; memmove(s, s + 1, 4); return s[0] == 'b' && s[3] == 'e' && s[4] == 'e';", 1);
    says("int a[2]; memset(a, 1, sizeof a); return a[1] == 0x01010101;", 1);
    says("return memcmp(\"abc\", \"abd\", 3) < 0 && memcmp(\"b\", \"a\", 1) > 0 && memcmp(\"xy\", \"xz\", 1) == 0;", 1);
    says("const char *s = \"hello\"; return (char *)memchr(s, 'l', 5) - s;", 2);
    says("int a = 5, b = 0; __builtin_memcpy(&b, &a, sizeof a); return b;", 5);
}
#[test]
fn strings_are_strings() {
    says("return strlen(\"hello\") * 10 + strlen(\"\");", 50);
    says(
        "char b[20]; strcpy(b, \"ab\"); strcat(b, \"cd\"); strncat(b, \"efgh\", 2); return strlen(b) * 10 + (strcmp(b, \"abcdef\") == 0);",
        61,
    );
    says(
        "char b[5] = \"zzzz\"; strncpy(b, \"a\", 3); return (b[0] == 'a') + (b[2] == 0) * 10 + (b[3] == 'z') * 100;",
        111,
    );
    says(
        "return (strcmp(\"a\", \"b\") < 0) + (strcmp(\"b\", \"a\") > 0) * 10 + (strncmp(\"abc\", \"abd\", 2) == 0) * 100 + (strcmp(\"\\xff\", \"a\") > 0) * 1000;",
        1111,
    );
    says(
        "const char *s = \"hello\"; return (strchr(s, 'l') - s) * 100 + (strrchr(s, 'l') - s) * 10 + (strchr(s, 'z') == 0);",
        231,
    );
    says("const char *s = \"a needle\"; return strstr(s, \"need\") - s + (strstr(s, \"no\") == 0) * 10;", 12);
    says("char *d = strdup(\"xyz\"); d[0] = 'a'; int r = strcmp(d, \"ayz\") == 0; free(d); return r;", 1);
    says(
        "char b[] = \"a,b\"; char *x = strtok(b, \",\"), *y = strtok(0, \",\"), *z = strtok(0, \",\"); return x[0] == 'a' && y[0] == 'b' && z == 0;",
        1,
    );
}
#[test]
fn numbers_are_read_and_sorted() {
    says("return abs(-4) * 10 + (int)labs(-3L);", 43);
    says("return atoi(\" -42x\");", -42);
    says("char *e; long v = strtol(\"0x1fz\", &e, 0); return v * 10 + (*e == 'z');", 311);
    says("return (strtol(\"99999999999999999999\", 0, 10) > 0) + (strtoul(\"-1\", 0, 10) == -1ul) * 10;", 11);
    says("div_t d = div(17, 5); return d.quot * 10 + d.rem;", 32);
    says("return isdigit('7') * 10 + (toupper('a') == 'A');", 11);
    returns(
        &format!(
            "{HEAD} int by(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }} int main(void) {{ int a[5] = {{3, 1, 5, 2, 4}}; qsort(a, 5, sizeof *a, by); int k = 4; int *f = bsearch(&k, a, 5, sizeof *a, by); return a[0] * 1000 + a[2] * 100 + a[4] * 10 + (int)(f - a); }}"
        ),
        1353,
    );
}
#[test]
fn output_has_no_effect_and_input_is_anything() {
    says("int x = 3; printf(\"%d %p\\n\", x++, (void *)&x); return x;", 4);
    let (program, _) = lower(
        &format!(
            "{HEAD} int main(void) {{ char b[9]; int x = 1; sprintf(b, \"%d\", x); sscanf(b, \"%d\", &x); return x; }}"
        ),
        DataModel::Lp64,
    );
    let forgotten = inputs(&program);
    assert!(
        forgotten.contains(&InputKind::External("sprintf".into()))
            && forgotten.contains(&InputKind::External("sscanf".into()))
    );
    says("return rand() >= 0;", 1);
}
#[test]
fn a_definition_of_the_user_wins() {
    returns("static int abs(int x) { return 7; } int main(void) { return abs(-1); }", 7);
    returns("int puts(const char *s) { return 7; } int main(void) { return puts(\"a\"); }", 7);
    // gcc computes `abs` itself, whatever the program's function does.
    let found = refused("int abs(int x) { return 7; } int main(void) { return abs(-1); }");
    assert_eq!(found, ["3: call of the program's own `abs`, which compilers replace by the library's"]);
    returns(
        "typedef __typeof__(sizeof 0) size_t; size_t strlen(const char *s) { return 42; } int main(void) { return strlen(\"a\"); }",
        42,
    );
    returns(
        "void *malloc(__typeof__(sizeof 0) n) { static char pool[100]; return pool; } int main(void) { return malloc(1) == malloc(2); }",
        1,
    );
}
#[test]
fn a_declaration_of_another_type_has_no_model() {
    let (program, _) = lower(
        "struct s { int a[9]; }; int memcmp(struct s x, int y); int main(void) { struct s x = {{0}}; return memcmp(x, 1); }",
        DataModel::Lp64,
    );
    assert_eq!(inputs(&program), [InputKind::External("memcmp".into())]);
}

#[test]
fn a_stream_without_a_buffer_of_the_program_keeps_nothing() {
    returns(
        "struct f; void setbuf(struct f *, char *); int setvbuf(struct f *, char *, int, unsigned long); \
         int main(void) { setbuf((struct f *) 0, (void *) 0); setvbuf((struct f *) 0, 0, 2, 64); return 3; }",
        3,
    );
}
