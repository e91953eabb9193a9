//! The list of attributes: each is modelled, known to be harmless, or refused.
//!
//! The list holds for `__attribute__((x))`, `[[gnu::x]]` and, in a table of its own, for the attributes of
//! C23 (`[[x]]`). An attribute that is in no table is refused with its place: an attribute can change what a
//! declaration means, and what no part of the front end treats must not be passed over. An attribute is
//! harmless if a program that respects the manual of gcc means the same without it: it selects code
//! generation, diagnostics, calling conventions (all calls are seen on both sides) or visibility.

/// How an attribute is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Treatment {
    /// Semantic analysis reads it.
    Modelled,
    /// The program means the same without it.
    Harmless,
    /// Its text argument decides; see [`harmless_argument`].
    ByArgument,
    /// Not treated.
    Refused,
}

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    /// It belongs to what is declared.
    Declaration,
    /// Where nothing reads it: on a statement, a label, an enumerator, or on a type inside a declarator in the
    /// syntax of C23. Only harmless attributes are accepted.
    Unread,
}

/// Attributes of GNU C that semantic analysis reads.
const MODELLED: &[&str] = &[
    "alias",
    "aligned",
    "cleanup",
    "const",
    "constructor",
    "destructor",
    "gnu_inline",
    "mode",
    "nonnull",
    "noreturn",
    "packed",
    "pure",
    "returns_twice",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

/// Attributes of GNU C, clang and Microsoft that change nothing a program can see.
const HARMLESS: &[&str] = &[
    // Diagnostics.
    "access",
    "artificial",
    "availability",
    "counted_by",
    "deprecated",
    "diagnose_if",
    "error",
    "fallthrough",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "format",
    "format_arg",
    "nodiscard",
    "nonstring",
    "no_dangling",
    "null_terminated_string_arg",
    "sentinel",
    "tainted_args",
    "unavailable",
    "unused",
    "maybe_unused",
    "warning",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "annotate",
    "bounded",
    "btf_decl_tag",
    "btf_type_tag",
    "designated_init",
    "enum_extensibility",
    "flag_enum",
    "ldv_model",
    "ldv_model_inline",
    "lifetimebound",
    "suppress",
    // Promises about memory; what the functions do is known from their bodies or assumed.
    "alloc_align",
    "alloc_size",
    "assume_aligned",
    "malloc",
    "may_alias",
    "noescape",
    "ownership_holds",
    "ownership_returns",
    "ownership_takes",
    "returns_nonnull",
    "leaf",
    "nothrow",
    "strict_flex_array",
    // Code generation.
    "always_inline",
    "cold",
    "flatten",
    "forceinline",
    "function_return",
    "hot",
    "indirect_branch",
    "likely",
    "musttail",
    "no_address_safety_analysis",
    "no_builtin",
    "no_caller_saved_registers",
    "no_icf",
    "no_instrument_function",
    "no_plt",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_speculative_load_hardening",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "noinline",
    "noipa",
    "noplt",
    "optnone",
    "minsize",
    "patchable_function_entry",
    "simd",
    "speculative_load_hardening",
    "stack_protect",
    "unlikely",
    "zero_call_used_regs",
    "uninitialized",
    // Symbols and sections of one program.
    "common",
    "dllexport",
    "dllimport",
    "externally_visible",
    "internal_linkage",
    "nocommon",
    "retain",
    "selectany",
    "tls_model",
    "used",
    "visibility",
    // Calling conventions.
    "cdecl",
    "fastcall",
    "force_align_arg_pointer",
    "gcc_struct",
    "preserve_all",
    "preserve_most",
    "regparm",
    "sseregparm",
    "stdcall",
    "sysv_abi",
    "thiscall",
    "vectorcall",
];

/// Attributes whose argument decides.
const BY_ARGUMENT: &[&str] = &["optimize", "scalar_storage_order", "section", "target", "target_clones"];

/// Attributes of C23, written `[[x]]` without a prefix.
const STANDARD: &[(&str, Treatment)] = &[
    ("deprecated", Treatment::Harmless),
    ("fallthrough", Treatment::Harmless),
    ("maybe_unused", Treatment::Harmless),
    ("nodiscard", Treatment::Harmless),
    ("noreturn", Treatment::Modelled),
    ("_Noreturn", Treatment::Modelled),
    ("likely", Treatment::Harmless),
    ("unlikely", Treatment::Harmless),
];

/// How an attribute of GNU C is treated; the name has no underscores around it.
pub(crate) fn gnu(name: &str) -> Treatment {
    if MODELLED.contains(&name) {
        Treatment::Modelled
    } else if HARMLESS.contains(&name) {
        Treatment::Harmless
    } else if BY_ARGUMENT.contains(&name) {
        Treatment::ByArgument
    } else {
        Treatment::Refused
    }
}

/// How an attribute of C23 is treated.
pub(crate) fn standard(name: &str) -> Treatment {
    let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name);
    STANDARD.iter().find(|(known, _)| *known == name).map_or(Treatment::Refused, |&(_, treatment)| treatment)
}

