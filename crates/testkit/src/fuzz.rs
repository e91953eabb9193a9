//! Unusual inputs: mutations of valid programs, for finding panics, hangs and
//! explosions of the front end.
//!
//! A mutation works on bytes (flip, delete, insert, truncate), on tokens (delete, repeat, swap,
//! replace by a word of the language) or on two programs (splice). The rest of the work, running each
//! input where a crash does no harm, is `cargo xtask fuzz`.

use base::Random;

/// Words and constructs that lead into rare corners.
const WORDS: &[&str] = &[
    "int",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "sizeof",
    "_Alignof",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "&&",
    "...",
    ":",
    "?",
    "=",
    "==",
    "->",
    ".",
    "++",
    "--",
    "<<=",
    "~",
    "!",
    "0",
    "1",
    "-1",
    "0xffffffffffffffff",
    "99999999999999999999999",
    "1e999",
    "0x1p-9999",
    "'a'",
    "''",
    "\"s\"",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "# 1 \"x\"",
    "#line 5",
    "case",
    "default:",
    "goto",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "return",
    "break",
    "continue",
    "__attribute__((packed))",
    "__attribute__((",
    "__typeof__(",
    "_Generic(",
    "_Static_assert(0, \"\")",
    "__builtin_va_arg(",
    "__builtin_offsetof(",
    "({",
    "})",
    "__int128",
    "_Bool",
    "float",
    "long double",
    "void",
    "main",
    "x",
    "_Alignas(",
    "volatile",
    "const",
    "restrict",
    "inline",
    "_Noreturn",
    "asm(\"\")",
    "__label__",
    ": 0",
    ": 99",
    "[-1]",
    "[0]",
    "[99999999999]",
    "[4294967296]",
    "...)",
    "\0",
    "\u{feff}",
    "é",
    "%:",
    "??=",
    "__VERIFIER_nondet_int()",
    "&&label",
    "__extension__",
    "_Complex",
    "1.0f",
    "1ull",
    "0b11",
    "08",
    "0x",
];

/// One input made from these programs; the same random numbers make the same input.
pub fn mutant(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(seeds).clone();
    if random.one_in(300) {
        return garbage(random);
    }
    if random.one_in(200) {
        return nested(random);
    }
    for _ in 0..1 + random.below(8) {
        if text.is_empty() {
            text = random.pick(seeds).clone();
        }
        match random.below(12) {
            0 => flip(&mut text, random),
            1 => text.truncate(random.below(text.len() as u64 + 1) as usize),
            2 => delete(&mut text, random),
            3 => {
                let at = random.below(text.len() as u64 + 1) as usize;
                text.insert(at, random.bits() as u8);
            }
            4 | 5 => {
                let other = random.pick(seeds).clone();
                splice(&mut text, &other, random);
            }
            6 => repeat(&mut text, random),
            _ => token(&mut text, random),
        }
        text.truncate(1 << 20);
    }
    text
}

fn flip(text: &mut [u8], random: &mut Random) {
    let at = random.below(text.len() as u64) as usize;
    text[at] ^= 1 << random.below(8);
}

fn range(length: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(length as u64 + 1) as usize;
    let most = if random.one_in(4) { length } else { 40 };
    let size = random.below((length - start).min(most) as u64 + 1) as usize;
    start..start + size
}

fn delete(text: &mut Vec<u8>, random: &mut Random) {
    let range = range(text.len(), random);
    text.drain(range);
}

fn repeat(text: &mut Vec<u8>, random: &mut Random) {
    let range = range(text.len(), random);
    let times = 1 << random.below(8);
    let piece = text[range.clone()].repeat(times);
    if piece.len() < 200_000 {
        text.splice(range.clone(), piece);
    }
}

fn splice(text: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let from = range(other.len(), random);
    let to = range(text.len(), random);
    text.splice(to, other[from].iter().copied());
}

/// Changes one token, or puts one in.
fn token(text: &mut Vec<u8>, random: &mut Random) {
    let mut borders: Vec<usize> = (1..text.len())
        .filter(|&i| {
            let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
            word(text[i - 1]) != word(text[i]) || !word(text[i])
        })
        .collect();
    borders.insert(0, 0);
    borders.push(text.len());
    let at = random.below(borders.len() as u64 - 1) as usize;
    let range = borders[at]..borders[at + 1];
    match random.below(5) {
        0 => {
            text.drain(range);
        }
        1 => {
            let piece = text[range.clone()].to_vec();
            text.splice(range.end..range.end, piece);
        }
        2 => {
            let other = random.below(borders.len() as u64 - 1) as usize;
            let piece = text[borders[other]..borders[other + 1]].to_vec();
            text.splice(range, piece);
        }
        3 => {
            text.splice(range, random.pick(WORDS).bytes());
        }
        _ => {
            let word = format!(" {} ", random.pick(WORDS));
            text.splice(range.start..range.start, word.into_bytes());
        }
    }
}

fn garbage(random: &mut Random) -> Vec<u8> {
    (0..random.below(5000)).map(|_| random.bits() as u8).collect()
}

/// The same construct inside itself, thousands of times.
fn nested(random: &mut Random) -> Vec<u8> {
    let depth = 1 << random.below(18);
    let (before, middle, after) = *random.pick(&[
        ("(", "1", ")"),
        ("{", ";", "}"),
        ("[", "1", "]"),
        ("!", "1", ""),
        ("-", "1", ""),
        ("*", "x", ""),
        ("x=", "1", ""),
        ("x?", "1", ":1"),
        ("1?1:", "1", ""),
        ("x+(", "1", ")"),
        ("if(x)", ";", ""),
        ("if(x);else ", ";", ""),
        ("while(x)", ";", ""),
        ("struct{", "int x;", "}x;"),
        ("sizeof(", "1", ")"),
        ("(int)", "1", ""),
        ("f(", "1", ")"),
        ("({", "1;", "})"),
        ("{.x=", "1", "}"),
        ("1+", "1", ""),
        ("1,", "1", ""),
        ("x.", "x", ""),
        ("case 1:", ";", ""),
        ("l:", ";", ""),
        ("__typeof__(", "1", ")"),
        ("int(*", "x", ")(void)"),
        ("&&", "x", ""),
    ]);
    let (head, tail) = *random.pick(&[
        ("int main(void) { int x; x = ", "; }"),
        ("int main(void) { int x; ", " }"),
        ("int x = ", ";"),
        ("", ";"),
        ("", ""),
    ]);
    // Sometimes the closing part is missing.
    let closings = if random.one_in(4) { 0 } else { depth };
    format!("{head}{}{middle}{}{tail}", before.repeat(depth), after.repeat(closings)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_reproducible_and_differ_from_their_seed() {
        let seeds = vec![b"int main(void) { return 1 + 2; }".to_vec(), b"struct s { int a; } x;".to_vec()];
        let make = |number| mutant(&seeds, &mut Random::new(number));
        let changed = (0..200).filter(|&number| !seeds.contains(&make(number))).count();
        assert!(changed > 150, "only {changed} of 200 mutants differ");
        assert!((0..50).all(|number| make(number) == make(number)));
    }
}
