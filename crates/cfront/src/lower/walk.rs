//! Walking the typed tree without recursion: one node at a time, children on a stack.

use crate::hir::{Callee, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind};

/// Something that has parts.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Stmt(&'a Stmt),
    Init(&'a Init),
}

/// Puts the parts of a node on the stack, last part first, so that the first is popped first.
pub(super) fn push_parts<'a>(node: Node<'a>, stack: &mut Vec<Node<'a>>) {
    let bottom = stack.len();
    match node {
        Node::Expr(expr) => expr_parts(expr, stack),
        Node::Place(place) => match &place.kind {
            PlaceKind::Var(_) | PlaceKind::String(_) => {}
            PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => stack.push(Node::Expr(expr)),
            PlaceKind::Field { base, .. } => stack.push(Node::Place(base)),
            PlaceKind::CompoundLiteral { init, .. } => stack.push(Node::Init(init)),
        },
        Node::Stmt(stmt) => stmt_parts(stmt, stack),
        Node::Init(init) => stack.extend(init.pieces.iter().map(|piece| Node::Expr(&piece.value))),
    }
    stack[bottom..].reverse();
}

fn expr_parts<'a>(expr: &'a Expr, stack: &mut Vec<Node<'a>>) {
    use ExprKind::*;
    match &expr.kind {
        Integer(_) | Float(_) | WideFloat(_) | AddressOfFunction(_) | LabelAddress(_) | Unsupported(_) => {}
        Read(place) | AddressOf(place) => stack.push(Node::Place(place)),
        VaArg(place) | VaStart(place) => stack.push(Node::Place(place)),
        VaCopy(to, from) => stack.extend([Node::Place(to), Node::Place(from)]),
        Neg(a) | BitNot(a) | Not(a) | Cast(a) => stack.push(Node::Expr(a)),
        Binary(_, a, b) | Compare(_, a, b) | And(a, b) | Or(a, b) | Elvis(a, b) | Comma(a, b) => {
            stack.extend([Node::Expr(a), Node::Expr(b)]);
        }
        PtrAdd { pointer, index, .. } => stack.extend([Node::Expr(pointer), Node::Expr(index)]),
        PtrDiff { left, right, .. } => stack.extend([Node::Expr(left), Node::Expr(right)]),
        Assign(place, value) => stack.extend([Node::Place(place), Node::Expr(value)]),
        AssignOp { place, value, .. } => stack.extend([Node::Place(place), Node::Expr(value)]),
        AssignPtrAdd { place, index, .. } => stack.extend([Node::Place(place), Node::Expr(index)]),
        Increment { place, .. } => stack.push(Node::Place(place)),
        Conditional(c, a, b) => stack.extend([Node::Expr(c), Node::Expr(a), Node::Expr(b)]),
        Call { callee, args } => {
            if let Callee::Pointer(pointer) = callee {
                stack.push(Node::Expr(pointer));
            }
            stack.extend(args.iter().map(Node::Expr));
        }
        StmtExpr(body, value) => {
            stack.extend(body.iter().map(Node::Stmt));
            stack.extend(value.as_deref().map(Node::Expr));
        }
        Builtin(_, args) => stack.extend(args.iter().map(Node::Expr)),
    }
}

fn stmt_parts<'a>(stmt: &'a Stmt, stack: &mut Vec<Node<'a>>) {
    use StmtKind::*;
    match &stmt.kind {
        Expr(expr) | GotoComputed(expr) => stack.push(Node::Expr(expr)),
        Declare(_, init) => stack.extend(init.as_ref().map(Node::Init)),
        Block(body) => stack.extend(body.iter().map(Node::Stmt)),
        If { arms, otherwise } => {
            for (condition, body, _) in arms {
                stack.push(Node::Expr(condition));
                stack.extend(body.iter().map(Node::Stmt));
            }
            stack.extend(otherwise.iter().map(Node::Stmt));
        }
        While { condition, body } => {
            stack.push(Node::Expr(condition));
            stack.extend(body.iter().map(Node::Stmt));
        }
        DoWhile { body, condition } => {
            stack.extend(body.iter().map(Node::Stmt));
            stack.push(Node::Expr(condition));
        }
        For { init, condition, step, body } => {
            stack.extend(init.iter().map(Node::Stmt));
            stack.extend(condition.as_ref().map(Node::Expr));
            stack.extend(step.as_ref().map(Node::Expr));
            stack.extend(body.iter().map(Node::Stmt));
        }
        Switch { value, body, .. } => {
            stack.push(Node::Expr(value));
            stack.extend(body.iter().map(Node::Stmt));
        }
        Case(_) | Label(_) | Goto(_) | Break | Continue => {}
        Return(value) => stack.extend(value.as_ref().map(Node::Expr)),
        Asm { outputs, memory, inputs, .. } => {
            stack.extend(outputs.iter().map(Node::Place));
            stack.extend(memory.iter().map(Node::Expr));
            stack.extend(inputs.iter().map(Node::Expr));
        }
    }
}
