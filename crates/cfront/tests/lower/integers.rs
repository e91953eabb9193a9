//! Integers: widths, conversions, operators, bit-fields.

use cfront::DataModel;
use program::interp::{Outcome, Unclear};
use program::{Action, Undefined};

use crate::harness::*;

#[test]
fn narrow_values_wrap_when_converted() {
    evaluates("(unsigned char)300", 44);
    evaluates("(signed char)200", -56);
    evaluates("(short)70000", 4464);
    evaluates("(unsigned short)-1", 65535);
    evaluates("(int)(char)0x1ff", -1);
    returns("int main(void) { unsigned char c = 255; c++; return c; }", 0);
    returns("int main(void) { signed char c = 127; c++; return c; }", -128);
    returns("int main(void) { char c = 5; c += 300; return c; }", 49);
}
#[test]
fn operands_are_promoted_before_they_are_compared() {
    returns("int main(void) { unsigned char a = 200, b = 100; return a + b; }", 300);
    returns("int main(void) { unsigned a = 1; int b = -1; return a < b; }", 1);
    returns("int main(void) { unsigned char a = 1; int b = -1; return a < b; }", 0);
    returns("int main(void) { long long a = -1; unsigned b = 1; return a < b; }", 1);
    assert_eq!(result("int main(void) { long a = -1; unsigned b = 1; return a < b; }", DataModel::Lp64, &[]), 1);
    assert_eq!(result("int main(void) { long a = -1; unsigned b = 1; return a < b; }", DataModel::Ilp32, &[]), 0);
}
#[test]
fn signed_and_unsigned_division_differ() {
    returns("int main(void) { int a = -7, b = 2; return a / b * 100 + a % b; }", -301);
    returns("int main(void) { unsigned a = -7, b = 2; return a / b == 2147483644u && a % b == 1; }", 1);
    returns("int main(void) { long long a = -7000000000LL; return (int)(a / 1000000000) + (int)(a % 10); }", -7);
}
#[test]
fn shifts_follow_the_left_operand() {
    returns("int main(void) { int a = -8, n = 1; return a >> n; }", -4);
    returns("int main(void) { unsigned a = -8, n = 1; return (a >> n) == 0x7ffffffc; }", 1);
    returns("int main(void) { unsigned char a = 0x80; int n = 1; return a << n; }", 256);
    returns("int main(void) { unsigned long long a = 1; int n = 40; return (a << n) >> 38; }", 4);
    // An amount wider than the operand is not cut into range.
    let text = "int main(void) { unsigned a = 1; unsigned long long n = 0x100000001ULL; return a << n; }";
    let (program, terms) = lower(text, DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.outcome, Outcome::Returned(Some(0)));
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::ShiftOutOfRange)));
}
#[test]
fn a_division_by_zero_is_noted_and_goes_on() {
    let (program, terms) = lower("int main(void) { int z = __VERIFIER_nondet_int(); return 7 / z; }", DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::DivisionByZero)));
    assert!(matches!(run.outcome, Outcome::Returned(_)));
}
#[test]
fn constant_divisors_and_amounts_need_no_check() {
    let (program, _) =
        lower("int main(void) { int x = __VERIFIER_nondet_int(); return x / 3 + (x >> 2); }", DataModel::Lp64);
    assert_eq!(count(&program, |action| matches!(action, Action::Check { .. })), 0);
}
#[test]
fn truth_values_are_zero_or_one() {
    returns("int main(void) { _Bool b = 256; return b; }", 1);
    returns("int main(void) { _Bool b = 0.25; return b; }", 1);
    returns("int x; int main(void) { _Bool b = &x; return b; }", 1);
    returns("int main(void) { _Bool b = 1; b++; b += 5; return b; }", 1);
    returns("int main(void) { _Bool b = 0; b--; return b; }", 1);
    returns("int main(void) { _Bool b = 1; b--; return b + 5; }", 5);
    evaluates("!5 + !0 * 2 + (3 > 2) * 4 + (3 && 0) * 8 + (0 || 7) * 16", 22);
    returns("int main(void) { _Bool a[3] = {1, 7}; return a[0] + a[1] * 2 + a[2] * 4; }", 3);
}
#[test]
fn wide_integers_keep_all_bits() {
    returns("int main(void) { unsigned long long a = 0x123456789abcdefULL; return (int)(a >> 32) == 0x01234567; }", 1);
    assert_eq!(
        result(
            "int main(void) { __int128 a = 1; a = (a << 100) - 1; return (int)((a >> 90) & 0x3ff) + (a < 0); }",
            DataModel::Lp64,
            &[]
        ),
        1023
    );
    assert_eq!(result("int main(void) { __int128 a = -1; return a == -1 && a < 0; }", DataModel::Lp64, &[]), 1);
}
#[test]
fn enums_are_integers() {
    returns("enum e { A, B = 7, C, D = -2 }; int main(void) { enum e x = C; return x + B + D; }", 13);
}
#[test]
fn bit_fields_keep_to_their_bits() {
    let head = "struct s { unsigned a : 3; int b : 5; unsigned c : 9; _Bool d : 1; long long e : 40; } ;";
    returns(
        &format!(
            "{head} int main(void) {{ struct s x = {{0}}; x.a = 13; x.b = -3; x.c = 511; x.d = 8; x.e = -5; return x.a * 1000 + x.b * 100 + (x.c == 511) * 10 + x.d + (x.e == -5); }}"
        ),
        5000 - 300 + 10 + 1 + 1,
    );
    returns(
        &format!(
            "{head} int main(void) {{ struct s x = {{1, -1, 2, 1, 3}}; x.c += 600; x.b--; x.a <<= 2; return x.a == 4 && x.b == -2 && x.c == 90 && x.d == 1 && x.e == 3; }}"
        ),
        1,
    );
    returns("struct s { int a : 4; }; int main(void) { struct s x; return (x.a = 9); }", -7);
    returns("struct s { unsigned a : 4; } g = {5}; int main(void) { int r = g.a++; return r * 10 + g.a; }", 56);
    returns("struct s { unsigned a : 4, b : 4; } g = {5, 6}; int main(void) { return g.a + g.b * 16; }", 101);
}
#[test]
fn builtins_count_bits() {
    returns(
        "int main(void) { unsigned x = 0x00f0; return __builtin_clz(x) * 10000 + __builtin_ctz(x) * 100 + __builtin_popcount(x); }",
        240404,
    );
    returns("int main(void) { return __builtin_ffs(0) + __builtin_ffs(8) * 10 + __builtin_parity(7) * 100; }", 140);
    returns("int main(void) { unsigned x = 0x01020304; return __builtin_bswap32(x) == 0x04030201; }", 1);
    returns(
        "int main(void) { int r; int o = __builtin_add_overflow(2147483647, 1, &r); return o * 10 + (r < 0); }",
        11,
    );
    returns("int main(void) { unsigned char r; return __builtin_mul_overflow(100, 2, &r) * 1000 + r; }", 200);
    returns("int main(void) { unsigned r; return __builtin_sub_overflow(1, 2, &r) * 10 + (r == 0xffffffff); }", 11);
}

#[test]
fn swapping_eight_bytes_gives_the_type_uint64_t() {
    let alternatives = "unsigned long: sizeof(long) == 8, unsigned long long: sizeof(long) == 4, default: 0";
    evaluates(&format!("_Generic(__builtin_bswap64(1), {alternatives})"), 1);
}
