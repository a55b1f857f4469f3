//! Prototypes of the library functions that gcc knows without a declaration, for `__builtin_memcpy` and calls without a header.

use super::Sema;
use super::scope::Ident;
use crate::ast::Symbol;
use crate::error::Result;
use crate::hir::FnId;
use crate::source::Pos;
use crate::types::{FnType, IntKind, QualSet, Type, TypeId};

/// Name and signature: the result, then the parameters, a letter each (see `letter`); `.` for more arguments.
const FUNCTIONS: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("aligned_alloc", "pzz"),
    ("alloca", "pz"),
    ("bcmp", "iPPz"),
    ("bcopy", "vPpz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("_Exit", "vi"),
    ("_exit", "vi"),
    ("exit", "vi"),
    ("fprintf", "ipS."),
    ("fputc", "iip"),
    ("fputs", "iSp"),
    ("free", "vp"),
    ("fscanf", "ipS."),
    ("fwrite", "zPzzp"),
    ("imaxabs", "ll"),
    ("index", "sSi"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isdigit", "ii"),
    ("isgraph", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("isxdigit", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("malloc", "pz"),
    ("memchr", "pPiz"),
    ("memcmp", "iPPz"),
    ("memcpy", "ppPz"),
    ("memmove", "ppPz"),
    ("mempcpy", "ppPz"),
    ("memset", "ppiz"),
    ("posix_memalign", "ipzz"),
    ("printf", "iS."),
    ("putchar", "ii"),
    ("puts", "iS"),
    ("realloc", "ppz"),
    ("rindex", "sSi"),
    ("scanf", "iS."),
    ("snprintf", "iszS."),
    ("sprintf", "isS."),
    ("sscanf", "iSS."),
    ("stpcpy", "ssS"),
    ("stpncpy", "ssSz"),
    ("strcasecmp", "iSS"),
    ("strcat", "ssS"),
    ("strchr", "sSi"),
    ("strcmp", "iSS"),
    ("strcpy", "ssS"),
    ("strcspn", "zSS"),
    ("strdup", "sS"),
    ("strlen", "zS"),
    ("strncasecmp", "iSSz"),
    ("strncat", "ssSz"),
    ("strncmp", "iSSz"),
    ("strncpy", "ssSz"),
    ("strndup", "sSz"),
    ("strnlen", "zSz"),
    ("strpbrk", "sSS"),
    ("strrchr", "sSi"),
    ("strspn", "zSS"),
    ("strstr", "sSS"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("vfprintf", "ipSp"),
    ("vprintf", "iSp"),
    ("vsnprintf", "iszSp"),
    ("vsprintf", "isSp"),
];

/// Functions on floats, which also exist with `f` and `l` at the end: `x` is the float's type.
const FLOAT_FUNCTIONS: &[(&str, &str)] = &[
    ("acos", "xx"),
    ("acosh", "xx"),
    ("asin", "xx"),
    ("asinh", "xx"),
    ("atan", "xx"),
    ("atan2", "xxx"),
    ("atanh", "xx"),
    ("cabs", "xc"),
    ("carg", "xc"),
    ("cbrt", "xx"),
    ("ceil", "xx"),
    ("cexp", "cc"),
    ("cimag", "xc"),
    ("conj", "cc"),
    ("copysign", "xxx"),
    ("cos", "xx"),
    ("cosh", "xx"),
    ("cpow", "ccc"),
    ("cproj", "cc"),
    ("creal", "xc"),
    ("csqrt", "cc"),
    ("drem", "xxx"),
    ("erf", "xx"),
    ("erfc", "xx"),
    ("exp", "xx"),
    ("exp10", "xx"),
    ("exp2", "xx"),
    ("expm1", "xx"),
    ("fabs", "xx"),
    ("fdim", "xxx"),
    ("floor", "xx"),
    ("fma", "xxxx"),
    ("fmax", "xxx"),
    ("fmin", "xxx"),
    ("fmod", "xxx"),
    ("frexp", "xxI"),
    ("hypot", "xxx"),
    ("ilogb", "ix"),
    ("ldexp", "xxi"),
    ("lgamma", "xx"),
    ("llrint", "Lx"),
    ("llround", "Lx"),
    ("log", "xx"),
    ("log10", "xx"),
    ("log1p", "xx"),
    ("log2", "xx"),
    ("logb", "xx"),
    ("lrint", "lx"),
    ("lround", "lx"),
    ("modf", "xxX"),
    ("nearbyint", "xx"),
    ("nextafter", "xxx"),
    ("nexttoward", "xxD"),
    ("pow", "xxx"),
    ("remainder", "xxx"),
    ("remquo", "xxxI"),
    ("rint", "xx"),
    ("round", "xx"),
    ("roundeven", "xx"),
    ("scalbln", "xxl"),
    ("scalbn", "xxi"),
    ("sin", "xx"),
    ("sinh", "xx"),
    ("sqrt", "xx"),
    ("tan", "xx"),
    ("tanh", "xx"),
    ("tgamma", "xx"),
    ("trunc", "xx"),
];

/// A function's signature, and the float type that `x` stands for.
fn signature(name: &str) -> Option<(&'static str, TypeId)> {
    let find = |table: &'static [(&str, &str)], name: &str| table.iter().find(|(n, _)| *n == name).map(|(_, s)| *s);
    if let Some(found) = find(FUNCTIONS, name) {
        return Some((found, TypeId::DOUBLE));
    }
    if let Some(found) = find(FLOAT_FUNCTIONS, name) {
        return Some((found, TypeId::DOUBLE));
    }
    let (stem, ty) = match name.strip_suffix('f') {
        Some(stem) => (stem, TypeId::FLOAT),
        None => (name.strip_suffix('l')?, TypeId::LONG_DOUBLE),
    };
    find(FLOAT_FUNCTIONS, stem).map(|found| (found, ty))
}

impl Sema<'_> {
    /// A library function that gcc knows, under its own name or as `__builtin_name`: it is declared here.
    pub(super) fn known_function(&mut self, symbol: Symbol, pos: Pos) -> Result<Option<(FnId, TypeId)>> {
        let full = self.name(symbol);
        let (is_builtin, name) = match full.strip_prefix("__builtin_") {
            Some(name) => (true, name),
            None => (false, full),
        };
        let Some((letters, float)) = signature(name) else { return Ok(None) };
        let name = name.to_string();
        let ty = self.prototype_type(letters, float);
        let target = self.interner.intern(&name);
        let (id, ty) = self.external_function(target, ty, pos);
        if !is_builtin {
            self.warn(pos, format!("the function `{name}` is not declared"));
            self.scopes.declare(symbol, Ident::Function(id, ty));
        }
        if matches!(name.as_str(), "abort" | "exit" | "_exit" | "_Exit") {
            self.functions[id.index()].noreturn = true;
        }
        Ok(Some((id, ty)))
    }

    fn prototype_type(&mut self, letters: &str, float: TypeId) -> TypeId {
        let mut types: Vec<TypeId> =
            letters.chars().filter(|c| *c != '.').map(|c| self.letter_type(c, float)).collect();
        let result = types.remove(0);
        let variadic = letters.ends_with('.');
        self.types.intern(Type::Function(FnType { result, params: types, variadic, unprototyped: false }))
    }

    fn letter_type(&mut self, letter: char, float: TypeId) -> TypeId {
        let to_const = |sema: &mut Self, ty| {
            let ty = sema.types.qualified(ty, QualSet::CONST);
            sema.types.pointer(ty)
        };
        match letter {
            'v' => TypeId::VOID,
            'l' => TypeId::LONG,
            'L' => TypeId::of_int(IntKind::LongLong),
            'z' => self.types.size_t(),
            'D' => TypeId::LONG_DOUBLE,
            'x' => float,
            'c' => self.types.intern(Type::Complex(float)),
            'X' => self.types.pointer(float),
            'I' => self.types.pointer(TypeId::INT),
            'p' => TypeId::VOID_PTR,
            'P' => to_const(self, TypeId::VOID),
            's' => self.types.pointer(TypeId::CHAR),
            'S' => to_const(self, TypeId::CHAR),
            _ => TypeId::INT,
        }
    }
}
