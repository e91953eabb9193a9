//! Output streams of C++: `std::cout << x` writes, and nothing of it comes back.
//!
//! Where a stream is for output is known by the linkage name of the function, whether or not the compiler wrote its body here. What the stream holds
//! (its state, its width) is any value behind each write, and no error is reported that depends on it. Other streams need constructors of the
//! compiled library, and are refused there.
//!
//! A function of the program that is handed to `<<` is called, since only manipulators of the library are known.

use program::{Action, InputKind, Shown};
use term::Term;

use crate::ir::{Call, Value};

use super::Lowering;

/// `operator<<` of `std::ostream` for a builtin type, whose name follows.
const WRITES_NUMBER: &str = "_ZNSolsE";
const NUMBERS: &[&str] = &["b", "s", "t", "i", "j", "l", "m", "x", "y", "f", "d", "e", "PKv", "Dn"];

/// Functions that write their other arguments to the stream that is the first, and return it. The names go on with the types of the arguments.
const WRITES: &[&str] = &[
    "_ZNSo3putEc",
    "_ZNSo5writeEPKcl",
    "_ZNSo5flushEv",
    "_ZNSo9_M_insertI",
    // `operator<<` for characters and texts, and `std::setw` with its relatives.
    "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_",
    "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
    "_ZSt16__ostream_insertIcSt11char_traitsIcEE",
    // `std::endl`, `std::flush`, `std::ends`.
    "_ZSt4endlIcSt11char_traitsIcEE",
    "_ZSt5flushIcSt11char_traitsIcEE",
    "_ZSt4endsIcSt11char_traitsIcEE",
];

/// `operator<<` for a function: of streams, of `std::basic_ios`, of `std::ios_base`.
const MANIPULATORS: &[&str] =
    &["_ZNSolsEPFRSoS_E", "_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E", "_ZNSolsEPFRSt8ios_baseS0_E"];

/// Whether the function writes to a stream whatever its arguments are.
pub(super) fn writes(name: &str) -> bool {
    let number = name.strip_prefix(WRITES_NUMBER);
    number.is_some_and(|number| NUMBERS.contains(&number)) || WRITES.iter().any(|known| name.starts_with(known))
}

/// Whether the call hands a manipulator of the library to a stream.
pub(super) fn manipulates(name: &str, call: &Call<'_>) -> bool {
    let given = call.args.get(1).and_then(|arg| arg.value.value.global());
    MANIPULATORS.contains(&name) && given.is_some_and(|given| given.starts_with("_ZSt"))
}

/// Construction and destruction of the streams that every program has.
pub(super) fn is_initialisation(name: &str) -> bool {
    name.starts_with("_ZNSt8ios_base4Init")
}

impl<'s> Lowering<'_, 's, '_> {
    /// The contents of the stream may be anything behind the call.
    pub(super) fn write_to_stream(&mut self, stream: Term, call: Option<&Call<'s>>) {
        let mut texts = call.iter().flat_map(|call| call.args.iter().skip(1));
        let pointer = self.pointer_type();
        if texts.any(|arg| arg.value.ty == pointer && matches!(arg.value.value, Value::Local(_))) {
            self.builder.assumption("what is written to a stream can be read", self.frame.place);
        }
        let input = self.input(InputKind::External("a stream".to_owned()), Shown::Plain);
        self.emit(Action::Forget { address: stream, size: None, input });
    }
}
