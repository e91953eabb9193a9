//! Private folders for files that live as long as one step of the work.
//!
//! The temporary directory of the system is shared with other users, who may prepare names that they can guess. So the name is
//! unpredictable, the folder is created by us or not at all, and only this user may enter it. The folder goes when its value goes, or when
//! the main thread ends the process early.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::context::Context;

/// A private folder.
pub struct Scratch {
    path: PathBuf,
    context: Context,
}

impl Scratch {
    /// Makes a new one.
    pub fn create(context: &Context) -> std::io::Result<Scratch> {
        // The list is locked meanwhile, so that an interruption right after creation leaves nothing behind.
        let mut announced = context.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        let private = std::fs::Permissions::from_mode(0o700);
        let path = tempfile::Builder::new().prefix("uforia-").permissions(private).tempdir()?.keep();
        announced.push(path.clone());
        Ok(Scratch { path, context: context.clone() })
    }
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
        let mut announced = self.context.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        announced.retain(|path| *path != self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Command, Settings};
    use crate::output::Output;

    #[test]
    fn the_folder_is_private_has_a_new_name_and_goes_away() {
        let context = Context::new(Settings::new(Command::Check), Output::standard());
        let create = || Scratch::create(&context).expect("the temporary folder can be written");
        let (one, other) = (create(), create());
        assert_ne!(one.path(), other.path());
        let path = one.path().to_owned();
        let mode = std::fs::metadata(&path).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o077, 0);
        let process = std::process::id().to_string();
        assert!(
            !path.to_string_lossy().contains(&format!("-{process}")),
            "the name can be guessed: {}",
            path.display()
        );
        drop(one);
        assert!(!path.exists());
        assert_eq!(context.temporary.lock().expect("no thread panicked").len(), 1);
    }
}
