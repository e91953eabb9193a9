//! The solver from outside: against brute force, against its promises, and its proofs against the checker.

mod arithmetic;
mod interface;
mod interpolants;
mod proofs;
mod random;
mod solver;
