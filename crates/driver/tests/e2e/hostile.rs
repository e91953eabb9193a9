//! Hostile input and a hostile world: never a panic, a hang or a wrong exit code.

use std::process::Stdio;

use crate::support::{Folder, command, listen, root, uforia, uforia_reading};

#[test]
fn files_that_cannot_be_read_are_66() {
    let folder = Folder::new("unreadable");
    uforia(&["check", "absent.c"]).exits(66).complains("cannot read absent.c").answers("UNKNOWN: cannot read");
    let inner = folder.path().join("folder.c");
    std::fs::create_dir(&inner).expect("the temporary folder can be written");
    let inner = inner.to_str().expect("a plain name");
    uforia(&["lower", inner]).exits(66).complains("it is a folder");
    uforia(&["check", inner]).exits(66).complains("neither task definitions").answers("UNKNOWN: ");
    let file = folder.file("a.c", "int main(void) { return 0; }\n");
    uforia(&["run", "--inputs", "absent.txt", &file]).exits(66).complains("absent.txt");
}

#[test]
fn what_is_no_program_is_65() {
    let folder = Folder::new("garbage");
    let random: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let no_nulls: Vec<u8> = random.iter().map(|&byte| byte.max(1)).collect();
    let cases: [(&str, &[u8], &str); 8] = [
        ("empty.c", b"", "empty"),
        ("blank.c", b" \n\t\n", "empty"),
        ("binary.c", &random, "null byte"),
        ("noise.c", &no_nulls, "error"),
        ("noise.i", &no_nulls, "error"),
        ("noise.cfa", &no_nulls, "error"),
        ("truncated.c", b"int main(void) { if (1) { return", "error"),
        ("string.c", b"char *s = \"never closed;\nint main(void) { return 0; }", "error"),
    ];
    for (name, bytes, complaint) in cases {
        let file = folder.file(name, bytes);
        let said = uforia(&["check", &file]).exits(65).complains(complaint).answers("UNKNOWN: not a valid program");
        assert!(said.err.contains(name), "{name}: {said:?}");
    }
    let file = folder.file("inputs.txt", "1\n2 three\n");
    let program = folder.file("a.c", "int main(void) { return 0; }\n");
    uforia(&["run", "--inputs", &file, &program]).exits(65).complains("inputs.txt:2: error: `three` is not a number");
}

#[test]
fn deep_nesting_is_an_answer_and_no_crash() {
    let folder = Folder::new("deep");
    let n = 100_000;
    let closed = |open: &str, close: &str| format!("{}1{}", open.repeat(n), close.repeat(n));
    let cases = [
        format!("int main(void) {{ return {}; }}", closed("(", ")")),
        format!("int main(void) {{ return {}1; }}", "(".repeat(n)),
        format!("int main(void) {{ return {}1; }}", "-~".repeat(n)),
        format!("int main(void) {{ {}", "{".repeat(n)),
        format!("int main(void) {{ {};{} }}", "{".repeat(n), "}".repeat(n)),
        format!("int {}x{};", "(*".repeat(n), ")(void)".repeat(n)),
        format!("int {}x;", "*".repeat(n)),
        format!("int x{};", "[1]".repeat(n)),
        format!("int x = {};", closed("{", "}")),
        format!("int main(void) {{ {} return 0; }}", "if (1) ".repeat(n)),
        format!("int main(void) {{ return 1{}; }}", " + 1".repeat(n)),
        format!("int main(void) {{ return {}1; }}", "1 ? 1 : ".repeat(n)),
        format!("{}int x;{}", "struct { ".repeat(n), "};".repeat(n)),
    ];
    for (number, text) in cases.iter().enumerate() {
        let file = folder.file(&format!("deep{number}.i"), text);
        let said = uforia(&["check", &file]);
        assert!(matches!(said.code, 2 | 65), "case {number}: exit code {}, {}", said.code, said.last());
        assert!(said.last().starts_with("UNKNOWN: "), "case {number}: {}", said.last());
    }
}

