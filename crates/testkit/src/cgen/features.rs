//! Swarm testing: which features of C a program uses is itself random.

use super::types::Int;
use base::Random;
use cfront::DataModel;

/// What the program may use.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pub(crate) ints: Vec<Int>,
    pub(crate) floats: bool,
    pub(crate) enums: bool,
    pub(crate) structs: bool,
    pub(crate) unions: bool,
    pub(crate) bit_fields: bool,
    pub(crate) packed: bool,
    pub(crate) arrays: bool,
    pub(crate) pointers: bool,
    pub(crate) function_pointers: bool,
    pub(crate) loops: bool,
    pub(crate) switches: bool,
    pub(crate) gotos: bool,
    pub(crate) statement_expressions: bool,
    pub(crate) variable_arrays: bool,
    pub(crate) variadics: bool,
    pub(crate) recursion: bool,
    pub(crate) library: bool,
    pub(crate) builtins: bool,
    pub(crate) strings: bool,
    pub(crate) static_locals: bool,
    pub(crate) compound_literals: bool,
    /// Assignments, increments and impure calls inside expressions.
    pub(crate) side_effects: bool,
    pub(crate) casts: bool,
    pub(crate) typeofs: bool,
    pub(crate) qualifiers: bool,
    pub(crate) shadowing: bool,
    pub(crate) old_style: bool,
    pub(crate) generic: bool,
}

impl Features {
    pub(crate) fn choose(random: &mut Random, model: DataModel) -> Features {
        // A program that uses nearly everything, or about half, or next to nothing.
        let percent = *random.pick(&[30, 50, 70, 90]);
        let mut ints: Vec<Int> = Vec::new();
        for kind in Int::ALL {
            let wide = matches!(kind, Int::Int128 | Int::UInt128);
            if wide && (model == DataModel::Ilp32 || !random.one_in(4)) {
                continue;
            }
            if random.below(100) < percent {
                ints.push(kind);
            }
        }
        if ints.is_empty() {
            ints.push(*random.pick(&[Int::Int, Int::UInt, Int::Char, Int::ULLong]));
        }
        let mut on = || random.below(100) < percent;
        Features {
            ints,
            floats: on(),
            enums: on(),
            structs: on(),
            unions: on(),
            bit_fields: on(),
            packed: on(),
            arrays: on(),
            pointers: on(),
            function_pointers: on(),
            loops: on(),
            switches: on(),
            gotos: on(),
            statement_expressions: on(),
            variable_arrays: on(),
            variadics: on(),
            recursion: on(),
            library: on(),
            builtins: on(),
            strings: on(),
            static_locals: on(),
            compound_literals: on(),
            side_effects: on(),
            casts: on(),
            typeofs: on(),
            qualifiers: on(),
            shadowing: on(),
            old_style: on(),
            generic: on(),
        }
    }
}
