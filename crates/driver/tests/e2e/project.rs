//! Parts of projects: compilation databases, files of arguments, single functions.

use crate::support::{Folder, uforia};

const LIMIT: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (x > LIMIT && x <= OTHER) reach_error(); return 0; }\n";

#[test]
fn a_compilation_database_gives_the_options_of_each_file() {
    let folder = Folder::new("database");
    std::fs::create_dir_all(folder.path().join("inc")).expect("the folder can be written");
    folder.file("inc/other.h", "#define OTHER 5\n");
    let main = folder.file("main.c", LIMIT);
    let entry = |flags: &str| {
        format!("[{{\"directory\": \".\", \"file\": \"main.c\", \"command\": \"cc {flags} -O2 -c -o main.o main.c\"}}]")
    };
    let database = folder.path().to_str().expect("a plain name").to_owned();
    folder.file("compile_commands.json", entry("-DLIMIT=5 -Iinc -include inc/other.h"));
    uforia(&["check", "-p", &database, &main]).exits(0).answers("SAFE");
    let list = folder.file("compile_commands.json", entry("-D LIMIT=4 -DOTHER=5"));
    uforia(&["check", "--compile-commands", &list, &main]).exits(1).answers("UNSAFE");
    // The command line comes last.
    uforia(&["check", "-p", &database, "-DOTHER=4", &main]).exits(0).answers("SAFE");
    let words = format!(
        "[{{\"directory\": {:?}, \"file\": {main:?}, \"arguments\": [\"cc\", \"-m32\", \"-DLIMIT=5\", \"-DOTHER=5\", \"main.c\"]}}]",
        database
    );
    folder.file("compile_commands.json", words);
    uforia(&["check", "-p", &database, &main]).exits(64).complains("--data-model ilp32");
    uforia(&["check", "-p", &database, "--data-model", "ilp32", &main]).exits(0).answers("SAFE");
}

#[test]
fn what_a_compilation_database_cannot_say_is_reported() {
    let folder = Folder::new("database-wrong");
    let main = folder.file("main.c", "int main(void) { return 0; }\n");
    let database = folder.path().to_str().expect("a plain name").to_owned();
    uforia(&["lower", "-p", &database, &main]).exits(66).complains("compile_commands.json");
    folder.file("compile_commands.json", "[{]");
    uforia(&["lower", "-p", &database, &main]).exits(65).complains("compile_commands.json");
    folder.file("compile_commands.json", "[]");
    uforia(&["lower", "-p", &database, &main]).exits(0).complains("not in the compilation database");
    folder.file(
        "compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"main.c\", \"command\": \"cc -funsigned-char -c main.c\"}]",
    );
    uforia(&["check", "-p", &database, &main]).exits(2).complains("-funsigned-char");
}

#[test]
fn a_file_of_arguments_stands_for_its_words() {
    let folder = Folder::new("arguments");
    let main = folder.file("a b.c", LIMIT);
    let inner = folder.file("inner", "-DOTHER=5");
    let words = folder.file("words", format!("check -DLIMIT=5 '@{inner}'\n\"{main}\""));
    uforia(&[&format!("@{words}")]).exits(0).answers("SAFE");
    uforia(&["check", "-DLIMIT=4", &format!("@{inner}"), &main]).exits(1).answers("UNSAFE");
    uforia(&["check", "@no-such-file"]).exits(64).complains("cannot read no-such-file");
    let itself = folder.path().join("itself");
    folder.file("itself", format!("@{}", itself.display()));
    uforia(&[&format!("@{}", itself.display())]).exits(64).complains("contain one another");
}

const LIST: &str = "#include <stddef.h>\nextern void reach_error(void);\n\
    struct ring { unsigned start, n, size; struct ring *next; };\n\
    int table[4] = { 1, 2, 3, 4 };\nint count;\nstatic int limit = 7;\n\
    void set(int n) { count = n; }\n\
    struct pair { unsigned one, other; };\n\
    unsigned first(struct pair *p) { return p ? p->one : 0; }\n\
    void deref(struct ring *r) { r->n = 1; }\n\
    void push(struct ring *r) { if (r && r->n < r->size) { r->n++; if (r->n > r->size) reach_error(); } }\n\
    void wrong(struct ring *r) { if (r) { r->n++; if (r->n > r->size) reach_error(); } }\n\
    void same(struct ring *a, struct ring *b) { if (a && b) { a->n = 1; b->n = 2; if (a->n != 1) reach_error(); } }\n\
    void text(char *s) { if (s && s[7] != 0) reach_error(); }\n\
    void global(void) { if (count == 3) reach_error(); }\n\
    void constant(void) { if (table[2] != 3 || limit != 7) reach_error(); }\n";

#[test]
fn a_function_is_checked_by_itself() {
    let folder = Folder::new("function");
    let file = folder.file("ring.c", LIST);
    let check = |function: &str| {
        uforia(&["check", "--property", "unreach-call", "--timeout", "60s", "--function", function, &file])
    };
    let said = check("push").exits(0).answers("SAFE");
    assert!(said.out.contains("`r` is taken to be null or to point to one `struct ring`"), "{said:?}");
    check("wrong").exits(1).answers("UNSAFE");
    // Two pointers of one type may be equal.
    check("same").exits(1).answers("UNSAFE");
    check("text").exits(0).answers("SAFE");
    check("constant").exits(0).answers("SAFE");
    check("global").exits(1).answers("UNSAFE");
    uforia(&["check", "--property", "unreach-call", "--globals", "initial", "--function", "global", &file])
        .exits(0)
        .answers("SAFE");
    // Objects of callers are there, and null is one of the values.
    uforia(&["check", "--function", "first", "--timeout", "60s", &file]).exits(0).answers("SAFE");
    uforia(&["check", "--function", "deref", &file]).exits(1).answers("UNSAFE");
}

#[test]
fn a_function_that_frees_its_argument_gets_memory_that_can_be_freed() {
    let folder = Folder::new("function-free");
    let file = folder
        .file("a.c", "#include <stdlib.h>\nvoid once(int *p) { free(p); }\nvoid twice(int *p) { free(p); free(p); }\n");
    uforia(&["check", "--function", "once", &file]).exits(0).answers("SAFE");
    uforia(&["check", "--function", "twice", &file]).exits(1).answers("UNSAFE");
}

#[test]
fn what_needs_a_start_in_main_is_refused_for_functions() {
    let folder = Folder::new("function-wrong");
    let file = folder.file("a.c", "int f(int x) { return x; }\n");
    uforia(&["check", "--function", "g", &file]).exits(65).complains("there is no function `g`");
    uforia(&["check", &file]).exits(65).complains("--function");
    let witness = folder.path().join("w.yml");
    uforia(&["check", "--function", "f", "--witness", witness.to_str().expect("a plain name"), &file])
        .exits(64)
        .complains("start in `main`");
    uforia(&["check", "--function", "f", "--property", "valid-memcleanup", &file]).exits(64).complains("leaks");
    uforia(&["check", "--function", "f", "a.bpl"]).exits(64).complains("--entry");
}
