//! The table of reasons: for each code what it means, why it happens, and what to do. `uforia explain` and `docs/reasons.md` print it.

use crate::Code;

/// What there is to say about a code.
#[derive(Debug)]
pub struct Reason {
    /// The code.
    pub code: Code,
    /// Its name: `U` and four digits, of which the first two are the group.
    pub name: &'static str,
    /// The reason in a few words.
    pub title: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Why it happens.
    pub cause: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// The remedy in one line, printed with the answer; `FILE` stands for the program. Empty if the reason explains itself.
    pub hint: &'static str,
}

/// All reasons, in the order of [`Code`].
pub const REASONS: &[Reason] = &[
    Reason {
        code: Code::OutOfTime,
        name: "U0101",
        title: "out of time",
        meaning: "The time limit of `--timeout` was reached before an engine had an answer that passed its check.",
        cause: "The search space is large, or the property needs an invariant that no engine found in time. The last line says how far the search came.",
        remedy: "Give the check more time, ask about one assertion at a time, or make loops and data smaller. Under a time limit on processor time, fewer threads leave more for each engine.",
        hint: "give it more time (--timeout), or ask about one assertion at a time (--list-assertions, --assertion N)",
    },
    Reason {
        code: Code::OutOfMemory,
        name: "U0102",
        title: "out of memory",
        meaning: "The memory limit was reached: that of `--memory`, or three quarters of what the machine, the cgroup or the shell allows.",
        cause: "An engine stores more states, clauses or terms than fit. In a portfolio the engine that grew most is stopped first, and the others continue.",
        remedy: "Raise `--memory`, run one engine alone, or ask about one assertion at a time.",
        hint: "give it more memory (--memory), or try one engine alone (--engine bmc, kind, …)",
    },
    Reason {
        code: Code::OutOfTicks,
        name: "U0103",
        title: "out of ticks",
        meaning: "A step of the search or of the check of its evidence has a budget of effort, counted in ticks, and the budget was used up.",
        cause: "One query or one check of evidence is much harder than usual.",
        remedy: "Another engine may need easier queries; `-v` shows which engine stopped where.",
        hint: "another --engine may need easier steps; `-v` says what each engine did",
    },
    Reason {
        code: Code::Bounded,
        name: "U0104",
        title: "no error within the bound",
        meaning: "A bounded search ended without an error. It says nothing about longer runs.",
        cause: "`--engine bmc` and `--unwind K` look at a bounded number of iterations of the loops.",
        remedy: "Raise `--unwind`, or leave `--engine` out: other engines prove loops without a bound.",
        hint: "raise --unwind, or leave --engine out: other engines prove loops without a bound",
    },
    Reason {
        code: Code::Interrupted,
        name: "U0105",
        title: "interrupted",
        meaning: "A signal (Ctrl-C, SIGTERM), or the end of the process that started it, stopped the run.",
        cause: "The run was stopped from outside.",
        remedy: "Start it again. A batch with `--resume FILE` keeps the results that were finished.",
        hint: "",
    },
    Reason {
        code: Code::Construct,
        name: "U0201",
        title: "unsupported construct",
        meaning: "The program is valid, but it uses a construct that is not modelled. A guess could make the answer wrong, so there is none.",
        cause: "Threads, inline assembler, some attributes, some library functions and rare parts of the language have no model yet. The diagnostic names the construct and its place.",
        remedy: "Rewrite or remove the construct, or replace the function by a body of your own. `uforia run` executes many such programs.",
        hint: "`uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::Recursion,
        name: "U0202",
        title: "unsupported recursion",
        meaning: "A function calls itself, directly or through others, and the depth is not bounded by the program text.",
        cause: "Calls are inlined before the engines see the program. A tail call is a loop and needs nothing; for other recursion no contract was found that proves the program, or a recursive function accesses memory through a pointer.",
        remedy: "Rewrite the recursion as a loop.",
        hint: "rewrite the recursion as a loop; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::ProgramSize,
        name: "U0203",
        title: "program too large",
        meaning: "The program has more control-flow edges after inlining than the engines take.",
        cause: "Functions that are called from many places are copied for each call.",
        remedy: "Check a part of the program (`--assertion N` helps if most of the program does not matter for it), or call large functions from fewer places.",
        hint: "ask about one assertion at a time (--list-assertions, --assertion N); `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::EvidenceSize,
        name: "U0204",
        title: "evidence too large to be checked",
        meaning: "An engine has an answer, but its evidence is too large for the checker: an obligation, a lemma, a run or a number of runs.",
        cause: "Every answer is checked independently before it is given. An answer that cannot be checked is not given.",
        remedy: "Another engine may find smaller evidence.",
        hint: "another --engine may find evidence that is smaller; `-v` says what each engine did",
    },
    Reason {
        code: Code::StackAddress,
        name: "U0205",
        title: "stack memory that outlives its function",
        meaning: "Memory of a variable-length array or of `alloca` may be used through a pointer after its function has returned.",
        cause: "Lifetimes of such memory are followed only as far as their function.",
        remedy: "Pass the memory from the caller, or allocate it with `malloc`.",
        hint: "allocate the memory with malloc, or in the caller; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::Numbers,
        name: "U0206",
        title: "mathematical numbers in a transition system",
        meaning: "The system has variables of sort Int or Real, and the counterexample that was found cannot be replayed.",
        cause: "Int and Real are uninterpreted: proofs that need only equality succeed, counterexamples cannot be computed.",
        remedy: "Use bit-vectors of a width that is large enough.",
        hint: "use bit-vectors that are wide enough instead of Int and Real",
    },
    Reason {
        code: Code::Execution,
        name: "U0207",
        title: "an operation that cannot be executed",
        meaning: "A run that would confirm the answer meets an operation that the interpreter has no rule for.",
        cause: "Comparisons of arrays of which not all elements are known, static objects that do not fit the address space, and similar corner cases.",
        remedy: "Another engine may have an answer that needs no such run.",
        hint: "another --engine may have an answer that needs no such run; `-v` says what each engine did",
    },
    Reason {
        code: Code::OnlyUndefined,
        name: "U0301",
        title: "only through undefined behaviour",
        meaning: "The error is reached, but an operation before it has no meaning in C (division by zero, a shift out of range, an access outside every object).",
        cause: "What happens after undefined behaviour is not determined, so the error may or may not occur in the compiled program.",
        remedy: "Correct the operation that is named, then check again. `--property no-overflow` checks arithmetic; the default property checks memory accesses and division.",
        hint: "the error may be real, but the operation named before it already has no meaning in C: correct that first (`--property no-overflow` checks overflow, division and shifts)",
    },
    Reason {
        code: Code::NoBody,
        name: "U0302",
        title: "a value from a function without a body",
        meaning: "The error is reached only if a function that has no body returns, or writes, certain values.",
        cause: "The program text does not say what the function does. It may return any value, which is enough for a proof of safety but not for an error.",
        remedy: "Give the function a body, or use `__VERIFIER_nondet_int()` and its variants where any value is really possible.",
        hint: "give the function a body, or use __VERIFIER_nondet_int() and its sisters for values that may be anything",
    },
    Reason {
        code: Code::Memory,
        name: "U0303",
        title: "memory that is not modelled",
        meaning: "The error depends on the contents of memory that the engine treats as unknown.",
        cause: "Accesses through pointers whose targets are not known statically read any value.",
        remedy: "Access arrays and variables by name where possible. `uforia run` follows pointers exactly.",
        hint: "memory behind real pointers is any value so far; arrays and variables that are accessed by name are exact",
    },
    Reason {
        code: Code::Layout,
        name: "U0304",
        title: "where objects lie in memory",
        meaning: "The error depends on the addresses of objects: their order, their distance, or their numerical values.",
        cause: "C leaves the placement of objects open, and compilers differ.",
        remedy: "Compare pointers only within one object, and do not compute with addresses of different objects.",
        hint: "the program compares or computes with addresses of different objects, which C leaves open: avoid that",
    },
    Reason {
        code: Code::Uninterpreted,
        name: "U0305",
        title: "uninterpreted functions",
        meaning: "The error depends on what functions of the input return that are declared without a definition.",
        cause: "A counterexample names values of inputs; a model of functions could not be replayed here.",
        remedy: "Define the functions, or use `--engine trace`, which gives models of functions.",
        hint: "define the functions, or try --engine trace, which gives models of functions",
    },
    Reason {
        code: Code::Unspecified,
        name: "U0306",
        title: "something that C leaves open",
        meaning: "The error depends on a choice that C leaves to the compiler: the order of evaluation of operands or arguments, the bits of a NaN.",
        cause: "Some compilers make the choice that leads to the error and others do not.",
        remedy: "Write the operations in separate statements, so that their order is fixed.",
        hint: "write the operations in separate statements, so that their order is fixed",
    },
    Reason {
        code: Code::Floats,
        name: "U0307",
        title: "floating-point arithmetic",
        meaning: "The error depends on the result of floating-point operations.",
        cause: "Arithmetic of `float` and `double` is read bit by bit, but remainders (`fmod`), `long double` and programs with very many operations are not, and C leaves open the bits of a NaN that an operation makes. The interpreter computes in at most double precision.",
        remedy: "`uforia run --random 1000 FILE` executes floats exactly and can find failing runs.",
        hint: "remainders, `long double` and the bits of a NaN are not exact in proofs; `uforia run --random 1000 FILE` executes floats exactly",
    },
    Reason {
        code: Code::RealNumbers,
        name: "U0308",
        title: "mathematical numbers",
        meaning: "The error depends on arithmetic of mathematical integers or reals.",
        cause: "Int and Real are uninterpreted in the engines.",
        remedy: "Use bit-vectors, or integer types of a fixed width.",
        hint: "use integer types of a fixed width instead of mathematical numbers",
    },
    Reason {
        code: Code::Uninitialised,
        name: "U0309",
        title: "a value that is not initialised",
        meaning: "The error depends on the value of a variable or of memory that was never written.",
        cause: "Reading such a value gives anything in C, and in some cases is undefined behaviour.",
        remedy: "Initialise the variable or the memory.",
        hint: "initialise the variable or the memory that is named",
    },
    Reason {
        code: Code::Approximated,
        name: "U0310",
        title: "a part of the program that is approximated",
        meaning: "The error depends on a construct that is read more coarsely than the source: it allows more behaviour than the program has.",
        cause: "Some constructs have only an over-approximation. Proofs with it are valid, errors may be spurious.",
        remedy: "Rewrite the construct at the place that is named.",
        hint: "the construct that is named is read more coarsely than the source: rewrite it, if the error looks spurious",
    },
    Reason {
        code: Code::Unnamed,
        name: "U0311",
        title: "a value that the counterexample does not name",
        meaning: "The run into the error depends on a choice or a value for which the counterexample has no entry.",
        cause: "An engine decided the choice by itself, for example which of several branches is taken.",
        remedy: "Another engine may have a counterexample that is complete.",
        hint: "another --engine may have a counterexample that can be replayed; `-v` says what each engine did",
    },
    Reason {
        code: Code::GaveUp,
        name: "U0401",
        title: "the engine gave up",
        meaning: "The engine reached a limit of its method.",
        cause: "The last line names the limit. Engines are complete for some programs only.",
        remedy: "Leave `--engine` out, so that several engines work together, or choose another one.",
        hint: "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::States,
        name: "U0402",
        title: "too many states",
        meaning: "An engine that lists states one by one found more than it can store or check.",
        cause: "Variables take many values.",
        remedy: "Choose an engine that works with formulas (`--engine kind`, `euf`, `ufo`), or leave `--engine` out.",
        hint: "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::NoProgress,
        name: "U0403",
        title: "refinement found nothing new",
        meaning: "The engine met a spurious counterexample and found no new predicate, lemma or interpolant that would exclude it.",
        cause: "The abstraction of the engine cannot express what is needed, or a spurious counterexample needs operators read bit by bit.",
        remedy: "Choose another level of the engine (`--euf`, `--ufo`, `--refine`), another engine, or leave `--engine` out.",
        hint: "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::NotCoherent,
        name: "U0404",
        title: "the program is not coherent",
        meaning: "`--trace coherent` decides coherent programs only, and this one is not.",
        cause: "A term is computed again after its value was dropped, or an equality is assumed too late.",
        remedy: "Use `--trace search`, which has no such condition.",
        hint: "try --trace search, which needs no coherence",
    },
    Reason {
        code: Code::Runs,
        name: "U0405",
        title: "executions decide nothing",
        meaning: "Executions on chosen inputs neither reached an error nor covered all runs.",
        cause: "Only programs without inputs, or with few values of them, are decided by executions.",
        remedy: "Leave `--engine` out: other engines reason about all inputs at once.",
        hint: "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::NoWords,
        name: "U0406",
        title: "an answer that the input language cannot express",
        meaning: "An engine has an answer about the program that it works on, but no evidence in terms of the file, so it cannot be checked there.",
        cause: "Transition systems are turned into programs for the engines, and not every proof has a form as an invariant of the system.",
        remedy: "Another engine may have an answer that can be expressed.",
        hint: "another --engine may have an answer that the file can express; `-v` says what each engine did",
    },
    Reason {
        code: Code::Solver,
        name: "U0407",
        title: "the solver gave no answer",
        meaning: "A query was not decided: a circuit would be too large, or a theory is incomplete.",
        cause: "Wide multiplications and divisions, and floats in queries, are the usual cases.",
        remedy: "Another engine may ask easier queries.",
        hint: "`-v` says what each engine did; `uforia run --random 1000 FILE` looks for failing runs all the same",
    },
    Reason {
        code: Code::NoEngine,
        name: "U0408",
        title: "no engine could be started",
        meaning: "The operating system refused the threads of all engines.",
        cause: "A limit on processes or on the address space is too small.",
        remedy: "Raise the limit, or use `--threads 1`.",
        hint: "raise the limits on processes and address space, or use --threads 1",
    },
    Reason {
        code: Code::NoRanking,
        name: "U0409",
        title: "nothing shows whether a loop ends",
        meaning: "Under `--property termination` each loop needs a ranking: words that get smaller on every round. None was proved for the loop, or for the recursive function, that the line names, and no run without end was proved either.",
        cause: "Rankings are sums and differences of a few variables and of what conditions compare. A loop may need another form, an invariant that no engine found, or facts about memory; a run without end may need inputs that change from round to round, or signed overflow, which C leaves undefined.",
        remedy: "Give the check more time, bound the loop by a counter, or write the condition as a comparison of what changes.",
        hint: "a counter that the loop compares with a bound makes it easier to show that it ends",
    },
    Reason {
        code: Code::NothingToVerify,
        name: "U0501",
        title: "nothing to verify",
        meaning: "The program mentions no error that the property speaks of, so SAFE would say nothing.",
        cause: "The property names a function that does not occur in the program, or the program asserts nothing.",
        remedy: "State what must hold: `assert(…)`, a call of `reach_error()` where control must not come, or another `--property`.",
        hint: "state what must hold: assert(…), a call of reach_error() where it must not come, or another --property (`--list-assertions` shows what is found)",
    },
    Reason {
        code: Code::InvalidProgram,
        name: "U0601",
        title: "not a valid program",
        meaning: "The input violates the rules of its language. Exit code 65.",
        cause: "The diagnostics name each violation with its place.",
        remedy: "Correct the program; if your compiler accepts it, please report it.",
        hint: "",
    },
    Reason {
        code: Code::CannotRead,
        name: "U0602",
        title: "cannot read",
        meaning: "A file cannot be read, or a tool that is needed (a C preprocessor, the solver of `--second-opinion`) is missing. Exit code 66.",
        cause: "The name is wrong, permissions are missing, or the tool is not installed.",
        remedy: "Check the name and the permissions; install the tool that the message names.",
        hint: "",
    },
    Reason {
        code: Code::CannotWrite,
        name: "U0603",
        title: "cannot write",
        meaning: "A file that was asked for cannot be written. Exit code 74.",
        cause: "The folder does not exist, permissions are missing, or the disk is full.",
        remedy: "Choose another name, or make room.",
        hint: "",
    },
    Reason {
        code: Code::Usage,
        name: "U0604",
        title: "wrong command line",
        meaning: "The command line asks for something that does not exist or does not fit the input. Exit code 64.",
        cause: "The message names the option.",
        remedy: "`uforia COMMAND --help` lists the options.",
        hint: "",
    },
    Reason {
        code: Code::Rejected,
        name: "U0901",
        title: "evidence rejected",
        meaning: "An engine has an answer, and the independent checker did not accept its evidence. The answer is withheld. Exit code 70.",
        cause: "This is a bug in uforia.",
        remedy: "Please report it with the archive that was written (`uforia-bug-….tar.gz`). Another engine may have an answer.",
        hint: "other engines may have an answer (--engine bmc, kind, euf, …); please report this one",
    },
    Reason {
        code: Code::Panic,
        name: "U0902",
        title: "internal error",
        meaning: "A part of uforia failed. Exit code 70.",
        cause: "This is a bug in uforia.",
        remedy: "Please report it with the archive that was written (`uforia-bug-….tar.gz`). Another engine may have an answer.",
        hint: "please report it with the input file; another --engine may have an answer",
    },
    Reason {
        code: Code::SecondOpinion,
        name: "U0903",
        title: "the second opinion differs",
        meaning: "The solver of `--second-opinion` says that an obligation of the proof does not hold, although the checker replayed a proof of it. The answer is withheld. Exit code 70.",
        cause: "This is a bug in uforia or in the other solver.",
        remedy: "Please report it with the archive that was written and the version of the other solver.",
        hint: "please report it, with the version of the other solver",
    },
];

