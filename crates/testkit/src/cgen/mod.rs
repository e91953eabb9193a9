//! Random C programs with one right answer.
//!
//! [`generate`] writes a whole C program from a seed. The program touches as much of the language as
//! it can, folds everything it computes into a checksum, and returns that from `program`. It has no
//! undefined behaviour except signed overflow (so it is compiled with `-fwrapv`), and no unspecified
//! behaviour that the checksum could see:
//!
//! * every object is initialised, every index is masked or reduced, shift amounts are in range,
//!   divisors are positive or constants below -1;
//! * pointers only ever point to live objects of their type (`scope` knows lifetimes);
//! * order of evaluation does not matter: every expression carries what it reads and writes
//!   (`effects`), and operands that would interfere are replaced;
//! * loops have counters that no other statement writes, recursion has a depth, and an estimate of the work
//!   keeps programs short-running.
//!
//! Each program uses a random subset of the features (`features`): leaving features out lets the
//! others go deeper ([GroceEtAl-ISSTA'12]). The idea of the whole is that of [YangEtAl-PLDI'11].

mod access;
mod calls;
mod constants;
mod control;
mod declarations;
mod effects;
mod expressions;
mod extensions;
mod features;
mod floats;
mod functions;
mod initialisers;
mod records;
mod scope;
mod statements;
mod templates;
mod types;

use base::Random;
use cfront::DataModel;
use features::Features;
use functions::Function;
use scope::Scope;
use types::{Enumeration, Int, Record};

/// The kind of program to generate.
#[derive(Clone, Debug)]
pub struct Config {
    /// The sizes of types the program may rely on.
    pub model: DataModel,
    /// About how many lines the program should have, 10 to 500.
    pub lines: u32,
    /// Put before every name of the program that is visible in the whole file, so that several
    /// programs fit into one file.
    pub prefix: String,
}

impl Config {
    /// A program whose length is itself drawn from the seed: most are short, some are long.
    pub fn for_seed(seed: u64, model: DataModel) -> Config {
        let mut random = Random::new(seed ^ 0x6c69_6e65_7300_0000);
        let lines = match random.below(10) {
            0..4 => random.between(10, 60),
            4..9 => random.between(60, 200),
            _ => random.between(200, 500),
        };
        Config { model, lines: lines as u32, prefix: String::new() }
    }
}

/// The program that belongs to the seed. The same seed and configuration give the same text.
pub fn generate(seed: u64, config: &Config) -> String {
    let mut random = Random::new(seed);
    let features = Features::choose(&mut random, config.model);
    let mut generator = Generator {
        random,
        config: config.clone(),
        features,
        out: Vec::new(),
        indent: 0,
        fresh: 0,
        structs: Vec::new(),
        unions: Vec::new(),
        enums: Vec::new(),
        functions: Vec::new(),
        tables: Vec::new(),
        scope: Scope::default(),
        multiplier: 1,
        cost: 0,
        pure: false,
        inside_loop: false,
        inside_switch: false,
        nesting: 0,
        within: 0,
        written: 0,
        folding: true,
    };
    generator.whole_program();
    let mut text = generator.out.join("\n");
    text.push('\n');
    text
}

/// About how many statements a generated program may execute.
const MOST_WORK: u64 = 30_000;

struct Generator {
    random: Random,
    config: Config,
    features: Features,
    /// The lines written so far.
    out: Vec<String>,
    indent: usize,
    /// Numbers made-up names.
    fresh: u32,
    structs: Vec<Record>,
    unions: Vec<Record>,
    enums: Vec<Enumeration>,
    functions: Vec<Function>,
    /// Tables of pointers to functions: name, size, position of a function with the common signature.
    tables: Vec<(String, u32, usize)>,
    scope: Scope,
    /// How often the statement now written will run in one call of its function, at most.
    multiplier: u64,
    /// How many statements one call of the function now written executes, at most.
    cost: u64,
    /// Whether the function now written may touch neither globals nor pointers.
    pure: bool,
    inside_loop: bool,
    inside_switch: bool,
    nesting: u32,
    /// How many expressions are being written inside one another.
    within: u32,
    /// How many expressions the current statement has so far.
    written: u32,
    /// Whether statements may fold into the checksum (not in pure functions).
    folding: bool,
}

