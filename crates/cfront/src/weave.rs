//! Weaving: inserts expressions of a witness into a program at places of its text.
//!
//! A witness speaks of a program from outside: an expression that holds whenever a run is at a loop, a value that a call returned.
//! We make such words part of the program. The text of each insertion is parsed behind the user's text, and the tree that
//! comes out is grafted where it belongs, before any type is known; so names mean there what they mean to the code around them.
//!
//! | anchor | what is woven in | when it runs |
//! |---|---|---|
//! | loop | in front of the condition; in front of the body of `do` | whenever a round may begin |
//! | statement | in front of it, behind its labels | before each execution |
//! | branch | on one of both sides of a condition | when the condition turned out so |
//! | switch | behind the evaluation of its value, kept in `__uforia_result` | before it goes to a case |
//! | enter | behind the evaluation of the last argument | just before the call |
//! | return | behind the call, the value kept in `__uforia_result` | just after the call |
//! | target | nothing: only the place is looked up | |
//!
//! A condition must be an expression without effects. Nothing of the user's tree is copied or lost.

use base::{Diagnostic, OrderedMap, Place};

use crate::ast::{Ast, BinaryOp, Expr, ExprId, ExprKind, Init, Item, Span, Stmt, StmtId, StmtKind, UnaryOp};
use crate::parse;
use crate::source::Source;

mod find;

pub use find::Spot;
use find::{Found, Index};

/// Calls of undefined functions whose names begin so are errors under every property.
pub const OBJECTION: &str = "__uforia_objection_";
/// The name of the value that a call returned, for conditions at [`Anchor::Return`].
pub const RESULT: &str = "__uforia_result";

/// Where an insertion goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The keyword of a loop.
    Loop,
    /// The first character of a statement, or of a declaration in a block.
    Statement,
    /// The keyword of a branching, or the `?`; when the condition has this value.
    Branch(bool),
    /// The keyword of a `switch`, whose value is [`RESULT`].
    Switch,
    /// The same, when no case is for the value.
    SwitchDefault,
    /// The `)` that closes the arguments of a call; just before the call.
    Enter,
    /// The same `)`; just after the call.
    Return,
    /// The first character of a statement or full expression; nothing is woven in.
    Target,
}

/// Something to weave in: `if (guard && condition) action`.
#[derive(Clone, Debug)]
pub struct Insertion {
    /// A name for messages: the file name of places in it.
    pub name: String,
    /// Where.
    pub at: Spot,
    /// What kind of place that is.
    pub anchor: Anchor,
    /// Our own condition, evaluated first.
    pub guard: Option<String>,
    /// The expression of the witness, without effects.
    pub condition: Option<String>,
    /// Whether the action is for when the condition does not hold.
    pub negated: bool,
    /// Our own statements.
    pub action: String,
}

/// Where an insertion went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Woven {
    /// The first character of the statement, call or branching.
    pub from: Place,
    /// Its last.
    pub to: Place,
}

/// Why nothing was woven.
#[derive(Debug)]
pub enum Unwoven {
    /// The program itself does not compile.
    Program(Vec<Diagnostic>),
    /// One of the insertions is wrong: which, and why.
    Insertion(usize, String),
}

