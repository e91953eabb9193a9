//! Exhaustive comparison with machine arithmetic at small widths, random comparison with 128-bit and
//! big integers at widths around the borders of words.

use num_bigint::{BigInt, BigUint};

use super::Bits;
use crate::Random;

/// The value as a signed number.
fn signed(width: u32, value: u64) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}
fn wrap(width: u32, value: i64) -> u64 {
    value as u64 & ((1 << width) - 1)
}

#[test]
fn binary_operations_agree_with_machine_arithmetic_at_small_widths() {
    for width in 1..=6u32 {
        let count = 1u64 << width;
        for a in 0..count {
            for b in 0..count {
                check_pair(width, a, b);
            }
        }
    }
}

fn check_pair(width: u32, a: u64, b: u64) {
    let (x, y) = (Bits::from_u64(width, a), Bits::from_u64(width, b));
    let (sa, sb) = (signed(width, a), signed(width, b));
    let all = wrap(width, -1);
    let (least, most) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
    let is = |name: &str, got: Bits, expected: i64| {
        assert_eq!(got, Bits::from_u64(width, wrap(width, expected)), "{name} {a} {b} at width {width}");
    };
    let (ia, ib) = (a as i64, b as i64);
    is("add", x.add(&y), ia + ib);
    is("sub", x.sub(&y), ia - ib);
    is("mul", x.mul(&y), ia * ib);
    is("and", x.and(&y), ia & ib);
    is("or", x.or(&y), ia | ib);
    is("xor", x.xor(&y), ia ^ ib);
    is("nand", x.nand(&y), !(ia & ib));
    is("nor", x.nor(&y), !(ia | ib));
    is("xnor", x.xnor(&y), !(ia ^ ib));
    is("udiv", x.udiv(&y), if b == 0 { all as i64 } else { ia / ib });
    is("urem", x.urem(&y), if b == 0 { ia } else { ia % ib });
    let zero_quotient = if sa < 0 { 1 } else { -1 };
    is("sdiv", x.sdiv(&y), if sb == 0 { zero_quotient } else { sa / sb });
    is("srem", x.srem(&y), if sb == 0 { sa } else { sa % sb });
    let floored = |m: i64, n: i64| m - n * (m as f64 / n as f64).floor() as i64;
    is("smod", x.smod(&y), if sb == 0 { sa } else { floored(sa, sb) });
    let far = b >= u64::from(width);
    is("shl", x.shl(&y), if far { 0 } else { ia << ib });
    is("lshr", x.lshr(&y), if far { 0 } else { ia >> ib });
    is("ashr", x.ashr(&y), if far { sa >> 63 } else { sa >> ib });
    assert_eq!(x.ult(&y), a < b);
    assert_eq!(x.ule(&y), a <= b);
    assert_eq!(x.slt(&y), sa < sb);
    assert_eq!(x.sle(&y), sa <= sb);
    assert_eq!(x.cmp(&y), a.cmp(&b));
    assert_eq!(x.comp(&y), Bits::from_bool(a == b));
    let out = |value: i64| value < least || value > most;
    assert_eq!(x.uaddo(&y), a + b > all, "uaddo {a} {b} at {width}");
    assert_eq!(x.saddo(&y), out(sa + sb), "saddo {sa} {sb} at {width}");
    assert_eq!(x.usubo(&y), a < b, "usubo {a} {b} at {width}");
    assert_eq!(x.ssubo(&y), out(sa - sb), "ssubo {sa} {sb} at {width}");
    assert_eq!(x.umulo(&y), a * b > all, "umulo {a} {b} at {width}");
    assert_eq!(x.smulo(&y), out(sa * sb), "smulo {sa} {sb} at {width}");
    assert_eq!(x.sdivo(&y), sb != 0 && out(sa / sb), "sdivo {sa} {sb} at {width}");
    assert_eq!(x.concat(&y), Bits::from_u64(2 * width, a << width | b));
}

