//! The table of C types: interning, the questions asked of types, and their names as C text.
//!
//! A type handle ignores qualifiers: `const int` and `int` are one [`TypeId`]. What must not be lost is
//! kept where it matters: pointers know whether their target is `const` or `volatile`, members know it
//! of themselves, and semantic analysis carries a [`Ty`] (handle, qualifiers, alignment) with each name.
//! Qualifiers of an array are those of its elements, so they are held beside the array's handle too.

use crate::hir::{DataModel, FloatKind, IntKind, Record, RecordTypeId, TypeId, TypeKind, Types};

/// A type as a declaration names it: handle, qualifiers, and the alignment a typedef may have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ty {
    /// The type, qualifiers aside.
    pub id: TypeId,
    /// `const`; for arrays, of the elements.
    pub constant: bool,
    /// `volatile`; for arrays, of the elements.
    pub volatile: bool,
    /// What `aligned` on a typedef says instead of the natural alignment.
    pub align: Option<u32>,
}

impl Ty {
    /// The type without qualifiers.
    pub fn plain(id: TypeId) -> Self {
        Ty { id, constant: false, volatile: false, align: None }
    }
}

/// Handles of the types that the rules of C mention by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basic {
    pub void: TypeId,
    pub bool: TypeId,
    pub char: TypeId,
    pub ushort: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub ulong: TypeId,
    pub longlong: TypeId,
    pub ulonglong: TypeId,
    pub float: TypeId,
    pub double: TypeId,
    pub long_double: TypeId,
    pub size: TypeId,
    pub ptrdiff: TypeId,
    pub wchar: TypeId,
    pub void_pointer: TypeId,
    pub const_void_pointer: TypeId,
    pub char_pointer: TypeId,
    pub const_char_pointer: TypeId,
    pub va_list: TypeId,
    /// The type of an expression about which a diagnostic has been given; it silences further ones.
    pub error: TypeId,
}

/// The name under which the error type is interned.
pub(super) const ERROR: &str = "a mistyped expression";

/// Types that we know but do not treat: name, then size and alignment for ILP32 and LP64.
const UNSUPPORTED: &[(&str, [(u64, u32); 2])] = &[
    ("_Complex float", [(8, 4), (8, 4)]),
    ("_Complex double", [(16, 8), (16, 8)]),
    ("_Complex long double", [(24, 4), (32, 16)]),
    ("_Complex __float128", [(32, 16), (32, 16)]),
    ("_Complex integer", [(8, 4), (8, 4)]),
    ("vector of 2 bytes", [(2, 2), (2, 2)]),
    ("vector of 4 bytes", [(4, 4), (4, 4)]),
    ("vector of 8 bytes", [(8, 8), (8, 8)]),
    ("vector of 16 bytes", [(16, 16), (16, 16)]),
    ("vector of 32 bytes", [(32, 32), (32, 32)]),
    ("vector of 64 bytes", [(64, 64), (64, 64)]),
    ("vector of 128 bytes", [(128, 128), (128, 128)]),
];

/// The name of the vector type of this many bytes.
pub(super) fn vector_name(bytes: i128) -> &'static str {
    match bytes {
        2 => "vector of 2 bytes",
        4 => "vector of 4 bytes",
        8 => "vector of 8 bytes",
        16 => "vector of 16 bytes",
        32 => "vector of 32 bytes",
        64 => "vector of 64 bytes",
        128 => "vector of 128 bytes",
        _ => "vector",
    }
}

impl Basic {
    /// Interns the types every program has.
    pub fn new(types: &mut Types) -> Self {
        let void = types.intern(TypeKind::Void);
        let char = types.int(IntKind::Char);
        let wide = types.model == DataModel::Lp64;
        let int = types.int(IntKind::Int);
        let uint = types.int(IntKind::UInt);
        let long = types.int(IntKind::Long);
        let ulong = types.int(IntKind::ULong);
        Basic {
            void,
            bool: types.intern(TypeKind::Bool),
            char,
            ushort: types.int(IntKind::UShort),
            int,
            uint,
            long,
            ulong,
            longlong: types.int(IntKind::LongLong),
            ulonglong: types.int(IntKind::ULongLong),
            float: types.intern(TypeKind::Float(FloatKind::Float)),
            double: types.intern(TypeKind::Float(FloatKind::Double)),
            long_double: types.intern(TypeKind::Float(FloatKind::LongDouble)),
            size: if wide { ulong } else { uint },
            ptrdiff: if wide { long } else { int },
            // `wchar_t` is `long` on i386 and `int` on x86-64, both 32 bits wide.
            wchar: if wide { int } else { long },
            void_pointer: types.pointer_to(void, false, false),
            const_void_pointer: types.pointer_to(void, true, false),
            char_pointer: types.pointer_to(char, false, false),
            const_char_pointer: types.pointer_to(char, true, false),
            va_list: types.intern(TypeKind::VaList),
            error: types.intern(TypeKind::Unsupported(ERROR)),
        }
    }
}

