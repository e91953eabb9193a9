//! Reading what the user gave: the language by the file's extension, the bytes, the text.

use std::io::Read;
use std::path::Path;

use base::{Diagnostic, Severity};

use crate::failure::Failure;

/// The languages that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C that may need the preprocessor (`.c`, standard input).
    C,
    /// C after the preprocessor (`.i`).
    PreprocessedC,
    /// Transition systems in SMT-LIB (`.vmt`, `.smt2`).
    Vmt,
    /// Transition systems of words (`.btor`, `.btor2`).
    Btor2,
    /// Our text form (`.cfa`).
    Cfa,
    /// Boogie (`.bpl`).
    Boogie,
    /// Textual LLVM IR (`.ll`).
    Llvm,
    /// LLVM bitcode (`.bc`).
    Bitcode,
    /// Rust (`.rs`).
    Rust,
    /// C++ (`.cpp`, `.cc`, `.cxx`).
    Cpp,
}

// law: positions are 32-bit numbers.
/// Larger files are refused: positions are 32-bit numbers.
pub const MAX_BYTES: u64 = 512 << 20;

/// The language of a file of this name.
pub fn language(file: &str) -> Result<Language, Failure> {
    if file == "-" {
        return Ok(Language::C);
    }
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "c" => Ok(Language::C),
        "i" => Ok(Language::PreprocessedC),
        "cfa" => Ok(Language::Cfa),
        "vmt" | "smt2" => Ok(Language::Vmt),
        "btor" | "btor2" => Ok(Language::Btor2),
        "bpl" => Ok(Language::Boogie),
        "ll" => Ok(Language::Llvm),
        "bc" => Ok(Language::Bitcode),
        "rs" => Ok(Language::Rust),
        "cpp" | "cc" | "cxx" => Ok(Language::Cpp),
        "" => {
            Err(Failure::Usage(format!("{file}: the file extension selects the language, and there is none; {KNOWN}")))
        }
        other => Err(Failure::Usage(format!("{file}: .{other} is not a language that we know; {KNOWN}"))),
    }
}

const KNOWN: &str = "known are .c and .i (C), .rs (Rust), .cpp, .cc and .cxx (C++), .ll and .bc (LLVM), .bpl (Boogie), .vmt and .smt2 (VMT), \
     .btor and .btor2 (BTOR2), .cfa (uforia's text form)";

impl Language {
    /// Whether programs come as C.
    pub fn is_c(self) -> bool {
        matches!(self, Language::C | Language::PreprocessedC)
    }
    /// Whether programs come as LLVM IR.
    pub fn is_llvm(self) -> bool {
        matches!(self, Language::Llvm | Language::Bitcode | Language::Rust | Language::Cpp)
    }
}

/// All bytes of the file, or of standard input for `-`.
pub fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot read {file}: {error}"));
    let mut bytes = Vec::new();
    let size = if file == "-" {
        std::io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?
    } else {
        let opened = std::fs::File::open(file).map_err(cannot)?;
        if opened.metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(Failure::CannotRead(format!("cannot read {file}: it is a folder, not a file")));
        }
        opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?
    };
    if size as u64 > MAX_BYTES {
        return Err(Failure::CannotRead(format!("cannot read {file}: it is larger than {} MiB", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

/// The bytes as text, as [`decoded`] gives it; a null byte says that this is no text at all.
pub fn text(file: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let message = "a null byte: this is binary data, not the text of a program";
        return Err(Failure::Invalid(vec![about(file, line as u32, message)]));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::Invalid(vec![about(file, 0, "the file is empty")]));
    }
    Ok(decoded(bytes))
}

/// What some editors put in front of UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes as text, without loss: a byte that is not UTF-8 becomes the octal escape that stands for it in a C literal. Elsewhere such a byte is
/// in a comment, or an error. A byte-order mark in front is not part of the text.
pub fn decoded(mut bytes: Vec<u8>) -> String {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // A backslash in front already begins the escape: an unknown escape stands for its character.
            let n_backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
            text.push_str(if n_backslashes % 2 == 0 { "\\" } else { "" });
            text.push_str(&format!("{byte:03o}"));
        }
    }
    text
}

/// An error about a whole line or file.
pub fn about(file: &str, line: u32, message: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: file.to_owned(),
        line,
        column: 0,
        length: 1,
        source_line: String::new(),
        message: message.to_owned(),
        help: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_selects_the_language() {
        assert_eq!(language("a/b.c").ok(), Some(Language::C));
        assert_eq!(language("x.cil.I").ok(), Some(Language::PreprocessedC));
        assert_eq!(language("x.cfa").ok(), Some(Language::Cfa));
        assert_eq!(language("x.vmt").ok(), Some(Language::Vmt));
        assert_eq!(language("x.btor2").ok(), Some(Language::Btor2));
        assert_eq!(language("x.bpl").ok(), Some(Language::Boogie));
        assert_eq!(language("x.ll").ok(), Some(Language::Llvm));
        assert_eq!(language("x.rs").ok(), Some(Language::Rust));
        assert_eq!(language("x.cc").ok(), Some(Language::Cpp));
        assert!(matches!(language("x.py"), Err(Failure::Usage(text)) if text.contains(".c and .i")));
        assert!(matches!(language("Makefile"), Err(Failure::Usage(_))));
    }

    #[test]
    fn latin_1_is_read_and_binary_data_is_not() {
        assert_eq!(text("a.c", b"// caf\xe9\nint x;".to_vec()).ok().as_deref(), Some("// caf\\351\nint x;"));
        assert_eq!(decoded(b"\"\xe9\x80 \\\xe9 \\\\\xe9 \xc3\xa9\"".to_vec()), "\"\\351\\200 \\351 \\\\\\351 é\"");
        assert_eq!(text("a.c", b"\xef\xbb\xbfint x;".to_vec()).ok().as_deref(), Some("int x;"));
        assert!(matches!(text("a.c", b"int\n\0".to_vec()), Err(Failure::Invalid(found)) if found[0].line == 2));
        assert!(matches!(text("a.c", b" \n".to_vec()), Err(Failure::Invalid(_))));
    }
}