impl Generator {
    fn whole_program(&mut self) {
        self.prelude();
        self.declare_enums();
        self.declare_records();
        self.declare_globals();
        let n_functions = match self.config.lines {
            0..30 => self.random.between(0, 1),
            30..100 => self.random.between(1, 4),
            _ => self.random.between(2, 8),
        };
        let mut left = (self.config.lines * 2 / 3) as i64;
        for _ in 0..n_functions {
            let share = (left / 2).max(4);
            let statements = self.random.between(2, share);
            self.define_function(statements as u32 / 2 + 2);
            left -= statements;
            if self.features.function_pointers && self.random.one_in(3) {
                self.declare_table();
            }
        }
        self.define_program(left.max(6) as u32 / 2);
    }

    /// The checksum and the library functions that are used.
    fn prelude(&mut self) {
        let p = &self.config.prefix;
        let size = self.size_type().name();
        let mut lines = vec![
            format!("static unsigned {p}checksum = 1;"),
            format!("static void {p}mix(unsigned long long value)"),
            "{".into(),
            format!("    {p}checksum = ({p}checksum ^ (unsigned)value) * 2654435761u;"),
            format!("    {p}checksum = ({p}checksum ^ (unsigned)(value >> 32)) * 2246822519u;"),
            format!("    {p}checksum ^= {p}checksum >> 15;"),
            "}".into(),
        ];
        if self.features.library {
            lines.push(format!("void *memcpy(void *, const void *, {size});"));
            lines.push(format!("void *memmove(void *, const void *, {size});"));
            lines.push(format!("void *memset(void *, int, {size});"));
            lines.push(format!("int memcmp(const void *, const void *, {size});"));
            lines.push(format!("{size} strlen(const char *);"));
            lines.push("int strcmp(const char *, const char *);".into());
            lines.push(format!("int strncmp(const char *, const char *, {size});"));
            lines.push("char *strcpy(char *, const char *);".into());
            lines.push("char *strchr(const char *, int);".into());
            lines.push(format!("void *malloc({size});"));
            lines.push(format!("void *calloc({size}, {size});"));
            lines.push("void free(void *);".into());
            lines.push("int abs(int);".into());
        }
        self.out.extend(lines);
        self.define_template_functions();
    }

    fn size_type(&self) -> Int {
        match self.config.model {
            DataModel::Ilp32 => Int::UInt,
            DataModel::Lp64 => Int::ULong,
        }
    }
    fn model(&self) -> DataModel {
        self.config.model
    }
    /// A fresh name; visible in the whole file, it has the prefix.
    fn global_name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{}{stem}{}", self.config.prefix, self.fresh)
    }
    /// A fresh name, for use inside functions.
    fn local_name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }
    fn line(&mut self, text: impl AsRef<str>) {
        let indent = "    ".repeat(self.indent);
        self.out.push(format!("{indent}{}", text.as_ref()));
    }
    fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.indent += 1;
    }
    fn close(&mut self, text: impl AsRef<str>) {
        self.indent -= 1;
        self.line(text);
    }
    /// True in `percent` of 100 cases.
    fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }
    /// How much work may still be added here, in statements executed once at this place.
    fn work_left(&self) -> u64 {
        MOST_WORK.saturating_sub(self.cost) / self.multiplier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        for seed in 0..50 {
            let config = Config::for_seed(seed, DataModel::Lp64);
            assert_eq!(generate(seed, &config), generate(seed, &config));
        }
    }

    #[test]
    fn different_seeds_give_different_programs() {
        let config = Config { model: DataModel::Lp64, lines: 50, prefix: String::new() };
        assert_ne!(generate(1, &config), generate(2, &config));
    }

    #[test]
    fn a_prefix_changes_names_and_nothing_else() {
        for seed in 0..50 {
            let plain = Config::for_seed(seed, DataModel::Ilp32);
            let prefixed = Config { prefix: "q7_".into(), ..plain.clone() };
            assert_eq!(generate(seed, &plain), generate(seed, &prefixed).replace("q7_", ""));
        }
    }

    #[test]
    fn programs_have_about_the_length_asked_for() {
        for lines in [10, 60, 250, 500] {
            let mut total = 0;
            for seed in 0..40 {
                let config = Config { model: DataModel::Lp64, lines, prefix: String::new() };
                total += generate(seed, &config).lines().count() as u32;
            }
            let average = total / 40;
            // The mixing function and the templates of a program take their lines whatever was asked for.
            assert!(average > lines / 3 && average < lines * 3 + 150, "asked for {lines} lines, got {average}");
        }
    }
}
