//! Names of Rust functions: paths out of mangled symbols, both the `v0` scheme and the older one.
//!
//! Only the path is read: generic arguments are left out, and an implementation is shown by its type. What cannot be read gives `None`.

// law: the stack holds this many levels.
/// How deeply symbols may nest.
const MAX_DEPTH: u32 = 64;

/// The path that the symbol stands for, such as `core::panicking::panic`.
pub fn path(symbol: &str) -> Option<String> {
    if let Some(rest) = symbol.strip_prefix("_R") {
        let mut reader = Reader { text: rest.as_bytes(), at: 0, depth: 0 };
        let path = reader.path()?;
        return Some(path);
    }
    legacy(symbol.strip_prefix("_ZN")?)
}

/// Length-prefixed parts up to `E`; the last one is a hash.
fn legacy(text: &str) -> Option<String> {
    let mut rest = text;
    let mut parts: Vec<String> = Vec::new();
    while !rest.starts_with('E') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        parts.push(rest.get(digits..digits + length)?.to_owned());
        rest = rest.get(digits + length..)?;
    }
    let hash = parts.pop()?;
    let is_hash = hash.len() == 17 && hash.starts_with('h') && hash[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash || parts.is_empty() {
        return None;
    }
    let plain = |part: &String| {
        part.replace("$LT$", "<").replace("$GT$", ">").replace("$u20$", " ").replace("$RF$", "&").replace("..", "::")
    };
    Some(parts.iter().map(plain).collect::<Vec<_>>().join("::"))
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    depth: u32,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }
    fn accept(&mut self, byte: u8) -> bool {
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }
    fn base62(&mut self) -> Option<u64> {
        if self.accept(b'_') {
            return Some(0);
        }
        let mut value = 0u64;
        loop {
            let digit = match self.next()? {
                b'_' => return value.checked_add(1),
                byte @ b'0'..=b'9' => byte - b'0',
                byte @ b'a'..=b'z' => byte - b'a' + 10,
                byte @ b'A'..=b'Z' => byte - b'A' + 36,
                _ => return None,
            };
            value = value.checked_mul(62)?.checked_add(u64::from(digit))?;
        }
    }
    fn disambiguator(&mut self) -> Option<()> {
        if self.accept(b's') {
            self.base62()?;
        }
        Some(())
    }
    fn identifier(&mut self) -> Option<String> {
        self.disambiguator()?;
        self.accept(b'u');
        let mut length = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at).copied() {
            length = length.checked_mul(10)?.checked_add(usize::from(digit - b'0'))?;
            self.at += 1;
            if length == 0 {
                break;
            }
        }
        self.accept(b'_');
        let part = self.text.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        String::from_utf8(part.to_vec()).ok()
    }
    fn path(&mut self) -> Option<String> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let path = self.path_here();
        self.depth -= 1;
        path
    }
    fn path_here(&mut self) -> Option<String> {
        match self.next()? {
            b'C' => self.identifier(),
            b'N' => {
                let space = self.next()?;
                let outer = self.path()?;
                let name = self.identifier()?;
                Some(match (space, name.as_str()) {
                    (b'C', _) => format!("{outer}::{{closure}}"),
                    (b'A'..=b'Z', "") => format!("{outer}::{{shim}}"),
                    _ => format!("{outer}::{name}"),
                })
            }
            b'I' => {
                let path = self.path()?;
                while !self.accept(b'E') {
                    self.generic()?;
                }
                Some(path)
            }
            b'M' => {
                self.disambiguator()?;
                self.path()?;
                self.ty()
            }
            b'X' => {
                self.disambiguator()?;
                self.path()?;
                let ty = self.ty()?;
                let implemented = self.path()?;
                Some(format!("<{ty} as {implemented}>"))
            }
            b'Y' => {
                let ty = self.ty()?;
                let implemented = self.path()?;
                Some(format!("<{ty} as {implemented}>"))
            }
            b'B' => self.back(Self::path),
            _ => None,
        }
    }
    fn back(&mut self, read: fn(&mut Self) -> Option<String>) -> Option<String> {
        let target = self.base62()? as usize;
        if target >= self.at {
            return None;
        }
        let here = std::mem::replace(&mut self.at, target);
        let result = read(self);
        self.at = here;
        result
    }
    fn generic(&mut self) -> Option<()> {
        if self.accept(b'L') {
            self.base62()?;
        } else if self.accept(b'K') {
            self.constant()?;
        } else {
            self.ty()?;
        }
        Some(())
    }
    fn constant(&mut self) -> Option<()> {
        if self.accept(b'B') {
            self.base62()?;
            return Some(());
        }
        self.ty()?;
        while self.next()? != b'_' {}
        Some(())
    }
    fn ty(&mut self) -> Option<String> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let ty = self.ty_here();
        self.depth -= 1;
        ty
    }
    fn ty_here(&mut self) -> Option<String> {
        let basic = |byte: u8| {
            Some(match byte {
                b'a' => "i8",
                b'b' => "bool",
                b'c' => "char",
                b'd' => "f64",
                b'e' => "str",
                b'f' => "f32",
                b'h' => "u8",
                b'i' => "isize",
                b'j' => "usize",
                b'l' => "i32",
                b'm' => "u32",
                b'n' => "i128",
                b'o' => "u128",
                b's' => "i16",
                b't' => "u16",
                b'u' => "()",
                b'v' => "...",
                b'x' => "i64",
                b'y' => "u64",
                b'z' => "!",
                b'p' => "_",
                _ => return None,
            })
        };
        let first = self.next()?;
        match first {
            b'A' => {
                let element = self.ty()?;
                self.constant()?;
                Some(format!("[{element}; _]"))
            }
            b'S' => Some(format!("[{}]", self.ty()?)),
            b'T' => {
                let mut parts = Vec::new();
                while !self.accept(b'E') {
                    parts.push(self.ty()?);
                }
                Some(format!("({})", parts.join(", ")))
            }
            b'R' | b'Q' => {
                if self.accept(b'L') {
                    self.base62()?;
                }
                let inner = self.ty()?;
                Some(format!("&{}{inner}", if first == b'Q' { "mut " } else { "" }))
            }
            b'P' => Some(format!("*const {}", self.ty()?)),
            b'O' => Some(format!("*mut {}", self.ty()?)),
            b'F' => self.function(),
            b'D' => None,
            b'B' => self.back(Self::ty),
            _ => match basic(first) {
                Some(name) => Some(name.to_owned()),
                None => {
                    self.at -= 1;
                    self.path()
                }
            },
        }
    }
    fn function(&mut self) -> Option<String> {
        if self.accept(b'G') {
            self.base62()?;
        }
        self.accept(b'U');
        if self.accept(b'K') && !self.accept(b'C') {
            self.identifier()?;
        }
        while !self.accept(b'E') {
            self.ty()?;
        }
        self.ty()?;
        Some("fn".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn paths_of_both_schemes() {
        let check = |symbol: &str, expected: &str| assert_eq!(path(symbol).as_deref(), Some(expected));
        check("_RNvNtCsgEmfK2I1SDS_4core9panicking5panic", "core::panicking::panic");
        check("_ZN4core9panicking5panic17h0123456789abcdefE", "core::panicking::panic");
        check("_RNvMs9_NtCsgEmfK2I1SDS_4core3numj13unchecked_add", "usize::unchecked_add");
        check("_RINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuECs2yKp7xUVB4o_2r1", "std::rt::lang_start");
        assert_eq!(path("main"), None);
        assert_eq!(path("_ZN3foo3barEv"), None);
        assert_eq!(path("_RB_"), None);
    }
}
