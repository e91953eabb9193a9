//! What is refused, with its place, and what is not.

use base::Severity;
use cfront::{DataModel, Property};

use program::Undefined;
use program::interp::Unclear;

use crate::harness::*;

#[test]
fn a_program_without_main_is_an_error() {
    let Err(found) = lower_with("int f(void) { return 1; }", DataModel::Lp64, Property::UnreachCall) else {
        panic!("a program without `main` was accepted");
    };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Error);
    assert!(found[0].message.contains("main"));
}
#[test]
fn everything_unsupported_is_reported_at_once() {
    let text = "int setjmp(int *); void pthread_create(int);\nint main(void) {\nint b;\nsetjmp(&b);\n__asm__(\"syscall\");\npthread_create(0);\nreturn 0; }";
    assert_eq!(
        refused(text),
        [
            "6: non-local jump: call of `setjmp`",
            "7: assembler that calls the system",
            "8: thread: call of `pthread_create`"
        ]
    );
}
#[test]
fn code_that_is_not_called_is_not_refused() {
    assert!(refused("int bad(void) { __asm__(\"syscall\"); return 0; } int main(void) { return 0; }").is_empty());
}
#[test]
fn an_empty_assembler_statement_is_a_barrier() {
    assert!(refused("int main(void) { __asm__ volatile(\"\" : : : \"memory\"); return 0; }").is_empty());
}
#[test]
fn computed_gotos_go_to_the_labels_whose_address_is_taken() {
    returns("int main(void) { void *p = &&l; goto *p; return 1; k: return 2; l: return 3; }", 3);
    let nowhere = "int main(void) { void *p = 0; if (p) p = &&l; goto *p; l: return 3; }";
    let (program, terms) = lower(nowhere, DataModel::Lp64);
    let run = run(&program, &terms, &[]);
    assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::BadFunctionPointer)));
}
#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let work = || {
        let deep = format!("int main(void) {{ int x = 1; return {}x{}; }}", "-(".repeat(450), ")".repeat(450));
        returns(&deep, 1); // An even number of minus signs.
        let long = format!("int main(void) {{ int x = 1; return x{}; }}", " + x".repeat(5000));
        returns(&long, 5001);
        let ternary = format!("int main(void) {{ int x = 7; return {}0; }}", "x == 3 ? 1 : ".repeat(2000));
        returns(&ternary, 0);
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap().join().unwrap();
}
#[test]
fn what_no_part_treats_is_refused_with_its_place() {
    let cases = [
        (
            "extern int pthread_kill(unsigned long, int) __attribute__((weak)); int main(void) { return !pthread_kill; }",
            "address of the weak function `pthread_kill`",
        ),
        (
            "void f(void) __attribute__((weak)); __asm__(\".globl f\"); int main(void) { return !f; }",
            "address of the weak function `f`",
        ),
        ("void f(void); \n#pragma weak f\nint main(void) { return !f; }", "address of the weak function `f`"),
        ("extern int _v __attribute__((weak)); int main(void) { return &_v == 0; }", "the weak variable `_v`"),
        ("extern char end __attribute__((weak)); int main(void) { return &end == 0; }", "the weak variable `end`"),
        (
            "int x; __attribute__((pure)) int f(void) { x = 1; return 2; } int main(void) { return f(); }",
            "effect in `f`",
        ),
        ("int main(void) { register int r __asm__(\"ebx\") = 3; return r; }", "a variable in a named register"),
        ("int x; extern int y __asm__(\"x\"); int main(void) { return &x == &y; }", "another name in the assembler"),
        ("int x; extern char y[4] __asm__(\"x\"); int main(void) { return y[0]; }", "are one symbol and do not agree"),
        ("extern int y __attribute__((alias(\"x\"))); int main(void) { return y; }", "which is not in this program"),
        ("int main(void) { _BitInt(7) x = 1; return x; }", "the type `_BitInt`"),
        ("extern int setvbuf(); int main(void) { return setvbuf(); }", "memory that the library keeps"),
        (
            "struct f; char a[8]; void setbuf(struct f *, char *); int main(void) { setbuf((struct f *) 0, a); return 0; }",
            "memory that the library keeps",
        ),
        ("extern int pthread_once(); int main(void) { return pthread_once(); }", "calls a function of the program"),
        ("int g(__builtin_va_list); int main(void) { __builtin_va_list l; return g(l); }", "`va_list` passed to `g`"),
        ("int main(void) { return __builtin_nans(\"\") == 0; }", "a signalling NaN"),
        ("int f(void); int main(void) { return __alignof__(f); }", "alignment of a function"),
        ("__asm__(\".set x, y\"); int main(void) { return 0; }", "assembler at file scope"),
    ];
    for (text, expected) in cases {
        let found = refused(text);
        assert!(found.iter().any(|message| message.contains(expected)), "{found:?} for\n{text}");
    }
}
#[test]
fn broken_promises_of_attributes_are_undefined() {
    for text in [
        "__attribute__((noreturn)) void f(void) {} int main(void) { f(); return 0; }",
        "__attribute__((nonnull)) int f(int *p) { return p == 0; } int main(void) { return f(0); }",
    ] {
        let (program, terms) = lower(text, DataModel::Lp64);
        let run = run(&program, &terms, &[]);
        assert_eq!(run.undefined.map(|at| at.what), Some(Unclear::Operation(Undefined::BrokenPromise)), "{text}");
    }
}
#[test]
fn overflow_in_a_static_initialiser_counts() {
    let text = "static int g = 2147483647 + 1; int main(void) { return g; }";
    let (program, terms) = lower_with(text, DataModel::Lp64, Property::NoOverflow).expect("it is accepted");
    assert!(matches!(run(&program, &terms, &[]).outcome, program::interp::Outcome::Error(_)));
}
#[test]
fn a_declaration_of_another_type_is_another_function() {
    let (program, _) = lower(
        "struct door { int o; }; int open(struct door *); int main(void) { struct door d = {0}; open(&d); return d.o; }",
        DataModel::Lp64,
    );
    assert_eq!(count(&program, |action| matches!(action, program::Action::Forget { .. })), 1);
}

#[test]
fn the_type_of_a_wide_bit_field_chooses_no_association() {
    let declared = "struct { long long w : 40; } f;";
    for control in ["f.w", "f.w + 1", "+f.w"] {
        let found =
            refused(&format!("{declared} int main(void) {{ return _Generic({control}, long long: 1, default: 0); }}"));
        assert_eq!(found.len(), 1, "{control}: {found:?}");
        assert!(found[0].contains("a bit-field wider than `int`"), "{found:?}");
    }
}