/// Weaves the insertions into the tree. The prelude declares what they use.
pub(crate) fn weave(
    ast: &mut Ast,
    source: &mut Source,
    prelude: &str,
    insertions: &[Insertion],
) -> Result<Vec<Woven>, Unwoven> {
    let index = Index::new(ast, source);
    let mut found = Vec::with_capacity(insertions.len());
    for (number, insertion) in insertions.iter().enumerate() {
        let node = index.find(ast, source, &insertion.at, insertion.anchor);
        found.push(node.map_err(|why| Unwoven::Insertion(number, why))?);
    }
    let places = found.iter().zip(insertions).map(|(node, insertion)| {
        let span = if insertion.anchor == Anchor::Target { node.own_span(ast) } else { node.span(ast) };
        Woven { from: source.place(span.start), to: source.place(span.end.saturating_sub(1).max(span.start)) }
    });
    let places = places.collect();
    let n_items = ast.items.len();
    let parts = Parts::parse(ast, source, insertions)?;
    ast.items.truncate(n_items);
    let start = source.append("<witness>", prelude);
    let diagnostics = parse::parse_more(ast, source, start);
    assert!(diagnostics.is_empty(), "the prelude parses: {diagnostics:?}");
    let n_new = ast.items.len() - n_items;
    ast.items.rotate_right(n_new);
    let groups = by_place(&found, insertions);
    // From the inside out: calls before those whose arguments they are, and each is entered before it returns.
    let mut order: Vec<&(Found, u8)> = groups.keys().collect();
    order.sort_by_key(|(node, side)| {
        let span = node.span(ast);
        (span.end - span.start, *side)
    });
    let mut weaver = Weaver { ast, parts, in_lists: OrderedMap::default() };
    let mut branches: OrderedMap<Found, [Option<StmtId>; 2]> = OrderedMap::default();
    for key in order {
        let numbers = &groups[key];
        match insertions[numbers[0]].anchor {
            Anchor::Branch(side) => {
                let body = weaver.chain(insertions, numbers);
                branches.entry(key.0).or_default()[usize::from(side)] = Some(body);
            }
            Anchor::Loop => {
                let body = weaver.sequence(insertions, numbers);
                weaver.at_loop(key.0, body);
            }
            Anchor::Statement => {
                let body = weaver.sequence(insertions, numbers);
                weaver.before_statement(&index, key.0, body);
            }
            Anchor::Enter => {
                let body = weaver.chain(insertions, numbers);
                weaver.before_call(source, key.0, body);
            }
            Anchor::Return => {
                let body = weaver.chain(insertions, numbers);
                weaver.behind(source, key.0, body);
            }
            Anchor::Switch | Anchor::SwitchDefault => {
                let Found::Statement(switch) = key.0 else { unreachable!("a switch is a statement") };
                for &number in numbers.iter().filter(|&&number| insertions[number].anchor == Anchor::SwitchDefault) {
                    weaver.parts.conditions[number] = weaver.no_case(source, switch);
                }
                let body = weaver.chain(insertions, numbers);
                let StmtKind::Switch(value, _) = weaver.ast.stmts[switch].kind else { unreachable!("it is a switch") };
                weaver.behind(source, Found::Call(value), body);
            }
            Anchor::Target => unreachable!("targets are left out above"),
        }
    }
    for (node, sides) in branches {
        weaver.at_condition(node, sides);
    }
    weaver.fill_lists();
    ast.items.truncate(n_items + n_new);
    Ok(places)
}

/// The insertions at each node and side of it, in the order in which the places occur first.
fn by_place(found: &[Found], insertions: &[Insertion]) -> OrderedMap<(Found, u8), Vec<usize>> {
    let mut groups: OrderedMap<(Found, u8), Vec<usize>> = OrderedMap::default();
    for (number, &node) in found.iter().enumerate() {
        let side = match insertions[number].anchor {
            Anchor::Target => continue,
            Anchor::Branch(side) => u8::from(side),
            Anchor::Enter => 2,
            _ => 3,
        };
        groups.entry((node, side)).or_default().push(number);
    }
    groups
}

/// The parsed pieces of each insertion.
struct Parts {
    guards: Vec<Option<ExprId>>,
    conditions: Vec<Option<ExprId>>,
    actions: Vec<StmtId>,
}

impl Parts {
    /// Parses all pieces, each in a temporary function of its own.
    fn parse(ast: &mut Ast, source: &mut Source, insertions: &[Insertion]) -> Result<Parts, Unwoven> {
        let mut text = String::new();
        for insertion in insertions {
            let one_line = |text: &str| text.replace(['\n', '\r'], " ");
            let or_true = |text: &Option<String>| one_line(text.as_deref().unwrap_or("1"));
            text.push_str(&format!("# 1 {:?}\n", insertion.name));
            text.push_str(&format!("int __uforia_guard(void) {{ return ({}); }}\n", or_true(&insertion.guard)));
            text.push_str("int __uforia_condition(void) { return (\n");
            text.push_str(&format!("# 1 {:?}\n{}\n", insertion.name, or_true(&insertion.condition)));
            text.push_str(&format!("); }}\nvoid __uforia_action(void) {{ {} }}\n", one_line(&insertion.action)));
        }
        let first_item = ast.items.len();
        let start = source.append("<witness>", &text);
        let is_claim = |name: &String| insertions.iter().any(|one| one.negated && one.name == *name);
        source.must_be_defined =
            source.files.iter_enumerated().filter(|(_, name)| is_claim(name)).map(|(file, _)| file).collect();
        let diagnostics = parse::parse_more(ast, source, start);
        if let Some(first) = diagnostics.first() {
            let number = insertions.iter().position(|insertion| insertion.name == first.file).unwrap_or(0);
            let at = if first.line == 1 { format!(" at character {}", first.column) } else { String::new() };
            return Err(Unwoven::Insertion(number, format!("it is no C expression: {}{at}", first.message)));
        }
        let mut parts = Parts { guards: Vec::new(), conditions: Vec::new(), actions: Vec::new() };
        let mut items = ast.items[first_item..].iter();
        for (number, insertion) in insertions.iter().enumerate() {
            let no_expression = || Unwoven::Insertion(number, "it is more than one C expression".to_owned());
            let guard =
                items.next().and_then(|item| returned(ast, item, "__uforia_guard")).ok_or_else(no_expression)?;
            let condition =
                items.next().and_then(|item| returned(ast, item, "__uforia_condition")).ok_or_else(no_expression)?;
            let action = items.next().and_then(|item| body(ast, item, "__uforia_action")).ok_or_else(no_expression)?;
            if let Some(effect) = effect_in(ast, condition).filter(|_| insertion.condition.is_some()) {
                return Err(Unwoven::Insertion(number, format!("it is not free of side effects: {effect}")));
            }
            parts.guards.push(insertion.guard.as_ref().map(|_| guard));
            parts.conditions.push(insertion.condition.as_ref().map(|_| condition));
            parts.actions.push(action);
        }
        if items.next().is_some() {
            return Err(Unwoven::Insertion(insertions.len() - 1, "it is more than one C expression".to_owned()));
        }
        Ok(parts)
    }
}

