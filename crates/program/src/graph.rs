//! Adjacency: which edges leave and enter a location, and what belongs to a function.
//!
//! A program is a flat list of edges. A traversal needs neighbours, so we sort the edges once
//! by location (and locations and edges by function) into compressed rows: one table of starts and
//! one of items, built by counting, two passes and no small vectors. Within a row the order is that
//! of the ids, so every walk is reproducible.

use base::Id;

use crate::{EdgeId, FunId, Loc, Program};

/// The neighbourhoods of a program, valid until the program changes.
#[derive(Clone, Debug)]
pub struct Graph {
    outgoing: Rows<EdgeId>,
    incoming: Rows<EdgeId>,
    locations: Rows<Loc>,
    edges: Rows<EdgeId>,
}

impl Graph {
    /// Sorts the edges and locations of the program; its ids must be in range.
    pub fn new(program: &Program) -> Self {
        let (n_locations, n_functions) = (program.locations.len(), program.functions.len());
        let (locations, edges) = (&program.locations, &program.edges);
        Graph {
            outgoing: Rows::new(n_locations, edges.len(), |e: EdgeId| edges[e].from.index()),
            incoming: Rows::new(n_locations, edges.len(), |e: EdgeId| edges[e].to.index()),
            locations: Rows::new(n_functions, locations.len(), |l: Loc| locations[l].function.index()),
            edges: Rows::new(n_functions, edges.len(), |e: EdgeId| locations[edges[e].from].function.index()),
        }
    }
    /// The edges that leave the location.
    pub fn outgoing(&self, loc: Loc) -> &[EdgeId] {
        self.outgoing.row(loc.index())
    }
    /// The edges that enter the location.
    pub fn incoming(&self, loc: Loc) -> &[EdgeId] {
        self.incoming.row(loc.index())
    }
    /// The locations of the function.
    pub fn locations(&self, function: FunId) -> &[Loc] {
        self.locations.row(function.index())
    }
    /// The edges of the function.
    pub fn edges(&self, function: FunId) -> &[EdgeId] {
        self.edges.row(function.index())
    }
}

/// Compressed rows: row `r` is `items[starts[r]..starts[r + 1]]`.
#[derive(Clone, Debug)]
struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Id> Rows<T> {
    /// Sorts the items with the ids below `n_items` into their rows.
    fn new(n_rows: usize, n_items: usize, row_of: impl Fn(T) -> usize) -> Self {
        let mut starts = vec![0u32; n_rows + 1];
        for item in (0..n_items).map(T::new) {
            starts[row_of(item) + 1] += 1;
        }
        for row in 0..n_rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut items = vec![T::new(0); n_items];
        for item in (0..n_items).map(T::new) {
            let slot = &mut next[row_of(item)];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Rows { starts, items }
    }
    fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;
    use term::Terms;

    #[test]
    fn rows_list_edges_in_the_order_of_their_ids() {
        let mut terms = Terms::new();
        let mut b = Builder::new(32);
        let f = b.function("f", None);
        let g = b.function("g", None);
        let (start, end) = (b.entry_of(f), b.exit_of(f));
        let middle = b.location(f, None);
        let e0 = b.step(&mut terms, start, middle);
        let in_g = b.step(&mut terms, b.entry_of(g), b.exit_of(g));
        let e2 = b.step(&mut terms, middle, start);
        let e3 = b.step(&mut terms, middle, end);
        let graph = Graph::new(&b.finish(f));
        assert_eq!(graph.outgoing(start), [e0]);
        assert_eq!(graph.outgoing(middle), [e2, e3]);
        assert_eq!(graph.outgoing(end), []);
        assert_eq!(graph.incoming(start), [e2]);
        assert_eq!(graph.incoming(end), [e3]);
        assert_eq!(graph.locations(f), [start, end, middle]);
        assert_eq!(graph.edges(f), [e0, e2, e3]);
        assert_eq!(graph.edges(g), [in_g]);
    }

    #[test]
    fn an_empty_program_has_an_empty_graph() {
        Graph::new(&Program::default());
    }
}