impl Reason {
    /// The page about it, for a terminal.
    pub fn page(&self) -> String {
        let Reason { name, title, meaning, cause, remedy, .. } = self;
        format!("{name}: {title}\n\n{meaning}\n\nwhy it happens: {cause}\n\nwhat to do: {remedy}\n")
    }
}

/// All codes with their titles, one a line.
pub fn list() -> String {
    REASONS.iter().map(|reason| format!("{}  {}\n", reason.name, reason.title)).collect()
}

/// All pages as one document.
pub fn document() -> String {
    let mut text = String::from(
        "# Reasons for UNKNOWN\n\n\
         Every `UNKNOWN` has a code. JSON has it in `reasons[].code`; `uforia explain CODE` prints the section below, `uforia explain` lists all codes.\n\n\
         <!-- Generated from crates/verdict/src/reasons.rs: BLESS=1 cargo test -p uforia reasons -->\n\n\
         | codes | group |\n|---|---|\n\
         | U01xx | a limit on time, memory or steps |\n\
         | U02xx | something that is not modelled |\n\
         | U03xx | the error depends on something that is left open |\n\
         | U04xx | an engine gave up |\n\
         | U05xx | there is nothing to verify |\n\
         | U06xx | the input or the command line |\n\
         | U09xx | a bug in uforia |\n",
    );
    for Reason { name, title, meaning, cause, remedy, .. } in REASONS {
        text.push_str(&format!(
            "\n## {name}: {title}\n\n{meaning}\n\n*Why it happens.* {cause}\n\n*What to do.* {remedy}\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_line() {
        for (index, reason) in REASONS.iter().enumerate() {
            assert_eq!(reason.code as usize, index, "{}", reason.name);
            assert_eq!(Code::by_name(reason.name), Some(reason.code));
        }
        assert!(REASONS.is_sorted_by(|one, other| one.name < other.name));
        assert_eq!(REASONS.last().map(|reason| reason.code), Some(Code::SecondOpinion), "the last code has a line");
        assert_eq!(Code::by_name("u0104"), Some(Code::Bounded));
    }

    #[test]
    fn limits_rank_below_what_concerns_the_program() {
        let order = [
            Code::OutOfTime,
            Code::GaveUp,
            Code::Bounded,
            Code::Layout,
            Code::OnlyUndefined,
            Code::Recursion,
            Code::Rejected,
        ];
        assert!(order.is_sorted_by_key(|code| code.rank()));
        assert!(!Code::Bounded.concerns_program() && Code::NoBody.concerns_program());
    }
}
