//! Tables of named parts: settings, help, completions and error texts are made from their rows.

/// A part with its name and help text.
#[derive(Clone, Copy, Debug)]
pub struct Named<T> {
    /// The name in settings.
    pub name: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    /// The part.
    pub part: T,
}

/// A setting whose values are the names of the rows of a table.
macro_rules! names_of {
    ($(#[doc = $about:literal])+ $name:ident, $part:ty, $table:ident) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(usize);

        impl $name {
            /// The first row.
            pub const FIRST: $name = $name(0);

            /// The part of this name.
            pub fn part(self) -> $part {
                $table[self.0].part
            }
            /// The name.
            pub fn name(self) -> &'static str {
                $table[self.0].name
            }
        }

        impl base::Choice for $name {
            const VALUES: &'static [Self] = &{
                let mut values = [$name(0); $table.len()];
                let mut at = 0;
                while at < $table.len() {
                    values[at] = $name(at);
                    at += 1;
                }
                values
            };
            const NAMES: &'static [(&'static str, &'static str)] = &{
                let mut names = [("", ""); $table.len()];
                let mut at = 0;
                while at < $table.len() {
                    names[at] = ($table[at].name, $table[at].help);
                    at += 1;
                }
                names
            };
        }
    };
}
pub(crate) use names_of;
