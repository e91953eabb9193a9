//! The sceptic: checks evidence without seeing any engine, any pass or any encoding of theirs.

#![forbid(unsafe_code)]
