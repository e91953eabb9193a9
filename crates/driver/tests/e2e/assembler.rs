//! Inline assembler: exact instructions, constraints, and what is not confirmed.

use crate::support::{Folder, uforia};

const HEAD: &str = "extern void reach_error(void);\n";

#[test]
fn an_error_that_depends_on_assembler_is_not_confirmed() {
    let folder = Folder::new("asm-output");
    let safe = folder.file(
        "safe.c",
        format!("{HEAD}int main(void) {{ int x = 1; __asm__ volatile(\"rdtsc\" : \"=a\"(x) : : \"edx\"); if (x > 5 && x < 3) reach_error(); }}\n"),
    );
    let said = uforia(&["check", &safe]).exits(0).answers("SAFE");
    assert!(said.out.contains("assembler `rdtsc` is taken to do what its operands"), "{said:?}");
    let depends = folder.file(
        "depends.c",
        format!("{HEAD}int main(void) {{ int x = 1; __asm__ volatile(\"rdtsc\" : \"=a\"(x) : : \"edx\"); if (x == 5) reach_error(); }}\n"),
    );
    uforia(&["check", &depends]).exits(2).answers("UNKNOWN");
    let without = folder.file(
        "without.c",
        format!("{HEAD}int main(void) {{ int x = 1; __asm__ volatile(\"rdtsc\" : : : \"eax\", \"edx\"); if (x == 1) reach_error(); }}\n"),
    );
    uforia(&["check", &without]).exits(1).answers("UNSAFE");
}

#[test]
fn memory_that_assembler_may_write_is_forgotten() {
    let folder = Folder::new("asm-memory");
    let program = |operands: &str| {
        format!(
            "{HEAD}int main(void) {{ int x = 1; int *p = &x; __asm__ volatile(\"cpuid\" : {operands}); if (x != 1) reach_error(); return *p; }}\n"
        )
    };
    // An output in memory, a pointer with the clobber `memory`, an input in memory with it, a pointer for a call.
    for operands in ["\"=m\"(x)", ": \"r\"(p) : \"memory\"", ": \"m\"(x) : \"memory\""] {
        let file = folder.file("a.c", program(operands));
        uforia(&["check", &file]).exits(2).answers("UNKNOWN");
    }
    let call = folder.file("call.c", program(": \"r\"(p)").replace("cpuid", "call f"));
    uforia(&["check", &call]).exits(2).answers("UNKNOWN");
    // Without the clobber it reads only.
    for operands in [": \"r\"(p)", ": \"m\"(x)", ": : \"memory\""] {
        let file = folder.file("b.c", program(operands));
        uforia(&["check", &file]).exits(0).answers("SAFE");
    }
}

#[test]
fn assembler_with_labels_goes_to_any_of_them() {
    let folder = Folder::new("asm-goto");
    let program = |condition: &str| {
        format!(
            "{HEAD}int main(void) {{ int x = 1; __asm__ goto(\"1: jmp %l0\" : : : : out, other); x = 2; out: x++; other: if ({condition}) reach_error(); return 0; }}\n"
        )
    };
    uforia(&["check", &folder.file("a.c", program("x < 1 || x > 3"))]).exits(0).answers("SAFE");
    for value in ["1", "2", "3"] {
        uforia(&["check", &folder.file("b.c", program(&format!("x == {value}")))]).exits(2).answers("UNKNOWN");
    }
}

#[test]
fn the_instruction_that_ends_the_run_ends_it() {
    let folder = Folder::new("asm-ud2");
    let file = folder
        .file("a.c", format!("{HEAD}int main(void) {{ __asm__ volatile(\"1: ud2\"); reach_error(); return 0; }}\n"));
    uforia(&["check", "--property", "unreach-call", &file]).exits(0).answers("SAFE");
}