#[test]
fn includes_without_end_are_diagnosed() {
    let folder = Folder::new("include");
    let once = folder.file("once.c", "#include \"once.c\"\nint x;\n");
    uforia(&["check", &once]).exits(65).complains("once.c:1:");
    let twice = folder.file("twice.c", "#include \"twice.c\"\n#include \"twice.c\"\nint x;\n");
    uforia(&["check", &twice]).exits(65).complains("twice.c:");
    let absent = folder.file("absent.c", "#include \"nowhere.h\"\n");
    uforia(&["check", &absent]).exits(65).complains("absent.c:1:").complains("nowhere.h");
    let unknown = folder.file("unknown.c", "int x;\n#include <surely_not_there.h>\n");
    uforia(&["check", &unknown]).exits(2).answers("UNKNOWN: unsupported header <surely_not_there.h> at ");
    let directive = folder.file("directive.c", "#error so be it\nint main(void) { return 0; }\n");
    uforia(&["check", &directive]).exits(65).complains("so be it");
    let open = folder.file("open.c", "int x;\n#if 1\nint main(void) { return x; }\n");
    uforia(&["check", &open]).exits(65).complains("open.c:2:").complains("unterminated #if");
}

#[test]
fn a_macro_bomb_is_defused() {
    let folder = Folder::new("bomb");
    let mut text = String::from("#define A0 x x\n");
    for i in 1..60 {
        text.push_str(&format!("#define A{i} A{} A{}\n", i - 1, i - 1));
    }
    text.push_str("int main(void) { A59; }\n");
    let file = folder.file("bomb.c", text);
    uforia(&["check", &file]).exits(65).complains("bomb.c: error: ").complains("again and again");
}

#[test]
fn no_header_folder_is_left_behind() {
    let folder = Folder::new("leftover");
    for (name, text) in [("good.c", "#include <stdlib.h>\nint main(void) { return 0; }\n"), ("bad.c", "#error no\n")] {
        let file = folder.file(name, text);
        let said = listen(command(&["check", &file]).env("TMPDIR", folder.path()).spawn().expect("it starts"), "");
        assert!(matches!(said.code, 2 | 65), "{said:?}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder is there").flatten().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_missing_compiler_is_66_and_says_what_to_do() {
    let folder = Folder::new("no-compiler");
    let file = folder.file("a.c", "#define X 1\nint main(void) { return X; }\n");
    let said = listen(command(&["check", &file]).env("PATH", folder.path()).spawn().expect("it starts"), "");
    said.exits(66).complains("apt install gcc");
    let said = listen(command(&["check", &file]).env("CC", "no-such-cc").spawn().expect("it starts"), "");
    said.exits(66).complains("no-such-cc");
    // Without directives no compiler is needed.
    let plain =
        folder.file("plain.c", "extern void reach_error(void); int main(void) { if (0) reach_error(); return 0; }\n");
    let said = listen(command(&["check", &plain]).env("PATH", folder.path()).spawn().expect("it starts"), "");
    said.exits(0).answers("SAFE");
    // One that fails without a word about the program is no fault of the program.
    let said = listen(command(&["check", &file]).env("CC", "false").spawn().expect("it starts"), "");
    said.exits(66).complains("cannot use the C compiler `false`");
}

#[test]
fn a_compiler_without_a_32_bit_mode_is_helped_out() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("no-m32");
    let script = "#!/bin/sh\nfor a in \"$@\"; do if [ \"$a\" = -m32 ]; then echo \"cc: error: unrecognized option '-m32'\" >&2; exit 1; fi; done\nexec cc \"$@\"\n";
    let compiler = folder.file("cc32", script);
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("our own file");
    let text = "#include <stdint.h>\n#include <limits.h>\n#include <stddef.h>\nextern void reach_error(void);\n\
        _Static_assert(sizeof(size_t) == 4 && sizeof(intptr_t) == 4 && sizeof(int64_t) == 8, \"\");\n\
        int main(void) { if (LONG_MAX != 2147483647L || UINTPTR_MAX != 4294967295U) reach_error(); return 0; }\n";
    let file = folder.file("a.c", text);
    let said = listen(
        command(&["run", "--zero", "--data-model", "ilp32", &file]).env("CC", &compiler).spawn().expect("it starts"),
        "",
    );
    said.exits(0).answers("finished");
}

#[test]
fn a_full_disk_is_reported_and_is_no_panic() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("this system has /dev/full");
    for args in [&["--help"] as &[&str], &["check", "examples/goto_fail.c"], &["lower", "examples/goto_fail.c"]] {
        let child = command(args).stdout(Stdio::from(full())).spawn().expect("it starts");
        listen(child, "").exits(74).complains("cannot write to standard output");
    }
    uforia(&["lower", "-o", "/dev/full", "examples/goto_fail.c"]).exits(74).complains("cannot write /dev/full");
    uforia(&["lower", "-o", "no/such/folder/x.cfa", "examples/goto_fail.c"]).exits(74).complains("no/such/folder");
    // No message is possible when standard error is full too; the exit code is still right.
    let child = command(&["check", "absent.c"]).stderr(Stdio::from(full())).spawn().expect("it starts");
    assert_eq!(listen(child, "").code, 66);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = command(&["lower", "examples/goto_fail.c"]).spawn().expect("it starts");
    drop(child.stdout.take());
    let said = listen(child, "");
    assert_eq!((said.code, said.err.as_str()), (74, ""));
}

