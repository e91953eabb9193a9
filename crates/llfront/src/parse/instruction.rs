//! Instructions, and the same operations as constant expressions.

use crate::ir::{Argument, Attributes, Binary, Call, Cast, Clause, Flags, Operation, Type, TypeId, Typed, Value};
use crate::lex::Token;

use super::{Parsed, Parser};

/// The arithmetic instruction of this name.
pub(super) fn binary(word: &str) -> Option<Binary> {
    Some(match word {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        "udiv" => Binary::Udiv,
        "sdiv" => Binary::Sdiv,
        "urem" => Binary::Urem,
        "srem" => Binary::Srem,
        "shl" => Binary::Shl,
        "lshr" => Binary::Lshr,
        "ashr" => Binary::Ashr,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        "fadd" => Binary::Fadd,
        "fsub" => Binary::Fsub,
        "fmul" => Binary::Fmul,
        "fdiv" => Binary::Fdiv,
        "frem" => Binary::Frem,
        _ => return None,
    })
}

/// The conversion of this name.
pub(super) fn cast(word: &str) -> Option<Cast> {
    Some(match word {
        "trunc" => Cast::Trunc,
        "zext" => Cast::Zext,
        "sext" => Cast::Sext,
        "fptrunc" => Cast::Fptrunc,
        "fpext" => Cast::Fpext,
        "fptoui" => Cast::Fptoui,
        "fptosi" => Cast::Fptosi,
        "uitofp" => Cast::Uitofp,
        "sitofp" => Cast::Sitofp,
        "ptrtoint" | "ptrtoaddr" => Cast::Ptrtoint,
        "inttoptr" => Cast::Inttoptr,
        "bitcast" | "addrspacecast" => Cast::Bitcast,
        _ => return None,
    })
}

