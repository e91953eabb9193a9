//! Reads the block of a function: its variables and objects, its locations and their edges.

use base::Id;

use super::cursor::Reported;
use super::lex::TokenKind;
use super::read::{Mention, Reader};
use crate::{Action, AssertionId, Edge, FunId, Function, Lifetime, Loc, Location, Mark, ObjectId, OrderStep, VarKind};

/// The function whose block is being read.
pub(super) struct Block {
    pub(super) function: FunId,
    pub(super) name: String,
    objects: Vec<ObjectId>,
    at: Option<Loc>,
}

impl Reader<'_, '_> {
    /// Reads a function from its first word to its closing brace.
    pub(super) fn function(&mut self) -> Result<(), Reported> {
        self.cursor.next();
        let token = self.cursor.peek();
        let id = self.explicit_id()?;
        let id = self.functions.reserve(id);
        let (_, name) = self.cursor.name("the name of a function")?;
        self.cursor.expect(TokenKind::Open, "`(` before the parameters")?;
        let mut params = Vec::new();
        while !self.cursor.take(TokenKind::Close) {
            params.push(self.cursor.name("a parameter or `)`")?);
        }
        let result =
            if self.cursor.take_word("->") { Some(self.cursor.name("the variable of the result")?) } else { None };
        self.cursor.expect_word("entry")?;
        let entry = self.location_id()?;
        self.cursor.expect_word("exit")?;
        let exit = self.location_id()?;
        let place = self.place()?;
        let function = Function {
            name: name.clone(),
            params: Vec::new(),
            result: None,
            entry,
            exit,
            objects: Vec::new(),
            address: None,
            place,
        };
        let id = self.functions.insert(&mut self.cursor, token, id, function)?;
        if self.functions_by_name.get(&name) != Some(&id) {
            return Err(self.cursor.report(token, "a function starts on a line of its own"));
        }
        self.cursor.expect(TokenKind::OpenBrace, "`{`")?;
        let mut block = Block { function: id, name, objects: Vec::new(), at: None };
        while !self.cursor.take(TokenKind::CloseBrace) {
            let token = self.cursor.peek();
            let next_function = self.cursor.peek_word() == "function" && self.cursor.source.is_first_on_line(token);
            if self.cursor.at_end() || next_function {
                return Err(self.cursor.expected("`}` at the end of the function"));
            }
            let start = self.cursor.position();
            if self.block_item(&mut block).is_err() {
                self.recover(start, |_| true);
            }
        }
        // Parameters and result are declared in the block, so they are known only now.
        let params = params.into_iter().map(|(token, name)| self.known_variable(token, &name)).collect::<Vec<_>>();
        let result = result.map(|(token, name)| self.known_variable(token, &name));
        if let Some(function) = self.functions.get_mut(id) {
            function.params = params.into_iter().flatten().collect();
            function.result = result.and_then(Result::ok);
            function.objects = block.objects;
        }
        Ok(())
    }

    fn block_item(&mut self, block: &mut Block) -> Result<(), Reported> {
        match self.cursor.peek_word() {
            "param" | "local" | "temp" | "address" => self.variable(Some(block)),
            "object" => {
                let object = self.object(Some(block.function))?;
                block.objects.push(object);
                Ok(())
            }
            "at" => {
                self.cursor.next();
                block.at = None;
                let token = self.cursor.peek();
                let index = self.numbered('L', "a location such as `L0`")?;
                let mark = match self.cursor.peek_word() {
                    "loop" => {
                        self.cursor.next();
                        Mark::LoopHead
                    }
                    "label" => {
                        self.cursor.next();
                        Mark::Label(self.cursor.string("the name of the label")?)
                    }
                    "error" => {
                        self.cursor.next();
                        let token = self.cursor.peek();
                        let number: usize = self.cursor.number("the number of an assertion, from 1")?;
                        let assertion = AssertionId::new(self.small(token, number.wrapping_sub(1))?);
                        self.mentions.push((token, Mention::Assertion(assertion)));
                        Mark::Error(assertion)
                    }
                    _ => Mark::None,
                };
                let location = Location { function: block.function, place: self.place()?, mark };
                let at = self.locations.insert(&mut self.cursor, token, index, location)?;
                block.at = Some(at);
                Ok(())
            }
            _ => {
                let token = self.cursor.peek();
                let id = self.explicit_id()?;
                let id = self.edges.reserve(id);
                let Some(from) = block.at else {
                    return Err(self.cursor.expected("a declaration or a location, as in `at L0`"));
                };
                let action = self.action()?;
                self.cursor.expect_word("->")?;
                let to = self.location_id()?;
                let place = self.place()?;
                self.edges.insert(&mut self.cursor, token, id, Edge { from, to, action, place })?;
                Ok(())
            }
        }
    }

