//! The sceptic on programs with known invariants: what is right is accepted, what is wrong is refused.

mod case;
mod every_cell;
mod induction;
mod memory;
mod replay;
mod steps;
