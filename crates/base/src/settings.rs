//! Settings: each component declares one table, and everything that speaks of settings is made from it.
//!
//! A row has a name, a default, a range with a unit (or a list of named values) and a help text. [`crate::settings!`] makes of
//! the rows a plain struct with a field each; a component keeps that struct in its own state and passes it on by reference.
//! Values are checked when they are set, before the component is built, and are fixed then. No setting decides whether an
//! answer is right: a number on which soundness rests is a law and stays a `const`.

use std::collections::BTreeMap;

use crate::Random;

/// The settings of one component.
#[derive(Debug)]
pub struct Table {
    /// The component, as in `--set COMPONENT.NAME=VALUE`.
    pub component: &'static str,
    /// What the component is.
    pub about: &'static str,
    /// The rows, in the order of declaration.
    pub rows: &'static [Row],
    /// The component reads the defaults only: the rows are listed but cannot be set.
    pub fixed: bool,
}

impl Table {
    /// The row of this name.
    pub fn row(&self, name: &str) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// One setting.
#[derive(Debug)]
pub struct Row {
    /// The name, in kebab-case.
    pub name: &'static str,
    /// Why it is there, in one line.
    pub help: &'static str,
    /// The option of the command line that sets it, if there is one beside `--set`.
    pub option: Option<LongOption>,
    /// Which values it takes.
    pub kind: Kind,
    /// Writes the default as it would be set.
    pub default: fn() -> String,
}

/// An option of the command line for a setting. Several components may have the same option: it sets all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongOption {
    /// The name without dashes.
    pub name: &'static str,
    /// What the help shows for the value.
    pub value: &'static str,
}

/// Which values a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number from `least` to `most`.
    Number(Span),
    /// A number from `least` to `most`, or `none`: no limit.
    Limit(Span),
    /// Numbers from `least` to `most`, separated by commas.
    Numbers(Span),
    /// One of these names, each with its help.
    Choice(&'static [(&'static str, &'static str)]),
    /// `true` or `false`.
    Flag,
}

/// The range of a number and what it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The least number.
    pub least: u64,
    /// The greatest number.
    pub most: u64,
    /// What is counted.
    pub unit: Unit,
}

/// What a number counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names say it.
pub enum Unit {
    Ticks,
    Milliseconds,
    Seconds,
    Bytes,
    Kibibytes,
    Bits,
    Characters,
    Digits,
    Columns,
    Lines,
    Percent,
    PerMille,
    Factor,
    Rounds,
    Attempts,
    Failures,
    Queries,
    Conflicts,
    Steps,
    Edges,
    Iterations,
    Runs,
    States,
    Variables,
    Values,
    Terms,
    Nodes,
    Levels,
    Sites,
    Predicates,
    Lemmas,
    Facts,
    Candidates,
    Clauses,
    Literals,
    Constraints,
    Cases,
    Pieces,
    Elements,
    Parts,
    Calls,
    Degree,
    Diagnostics,
    Entries,
}

impl Unit {
    /// The unit in lower case, as it follows a number.
    pub fn name(self) -> String {
        match self {
            Unit::PerMille => "per mille".to_owned(),
            Unit::Factor => "times".to_owned(),
            _ => format!("{self:?}").to_lowercase(),
        }
    }
}

/// Why a setting was not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SettingError {
    /// The component has no setting of this name.
    UnknownName,
    /// The setting does not take this value; the text says which it takes.
    BadValue(String),
}

/// Values that were set for one component, by name; what is not set has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// Sets one; the most recent value counts. It is checked when the settings are made of it, not here.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }
    /// Sets all of these too.
    pub fn set_all(&mut self, others: &Values) {
        others.iter().for_each(|(name, value)| self.set(name, value));
    }
    /// The value of this name, if it was set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// An enumeration whose values have names: a setting with a list of values. [`crate::choice!`] declares one.
pub trait Choice: Copy + PartialEq + 'static {
    /// All values with their names and help texts.
    const VALUES: &'static [Self];
    /// The names and help texts, in the order of [`Choice::VALUES`].
    const NAMES: &'static [(&'static str, &'static str)];
    /// The value of this name.
    fn from_name(name: &str) -> Option<Self> {
        let at = Self::NAMES.iter().position(|(known, _)| *known == name)?;
        Some(Self::VALUES[at])
    }
}

/// A type of settings.
pub trait Value: Sized {
    /// The kind of a setting of this type; the range of numbers is that of the type.
    const KIND: Kind;
    /// The value that a text writes, if the text passes [`Kind::check`].
    fn read(text: &str) -> Option<Self>;
    /// Writes a value so that it can be read again.
    fn shown(&self) -> String;
}

