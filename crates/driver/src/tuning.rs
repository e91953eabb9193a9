//! Numbers that tune this crate: how much is tried and shown. None of them decides whether an answer is right.

base::settings! {
    /// The driver.
    pub fixed struct Tuning for "driver" {
        /// A larger entry of a cache is neither written nor read.
        max_cache_entry_bytes: u64 = 16 << 20, 1..=1 << 40, Bytes;
        /// Entries that were not used for longest go when a cache has more bytes.
        max_cache_bytes: u64 = 256 << 20, 1..=1 << 48, Bytes;
        /// A value of an input in a cache has no more bits.
        max_cached_value_bits: u32 = 1 << 16, 1..=1 << 24, Bits;
        /// Evidence of an earlier run may take twice its time, or this part of the search for it, whatever is more: attempts in vain stay cheap.
        cache_share: u64 = 20, 1..=1 << 20, Factor;
        /// And this much more.
        cache_check_milliseconds: u64 = 100, 0..=1 << 32, Milliseconds;
        /// A check of unknown length counts as this part of the whole.
        cache_unknown_check: u64 = 4, 1..=1 << 20, Factor;
        /// And no more than this part of the time that is left.
        cache_part: u64 = 5, 1..=1 << 20, Factor;
        /// Effort for candidates of one source.
        offer_ticks: u64 = 20_000_000, 1..=1 << 40, Ticks;
        /// With verdicts about each assertion: processor time in which all open ones are asked about at once, then each for itself.
        each_round_milliseconds: u64 = 10_000, 1..=1 << 40, Milliseconds;
        /// The next round about single assertions is longer by this factor.
        each_round_growth: u32 = 4, 1..=1 << 10, Factor;
        /// How often a contract is changed by an error that engines find.
        max_contract_rounds: usize = 40, 1..=1 << 20, Rounds;
        /// Lines of the help are not wider, also on a wide terminal.
        max_help_columns: usize = 110, 40..=1000, Columns;
        /// Names that the message about an unknown setting lists.
        suggested_settings: usize = 3, 1..=100, Entries;
        /// Time between two looks at the processes of a campaign.
        campaign_poll_milliseconds: u64 = 5, 1..=10_000, Milliseconds;
        /// A process may run this long after its time limit before it is ended.
        campaign_overtime_milliseconds: u64 = 10_000, 0..=1 << 32, Milliseconds;
        /// Time that a process has to end after it was asked to.
        campaign_end_milliseconds: u64 = 400, 0..=1 << 32, Milliseconds;
        /// Evidence with more subterms is not written out.
        max_written_subterms: usize = 20_000, 1..=1 << 32, Terms;
        /// Invariants with more subterms are not given in SMT-LIB.
        max_smtlib_subterms: usize = 2_000, 1..=1 << 32, Terms;
        /// Steps of a counterexample that an answer keeps at the start of a long run.
        answer_first_steps: usize = 200, 1..=1 << 32, Steps;
        /// Steps of a counterexample that an answer keeps at the end of a long run.
        answer_last_steps: usize = 800, 1..=1 << 32, Steps;
        /// Rows of a function that a counterexample prints.
        max_shown_rows: usize = 12, 1..=1 << 20, Entries;
        /// Pictures of a graph that are kept.
        max_pictures: usize = 200, 1..=1 << 20, Entries;
        /// Longer labels are cut in a drawing.
        max_drawn_label_chars: usize = 120, 1..=1 << 20, Characters;
        /// Steps that are kept at the start and at the end of a long run, for witnesses.
        witness_kept_steps: usize = 20_000, 1..=1 << 32, Steps;
        /// The object of an invalid access is named if the run has no more edges.
        max_named_object_edges: u64 = 20_000_000, 1..=1 << 40, Steps;
        /// Lines of a counterexample that are printed.
        max_trace_lines: usize = 40, 0..=1 << 30, Entries;
        /// A witness that lists every step has no more of them.
        max_witness_steps: u64 = 1 << 24, 1..=1 << 40, Steps;
        /// Steps of the first random runs.
        first_random_steps: u64 = 1 << 14, 1..=1 << 40, Steps;
        /// Steps of a random run, unless the user says so.
        max_random_steps: u64 = 2_000_000_000, 1..=1 << 48, Steps;
        /// Inputs that are printed.
        max_shown_inputs: usize = 10_000, 1..=1 << 32, Values;
        /// Effort for smaller cores of scripts.
        core_ticks: u64 = 2_000_000, 0..=1 << 48, Ticks;
        /// Steps that are kept at the start and at the end of a long run, for the trace.
        story_kept_steps: usize = 1000, 1..=1 << 32, Steps;
        /// Conditions with more nodes are shortened in traces.
        story_shown_nodes: usize = 40, 1..=1 << 20, Nodes;
        /// The values that a witness names are tried for this many edges.
        max_waypoint_edges: u64 = 200_000_000, 1..=1 << 48, Edges;
        /// How often the display is drawn in a second.
        display_frames_per_second: u8 = 4, 1..=60, Rounds;
        /// The display appears after this time: shorter runs are over before it could be read.
        display_delay_milliseconds: u64 = 400, 0..=1 << 20, Milliseconds;
        /// Effort of the proof that accesses are valid: a second or two.
        side_proof_ticks: u64 = 20_000_000, 0..=1 << 48, Ticks;
        /// Time before the deadline at which that proof ends, if it has not before.
        side_proof_reserve_milliseconds: u64 = 2000, 0..=1 << 32, Milliseconds;
        /// How often it is looked whether it is to end.
        side_proof_pause_milliseconds: u64 = 20, 1..=1 << 32, Milliseconds;
        /// Runs after the search that show which lines and assertions are passed.
        coverage_runs: u64 = 16, 1..=1 << 20, Runs;
        /// Edges of all these runs together: a few milliseconds.
        coverage_edges: u64 = 100_000, 0..=1 << 40, Edges;
        /// Memory of such a run.
        coverage_bytes: u64 = 64 << 20, 1..=1 << 40, Bytes;
        /// Time that must be left before the deadline for these runs.
        coverage_reserve_milliseconds: u64 = 1000, 0..=1 << 32, Milliseconds;
        /// Effort of all proofs that an assertion is never reached: half a second.
        never_reached_ticks: u64 = 2_500_000, 0..=1 << 48, Ticks;
        /// Assertions for which such a proof is tried.
        max_never_reached: usize = 8, 0..=1 << 20, Entries;
        /// Larger programs are not asked: the passes alone would take as long.
        max_never_reached_edges: usize = 5000, 0..=1 << 32, Edges;
        /// Stretches of time that are kept of each engine.
        max_spans: usize = 48, 1..=1 << 20, Entries;
        /// Longer lists of inputs do not stand in a command line.
        max_replay_inputs: usize = 64, 0..=1 << 20, Values;
        /// Accesses that the answer names one by one.
        max_named_accesses: usize = 3, 1..=1 << 20, Entries;
        /// More output of the preprocessor is a macro that runs away.
        max_preprocessed_bytes: u64 = 256 << 20, 1..=1 << 32, Bytes;
        /// More messages of the preprocessor are not kept.
        max_preprocessor_message_bytes: u64 = 1 << 20, 1..=1 << 32, Bytes;
        /// Processor time of the preprocessor.
        max_preprocessor_seconds: u32 = 10, 1..=1 << 20, Seconds;
        /// Memory of the preprocessor.
        max_preprocessor_kibibytes: u32 = 2 << 20, 1..=u32::MAX as u64, Kibibytes;
        /// Time that the preprocessor may take.
        max_preprocessor_wait_milliseconds: u64 = 60_000, 1..=1 << 32, Milliseconds;
        /// Processor time of a compiler that writes LLVM IR.
        max_compiler_seconds: u32 = 60, 1..=1 << 20, Seconds;
        /// Memory of a compiler that writes LLVM IR.
        max_compiler_kibibytes: u32 = 8 << 20, 1..=u32::MAX as u64, Kibibytes;
        /// Time between two looks at the flag, the memory and the terminal.
        race_poll_milliseconds: u64 = 20, 1..=10_000, Milliseconds;
        /// An arm gets this many times its share while its answer is checked.
        check_share_factor: u64 = 8, 1..=1000, Factor;
        /// An answer is checked alone for at least this long.
        check_alone_milliseconds: u64 = 1000, 0..=1 << 32, Milliseconds;
        /// An answer is checked alone for this many times as long as all arms have worked before: most checks take less than twice the search.
        check_alone_factor: u64 = 2, 0..=1 << 10, Factor;
        /// Other answers wait until the check of the first has taken this many times as long.
        first_check_factor: u64 = 4, 1..=1 << 10, Factor;
        /// `kind` divides a program of many loops into queries about single errors; it works alone longer by its usual opening for each of this number of loops.
        opening_loops: u64 = 32, 1..=1 << 24, Cases;
        /// An opening is as long as the plan says for programs with this many edges and terms, and longer in proportion for larger ones without loops.
        opening_terms: u64 = 3000, 1..=1 << 32, Terms;
        /// Length of a turn of an arm.
        slice_milliseconds: u64 = 30, 1..=10_000, Milliseconds;
        /// Length of a turn where ticks count.
        slice_ticks: u64 = 150_000, 1..=1 << 40, Ticks;
        /// About this many ticks make a millisecond.
        ticks_per_millisecond: u64 = 5_000, 1..=1 << 30, Ticks;
        /// The clock is read once in this many calls.
        calls_between_clock_reads: u64 = 16, 1..=1 << 30, Calls;
        /// Time that another solver has for one obligation.
        second_opinion_milliseconds: u64 = 10_000, 1..=1 << 32, Milliseconds;
        /// More of the answer of another solver is not read.
        max_second_opinion_bytes: u64 = 1 << 16, 1..=1 << 32, Bytes;
        /// Time between two looks at the memory.
        memory_poll_milliseconds: u64 = 20, 1..=10_000, Milliseconds;
        /// Time that a stopped worker has to report what it knows.
        stop_milliseconds: u64 = 800, 1..=1 << 32, Milliseconds;
        /// Random runs that rankings are guessed from.
        ending_runs: u64 = 240, 1..=1 << 32, Runs;
        /// Edges of such a run; one that goes on may have no end.
        ending_run_edges: u64 = 3_000, 1..=1 << 40, Edges;
        /// Edges of a run in which a ranking did not get smaller.
        ending_learned_edges: u64 = 1_000_000, 1..=1 << 40, Edges;
        /// A program without inputs is executed for this many edges to see whether it ends.
        only_run_edges: u64 = 20_000_000, 1..=1 << 40, Edges;
        /// How often rankings are guessed.
        ranking_rounds: usize = 60, 1..=1 << 20, Rounds;
        /// Guesses that stay open before the portfolio tries them.
        ranking_open: usize = 5, 0..=1 << 20, Rounds;
        /// Effort of one engine for a guess.
        ranking_ticks: u64 = 4_000_000, 1..=1 << 40, Ticks;
        /// Runs that go on for long that are looked at.
        endless_tries: usize = 120, 0..=1 << 20, Runs;
        /// Guesses of inputs with which a run has no end.
        endless_guesses: usize = 8, 0..=1 << 20, Rounds;
        /// A run on guessed inputs must go on for this many edges.
        endless_edges: u64 = 200_000, 1..=1 << 40, Edges;
        /// Edges of the runs, all together, that look for an overflow before a proof that runs end is accepted.
        overflow_edges: u64 = 20_000_000, 1..=1 << 40, Edges;
        /// Effort of one engine for such a guess.
        endless_ticks: u64 = 2_000_000, 1..=1 << 40, Ticks;
        /// Time that the portfolio has for a guess about the end of runs at first.
        first_ending_slice_milliseconds: u64 = 3_000, 1..=1 << 32, Milliseconds;
        /// How often the portfolio goes through the guesses, each time for longer.
        ending_rounds: usize = 4, 0..=100, Rounds;
        /// Time between two looks at the clock while a part of the time runs.
        slice_poll_milliseconds: u64 = 5, 1..=10_000, Milliseconds;
        /// Edges of a run without end that are shown.
        shown_endless_edges: u64 = 2_000, 1..=1 << 32, Edges;
        /// A program with more edges is executed once before the passes.
        first_run_edges: usize = 2_000, 0..=1 << 32, Edges;
    }
}