#[test]
fn unary_operations_agree_with_machine_arithmetic_at_small_widths() {
    for width in 1..=6u32 {
        for a in 0..1u64 << width {
            let x = Bits::from_u64(width, a);
            let sa = signed(width, a);
            assert_eq!(x.not(), Bits::from_u64(width, !a));
            assert_eq!(x.neg(), Bits::from_u64(width, a.wrapping_neg()));
            assert_eq!(x.nego(), sa == -(1 << (width - 1)));
            assert_eq!(x.is_min_signed(), x.nego());
            assert_eq!((x.to_u64(), x.to_i64()), (Some(a), Some(sa)));
            assert_eq!((x.to_u128(), x.to_i128()), (Some(a.into()), Some(sa.into())));
            assert_eq!(Bits::from_i64(width, sa), x);
            assert_eq!((x.is_zero(), x.is_one(), x.is_ones()), (a == 0, a == 1, a == wrap(width, -1)));
            assert_eq!(x.is_negative(), sa < 0);
            assert_eq!(x.count_ones(), a.count_ones());
            assert_eq!(x.trailing_zeros(), a.trailing_zeros().min(width));
            assert_eq!(x.leading_zeros(), a.leading_zeros() - (64 - width));
            for high in 0..width {
                assert_eq!(x.bit(high), a >> high & 1 == 1);
                for low in 0..=high {
                    assert_eq!(x.extract(high, low), Bits::from_u64(high - low + 1, a >> low));
                }
            }
            for by in 0..5 {
                assert_eq!(x.zero_extend(by), Bits::from_u64(width + by, a));
                assert_eq!(x.sign_extend(by), Bits::from_u64(width + by, sa as u64));
            }
            for by in 0..2 * width {
                let turn = by % width;
                let around = a << turn | a >> (width - turn).min(63);
                assert_eq!(x.rotate_left(by), Bits::from_u64(width, around), "{a} left by {by} at {width}");
                assert_eq!(x.rotate_left(by).rotate_right(by), x);
            }
            let mut copies = x.clone();
            for times in 1..30 {
                assert_eq!(x.repeat(times), copies);
                copies = copies.concat(&x);
            }
            assert_eq!(x.to_binary(), format!("{a:0width$b}", width = width as usize));
            assert_eq!(x.to_hex(), format!("{a:0width$x}", width = width.div_ceil(4) as usize));
            assert_eq!(x.to_decimal(), a.to_string());
            assert_eq!(x.to_signed_decimal(), sa.to_string());
            assert_eq!(Bits::parse_binary(&x.to_binary()), Some(x.clone()));
            assert_eq!(Bits::parse_decimal(width, &x.to_signed_decimal()), Some(x.clone()));
        }
    }
}

/// A number that likes to be extreme, as words.
fn extreme(random: &mut Random, width: u32) -> Bits {
    let words: Vec<u64> = (0..width.div_ceil(64))
        .map(|_| match random.below(5) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << random.below(64),
            3 => random.bits() >> random.below(64),
            _ => random.bits(),
        })
        .collect();
    match random.below(12) {
        0 => Bits::min_signed(width),
        1 => Bits::max_signed(width),
        2 => Bits::from_u64(width, random.below(200)),
        3 => Bits::from_u64(width, random.below(200)).neg(),
        _ => Bits::from_words(width, &words),
    }
}

fn big(bits: &Bits) -> BigUint {
    let words = bits.words().iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    BigUint::new(words.collect())
}
fn big_signed(bits: &Bits) -> BigInt {
    let value = BigInt::from(big(bits));
    if bits.is_negative() { value - (BigInt::from(1) << bits.width()) } else { value }
}
fn wrapped(width: u32, value: &BigInt) -> Bits {
    let modulus = BigInt::from(1) << width;
    let value = ((value % &modulus) + &modulus) % &modulus;
    Bits::from_words(width, &value.to_biguint().expect("not negative any more").to_u64_digits())
}

#[test]
fn wide_operations_agree_with_big_integers() {
    let mut random = Random::new(1);
    for width in [33, 63, 64, 65, 127, 128, 129, 137, 191, 192, 200, 256, 333] {
        for _ in 0..400 {
            let (x, y) = (extreme(&mut random, width), extreme(&mut random, width));
            check_wide(width, &x, &y, &mut random);
        }
    }
}

