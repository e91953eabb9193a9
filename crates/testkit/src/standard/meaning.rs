//! Values and types of expressions, on mathematical integers: clauses 6.5.2 to 6.5.17.

use super::Body;
use super::types::{Suffix, Type};
use cfront::DataModel;

/// An expression. Operands that write something are written by nothing else in the same full expression (6.5p2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant: its value, whether it is decimal, its suffix.
    Number(i128, bool, Suffix),
    /// A character constant, `'\ooo'`.
    Character(u8),
    /// An enumeration constant.
    Named(&'static str, i128),
    /// A variable or a bit-field.
    Object(Object),
    /// A conversion.
    Cast(Type, Box<Expr>),
    /// `+ - ~ !`
    Unary(char, Box<Expr>),
    /// An operator with two operands, `&&`, `||` and the comma among them.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `?:`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sizeof`
    Sizeof(Box<Expr>),
    /// `=`, or a compound assignment with this operator.
    Assign(Option<&'static str>, Object, Box<Expr>),
    /// `++` or `--`: the step, and whether the value is the new one.
    Step(i128, bool, Object),
}

/// What can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// `v0`, …
    Variable(usize),
    /// `s.f0`, …
    Field(usize),
}

/// What C gives no meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// 6.5p5: a result outside of its signed type.
    Overflow,
    /// 6.5.5p5.
    DivisionByZero,
    /// 6.5.7p3: an amount that is negative or not below the width.
    Shift,
}

/// A value with its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its type.
    pub ty: Type,
    /// Its bits if it is that of a bit-field.
    pub bits: Option<u32>,
    /// The number.
    pub number: i128,
}

/// What the objects hold.
#[derive(Clone, Debug)]
pub struct State<'a> {
    body: &'a Body,
    /// Values of the variables.
    pub variables: Vec<i128>,
    /// Values of the bit-fields.
    pub fields: Vec<i128>,
    /// Whether a signed result was outside of its type; it was reduced modulo a power of two.
    pub overflow: bool,
}

