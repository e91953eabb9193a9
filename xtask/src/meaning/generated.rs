//! Programs of our own generator, each with an error call behind its checksum.

use super::case::{Case, Compilers};
use cfront::DataModel;
use testkit::cgen::{self, Config};
use testkit::differential::model_name;

/// The case of a seed; `Err` gives the reason why there is no case.
pub fn case(seed: u64, model: DataModel, compilers: &Compilers) -> Result<Case, String> {
    let name = format!("generated-{}-{seed}", model_name(model));
    Case::about_checksum(name, seed, program(seed, model), model, compilers)
}

/// The program of a seed; it needs a value for `EXPECTED_CHECKSUM`.
pub fn program(seed: u64, model: DataModel) -> String {
    let text = cgen::generate(seed, &Config::for_seed(seed, model));
    format!(
        "#define main checked_main\n{text}\n#undef main\n\
         extern int printf(const char *, ...);\n\
         extern void reach_error(void);\n\
         int main(void)\n{{\n\
         unsigned sum = (unsigned)checked_main();\n\
         printf(\"checksum = %X\\n\", sum);\n\
         if (sum != EXPECTED_CHECKSUM) reach_error();\n\
         return 0;\n}}\n"
    )
}
