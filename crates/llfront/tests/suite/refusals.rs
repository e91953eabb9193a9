//! What is refused is refused by name, and bad input gives diagnostics.

use base::Severity;
use llfront::{Options, Property};
use term::Terms;

fn refusal(text: &str) -> (Severity, String, u32) {
    let options = Options { property: Property::UnreachCall, entry: None };
    match llfront::compile("test.ll", text, &options, &mut Terms::new()) {
        Ok(_) => panic!("this is refused: {text}"),
        Err(found) => (found[0].severity, found[0].message.clone(), found[0].line),
    }
}

#[test]
fn constructs_that_are_not_treated_are_named() {
    let cases = [
        ("define i32 @main() {\n  %x = va_arg ptr null, i32\n  ret i32 %x\n}\n", "va_arg"),
        ("define i32 @main() {\n  call void asm \"rdtsc\", \"\"()\n  ret i32 0\n}\n", "rdtsc"),
        ("define i32 @main(ptr addrspace(1) %p) {\n  ret i32 0\n}\n", "address space"),
        (
            "declare void @__cxa_throw(ptr)\ndefine i32 @main() {\n  call void @__cxa_throw(ptr null)\n  ret i32 0\n}\ndefine void @f() {\n  %p = landingpad { ptr, i32 }\n          catch ptr null\n  ret void\n}\n",
            "exception",
        ),
        ("declare void @f(ptr)\ndefine i32 @main() {\n  call void @f(ptr null)\n  ret i32 0\n}\n", "no body"),
        (
            "declare <4 x i32> @llvm.x86.foo(<4 x i32>)\ndefine i32 @main() {\n  %x = call <4 x i32> @llvm.x86.foo(<4 x i32> zeroinitializer)\n  ret i32 0\n}\n",
            "llvm.x86.foo",
        ),
        (
            "define i32 @main() {\n  br label %next\n  ret i32 0\nnext:\n  %x = phi i32 [ 0, %0 ]\n  ret i32 %x\n}\n",
            "behind the end",
        ),
        ("target datalayout = \"E\"\ndefine i32 @main() {\n  ret i32 0\n}\n", "big-endian"),
    ];
    for (text, word) in cases {
        let (severity, message, _) = refusal(text);
        assert_eq!(severity, Severity::Unsupported, "{message}");
        assert!(message.contains(word), "{message} does not name {word}");
    }
}

#[test]
fn bad_text_is_an_error_with_its_line() {
    let (severity, message, line) = refusal("define i32 @main() {\n  ret i32 ]\n}\n");
    assert_eq!((severity, line), (Severity::Error, 2), "{message}");
    let (severity, message, _) = refusal("define i32 @f() {\n  ret i32 0\n}\n");
    assert_eq!(severity, Severity::Error);
    assert!(message.contains("main"), "{message}");
    let (severity, ..) = refusal("define i32 @main() {\n  br label %nowhere\n}\n");
    assert_eq!(severity, Severity::Error);
}

#[test]
fn deep_nesting_is_an_error_and_no_stack_overflow() {
    let deep = format!("@x = global {}i8{} zeroinitializer\n", "[1 x ".repeat(100_000), "]".repeat(100_000));
    let text = format!("{deep}define ptr @main() {{\n  ret ptr @x\n}}\n");
    assert_eq!(refusal(&text).0, Severity::Error);
    let types: String = (0..1000).map(|n| format!("%t{n} = type {{ %t{} }}\n", n + 1)).collect();
    let text = format!(
        "{types}%t1000 = type {{ i8 }}\n@x = global %t0 zeroinitializer\ndefine ptr @main() {{\n  ret ptr @x\n}}\n"
    );
    assert_eq!(refusal(&text).0, Severity::Unsupported);
}

#[test]
fn mutated_text_never_panics() {
    let text = include_str!("sample.ll");
    let options = Options { property: Property::Errors, entry: None };
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    let marks = *b"%@!#\"(){}[]<>,=*:0-ic\n";
    for _ in 0..3000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + next() % 3 {
            let at = next() % bytes.len();
            match next() % 3 {
                0 => bytes[at] = marks[next() % marks.len()],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, marks[next() % marks.len()]),
            }
        }
        let mutated = String::from_utf8_lossy(&bytes).into_owned();
        let mut terms = Terms::new();
        if let Ok(compiled) = llfront::compile("mutated.ll", &mutated, &options, &mut terms) {
            assert_eq!(program::validate(&compiled.program, &terms), Ok(()), "{mutated}");
        }
    }
}
