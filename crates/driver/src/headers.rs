//! Our own header files, written to a private folder for the time of one preprocessor run.
//!
//! They hold declarations and macros only, and take their sizes from the compiler's predefined
//! macros (`__SIZE_TYPE__`, …), so one set serves ILP32 and LP64. What the functions do is known to
//! the front end's library models.

use std::path::Path;

use crate::context::Context;
use crate::failure::Failure;
use crate::scratch::Scratch;

/// Every header file with its text.
pub const HEADERS: &[(&str, &str)] = &[
    ("alloca.h", include_str!("../headers/alloca.h")),
    ("assert.h", include_str!("../headers/assert.h")),
    ("bits/clock_t.h", include_str!("../headers/bits/clock_t.h")),
    ("bits/file.h", include_str!("../headers/bits/file.h")),
    ("bits/int_t.h", include_str!("../headers/bits/int_t.h")),
    ("bits/locale_t.h", include_str!("../headers/bits/locale_t.h")),
    ("bits/null.h", include_str!("../headers/bits/null.h")),
    ("bits/off_t.h", include_str!("../headers/bits/off_t.h")),
    ("bits/pid_t.h", include_str!("../headers/bits/pid_t.h")),
    ("bits/sigset_t.h", include_str!("../headers/bits/sigset_t.h")),
    ("bits/size_t.h", include_str!("../headers/bits/size_t.h")),
    ("bits/ssize_t.h", include_str!("../headers/bits/ssize_t.h")),
    ("bits/time_t.h", include_str!("../headers/bits/time_t.h")),
    ("bits/timespec.h", include_str!("../headers/bits/timespec.h")),
    ("bits/timeval.h", include_str!("../headers/bits/timeval.h")),
    ("bits/useconds_t.h", include_str!("../headers/bits/useconds_t.h")),
    ("bits/va_list.h", include_str!("../headers/bits/va_list.h")),
    ("bits/wchar_t.h", include_str!("../headers/bits/wchar_t.h")),
    ("bits/wint_t.h", include_str!("../headers/bits/wint_t.h")),
    ("complex.h", include_str!("../headers/complex.h")),
    ("ctype.h", include_str!("../headers/ctype.h")),
    ("err.h", include_str!("../headers/err.h")),
    ("errno.h", include_str!("../headers/errno.h")),
    ("fcntl.h", include_str!("../headers/fcntl.h")),
    ("features.h", include_str!("../headers/features.h")),
    ("fenv.h", include_str!("../headers/fenv.h")),
    ("float.h", include_str!("../headers/float.h")),
    ("getopt.h", include_str!("../headers/getopt.h")),
    ("inttypes.h", include_str!("../headers/inttypes.h")),
    ("iso646.h", include_str!("../headers/iso646.h")),
    ("limits.h", include_str!("../headers/limits.h")),
    ("locale.h", include_str!("../headers/locale.h")),
    ("malloc.h", include_str!("../headers/malloc.h")),
    ("math.h", include_str!("../headers/math.h")),
    ("memory.h", include_str!("../headers/memory.h")),
    ("pthread.h", include_str!("../headers/pthread.h")),
    ("sched.h", include_str!("../headers/sched.h")),
    ("setjmp.h", include_str!("../headers/setjmp.h")),
    ("signal.h", include_str!("../headers/signal.h")),
    ("stdalign.h", include_str!("../headers/stdalign.h")),
    ("stdarg.h", include_str!("../headers/stdarg.h")),
    ("stdatomic.h", include_str!("../headers/stdatomic.h")),
    ("stdbool.h", include_str!("../headers/stdbool.h")),
    ("stddef.h", include_str!("../headers/stddef.h")),
    ("stdint.h", include_str!("../headers/stdint.h")),
    ("stdio.h", include_str!("../headers/stdio.h")),
    ("stdlib.h", include_str!("../headers/stdlib.h")),
    ("stdnoreturn.h", include_str!("../headers/stdnoreturn.h")),
    ("string.h", include_str!("../headers/string.h")),
    ("strings.h", include_str!("../headers/strings.h")),
    ("sys/cdefs.h", include_str!("../headers/sys/cdefs.h")),
    ("sys/stat.h", include_str!("../headers/sys/stat.h")),
    ("sys/time.h", include_str!("../headers/sys/time.h")),
    ("sys/types.h", include_str!("../headers/sys/types.h")),
    ("sys/wait.h", include_str!("../headers/sys/wait.h")),
    ("syslog.h", include_str!("../headers/syslog.h")),
    ("time.h", include_str!("../headers/time.h")),
    ("uchar.h", include_str!("../headers/uchar.h")),
    ("unistd.h", include_str!("../headers/unistd.h")),
    ("values.h", include_str!("../headers/values.h")),
    ("wchar.h", include_str!("../headers/wchar.h")),
    ("wctype.h", include_str!("../headers/wctype.h")),
];

/// The headers that stay ours where the others come from the system: they use no type of other headers, or only types that every
/// library has. `<stdatomic.h>` belongs to the compiler, whose own needs more of it than we model; `<assert.h>` gives assertions their text.
const OVERLAY: &[&str] = &["assert.h", "stdatomic.h"];

/// The folder inside the folder of headers for what is looked for last.
pub const LAST_RESORT: &str = "last";

/// Files that a system may lack: glibc's list of functions that do nothing, which a 64-bit system has for 64 bits only.
const LAST: &[(&str, &str)] = &[("gnu/stubs-32.h", ""), ("gnu/stubs-64.h", "")];

/// Which headers a program gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Ours, and no others.
    Own,
    /// Those of the system, except for a few.
    System,
}

/// A folder with the header files; it goes when this value goes, or when the process ends early.
pub struct HeaderFolder(Scratch, Origin);

impl HeaderFolder {
    /// Writes the header files to a new private folder.
    pub fn create(context: &Context, origin: Origin) -> Result<Self, Failure> {
        let cannot = |error: std::io::Error| Failure::CannotRead(format!("cannot write header files: {error}"));
        let folder = Scratch::create(context).map_err(cannot)?;
        let write = |name: &Path, text: &str| {
            let file = folder.path().join(name);
            let parent = file.parent().expect("a header file lies in a folder");
            std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&file, text)).map_err(cannot)
        };
        for (name, text) in HEADERS {
            if origin == Origin::Own || OVERLAY.contains(name) {
                write(Path::new(name), text)?;
            }
        }
        if origin == Origin::System {
            for (name, text) in LAST {
                write(&Path::new(LAST_RESORT).join(name), text)?;
            }
        }
        Ok(HeaderFolder(folder, origin))
    }
    /// Where they are.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
    /// Which they are.
    pub fn origin(&self) -> Origin {
        self.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Command, Settings};
    use crate::output::Output;

    #[test]
    fn the_folder_holds_the_headers_and_goes_away() {
        let context = Context::new(Settings::new(Command::Check), Output::standard());
        let folder = HeaderFolder::create(&context, Origin::Own).unwrap_or_else(|failure| panic!("{failure:?}"));
        let path = folder.path().to_owned();
        assert!(path.join("sys/types.h").is_file());
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn every_header_that_stays_ours_is_in_the_table() {
        for name in OVERLAY {
            assert!(HEADERS.iter().any(|(known, _)| known == name), "{name}");
        }
    }

    #[test]
    fn every_header_file_in_the_folder_is_in_the_table() {
        fn count(folder: &Path) -> usize {
            let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
            entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
        }
        assert_eq!(count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("headers")), HEADERS.len());
    }
}
