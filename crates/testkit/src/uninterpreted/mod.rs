//! Random uninterpreted programs with ground truth: for the engine that decides them, and for its certificates.
//!
//! A [`Program`] is a list of statements over variables and functions, printed as Boogie. Five families
//! ([`families`]) aim at different mistakes; [`truth`] says what is known about a program without any engine.

pub mod families;
pub mod truth;

use std::fmt::Write;

/// A variable, by its number.
pub type Var = usize;
/// A function, by its number.
pub type Fun = usize;

/// `==` or `!=` of two variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cond {
    /// Left side.
    pub left: Var,
    /// Right side.
    pub right: Var,
    /// Whether they are equal.
    pub equal: bool,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `x := y`
    Copy(Var, Var),
    /// `x := f(y, z)`
    Apply(Var, Fun, Vec<Var>),
    /// `assume c`
    Assume(Cond),
    /// `if (c) { } else { }`
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// `while (c) { }`
    While(Cond, Vec<Stmt>),
    /// `havoc x`
    Havoc(Var),
}

/// A program that ends with one assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The names of the variables.
    pub vars: Vec<String>,
    /// The names of the functions with how many arguments they take.
    pub functions: Vec<(String, usize)>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// What must hold at the end.
    pub assertion: Cond,
}

impl Cond {
    /// The opposite.
    pub fn negated(self) -> Cond {
        Cond { equal: !self.equal, ..self }
    }
}

impl Program {
    /// The program in Boogie.
    pub fn to_boogie(&self) -> String {
        let mut text = String::from("type A;\n");
        for (name, arity) in &self.functions {
            let params: Vec<String> = (0..*arity).map(|i| format!("x{i}: A")).collect();
            let _ = writeln!(text, "function {name}({}) returns (A);", params.join(", "));
        }
        let _ = write!(text, "procedure main() {{\n  var {}: A;\n", self.vars.join(", "));
        self.print(&self.body, 1, &mut text);
        let _ = write!(text, "  assert({});\n}}\n", self.cond(self.assertion));
        text
    }
    fn cond(&self, cond: Cond) -> String {
        format!("{} {} {}", self.vars[cond.left], if cond.equal { "==" } else { "!=" }, self.vars[cond.right])
    }
    fn print(&self, block: &[Stmt], depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for stmt in block {
            match stmt {
                Stmt::Copy(x, y) => {
                    let _ = writeln!(text, "{indent}{} := {};", self.vars[*x], self.vars[*y]);
                }
                Stmt::Apply(x, f, args) => {
                    let args: Vec<&str> = args.iter().map(|&arg| self.vars[arg].as_str()).collect();
                    let name = &self.functions[*f].0;
                    let _ = writeln!(text, "{indent}{} := {name}({});", self.vars[*x], args.join(", "));
                }
                Stmt::Assume(cond) => {
                    let _ = writeln!(text, "{indent}assume({});", self.cond(*cond));
                }
                Stmt::Havoc(x) => {
                    let _ = writeln!(text, "{indent}havoc {};", self.vars[*x]);
                }
                Stmt::If(cond, then, otherwise) => {
                    let _ = writeln!(text, "{indent}if ({}) {{", self.cond(*cond));
                    self.print(then, depth + 1, text);
                    if !otherwise.is_empty() {
                        let _ = writeln!(text, "{indent}}} else {{");
                        self.print(otherwise, depth + 1, text);
                    }
                    let _ = writeln!(text, "{indent}}}");
                }
                Stmt::While(cond, body) => {
                    let _ = writeln!(text, "{indent}while ({}) {{", self.cond(*cond));
                    self.print(body, depth + 1, text);
                    let _ = writeln!(text, "{indent}}}");
                }
            }
        }
    }
}
