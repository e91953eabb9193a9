//! Words for verification harnesses in Rust: free inputs and assumptions.
//!
//! Under `uforia check` (`cfg(uforia)`) [`any`] is any value at all. In a native run the values come from the environment variable
//! `UFORIA_INPUTS`, numbers separated by commas in the order in which the program asks, so that a counterexample is replayed by `cargo test` or
//! `cargo run`. Name the dependency `uforia`, and the words read as in the manual:
//!
//! ```toml
//! [dependencies]
//! uforia = { package = "uforia-harness", version = "0.1" }
//! ```

#![cfg_attr(uforia, no_std)]

pub use uforia_harness_macros::{proof, solver, unwind};

/// Types with a value for every input.
pub trait Any: Sized {
    /// Any value of the type.
    fn any() -> Self;
}

/// Any value of the type.
#[inline(always)]
pub fn any<T: Any>() -> T {
    T::any()
}

/// Any value of the type that satisfies the condition.
#[inline(always)]
pub fn any_where<T: Any>(condition: impl FnOnce(&T) -> bool) -> T {
    let value = T::any();
    assume(condition(&value));
    value
}

/// Only runs in which the condition holds are looked at.
#[inline(always)]
pub fn assume(condition: bool) {
    source::assume(condition);
}

#[cfg(not(uforia))]
pub use source::replay;

#[cfg(uforia)]
#[allow(unsafe_code)]
mod source {
    macro_rules! sources {
        ($($name:ident $ty:ty;)*) => {
            mod extern_names {
                unsafe extern "C" { $(pub fn $name() -> $ty;)* pub fn __VERIFIER_assume(condition: i32); }
            }
            $(impl crate::Any for $ty {
                #[inline(always)]
                fn any() -> Self {
                    // SAFETY: the verifier gives any value of the type; the function has no body that could do more.
                    unsafe { extern_names::$name() }
                }
            })*
        };
    }
    sources! {
        __VERIFIER_nondet_u8 u8; __VERIFIER_nondet_u16 u16; __VERIFIER_nondet_u32 u32; __VERIFIER_nondet_u64 u64;
        __VERIFIER_nondet_i8 i8; __VERIFIER_nondet_i16 i16; __VERIFIER_nondet_i32 i32; __VERIFIER_nondet_i64 i64;
        __VERIFIER_nondet_usize usize; __VERIFIER_nondet_isize isize; __VERIFIER_nondet_bool bool;
    }
    #[inline(always)]
    pub fn assume(condition: bool) {
        // SAFETY: the verifier's word has no effect but to end runs.
        unsafe { extern_names::__VERIFIER_assume(i32::from(condition)) }
    }
}

#[cfg(not(uforia))]
mod source {
    use std::cell::RefCell;
    use std::sync::Mutex;

    static NEXT: Mutex<usize> = Mutex::new(0);
    thread_local! {
        /// The inputs of [`replay`], and how many were handed out.
        static GIVEN: RefCell<Option<(String, usize)>> = const { RefCell::new(None) };
    }

    /// Runs the harness with these inputs, numbers separated by commas in the order in which it asks for them: a counterexample as a test.
    pub fn replay<T>(inputs: &str, harness: impl FnOnce() -> T) -> T {
        GIVEN.set(Some((inputs.to_owned(), 0)));
        let result = harness();
        GIVEN.set(None);
        result
    }
    fn next() -> i128 {
        let given = GIVEN.with_borrow_mut(|given| {
            given.as_mut().map(|(inputs, next)| {
                *next += 1;
                (inputs.clone(), *next - 1)
            })
        });
        given.map_or_else(from_environment, |(inputs, next)| value(&inputs, next))
    }
    fn from_environment() -> i128 {
        let given = std::env::var("UFORIA_INPUTS").unwrap_or_default();
        let mut next = NEXT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *next += 1;
        value(&given, *next - 1)
    }
    /// The input at this position.
    fn value(given: &str, position: usize) -> i128 {
        let word = given.split(',').map(str::trim).filter(|word| !word.is_empty()).nth(position);
        match word {
            Some("true") => 1,
            Some("false") => 0,
            Some(word) => word.parse().unwrap_or_else(|_| panic!("UFORIA_INPUTS: `{word}` is no number")),
            None => panic!("input {} is missing: UFORIA_INPUTS=\"{given}\"", position + 1),
        }
    }
    macro_rules! sources {
        ($($ty:ty)*) => {
            $(impl crate::Any for $ty {
                fn any() -> Self {
                    next() as $ty
                }
            })*
        };
    }
    sources! { u8 u16 u32 u64 i8 i16 i32 i64 usize isize }
    impl crate::Any for bool {
        fn any() -> Self {
            next() != 0
        }
    }
    pub fn assume(condition: bool) {
        if !condition {
            eprintln!("an assumption does not hold: this input is not looked at");
            std::process::exit(0);
        }
    }
}

impl Any for u128 {
    #[inline(always)]
    fn any() -> Self {
        (u128::from(u64::any()) << 64) | u128::from(u64::any())
    }
}

impl Any for i128 {
    #[inline(always)]
    fn any() -> Self {
        u128::any() as i128
    }
}

impl Any for char {
    #[inline(always)]
    fn any() -> Self {
        let number = u32::any();
        let value = char::from_u32(number);
        assume(value.is_some());
        value.unwrap_or('\0')
    }
}

impl Any for () {
    fn any() -> Self {}
}

impl<T: Any, const N: usize> Any for [T; N] {
    #[inline(always)]
    fn any() -> Self {
        core::array::from_fn(|_| T::any())
    }
}

impl<T: Any> Any for Option<T> {
    #[inline(always)]
    fn any() -> Self {
        if bool::any() { Some(T::any()) } else { None }
    }
}

impl<T: Any, E: Any> Any for Result<T, E> {
    #[inline(always)]
    fn any() -> Self {
        if bool::any() { Ok(T::any()) } else { Err(E::any()) }
    }
}

impl<A: Any, B: Any> Any for (A, B) {
    #[inline(always)]
    fn any() -> Self {
        (A::any(), B::any())
    }
}

impl<A: Any, B: Any, C: Any> Any for (A, B, C) {
    #[inline(always)]
    fn any() -> Self {
        (A::any(), B::any(), C::any())
    }
}

#[cfg(all(test, not(uforia)))]
mod tests {
    use super::*;

    #[test]
    fn a_replay_hands_out_its_inputs_in_order() {
        let ask = || (any::<u8>(), any::<bool>(), any::<i32>());
        assert_eq!(replay("7,true,-3", ask), (7, true, -3));
        assert_eq!(replay("1, 0, 2", ask), (1, false, 2));
    }

    #[test]
    #[should_panic(expected = "input 1 is missing")]
    fn a_replay_without_inputs_says_so() {
        replay("", any::<u8>);
    }

    #[test]
    fn an_assumption_that_holds_lets_the_run_go_on() {
        assume(true);
        let unit: () = any();
        assert_eq!(unit, ());
    }
}