fn check_wide(width: u32, x: &Bits, y: &Bits, random: &mut Random) {
    let (a, b, sa, sb) = (BigInt::from(big(x)), BigInt::from(big(y)), big_signed(x), big_signed(y));
    let zero = BigInt::from(0);
    let is = |name: &str, got: Bits, expected: BigInt| {
        assert_eq!(got, wrapped(width, &expected), "{name} {x:?} {y:?}");
    };
    is("add", x.add(y), &a + &b);
    is("sub", x.sub(y), &a - &b);
    is("mul", x.mul(y), &a * &b);
    is("neg", x.neg(), -&a);
    is("not", x.not(), -&a - 1);
    is("and", x.and(y), &a & &b);
    is("or", x.or(y), &a | &b);
    is("xor", x.xor(y), &a ^ &b);
    if b != zero {
        is("udiv", x.udiv(y), &a / &b);
        is("urem", x.urem(y), &a % &b);
        is("sdiv", x.sdiv(y), &sa / &sb);
        is("srem", x.srem(y), &sa % &sb);
        is("smod", x.smod(y), ((&sa % &sb) + &sb) % &sb);
    } else {
        is("udiv", x.udiv(y), BigInt::from(-1));
        is("urem", x.urem(y), a.clone());
        is("sdiv", x.sdiv(y), BigInt::from(if sa < zero { 1 } else { -1 }));
        is("srem", x.srem(y), sa.clone());
        is("smod", x.smod(y), sa.clone());
    }
    for by in [random.below(u64::from(width)), random.below(u64::from(width) + 9), 0, u64::from(width)] {
        let amount = Bits::from_u64(width, by);
        let by = by as usize;
        is("shl", x.shl(&amount), &a << by);
        is("lshr", x.lshr(&amount), &a >> by);
        is("ashr", x.ashr(&amount), &sa >> by);
        let turn = by % width as usize;
        is("rotate", x.rotate_left(by as u32), &a << turn | &a >> (width as usize - turn));
        assert_eq!(x.rotate_left(by as u32).rotate_right(by as u32), *x);
    }
    is("far shl", x.shl(&Bits::ones(width)), BigInt::from(0));
    is("far ashr", x.ashr(&Bits::ones(width)), BigInt::from(if sa < zero { -1 } else { 0 }));
    assert_eq!((x.ult(y), x.ule(y)), (a < b, a <= b));
    assert_eq!((x.slt(y), x.sle(y)), (sa < sb, sa <= sb));
    let top = BigInt::from(1) << width;
    let half = BigInt::from(1) << (width - 1);
    let out = |value: BigInt| value < -&half || value >= half;
    assert_eq!(x.uaddo(y), &a + &b >= top);
    assert_eq!(x.umulo(y), &a * &b >= top, "umulo {x:?} {y:?}");
    assert_eq!(x.usubo(y), a < b);
    assert_eq!(x.saddo(y), out(&sa + &sb));
    assert_eq!(x.ssubo(y), out(&sa - &sb));
    assert_eq!(x.smulo(y), out(&sa * &sb), "smulo {x:?} {y:?}");
    assert_eq!(x.nego(), out(-&sa));
    assert_eq!(x.sdivo(y), sb != zero && out(&sa / &sb));
    let high = random.below(u64::from(width)) as u32;
    let low = random.below(u64::from(high) + 1) as u32;
    assert_eq!(x.extract(high, low), wrapped(high - low + 1, &(&a >> low as usize)));
    assert_eq!(x.concat(y), wrapped(2 * width, &(&a << width as usize | &b)));
    let narrow = Bits::from_u64(7, random.bits());
    assert_eq!(x.concat(&narrow), wrapped(width + 7, &(&a << 7usize | BigInt::from(big(&narrow)))));
    assert_eq!(narrow.concat(x), wrapped(width + 7, &(BigInt::from(big(&narrow)) << width as usize | &a)));
    let by = random.below(150) as u32;
    assert_eq!(x.zero_extend(by), wrapped(width + by, &a));
    assert_eq!(x.sign_extend(by), wrapped(width + by, &sa));
    assert_eq!(x.resize_signed(70), wrapped(70, &sa));
    assert_eq!(x.resize_unsigned(140), wrapped(140, &a));
    assert_eq!(x.to_decimal(), a.to_string());
    assert_eq!(x.to_signed_decimal(), sa.to_string());
    assert_eq!(x.to_hex(), format!("{:0>1$}", big(x).to_str_radix(16), width.div_ceil(4) as usize));
    assert_eq!(x.to_binary(), format!("{:0>1$}", big(x).to_str_radix(2), width as usize));
    assert_eq!(Bits::parse_decimal(width, &a.to_string()), Some(x.clone()));
    assert_eq!(Bits::parse_decimal(width, &sa.to_string()), Some(x.clone()));
    assert_eq!(Bits::parse_binary(&x.to_binary()), Some(x.clone()));
    assert_eq!(Bits::parse_hex(&x.to_hex()).map(|read| read.resize_unsigned(width)), Some(x.clone()));
    assert_eq!(x.to_u64(), u64::try_from(&a).ok());
    assert_eq!(x.to_u128(), u128::try_from(&a).ok());
    assert_eq!(x.to_i64(), i64::try_from(&sa).ok());
    assert_eq!(x.to_i128(), i128::try_from(&sa).ok());
    assert_eq!(u64::from(x.count_ones()), big(x).count_ones());
    assert_eq!(u64::from(width - x.leading_zeros()), big(x).bits());
    assert_eq!(x.trailing_zeros(), big(x).trailing_zeros().map_or(width, |zeros| zeros as u32));
}