    fn order(&mut self) -> Result<OrderStep, Reported> {
        let word = self.cursor.peek_word();
        let token = self.cursor.next();
        Ok(match word {
            "open" => {
                self.cursor.expect_word("from")?;
                OrderStep::Open { input: self.input_id()? }
            }
            "enter" | "enter-sequenced" => {
                let operand = self.cursor.number("the number of an operand")?;
                self.cursor.expect_word("in")?;
                let parent = self.cursor.number("the number of an operand, or 0")?;
                OrderStep::Enter { operand, parent, sequenced: word == "enter-sequenced" }
            }
            "leave" => OrderStep::Leave,
            "close" => OrderStep::Close,
            "resume" => OrderStep::Resume,
            "read" | "write" => OrderStep::Variable { var: self.var()?, is_write: word == "write" },
            "bits-read" | "bits-write" => {
                let first = self.cursor.number("the first bit")?;
                let count = self.cursor.number("a number of bits")?;
                self.cursor.expect_word("at")?;
                OrderStep::Bits { address: self.term()?, first, count, is_write: word == "bits-write" }
            }
            _ => {
                let message = "steps of `order` are open, enter, enter-sequenced, leave, close, resume, read, write, \
                               bits-read and bits-write";
                return Err(self.cursor.report(token, message));
            }
        })
    }

    /// Long: one `match` over all actions.
    fn action(&mut self) -> Result<Action, Reported> {
        let word = self.cursor.peek_word();
        let token = self.cursor.next();
        Ok(match word {
            "assume" => Action::Assume(self.term()?),
            "assign" => {
                let mut pairs = Vec::new();
                while self.cursor.peek_word() != "->" {
                    let var = self.var()?;
                    self.cursor.expect_word(":=")?;
                    pairs.push((var, self.term()?));
                    if !self.cursor.take(TokenKind::Comma) {
                        break;
                    }
                }
                Action::Assign(pairs)
            }
            "havoc" => {
                let var = self.var()?;
                self.cursor.expect_word("from")?;
                Action::Havoc { var, input: self.input_id()? }
            }
            "load" => {
                let var = self.var()?;
                self.cursor.expect_word("at")?;
                Action::Load { var, address: self.term()? }
            }
            "store" => {
                let value = self.term()?;
                self.cursor.expect_word("at")?;
                Action::Store { address: self.term()?, value }
            }
            "forget" => {
                let address = self.term()?;
                let size = if self.cursor.take_word("size") { Some(self.term()?) } else { None };
                self.cursor.expect_word("from")?;
                Action::Forget { address, size, input: self.input_id()? }
            }
            "call" => {
                let mut result = None;
                if self.cursor.source.word(self.cursor.peek_second()) == ":=" {
                    result = Some(self.var()?);
                    self.cursor.next();
                }
                let function = self.function_name()?;
                self.cursor.expect(TokenKind::Open, "`(` before the arguments")?;
                let mut args = Vec::new();
                while !self.cursor.take(TokenKind::Close) {
                    args.push(self.term()?);
                }
                Action::Call { function, args, result }
            }
            "alloc" => {
                let lifetime = self.choice("`heap` or `frame`")?;
                let var = self.var()?;
                self.cursor.expect_word("size")?;
                let size = self.term()?;
                let moved = if self.cursor.take_word("moved") { Some(self.term()?) } else { None };
                let input = if self.cursor.take_word("from") { Some(self.input_id()?) } else { None };
                Action::Alloc { var, size, lifetime, input, moved }
            }
            "free" => Action::Free { address: self.term()?, lifetime: Lifetime::Heap },
            "leave" => Action::Free { address: self.term()?, lifetime: Lifetime::Frame },
            "end" => {
                let var = self.var()?;
                match self.vars.get_mut(var).map(|var| var.kind) {
                    Some(VarKind::AddressOf(object)) => Action::End { object },
                    _ => return Err(self.cursor.report(token, "`end` takes the address of an object")),
                }
            }
            "probe" => {
                let var = self.var()?;
                let access = self.choice("`read`, `write`, `free` or `track`")?;
                self.cursor.expect_word("at")?;
                let address = self.term()?;
                self.cursor.expect_word("bytes")?;
                Action::Probe { var, address, bytes: self.cursor.number("a number of bytes")?, access }
            }
            "order" => Action::Order(self.order()?),
            "check" => {
                let what = self.choice("what would be undefined, such as `division-by-zero`")?;
                Action::Check { what, holds: self.term()? }
            }
            _ => {
                let message = "this is not an action; actions are assume, assign, havoc, load, store, forget, call, \
                               alloc, free, end, probe, check and order";
                return Err(self.cursor.report(token, message));
            }
        })
    }
}
