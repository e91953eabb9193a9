//! `cargo xtask check`: what must hold before a commit, in the order of how fast it fails.

use std::path::Path;
use std::process::Command;

use crate::tidy;

/// Tidy first (it takes a moment), then the format, then the lints and the documentation with warnings as errors, then the packages.
pub fn run(args: &[String]) -> Result<(), String> {
    if let Some(unknown) = args.first() {
        return Err(format!("`{unknown}`: check takes no arguments"));
    }
    tidy::run(&[])?;
    cargo(&["fmt", "--all", "--", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    // The library as other programs take it: without the feature `cli` and its crates.
    cargo(&["clippy", "-p", "uforia", "--lib", "--no-default-features", "--", "-D", "warnings"])?;
    cargo(&["doc", "--workspace", "--no-deps"])?;
    // Whether each crate can be packaged; `cargo package --workspace` also compiles the packages, which takes minutes.
    cargo(&["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"])
}

/// The folder that holds the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace's folder")
}

fn cargo(args: &[&str]) -> Result<(), String> {
    eprintln!("xtask: cargo {}", args.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(args).env("RUSTDOCFLAGS", "-D warnings").current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} ended with {status}", args[0])),
        Err(error) => Err(format!("cargo {} did not start: {error}", args[0])),
    }
}
