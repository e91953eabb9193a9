//! What the parts of an engine work on and with, in one value.
//!
//! The blocks are usually those of the task, but a part may work on others that stand for the same program, and with a part
//! of the budget: [`Context::with_blocks`] and [`Context::within`] make such contexts of one that is there. Which terms
//! are made, in which order, decides what later queries look like, so a context has one store and lends it out.

use base::Budget;
use encode::Blocks;
use program::Program;
use term::Terms;

use crate::task::{Run, Task};

/// The program, its blocks, the store of their terms, and what a run may spend and whom it notifies.
pub struct Context<'a> {
    /// The program.
    pub task: &'a Task,
    /// The run's own store, in which the blocks are at home.
    pub terms: &'a mut Terms,
    /// The program's cutpoints and what is between them.
    pub blocks: &'a Blocks,
    /// Budget, observer, facts of others.
    pub run: Run<'a>,
}

impl<'a> Context<'a> {
    /// All four together.
    pub fn new(task: &'a Task, terms: &'a mut Terms, blocks: &'a Blocks, run: &Run<'a>) -> Self {
        Context { task, terms, blocks, run: *run }
    }
    /// The program that engines work on.
    pub fn program(&self) -> &'a Program {
        &self.task.program
    }
    /// The same with another budget: usually a part of this one.
    pub fn within<'b>(&'b mut self, budget: &'b Budget) -> Context<'b> {
        Context { task: self.task, terms: self.terms, blocks: self.blocks, run: Run { budget, ..self.run } }
    }
    /// The same with other blocks.
    pub fn with_blocks<'b>(&'b mut self, blocks: &'b Blocks) -> Context<'b> {
        Context { task: self.task, terms: self.terms, blocks, run: self.run }
    }
}