/// The body of the function of this name.
fn body(ast: &Ast, item: &Item, name: &str) -> Option<StmtId> {
    let Item::Function(function) = item else { return None };
    let is_named = function.declarator.name.is_some_and(|found| &*ast.names[found] == name);
    is_named.then_some(function.body)
}

/// The expression that the function of this name returns, if it does nothing else.
fn returned(ast: &Ast, item: &Item, name: &str) -> Option<ExprId> {
    let StmtKind::Compound(statements) = &ast.stmts[body(ast, item, name)?].kind else { return None };
    match statements[..] {
        [only] => match ast.stmts[only].kind {
            StmtKind::Return(value) => value,
            _ => None,
        },
        _ => None,
    }
}

/// What in the expression is not allowed in a witness.
fn effect_in(ast: &Ast, expr: ExprId) -> Option<&'static str> {
    let mut open = vec![expr];
    while let Some(id) = open.pop() {
        match &ast.exprs[id].kind {
            ExprKind::Assign(..) => return Some("an assignment"),
            ExprKind::Unary(
                UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement,
                _,
            ) => return Some("an increment"),
            ExprKind::Call(..) => return Some("a call"),
            ExprKind::StmtExpr(_) | ExprKind::VaArg(..) | ExprKind::CompoundLiteral(..) => return Some("a statement"),
            ExprKind::LabelAddress(_) => return Some("a label"),
            kind => open.extend(children(kind)),
        }
    }
    None
}

/// The expressions right below, as far as they are evaluated.
fn children(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::Member { base: a, .. } => vec![*a],
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => vec![*a, *b],
        ExprKind::Conditional(a, b, c) => [Some(*a), *b, Some(*c)].into_iter().flatten().collect(),
        ExprKind::ChooseExpr(a, b, c) => vec![*a, *b, *c],
        ExprKind::Call(callee, args) => std::iter::once(*callee).chain(args.iter().copied()).collect(),
        ExprKind::Generic { arms, .. } => arms.iter().map(|arm| arm.1).collect(),
        _ => Vec::new(),
    }
}

/// Grafts what was parsed.
struct Weaver<'a> {
    ast: &'a mut Ast,
    parts: Parts,
    /// By statement that stands in a list: what goes in front of it.
    in_lists: OrderedMap<StmtId, StmtId>,
}

