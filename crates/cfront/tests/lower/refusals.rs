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
fn everything_unsupported_is_told_at_once() {
    let text = "int setjmp(int *); void pthread_create(int);\nint main(void) {\nint b;\nsetjmp(&b);\n__asm__(\"nop\");\npthread_create(0);\nreturn 0; }";
    assert_eq!(
        refused(text),
        ["6: non-local jump: call of `setjmp`", "7: inline assembler", "8: thread: call of `pthread_create`"]
    );
}
#[test]
fn code_that_is_not_called_is_not_refused() {
    assert!(refused("int bad(void) { __asm__(\"nop\"); return 0; } int main(void) { return 0; }").is_empty());
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
