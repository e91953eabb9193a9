//! `--cache`: evidence of earlier runs is used again, and never believed.

use crate::support::{Folder, uforia};

/// A program whose proof needs an invariant.
const PAIRS: &str = "extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static int limited(int k) { if (k > 10) return 10; return k; }
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0, t = 0;
    while (i < n) {
        if (__VERIFIER_nondet_uint()) { s += 2; t += 1; } else { s += 4; t += 2; }
        i++;
    }
    int h = limited((int)__VERIFIER_nondet_uint());
    if (h > 10) reach_error();
    if (s != 2 * t) reach_error();
}
";

struct Cached {
    folder: Folder,
    cache: String,
}

impl Cached {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let cache = folder.path().join("cache").to_str().expect("plain").to_owned();
        Cached { folder, cache }
    }
    /// Checks the text with the cache: the exit code, and what the answer says of the cache.
    fn check(&self, text: &str) -> (i32, serde_json::Value) {
        let file = self.folder.file("program.c", text);
        let said = uforia(&["check", "-q", "--timeout", "60s", "--cache", &self.cache, "--json", "-", &file]);
        assert!(!said.err.contains("bug"), "{said:?}");
        let line = said.out.lines().find(|line| line.starts_with('{')).expect("the answer is there");
        let answer: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        (said.code, answer["cache"].clone())
    }
    fn entries(&self) -> Vec<std::path::PathBuf> {
        let files = std::fs::read_dir(std::path::Path::new(&self.cache).join("v1")).expect("the folder is there");
        files.map(|file| file.expect("it can be read").path()).collect()
    }
}

#[test]
fn a_proof_is_used_again_also_after_edits_elsewhere() {
    let cached = Cached::new("cache-proof");
    let (code, said) = cached.check(PAIRS);
    assert_eq!((code, said), (0, serde_json::Value::Null));
    let (code, said) = cached.check(PAIRS);
    assert_eq!((code, &said["is_answer"], &said["entries"][0]), (0, &true.into(), &"safe: this program".into()));
    // Other lines, another function, another variable, and a statement before the loop.
    let edited = format!("/* a comment */\n\n{PAIRS}")
        .replace("return 10; return k;", "{ int z = 1; k -= z; return 10; } return k;")
        .replace("unsigned n = ", "int unneeded = limited(3); unneeded++; unsigned n = ");
    let (code, said) = cached.check(&edited);
    assert_eq!((code, &said["is_answer"], &said["entries"][0]), (0, &true.into(), &"safe: an earlier version".into()));
}

#[test]
fn an_edit_that_breaks_the_proof_is_found_and_the_error_is_kept() {
    let cached = Cached::new("cache-error");
    assert_eq!(cached.check(PAIRS).0, 0);
    let broken = PAIRS.replace("t += 2", "t += 1");
    let (code, said) = cached.check(&broken);
    assert_eq!((code, &said["is_answer"]), (1, &false.into()));
    // The same inputs reach it after another edit; and the repaired program is proved again.
    let moved = broken.replace("unsigned n = ", "int unneeded = 3; unneeded++; unsigned n = ");
    let (code, said) = cached.check(&moved);
    assert_eq!(
        (code, &said["is_answer"], &said["entries"][0]),
        (1, &true.into(), &"unsafe: an earlier version".into())
    );
    assert_eq!(cached.check(PAIRS).0, 0);
}

#[test]
fn what_is_left_of_a_proof_are_candidates() {
    let cached = Cached::new("cache-candidates");
    assert_eq!(cached.check(PAIRS).0, 0);
    let other = PAIRS
        .replace("t = 0;", "t = 0, u = 0;")
        .replace("        i++;", "        i++; u += 2;")
        .replace("if (s != 2 * t)", "if (s != 2 * t || u != 2 * i)");
    let (code, said) = cached.check(&other);
    assert_eq!((code, &said["is_answer"]), (0, &false.into()), "{said}");
    assert!(said["held"].as_u64() > Some(0), "{said}");
}

#[test]
fn contracts_and_rankings_are_used_again() {
    let cached = Cached::new("cache-contracts");
    let text = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
unsigned same(unsigned n) { return n == 0 ? 0 : same(n - 1) + 1; }
int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (same(x) != x) reach_error(); }\n";
    assert_eq!(cached.check(text).0, 0);
    let edited = text.replace("unsigned x =", "int unneeded = 2; unneeded++; unsigned x =");
    let (code, said) = cached.check(&edited);
    assert_eq!((code, &said["is_answer"]), (0, &true.into()), "{said}");
}

#[test]
fn entries_that_are_wrong_change_no_verdict() {
    let cached = Cached::new("cache-poison");
    let broken = PAIRS.replace("t += 2", "t += 1");
    assert_eq!(cached.check(PAIRS).0, 0);
    let proofs: Vec<_> = cached.entries();
    let proof = std::fs::read_to_string(&proofs[0]).expect("it is a text");
    assert_eq!(cached.check(&broken).0, 1);
    let sealed = |body: &str| format!("uforia-evidence 1\n{}\n{body}", report::sha256::hex(body.as_bytes()));
    let body = proof.splitn(3, '\n').nth(2).expect("it has a body").to_owned();
    let claims = |method: &str| {
        let rest = body.split_once("method\t").expect("there is a method").1.split_once('\n').expect("a line").1;
        sealed(&format!("effort\t1\t1\nmethod\t{method}\n{rest}"))
    };
    let poison = [
        String::new(),
        "uforia-evidence 9\n".to_owned(),
        proof[..proof.len() / 2].to_owned(),
        proof.replace("bvmul", "bvadd"),
        sealed("effort\t1\t1\nprogram\n"),
        sealed("effort\t1\t1\nmethod\tinduction 1\nsymbol\t900 1\tBool\tx\nprogram\ncfa 1\npointer 64\n"),
        sealed(&body.replace("(= main.s", "(distinct main.s")),
        sealed(&body.replace("variable ", "variable 9")),
        claims("execution 7"),
        claims("enumeration 1 7"),
        claims("exhaustion 1"),
        claims("unrolling 0"),
        claims("induction 4294967295"),
    ];
    for poison in &poison {
        for path in cached.entries() {
            std::fs::write(path.with_extension("safe"), poison).expect("it can be written");
            std::fs::write(path.with_extension("unsafe"), poison).expect("it can be written");
        }
        assert_eq!(cached.check(&broken).0, 1, "{poison}");
        for path in cached.entries() {
            std::fs::write(path.with_extension("safe"), poison).expect("it can be written");
            std::fs::write(path.with_extension("unsafe"), poison).expect("it can be written");
        }
        assert_eq!(cached.check(PAIRS).0, 0, "{poison}");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_a_warning_and_batches_use_one() {
    let folder = Folder::new("cache-batch");
    let (one, other) = (folder.file("one.c", PAIRS), folder.file("other.c", PAIRS.replace("t += 2", "t += 1")));
    let no_folder = folder.file("file", "");
    uforia(&["check", "--cache", &no_folder, &one]).exits(0).complains("--cache");
    let cache = folder.path().join("cache");
    let cache = cache.to_str().expect("plain");
    for _ in 0..2 {
        uforia(&["check", "-q", "-j", "2", "--separate", "--cache", cache, &one, &other]).exits(1);
    }
    let again = uforia(&["check", "--cache", cache, &one]).exits(0);
    assert!(again.out.contains("proved by cache"), "{again:?}");
}