impl Weaver<'_> {
    /// One after the other.
    fn sequence(&mut self, insertions: &[Insertion], numbers: &[usize]) -> StmtId {
        let parts: Vec<StmtId> = numbers.iter().map(|&number| self.chain(insertions, &[number])).collect();
        let span = self.ast.stmts[parts[0]].span;
        self.statement(StmtKind::Compound(parts), span)
    }
    /// The first one whose conditions hold.
    fn chain(&mut self, insertions: &[Insertion], numbers: &[usize]) -> StmtId {
        let span = self.ast.stmts[self.parts.actions[numbers[0]]].span;
        let mut arms = Vec::new();
        let mut otherwise = None;
        for &number in numbers {
            let action = self.parts.actions[number];
            let condition = self.parts.conditions[number].map(|condition| {
                let span = self.ast.exprs[condition].span;
                if insertions[number].negated {
                    self.expr(ExprKind::Unary(UnaryOp::Not, condition), span)
                } else {
                    condition
                }
            });
            let condition = match (self.parts.guards[number], condition) {
                (Some(guard), Some(condition)) => {
                    let span = self.ast.exprs[condition].span;
                    self.expr(ExprKind::Binary(BinaryOp::LogicalAnd, guard, condition), span)
                }
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => {
                    otherwise = Some(action);
                    break;
                }
            };
            arms.push((condition, action, span));
        }
        match otherwise {
            Some(action) if arms.is_empty() => action,
            otherwise => self.statement(StmtKind::If { arms, otherwise }, span),
        }
    }
    fn statement(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }
    fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span, operator: span.start })
    }
    /// The statement as an expression without value, then the expression.
    fn before(&mut self, body: StmtId, then: ExprId) -> ExprId {
        let span = self.ast.stmts[body].span;
        let body = match self.ast.stmts[body].kind {
            StmtKind::Compound(_) => body,
            _ => self.statement(StmtKind::Compound(vec![body]), span),
        };
        // An empty statement at the end: the whole has no value.
        let nothing = self.statement(StmtKind::Expr(None), span);
        let whole = self.statement(StmtKind::Compound(vec![body, nothing]), span);
        let first = self.expr(ExprKind::StmtExpr(whole), span);
        let span = self.ast.exprs[then].span;
        self.expr(ExprKind::Binary(BinaryOp::Comma, first, then), span)
    }
    fn one(&mut self, value: u128, span: Span) -> ExprId {
        self.expr(ExprKind::Integer { value, unsigned: false, longs: 0, decimal: true }, span)
    }

    fn at_loop(&mut self, node: Found, body: StmtId) {
        let Found::Statement(id) = node else { unreachable!("loops are statements") };
        let span = self.ast.stmts[id].span;
        match self.ast.stmts[id].kind {
            StmtKind::While(condition, _) => {
                let woven = self.before(body, condition);
                if let StmtKind::While(condition, _) = &mut self.ast.stmts[id].kind {
                    *condition = woven;
                }
            }
            StmtKind::For { condition, .. } => {
                let condition = condition.unwrap_or_else(|| self.one(1, span));
                let woven = self.before(body, condition);
                if let StmtKind::For { condition, .. } = &mut self.ast.stmts[id].kind {
                    *condition = Some(woven);
                }
            }
            StmtKind::DoWhile(inside, _) => {
                let span = self.ast.stmts[inside].span;
                let woven = self.statement(StmtKind::Compound(vec![body, inside]), span);
                if let StmtKind::DoWhile(inside, _) = &mut self.ast.stmts[id].kind {
                    *inside = woven;
                }
            }
            _ => unreachable!("only loops are found as loops"),
        }
    }

    fn before_statement(&mut self, index: &Index, node: Found, body: StmtId) {
        let Found::Statement(mut id) = node else { unreachable!("statements are statements") };
        // Jumps come in at the label.
        while let StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) =
            self.ast.stmts[id].kind
        {
            id = inner;
        }
        if index.stands_in_list(id) {
            self.in_lists.insert(id, body);
            return;
        }
        let span = self.ast.stmts[id].span;
        let inner = std::mem::replace(&mut self.ast.stmts[id].kind, StmtKind::Error);
        let inner = self.statement(inner, span);
        self.ast.stmts[id].kind = StmtKind::Compound(vec![body, inner]);
    }
    /// Puts what waits into the lists.
    fn fill_lists(&mut self) {
        if self.in_lists.is_empty() {
            return;
        }
        for stmt in self.ast.stmts.iter_mut() {
            let StmtKind::Compound(list) = &mut stmt.kind else { continue };
            if list.iter().any(|id| self.in_lists.contains_key(id)) {
                *list = list.iter().flat_map(|id| self.in_lists.get(id).copied().into_iter().chain([*id])).collect();
            }
        }
    }

    fn before_call(&mut self, source: &mut Source, node: Found, body: StmtId) {
        let Found::Call(id) = node else { unreachable!("calls are calls") };
        let ExprKind::Call(_, args) = &self.ast.exprs[id].kind else { unreachable!("calls are calls") };
        let args = args.clone();
        let acts = args.iter().any(|&arg| effect_in(self.ast, arg).is_some());
        match args.last() {
            // Behind the evaluation of the last argument: other calls may stand in there.
            Some(&last) if acts => self.behind(source, Found::Call(last), body),
            _ => {
                let inner = self.moved(id);
                let woven = self.before(body, inner);
                self.ast.exprs[id].kind = std::mem::replace(&mut self.ast.exprs[woven].kind, ExprKind::Error);
            }
        }
    }
    /// The expression under a new id.
    fn moved(&mut self, id: ExprId) -> ExprId {
        let (span, operator) = (self.ast.exprs[id].span, self.ast.exprs[id].operator);
        let kind = std::mem::replace(&mut self.ast.exprs[id].kind, ExprKind::Error);
        self.ast.exprs.push(Expr { kind, span, operator })
    }

    /// Evaluates the expression, keeps its value, runs the body.
    fn behind(&mut self, source: &mut Source, node: Found, body: StmtId) {
        let Found::Call(id) = node else { unreachable!("calls are calls") };
        let template = format!("int __uforia_kept(void) {{ return ({{ __auto_type {RESULT} = 0; ; {RESULT}; }}); }}\n");
        let kept = self.template(source, &template);
        let ExprKind::StmtExpr(whole) = self.ast.exprs[kept].kind else { unreachable!("as the template says") };
        let StmtKind::Compound(list) = &mut self.ast.stmts[whole].kind else { unreachable!("as the template says") };
        list[1] = body;
        let declaration = list[0];
        let value = self.moved(id);
        let StmtKind::Declaration(declaration) = &mut self.ast.stmts[declaration].kind else {
            unreachable!("as the template says")
        };
        declaration.declarators[0].init = Some(Init::Expr(value));
        self.ast.exprs[id].kind = ExprKind::StmtExpr(whole);
    }
    /// That the value of the switch is that of no case; none if there are no cases.
    fn no_case(&mut self, source: &mut Source, switch: StmtId) -> Option<ExprId> {
        let StmtKind::Switch(_, body) = self.ast.stmts[switch].kind else { return None };
        let mut cases: Vec<(ExprId, Option<ExprId>)> = Vec::new();
        let mut open = vec![body];
        while let Some(id) = open.pop() {
            match &self.ast.stmts[id].kind {
                StmtKind::Compound(list) => open.extend(list),
                StmtKind::If { arms, otherwise } => open.extend(arms.iter().map(|arm| arm.1).chain(*otherwise)),
                StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => open.push(*body),
                StmtKind::Label(_, body) | StmtKind::Default(body) => open.push(*body),
                StmtKind::Case(low, high, body) => {
                    cases.push((*low, *high));
                    open.push(*body);
                }
                _ => {}
            }
        }
        let mut all: Option<ExprId> = None;
        for (low, high) in cases {
            let span = self.ast.exprs[low].span;
            let value = self.template(source, &format!("int __uforia_kept(void) {{ return ({RESULT}); }}\n"));
            let other = match high {
                None => self.expr(ExprKind::Binary(BinaryOp::Ne, value, low), span),
                Some(high) => {
                    let below = self.expr(ExprKind::Binary(BinaryOp::Lt, value, low), span);
                    let above = self.expr(ExprKind::Binary(BinaryOp::Gt, value, high), span);
                    self.expr(ExprKind::Binary(BinaryOp::LogicalOr, below, above), span)
                }
            };
            all = Some(match all {
                Some(all) => self.expr(ExprKind::Binary(BinaryOp::LogicalAnd, all, other), span),
                None => other,
            });
        }
        all
    }
    /// The expression that the template returns.
    fn template(&mut self, source: &mut Source, text: &str) -> ExprId {
        let start = source.append("<witness>", text);
        let diagnostics = parse::parse_more(self.ast, source, start);
        assert!(diagnostics.is_empty(), "templates parse: {diagnostics:?}");
        let item = self.ast.items.pop().expect("the template is a function");
        returned(self.ast, &item, "__uforia_kept").expect("the template returns a value")
    }

    /// `c` becomes `c ? (true side, 1) : (false side, 0)`.
    fn at_condition(&mut self, node: Found, [otherwise, then]: [Option<StmtId>; 2]) {
        let condition = match node {
            Found::Arm(id, arm) => match &self.ast.stmts[id].kind {
                StmtKind::If { arms, .. } => arms[arm].0,
                _ => unreachable!("only `if` has arms"),
            },
            Found::Statement(id) => match self.ast.stmts[id].kind {
                StmtKind::While(condition, _) | StmtKind::DoWhile(_, condition) => condition,
                StmtKind::For { condition: Some(condition), .. } => condition,
                _ => unreachable!("only conditions are found as branches"),
            },
            Found::Call(id) => match self.ast.exprs[id].kind {
                ExprKind::Conditional(condition, ..) => condition,
                _ => unreachable!("only `?` is found as a branch"),
            },
        };
        let span = self.ast.exprs[condition].span;
        let mut side = |body: Option<StmtId>, value: u128| {
            let value = self.one(value, span);
            body.map_or(value, |body| self.before(body, value))
        };
        let (yes, no) = (side(then, 1), side(otherwise, 0));
        let inner = self.moved(condition);
        self.ast.exprs[condition].kind = ExprKind::Conditional(inner, Some(yes), no);
    }
}
