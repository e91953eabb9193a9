//! Intrinsics of LLVM: each one is a term, a copy, or nothing.

use program::{Action, Undefined};
use term::{Derived, FpOp, Term};

use crate::ir::{Binary, Call, Operation, Type, TypeId, Typed, Value};

use super::promote::lifetime_of;
use super::{Leaf, Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    pub(super) fn intrinsic(&mut self, name: &'s str, call: &Call<'s>) -> Lowered<Vec<Leaf>> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        if short.starts_with("lifetime.") {
            let operation = Operation::Call(Box::new(call.clone()));
            if let Some((true, slot)) = lifetime_of(&operation) {
                self.begin_life(slot)?;
            }
            return Ok(Vec::new());
        }
        let nothing = [
            "experimental.noalias",
            "prefetch",
            "donothing",
            "sideeffect",
            "invariant.",
            "stacksave",
            "stackrestore",
            "dbg.",
            "var.annotation",
            "pseudoprobe",
            "va_end",
            "x86.sse2.pause",
        ];
        if nothing.iter().any(|known| short.starts_with(known)) {
            let mut leaves = Vec::new();
            for (_, leaf) in self.shapes.leaves(call.result)? {
                leaves.push(Leaf::Term(self.zero(leaf)?));
            }
            return Ok(leaves);
        }
        let args: Vec<&Typed<'s>> = call.args.iter().map(|arg| &arg.value).collect();
        let is = |word: &str| short == word || short.starts_with(&format!("{word}."));
        if is("trap") || is("ubsantrap") || is("debugtrap") {
            self.end_run();
            return self.zeros(call.result);
        }
        if is("assume") {
            return self.assume_fact(args.first().ok_or("`assume` without a condition")?);
        }
        if is("memcpy") || is("memmove") || is("memset") || is("memcpy.inline") || is("memset.inline") {
            return self.memory_intrinsic(short, call);
        }
        if is("va_start") {
            return self.variadic_start(args.first().ok_or("`va_start` without a list")?);
        }
        if is("va_copy") {
            let [to, from] = args[..] else { return Err("`va_copy` without lists".to_owned()) };
            let (to, from) = (self.address(to)?, self.address(from)?);
            let size = if self.pointer_width() == 64 { 24 } else { 4 };
            let size = self.terms.bv(self.pointer_width(), size);
            self.copy(to, from, size, u64::from(self.pointer_width() / 8))?;
            return Ok(Vec::new());
        }
        if is("expect")
            || is("expect.with.probability")
            || is("threadlocal.address")
            || is("launder.invariant.group")
            || is("strip.invariant.group")
            || is("annotation")
            || is("ptr.annotation")
            || is("ssa.copy")
        {
            return self.operand(args.first().ok_or("intrinsic without an argument")?);
        }
        if is("eh.typeid.for") {
            let wanted = args.first().ok_or("`eh.typeid.for` without a type")?.value.global();
            let number = self.selector(wanted) as u64;
            return Ok(vec![Leaf::Term(self.terms.bv(32, number))]);
        }
        if is("is.constant") {
            return Ok(vec![Leaf::Term(self.terms.truth(false))]);
        }
        if is("objectsize") {
            let is_minimum = matches!(&args.get(1).map(|one| &one.value), Some(Value::Int(_)));
            let width = self.bits_of(call.result);
            let bits = if is_minimum { base::Bits::zero(width) } else { base::Bits::ones(width) };
            return Ok(vec![Leaf::Term(self.terms.bits(bits))]);
        }
        self.computed(short, &args, call.result)
    }
    /// A fact of the compiler, not ours: where it does not hold, the run is undefined.
    fn assume_fact(&mut self, fact: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        if self.is_rust && self.says_not_null(&fact.value) {
            let text = "pointers that the standard library takes to be non-null are not null";
            self.builder.assumption(text, None);
            return Ok(Vec::new());
        }
        let holds = self.scalar(fact)?;
        if self.terms.is_bool(holds) {
            self.check(Undefined::Unreachable, holds);
        }
        Ok(Vec::new())
    }
    /// Whether the condition says that a pointer is not null, as computed shortly before. `NonNull` promises it of every pointer, one past the end of
    /// an array included; whether such an address is null depends on the layout, and a check would stop every walk through a slice.
    fn says_not_null(&self, condition: &Value<'s>) -> bool {
        let (Value::Local(wanted), Some(function)) = (condition, &self.frame.function) else { return false };
        let Some(block) = self.frame.slots.current else { return false };
        let before = function.blocks[block].instructions.iter().take(self.frame.slots.index).rev().take(4);
        let definition = before.into_iter().find(|one| one.result == Some(*wanted));
        definition.is_some_and(|one| match &one.operation {
            Operation::Icmp { predicate, left, right: Value::Zero, .. } => {
                *predicate == "ne" && matches!(self.shapes.types.kind(left.ty), Type::Pointer)
            }
            _ => false,
        })
    }
    fn zeros(&mut self, ty: TypeId) -> Lowered<Vec<Leaf>> {
        let mut leaves = Vec::new();
        for (_, leaf) in self.shapes.leaves(ty)? {
            leaves.push(Leaf::Term(self.zero(leaf)?));
        }
        Ok(leaves)
    }
    fn memory_intrinsic(&mut self, short: &str, call: &Call<'s>) -> Lowered<Vec<Leaf>> {
        let [to, second, size, ..] = call.args.as_slice() else { return Err("copy without a size".to_owned()) };
        let width = self.pointer_width();
        let bytes = self.scalar(&size.value)?;
        let bytes = self.resized(bytes, false, width);
        if self.terms.small_value(bytes) == Some(0) {
            return Ok(Vec::new());
        }
        if let Value::Local(local) = to.value.value
            && self.frame.slots.dropped.contains_key(&local)
        {
            return Err("copy to a slot that has no address".to_owned());
        }
        let target = self.address(&to.value)?;
        if short.starts_with("memset") {
            let byte = self.scalar(&second.value)?;
            let byte = self.resized(byte, false, 8);
            self.fill(target, byte, bytes, to.align)?;
        } else {
            let source = self.address(&second.value)?;
            self.copy(target, source, bytes, to.align.min(second.align))?;
        }
        Ok(Vec::new())
    }
    /// On x86-64 all registers are said to be used up, so that the code behind takes every argument from memory.
    fn variadic_start(&mut self, list: &Typed<'s>) -> Lowered<Vec<Leaf>> {
        let list = self.address(list)?;
        let area = self.frame.variadic.ok_or("`va_start` in a function that is not variadic")?;
        if self.pointer_width() == 64 {
            for (offset, value) in [(0, 48), (4, 176)] {
                let at = self.offset(list, offset);
                let value = self.terms.bv(32, value);
                self.emit(Action::Store { address: at, value });
            }
            for offset in [8, 16] {
                let at = self.offset(list, offset);
                self.emit(Action::Store { address: at, value: area });
            }
        } else {
            self.emit(Action::Store { address: list, value: area });
        }
        Ok(Vec::new())
    }

    // ---- computed results

    pub(super) fn computed(&mut self, short: &str, args: &[&Typed<'s>], result: TypeId) -> Lowered<Vec<Leaf>> {
        let mut parts = short.split('.');
        let first = parts.next().unwrap_or("");
        let second = parts.next().unwrap_or("");
        if matches!(first, "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul") && second == "with" {
            let [a, b] = args else { return Err(format!("intrinsic `llvm.{short}`")) };
            let (a, b) = (self.scalar(a)?, self.scalar(b)?);
            if !self.is_integer(a) || self.terms.sort_of(a) != self.terms.sort_of(b) {
                return Err(format!("intrinsic `llvm.{short}` on these types"));
            }
            let (op, signed) = arithmetic(first);
            let value = self.exact(op, a, b);
            let fits = self.fits(op, signed, a, b);
            let overflows = self.terms.not(fits);
            return Ok(vec![Leaf::Term(value), Leaf::Term(overflows)]);
        }
        if args.is_empty() {
            return Err(format!("intrinsic `llvm.{short}`"));
        }
        let mut columns = Vec::new();
        for arg in args {
            columns.push(self.operand_terms(arg)?);
        }
        let leaf_types = self.shapes.leaves(result)?;
        let mut leaves = Vec::new();
        for (index, leaf) in leaf_types.iter().enumerate() {
            // A scalar beside vectors is a flag for all of them.
            let row: Vec<Term> = columns
                .iter()
                .map(|column| if column.len() == 1 { Some(column[0]) } else { column.get(index).copied() })
                .collect::<Option<_>>()
                .ok_or_else(|| format!("intrinsic `llvm.{short}` on these types"))?;
            leaves.push(Leaf::Term(self.scalar_intrinsic(short, first, second, &row, leaf.1)?));
        }
        if leaves.is_empty() {
            return Err(format!("intrinsic `llvm.{short}`"));
        }
        Ok(leaves)
    }
    fn exact(&mut self, op: Binary, a: Term, b: Term) -> Term {
        match op {
            Binary::Add => self.terms.bv_add(a, b),
            Binary::Sub => self.terms.bv_sub(a, b),
            _ => self.terms.bv_mul(a, b),
        }
    }
    /// Long: one `match` over all intrinsics.
    fn scalar_intrinsic(
        &mut self,
        short: &str,
        first: &str,
        second: &str,
        row: &[Term],
        result: TypeId,
    ) -> Lowered<Term> {
        let unknown = || Err(format!("intrinsic `llvm.{short}`"));
        let is_float = ["fabs", "sqrt", "floor", "ceil", "trunc", "round", "roundeven", "rint", "nearbyint", "fmuladd"]
            .contains(&first)
            || matches!(first, "fptosi" | "fptoui");
        let sort = self.terms.sort_of(row[0]);
        let fits =
            |this: &Self, &term: &Term| this.terms.sort_of(term) == sort || first == "ptrmask" && this.is_integer(term);
        let n_flags = usize::from(matches!(first, "abs" | "ctlz" | "cttz")).min(row.len() - 1);
        let values = &row[..row.len() - n_flags];
        if !values.iter().all(|term| fits(self, term))
            || row[row.len() - n_flags..].iter().any(|&flag| !self.terms.is_bool(flag))
            || is_float != self.is_float(row[0])
            || !is_float && !self.is_integer(row[0])
        {
            return Err(format!("intrinsic `llvm.{short}` on these types"));
        }
        let wanted = self.scalar_sort(result)?;
        if !matches!(first, "ucmp" | "scmp" | "fptosi" | "fptoui") && wanted != sort {
            return Err(format!("intrinsic `llvm.{short}` on these types"));
        }
        if let (&[a, b], "uadd" | "usub" | "sadd" | "ssub", "sat") = (row, first, second) {
            return Ok(self.saturated(first, a, b));
        }
        Ok(match (first, row) {
            ("umin" | "umax" | "smin" | "smax", &[a, b]) => {
                let less = if first.starts_with('u') { self.terms.bv_ult(a, b) } else { self.terms.bv_slt(a, b) };
                if first.ends_with("min") { self.terms.ite(less, a, b) } else { self.terms.ite(less, b, a) }
            }
            ("abs", &[a, ..]) => {
                let zero = self.terms.bits(base::Bits::zero(self.terms.width(a)));
                let (negative, negated) = (self.terms.bv_slt(a, zero), self.terms.bv_neg(a));
                self.terms.ite(negative, negated, a)
            }
            ("ucmp" | "scmp", &[a, b]) => {
                let width = self.bits_of(result);
                let less = |this: &mut Self, x, y| {
                    if first == "ucmp" { this.terms.bv_ult(x, y) } else { this.terms.bv_slt(x, y) }
                };
                let (below, above) = (less(self, a, b), less(self, b, a));
                let [minus, zero, one] = [base::Bits::ones(width), base::Bits::zero(width), base::Bits::one(width)]
                    .map(|bits| self.terms.bits(bits));
                let rest = self.terms.ite(above, one, zero);
                self.terms.ite(below, minus, rest)
            }
            ("fshl" | "fshr", &[a, b, by]) => self.funnel(first == "fshl", a, b, by),
            ("bswap", &[a]) if self.terms.width(a).is_multiple_of(8) => {
                let mut swapped = self.terms.extract(a, 7, 0);
                for byte in 1..self.terms.width(a) / 8 {
                    let next = self.terms.extract(a, byte * 8 + 7, byte * 8);
                    swapped = self.terms.concat(swapped, next);
                }
                swapped
            }
            ("bitreverse", &[a]) => {
                let mut reversed = self.terms.extract(a, 0, 0);
                for bit in 1..self.terms.width(a) {
                    let next = self.terms.extract(a, bit, bit);
                    reversed = self.terms.concat(reversed, next);
                }
                reversed
            }
            ("ctpop", &[a]) => {
                let width = self.terms.width(a);
                let mut sum = self.terms.bits(base::Bits::zero(width));
                for bit in 0..width {
                    let one = self.terms.extract(a, bit, bit);
                    let one = self.terms.zero_extend_to(one, width);
                    sum = self.terms.bv_add(sum, one);
                }
                sum
            }
            ("ctlz" | "cttz", &[a, zero_is_poison]) => {
                let width = self.terms.width(a);
                let zero = self.terms.bits(base::Bits::zero(width));
                let nonzero = self.terms.ne(a, zero);
                let allowed = self.terms.not(zero_is_poison);
                let fine = self.terms.or(&[nonzero, allowed]);
                self.check(Undefined::BrokenPromise, fine);
                self.count_zeros(a, first == "ctlz")
            }
            ("fabs" | "sqrt" | "floor" | "ceil" | "trunc" | "round" | "roundeven" | "rint" | "nearbyint", &[a]) => {
                let op = match first {
                    "fabs" => FpOp::Abs,
                    "sqrt" => FpOp::Sqrt,
                    "floor" => FpOp::Floor,
                    "ceil" => FpOp::Ceil,
                    "trunc" => FpOp::Trunc,
                    "round" => FpOp::Round,
                    _ => FpOp::RoundEven,
                };
                let sort = self.terms.sort_of(a);
                self.terms.fp(op, &[a], sort)
            }
            ("fmuladd", &[a, b, c]) => {
                let sort = self.terms.sort_of(a);
                let product = self.terms.fp(FpOp::Mul, &[a, b], sort);
                self.terms.fp(FpOp::Add, &[product, c], sort)
            }
            ("fptosi" | "fptoui", &[a]) if second == "sat" => self.saturated_float(first == "fptosi", a, result)?,
            ("ptrmask", &[a, mask]) => {
                let mask = self.resized(mask, false, self.terms.width(a));
                self.terms.bv_and(a, mask)
            }
            _ => return unknown(),
        })
    }
    fn saturated(&mut self, first: &str, a: Term, b: Term) -> Term {
        let (op, signed) = arithmetic(first);
        let width = self.terms.width(a);
        let value = self.exact(op, a, b);
        let fits = self.fits(op, signed, a, b);
        let limit = if signed {
            // The sign of the first operand says on which side the result lies.
            let (low, high) =
                (self.terms.bits(base::Bits::min_signed(width)), self.terms.bits(base::Bits::max_signed(width)));
            let zero = self.terms.bits(base::Bits::zero(width));
            let negative = self.terms.bv_slt(a, zero);
            self.terms.ite(negative, low, high)
        } else if op == Binary::Add {
            self.terms.bits(base::Bits::ones(width))
        } else {
            self.terms.bits(base::Bits::zero(width))
        };
        self.terms.ite(fits, value, limit)
    }
    fn saturated_float(&mut self, signed: bool, a: Term, result: TypeId) -> Lowered<Term> {
        let width = self.bits_of(result);
        let truth = self.terms.bool_sort();
        let fits = self.float_fits(a, width, signed)?;
        let value = self.float_to_integer(a, width, signed);
        let (low, high) = if signed {
            (base::Bits::min_signed(width), base::Bits::max_signed(width))
        } else {
            (base::Bits::zero(width), base::Bits::ones(width))
        };
        let (low, high) = (self.terms.bits(low), self.terms.bits(high));
        let zero = self.terms.bits(base::Bits::zero(width));
        let (negative, nan) = (self.terms.fp(FpOp::IsNegative, &[a], truth), self.terms.fp(FpOp::IsNan, &[a], truth));
        let limit = self.terms.ite(negative, low, high);
        let outside = self.terms.ite(nan, zero, limit);
        Ok(self.terms.ite(fits, value, outside))
    }
    /// The high or low half of two words that are shifted together, by the amount modulo the width.
    fn funnel(&mut self, left: bool, a: Term, b: Term, by: Term) -> Term {
        let width = self.terms.width(a);
        if a == b
            && let Some(by) = self.terms.small_value(by)
        {
            let by = (by % u64::from(width)) as u32;
            let derived = if left { Derived::RotateLeft(by) } else { Derived::RotateRight(by) };
            return self.terms.derive(derived, &[a]);
        }
        let modulus = self.terms.bits(base::Bits::from_u64(width, u64::from(width)));
        let by = if self.terms.value(modulus).is_some_and(|bits| bits.is_zero()) {
            by
        } else {
            self.terms.bv_urem(by, modulus)
        };
        let both = self.terms.concat(a, b);
        let by = self.terms.zero_extend_to(by, 2 * width);
        if left {
            let shifted = self.terms.bv_shl(both, by);
            self.terms.extract(shifted, 2 * width - 1, width)
        } else {
            let shifted = self.terms.bv_lshr(both, by);
            self.terms.extract(shifted, width - 1, 0)
        }
    }
    /// Leading or trailing zeros; the width for zero.
    fn count_zeros(&mut self, value: Term, leading: bool) -> Term {
        let width = self.terms.width(value);
        let mut result = self.terms.bits(base::Bits::from_u64(width, u64::from(width)));
        for distance in (0..width).rev() {
            let index = if leading { width - 1 - distance } else { distance };
            let bit = self.terms.extract(value, index, index);
            let one = self.terms.bv(1, 1);
            let set = self.terms.eq(bit, one);
            let count = self.terms.bits(base::Bits::from_u64(width, u64::from(distance)));
            result = self.terms.ite(set, count, result);
        }
        result
    }
}

fn arithmetic(name: &str) -> (Binary, bool) {
    let op = match name.get(1..) {
        Some("add") => Binary::Add,
        Some("sub") => Binary::Sub,
        _ => Binary::Mul,
    };
    (op, name.starts_with('s'))
}
