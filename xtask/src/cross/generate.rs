//! Small programs about which engines can have an opinion: a few variables, loops, and an error that may or may not be reached.
//!
//! One statement stands on a line, so that a program can be made smaller line by line. Nothing is undefined except signed overflow, which wraps.

use base::Random;

/// A type, and how many bits it has.
const TYPES: &[(&str, u32)] = &[
    ("unsigned char", 8),
    ("signed char", 8),
    ("unsigned short", 16),
    ("short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("_Bool", 1),
];

/// The program of this seed.
pub fn generate(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), lines: Vec::new(), depth: 0, names: Vec::new(), n_loops: 0 };
    writer.program();
    let mut text = writer.lines.join("\n");
    text.push('\n');
    text
}

struct Writer {
    random: Random,
    lines: Vec<String>,
    depth: usize,
    /// Variables that can be read and written, each with its type.
    names: Vec<(String, &'static str)>,
    n_loops: usize,
}

impl Writer {
    fn push(&mut self, line: &str) {
        self.lines.push(format!("{}{line}", "    ".repeat(self.depth)));
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn program(&mut self) {
        self.push("extern int __VERIFIER_nondet_int(void);");
        self.push("extern unsigned char __VERIFIER_nondet_uchar(void);");
        self.push("extern _Bool __VERIFIER_nondet_bool(void);");
        self.push("extern void reach_error(void);");
        for name in ["g", "h"] {
            let (kind, _) = *self.random.pick(TYPES);
            let value = self.random.below(5);
            self.push(&format!("{kind} {name} = {value};"));
            self.names.push((name.to_owned(), kind));
        }
        let has_table = self.chance(40);
        if has_table {
            self.push("unsigned char t[4] = {1, 2, 0, 3};");
        }
        let has_helper = self.chance(50);
        if has_helper {
            self.helper();
        }
        self.push("int main(void) {");
        self.depth = 1;
        for name in ["a", "b", "c"].iter().take(1 + self.random.below(3) as usize) {
            let (kind, _) = *self.random.pick(TYPES);
            let value = match self.random.below(4) {
                0 => "__VERIFIER_nondet_uchar()".to_owned(),
                1 => "__VERIFIER_nondet_int()".to_owned(),
                _ => self.random.below(9).to_string(),
            };
            self.push(&format!("{kind} {name} = {value};"));
            self.names.push(((*name).to_owned(), kind));
        }
        for _ in 0..1 + self.random.below(2) {
            self.main_loop(has_table, has_helper);
        }
        if self.chance(60) {
            let condition = self.condition(2);
            self.error(&condition);
        }
        self.push("return 0;");
        self.depth = 0;
        self.push("}");
    }

    fn helper(&mut self) {
        self.push("static int f(int p) {");
        self.depth = 1;
        let globals = self.names.clone();
        self.names.push(("p".to_owned(), "int"));
        for _ in 0..self.random.below(3) {
            self.statement(1, false, false);
        }
        let result = self.expression(2);
        self.push(&format!("return {result};"));
        self.names = globals;
        self.depth = 0;
        self.push("}");
    }

    /// A loop with an unknown number of rounds, a known one, or without end.
    fn main_loop(&mut self, has_table: bool, has_helper: bool) {
        let counter = format!("i{}", self.n_loops);
        self.n_loops += 1;
        match self.random.below(4) {
            0 => {
                let bound = 1 + self.random.below(12);
                self.push(&format!("for (int {counter} = 0; {counter} < {bound}; {counter}++) {{"));
            }
            1 => {
                let condition = self.condition(1);
                self.push(&format!("while ({condition}) {{"));
            }
            _ => self.push("while (__VERIFIER_nondet_bool()) {"),
        }
        self.depth += 1;
        for _ in 0..1 + self.random.below(4) {
            self.statement(2, has_table, has_helper);
        }
        if self.chance(50) {
            let condition = self.condition(2);
            self.error(&condition);
        }
        self.depth -= 1;
        self.push("}");
    }

    fn error(&mut self, condition: &str) {
        self.push(&format!("if ({condition}) reach_error();"));
    }

    fn statement(&mut self, nesting: u32, has_table: bool, has_helper: bool) {
        let (name, kind) = self.random.pick(&self.names).clone();
        match self.random.below(12) {
            0 | 1 if nesting > 0 => {
                let condition = self.condition(1);
                self.push(&format!("if ({condition}) {{"));
                self.block(nesting - 1, has_table, has_helper);
                if self.chance(40) {
                    self.push("} else {");
                    self.block(nesting - 1, has_table, has_helper);
                }
                self.push("}");
            }
            2 if nesting > 0 => {
                let bound = 1 + self.random.below(4);
                let counter = format!("k{nesting}");
                self.push(&format!("for (int {counter} = 0; {counter} < {bound}; {counter}++) {{"));
                self.block(nesting - 1, has_table, has_helper);
                self.push("}");
            }
            3 if nesting > 0 => {
                self.push(&format!("switch ({name} & 3) {{"));
                for value in 0..1 + self.random.below(3) {
                    self.push(&format!("case {value}:"));
                    self.block(nesting - 1, has_table, has_helper);
                    if self.chance(80) {
                        self.push("    break;");
                    }
                }
                self.push("}");
            }
            4 if has_helper => {
                let argument = self.expression(1);
                self.push(&format!("{name} = f({argument});"));
            }
            5 if has_table => {
                let (index, value) = (self.expression(1), self.expression(1));
                self.push(&format!("t[({index}) & 3] = {value};"));
            }
            6 if has_table => {
                let index = self.expression(1);
                self.push(&format!("{name} = t[({index}) & 3];"));
            }
            7 => self.push(&format!("{name} = __VERIFIER_nondet_uchar();")),
            8 if kind != "_Bool" => {
                let step = 1 + self.random.below(3);
                let sign = if self.chance(70) { "+=" } else { "-=" };
                self.push(&format!("{name} {sign} {step};"));
            }
            9 => {
                let (condition, yes, no) = (self.condition(1), self.expression(1), self.expression(1));
                self.push(&format!("{name} = ({condition}) ? {yes} : {no};"));
            }
            _ => {
                let value = self.expression(2);
                self.push(&format!("{name} = {value};"));
            }
        }
    }

    fn block(&mut self, nesting: u32, has_table: bool, has_helper: bool) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(nesting, has_table, has_helper);
        }
        self.depth -= 1;
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth > 1 && self.chance(40) {
            let operator = if self.chance(70) { "&&" } else { "||" };
            return format!("({}) {operator} ({})", self.condition(depth - 1), self.condition(depth - 1));
        }
        let operator = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let left = self.expression(1);
        let right = if self.chance(60) { self.constant() } else { self.expression(1) };
        format!("{left} {operator} {right}")
    }

