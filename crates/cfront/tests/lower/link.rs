//! Programs of several files: what C and the linker say about their names and types.

use base::{Diagnostic, Severity};
use cfront::{DataModel, Options, Property, compile_files};
use program::interp::Outcome;
use term::Terms;

use crate::harness::{BOTH, run};

fn linked(files: &[&str], model: DataModel) -> Result<(i32, Vec<Diagnostic>), Vec<Diagnostic>> {
    const NAMES: [&str; 3] = ["a.c", "b.c", "c.c"];
    let files: Vec<(&str, &str)> = NAMES.iter().copied().zip(files.iter().copied()).collect();
    let options = Options::new(model, Property::UnreachCall);
    let mut terms = Terms::new();
    let compiled = compile_files(&files, &options, &mut terms)?;
    assert_eq!(program::validate(&compiled.program, &terms), Ok(()));
    let run = run(&compiled.program, &terms, &[]);
    assert_eq!(run.undefined, None, "{files:?}");
    match run.outcome {
        Outcome::Returned(Some(value)) => Ok((value as u32 as i32, compiled.warnings)),
        other => panic!("{other:?} instead of a result of {files:?}"),
    }
}

/// The program returns this under both data models, without a warning.
fn returns(files: &[&str], expected: i32) {
    for model in BOTH {
        let (result, warnings) = linked(files, model).unwrap_or_else(|found| panic!("{found:#?}\nin {files:?}"));
        assert_eq!((result, warnings.len()), (expected, 0), "{warnings:?} {files:?}");
    }
}

/// The one diagnostic that is no warning, as `FILE:LINE: SEVERITY: MESSAGE (HELP)`.
fn refused(files: &[&str]) -> String {
    match linked(files, DataModel::Lp64) {
        Ok(_) => panic!("accepted: {files:?}"),
        Err(found) => {
            let found: Vec<String> = found
                .iter()
                .filter(|one| one.severity != Severity::Warning)
                .map(|one| format!("{}:{}: {:?}: {} ({})", one.file, one.line, one.severity, one.message, one.help))
                .collect();
            assert_eq!(found.len(), 1, "{found:#?}");
            found[0].clone()
        }
    }
}

#[test]
fn functions_and_objects_of_other_files_are_found() {
    returns(&["int f(int); int main(void) { return f(4); }", "int g = 3; int f(int x) { return x + g; }"], 7);
    returns(
        &["extern int g; void set(void); int main(void) { set(); return g; }", "int g; void set(void) { g = 9; }"],
        9,
    );
    returns(&["int f(void) { return 5; }", "int f(void); int main(void) { return f(); }"], 5);
}

#[test]
fn a_pointer_to_an_object_of_another_file_is_the_same_everywhere() {
    returns(
        &[
            "extern int g; int *where(void); int main(void) { return where() == &g ? *where() : 0; }",
            "int g = 6; int *where(void) { return &g; }",
        ],
        6,
    );
    returns(
        &[
            "int f(int); int (*other(void))(int); int main(void) { return other() == f ? other()(2) : 0; }",
            "int f(int x) { return 3 * x; } int (*other(void))(int) { return f; }",
        ],
        6,
    );
}

#[test]
fn statics_of_one_name_are_apart() {
    returns(
        &[
            "static int s = 1; static int f(void) { return s; } int g(void); int main(void) { return 10 * f() + g(); }",
            "static int s = 2; static int f(void) { return s++; } int g(void) { f(); return f(); }",
        ],
        13,
    );
}

#[test]
fn records_of_one_tag_are_one_type() {
    let header = "struct list { struct list *next; int value; }; typedef struct { struct list *first; } set;";
    returns(
        &[
            &format!(
                "{header} int sum(set); int main(void) {{ struct list a = {{ 0, 1 }}, b = {{ &a, 2 }}; set s = {{ &b }}; return sum(s); }}"
            ),
            &format!(
                "{header} int sum(set s) {{ int n = 0; for (struct list *p = s.first; p; p = p->next) n += p->value; return n; }}"
            ),
        ],
        3,
    );
    // Complete in one file only, whichever comes first.
    let opaque = "struct box; int open(struct box *); struct box *get(void); int main(void) { return open(get()); }";
    let full = "struct box { char c; int x; } b = { 1, 8 }; struct box *get(void) { return &b; } int open(struct box *p) { return p->x; }";
    returns(&[opaque, full], 8);
    returns(&[full, opaque], 8);
}

#[test]
fn a_tag_may_mean_something_else_in_another_file() {
    returns(
        &[
            "struct s { int x; }; int f(void); int main(void) { struct s v = { 2 }; return v.x + f(); }",
            "struct s; static int g(struct s *); struct s { char a[3]; struct s *p; }; static int g(struct s *p) { return sizeof p->a; } \
           int f(void) { struct s v; return g(&v); }",
        ],
        5,
    );
}

