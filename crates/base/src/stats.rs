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

#[cfg(test)]
mod tests {
    crate::stats! {
        /// What the test counts.
        struct Counters { steps: "steps taken", falls: "times fallen" }
    }

    #[test]
    fn counters_are_fields_with_names_and_help() {
        let mut counters = Counters::default();
        counters.falls += 2;
        assert_eq!(counters.entries(), [("steps", "steps taken", 0), ("falls", "times fallen", 2)]);
    }
}
