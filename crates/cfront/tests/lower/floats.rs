//! Floating point in the interpreter.

use cfront::DataModel;
use program::interp::Unclear;
use program::{InputKind, Undefined};

use crate::harness::*;

#[test]
fn floats_compute_and_compare() {
    returns("int main(void) { double a = 1.5, b = 2.25; return (int)((a + b) * 4 - a / 0.5); }", 12);
    returns("int main(void) { float f = 0.1f; double d = 0.1; return f == d ? 1 : f > d ? 2 : 3; }", 2);
    returns("int main(void) { double z = 0.0, n = z / z; return (n == n) + (n != n) * 10 + (n < 1.0) * 100; }", 10);
    returns("int main(void) { double d = 0.5; if (d) return d ? 4 : 5; return !d; }", 4);
    returns("int main(void) { float f = 3; f++; f -= 0.5f; return (int)(f * 2) + (int)-2.75; }", 5);
    returns(
        "int main(void) { unsigned u = 4000000000u; double d = u; float f = -7; return (d == 4e9) * 10 + (f == -7.0f); }",
        11,
    );
    returns("int main(void) { long double l = 2.5L; l *= 2; return (int)l; }", 5);
    returns("int main(void) { unsigned char c = 250.9; signed char s = -3.9; return c * 10 + s; }", 2497);
    returns("int main(void) { double a[2] = {1.5}; float f = a[0]; return (int)(f * 10) + (a[1] == 0); }", 16);
}
#[test]
fn a_float_that_does_not_fit_is_noted() {
    let (program, terms) = lower("int main(void) { double d = 3e9; return (int)d; }", DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::FloatToInteger)));
    returns("int main(void) { double d = -2147483648.9; return (int)d == -2147483647 - 1; }", 1);
}
#[test]
fn library_functions_are_operators() {
    let head = "double fabs(double); double floor(double); double ceil(double); double sqrt(double); double fmod(double, double); float fminf(float, float); double trunc(double); double copysign(double, double); int __isnan(double); int __fpclassify(double); double round(double);\n";
    returns(
        &format!(
            "{head} int main(void) {{ return fabs(-2.5) == 2.5 && floor(-1.5) == -2 && ceil(1.2) == 2 && sqrt(2.25) == 1.5 && fmod(7.5, 2) == 1.5 && fminf(2, 3) == 2 && trunc(-1.7) == -1 && copysign(3, -0.0) == -3 && round(2.5) == 3; }}"
        ),
        1,
    );
    returns(
        &format!(
            "{head} int main(void) {{ double z = 0; return __isnan(z / z) * 100 + __fpclassify(1.0) * 10 + __fpclassify(z); }}"
        ),
        142,
    );
    returns(
        "int main(void) { double z = 0; return __builtin_isnan(z / z) + __builtin_isinf(1 / z) * 10 + __builtin_signbit(-z) * 0 + (__builtin_isfinite(z) != 0) * 100; }",
        111,
    );
}

#[test]
fn the_padding_of_a_long_double_is_open() {
    let open = |text: &str| {
        let (program, _) = lower(text, DataModel::Lp64);
        inputs(&program).iter().filter(|kind| matches!(kind, InputKind::Unspecified(_))).count()
    };
    let union =
        "int main(void) { union { long double l; unsigned char b[16]; } u; u.b[15] = 0; u.l = 1.0L; return u.b[15]; }";
    assert_eq!(open(union), 1);
    let copy = "struct s { long double l; long i, j; }; \
        int main(void) { struct s a = {0}, b; b = a; return ((char *)&b)[12]; }";
    assert!(open(copy) > 0);
    // Nothing looks at it.
    assert_eq!(open("int main(void) { long double a[2]; a[0] = 1.0L; a[1] = a[0]; return a[1] == 1; }"), 0);
}
#[test]
fn a_static_long_double_is_laid_down_in_ten_bytes() {
    let (program, _) = lower("long double l[2] = {1.0L, -0.1L}; int main(void) { return l[1] < 0; }", DataModel::Lp64);
    let object = program.objects.iter().find(|object| object.name == "l").expect("it is there");
    let mut bytes = [0; 26];
    bytes[7..10].copy_from_slice(&[0x80, 0xff, 0x3f]);
    bytes[16..26].copy_from_slice(&[0xcd, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xfb, 0xbf]);
    assert_eq!(object.init[..26], bytes[..]);
    assert_eq!(object.size, 32);
}
