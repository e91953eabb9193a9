//! Functions: the first line, blocks, instructions with their metadata, debug records.

use base::{FastMap, Id, IndexVec};

use crate::ir::{
    Attributes, Block, BlockBody, DebugRecord, Function, Instruction, Local, Operation, Parameter, Signature, Value,
};
use crate::lex::Token;
use crate::source::error;

use super::{Parsed, Parser};

/// Numbers for the names of one function.
#[derive(Default)]
pub struct Names<'s> {
    locals: FastMap<&'s str, Local>,
    local_names: IndexVec<Local, &'s str>,
    blocks: FastMap<&'s str, Block>,
    labels: Vec<&'s str>,
    /// The label of an entry block that has none of its own: the number of unnamed parameters. It is the first block.
    entry: Option<String>,
}

impl<'s> Names<'s> {
    /// The value of this name, which may be defined later.
    pub(super) fn local(&mut self, name: &'s str) -> Local {
        if let Some(&known) = self.locals.get(name) {
            return known;
        }
        let id = self.local_names.push(name);
        self.locals.insert(name, id);
        id
    }
    /// The block of this label, which may be defined later.
    pub(super) fn block(&mut self, label: &'s str) -> Block {
        if let Some(&known) = self.blocks.get(label) {
            return known;
        }
        if self.entry.as_deref() == Some(label) {
            return Block::new(0);
        }
        let id = Block::new(self.labels.len());
        self.labels.push(label);
        self.blocks.insert(label, id);
        id
    }
}

