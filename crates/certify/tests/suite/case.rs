//! Programs from text, and evidence about them in SMT-LIB.

use base::Budget;
use certify::{Certificate, Refusal, Safety, certify};
use program::{Action, EdgeId, Frame, FunId, Instance, Loc, Mark, Point, Program, Storage, Var};
use term::smtlib::read_term;
use term::{Term, Terms};
use verdict::{Counterexample, Method, Proof, Verdict};

/// A program with its terms.
pub struct Case {
    pub program: Program,
    pub terms: Terms,
}

impl Case {
    /// A program in C, ILP32.
    pub fn c(text: &str) -> Case {
        Case::with(text, cfront::Property::UnreachCall)
    }
    /// The same, where invalid accesses are errors.
    pub fn memory(text: &str) -> Case {
        Case::with(text, cfront::Property::Errors)
    }
    /// A program in C with this property, ILP32.
    pub fn with(text: &str, property: cfront::Property) -> Case {
        let mut terms = Terms::new();
        let options = cfront::Options::new(cfront::DataModel::Ilp32, property);
        let text = format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
             extern unsigned long long __VERIFIER_nondet_ulonglong(void); extern void __VERIFIER_assume(int);\n{text}"
        );
        let compiled = cfront::compile("test.c", &text, &options, &mut terms).expect("the program compiles");
        Case { program: compiled.program, terms }
    }
    /// A program in the text form.
    pub fn cfa(text: &str) -> Case {
        let mut terms = Terms::new();
        let program = program::text::parse("test.cfa", text, &mut terms).expect("the program reads");
        assert_eq!(program::validate(&program, &terms), Ok(()));
        Case { program, terms }
    }

    pub fn function(&self, name: &str) -> FunId {
        self.program.function_named(name).expect("the function exists")
    }
    /// The activations of a function, outer calls first. Only for programs without recursion.
    pub fn frames(&self, name: &str) -> Vec<Frame> {
        let wanted = self.function(name);
        let mut found = Vec::new();
        let mut todo = std::collections::VecDeque::from([(self.program.entry.unwrap(), Frame::default())]);
        while let Some((function, frame)) = todo.pop_front() {
            if function == wanted {
                found.push(frame.clone());
            }
            for (edge, info) in self.program.edges.iter_enumerated() {
                if let Action::Call { function: callee, .. } = info.action
                    && self.program.locations[info.from].function == function
                {
                    todo.push_back((callee, frame.callee(edge)));
                }
            }
        }
        found
    }
    /// The head of the n-th loop of a function.
    pub fn head(&self, name: &str, n: usize) -> Loc {
        let function = self.function(name);
        let is_head = |loc: &Loc| {
            let location = &self.program.locations[*loc];
            location.function == function && location.mark == Mark::LoopHead
        };
        self.program.locations.ids().filter(is_head).nth(n).expect("the loop exists")
    }
    /// The head of the n-th loop in the first activation of a function.
    pub fn at(&self, name: &str, n: usize) -> Point {
        Point { frame: self.frames(name)[0].clone(), loc: self.head(name, n) }
    }
    pub fn call(&self, from: &str, to: &str) -> EdgeId {
        let (from, to) = (self.function(from), self.function(to));
        let is_it = |edge: &EdgeId| {
            let edge = &self.program.edges[*edge];
            self.program.locations[edge.from].function == from
                && matches!(edge.action, Action::Call { function, .. } if function == to)
        };
        self.program.edges.ids().find(is_it).expect("the call exists")
    }
    fn var_frames(&self, var: Var) -> Vec<Frame> {
        match self.program.function_of(var) {
            Some(function) => self.frames(&self.program.functions[function].name.clone()),
            None => vec![Frame::default()],
        }
    }

    /// A proof with these invariants. A variable's symbol is that of its first activation; `name@n` is the n-th.
    /// `extra` names further symbols.
    pub fn proof_with(&self, invariants: &[(Point, &str)], extra: &[(&str, u32, Instance)]) -> Proof {
        let mut terms = self.terms.clone();
        let mut symbols: Vec<(Term, Instance)> = Vec::new();
        for (var, info) in self.program.vars.iter_enumerated() {
            let name = self.terms.to_smtlib(info.term);
            for (n, frame) in self.var_frames(var).into_iter().enumerate() {
                let symbol = if n == 0 { info.term } else { terms.variable(&format!("{name}@{n}"), info.sort) };
                symbols.push((symbol, Instance { frame, storage: Storage::Variable(var) }));
            }
        }
        for (name, width, instance) in extra {
            let sort = terms.bv_sort(*width);
            symbols.push((terms.variable(name, sort), instance.clone()));
        }
        let invariants = invariants
            .iter()
            .map(|(point, text)| (point.clone(), read_term(&mut terms, text).expect("the invariant reads")))
            .collect();
        let method = Method::Induction { depth: 1 };
        Proof {
            terms,
            symbols,
            bound: Vec::new(),
            places: Vec::new(),
            invariants,
            method,
            precise: Vec::new(),
            lemmas: Vec::new(),
            layout: None,
            closed: Vec::new(),
            contracts: Vec::new(),
            rankings: Vec::new(),
            totals: Vec::new(),
        }
    }
    pub fn proof(&self, invariants: &[(Point, &str)]) -> Proof {
        self.proof_with(invariants, &[])
    }
    /// A proof without symbols and invariants.
    pub fn proof_of_nothing(&self) -> Proof {
        Proof {
            terms: self.terms.clone(),
            symbols: Vec::new(),
            bound: Vec::new(),
            places: Vec::new(),
            invariants: Vec::new(),
            method: Method::Induction { depth: 1 },
            precise: Vec::new(),
            lemmas: Vec::new(),
            layout: None,
            closed: Vec::new(),
            contracts: Vec::new(),
            rankings: Vec::new(),
            totals: Vec::new(),
        }
    }
    pub fn check(&self, proof: Proof) -> Result<Safety, Refusal> {
        match certify(&self.program, &self.terms, &Verdict::Safe(Box::new(proof)), &Budget::default())? {
            Certificate::Safe(safety) => Ok(safety),
            other => panic!("a proof is checked as one, not as {other:?}"),
        }
    }
    pub fn replay(&self, counterexample: Counterexample) -> Result<Certificate, Refusal> {
        certify(&self.program, &self.terms, &Verdict::Unsafe(counterexample), &Budget::default())
    }
}
