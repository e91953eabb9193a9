//! Small modules through the front end: what their runs come to, and what is refused.

mod constructs;
mod refusals;