impl Kind {
    /// The same kind with this range and unit.
    pub const fn within(self, span: Span) -> Kind {
        let (Kind::Number(widest) | Kind::Limit(widest) | Kind::Numbers(widest)) = self else {
            panic!("only numbers have a range")
        };
        assert!(span.least <= span.most && span.most <= widest.most, "the range lies within the range of the type");
        match self {
            Kind::Number(_) => Kind::Number(span),
            Kind::Limit(_) => Kind::Limit(span),
            _ => Kind::Numbers(span),
        }
    }

    /// Says why a text is not one of the values.
    pub fn check(&self, text: &str) -> Result<(), String> {
        match self {
            Kind::Limit(_) if text == "none" => Ok(()),
            Kind::Number(span) | Kind::Limit(span) => span.check(text),
            Kind::Numbers(_) if text.is_empty() => Ok(()),
            Kind::Numbers(span) => text.split(',').try_for_each(|number| span.check(number.trim())),
            Kind::Flag if matches!(text, "true" | "false") => Ok(()),
            Kind::Flag => Err(format!("`{text}` is not one of true or false")),
            Kind::Choice(names) if names.iter().any(|(name, _)| *name == text) => Ok(()),
            Kind::Choice(names) => {
                let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
                Err(format!("`{text}` is not one of {}", names.join(", ")))
            }
        }
    }

    /// A random value, for tests. Numbers of each magnitude are equally likely.
    pub fn random(&self, random: &mut Random) -> String {
        match self {
            Kind::Limit(_) | Kind::Numbers(_) if random.one_in(2) => {
                if matches!(self, Kind::Limit(_)) {
                    "none".to_owned()
                } else {
                    String::new()
                }
            }
            Kind::Number(span) | Kind::Limit(span) | Kind::Numbers(span) => span.random(random).to_string(),
            Kind::Flag => random.one_in(2).to_string(),
            Kind::Choice(names) => random.pick(names).0.to_owned(),
        }
    }
}

impl Span {
    const fn up_to(most: u64) -> Span {
        Span { least: 0, most, unit: Unit::Elements }
    }

    fn check(&self, text: &str) -> Result<(), String> {
        let number = count(text)?;
        let Span { least, most, .. } = *self;
        if (least..=most).contains(&number) { Ok(()) } else { Err(format!("`{text}`: from {least} to {most}")) }
    }

    fn random(&self, random: &mut Random) -> u64 {
        let bits = |number: u64| i64::from(u64::BITS - number.leading_zeros());
        let magnitude = random.between(bits(self.least), bits(self.most));
        let number = if magnitude == 0 { 0 } else { random.bits() >> (i64::from(u64::BITS) - magnitude) };
        number.clamp(self.least, self.most)
    }
}

