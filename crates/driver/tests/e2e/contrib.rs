//! What stands in `contrib`: the archive for the competition is made, and works from another folder.

use std::process::{Command, Stdio};

use crate::support::{Folder, listen, root};

#[test]
fn the_archive_passes_its_smoke_test_elsewhere() {
    let folder = Folder::new("archive");
    let archive = folder.path().join("uforia.zip");
    let mut script = Command::new(root().join("contrib/sv-comp/package.sh"));
    script.arg(&archive).arg(env!("CARGO_BIN_EXE_uforia")).current_dir(folder.path());
    script.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let said = listen(script.spawn().expect("a shell starts"), "").exits(0);
    assert!(said.out.contains("ok: SAFE\n") && said.out.contains("the smoke test is passed\n"), "{said:?}");
    assert!(said.last().ends_with(&format!("version {}", env!("CARGO_PKG_VERSION"))), "{said:?}");
}

#[test]
fn the_benchmark_tasks_have_the_verdicts_that_they_expect() {
    let said = crate::support::uforia(&["check", "--timeout", "60s", "contrib/benchexec/tasks"]).exits(1);
    assert!(said.out.contains("4 tasks: 2 SAFE, 2 UNSAFE, 0 UNKNOWN; 4 as expected, 0 wrong;"), "{said:?}");
}
