//! `long double` by our own arithmetic against compiled C, bit by bit, on border cases and random operands.
//!
//! A C program reads pairs of numbers and prints what it makes of them, one line for a pair; the same line is made
//! from the interpreter's operators. NaNs are one value. Without a C compiler for x86 the test prints so and passes.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use base::Random;

use super::super::code::{ExtendedOp, FloatOp, Format, Primitive};
use super::super::{extended, floats};

const PROGRAM: &str = r#"
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef unsigned long long u64;
typedef union { long double value; struct { u64 low; unsigned short high; } bits; } number;
static void put(long double value)
{
    number n;
    n.value = value;
    if (__builtin_isnan(value)) printf(" nan");
    else printf(" %04x%016llx", n.bits.high, n.bits.low);
}
static void put_double(double value)
{
    u64 bits;
    memcpy(&bits, &value, 8);
    if (value != value) printf(" nan");
    else printf(" %llx", bits);
}
static void put_float(float value)
{
    unsigned bits;
    memcpy(&bits, &value, 4);
    if (value != value) printf(" nan");
    else printf(" %x", bits);
}
static void put_wide(unsigned __int128 value) { printf(" %016llx%016llx", (u64)(value >> 64), (u64)value); }
int main(void)
{
    unsigned xh, yh;
    u64 xl, yl;
    while (scanf("%x %llx %x %llx", &xh, &xl, &yh, &yl) == 4) {
        volatile number a, b;
        a.bits.low = xl; a.bits.high = xh;
        b.bits.low = yl; b.bits.high = yh;
        volatile long double x = a.value, y = b.value;
        put(x + y); put(x - y); put(x * y); put(x / y);
        put(fmodl(x, y)); put(remainderl(x, y));
        put(-x); put(fabsl(x)); put(sqrtl(x));
        put(floorl(x)); put(ceill(x)); put(truncl(x)); put(roundl(x)); put(rintl(x));
        printf(" %d%d%d%d%d", x == y, x < y, x <= y, !!__builtin_isnan(x), !!__builtin_isinf(x));
        put_double((double)x); put_float((float)x);
        double d; float f; u64 l = xl; unsigned u = (unsigned)yl;
        memcpy(&d, &l, 8); memcpy(&f, &u, 4);
        if (d == d) put((long double)d); if (f == f) put((long double)f);
        put((long double)(long long)xl); put((long double)xl); put((long double)(int)yl);
        put((long double)((unsigned __int128)yl << 64 | xl)); put((long double)(__int128)((unsigned __int128)yl << 64 | xl));
        if (x > -2147483649.0L && x < 2147483648.0L) printf(" %x", (int)x);
        if (x >= -9223372036854775808.0L && x < 9223372036854775808.0L) printf(" %llx", (long long)x);
        if (x > -1.0L && x < 18446744073709551616.0L) printf(" %llx", (u64)x);
        if (x > -1.0L && x < 0x1p128L) put_wide((unsigned __int128)x);
        printf("\n");
    }
    return 0;
}
"#;

fn word(bits: u128) -> String {
    let is_nan = extended::apply(Primitive::IsNan, bits, 0) == 1;
    if is_nan { " nan".to_owned() } else { format!(" {:020x}", bits) }
}

/// What the C program prints for this pair.
fn line(x: u128, y: u128) -> String {
    let mut text = String::new();
    let apply = |op: Primitive| extended::apply(op, x, y);
    let operators = [
        Primitive::Add,
        Primitive::Sub,
        Primitive::Mul,
        Primitive::Div,
        Primitive::Fmod,
        Primitive::Rem,
        Primitive::Neg,
        Primitive::Abs,
        Primitive::Sqrt,
        Primitive::Floor,
        Primitive::Ceil,
        Primitive::Trunc,
        Primitive::Round,
        Primitive::RoundEven,
    ];
    for op in operators {
        text.push_str(&word(apply(op)));
    }
    text.push(' ');
    for op in [Primitive::Eq, Primitive::Lt, Primitive::Le, Primitive::IsNan, Primitive::IsInfinite] {
        let _ = write!(text, "{}", apply(op));
    }
    let (double, single) = (extended::to_double(x), extended::to_single(x));
    text.push_str(&if double.is_nan() { " nan".to_owned() } else { format!(" {:x}", double.to_bits()) });
    text.push_str(&if single.is_nan() { " nan".to_owned() } else { format!(" {:x}", single.to_bits()) });
    let (double, single) = (f64::from_bits(x as u64), f32::from_bits(y as u32));
    if !double.is_nan() {
        text.push_str(&word(extended::from_double(double)));
    }
    if !single.is_nan() {
        text.push_str(&word(extended::from_double(single.into())));
    }
    let convert = |op: ExtendedOp, words: &[u64]| {
        let result = floats::apply(FloatOp::Extended(op), Format::Extended, words, 0);
        super::super::wide::to_u128(&result)
    };
    let (low, high) = (x as u64, y as u64);
    for bits in [
        convert(ExtendedOp::FromSigned { width: 64 }, &[low]),
        convert(ExtendedOp::FromUnsigned { width: 64 }, &[low]),
        convert(ExtendedOp::FromSigned { width: 32 }, &[high & 0xffff_ffff]),
        convert(ExtendedOp::FromUnsigned { width: 128 }, &[low, high]),
        convert(ExtendedOp::FromSigned { width: 128 }, &[low, high]),
    ] {
        text.push_str(&word(bits));
    }
    // Within these bounds C defines the conversion.
    let within = |low: f64, strict: bool, high: f64| {
        let below = if strict { Primitive::Lt } else { Primitive::Le };
        extended::apply(below, extended::from_double(low), x) == 1
            && extended::apply(Primitive::Lt, x, extended::from_double(high)) == 1
    };
    let number = [x as u64, (x >> 64) as u64];
    if within(-2147483649.0, true, 2147483648.0) {
        let _ = write!(text, " {:x}", convert(ExtendedOp::ToSigned { width: 32 }, &number));
    }
    if within(-9223372036854775808.0, false, 9223372036854775808.0) {
        let _ = write!(text, " {:x}", convert(ExtendedOp::ToSigned { width: 64 }, &number));
    }
    if within(-1.0, true, 18446744073709551616.0) {
        let _ = write!(text, " {:x}", convert(ExtendedOp::ToUnsigned { width: 64 }, &number));
    }
    if within(-1.0, true, 2f64.powi(128)) {
        let _ = write!(text, " {:032x}", convert(ExtendedOp::ToUnsigned { width: 128 }, &number));
    }
    text
}

