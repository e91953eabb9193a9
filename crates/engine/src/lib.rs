//! What an engine is, and what several engines share.

#![forbid(unsafe_code)]
