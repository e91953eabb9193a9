//! The commands: their names and texts. [`crate::args::command_line`] makes `clap` commands of them.

/// A command of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Verify.
    Check,
    /// Check a witness.
    Validate,
    /// Show the lowered program.
    Lower,
    /// Execute the lowered program.
    Run,
    /// The solver alone.
    Smt,
    /// Explain the code of a reason.
    Explain,
    /// Completions for a shell.
    Completions,
    /// The manual page.
    Man,
    /// The list of settings.
    Settings,
}

impl Command {
    /// All commands.
    pub const ALL: &[Command] = &[Check, Validate, Lower, Run, Smt, Explain, Completions, Man, Settings];
}

/// A command's line in the table.
pub struct CommandSpec {
    /// Which.
    pub command: Command,
    /// Its name on the command line.
    pub name: &'static str,
    /// What follows the name.
    pub arguments: &'static str,
    /// One line for the list of commands.
    pub summary: &'static str,
    /// An introduction, for the command's own help and the manual page.
    pub description: &'static str,
    /// Command lines to copy, each with what it does.
    pub examples: &'static [(&'static str, &'static str)],
}

use Command::{Check, Completions, Explain, Lower, Man, Run, Settings, Smt, Validate};

/// All commands, in the order of the list.
pub const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        command: Check,
        name: "check",
        arguments: "FILE...",
        summary: "verify a program; the default command",
        description: "Reads a program and answers whether an error can be reached. The last line of standard\n\
            output is the answer: SAFE, UNSAFE, or UNKNOWN with the reason. Errors are calls of reach_error or\n\
            __VERIFIER_error and failing assertions; without --property also invalid accesses to memory (read,\n\
            write, free) and division by zero. __VERIFIER_nondet_int() and the other __VERIFIER_nondet functions\n\
            are free inputs.\n\
            \n\
            SAFE and UNSAFE are answered only after their evidence was checked: an invariant by an independent\n\
            checker, an error by executing the program on the inputs found.\n\
            \n\
            Several C files are one program, as for cc. With --separate each file is a task; these, task\n\
            definitions (.yml) and folders are checked one after the other, each in a process of its own\n\
            with the same options; a table lists the verdicts. The exit code is the worst: 70 if a\n\
            verdict is not the expected one, then 1, then 65 and 66, then 2, then 0.",
        examples: &[
            ("uforia check program.c", "verify a program"),
            ("uforia program.c", "the same: check is the default command"),
            ("uforia check --list-assertions program.c", "see what there is to verify"),
            ("uforia check --data-model ilp32 program.i", "32-bit long and pointers, as SV-COMP's tasks expect"),
            (
                "uforia check --jobs 2 --timeout 60s --resume results.jsonl tasks/",
                "a folder; an interrupted run can be resumed",
            ),
        ],
    },
    CommandSpec {
        command: Validate,
        name: "validate",
        arguments: "FILE --witness W",
        summary: "check a witness, ours or another tool's",
        description: "Reads a program and a witness of format 2.0 or 2.1 (YAML), and answers whether the witness is true. The last\n\
            line of standard output is CONFIRMED (exit code 0), REJECTED with the reason (1), or UNKNOWN (2).\n\
            \n\
            A witness of correctness is confirmed when the program is proved safe together with every entry of the\n\
            witness; a witness of a violation, when an execution follows its waypoints into the error. Both the\n\
            proof and the execution are checked like those of `check`. Property and data model are those of the\n\
            witness.",
        examples: &[
            ("uforia validate program.c --witness w.yml", "is the witness true?"),
            ("uforia check program.c --witness w.yml && uforia validate program.c --witness w.yml", "check our own"),
        ],
    },
    CommandSpec {
        command: Lower,
        name: "lower",
        arguments: "FILE",
        summary: "show the program as the engines see it",
        description: "Translates a program to a control-flow automaton and prints it, either as text that uforia can\n\
            read again (.cfa), or as a drawing for Graphviz.",
        examples: &[
            ("uforia lower program.c", "print the automaton"),
            ("uforia lower --emit dot -o program.dot program.c", "draw it: then dot -Tsvg program.dot"),
        ],
    },
    CommandSpec {
        command: Run,
        name: "run",
        arguments: "FILE (--inputs I | --zero | --random N)",
        summary: "execute the lowered program on given values",
        description: "Executes the program. Its free inputs (the results of __VERIFIER_nondet_*, uninitialised variables)\n\
            come from a file, are all zero, or are random. Says how the run ended, which inputs it used, and\n\
            which undefined operation it met first.",
        examples: &[
            ("uforia run --zero program.c", "all inputs are zero"),
            ("echo 3 -1 0x10 | uforia run --inputs - program.c", "inputs from standard input"),
            ("uforia run --random 1000 --seed 7 program.c", "look for a failing run"),
            ("uforia run --inputs values.txt --trace program.c", "show each step"),
        ],
    },
    CommandSpec {
        command: Smt,
        name: "smt",
        arguments: "FILE.smt2",
        summary: "the solver alone",
        description: "Answers an SMT-LIB 2.6 script over bit-vectors, arrays, uninterpreted functions and sorts, command\n\
            by command. What is wrong in the script gets an error answer, and the script goes on. Integers, reals\n\
            and floats are uninterpreted: the answer is unsat or unknown.",
        examples: &[
            ("uforia smt query.smt2", "answer a script"),
            ("echo '(check-sat)' | uforia smt -", "a script from standard input"),
        ],
    },
    CommandSpec {
        command: Explain,
        name: "explain",
        arguments: "[CODE]",
        summary: "explain the code of an UNKNOWN, or list all codes",
        description: "Prints what a code means, why it happens and what to do. Each UNKNOWN has a code: `--json` shows it.",
        examples: &[("uforia explain U0104", "one code"), ("uforia explain", "all codes")],
    },
    CommandSpec {
        command: Completions,
        name: "completions",
        arguments: "SHELL",
        summary: "print completions for a shell: bash, zsh or fish",
        description: "Prints a completion script for the commands and options of this version.",
        examples: &[
            ("source <(uforia completions bash)", "for this session of bash"),
            (
                "uforia completions bash > ~/.local/share/bash-completion/completions/uforia",
                "for every session of bash",
            ),
            ("uforia completions zsh > ~/.zfunc/_uforia", "for zsh, with ~/.zfunc in $fpath"),
            ("uforia completions fish > ~/.config/fish/completions/uforia.fish", "for fish"),
        ],
    },
    CommandSpec {
        command: Man,
        name: "man",
        arguments: "",
        summary: "print the manual page",
        description: "Prints the manual page of this version, for man.",
        examples: &[
            ("uforia man | man -l -", "read it"),
            ("uforia man > ~/.local/share/man/man1/uforia.1", "install it: then man uforia"),
        ],
    },
    CommandSpec {
        command: Settings,
        name: "settings",
        arguments: "",
        summary: "list the settings of all components",
        description: "Prints the settings of engines and other components: name, default, values and meaning. The option --set\n\
            of `check` sets them. They tune how an answer is found and what is shown, never which answer is right.",
        examples: &[("uforia settings", "list them"), ("uforia check --set kind.unwind=5 program.c", "set one")],
    },
];

/// The table's line about this command.
pub fn spec(command: Command) -> &'static CommandSpec {
    COMMANDS.iter().find(|spec| spec.command == command).expect("every command stands in the table")
}
