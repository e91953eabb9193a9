//! Random expressions, and how they look in C.
//!
//! Every full expression writes an object at most once and does not read it elsewhere (6.5p2): objects are dealt to readers and
//! writers before it is written. Most shift amounts and divisors are chosen so that something defined comes out.

use super::Body;
use super::meaning::{Expr, Object, State};
use super::types::{Suffix, Type};
use base::Random;
use cfront::DataModel;

const OPERATORS: &[&str] = &["*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"];
const ASSIGNING: &[&str] = &["*", "/", "%", "+", "-", "<<", ">>", "&", "^", "|"];
const NAMED: &[(&str, i128)] = &[("MINUS", -3), ("FIVE", 5)];

/// Writes a program from random numbers.
pub struct Writer {
    random: Random,
    model: DataModel,
    readable: Vec<Object>,
    writable: Vec<Object>,
    /// Bit-fields that are only assigned.
    wide: Vec<Object>,
}

impl Writer {
    /// With these random numbers.
    pub fn new(random: Random, model: DataModel) -> Writer {
        Writer { random, model, readable: Vec::new(), writable: Vec::new(), wide: Vec::new() }
    }

    /// A whole program.
    pub fn body(mut self) -> Body {
        let variables = (0..3 + self.random.below(5)).map(|_| *self.random.pick(&Type::ALL)).collect();
        let fields = (0..2 + self.random.below(4)).map(|_| self.field()).collect();
        let mut body = Body { model: self.model, variables, fields, statements: Vec::new(), constants: Vec::new() };
        for _ in 0..3 {
            if let Some(constant) = self.constant(&body) {
                body.constants.push(constant);
            }
        }
        for _ in 0..1 + self.random.below(5) {
            self.deal(&body);
            let depth = 1 + self.random.below(4) as u32;
            let expression = self.expression(depth);
            body.statements.push(expression);
        }
        body
    }

    /// A bit-field: its declared type and width.
    fn field(&mut self) -> (Type, u32) {
        let declared = *self.random.pick(&Type::ALL);
        // Operators on wider fields are refused: gcc and clang disagree about their type.
        let most = if declared == Type::Bool { 1 } else { u64::from(declared.size(self.model)).min(32) };
        let width = match self.random.below(3) {
            0 => most,
            1 => 1 + self.random.below(most.min(3)),
            _ => 1 + self.random.below(most),
        };
        (declared, width as u32)
    }