/// Numbers at the borders of the format, and such as make ties and cancellation.
fn border_cases() -> Vec<u128> {
    let number = |head: u128, significand: u64| head << 64 | u128::from(significand);
    let mut cases = vec![
        0,
        1,
        2,
        number(0, 0x7fff_ffff_ffff_ffff),
        number(0, 1 << 63), // A denormal number with its first bit set.
        number(1, 1 << 63),
        number(1, u64::MAX),
        number(0x7ffe, u64::MAX),
        number(0x7ffe, 1 << 63),
        number(0x7fff, 1 << 63),
        number(0x7fff, 3 << 62),
        number(0x7fff, 0xa000_0000_0000_0000),
        number(0x3fff, 3), // Not supported.
        number(0x7fff, 0),
    ];
    for exponent in
        [0x3f7f, 0x3fbe, 0x3fbf, 0x3fc0, 0x3ffe, 0x3fff, 0x4000, 0x401e, 0x403d, 0x403e, 0x403f, 0x407e, 0x43fe, 0x3c00]
    {
        for significand in [1 << 63, 1 << 63 | 1, u64::MAX, 3 << 62, 0xffff_ffff_ffff_fc00, 0x8000_0000_0000_0400] {
            cases.push(number(exponent, significand));
        }
    }
    let negative: Vec<u128> = cases.iter().map(|bits| bits | 1 << 79).collect();
    cases.extend(negative);
    cases
}

fn random_number(random: &mut Random) -> u128 {
    let significand = match random.below(4) {
        0 => random.bits() | 1 << 63,
        1 => (random.bits() | 1 << 63) >> 40 << 40,
        2 => u64::MAX << random.below(64) | 1 << 63,
        _ => (random.below(1000) + 1) << 50 | 1 << 63,
    };
    let head = match random.below(5) {
        0 => random.bits() & 0xffff,
        1 => 0x3fff + random.below(70),
        2 => 0x3fff - random.below(70),
        3 => random.below(3),
        _ => 0xbff0 + random.below(0x20),
    };
    let is_denormal = head & 0x7fff == 0;
    u128::from(head) << 64 | u128::from(if is_denormal { significand & !(1 << 63) } else { significand })
}

#[test]
fn long_double_arithmetic_is_that_of_compiled_code() {
    if !cfg!(target_arch = "x86_64") {
        eprintln!("skipped: the compiler of this machine has another long double");
        return;
    }
    let folder = std::env::temp_dir().join(format!("uforia-extended-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
    let (source, binary) = (folder.join("numbers.c"), folder.join("numbers"));
    std::fs::write(&source, PROGRAM).expect("the temporary file can be written");
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-w", "-O0", "-fno-builtin"]).arg(&source).arg("-o").arg(&binary).arg("-lm");
    match command.output() {
        Ok(compiled) => assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr)),
        Err(error) => {
            eprintln!("skipped: there is no C compiler ({error})");
            return;
        }
    }
    let mut random = Random::new(80);
    let cases = border_cases();
    let mut pairs: Vec<(u128, u128)> = cases.iter().flat_map(|&x| cases.iter().map(move |&y| (x, y))).collect();
    pairs.extend((0..20_000).map(|_| (random_number(&mut random), random_number(&mut random))));
    let mut asked = String::new();
    for (x, y) in &pairs {
        let _ = writeln!(asked, "{:x} {:x} {:x} {:x}", x >> 64, *x as u64, y >> 64, *y as u64);
    }
    let mut child = Command::new(&binary)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the compiled program can be started");
    let mut stdin = child.stdin.take().expect("it was asked for");
    let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
    let output = child.wait_with_output().expect("the compiled program ends");
    writer.join().expect("the writer ends").expect("everything is read");
    let text = String::from_utf8(output.stdout).expect("it prints digits");
    assert_eq!(text.lines().count(), pairs.len());
    for (&(x, y), theirs) in pairs.iter().zip(text.lines()) {
        let ours = line(x, y);
        // Of encodings that the processor does not support, only its own operators are alike everywhere.
        let is_supported = |bits: u128| bits >> 64 & 0x7fff == 0 || bits >> 63 & 1 == 1;
        let n_columns = if is_supported(x) && is_supported(y) { usize::MAX } else { 4 };
        let columns = |line: &str| line.split_whitespace().take(n_columns).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(columns(&ours), columns(theirs), "for {x:020x} and {y:020x}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
