//! Control flow: branches, bounded loops, switches with all their oddities, and gotos that go nowhere
//! they must not.

use super::Generator;
use super::scope::Variable;
use super::types::{Int, Type};

impl Generator {
    pub(crate) fn if_statement(&mut self) {
        self.nesting += 1;
        let condition = self.condition();
        self.open(format!("if ({}) {{", condition.text));
        let n = self.small();
        self.block(n);
        if self.chance(40) {
            self.close("} else {");
            self.indent += 1;
            let n = self.small();
            self.block(n);
        }
        self.close("}");
        self.nesting -= 1;
    }

    /// A counter that no other statement writes.
    fn counter(&mut self, name: &str, kind: Int, below: u32) -> Variable {
        let mut counter = Variable::private(name, Type::Int(kind), &mut self.scope);
        counter.writable = false;
        counter.below = Some(below);
        counter
    }

    pub(crate) fn loop_statement(&mut self) -> bool {
        let rounds = 1 + self.random.below(9) as u32;
        if self.work_left() < u64::from(rounds) * 10 {
            return false;
        }
        let kinds: Vec<Int> = self.features.ints.iter().copied().filter(|k| Self::switchable(*k)).collect();
        let kind = if kinds.is_empty() { Int::Int } else { *self.random.pick(&kinds) };
        let name = self.local_name("i");
        let n = self.small();
        let kind_name = kind.name();
        match self.random.below(6) {
            0..3 => {
                // One scope for the head, one for the body.
                self.scope.enter();
                let counter = self.counter(&name, kind, rounds);
                self.scope.declare(counter);
                self.open(format!("for ({kind_name} {name} = 0; {name} < {rounds}; {name}++) {{"));
                self.body(n, rounds);
                self.close("}");
                self.scope.leave();
            }
            3 => {
                // Counting down: the counter has the values rounds-1 to zero inside.
                self.line(format!("{kind_name} {name} = {rounds};"));
                let counter = self.counter(&name, kind, rounds);
                self.open(format!("while ({name}-- > 0) {{"));
                self.scope.enter();
                self.scope.declare(counter);
                self.body(n, rounds);
                self.scope.leave();
                self.close("}");
            }
            4 => {
                // In steps.
                let step = 1 + self.random.below(3) as u32;
                let limit = rounds * step;
                self.line(format!("{kind_name} {name};"));
                let counter = self.counter(&name, kind, limit);
                self.open(format!("for ({name} = 0; {name} < {limit}; {name} += {step}) {{"));
                self.scope.enter();
                self.scope.declare(counter);
                self.body(n, rounds);
                self.scope.leave();
                self.close("}");
            }
            _ => {
                // The count comes first, so that `continue` cannot skip it.
                self.line(format!("{kind_name} {name} = 0;"));
                let counter = self.counter(&name, kind, rounds + 1);
                self.open("do {");
                self.line(format!("{name}++;"));
                self.scope.enter();
                self.scope.declare(counter);
                self.body(n, rounds);
                self.scope.leave();
                self.close(format!("}} while ({name} < {rounds});"));
            }
        }
        true
    }

    fn body(&mut self, n: u32, rounds: u32) {
        let saved = (self.multiplier, self.inside_loop, self.inside_switch);
        self.multiplier *= u64::from(rounds);
        self.inside_loop = true;
        self.inside_switch = false;
        self.nesting += 1;
        self.block(n);
        self.nesting -= 1;
        (self.multiplier, self.inside_loop, self.inside_switch) = saved;
    }

    pub(crate) fn switch_statement(&mut self) -> bool {
        let selector = self.integer(2);
        let kind = self.int_of(&selector.ty);
        if !Self::switchable(kind) {
            return false;
        }
        let saved = std::mem::replace(&mut self.inside_switch, true);
        self.nesting += 1;
        // Few values, so that cases are met.
        let masked = self.chance(70);
        if masked {
            self.open(format!("switch (({}) & 7) {{", selector.text));
        } else {
            self.open(format!("switch ({}) {{", selector.text));
        }
        let mut next: i64 = if masked { 0 } else { self.random.between(-4, 3) };
        let n_cases = self.random.between(1, 6);
        let default_at = self.random.between(-1, n_cases);
        for position in 0..n_cases {
            if position == default_at {
                self.line("default:");
                self.case_body();
            }
            let gap = self.random.between(0, 2);
            next += gap;
            let last = next + if self.chance(25) { self.random.between(0, 3) } else { 0 };
            // In an unsigned selector a negative label would be a large one; ranges must not be empty.
            let low = if kind.promoted().signed() || next >= 0 { next } else { 0 };
            if low != next && position > 0 {
                continue;
            }
            let last = last.max(low);
            if last > low {
                self.line(format!("case {low} ... {last}:"));
            } else {
                self.line(format!("case {low}:"));
            }
            next = last + 1;
            if self.chance(85) {
                self.case_body();
            }
        }
        if default_at == n_cases {
            self.line("default:");
            self.case_body();
        }
        // A label must be followed by a statement.
        self.line(";");
        self.close("}");
        self.nesting -= 1;
        self.inside_switch = saved;
        true
    }

    fn case_body(&mut self) {
        self.open("{");
        let n = 1 + self.random.below(3) as u32;
        self.block(n);
        self.close("}");
        if self.chance(65) {
            self.line("break;");
        }
    }

    pub(crate) fn goto_statement(&mut self) -> bool {
        let label = self.local_name("L");
        self.nesting += 1;
        match self.random.below(3) {
            0 => {
                // Forward, out of nested blocks; nothing declared on the way is visible after the label.
                self.open("{");
                self.scope.enter();
                let n = self.small();
                self.statements(n);
                let condition = self.condition();
                self.line(format!("if ({}) goto {label};", condition.text));
                let n = self.small();
                self.statements(n);
                self.scope.leave();
                self.close("}");
                self.line(format!("{label}: ;"));
            }
            1 => {
                // Backward, a few times.
                let rounds = 1 + self.random.below(4) as u32;
                if self.work_left() < u64::from(rounds) * 10 {
                    self.nesting -= 1;
                    return false;
                }
                let counter = self.local_name("k");
                self.line(format!("int {counter} = 0;"));
                self.open(format!("{label}: {{"));
                let saved = (self.multiplier, self.inside_loop, self.inside_switch);
                self.multiplier *= u64::from(rounds);
                let n = self.small();
                self.block(n);
                (self.multiplier, self.inside_loop, self.inside_switch) = saved;
                self.close("}");
                self.line(format!("if (++{counter} < {rounds}) goto {label};"));
            }
            _ => {
                // Into a block, past a declaration that is assigned after the label.
                let kind = *self.random.pick(&self.features.ints);
                let name = self.local_name("x");
                let condition = self.condition();
                self.line(format!("if ({}) goto {label};", condition.text));
                self.open("{");
                self.scope.enter();
                self.line(format!("{} {name};", kind.name()));
                let n = self.small();
                self.scope.enter();
                self.open("{");
                self.statements(n);
                self.close("}");
                self.scope.leave();
                let value = self.integer(2);
                self.line(format!("{label}: {name} = {};", value.argument()));
                let variable = Variable::private(&name, Type::Int(kind), &mut self.scope);
                self.scope.declare(variable);
                let n = self.small();
                self.statements(n);
                self.scope.leave();
                self.close("}");
            }
        }
        self.nesting -= 1;
        true
    }
}