    /// A constant expression with a defined value.
    fn constant(&mut self, body: &Body) -> Option<(Expr, i128)> {
        (self.readable, self.writable) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let expression = self.expression(3);
            let mut state = State::new(body, &[]);
            if let Ok(value) = state.value(&expression)
                && !state.overflow
                && is_constant_expression(&expression)
            {
                return Some((expression, value.number));
            }
        }
        None
    }

    fn deal(&mut self, body: &Body) {
        (self.readable, self.writable) = (Vec::new(), Vec::new());
        let variables = (0..body.variables.len()).map(Object::Variable);
        self.wide = (0..body.fields.len()).map(Object::Field).filter(|&object| is_wide(object, body)).collect();
        for object in variables.chain((0..body.fields.len()).map(Object::Field)) {
            let pile = if self.random.one_in(3) { &mut self.writable } else { &mut self.readable };
            pile.push(object);
        }
    }

    fn expression(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(20) {
            0..9 => self.binary(depth),
            9 | 10 => Expr::Unary(*self.random.pick(&['+', '-', '~', '!']), self.operand(depth)),
            11 | 12 => Expr::Cast(*self.random.pick(&Type::ALL), self.operand(depth)),
            13 => {
                let op = *self.random.pick(&["&&", "||", ","]);
                Expr::Binary(op, self.operand(depth), self.operand(depth))
            }
            14 | 15 => Expr::Conditional(self.operand(depth), self.operand(depth), self.operand(depth)),
            16 => {
                // Objects in it are not read; a bit-field has no size.
                let operand = Expr::Unary('+', self.operand(depth));
                Expr::Sizeof(Box::new(operand))
            }
            17 | 18 => self.assignment(depth),
            _ => self.step(),
        }
    }

    fn operand(&mut self, depth: u32) -> Box<Expr> {
        let less = 1 + self.random.below(2) as u32;
        Box::new(self.expression(depth.saturating_sub(less)))
    }

    fn binary(&mut self, depth: u32) -> Expr {
        let op = *self.random.pick(OPERATORS);
        let left = self.operand(depth);
        let right = self.right(op, depth);
        Expr::Binary(op, left, right)
    }

    /// A right operand that makes an operator mostly defined.
    fn right(&mut self, op: &str, depth: u32) -> Box<Expr> {
        let plain = Suffix { unsigned: false, longs: 0 };
        let number = |value: i128| Box::new(Expr::Number(value, true, plain));
        match op {
            "<<" | ">>" => match self.random.below(10) {
                0..5 => number(i128::from(*self.random.pick(&[0_u8, 1, 2, 7, 8, 15, 16, 30, 31]))),
                5 => number(i128::from(self.random.below(70))),
                6..9 => Box::new(Expr::Binary("&", self.operand(depth), number(15))),
                _ => self.operand(depth),
            },
            "/" | "%" => match self.random.below(10) {
                0..4 => number(i128::from(1 + self.random.below(9))),
                4 => Box::new(Expr::Unary('-', number(1 + i128::from(self.random.below(9))))),
                5..8 => Box::new(Expr::Binary("|", self.operand(depth), number(1))),
                _ => self.operand(depth),
            },
            _ => self.operand(depth),
        }
    }

    fn written(&mut self) -> Option<Object> {
        let last = self.writable.len();
        (last > 0).then(|| self.writable.swap_remove(self.random.below(last as u64) as usize))
    }

    fn assignment(&mut self, depth: u32) -> Expr {
        let Some(object) = self.written() else { return self.leaf() };
        if self.wide.contains(&object) || self.random.one_in(3) {
            return Expr::Assign(None, object, self.operand(depth));
        }
        let op = *self.random.pick(ASSIGNING);
        let right = self.right(op, depth);
        Expr::Assign(Some(op), object, right)
    }

    fn step(&mut self) -> Expr {
        let Some(object) = self.written() else { return self.leaf() };
        if self.wide.contains(&object) {
            let value = self.leaf();
            return Expr::Assign(None, object, Box::new(value));
        }
        let step = if self.random.one_in(2) { 1 } else { -1 };
        Expr::Step(step, self.random.one_in(2), object)
    }

    fn leaf(&mut self) -> Expr {
        if !self.readable.is_empty() && !self.random.one_in(3) {
            return Expr::Object(*self.random.pick(&self.readable));
        }
        match self.random.below(8) {
            0 => Expr::Character(self.random.bits() as u8),
            1 => {
                let (name, value) = *self.random.pick(NAMED);
                Expr::Named(name, value)
            }
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Expr {
        loop {
            let value = match self.random.below(3) {
                0 => self.random.below(10),
                1 => super::border(&mut self.random),
                _ => self.random.bits() >> self.random.below(64),
            };
            let decimal = self.random.one_in(2);
            let suffix =
                Suffix { unsigned: self.random.one_in(3), longs: self.random.below(5).saturating_sub(2) as u32 };
            if Type::of_constant(i128::from(value), decimal, suffix, self.model).is_some() {
                return Expr::Number(i128::from(value), decimal, suffix);
            }
        }
    }
}

/// 6.6p3: no assignment, step or comma, except in operands that are not evaluated; we leave them out there, too.
fn is_constant_expression(expression: &Expr) -> bool {
    match expression {
        Expr::Number(..) | Expr::Character(_) | Expr::Named(..) => true,
        Expr::Object(_) | Expr::Assign(..) | Expr::Step(..) | Expr::Binary(",", ..) => false,
        Expr::Cast(_, operand) | Expr::Unary(_, operand) | Expr::Sizeof(operand) => is_constant_expression(operand),
        Expr::Binary(_, left, right) => is_constant_expression(left) && is_constant_expression(right),
        Expr::Conditional(condition, yes, no) => [condition, yes, no].into_iter().all(|e| is_constant_expression(e)),
    }
}

/// The expression as C, with all brackets.
pub fn shown(expression: &Expr, body: &Body) -> String {
    let shown = |expression: &Expr| shown(expression, body);
    match expression {
        Expr::Number(value, decimal, suffix) => {
            let unsigned = if suffix.unsigned { "u" } else { "" };
            let longs = ["", "L", "LL"][suffix.longs as usize];
            if *decimal { format!("{value}{unsigned}{longs}") } else { format!("{value:#x}{unsigned}{longs}") }
        }
        Expr::Character(code) => format!("'\\{code:03o}'"),
        Expr::Named(name, _) => (*name).to_owned(),
        Expr::Object(object) if is_wide(*object, body) => converted(*object, body, &name(*object)),
        Expr::Object(object) => name(*object),
        Expr::Cast(ty, operand) => format!("({})({})", ty.name(), shown(operand)),
        Expr::Unary(op, operand) => format!("{op}({})", shown(operand)),
        Expr::Binary(op, left, right) => format!("(({}) {op} ({}))", shown(left), shown(right)),
        Expr::Conditional(condition, yes, no) => {
            format!("(({}) ? ({}) : ({}))", shown(condition), shown(yes), shown(no))
        }
        Expr::Sizeof(operand) => format!("sizeof({})", shown(operand)),
        Expr::Assign(op, object, value) => {
            converted(*object, body, &format!("{} {}= ({})", name(*object), op.unwrap_or(""), shown(value)))
        }
        Expr::Step(step, is_new, object) => {
            let op = if *step > 0 { "++" } else { "--" };
            let text = if *is_new { format!("{op}{}", name(*object)) } else { format!("{}{op}", name(*object)) };
            converted(*object, body, &text)
        }
    }
}

/// Compilers differ about the type of an assignment to a bit-field, so it is converted to the declared type.
fn converted(object: Object, body: &Body, text: &str) -> String {
    match object {
        Object::Variable(_) => format!("({text})"),
        Object::Field(index) => format!("({})({text})", body.fields[index].0.name()),
    }
}

/// Whether it is a bit-field of a type wider than `int`. The standard does not say what such a field is promoted to (6.7.2.1p5), and compilers
/// differ, so it is only stored and, converted to its declared type, read.
fn is_wide(object: Object, body: &Body) -> bool {
    matches!(object, Object::Field(index) if body.fields[index].0.rank() > Type::Int.rank())
}

fn name(object: Object) -> String {
    match object {
        Object::Variable(index) => format!("v{index}"),
        Object::Field(index) => format!("s.f{index}"),
    }
}
