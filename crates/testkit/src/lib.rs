//! What tests share: generators, golden files.
