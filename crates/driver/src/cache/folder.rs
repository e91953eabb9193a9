//! The folder of a cache: one file for each entry.
//!
//! Several processes may use one folder at a time, so a file is written under another name and then renamed: readers see the old entry
//! or the new one. Entries that were not used for longest go when there are too many bytes. Only this user may enter the folder.
//! Entries that another program has written there change how long a run takes, and not what it says.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::tuning::Tuning;

/// The folder.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens or makes it.
    pub fn open(path: &str) -> std::io::Result<Folder> {
        // format: entries of another version have a folder of their own.
        let path = Path::new(path).join("v1");
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        Ok(Folder { path })
    }
    /// The text of an entry; none if there is none. What is wrong with it, in a few words.
    pub fn read(&self, name: &str) -> Result<Option<String>, String> {
        let path = self.path.join(name);
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        let opened = fs::OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(&path);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let most = Tuning::DEFAULT.max_cache_entry_bytes;
        match file.metadata() {
            Ok(about) if !about.is_file() => return Err("it is no file".to_owned()),
            Ok(about) if about.len() > most => return Err("it is too large".to_owned()),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
        let mut bytes = Vec::new();
        (&file).take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        // So that it stays when the folder is full; if that fails, it goes earlier.
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        String::from_utf8(bytes).map(Some).map_err(|_| "it is no text".to_owned())
    }
    /// Writes an entry and removes old ones if the folder is too large.
    pub fn write(&self, name: &str, text: &str) -> std::io::Result<()> {
        if text.len() as u64 > Tuning::DEFAULT.max_cache_entry_bytes {
            return Ok(());
        }
        let private = Permissions::from_mode(0o600);
        let mut file = tempfile::Builder::new().prefix("new-").permissions(private).tempfile_in(&self.path)?;
        file.write_all(text.as_bytes())?;
        file.persist(self.path.join(name)).map_err(|error| error.error)?;
        self.shrink()
    }
    fn shrink(&self) -> std::io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for file in fs::read_dir(&self.path)?.flatten() {
            // Another process may have removed it meanwhile.
            if let Ok(about) = file.metadata()
                && about.is_file()
            {
                files.push((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len(), file.path()));
            }
        }
        let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        files.sort();
        for (_, size, path) in files {
            if bytes <= Tuning::DEFAULT.max_cache_bytes {
                break;
            }
            let _ = fs::remove_file(path);
            bytes -= size;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_private_and_what_is_no_file_is_refused() {
        let place = tempfile::tempdir().expect("the temporary folder can be written");
        let inside = place.path().join("cache");
        let folder = Folder::open(&inside.to_string_lossy()).expect("it can be made");
        assert_eq!(folder.read("a"), Ok(None));
        folder.write("a", "text").expect("it can be written");
        assert_eq!(folder.read("a"), Ok(Some("text".to_owned())));
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o077;
        assert_eq!((mode(&inside.join("v1/a")), mode(&inside.join("v1"))), (0, 0));
        fs::create_dir(inside.join("v1/b")).expect("it can be made");
        std::os::unix::fs::symlink("/dev/zero", inside.join("v1/c")).expect("it can be made");
        fs::write(inside.join("v1/d"), [0xff, 0xfe]).expect("it can be written");
        assert!(["b", "c", "d"].iter().all(|name| folder.read(name).is_err()));
    }

    #[test]
    fn writers_and_readers_at_once_see_whole_entries() {
        let place = tempfile::tempdir().expect("the temporary folder can be written");
        let path = place.path().to_string_lossy().into_owned();
        std::thread::scope(|scope| {
            for letter in ["x", "y", "z"] {
                let folder = Folder::open(&path).expect("it can be made");
                scope.spawn(move || {
                    for _ in 0..100 {
                        folder.write("entry", &letter.repeat(10_000)).expect("it can be written");
                        let text = folder.read("entry").expect("it is a text").expect("it is there");
                        assert_eq!(text, text[..1].repeat(10_000));
                    }
                });
            }
        });
        let names: Vec<_> = fs::read_dir(place.path().join("v1")).expect("it is there").collect();
        assert_eq!(names.len(), 1);
    }
}
