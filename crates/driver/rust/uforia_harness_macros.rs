//! Attributes for verification harnesses: `#[proof]` marks a function that `uforia check` starts with.
//!
//! The marked function gets a linkage name that begins with `uforia_proof::`, by which the verifier finds it. Without `cfg(uforia)` nothing
//! changes. `unwind` and `solver` are words of Kani; they have no meaning here, since no loop is unrolled to a fixed depth.

#![forbid(unsafe_code)]

use proc_macro::{TokenStream, TokenTree};

/// Marks a harness: a function without parameters where a proof starts.
#[proc_macro_attribute]
pub fn proof(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut is_next = false;
    let name = item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if is_next => Some(word.to_string()),
        TokenTree::Ident(word) => {
            is_next = word.to_string() == "fn";
            None
        }
        _ => None,
    });
    let Some(name) = name else {
        return "compile_error!(\"the attribute `proof` is for functions\");".parse().unwrap_or(item);
    };
    let attribute = format!(
        "#[cfg_attr(uforia, unsafe(export_name = concat!(\"uforia_proof::\", module_path!(), \"::{name}\")))] #[allow(dead_code)]"
    );
    let mut marked: TokenStream = attribute.parse().unwrap_or_default();
    marked.extend(item);
    marked
}

/// Kani's bound on loops: not needed here.
#[proc_macro_attribute]
pub fn unwind(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Kani's choice of a solver: not needed here.
#[proc_macro_attribute]
pub fn solver(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