#[test]
fn a_tight_address_space_still_works() {
    for kilobytes in [8_388_608, 1_500_000, 500_000] {
        let binary = env!("CARGO_BIN_EXE_uforia");
        let script = format!("ulimit -v {kilobytes}; exec {binary} check examples/goto_fail.c");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(root());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        listen(shell.spawn().expect("a shell starts"), "").exits(1).answers("UNSAFE");
    }
}

#[test]
fn latin_1_in_comments_is_read() {
    let folder = Folder::new("latin");
    let file = folder.file("a.c", b"// caf\xe9\n#define A 1\nint main(void) { return A; /* \xfc */ }\n");
    uforia(&["lower", &file]).exits(0);
}

#[test]
fn hostile_names_and_words_are_harmless() {
    uforia(&["check", "--", "-strange.c"]).exits(66).complains("-strange.c");
    uforia(&["check", "a\u{1b}[2J.c"]).exits(66);
    uforia(&["run", "--random", "99999999999999999999", "a.c"]).exits(64);
    uforia(&["run", "--random", "0", "examples/goto_fail.c"]).exits(0).answers("no error in 0 runs");
    uforia_reading(&["run", "--inputs", "-", "examples/goto_fail.c"], "").exits(0);
}

#[test]
fn a_very_long_name_that_is_not_declared_is_reported_at_once() {
    let folder = Folder::new("long-name");
    let (one, other) = ("a".repeat(65_000), "b".repeat(65_000));
    let file = folder.file("a.c", format!("int {one};\nint main(void) {{ return {other}; }}\n"));
    let start = std::time::Instant::now();
    uforia(&["check", &file]).exits(65).complains("is not declared");
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn the_front_end_keeps_to_the_memory_limit() {
    let folder = Folder::new("large");
    let mut text = String::from("extern void reach_error(void);\nint main(void) { unsigned x = 0;\n");
    for i in 0..700_000 {
        text.push_str(&format!("x = x + {i}u; if (x == {i}u) {{ x = x - 1; }}\n"));
    }
    text.push_str("if (x == 5) reach_error(); return 0; }\n");
    let file = folder.file("large.i", text);
    // The largest resident size is said by the process itself, at its end.
    let said = uforia(&["check", "--memory", "200MiB", "--stats", &file]).exits(2).answers("UNKNOWN: out of memory");
    let peak = said.err.lines().find_map(|line| line.strip_prefix("peak memory")).expect("the statistics have it");
    let mebibytes: u64 = peak.trim().trim_end_matches(" MiB").parse().expect("a number");
    assert!(mebibytes < 280, "{said:?}");
}

/// Runs the binary under a limit on the address space, in kilobytes.
fn confined(kilobytes: u32, args: &str) -> crate::support::Said {
    let script = format!("ulimit -v {kilobytes}; exec {} {args}", env!("CARGO_BIN_EXE_uforia"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(root());
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    listen(shell.spawn().expect("a shell starts"), "")
}

#[test]
fn a_deep_chain_under_a_small_limit_is_out_of_memory_and_no_abort() {
    let folder = Folder::new("chain");
    let mut text = String::from(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\nint main(void) { unsigned x = __VERIFIER_nondet_uint();\n",
    );
    for i in 0..50_000 {
        text.push_str(&format!("x = x ^ (x * 3u) + {i}u;\n"));
    }
    text.push_str("if (x == 5) reach_error(); return 0; }\n");
    let file = folder.file("chain.i", text);
    let json = folder.path().join("out.json");
    for kilobytes in [150_000, 220_000, 300_000, 400_000] {
        let _ = std::fs::remove_file(&json);
        let said = confined(kilobytes, &format!("check --timeout 30s --json {} {file}", json.display()));
        let said = said.exits(2).answers("UNKNOWN: out of ");
        let text = std::fs::read_to_string(&json).expect("the answer is written");
        assert!(text.contains("\"verdict\": \"UNKNOWN\", \"reason\": \"out of "), "{kilobytes}: {said:?} {text}");
    }
}