/// A number: decimal or hexadecimal, `_` may separate groups of digits.
pub fn count(text: &str) -> Result<u64, String> {
    let digits: String = text.chars().filter(|&c| c != '_').collect();
    let parsed = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is not a number from 0 to {}", u64::MAX))
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::Number(Span::up_to(<$type>::MAX as u64));
            fn read(text: &str) -> Option<Self> {
                count(text).ok()?.try_into().ok()
            }
            fn shown(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

numbers!(u8, u32, u64, usize);

impl Value for Option<u32> {
    const KIND: Kind = Kind::Limit(Span::up_to(u32::MAX as u64));
    fn read(text: &str) -> Option<Self> {
        if text == "none" { Some(None) } else { u32::read(text).map(Some) }
    }
    fn shown(&self) -> String {
        self.map_or("none".to_owned(), |number| number.to_string())
    }
}

impl Value for Vec<u32> {
    const KIND: Kind = Kind::Numbers(Span::up_to(u32::MAX as u64));
    fn read(text: &str) -> Option<Self> {
        text.split(',').filter(|number| !number.is_empty()).map(|number| u32::read(number.trim())).collect()
    }
    fn shown(&self) -> String {
        self.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
    }
}

impl Value for bool {
    const KIND: Kind = Kind::Flag;
    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl<C: Choice> Value for C {
    const KIND: Kind = Kind::Choice(C::NAMES);
    fn read(text: &str) -> Option<Self> {
        C::from_name(text)
    }
    fn shown(&self) -> String {
        let at = C::VALUES.iter().position(|value| value == self).expect("every value is listed");
        C::NAMES[at].0.to_owned()
    }
}

/// The name of a field with hyphens in place of underscores. For [`crate::settings!`].
pub const fn kebab<const N: usize>(name: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut at = 0;
    while at < N {
        bytes[at] = if name.as_bytes()[at] == b'_' { b'-' } else { name.as_bytes()[at] };
        at += 1;
    }
    bytes
}

/// The option of a row, if it has one. For [`crate::settings!`].
pub const fn first(options: &[LongOption]) -> Option<LongOption> {
    if options.is_empty() { None } else { Some(options[0]) }
}

/// Declares the settings of a component: a struct with a field for each row, and its [`Table`].
///
/// A row is `name: type = default, range, Unit;` for numbers (`u8`, `u32`, `u64`, `usize`, `Option<u32>` for a limit that may
/// be absent, `Vec<u32>` for a list) and `name: type = default;` for flags and enumerations (see [`crate::choice!`]). Its doc
/// comment is the help. `#[option("long", "VALUE")]` after it makes an option of the command line. The table is `TABLE`, the
/// values without any setting `DEFAULT`.
///
/// With `fixed struct` the table cannot be set: for components that read `DEFAULT`, since nothing carries settings to them yet.
///
/// ```
/// base::settings! {
///     /// Settings of the word-level IC3.
///     pub struct Settings for "euf" {
///         /// A first round is short, so that easy programs end before anything is rebuilt.
///         first_round_ticks: u64 = 200_000, 1_000..=1 << 40, Ticks;
///         /// Try cheap generalisation first.
///         cheap_first: bool = true;
///     }
/// }
/// let settings = Settings::from_values([("first-round-ticks", "5_000")]).expect("it is in the range");
/// assert!(settings.first_round_ticks == 5000 && settings.cheap_first);
/// assert_eq!(Settings::TABLE.rows[0].name, "first-round-ticks");
/// ```
#[macro_export]
macro_rules! settings {
    ($(#[doc = $about:literal])+ $vis:vis struct $name:ident for $component:literal { $($rows:tt)* }) => {
        $crate::settings! { @table ($(#[doc = $about])+) $vis $name $component false $($rows)* }

        impl $name {
            /// Sets one value, after a check of its range.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::SettingError> {
                use $crate::SettingError::{BadValue, UnknownName};
                Self::TABLE.row(name).ok_or(UnknownName)?.kind.check(value).map_err(BadValue)?;
                if self.set_checked(name, value) { Ok(()) } else { Err(UnknownName) }
            }

            /// The default with these values.
            pub fn from_values<'a>(
                values: impl IntoIterator<Item = (&'a str, &'a str)>,
            ) -> Result<Self, $crate::SettingError> {
                let mut settings = Self::DEFAULT;
                values.into_iter().try_for_each(|(name, value)| settings.set(name, value))?;
                Ok(settings)
            }
        }

        $crate::settings! { @set $name $($rows)* }
    };
    ($(#[doc = $about:literal])+ $vis:vis fixed struct $name:ident for $component:literal { $($rows:tt)* }) => {
        $crate::settings! { @table ($(#[doc = $about])+) $vis $name $component true $($rows)* }
    };
    (@table ($(#[doc = $about:literal])+) $vis:vis $name:ident $component:literal $fixed:literal $(
        $(#[doc = $help:literal])+
        $(#[option($long:literal, $shown:literal)])?
        $field:ident: $type:ty = $default:expr $(, $range:expr, $unit:ident)?;
    )+) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        $vis struct $name { $($(#[doc = $help])+ pub $field: $type,)+ }

        impl Default for $name {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl $name {
            /// The values without any setting.
            pub const DEFAULT: $name = $name { $($field: $default,)+ };
            /// What there is to set.
            pub const TABLE: &'static $crate::settings::Table = &$crate::settings::Table {
                component: $component,
                about: concat!($($about),+).trim_ascii(),
                fixed: $fixed,
                rows: &[$($crate::settings::Row {
                    name: {
                        const BYTES: &[u8] = &$crate::settings::kebab::<{ stringify!($field).len() }>(stringify!($field));
                        match str::from_utf8(BYTES) {
                            Ok(name) => name,
                            Err(_) => panic!("names are ASCII"),
                        }
                    },
                    help: concat!($($help),+).trim_ascii(),
                    option: $crate::settings::first(&[$($crate::settings::LongOption { name: $long, value: $shown })?]),
                    kind: {
                        let kind = <$type as $crate::settings::Value>::KIND;
                        $(
                            const RANGE: std::ops::RangeInclusive<u64> = $range;
                            let unit = $crate::settings::Unit::$unit;
                            let span = $crate::settings::Span { least: *RANGE.start(), most: *RANGE.end(), unit };
                            let kind = kind.within(span);
                        )?
                        kind
                    },
                    default: || {
                        const DEFAULT: $type = $default;
                        $crate::settings::Value::shown(&DEFAULT)
                    },
                }),+],
            };
        }
    };
    (@set $name:ident $(
        $(#[doc = $help:literal])+
        $(#[option($long:literal, $shown:literal)])?
        $field:ident: $type:ty = $default:expr $(, $range:expr, $unit:ident)?;
    )+) => {
        impl $name {
            fn set_checked(&mut self, name: &str, value: &str) -> bool {
                $(if name.len() == stringify!($field).len() && name.replace('-', "_") == stringify!($field) {
                    let Some(value) = $crate::settings::Value::read(value) else { return false };
                    self.$field = value;
                    return true;
                })+
                false
            }
        }
    };
}

/// Declares an enumeration whose values have names, for a setting with a list of values.
///
/// ```
/// base::choice! {
///     /// What is read bit by bit.
///     pub enum Level {
///         /// Nothing.
///         Functions = "uf",
///         /// Everything.
///         Bits = "bits",
///     }
/// }
/// use base::Choice;
/// assert_eq!(Level::from_name("bits"), Some(Level::Bits));
/// assert_eq!(Level::Bits.name(), "bits");
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[doc = $about:literal])+ $vis:vis enum $name:ident {
        $($(#[doc = $help:literal])+ $value:ident = $text:literal),+ $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis enum $name { $($(#[doc = $help])+ $value),+ }

        impl $name {
            /// The name in settings.
            pub const fn name(self) -> &'static str {
                match self { $($name::$value => $text),+ }
            }
        }

        impl $crate::Choice for $name {
            const VALUES: &'static [Self] = &[$($name::$value),+];
            const NAMES: &'static [(&'static str, &'static str)] = &[$(($text, concat!($($help),+).trim_ascii())),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::choice! {
        /// How far to look.
        enum Depth {
            /// A few steps.
            Shallow = "shallow",
            /// All steps.
            Deep = "deep",
        }
    }

    crate::settings! {
        /// Settings of the test.
        struct Sample for "sample" {
            /// Work of one round.
            round_ticks: u64 = 1 << 20, 1..=1 << 40, Ticks;
            /// How far to look.
            #[option("sample", "HOW")]
            depth: Depth = Depth::Shallow;
            /// Look twice.
            twice: bool = false;
            /// Unroll at most this many iterations.
            unwind: Option<u32> = None, 1..=100, Iterations;
            /// Lines that matter.
            lines: Vec<u32> = Vec::new(), 1..=u32::MAX as u64, Lines;
        }
    }

    crate::settings! {
        /// Limits of the test.
        fixed struct Limits for "limits" {
            /// Terms are not nested deeper.
            max_depth: u8 = 7, 1..=255, Levels;
        }
    }

    #[test]
    fn a_table_has_names_defaults_and_help() {
        let rows: Vec<(&str, String)> = Sample::TABLE.rows.iter().map(|row| (row.name, (row.default)())).collect();
        let expected =
            [("round-ticks", "1048576"), ("depth", "shallow"), ("twice", "false"), ("unwind", "none"), ("lines", "")];
        assert_eq!(rows, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(Sample::TABLE.about, "Settings of the test.");
        assert_eq!(Sample::TABLE.rows[1].option, Some(LongOption { name: "sample", value: "HOW" }));
        assert!(Limits::TABLE.fixed && Limits::DEFAULT.max_depth == 7);
    }

    #[test]
    fn a_value_out_of_range_and_an_unknown_name_are_refused() {
        let mut sample = Sample::DEFAULT;
        assert_eq!(sample.set("ticks", "1"), Err(SettingError::UnknownName));
        let bad = |text: &str| Err(SettingError::BadValue(text.to_owned()));
        assert_eq!(sample.set("round-ticks", "0"), bad("`0`: from 1 to 1099511627776"));
        assert_eq!(sample.set("depth", "far"), bad("`far` is not one of shallow, deep"));
        assert_eq!(sample.set("twice", "yes"), bad("`yes` is not one of true or false"));
        assert_eq!(sample.set("unwind", "101"), bad("`101`: from 1 to 100"));
        assert_eq!(sample.set("lines", "3,x"), bad("`x` is not a number from 0 to 18446744073709551615"));
        let values =
            [("round-ticks", "0x10"), ("depth", "deep"), ("unwind", "3"), ("lines", "3, 5"), ("twice", "true")];
        let set = Sample::from_values(values).expect("all are in range");
        assert_eq!((set.round_ticks, set.depth, set.unwind, set.twice), (16, Depth::Deep, Some(3), true));
        assert_eq!((set.lines, set.depth.name()), (vec![3, 5], "deep"));
    }

    #[test]
    fn random_values_are_in_range() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let mut sample = Sample::DEFAULT;
            for row in Sample::TABLE.rows {
                let value = row.kind.random(&mut random);
                assert_eq!(sample.set(row.name, &value), Ok(()), "{} = {value}", row.name);
            }
        }
    }
}
