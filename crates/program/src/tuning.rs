//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// Programs: text form, passes, interpreter.
    pub fixed struct Tuning for "program" {
        /// Terms on arrows of a drawing are cut behind this many nodes.
        max_label_nodes: usize = 30, 1..=1 << 20, Nodes;
        /// Shared subterms of guards are walked once for each use up to this many steps; beyond, they are computed as values.
        max_guard_steps: usize = 4096, 1..=1 << 30, Steps;
        /// Edges between two looks at limits and the flag.
        edges_between_checks: u64 = 8192, 1..=1 << 30, Edges;
        /// The wait after an attempt in vain is this much longer, so that there are few of them.
        leap_growth: u64 = 4, 2..=1000, Factor;
        /// Instructions that are executed ahead: one for this many of the gap between attempts.
        leap_share: u64 = 64, 1..=1 << 20, Factor;
        /// Instructions that are executed ahead, at least.
        leap_least: u64 = 1024, 1..=1 << 40, Steps;
        /// Instructions that are executed ahead, at most.
        leap_most: u64 = 1 << 16, 1..=1 << 40, Steps;
        /// Loops that are tried at a time, the outermost first.
        max_leap_loops: usize = 3, 1..=1000, Entries;
        /// Pages of ended activations that are kept for the next ones.
        max_spare_pages: usize = 64, 0..=1 << 20, Elements;
        /// Numbers of more bits are left to the other styles of random inputs.
        max_magnitude_bits: u32 = 22, 1..=64, Bits;
        /// Calls within a round of a loop that is executed at once.
        max_round_calls: usize = 64, 1..=1 << 20, Calls;
        /// Versions of a function that differ in more edges, between the first difference and the last, are not compared there.
        max_edit_length: usize = 600, 0..=1 << 16, Edges;
        /// Ended objects that are kept, for messages.
        max_ended_objects: usize = 1 << 16, 1..=1 << 32, Elements;
        /// Edges of a run that are logged for the slice of a counterexample.
        max_logged_edges: usize = 1 << 20, 0..=1 << 32, Steps;
        /// Heap objects that were not freed at the end of a run and are named.
        max_left_objects: usize = 8, 0..=1 << 20, Elements;
        /// The round of passes is repeated at most this often.
        max_pass_rounds: usize = 4, 1..=1000, Rounds;
        /// First contents with more elements that are not zero are not spelt out.
        max_initial_stores: usize = 1024, 0..=1 << 30, Elements;
        /// Terms grow to at most this many subterms by substitution.
        max_contracted_term: usize = 60, 1..=1 << 30, Terms;
        /// Accesses up to this size are kept in one piece.
        max_whole_access_bytes: u64 = 8, 1..=1 << 20, Bytes;
        /// An object with more pieces becomes an array if it can, or stays in memory.
        max_scalar_pieces: usize = 256, 1..=1 << 20, Pieces;
        /// A larger piece does not become a variable.
        max_scalar_bytes: u64 = 64, 1..=1 << 20, Bytes;
        /// Single offsets into one object that a pointer carries; more become a class.
        max_exact_offsets: usize = 8, 1..=1 << 20, Elements;
        /// Kinds of cells of one site whose contents are distinguished.
        max_site_cells: usize = 64, 1..=1 << 20, Elements;
        /// With more sets by location, those for all locations are used: time and memory are proportional to it.
        max_flow_sets: usize = 1 << 21, 1..=1 << 32, Elements;
        /// Pieces that the bytes of one site are cut into; with more, it is not modelled.
        max_site_pieces: usize = 512, 1..=1 << 20, Pieces;
        /// Parts that one access through a pointer has.
        max_access_parts: usize = 64, 1..=1 << 20, Pieces;
        /// Cells of one object that are written one by one where it begins.
        max_begun_cells: u64 = 256, 1..=1 << 20, Elements;
        /// Allocations whose objects' addresses, sizes and lifetimes are variables; with more, accesses to them are not decided.
        max_valid_sites: usize = 48, 0..=255, Elements;
        /// Choices between at most this many constants stay choices between constants under operators, in symbolic execution.
        max_spread_constants: u64 = 64, 2..=1 << 20, Elements;
        /// Values of a word that are listed, in symbolic execution.
        max_symbolic_values: usize = 2048, 1..=1 << 20, Elements;
        /// Nodes of the guards of all paths, in symbolic execution.
        max_guard_nodes: usize = 4_000_000, 16..=1 << 31, Nodes;
        /// Objects that one address may belong to, in symbolic execution.
        max_targets: usize = 256, 1..=1 << 20, Elements;
        /// Rounds of one loop that may go on and may end, in symbolic execution.
        max_open_rounds: usize = 200, 1..=1 << 20, Rounds;
        /// Calls at once, in symbolic execution.
        max_symbolic_calls: usize = 300, 1..=1 << 20, Calls;
        /// Depth of expressions, in symbolic execution.
        max_symbolic_depth: u32 = 4000, 1..=1 << 20, Nodes;
        /// Operators on words that the floats of a program become; with more, floats stay functions.
        max_float_circuits: usize = 300_000, 0..=1 << 30, Nodes;
        /// Objects of more bytes are not merged byte by byte, nor allocated with a size that is not known, in symbolic execution.
        max_merged_bytes: u64 = 1 << 16, 1..=1 << 30, Bytes;
        /// More messages about one text are not given.
        max_diagnostics: usize = 100, 1..=1 << 20, Diagnostics;
        /// Trees of up to this many nodes are written without `let`.
        max_plain_nodes: u64 = 100, 1..=1 << 20, Nodes;
    }
}
