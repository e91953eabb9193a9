//! From program to formula: cutpoint graphs with large blocks, transition systems, unrollings.

#![forbid(unsafe_code)]
