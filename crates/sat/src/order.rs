//! Which variable to decide next: two orders, one for each mode of the search.
//!
//! Stable mode takes the most active variable from a heap, activities decaying exponentially
//! ([EenSorensson-SAT'03]); focused mode takes the most recently bumped one from a queue (VMTF,
//! [BiereFroehlich-SAT'15]). Queries with a domain always use the heap, which then holds only the domain.

use crate::SatVar;

const NOWHERE: u32 = u32::MAX;

/// A binary heap of variables, the most active on top.
#[derive(Clone, Default)]
pub(crate) struct Heap {
    heap: Vec<u32>,
    position: Vec<u32>,
    pub activity: Vec<f64>,
    increment: f64,
}

impl Heap {
    pub fn new() -> Self {
        Heap { increment: 1.0, ..Heap::default() }
    }
    pub fn grow(&mut self) {
        self.position.push(NOWHERE);
        self.activity.push(0.0);
    }
    pub fn clear(&mut self) {
        for &var in &self.heap {
            self.position[var as usize] = NOWHERE;
        }
        self.heap.clear();
    }
    pub fn insert(&mut self, var: SatVar) {
        if self.position[var.index()] == NOWHERE {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var.0);
            self.up(self.heap.len() - 1);
        }
    }
    pub fn pop(&mut self) -> Option<SatVar> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("the heap is not empty");
        self.position[top as usize] = NOWHERE;
        if let Some(first) = self.heap.first_mut() {
            *first = last;
            self.position[last as usize] = 0;
            self.down(0);
        }
        Some(SatVar(top))
    }
    pub fn bump(&mut self, var: SatVar) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > 1e150 {
            for activity in &mut self.activity {
                *activity *= 1e-150;
            }
            self.increment *= 1e-150;
        }
        let position = self.position[var.index()];
        if position != NOWHERE {
            self.up(position as usize);
        }
    }
    pub fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }
    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        let activity = self.activity[var as usize];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            // Ties go to the smaller variable, so that runs repeat.
            let above_activity = self.activity[above as usize];
            if above_activity > activity || (above_activity == activity && above < var) {
                break;
            }
            self.heap[at] = above;
            self.position[above as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.position[var as usize] = at as u32;
    }
    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], var) {
                break;
            }
            self.heap[at] = self.heap[child];
            self.position[self.heap[at] as usize] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.position[var as usize] = at as u32;
    }
    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || (x == y && a < b)
    }
}

/// A doubly linked list of all variables, the most recently bumped last.
#[derive(Clone, Default)]
pub(crate) struct Queue {
    next: Vec<u32>,
    previous: Vec<u32>,
    stamp: Vec<u64>,
    last: u32,
    clock: u64,
    /// Every variable after this one in the list is assigned.
    search: u32,
}

impl Queue {
    pub fn new() -> Self {
        Queue { last: NOWHERE, search: NOWHERE, ..Queue::default() }
    }
    pub fn grow(&mut self) {
        let var = self.next.len() as u32;
        self.next.push(NOWHERE);
        self.previous.push(NOWHERE);
        self.stamp.push(0);
        self.append(var);
        self.search = var;
    }
    fn append(&mut self, var: u32) {
        self.previous[var as usize] = self.last;
        self.next[var as usize] = NOWHERE;
        if self.last != NOWHERE {
            self.next[self.last as usize] = var;
        }
        self.last = var;
        self.clock += 1;
        self.stamp[var as usize] = self.clock;
    }
    pub fn stamp(&self, var: SatVar) -> u64 {
        self.stamp[var.index()]
    }
    pub fn bump(&mut self, var: SatVar, is_open: bool) {
        let v = var.0;
        if self.last == v {
            return;
        }
        let (before, after) = (self.previous[v as usize], self.next[v as usize]);
        if before != NOWHERE {
            self.next[before as usize] = after;
        }
        self.previous[after as usize] = before;
        if self.search == v {
            self.search = if before == NOWHERE { after } else { before };
        }
        self.append(v);
        if is_open {
            self.search = v;
        }
    }
    /// The variable has been unassigned.
    #[inline]
    pub fn reopened(&mut self, var: SatVar) {
        if self.stamp[var.index()] > self.stamp[self.search as usize] {
            self.search = var.0;
        }
    }
    /// The most recently bumped open variable.
    pub fn next_open(&mut self, is_open: impl Fn(SatVar) -> bool) -> Option<SatVar> {
        let mut at = self.search;
        while at != NOWHERE {
            if is_open(SatVar(at)) {
                self.search = at;
                return Some(SatVar(at));
            }
            at = self.previous[at as usize];
        }
        None
    }
}
