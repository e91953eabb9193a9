//! Counters, declared once and counted as plain fields; the algorithm never reads them.

/// Declares a struct of `u64` counters with a name and a help text each.
#[macro_export]
macro_rules! stats {
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $($field:ident: $help:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
        $vis struct $name { $(#[doc = $help] pub $field: u64),* }

        impl $name {
            /// Each counter's name, help text and value, in the order of declaration.
            $vis fn entries(&self) -> Vec<(&'static str, &'static str, u64)> {
                vec![$((stringify!($field), $help, self.$field)),*]
            }
        }
    };
}