impl Types {
    /// No types yet.
    pub fn new(model: DataModel) -> Self {
        Types { model, ..Types::default() }
    }

    /// The handle of this type.
    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.known.get(&kind) {
            return id;
        }
        let id = self.kinds.push(kind.clone());
        self.known.insert(kind, id);
        id
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(TypeKind::Int(kind))
    }

    /// The pointer to this type with these qualifiers.
    pub fn pointer_to(&mut self, target: TypeId, const_target: bool, volatile_target: bool) -> TypeId {
        self.intern(TypeKind::Pointer { target, const_target, volatile_target })
    }

    /// What the handle stands for.
    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty]
    }

    /// Bits of a pointer.
    pub fn pointer_width(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// Width in bits and signedness of an integer type.
    pub fn int_format(&self, kind: IntKind) -> (u32, bool) {
        let long = self.pointer_width();
        match kind {
            IntKind::Char | IntKind::SChar => (8, true),
            IntKind::UChar => (8, false),
            IntKind::Short => (16, true),
            IntKind::UShort => (16, false),
            IntKind::Int => (32, true),
            IntKind::UInt => (32, false),
            IntKind::Long => (long, true),
            IntKind::ULong => (long, false),
            IntKind::LongLong => (64, true),
            IntKind::ULongLong => (64, false),
            IntKind::Int128 => (128, true),
            IntKind::UInt128 => (128, false),
        }
    }

    /// Width of an integer, `_Bool` (8) or pointer in bits.
    pub fn int_width(&self, ty: TypeId) -> Option<u32> {
        match *self.kind(ty) {
            TypeKind::Bool => Some(8),
            TypeKind::Int(kind) => Some(self.int_format(kind).0),
            TypeKind::Pointer { .. } | TypeKind::VaList => Some(self.pointer_width()),
            _ => None,
        }
    }

    /// Whether this is a signed integer type.
    pub fn is_signed(&self, ty: TypeId) -> bool {
        matches!(*self.kind(ty), TypeKind::Int(kind) if self.int_format(kind).1)
    }

    /// Size in bytes; `None` for incomplete types, functions and arrays of variable length.
    /// `void` and functions have none here, although GNU C gives them one byte in arithmetic.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        Some(match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function { .. } | TypeKind::Vla(..) => return None,
            TypeKind::Bool => 1,
            TypeKind::Int(kind) => u64::from(self.int_format(kind).0 / 8),
            TypeKind::Float(kind) => self.float_layout(kind).0,
            TypeKind::Pointer { .. } => u64::from(self.pointer_width() / 8),
            TypeKind::Array(element, length) => self.size_of(element)?.checked_mul(length?)?,
            TypeKind::Record(record) => {
                let record = &self.records[record];
                record.fields.as_ref()?;
                record.size
            }
            TypeKind::VaList => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            },
            TypeKind::Unsupported(name) => self.unsupported_layout(name)?.0,
        })
    }

    /// Alignment in bytes of a variable of this type (a member may have less on i386). One if unknown.
    pub fn align_of(&self, ty: TypeId) -> u32 {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function { .. } | TypeKind::Bool => 1,
            TypeKind::Int(kind) => self.int_format(kind).0 / 8,
            TypeKind::Float(kind) => self.float_layout(kind).1,
            TypeKind::Pointer { .. } | TypeKind::VaList => self.pointer_width() / 8,
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.align_of(element),
            TypeKind::Record(record) => self.records[record].align.max(1),
            TypeKind::Unsupported(name) => self.unsupported_layout(name).map_or(1, |(_, align)| align),
        }
    }

    fn float_layout(&self, kind: FloatKind) -> (u64, u32) {
        match (kind, self.model) {
            (FloatKind::Float, _) => (4, 4),
            (FloatKind::Double, _) => (8, 8),
            (FloatKind::LongDouble, DataModel::Ilp32) => (12, 4),
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => (16, 16),
        }
    }

    fn unsupported_layout(&self, name: &str) -> Option<(u64, u32)> {
        let (_, layouts) = UNSUPPORTED.iter().find(|(known, _)| *known == name)?;
        Some(layouts[usize::from(self.model == DataModel::Lp64)])
    }

    /// Integers and `_Bool`.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_))
    }

    /// Real floating types.
    pub fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    /// Integers and floats.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Pointers.
    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer { .. })
    }

    /// Arithmetic types, pointers and `va_list`.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || matches!(self.kind(ty), TypeKind::Pointer { .. } | TypeKind::VaList)
    }

    /// Structs and unions.
    pub fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    /// Arrays, also of unknown or variable length.
    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array(..) | TypeKind::Vla(..))
    }

    /// Functions.
    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Function { .. })
    }

    /// `void`.
    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    /// What a pointer points to.
    pub fn pointer_target(&self, ty: TypeId) -> Option<TypeId> {
        match *self.kind(ty) {
            TypeKind::Pointer { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn element(&self, ty: TypeId) -> Option<TypeId> {
        match *self.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => Some(element),
            _ => None,
        }
    }

    /// The record behind a struct or union type.
    pub fn record(&self, ty: TypeId) -> Option<(RecordTypeId, &Record)> {
        match *self.kind(ty) {
            TypeKind::Record(id) => Some((id, &self.records[id])),
            _ => None,
        }
    }

    /// Whether somewhere inside there is an array of variable length.
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        let mut ty = ty;
        loop {
            match *self.kind(ty) {
                TypeKind::Vla(..) => return true,
                TypeKind::Array(inner, _) | TypeKind::Pointer { target: inner, .. } => ty = inner,
                _ => return false,
            }
        }
    }

    /// The type as C text.
    pub fn display(&self, ty: TypeId) -> String {
        self.display_around(ty, String::new(), 0)
    }

    /// C declares from the inside out: `inner` is what stands where the name would.
    fn display_around(&self, ty: TypeId, inner: String, depth: u32) -> String {
        if depth > 50 {
            return format!("… {inner}");
        }
        let simple = |name: &str| if inner.is_empty() { name.to_owned() } else { format!("{name} {inner}") };
        match self.kind(ty) {
            TypeKind::Void => simple("void"),
            TypeKind::Bool => simple("_Bool"),
            TypeKind::Int(kind) => simple(int_name(*kind)),
            TypeKind::Float(kind) => simple(match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Quad => "__float128",
            }),
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                simple(&format!("{} {}", if record.is_union { "union" } else { "struct" }, record.name))
            }
            TypeKind::VaList => simple("va_list"),
            TypeKind::Unsupported(name) => simple(name),
            TypeKind::Pointer { target, const_target, volatile_target } => {
                let inner = match self.kind(*target) {
                    TypeKind::Array(..) | TypeKind::Vla(..) | TypeKind::Function { .. } => format!("(*{inner})"),
                    _ => format!("*{inner}"),
                };
                let qualifiers = match (const_target, volatile_target) {
                    (false, false) => "",
                    (true, false) => "const ",
                    (false, true) => "volatile ",
                    (true, true) => "const volatile ",
                };
                if self.is_pointer(*target) {
                    self.display_around(*target, format!("{qualifiers}{inner}"), depth + 1)
                } else {
                    format!("{qualifiers}{}", self.display_around(*target, inner, depth + 1))
                }
            }
            TypeKind::Array(element, length) => {
                let length = length.map_or(String::new(), |n| n.to_string());
                self.display_around(*element, format!("{inner}[{length}]"), depth + 1)
            }
            TypeKind::Vla(element, _) => self.display_around(*element, format!("{inner}[*]"), depth + 1),
            TypeKind::Function { result, params, variadic, prototype } => {
                let mut texts: Vec<String> =
                    params.iter().map(|&p| self.display_around(p, String::new(), depth + 1)).collect();
                if *variadic {
                    texts.push("...".to_owned());
                } else if *prototype && texts.is_empty() {
                    texts.push("void".to_owned());
                }
                self.display_around(*result, format!("{inner}({})", texts.join(", ")), depth + 1)
            }
        }
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}
