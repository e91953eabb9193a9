//! Effects of calls: what a function does, with all functions that it calls.
//!
//! Summaries are computed when first asked for, callees first, and repeated until nothing changes where functions call one
//! another in a circle.

use std::rc::Rc;

use base::FastMap;
use base::maps::OrderedSet;

use crate::hir::{Callee, Expr, ExprKind, FunctionId, TypeId, TypeKind};

use super::effects::{ANY_KIND, Access, Analysis, Effects, Shape, Spot, WHOLE};
use super::origin::{Origin, Origins};
use super::vocabulary::{WordEffect, word_effect};
use super::walk::{Node, push_parts};

/// A call inside a function: the callee, and where the arguments point.
pub(super) struct Site {
    callee: Option<FunctionId>,
    args: Vec<(Origin, TypeId)>,
}

/// What a function does itself, and the calls in it.
pub(super) struct Body {
    own: Effects,
    sites: Vec<Site>,
    origins: Rc<Origins>,
}

impl<'a> Analysis<'a, '_> {
    pub(super) fn site(&self, callee: &Callee, args: &[Expr], origins: &Origins) -> Site {
        let callee = match callee {
            Callee::Direct(function) => Some(*function),
            Callee::Pointer(_) => None,
        };
        Site { callee, args: args.iter().map(|arg| (self.origin(arg, origins), arg.ty)).collect() }
    }
    /// Adds what a call does, with summaries of the functions called.
    pub(super) fn site_effects(&mut self, site: &Site, effects: &mut Effects) {
        for function in self.callees(site) {
            if let Some(runs) = self.reach.body_of(self.unit, function).filter(|_| !(self.is_error)(function)) {
                let summary = self.summary(runs);
                self.instantiate(&summary, site, effects);
            } else {
                self.undefined_effects(function, site, effects);
            }
        }
    }
    fn callees(&self, site: &Site) -> Vec<FunctionId> {
        match site.callee {
            Some(function) => vec![self.unit.same_function(function)],
            None => self.reach.addresses.iter().copied().collect(),
        }
    }
    /// What a function without a body does.
    fn undefined_effects(&self, function: FunctionId, site: &Site, effects: &mut Effects) {
        let name = &self.unit.functions[function].name;
        if name == "__uforia_abort" || name.starts_with(crate::weave::OBJECTION) {
            return; // Woven in: it must not disturb the order of the rest.
        }
        if (self.is_error)(function) {
            effects.fails = true;
            return;
        }
        let shape = Shape { kinds: ANY_KIND, member: None };
        let writes = |origin: Origin, ty: TypeId, effects: &mut Effects| {
            if matches!(self.unit.types.kinds[ty], TypeKind::Pointer { const_target: false, .. }) {
                self.pointer_access(origin, shape, effects);
            }
        };
        match word_effect(self.unit, function) {
            Some(WordEffect::Nothing | WordEffect::Allocates) => {}
            Some(WordEffect::Ends) => effects.ends = true,
            Some(WordEffect::Asserts) => {
                effects.ends = true;
                effects.fails = true;
            }
            Some(WordEffect::WritesFirst) => {
                for &(origin, ty) in site.args.iter().take(1) {
                    writes(origin, ty, effects);
                }
            }
            Some(WordEffect::WritesAll) => {
                for &(origin, ty) in &site.args {
                    writes(origin, ty, effects);
                }
            }
            None => {
                effects.ends |= self.unit.functions[function].noreturn;
                for &(origin, ty) in &site.args {
                    writes(origin, ty, effects);
                }
            }
        }
    }
    /// Adds the effects of a function that is called with these arguments.
    fn instantiate(&self, summary: &Effects, site: &Site, effects: &mut Effects) {
        effects.ends |= summary.ends;
        effects.fails |= summary.fails;
        for access in &summary.accesses {
            let spot = match access.spot {
                Spot::Parameter(index, shape) => match site.args.get(index as usize).map(|arg| arg.0) {
                    Some(Origin::Variable(var)) => Spot::Variable { var, first: 0, end: WHOLE },
                    Some(Origin::Parameter(own)) => Spot::Parameter(own, shape),
                    Some(Origin::Fresh) => Spot::Fresh(shape),
                    Some(Origin::Unknown) | None => Spot::Memory(shape),
                },
                spot => spot,
            };
            effects.add(spot, access.is_write, true);
        }
    }
    fn body(&mut self, function: FunctionId) -> Rc<Body> {
        if let Some(body) = self.bodies.get(&function) {
            return body.clone();
        }
        let unit = self.unit;
        let origins = self.find_origins(function);
        let mut body = Body { own: Effects::default(), sites: Vec::new(), origins: Rc::default() };
        let mut stack: Vec<Node<'a>> = unit.functions[function].body.iter().flatten().map(Node::Stmt).collect();
        while let Some(node) = stack.pop() {
            match node {
                Node::Expr(Expr { kind: ExprKind::Call { callee, args }, .. }) => {
                    body.sites.push(self.site(callee, args, &origins));
                }
                _ => self.node_effects(node, &origins, &mut body.own),
            }
            push_parts(node, &mut stack);
        }
        body.own.accesses = self.visible(&body.own.accesses);
        body.origins = Rc::new(origins);
        let body = Rc::new(body);
        self.bodies.insert(function, body.clone());
        body
    }
    /// The origins of a function's pointer variables.
    pub fn origins(&mut self, function: FunctionId) -> Rc<Origins> {
        self.body(function).origins.clone()
    }
    /// Accesses that others than the call itself can notice.
    fn visible(&self, accesses: &OrderedSet<Access>) -> OrderedSet<Access> {
        let hidden = |spot: Spot| match spot {
            Spot::Variable { var, .. } => self.is_automatic(var),
            Spot::Fresh(_) => true,
            _ => false,
        };
        accesses.iter().copied().filter(|access| !hidden(access.spot)).collect()
    }
    /// The effects of a function with a body, calls included.
    fn summary(&mut self, function: FunctionId) -> Rc<Effects> {
        if let Some(summary) = self.summaries.get(&function) {
            return summary.clone();
        }
        // The functions called that have no summary yet, callees first.
        let mut order = Vec::new();
        let mut seen: FastMap<FunctionId, ()> = FastMap::new();
        let mut stack = vec![(function, false)];
        while let Some((function, done)) = stack.pop() {
            if done {
                order.push(function);
                continue;
            }
            if self.summaries.contains_key(&function) || seen.insert(function, ()).is_some() {
                continue;
            }
            stack.push((function, true));
            let body = self.body(function);
            for site in &body.sites {
                let callees = self.callees(site);
                stack.extend(callees.iter().filter_map(|&f| Some((self.reach.body_of(self.unit, f)?, false))));
            }
        }
        for &function in &order {
            self.summaries.insert(function, Rc::default());
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &function in &order {
                let body = self.body(function);
                let mut effects = body.own.clone();
                for site in &body.sites {
                    self.site_effects(site, &mut effects);
                }
                effects.accesses = self.visible(&effects.accesses);
                changed |= effects.size() != self.summaries[&function].size();
                self.summaries.insert(function, Rc::new(effects));
            }
        }
        self.summaries[&function].clone()
    }
}