#[test]
fn records_without_a_tag_agree_by_their_members() {
    let one = "typedef struct { long quot, rem; } ldiv_t; ldiv_t split(long, long);";
    let other = "typedef struct { long quot, rem; } imaxdiv_t; imaxdiv_t divide(long, long);";
    let main = "int main(void) { ldiv_t v = split(17, 5); return 10 * v.quot + v.rem; }";
    let body = "ldiv_t split(long a, long b) { ldiv_t v = { a / b, a % b }; return v; }";
    // One file knows two types with these members, in either order, and the other file one of them.
    returns(&[&format!("{other} {one} {main}"), &format!("{one} {body}")], 32);
    returns(&[&format!("{one} {main}"), &format!("{other} {one} {body}")], 32);
    returns(&[&format!("{one} {other} {main}"), &format!("{other} {one} {body}")], 32);
}

#[test]
fn streams_of_different_headers_agree() {
    let ours = "struct __uforia_file { long a[27]; }; typedef struct __uforia_file FILE;";
    let theirs = "struct _IO_FILE { int flags; char *p; }; typedef struct _IO_FILE FILE;";
    let main = "int f(FILE *, int); int main(void) { return f((FILE *) 0, 4); }";
    let body = "int f(FILE *s, int x) { return s ? 0 : x; }";
    returns(&[&format!("{ours} {main}"), &format!("{theirs} {body}")], 4);
    // Not for other structs.
    let other = body.replace("FILE", "struct f");
    let (_, warnings) =
        linked(&[&format!("{ours} {main}"), &format!("struct f {{ int x; }}; {other}")], DataModel::Lp64)
            .expect("it links");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn an_array_of_unknown_length_is_that_of_its_definition() {
    returns(
        &[
            "extern int a[]; int n(void); int main(void) { return a[2] + n(); }",
            "int a[3] = { 1, 2, 3 }; int n(void) { return sizeof a / sizeof a[0]; }",
        ],
        6,
    );
}

#[test]
fn two_definitions_are_an_error_that_names_both() {
    let found = refused(&["int f(void) { return 1; } int main(void) { return f(); }", "\nint f(void) { return 2; }"]);
    assert_eq!(found, "b.c:2: Error: `f` is defined twice (it is also defined at a.c:1)");
    let found = refused(&["int g = 1; int main(void) { return g; }", "int g = 1;"]);
    assert_eq!(found, "b.c:1: Error: `g` is defined twice (it is also defined at a.c:1)");
    let found = refused(&["int f(void); int main(void) { return f(); }", "int f = 1;"]);
    assert!(found.contains("`f` is a function in one file and a variable in another"), "{found}");
}

#[test]
fn tentative_definitions_are_one_object() {
    let files = ["int g; void set(void); int main(void) { set(); return g; }", "int g; void set(void) { g = 4; }"];
    let (result, warnings) = linked(&files, DataModel::Lp64).expect("it links");
    assert_eq!(result, 4);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    returns(&["int g; int main(void) { return g; }", "int g = 5;"], 5);
}

#[test]
fn weak_definitions_give_way() {
    let strong = "int f(void) { return 1; }";
    let weak = "__attribute__((weak)) int f(void) { return 2; } int g(void) { return f(); }";
    let main = "int g(void); int main(void) { return g(); }";
    returns(&[weak, strong, main], 1);
    returns(&[strong, weak, main], 1);
    returns(&[weak, main], 2);
}

#[test]
fn inline_definitions_are_for_their_own_file() {
    let header = "inline int f(void) { return 3; }";
    returns(
        &[
            &format!("{header} extern int f(void); int g(void); int main(void) {{ return f() + g(); }}"),
            &format!("{header} int g(void) {{ return f(); }}"),
        ],
        6,
    );
    returns(
        &[
            "static inline int f(void) { return 1; } int g(void); int main(void) { return f() + g(); }",
            "static inline int f(void) { return 2; } int g(void) { return f(); }",
        ],
        3,
    );
}

#[test]
fn types_that_do_not_agree_are_refused_with_both_places() {
    let found = refused(&["extern long g; int main(void) { return g; }", "int g = 1;"]);
    assert_eq!(found, "a.c:1: Unsupported: `g` has another type in another file: `long` here and `int` at b.c:1 ()");
    let found = refused(&["int f(double); int main(void) { return f(1); }", "int f(int x) { return x; }"]);
    assert!(found.contains("`f` has another type in another file"), "{found}");
    // The same on every machine that we model, so a warning is enough.
    let (result, warnings) =
        linked(&["int f(unsigned); int main(void) { return f(1); }", "int f(int x) { return x; }"], DataModel::Lp64)
            .expect("it links");
    assert_eq!((result, warnings.len()), (1, 1), "{warnings:?}");
}

#[test]
fn the_models_of_the_library_serve_all_files() {
    returns(
        &[
            "int f(void); int main(void) { return f(); }",
            "unsigned long strlen(const char *); int f(void) { return strlen(\"abc\"); }",
        ],
        3,
    );
    // The definition of the program wins, wherever it stands.
    let own = "int tolower(int x) { return x + 1; }";
    returns(&["int tolower(int); int main(void) { return tolower(65); }", own], 66);
}
