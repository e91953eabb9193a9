//! Tokens: the result of the lexer, and its diagnostics for invalid text.

use base::IndexVec;

use super::number::BadNumber;
use super::*;
use crate::ast::{Encoding, FloatSuffix};

/// The tokens as text, separated by blanks; identifiers in angle brackets.
fn tokens(text: &str) -> String {
    let mut names = IndexVec::new();
    let lexed = lex(text, 0, &mut names);
    let words = lexed.tokens.iter().filter(|token| token.kind != Tok::Eof).map(|token| match token.kind {
        Tok::Ident => format!("<{}>", names[token.name]),
        Tok::Number | Tok::Char | Tok::String => text[token.start as usize..token.end as usize].to_owned(),
        kind => format!("{kind:?}"),
    });
    let mut shown: Vec<String> = words.collect();
    shown.extend(lexed.problems.iter().map(|problem| format!("!{}@{}", problem.message, problem.span.start)));
    shown.join(" ")
}

#[test]
fn longest_operators_win() {
    assert_eq!(tokens("a+++b>>=c<<d...->."), "<a> PlusPlus Plus <b> ShrAssign <c> Shl <d> Ellipsis Arrow Dot");
}

#[test]
fn digraphs_are_brackets() {
    assert_eq!(tokens("a<:1:> <% %>"), "<a> LBracket 1 RBracket LBrace RBrace");
}

#[test]
fn keywords_have_several_spellings() {
    assert_eq!(tokens("__const__ const __inline __asm__ bool"), "Const Const Inline Asm <bool>");
}

#[test]
fn dollars_letters_and_universal_names_make_identifiers() {
    assert_eq!(tokens(r"a$b größe \u00e9t\u00e9 x\u00e9"), "<a$b> <größe> <été> <xé>");
}

#[test]
fn a_line_can_be_continued_anywhere_between_and_inside_words() {
    assert_eq!(tokens("int\\\n x\\\ny = 1\\\n2;"), "Int <xy> Assign 1\\\n2 Semi");
}

#[test]
fn comments_are_blanks() {
    assert_eq!(tokens("a/* b\n */c // d \\\n e\nf"), "<a> <c> <f>");
}

#[test]
fn directives_are_skipped_and_real_ones_reported_once() {
    assert_eq!(tokens("# 1 \"x\"\n#pragma once\n #ident \"y\"\n#\nx"), "<x>");
    assert_eq!(
        tokens("#include <a.h>\n#define X\nx"),
        "<x> !found the directive `#include`: the file must be preprocessed first@0"
    );
}

#[test]
fn pack_pragmas_form_a_stack() {
    let text = "#pragma pack(push, 1)\n#pragma pack(4)\n#pragma pack(pop)\n#pragma pack()\n";
    let limits: Vec<u32> = lex(text, 0, &mut IndexVec::new()).packs.iter().map(|&(_, limit)| limit).collect();
    assert_eq!(limits, [1, 4, 0, 0]);
}