impl<'s> Parser<'_, 's> {
    /// An operation; as a constant expression its operands stand in brackets, each with its type. Long: one `match` over all
    /// instructions.
    pub(super) fn operation(&mut self, is_constant: bool) -> Parsed<Operation<'s>> {
        let Token::Word(word) = self.token else { return self.unexpected("an instruction") };
        self.advance();
        if let Some(op) = binary(word) {
            let flags = self.flags();
            return self.bracketed(is_constant, |this| {
                let (left, right) = this.pair(is_constant)?;
                Ok(Operation::Binary { op, flags, left, right })
            });
        }
        if let Some(op) = cast(word) {
            let flags = self.flags();
            return self.bracketed(is_constant, |this| {
                let from = this.typed()?;
                this.expect_word("to")?;
                Ok(Operation::Cast { op, flags, from, to: this.ty()? })
            });
        }
        Ok(match word {
            "icmp" | "fcmp" => {
                let flags = self.flags();
                let Token::Word(predicate) = self.advance() else { return self.unexpected("a predicate") };
                return self.bracketed(is_constant, |this| {
                    let (left, right) = this.pair(is_constant)?;
                    Ok(match word {
                        "icmp" => Operation::Icmp { predicate, flags, left, right },
                        _ => Operation::Fcmp { predicate, left, right },
                    })
                });
            }
            "getelementptr" => return self.element_pointer(is_constant),
            "select" | "insertelement" | "shufflevector" => {
                self.flags();
                return self.bracketed(is_constant, |this| {
                    let first = this.typed()?;
                    this.expect(b',')?;
                    let second = this.typed()?;
                    this.expect(b',')?;
                    let third = this.typed()?;
                    Ok(match word {
                        "select" => Operation::Select { condition: first, then: second, otherwise: third },
                        "insertelement" => Operation::InsertElement { into: first, value: second, index: third },
                        _ => Operation::Shuffle { first, second, mask: third },
                    })
                });
            }
            "extractelement" => {
                return self.bracketed(is_constant, |this| {
                    let from = this.typed()?;
                    this.expect(b',')?;
                    Ok(Operation::ExtractElement { from, index: this.typed()? })
                });
            }
            "extractvalue" => {
                return self.bracketed(is_constant, |this| {
                    let from = this.typed()?;
                    Ok(Operation::ExtractValue { from, indices: this.positions()? })
                });
            }
            "insertvalue" => {
                return self.bracketed(is_constant, |this| {
                    let into = this.typed()?;
                    this.expect(b',')?;
                    let value = this.typed()?;
                    Ok(Operation::InsertValue { into, value, indices: this.positions()? })
                });
            }
            _ if is_constant => Operation::Refused(word),
            "fneg" => {
                self.flags();
                Operation::Fneg(self.typed()?)
            }
            "freeze" => Operation::Freeze(self.typed()?),
            "phi" => self.phi()?,
            "alloca" => self.alloca()?,
            "load" => {
                let volatile = self.access_words();
                let ty = self.ty()?;
                self.expect(b',')?;
                Operation::Load { ty, address: self.typed()?, volatile }
            }
            "store" => {
                let volatile = self.access_words();
                let value = self.typed()?;
                self.expect(b',')?;
                Operation::Store { value, address: self.typed()?, volatile }
            }
            "call" | "invoke" | "tail" | "musttail" | "notail" => {
                self.accept_word("call");
                Operation::Call(Box::new(self.call(word == "invoke")?))
            }
            "atomicrmw" => {
                self.access_words();
                let Token::Word(op) = self.advance() else { return self.unexpected("an operation") };
                let address = self.typed()?;
                self.expect(b',')?;
                Operation::AtomicRmw { op, address, value: self.typed()? }
            }
            "cmpxchg" => {
                self.access_words();
                let address = self.typed()?;
                self.expect(b',')?;
                let expected = self.typed()?;
                self.expect(b',')?;
                Operation::CmpXchg { address, expected, new: self.typed()? }
            }
            "fence" => Operation::Fence,
            "landingpad" => {
                let ty = self.ty()?;
                let (clauses, cleanup) = self.clauses()?;
                Operation::LandingPad { ty, clauses, cleanup }
            }
            "resume" => {
                self.typed()?;
                Operation::Resume
            }
            "unreachable" => Operation::Unreachable,
            "ret" => {
                let ty = self.ty()?;
                match self.types.kind(ty) {
                    Type::Void => Operation::Ret(None),
                    _ => Operation::Ret(Some(Typed { ty, value: self.value(ty)? })),
                }
            }
            "br" => self.branch()?,
            "switch" => self.switch()?,
            "indirectbr" => {
                let address = self.typed()?;
                self.expect(b',')?;
                self.expect(b'[')?;
                let mut targets = Vec::new();
                while !self.accept(b']') {
                    self.accept(b',');
                    targets.push(self.block_operand()?);
                }
                Operation::IndirectBr { address, targets }
            }
            _ => Operation::Refused(word),
        })
    }
    fn bracketed<T>(&mut self, is_constant: bool, body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if is_constant {
            self.expect(b'(')?;
        }
        let result = body(self)?;
        if is_constant {
            self.expect(b')')?;
        }
        Ok(result)
    }
    /// Two operands of one type.
    fn pair(&mut self, is_constant: bool) -> Parsed<(Typed<'s>, Value<'s>)> {
        let left = self.typed()?;
        self.expect(b',')?;
        let right = if is_constant { self.typed()?.value } else { self.value(left.ty)? };
        Ok((left, right))
    }
    /// Flags of arithmetic; those of floats are passed.
    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.token {
                Token::Word("nsw") => flags.nsw = true,
                Token::Word("nuw") => flags.nuw = true,
                Token::Word("exact") => flags.exact = true,
                Token::Word("disjoint") => flags.disjoint = true,
                Token::Word("nneg") => flags.nneg = true,
                Token::Word("samesign") => flags.samesign = true,
                Token::Word("fast" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn" | "reassoc") => {}
                _ => return flags,
            }
            self.advance();
        }
    }
    /// `volatile`, `atomic`, `weak`.
    fn access_words(&mut self) -> bool {
        let mut volatile = false;
        while let Token::Word(word @ ("volatile" | "atomic" | "weak")) = self.token {
            volatile |= word == "volatile";
            self.advance();
        }
        volatile
    }
    /// Numbers behind commas; metadata may follow behind a further comma.
    fn positions(&mut self) -> Parsed<Vec<u64>> {
        let mut positions = Vec::new();
        while self.is_mark(b',') && matches!(self.second(), Token::Number(_)) {
            self.advance();
            positions.push(self.number()?);
        }
        Ok(positions)
    }
    fn element_pointer(&mut self, is_constant: bool) -> Parsed<Operation<'s>> {
        while let Token::Word(word @ ("inbounds" | "nuw" | "nusw" | "inrange")) = self.token {
            self.advance();
            if word == "inrange" && self.is_mark(b'(') {
                self.skip_brackets()?;
            }
        }
        self.bracketed(is_constant, |this| {
            let source = this.ty()?;
            this.expect(b',')?;
            let base = this.typed()?;
            let mut indices = Vec::new();
            while this.is_mark(b',') && !matches!(this.second(), Token::Meta(_)) {
                this.advance();
                this.accept_word("inrange");
                indices.push(this.typed()?);
            }
            Ok(Operation::Gep { source, base, indices })
        })
    }
    fn phi(&mut self) -> Parsed<Operation<'s>> {
        self.flags();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(ty)?;
            self.expect(b',')?;
            let Token::Local(label) = self.token else { return self.unexpected("a block") };
            self.advance();
            self.expect(b']')?;
            incoming.push((value, self.names.block(label)));
            if !(self.is_mark(b',') && self.second() == Token::Mark(b'[')) {
                return Ok(Operation::Phi { ty, incoming });
            }
            self.advance();
        }
    }
    fn alloca(&mut self) -> Parsed<Operation<'s>> {
        while let Token::Word("inalloca" | "swifterror") = self.token {
            self.advance();
        }
        let ty = self.ty()?;
        let (mut count, mut align) = (None, 0);
        while self.is_mark(b',') && !matches!(self.second(), Token::Meta(_)) {
            self.advance();
            if self.accept_word("align") {
                align = self.number()?;
            } else if self.accept_word("addrspace") {
                self.address_space()?;
            } else {
                count = Some(self.typed()?);
            }
        }
        Ok(Operation::Alloca { ty, count, align })
    }
    fn call(&mut self, is_invoke: bool) -> Parsed<Call<'s>> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let ty = self.ty()?;
        let result = match self.types.kind(ty) {
            Type::Function(result, ..) => *result,
            _ => ty,
        };
        let callee = self.value(ty)?;
        let args = self.arguments()?;
        self.attributes(&mut attributes)?;
        if self.is_mark(b'[') {
            // Operand bundles.
            self.skip_brackets()?;
        }
        let (mut normal, mut unwind) = (None, None);
        if is_invoke {
            self.expect_word("to")?;
            normal = Some(self.block_operand()?);
            self.expect_word("unwind")?;
            unwind = Some(self.block_operand()?);
        }
        Ok(Call { result, callee, args, attributes, normal, unwind })
    }
    fn arguments(&mut self) -> Parsed<Vec<Argument<'s>>> {
        self.expect(b'(')?;
        let mut args = Vec::new();
        while !self.accept(b')') {
            if !args.is_empty() {
                self.expect(b',')?;
            }
            if self.token == Token::Ellipsis {
                // `musttail` in a variadic function.
                self.advance();
                continue;
            }
            let ty: TypeId = self.ty()?;
            let is_metadata = matches!(self.types.kind(ty), Type::Metadata);
            let mut own = Attributes::default();
            let byval = if is_metadata { None } else { self.attributes(&mut own)? };
            let value = self.value(ty)?;
            args.push(Argument { value: Typed { ty, value }, byval, align: own.align });
        }
        Ok(args)
    }
    /// Clauses of a landing pad.
    fn clauses(&mut self) -> Parsed<(Vec<Clause<'s>>, bool)> {
        let (mut clauses, mut cleanup) = (Vec::new(), false);
        loop {
            if self.accept_word("cleanup") {
                cleanup = true;
            } else if self.accept_word("catch") {
                let value = self.typed()?.value;
                clauses.push(match (value.global(), &value) {
                    (Some(name), _) => Clause::Catch(Some(name)),
                    (None, Value::Zero) => Clause::Catch(None),
                    _ => Clause::Filter,
                });
            } else if self.accept_word("filter") {
                self.typed()?;
                clauses.push(Clause::Filter);
            } else {
                return Ok((clauses, cleanup));
            }
        }
    }
    pub(super) fn block_operand(&mut self) -> Parsed<crate::ir::Block> {
        self.expect_word("label")?;
        let Token::Local(label) = self.token else { return self.unexpected("a block") };
        self.advance();
        Ok(self.names.block(label))
    }
    fn branch(&mut self) -> Parsed<Operation<'s>> {
        if self.is_word("label") {
            return Ok(Operation::Br(self.block_operand()?));
        }
        let condition = self.typed()?.value;
        self.expect(b',')?;
        let then = self.block_operand()?;
        self.expect(b',')?;
        let otherwise = self.block_operand()?;
        Ok(Operation::CondBr { condition, then, otherwise })
    }
    fn switch(&mut self) -> Parsed<Operation<'s>> {
        let value = self.typed()?;
        self.expect(b',')?;
        let default = self.block_operand()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.accept(b']') {
            let case = self.typed()?.value;
            self.expect(b',')?;
            cases.push((case, self.block_operand()?));
        }
        Ok(Operation::Switch { value, default, cases })
    }
}