#[test]
fn arithmetic_up_to_128_bits_agrees_with_machine_integers() {
    let mut random = Random::new(2);
    for width in [33u32, 63, 64, 65, 127, 128] {
        let shift = 128 - width;
        let cut = |value: u128| value << shift >> shift;
        for _ in 0..500 {
            let (x, y) = (extreme(&mut random, width), extreme(&mut random, width));
            let (Some(a), Some(b)) = (x.to_u128(), y.to_u128()) else { panic!("it fits") };
            let (Some(sa), Some(sb)) = (x.to_i128(), y.to_i128()) else { panic!("it fits") };
            assert_eq!(sa, ((a << shift) as i128) >> shift);
            assert_eq!(x.add(&y).to_u128(), Some(cut(a.wrapping_add(b))));
            assert_eq!(x.mul(&y).to_u128(), Some(cut(a.wrapping_mul(b))));
            assert_eq!(x.udiv(&y).to_u128(), Some(a.checked_div(b).unwrap_or(cut(u128::MAX))));
            assert_eq!(x.urem(&y).to_u128(), Some(a.checked_rem(b).unwrap_or(a)));
            if sb != 0 {
                assert_eq!(x.sdiv(&y).to_u128(), Some(cut(sa.wrapping_div(sb) as u128)));
                assert_eq!(x.srem(&y).to_u128(), Some(cut(sa.wrapping_rem(sb) as u128)));
            }
            assert_eq!(Bits::from_i128(width, sa), x);
            assert_eq!(Bits::from_u128(width, a), x);
            assert_eq!(Bits::from_i128(width + 80, sa), x.sign_extend(80));
        }
    }
    assert_eq!(Bits::from_i64(200, -1), Bits::ones(200));
    assert_eq!(Bits::from_i64(3, -1), Bits::ones(3));
}

#[test]
fn division_that_guesses_a_digit_too_large_is_corrected() {
    // The classic cases in which the first guess of algorithm D is off by one or needs adding back.
    let wide = |words: &[u64]| Bits::from_words(256, words);
    for (dividend, divisor) in [
        (wide(&[0, 0, 1 << 63, (1 << 63) - 1]), wide(&[1, 0, 1 << 63])),
        (wide(&[3, 0, 1 << 63]), wide(&[1, 0, 1 << 61])),
        (wide(&[0, u64::MAX - 1, 1 << 63]), wide(&[u64::MAX, 1 << 63])),
        (wide(&[0, 0, 0, 1 << 63]), wide(&[u64::MAX, u64::MAX, 1 << 63])),
    ] {
        let (quotient, remainder) = dividend.udiv_rem(&divisor);
        assert!(remainder.ult(&divisor));
        assert_eq!(quotient.mul(&divisor).add(&remainder), dividend);
        assert_eq!(big(&quotient), big(&dividend) / big(&divisor));
    }
}

#[test]
fn text_that_is_no_number_or_too_large_is_refused() {
    for text in ["", "-", "1x", "--1", "+1", "256", "-129", "9999999999999999999999999", "1 "] {
        assert_eq!(Bits::parse_decimal(8, text), None, "{text}");
    }
    assert_eq!(Bits::parse_decimal(8, "000255"), Some(Bits::ones(8)));
    assert_eq!(Bits::parse_decimal(8, "-128"), Some(Bits::min_signed(8)));
    assert_eq!(Bits::parse_decimal(64, "18446744073709551616"), None);
    assert_eq!(Bits::parse_decimal(64, "18446744073709551615"), Some(Bits::ones(64)));
    for text in ["", "2", "0b1", "1_0", "ü"] {
        assert_eq!(Bits::parse_binary(text), None, "{text}");
    }
    for text in ["", "g", "0x1", "-1"] {
        assert_eq!(Bits::parse_hex(text), None, "{text}");
    }
    assert_eq!(Bits::parse_hex("Ff"), Some(Bits::ones(8)));
}

#[test]
fn values_of_different_width_are_different() {
    assert_ne!(Bits::zero(8), Bits::zero(9));
    assert_eq!(format!("{:?}", Bits::from_u64(100, 7)), "7#100");
    assert!(Bits::ones(3) < Bits::zero(4));
}
