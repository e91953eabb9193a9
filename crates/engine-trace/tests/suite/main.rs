//! The engine on whole programs, each answer checked.

mod generated;
mod programs;
mod verify;