impl<'s> Parser<'_, 's> {
    /// A declaration.
    pub fn declaration(mut self) -> Parsed<Signature<'s>> {
        Ok(self.header()?.0)
    }
    /// `define … @name(params) …` or `declare`.
    fn header(&mut self) -> Parsed<(Signature<'s>, Vec<Parameter>)> {
        let at = self.at();
        let mut subprogram = None;
        self.advance();
        // A declaration may have metadata in front.
        while let Token::Meta(_) = self.token {
            self.advance();
            self.advance();
        }
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let result = self.ty()?;
        let Token::Global(name) = self.token else { return self.unexpected("the name of a function") };
        self.advance();
        self.expect(b'(')?;
        let (mut params, mut variadic) = (Vec::new(), false);
        let mut n_unnamed = 0;
        while !self.accept(b')') {
            if !params.is_empty() || variadic {
                self.expect(b',')?;
            }
            if self.token == Token::Ellipsis {
                self.advance();
                variadic = true;
                continue;
            }
            let ty = self.ty()?;
            let byval = self.attributes(&mut Attributes::default())?;
            let local = match self.token {
                Token::Local(name) => {
                    self.advance();
                    n_unnamed += usize::from(name.bytes().all(|byte| byte.is_ascii_digit()));
                    self.names.local(name)
                }
                _ => {
                    n_unnamed += 1;
                    self.names.local_names.push("")
                }
            };
            params.push(Parameter { local, ty, byval });
        }
        // The rest up to the body.
        loop {
            self.attributes(&mut attributes)?;
            match self.token {
                Token::Mark(b'{') | Token::End => break,
                Token::Meta("dbg") => {
                    self.advance();
                    subprogram = self.node_number();
                }
                Token::Meta(_) if subprogram.is_some() || matches!(self.second(), Token::Meta(_)) => {
                    self.advance();
                    self.advance();
                }
                Token::Word(_) if self.is_type() => {
                    // `personality ptr @f` and the like.
                    self.typed()?;
                }
                Token::Comdat(_) | Token::Number(_) | Token::Mark(b',') => {
                    self.advance();
                }
                Token::Mark(b'(') => self.skip_brackets()?,
                Token::Mark(b'<' | b'[') => {
                    self.typed()?;
                }
                _ => break,
            }
        }
        let types = params.iter().map(|param: &Parameter| param.ty).collect();
        if self.is_mark(b'{') && !matches!(self.second(), Token::Label(_)) {
            self.names.block("the entry");
            self.names.entry = Some(n_unnamed.to_string());
        }
        let signature = Signature { name, result, params: types, variadic, attributes, subprogram, at };
        Ok((signature, params))
    }
    /// `!12`; its number.
    fn node_number(&mut self) -> Option<u32> {
        let Token::Meta(text) = self.token else { return None };
        self.advance();
        text.parse().ok()
    }
    /// A function with its body.
    pub fn function(mut self) -> Parsed<Function<'s>> {
        let (signature, params) = self.header()?;
        self.expect(b'{')?;
        self.in_body = true;
        let mut blocks: IndexVec<Block, BlockBody<'s>> = IndexVec::new();
        let mut records = Vec::new();
        let mut current = Block::new(0);
        if let Token::Label(label) = self.token {
            self.advance();
            current = self.names.block(label);
        }
        blocks.grow_to(1, BlockBody::default());
        blocks[current].is_defined = true;
        loop {
            match self.token {
                Token::Mark(b'}') => break,
                Token::Label(label) => {
                    let at = self.at();
                    self.advance();
                    current = self.names.block(label);
                    if blocks.len() <= current.index() {
                        blocks.grow_to(current.index() + 1, BlockBody::default());
                    }
                    if blocks[current].is_defined {
                        return error(at, format!("the block `{label}` occurs twice"));
                    }
                    blocks[current].is_defined = true;
                }
                Token::Hash(word) if word.starts_with("dbg_") => self.debug_record(word, &mut records)?,
                // `uselistorder` at the end of the body.
                Token::Word("uselistorder" | "uselistorder_bb") => {
                    self.cursor.skip_line();
                    self.advance();
                }
                _ => {
                    let instruction = self.instruction()?;
                    if !self.note_debug_call(&instruction, &mut records) {
                        blocks[current].instructions.push(instruction);
                    }
                }
            }
        }
        let labels = std::mem::take(&mut self.names.labels);
        blocks.grow_to(labels.len(), BlockBody::default());
        if let Some(missing) = labels.iter().zip(&blocks).find(|(_, block)| !block.is_defined) {
            return error(signature.at, format!("the block `{}` is not defined", missing.0));
        }
        let locals = std::mem::take(&mut self.names.local_names);
        Ok(Function { signature, params, locals, blocks, labels, records })
    }
    fn instruction(&mut self) -> Parsed<Instruction<'s>> {
        let at = self.at();
        let mut result = None;
        if let Token::Local(name) = self.token {
            self.advance();
            self.expect(b'=')?;
            result = Some(self.names.local(name));
        }
        let operation = self.operation(false)?;
        let (mut place, mut loop_node) = (None, None);
        if let Operation::Refused(_) = operation {
            self.cursor = crate::lex::Cursor::new(self.module.text, self.passed, self.module.text.len());
            self.cursor.skip_line();
            self.advance();
            return Ok(Instruction { result, operation, place, loop_node, at });
        }
        // Orderings, alignments, scopes and metadata.
        loop {
            match self.token {
                Token::Mark(b',') => {
                    self.advance();
                    match self.token {
                        Token::Meta(kind) => {
                            self.advance();
                            match kind {
                                "dbg" => place = self.node_number(),
                                "llvm.loop" => loop_node = self.node_number(),
                                _ => self.passed_node()?,
                            }
                        }
                        Token::Word("align") => {
                            self.advance();
                            self.advance();
                        }
                        Token::Word("addrspace") => {
                            self.advance();
                            self.address_space()?;
                        }
                        _ => return self.unexpected("metadata"),
                    }
                }
                Token::Word("unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst") => {
                    self.advance();
                }
                Token::Word("syncscope") => {
                    self.advance();
                    self.skip_brackets()?;
                }
                _ => return Ok(Instruction { result, operation, place, loop_node, at }),
            }
        }
    }
    /// A node that does not matter: `!12` or `!{…}` or `!DIExpression(…)`.
    fn passed_node(&mut self) -> Parsed<()> {
        if let Token::Meta(_) = self.token {
            self.advance();
            if matches!(self.token, Token::Mark(b'{' | b'(')) {
                self.skip_brackets()?;
            }
        }
        Ok(())
    }
    /// `#dbg_declare(ptr %x, !1, !DIExpression(), !2)` and the like.
    fn debug_record(&mut self, word: &'s str, records: &mut Vec<DebugRecord<'s>>) -> Parsed<()> {
        self.advance();
        if !matches!(word, "dbg_declare" | "dbg_value") {
            return self.skip_brackets();
        }
        self.expect(b'(')?;
        let mut value = None;
        if let Token::Meta(_) = self.token {
            self.passed_node()?;
        } else if let Value::Local(local) = self.typed()?.value {
            value = Some(local);
        }
        self.expect(b',')?;
        let variable = self.node_number();
        self.expect(b',')?;
        let start = self.start;
        self.passed_node()?;
        let expression = self.cursor.slice(start, self.passed);
        self.expect(b',')?;
        let place = self.node_number();
        self.expect(b')')?;
        if let Some(variable) = variable {
            records.push(DebugRecord { value, is_address: word == "dbg_declare", variable, expression, place });
        }
        Ok(())
    }
    /// Up to LLVM 18 the records are calls of intrinsics.
    fn note_debug_call(&self, instruction: &Instruction<'s>, records: &mut Vec<DebugRecord<'s>>) -> bool {
        let Operation::Call(call) = &instruction.operation else { return false };
        let Value::Global(name) = call.callee else { return false };
        let Some(kind) = name.strip_prefix("llvm.dbg.") else { return false };
        let texts: Vec<&Value<'s>> = call.args.iter().map(|arg| &arg.value.value).collect();
        if let ([first, Value::Metadata(variable), Value::Metadata(expression)], "declare" | "value") =
            (texts.as_slice(), kind)
            && let Some(variable) = variable.strip_prefix('!').and_then(|number| number.parse().ok())
        {
            let value = if let Value::Local(local) = first { Some(*local) } else { None };
            let (is_address, place) = (kind == "declare", instruction.place);
            records.push(DebugRecord { value, is_address, variable, expression, place });
        }
        true
    }
}