    fn constant(&mut self) -> String {
        let interesting = ["0", "1", "2", "7", "16", "100", "127", "128", "255", "256", "-1", "-128", "32767", "65536"];
        if self.chance(60) { self.random.below(10).to_string() } else { (*self.random.pick(&interesting)).to_owned() }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(30) {
            return if self.chance(70) { self.random.pick(&self.names).0.clone() } else { self.constant() };
        }
        let left = self.expression(depth - 1);
        match self.random.below(9) {
            0 => format!("({left} << {})", self.random.below(4)),
            1 => format!("({left} >> {})", self.random.below(4)),
            2 => format!("({left} / {})", 1 + self.random.below(7)),
            3 => format!("({left} % {})", 1 + self.random.below(7)),
            4 => {
                let (kind, _) = *self.random.pick(TYPES);
                format!("(({kind})({left}))")
            }
            _ => {
                let operator = *self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({left} {operator} {})", self.expression(depth - 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfront::DataModel;
    use testkit::ours::Answer;

    #[test]
    fn generated_programs_are_accepted_and_differ() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let text = generate(seed);
            let ran = testkit::ours::interpret("generated.c", &text, DataModel::Ilp32, &[], 10_000);
            let is_bad = matches!(ran.answer, Answer::Unsupported(_) | Answer::Invalid(_) | Answer::Panicked(_));
            assert!(!is_bad && ran.undefined.is_none(), "{ran:?}\n{text}");
            assert_eq!(text, generate(seed));
            seen.insert(text);
        }
        assert!(seen.len() > 190);
    }
}
