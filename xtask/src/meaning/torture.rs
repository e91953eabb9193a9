//! Tests of a C compiler in a folder, such as GCC's `gcc.c-torture/execute`: each ends normally when all is well and calls `abort` when not.
//!
//! With `abort` as the error function the error is not reached; with `exit` as the error function it is, where the program ends by a call
//! of it. Tests that the compilers of this machine reject, or that end badly here, are left out.

use super::case::{Case, Compilers};
use cfront::DataModel;
use std::fs;
use std::path::{Path, PathBuf};
use testkit::differential::model_name;

/// The C files of a folder, in the order of their names.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    if files.is_empty() { Err(format!("there is no C file in {}", folder.display())) } else { Ok(files) }
}

/// The case of a file; `Err` gives the reason why there is no case.
pub fn case(file: &Path, model: DataModel, compilers: &Compilers) -> Result<Case, String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Case::about_abort(format!("torture-{}-{stem}", model_name(model)), text, model, compilers)
}
