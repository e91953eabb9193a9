//! The checker on programs with known invariants: correct evidence is accepted, wrong evidence is refused.

mod case;
mod contracts;
mod every_cell;
mod heap;
mod induction;
mod layouts;
mod memory;
mod rankings;
mod replay;
mod steps;
mod totals;
mod unrolling;
