//! Plain statements, and the choice among all kinds of statements.

use super::Generator;
use super::access::Goal;
use super::effects::binding;
use super::types::Type;

impl Generator {
    /// A list of about this many statements in the current block.
    pub(crate) fn statements(&mut self, n: u32) {
        let end = self.out.len() + n as usize;
        let mut written = 0;
        while self.out.len() < end && written < n {
            self.statement();
            written += 1;
        }
    }

    /// A block in braces with a scope of its own.
    pub(crate) fn block(&mut self, n: u32) {
        self.scope.enter();
        self.statements(n);
        self.scope.leave();
    }

    pub(crate) fn small(&mut self) -> u32 {
        1 + self.random.below(4) as u32
    }

    fn statement(&mut self) {
        self.cost += self.multiplier;
        self.written = 0;
        let nested = self.nesting < 4 && self.work_left() > 20;
        for _ in 0..5 {
            let done = match self.random.below(40) {
                0..9 => {
                    self.declare_local();
                    true
                }
                9..17 => self.assign(),
                17 => self.increment(),
                18 => self.assign_struct(),
                19 => self.assign_float(),
                20 => match self.redirect() {
                    Some(text) if !self.pure || self.features.pointers => {
                        self.line(text);
                        true
                    }
                    _ => false,
                },
                21 | 22 => self.call_statement(),
                23 | 24 if self.folding => self.fold_something(),
                25..28 if nested => {
                    self.if_statement();
                    true
                }
                28..30 if nested && self.features.loops => self.loop_statement(),
                30 | 31 if nested && self.features.switches => self.switch_statement(),
                32 if nested && self.features.gotos => self.goto_statement(),
                33 if nested => {
                    self.nesting += 1;
                    self.open("{");
                    let n = self.small();
                    self.block(n);
                    self.close("}");
                    self.nesting -= 1;
                    true
                }
                34 if self.inside_loop => {
                    let condition = self.condition();
                    let word = if self.inside_switch || self.chance(50) { "continue" } else { "break" };
                    self.line(format!("if ({}) {word};", condition.text));
                    true
                }
                35 => {
                    let expression = self.integer(2);
                    self.line(format!("{};", expression.text));
                    true
                }
                36..40 if nested => self.template(),
                _ => false,
            };
            if done {
                return;
            }
        }
        if !self.assign() {
            self.line(";");
        }
    }

    fn assign(&mut self) -> bool {
        let Some(access) = self.access(&Goal::Integer, true) else { return false };
        let depth = 1 + self.random.below(3) as u32;
        let (text, _) = self.assignment(&access, depth);
        self.line(format!("{text};"));
        true
    }

    fn increment(&mut self) -> bool {
        let Some(access) = self.access(&Goal::Integer, true) else { return false };
        let text = match self.random.below(4) {
            0 => format!("{}++;", access.at(binding::POSTFIX)),
            1 => format!("{}--;", access.at(binding::POSTFIX)),
            2 => format!("++{};", access.at(binding::UNARY)),
            _ => format!("--{};", access.at(binding::UNARY)),
        };
        self.line(text);
        true
    }

    fn assign_struct(&mut self) -> bool {
        let Some(access) = self.access(&Goal::Struct, true) else { return false };
        let Type::Struct(index) = access.ty else { return false };
        let value = match self.call(1, |ty| *ty == Type::Struct(index)) {
            Some(call) if !call.effects.interfere(access.finding) && self.chance(60) => call,
            _ => self.struct_value(index, 1),
        };
        if value.effects.interfere(access.finding) {
            return false;
        }
        self.line(format!("{} = {};", access.at(binding::UNARY), value.argument()));
        true
    }

    fn assign_float(&mut self) -> bool {
        let Some(access) = self.access(&Goal::Floating, true) else { return false };
        let value = self.floating(2);
        let target = access.at(binding::UNARY);
        let symbol = *self.random.pick(&["=", "=", "=", "+=", "-=", "*=", "/="]);
        self.line(format!("{target} {symbol} {};", value.argument()));
        true
    }

    fn call_statement(&mut self) -> bool {
        let side_effects = std::mem::replace(&mut self.features.side_effects, true);
        let call = self.call(2, |_| true);
        self.features.side_effects = side_effects;
        let Some(call) = call else { return false };
        match self.random.below(3) {
            0 => self.line(format!("{};", call.text)),
            1 => self.line(format!("(void){};", call.text)),
            _ => {
                let name = self.local_name("x");
                let declared = self.declared(&call.ty, &name);
                self.line(format!("{declared} = {};", call.text));
                let variable = super::scope::Variable::private(&name, call.ty.clone(), &mut self.scope);
                self.scope.declare(variable);
            }
        }
        true
    }

    fn fold_something(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let value = self.integer(2);
        self.line(format!("{p}mix({});", value.argument()));
        true
    }
}