impl<'a> State<'a> {
    /// After each object was assigned one of the inputs.
    pub fn new(body: &'a Body, inputs: &[u64]) -> State<'a> {
        let mut state = State {
            body,
            variables: vec![0; body.variables.len()],
            fields: vec![0; body.fields.len()],
            overflow: false,
        };
        for (index, &input) in inputs.iter().enumerate() {
            let n_variables = body.variables.len();
            let object = if index < n_variables { Object::Variable(index) } else { Object::Field(index - n_variables) };
            state.store(object, i128::from(input));
        }
        state
    }

    fn model(&self) -> DataModel {
        self.body.model
    }

    /// The type of an object, and its bits if it is a bit-field.
    fn object(&self, object: Object) -> (Type, Option<u32>) {
        match object {
            Object::Variable(index) => (self.body.variables[index], None),
            Object::Field(index) => (self.body.fields[index].0, Some(self.body.fields[index].1)),
        }
    }

    fn load(&self, object: Object) -> Value {
        let (ty, bits) = self.object(object);
        let number = match object {
            Object::Variable(index) => self.variables[index],
            Object::Field(index) => self.fields[index],
        };
        Value { ty, bits, number }
    }

    /// 6.5.16.1p2: the value is converted to the type of the object. Yields what is stored.
    fn store(&mut self, object: Object, number: i128) -> Value {
        let (ty, bits) = self.object(object);
        let number = ty.convert(self.model(), bits, number);
        match object {
            Object::Variable(index) => self.variables[index] = number,
            Object::Field(index) => self.fields[index] = number,
        }
        Value { ty, bits, number }
    }

    /// The type of an expression, and its bits if it is a bit-field.
    fn type_of(&self, expression: &Expr) -> (Type, Option<u32>) {
        let promoted = |expression: &Expr| self.promoted_type(expression);
        let ty = match expression {
            Expr::Number(value, decimal, suffix) => Type::of_constant(*value, *decimal, *suffix, self.model())
                .expect("constants that are written have a type"),
            // 6.4.4.4p10, 6.4.4.3p2.
            Expr::Character(_) | Expr::Named(..) => Type::Int,
            Expr::Object(object) => return self.object(*object),
            Expr::Cast(ty, _) => *ty,
            Expr::Unary('!', _) => Type::Int,
            Expr::Unary(_, operand) => promoted(operand),
            // 6.5.3.4p5: size_t.
            Expr::Sizeof(_) if self.model() == DataModel::Lp64 => Type::UnsignedLong,
            Expr::Sizeof(_) => Type::Unsigned,
            Expr::Binary(op, left, right) => match *op {
                // 6.5.8p6, 6.5.9p3, 6.5.13p3, 6.5.14p3.
                "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" => Type::Int,
                // 6.5.7p3.
                "<<" | ">>" => promoted(left),
                // 6.5.17p2: its type and value; compilers agree that a bit-field stays one.
                "," => return self.type_of(right),
                _ => promoted(left).common(promoted(right), self.model()),
            },
            // 6.5.15p5.
            Expr::Conditional(_, yes, no) => promoted(yes).common(promoted(no), self.model()),
            // 6.5.16p3, 6.5.2.4p2, 6.5.3.1p2.
            Expr::Assign(_, object, _) | Expr::Step(_, _, object) => self.object(*object).0,
        };
        (ty, None)
    }

    /// The type after the integer promotions.
    pub fn promoted_type(&self, expression: &Expr) -> Type {
        let (ty, bits) = self.type_of(expression);
        ty.promoted(self.model(), bits)
    }

    /// The value of an expression, with its effects.
    pub fn value(&mut self, expression: &Expr) -> Result<Value, Undefined> {
        let (ty, bits) = self.type_of(expression);
        let number = match expression {
            Expr::Number(value, ..) | Expr::Named(_, value) => *value,
            // 6.4.4.4p10: as if an object of type char were converted to int.
            Expr::Character(code) => i128::from(*code as i8),
            Expr::Object(object) => return Ok(self.load(*object)),
            Expr::Cast(ty, operand) => {
                let number = self.value(operand)?.number;
                ty.convert(self.model(), None, number)
            }
            Expr::Unary(op, operand) => {
                let number = self.value(operand)?.number;
                let operand_type = self.promoted_type(operand);
                let number = operand_type.convert(self.model(), None, number);
                match op {
                    '!' => i128::from(number == 0),
                    '~' => ty.convert(self.model(), None, -1 - number),
                    '-' => self.fitted(ty, -number),
                    _ => number,
                }
            }
            Expr::Sizeof(operand) => i128::from(self.type_of(operand).0.size(self.model()) / 8),
            Expr::Binary("&&", left, right) => {
                i128::from(self.value(left)?.number != 0 && self.value(right)?.number != 0)
            }
            Expr::Binary("||", left, right) => {
                i128::from(self.value(left)?.number != 0 || self.value(right)?.number != 0)
            }
            Expr::Binary(",", left, right) => {
                self.value(left)?;
                self.value(right)?.number
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.operate(op, left, right)?.number
            }
            Expr::Conditional(condition, yes, no) => {
                let chosen = if self.value(condition)?.number != 0 { yes } else { no };
                let number = self.value(chosen)?.number;
                ty.convert(self.model(), None, number)
            }
            Expr::Assign(None, object, value) => {
                let number = self.value(value)?.number;
                self.store(*object, number).number
            }
            // 6.5.16.2p3.
            Expr::Assign(Some(op), object, value) => {
                let value = self.value(value)?;
                let result = self.operate(op, self.load(*object), value)?.number;
                self.store(*object, result).number
            }
            // 6.5.2.4p2, 6.5.3.1p2: as adding or subtracting one.
            Expr::Step(step, is_new, object) => {
                let before = self.load(*object);
                let op = if *step > 0 { "+" } else { "-" };
                let one = Value { ty: Type::Int, bits: None, number: 1 };
                let result = self.operate(op, before, one)?.number;
                let after = self.store(*object, result);
                if *is_new { after.number } else { before.number }
            }
        };
        Ok(Value { ty, bits, number })
    }

    /// An operator on two values, after promotions and conversions.
    fn operate(&mut self, op: &str, left: Value, right: Value) -> Result<Value, Undefined> {
        let model = self.model();
        let (a, b) = (left.ty.promoted(model, left.bits), right.ty.promoted(model, right.bits));
        if matches!(op, "<<" | ">>") {
            let number = self.shift(op, a, left.number, right.number)?;
            return Ok(Value { ty: a, bits: None, number });
        }
        let ty = a.common(b, model);
        let (x, y) = (ty.convert(model, None, left.number), ty.convert(model, None, right.number));
        let truth = |holds: bool| Ok(Value { ty: Type::Int, bits: None, number: i128::from(holds) });
        let number = match op {
            "<" => return truth(x < y),
            ">" => return truth(x > y),
            "<=" => return truth(x <= y),
            ">=" => return truth(x >= y),
            "==" => return truth(x == y),
            "!=" => return truth(x != y),
            "+" => self.fitted(ty, x + y),
            "-" => self.fitted(ty, x - y),
            "*" => self.fitted(ty, x.wrapping_mul(y)),
            "/" | "%" if y == 0 => return Err(Undefined::DivisionByZero),
            // 6.5.5p6: if the quotient is not representable, both are undefined.
            "/" | "%" if !fits(ty, model, x / y) => return Err(Undefined::Overflow),
            // 6.5.5p6: towards zero; (a/b)*b + a%b is a.
            "/" => x / y,
            "%" => x - (x / y) * y,
            // Two's complement, which Rust's integers are, too; a negative number has infinitely many ones.
            "&" => x & y,
            "|" => x | y,
            _ => x ^ y,
        };
        Ok(Value { ty, bits: None, number })
    }

    /// 6.5.7.
    fn shift(&mut self, op: &str, ty: Type, number: i128, amount: i128) -> Result<i128, Undefined> {
        let width = i128::from(ty.size(self.model()));
        if amount < 0 || amount >= width {
            return Err(Undefined::Shift);
        }
        if op == ">>" {
            // p5: the integral part of the quotient; rounded down for negative numbers, as GCC documents.
            return Ok(number.div_euclid(1 << amount));
        }
        // p4: a signed operand must not be negative, and the product must be representable.
        let product = number * (1 << amount);
        if ty.is_signed() && (number < 0 || !fits(ty, self.model(), product)) {
            self.overflow = true;
        }
        Ok(ty.convert(self.model(), None, product))
    }

    /// 6.2.5p9 for unsigned types; for signed ones the overflow is remembered.
    fn fitted(&mut self, ty: Type, number: i128) -> i128 {
        if ty.is_signed() && !fits(ty, self.model(), number) {
            self.overflow = true;
        }
        ty.convert(self.model(), None, number)
    }
}

fn fits(ty: Type, model: DataModel, number: i128) -> bool {
    let (low, high) = ty.range(model, None);
    (low..=high).contains(&number)
}