#[test]
fn prefixes_belong_to_strings_and_characters() {
    assert_eq!(tokens(r#"L"a" u8"b" U'c' x"d""#), r#"L"a" u8"b" U'c' <x> "d""#);
}

#[test]
fn an_open_string_ends_with_its_line() {
    assert_eq!(tokens("\"abc\nx"), "\"abc <x> !this string is not closed before the end of the line@0");
    assert_eq!(tokens("'"), "' !this character constant is not closed before the end of the line@0");
    assert_eq!(tokens("\"\\"), "\"\\ !this string is not closed before the end of the line@0");
}

#[test]
fn an_open_comment_is_reported_where_it_starts() {
    assert_eq!(tokens("a /* b"), "<a> !this comment is never closed@2");
}

#[test]
fn garbage_is_reported_once_per_run_and_survived() {
    assert_eq!(
        tokens("a \0\u{1}\u{fffd} @ b"),
        "<a> <b> !the character `\\u{0}` has no meaning here@2 !the character `@` has no meaning here@8"
    );
    assert_eq!(tokens("a \\ b"), "<a> <b> !the character `\\\\` has no meaning here@2");
    let garbage = "@ ".repeat(10_000);
    assert_eq!(lex(&garbage, 0, &mut IndexVec::new()).problems.len(), Tuning::DEFAULT.max_lexer_diagnostics);
}

#[test]
fn the_first_token_of_a_line_knows_it() {
    let lexed = lex("a b\n c /*\n*/ d", 0, &mut IndexVec::new());
    let flags: Vec<bool> = lexed.tokens.iter().map(|token| token.first_on_line).collect();
    assert_eq!(flags, [true, false, true, true, false]);
}

fn integer(value: u128, unsigned: bool, longs: u8, decimal: bool) -> Result<Number, BadNumber> {
    Ok(Number::Integer { value, unsigned, longs, decimal })
}

#[test]
fn integers_of_all_bases_and_suffixes() {
    assert_eq!(decode_number("0"), integer(0, false, 0, false));
    assert_eq!(decode_number("42"), integer(42, false, 0, true));
    assert_eq!(decode_number("0x1FuLL"), integer(31, true, 2, false));
    assert_eq!(decode_number("0b101l"), integer(5, false, 1, false));
    assert_eq!(decode_number("0777LU"), integer(511, true, 1, false));
    assert_eq!(decode_number("18446744073709551616"), integer(1 << 64, false, 0, true));
    assert_eq!(decode_number("340282366920938463463374607431768211455u"), integer(u128::MAX, true, 0, true));
    assert_eq!(decode_number("1\\\n2"), integer(12, false, 0, true));
}

fn why_not(spelling: &str) -> String {
    match decode_number(spelling) {
        Err(BadNumber::Invalid(message)) => message,
        Err(BadNumber::Unsupported(what)) => format!("unsupported {what}"),
        Ok(number) => format!("{number:?}"),
    }
}

#[test]
fn bad_numbers_are_explained() {
    assert_eq!(why_not("089"), "`8` is no digit of a number to the base 8");
    assert_eq!(why_not("0b12"), "`2` is no digit of a number to the base 2");
    assert_eq!(why_not("0x"), "`0x` has no digits");
    assert_eq!(why_not("12abc"), "`abc` is no suffix of a number in `12abc`");
    assert_eq!(why_not("1lL"), "`lL` is no suffix of a number in `1lL`");
    assert_eq!(why_not("1e"), "the exponent of `1e` has no digits");
    assert_eq!(why_not("0x1.8"), "`0x1.8` has no exponent, which a hexadecimal floating constant needs");
    assert_eq!(why_not("1.2.3"), "`.3` is no suffix of a number in `1.2.3`");
    assert_eq!(why_not("340282366920938463463374607431768211456"), "this number is too large for every integer type");
    assert_eq!(why_not("2i"), "unsupported imaginary constants");
    assert_eq!(why_not("2.0fj"), "unsupported imaginary constants");
    assert_eq!(why_not("2.0DD"), "unsupported decimal floating constants");
}

fn float(spelling: &str) -> (f64, FloatSuffix) {
    match decode_number(spelling) {
        Ok(Number::Float { value, suffix, .. }) => (value, suffix),
        other => panic!("{spelling} is {other:?}"),
    }
}

#[test]
fn decimal_floats_are_exact() {
    assert_eq!(float("1.5"), (1.5, FloatSuffix::None));
    assert_eq!(float(".1e+2L"), (10.0, FloatSuffix::L));
    assert_eq!(float("1.e-3"), (0.001, FloatSuffix::None));
    assert_eq!(float("0.1f"), (f64::from(0.1f32), FloatSuffix::F));
    assert_eq!(float("1.0Q"), (1.0, FloatSuffix::Q));
    assert_eq!(float("1e400").0, f64::INFINITY);
    assert_eq!(float("09.5").0, 9.5);
}

#[test]
fn a_float_constant_is_rounded_once() {
    // Just above half-way between two floats, but the nearest double is exactly half-way.
    assert_eq!(float("1.00000005960464477540f").0, f64::from(1.0f32 + f32::EPSILON));
    assert_eq!(float("0x1.0000010000000000001p0f").0, f64::from(1.0f32 + f32::EPSILON));
}

#[test]
fn hexadecimal_floats_round_to_nearest_even() {
    assert_eq!(float("0x1p-2").0, 0.25);
    assert_eq!(float("0x.8p1").0, 1.0);
    assert_eq!(float("0xA.Bp+4").0, 171.0);
    assert_eq!(float("0x1.00000000000008p0").0, 1.0);
    assert_eq!(float("0x1.00000000000018p0").0, 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(float("0x1.000000000000080000000000000000000000001p0").0, 1.0 + f64::EPSILON);
    assert_eq!(float("0x1p-1074").0, f64::from_bits(1));
    assert_eq!(float("0x1p-1075").0, 0.0);
    assert_eq!(float("0x1.8p-1075").0, f64::from_bits(1));
    assert_eq!(float("0x1.fffffffffffffp1023").0, f64::MAX);
    assert_eq!(float("0x1p1024").0, f64::INFINITY);
    assert_eq!(float("0x1p99999999999999999999").0, f64::INFINITY);
    assert_eq!(float("0x0p99999999999999999999").0, 0.0);
    assert_eq!(float("0x1.ffffffp127f").0, f64::INFINITY);
    assert_eq!(float("0x1.fffffep127f").0, f64::from(f32::MAX));
    assert_eq!(float(&format!("0x{}p-4000", "1".to_owned() + &"0".repeat(1000))).0, 1.0);
}

#[test]
fn characters_have_the_values_of_gcc() {
    assert_eq!(decode_char("'a'"), Ok((97, Encoding::Plain)));
    assert_eq!(decode_char(r"'\377'"), Ok((-1, Encoding::Plain)));
    assert_eq!(decode_char(r"'\x41'"), Ok((65, Encoding::Plain)));
    assert_eq!(decode_char("'ab'"), Ok((97 * 256 + 98, Encoding::Plain)));
    assert_eq!(decode_char("'abcde'"), Ok((0x62636465, Encoding::Plain)));
    assert_eq!(decode_char(r"'\e'"), Ok((27, Encoding::Plain)));
    assert_eq!(decode_char(r"'\q'"), Ok((113, Encoding::Plain)));
    assert_eq!(decode_char("L'é'"), Ok((233, Encoding::Wide)));
    assert_eq!(decode_char(r"L'\xffffffff'"), Ok((-1, Encoding::Wide)));
    assert_eq!(decode_char(r"U'\U0001F600'"), Ok((0x1f600, Encoding::Utf32)));
    assert!(decode_char("''").is_err());
    assert!(decode_char(r"'\x100'").is_err());
    assert!(decode_char(r"'\x'").is_err());
    assert_eq!(decode_char(r"u'\U0001F600'"), Ok((0xde00, Encoding::Utf16)));
    assert!(decode_char("u8'é'").is_err());
    assert!(decode_char("'").is_err());
    assert_eq!(decode_char("'\\é'"), Ok((i64::from(0xc3a9), Encoding::Plain)));
}

fn string(spellings: &[&str]) -> Result<(Vec<u32>, Encoding), String> {
    decode_string(spellings.iter().copied()).map(|(units, encoding)| (units.to_vec(), encoding))
}

#[test]
fn strings_are_joined_in_one_encoding() {
    assert_eq!(string(&["\"a\\n\"", "\"é\""]), Ok((vec![97, 10, 0xc3, 0xa9], Encoding::Plain)));
    assert_eq!(string(&["\"é\"", "L\"b\""]), Ok((vec![0xe9, 98], Encoding::Wide)));
    assert_eq!(string(&["u\"\u{1f600}\""]), Ok((vec![0xd83d, 0xde00], Encoding::Utf16)));
    assert_eq!(string(&["\"\\1\\18\""]), Ok((vec![1, 1, 56], Encoding::Plain)));
    assert_eq!(string(&["\"a\\\nb\""]), Ok((vec![97, 98], Encoding::Plain)));
    assert!(string(&["L\"a\"", "u\"b\""]).is_err());
}