/// Whether an attribute whose argument decides is harmless with this text.
pub(crate) fn harmless_argument(name: &str, text: &str) -> bool {
    match name {
        // Functions whose addresses stand in these sections run before or after `main`, and what is put into
        // the others is code.
        "section" => {
            let code = [".init", ".fini", ".preinit", ".ctors", ".dtors", ".text.startup", ".text.exit"];
            let ordinary = [".init.text", ".init.data", ".init.rodata", ".init.setup"];
            ordinary.iter().any(|known| text.starts_with(known)) || !code.iter().any(|known| text.starts_with(known))
        }
        "scalar_storage_order" => text == "little-endian",
        "optimize" => text.split(',').all(|option| harmless_option(option.trim())),
        "target" | "target_clones" => text.split(',').all(|target| harmless_target(target.trim())),
        _ => false,
    }
}

/// Whether an option of the optimiser leaves the meaning of a correct program alone. Those for floating-point
/// arithmetic and for the sizes of types do not.
pub(crate) fn harmless_option(option: &str) -> bool {
    let option = option.trim_start_matches('-');
    let option = option.strip_prefix('f').filter(|rest| rest.len() > 1).unwrap_or(option);
    let changes = ["ast", "math", "signed-zeros", "rounding", "excess", "trapv", "enums", "pack", "char", "unsafe"];
    let level = matches!(option, "O" | "O0" | "O1" | "O2" | "O3" | "Os" | "Og" | "Oz" | "0" | "1" | "2" | "3");
    level || !changes.iter().any(|word| option.contains(word))
}

/// Whether code for this target computes the same. A target with fused multiplication and addition rounds
/// once where others round twice, and x87 registers are wider than their types.
pub(crate) fn harmless_target(target: &str) -> bool {
    let changes = ["fma", "arch=", "avx512", "fpmath", "387", "float", "general-regs"];
    !changes.iter().any(|word| target.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_attribute_is_in_two_tables() {
        let mut all: Vec<&str> = [MODELLED, HARMLESS, BY_ARGUMENT].concat();
        let n_names = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n_names);
    }
    #[test]
    fn what_is_in_no_table_is_refused() {
        for name in ["ifunc", "ms_struct", "naked", "noinit", "assume", "no_such_attribute"] {
            assert_eq!(gnu(name), Treatment::Refused, "{name}");
        }
        assert_eq!(standard("packed"), Treatment::Refused);
        assert_eq!(standard("__maybe_unused__"), Treatment::Harmless);
    }
    #[test]
    fn sections_that_hold_code_to_run_are_refused() {
        assert!(!harmless_argument("section", ".init_array"));
        assert!(!harmless_argument("section", ".preinit_array.00100"));
        assert!(!harmless_argument("section", ".ctors"));
        assert!(harmless_argument("section", ".init.text"));
        assert!(harmless_argument("section", ".data.once"));
    }
    #[test]
    fn targets_that_fuse_operations_are_refused() {
        assert!(harmless_argument("target", "sse2,popcnt"));
        assert!(!harmless_argument("target", "avx2,fma"));
        assert!(!harmless_argument("target_clones", "default,arch=haswell"));
    }
    #[test]
    fn options_that_change_arithmetic_are_refused() {
        for bad in ["Ofast", "-ffast-math", "fast-math", "no-signed-zeros", "-frounding-math", "short-enums", "trapv"] {
            assert!(!harmless_argument("optimize", bad), "{bad}");
        }
        for good in ["O0", "-O2", "no-tree-vectorize", "-fno-strict-aliasing", "wrapv", "O3,no-inline"] {
            assert!(harmless_argument("optimize", good), "{good}");
        }
    }
}
