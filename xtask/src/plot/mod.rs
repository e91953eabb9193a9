//! Pictures of measurements: small SVG files that need no library and look the same everywhere.

pub mod cactus;
mod scale;
pub mod scatter;
pub mod svg;
pub mod terminal;

/// Colours that people with any kind of colour vision can distinguish [Okabe and Ito], darkest first.
pub const COLOURS: &[&str] =
    &["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"];
