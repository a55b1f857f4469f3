//! gcc's builtin functions other than atomics and library functions.
//!
//! What is plain C in disguise (`__builtin_expect`, constants) becomes plain trees here; the rest are calls of a `Callee::Builtin`. Families that
//! differ only in their operand's type get one name: `__builtin_clzl(x)` is `__builtin_clz` of an unsigned long, and
//! `__builtin_smul_overflow` is `__builtin_mul_overflow` of ints.

use super::convert::is_lvalue;
use super::operators::has_no_effect;
use super::{Sema, expr};
use crate::ast::{self, Symbol};
use crate::error::{Error, Result};
use crate::hir::{Callee, Expr, ExprKind};
use crate::source::Pos;
use crate::types::{IntKind, Type, TypeId};

impl Sema<'_> {
    /// A call of a name that is not declared, if it is a builtin function.
    pub(super) fn builtin_call(&mut self, symbol: Symbol, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        let name = self.name(symbol);
        if !name.starts_with("__") {
            return Ok(None);
        }
        let name = name.to_string();
        if name.starts_with("__sync_") || name.starts_with("__atomic_") || name.starts_with("__c11_atomic_") {
            return self.atomic_call(&name, args, pos).map(Some);
        }
        let Some(short) = name.strip_prefix("__builtin_") else { return Ok(None) };
        if let Some(done) = self.special(short, args, pos)? {
            return Ok(Some(done));
        }
        if let Some(done) = self.bit_count(short, args, pos)? {
            return Ok(Some(done));
        }
        if let Some(done) = self.float_builtin(short, args, pos)? {
            return Ok(Some(done));
        }
        if let Some(done) = self.overflow(short, args, pos)? {
            return Ok(Some(done));
        }
        if self.known_function(symbol, pos)?.is_some() {
            return Ok(None);
        }
        Err(Error::unsupported(pos, name))
    }

    pub(super) fn builtin(&self, name: &str, args: Vec<Expr>, ty: TypeId, pos: Pos) -> Expr {
        expr(ty, pos, ExprKind::Call { callee: Callee::Builtin(name.to_string()), args })
    }

    pub(super) fn arg<'b>(&self, args: &'b [ast::Expr], index: usize, pos: Pos) -> Result<&'b ast::Expr> {
        args.get(index).ok_or_else(|| Error::invalid(pos, "too few arguments to a builtin function"))
    }

    fn arg_value(&mut self, args: &[ast::Expr], index: usize, pos: Pos) -> Result<Expr> {
        let arg = self.arg(args, index, pos)?;
        self.value(arg)
    }

    /// An argument converted to a type.
    pub(super) fn arg_as(&mut self, args: &[ast::Expr], index: usize, ty: TypeId, pos: Pos) -> Result<Expr> {
        let value = self.arg_value(args, index, pos)?;
        self.assign_convert(value, ty, "an argument")
    }

    /// `value` after the effects of other arguments.
    fn after(&mut self, first: Expr, value: Expr) -> Expr {
        if has_no_effect(&first) {
            return value;
        }
        expr(value.ty, value.pos, ExprKind::Comma(Box::new(first), Box::new(value)))
    }

    fn nothing(&mut self, pos: Pos) -> Expr {
        let zero = self.int(TypeId::INT, 0, pos);
        self.convert(zero, TypeId::VOID)
    }

    fn special(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        let size_t = self.types.size_t();
        Ok(Some(match name {
            "constant_p" => {
                let arg = self.arg(args, 0, pos)?;
                self.unevaluated += 1;
                let value = self.value(arg);
                self.unevaluated -= 1;
                let constant = match value?.kind {
                    ExprKind::Int(_) | ExprKind::Float(_) => true,
                    ExprKind::Elements(elements) => elements.iter().all(|e| Self::literal(e).is_some()),
                    ExprKind::Decay(place) => matches!(place.kind, ExprKind::Str(_)),
                    _ => false,
                };
                self.int(TypeId::INT, constant.into(), pos)
            }
            "expect" | "expect_with_probability" => {
                let value = self.arg_as(args, 0, TypeId::LONG, pos)?;
                let likely = self.arg_value(args, 1, pos)?;
                self.after(likely, value)
            }
            "complex" => {
                let (re, im) = (self.arg_value(args, 0, pos)?, self.arg_value(args, 1, pos)?);
                if !self.types.is_float(re.ty) || re.ty != im.ty {
                    return Err(Error::invalid(pos, "the arguments are not of one floating type"));
                }
                let ty = self.types.intern(Type::Complex(re.ty));
                expr(ty, pos, ExprKind::Elements(vec![re, im]))
            }
            "shuffle" => self.shuffle(args, pos)?,
            "shufflevector" => self.shuffle_by_constants(args, pos)?,
            "speculation_safe_value" => self.arg_value(args, 0, pos)?,
            "assume_aligned" => self.arg_as(args, 0, TypeId::VOID_PTR, pos)?,
            "object_size" | "dynamic_object_size" => {
                let kind = self.arg_value(args, 1, pos)?;
                let kind = self.const_bits(&kind).unwrap_or(0);
                self.int(size_t, if kind & 2 != 0 { 0 } else { u128::MAX }, pos)
            }
            "prefetch" | "assume" => {
                let mut result = self.nothing(pos);
                for arg in args.iter().rev().filter(|_| name == "prefetch") {
                    let value = self.value(arg)?;
                    result = self.after(value, result);
                }
                result
            }
            "unreachable" | "trap" => self.builtin(&format!("__builtin_{name}"), Vec::new(), TypeId::VOID, pos),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let size = self.arg_as(args, 0, size_t, pos)?;
                self.builtin("__builtin_alloca", vec![size], TypeId::VOID_PTR, pos)
            }
            "return_address" | "frame_address" | "extract_return_addr" => {
                let level = self.arg_value(args, 0, pos)?;
                self.builtin(&format!("__builtin_{name}"), vec![level], TypeId::VOID_PTR, pos)
            }
            "va_start" | "stdarg_start" => {
                let list = self.list_address(args, 0, pos)?;
                self.builtin("__builtin_va_start", vec![list], TypeId::VOID, pos)
            }
            "va_end" => {
                let list = self.list_address(args, 0, pos)?;
                self.builtin("__builtin_va_end", vec![list], TypeId::VOID, pos)
            }
            "va_copy" => {
                let (to, from) = (self.list_address(args, 0, pos)?, self.list_address(args, 1, pos)?);
                self.builtin("__builtin_va_copy", vec![to, from], TypeId::VOID, pos)
            }
            "bswap16" => self.swap(IntKind::UShort, args, name, pos)?,
            "bswap32" => self.swap(IntKind::UInt, args, name, pos)?,
            "bswap64" => {
                let kind = if self.types.int_bytes(IntKind::ULong) == 8 { IntKind::ULong } else { IntKind::ULongLong };
                self.swap(kind, args, name, pos)?
            }
            "bswap128" => self.swap(IntKind::UInt128, args, name, pos)?,
            "LINE" => {
                let line = self.sources.span(pos).line;
                self.int(TypeId::INT, line.into(), pos)
            }
            "FUNCTION" | "FILE" => {
                let text = match name {
                    "FUNCTION" => self.body.as_ref().map_or(String::new(), |b| b.name.clone()),
                    _ => self.place(pos).rsplit_once(':').map_or(String::new(), |(file, _)| file.to_string()),
                };
                let units: Vec<u32> = text.bytes().map(u32::from).collect();
                let kind = ast::ExprKind::Str { units, encoding: ast::Encoding::Plain };
                self.value(&ast::Expr { pos, kind })?
            }
            "classify_type" => {
                let value = self.arg_value(args, 0, pos)?;
                let class = match self.types.get(value.ty) {
                    Type::Void => 0,
                    Type::Pointer(_) => 5,
                    Type::Float(_) => 8,
                    Type::Complex(_) => 9,
                    Type::Record(r) if self.types.records[r.0 as usize].is_union => 13,
                    Type::Record(_) => 12,
                    _ => 1,
                };
                self.int(TypeId::INT, class, pos)
            }
            "ia32_pause" => self.nothing(pos),
            "ia32_mfence" => self.builtin("__sync_synchronize", Vec::new(), TypeId::VOID, pos),
            "ia32_lfence" | "ia32_sfence" => {
                // Acquire and release.
                let order = self.int(TypeId::INT, if name == "ia32_lfence" { 2 } else { 3 }, pos);
                self.builtin("__atomic_thread_fence", vec![order], TypeId::VOID, pos)
            }
            _ => match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
                // The last argument is the size that gcc found for the target.
                Some(
                    plain @ ("memcpy" | "memmove" | "memset" | "mempcpy" | "strcpy" | "strcat" | "stpcpy" | "strncpy"
                    | "strncat"),
                ) if !args.is_empty() => {
                    let callee = self.interner.intern(format!("__builtin_{plain}"));
                    let callee = Box::new(ast::Expr { pos, kind: ast::ExprKind::Name(callee) });
                    let args = args[..args.len() - 1].to_vec();
                    self.value(&ast::Expr { pos, kind: ast::ExprKind::Call { callee, args } })?
                }
                // A flag before the format, and the size for what goes to memory.
                Some(
                    plain @ ("printf" | "vprintf" | "fprintf" | "vfprintf" | "sprintf" | "vsprintf" | "snprintf"
                    | "vsnprintf"),
                ) => {
                    let kept = match plain {
                        "printf" | "vprintf" => 0,
                        "snprintf" | "vsnprintf" => 2,
                        _ => 1,
                    };
                    let dropped = if plain.contains("sprintf") || plain.contains("snprintf") { 2 } else { 1 };
                    let callee = self.interner.intern(format!("__builtin_{plain}"));
                    let callee = Box::new(ast::Expr { pos, kind: ast::ExprKind::Name(callee) });
                    let is_kept = |(index, _): &(usize, &ast::Expr)| *index < kept || *index >= kept + dropped;
                    let args = args.iter().enumerate().filter(is_kept).map(|(_, arg)| arg.clone()).collect();
                    self.value(&ast::Expr { pos, kind: ast::ExprKind::Call { callee, args } })?
                }
                _ => return Ok(None),
            },
        }))
    }

    /// The address of a `va_list`, which does not count as taken.
    fn list_address(&mut self, args: &[ast::Expr], index: usize, pos: Pos) -> Result<Expr> {
        let arg = self.arg(args, index, pos)?;
        let list = self.expr(arg)?;
        if !is_lvalue(&list) || !self.types.is_pointer(list.ty) {
            return Err(Error::invalid(pos, "this needs a variable of type va_list"));
        }
        let ty = self.types.pointer(list.ty);
        Ok(expr(ty, pos, ExprKind::AddrOf(Box::new(list))))
    }

    fn swap(&mut self, kind: IntKind, args: &[ast::Expr], name: &str, pos: Pos) -> Result<Expr> {
        let ty = TypeId::of_int(kind);
        let value = self.arg_as(args, 0, ty, pos)?;
        Ok(match Self::literal(&value) {
            Some(bits) => {
                let swapped = bits.swap_bytes() >> (128 - u32::from(self.width(ty)));
                self.int(ty, swapped, pos)
            }
            None => self.builtin(&format!("__builtin_{name}"), vec![value], ty, pos),
        })
    }

    /// `clz`, `ctz` and their kin.
    fn bit_count(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        const FAMILIES: [&str; 6] = ["clz", "ctz", "popcount", "parity", "ffs", "clrsb"];
        let Some((family, suffix)) = FAMILIES.iter().find_map(|f| Some((*f, name.strip_prefix(f)?))) else {
            return Ok(None);
        };
        let signed = matches!(family, "ffs" | "clrsb");
        let ty = match (suffix, signed) {
            ("", false) => TypeId::UINT,
            ("", true) => TypeId::INT,
            ("l", false) => TypeId::ULONG,
            ("l", true) => TypeId::LONG,
            ("ll", false) => TypeId::ULONG_LONG,
            ("ll", true) => TypeId::LONG_LONG,
            _ => return Ok(None),
        };
        let value = self.arg_as(args, 0, ty, pos)?;
        let width = u32::from(self.width(ty));
        let folded = Self::literal(&value).and_then(|bits| match family {
            // Of zero they are not defined.
            "clz" if bits != 0 => Some(bits.leading_zeros() - (128 - width)),
            "ctz" if bits != 0 => Some(bits.trailing_zeros()),
            "popcount" => Some(bits.count_ones()),
            "parity" => Some(bits.count_ones() % 2),
            "ffs" => Some(if bits == 0 { 0 } else { bits.trailing_zeros() + 1 }),
            "clrsb" => {
                let top = bits << (128 - width);
                Some((if (top as i128) < 0 { top.leading_ones() } else { top.leading_zeros().min(width) }) - 1)
            }
            _ => None,
        });
        Ok(Some(match folded {
            Some(count) => self.int(TypeId::INT, count.into(), pos),
            None => self.builtin(&format!("__builtin_{family}"), vec![value], TypeId::INT, pos),
        }))
    }

    /// Floating constants, classification and comparison.
    fn float_builtin(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        let suffixed = |stem: &str| match name.strip_prefix(stem) {
            Some("") => Some(TypeId::DOUBLE),
            Some("f") => Some(TypeId::FLOAT),
            Some("l") => Some(TypeId::LONG_DOUBLE),
            Some("f128" | "q") => Some(TypeId::FLOAT128),
            _ => None,
        };
        for stem in ["inf", "huge_val"] {
            if let Some(ty) = suffixed(stem) {
                let bits = self.infinity(ty);
                return Ok(Some(expr(ty, pos, ExprKind::Float(bits))));
            }
        }
        for stem in ["nan", "nans"] {
            if let Some(ty) = suffixed(stem) {
                let payload = match &self.arg(args, 0, pos)?.kind {
                    ast::ExprKind::Str { units, .. } => nan_payload(units),
                    _ => 0,
                };
                let bits = self.nan(ty, payload);
                return Ok(Some(expr(ty, pos, ExprKind::Float(bits))));
            }
        }
        const CLASSES: [(&str, &str); 9] = [
            ("isnan", "isnan"),
            ("isinf_sign", "isinf_sign"),
            ("isinf", "isinf"),
            ("isfinite", "isfinite"),
            ("finite", "isfinite"),
            ("isnormal", "isnormal"),
            ("issubnormal", "issubnormal"),
            ("iszero", "iszero"),
            ("signbit", "signbit"),
        ];
        for (stem, class) in CLASSES {
            if let Some(ty) = suffixed(stem) {
                let value = self.arg_value(args, 0, pos)?;
                let ty = match self.types.is_float(value.ty) {
                    true if name == stem => value.ty,
                    _ => ty,
                };
                let value = self.assign_convert(value, ty, "an argument")?;
                return Ok(Some(self.builtin(&format!("__builtin_{class}"), vec![value], TypeId::INT, pos)));
            }
        }
        match name {
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" => {
                let (a, b) = (self.arg_value(args, 0, pos)?, self.arg_value(args, 1, pos)?);
                if !self.types.is_arithmetic(a.ty) || !self.types.is_arithmetic(b.ty) {
                    return Err(Error::invalid(pos, "the arguments are no numbers"));
                }
                let (mut a, mut b, ty) = self.usual(a, b);
                if !self.types.is_float(ty) {
                    (a, b) = (self.convert(a, TypeId::DOUBLE), self.convert(b, TypeId::DOUBLE));
                }
                Ok(Some(self.builtin(&format!("__builtin_{name}"), vec![a, b], TypeId::INT, pos)))
            }
            "fpclassify" => {
                let mut values = Vec::new();
                for index in 0..5 {
                    values.push(self.arg_as(args, index, TypeId::INT, pos)?);
                }
                let value = self.arg_value(args, 5, pos)?;
                values.push(value);
                Ok(Some(self.builtin("__builtin_fpclassify", values, TypeId::INT, pos)))
            }
            _ => Ok(None),
        }
    }

    /// `__builtin_add_overflow` and its kin.
    fn overflow(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        let Some(stem) = name.strip_suffix("_overflow").or_else(|| name.strip_suffix("_overflow_p")) else {
            return Ok(None);
        };
        let generic = |op: &str| matches!(op, "add" | "sub" | "mul");
        if generic(stem) {
            let (a, b) = (self.arg_value(args, 0, pos)?, self.arg_value(args, 1, pos)?);
            let result = self.arg_value(args, 2, pos)?;
            let place = match self.types.pointee(result.ty) {
                Some(to) if !name.ends_with("_p") => self.types.is_integer(self.types.strip_atomic(to)),
                _ => name.ends_with("_p") && self.types.is_integer(result.ty),
            };
            if !place || !self.types.is_integer(a.ty) || !self.types.is_integer(b.ty) {
                return Err(Error::invalid(pos, "the arguments are not of integer types"));
            }
            return Ok(Some(self.builtin(&format!("__builtin_{name}"), vec![a, b, result], TypeId::BOOL, pos)));
        }
        let (unsigned, rest) = match (stem.strip_prefix('s'), stem.strip_prefix('u')) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Ok(None),
        };
        let (op, suffix) = rest.split_at(rest.len().min(3));
        let ty = match (suffix, unsigned) {
            ("", false) => TypeId::INT,
            ("", true) => TypeId::UINT,
            ("l", false) => TypeId::LONG,
            ("l", true) => TypeId::ULONG,
            ("ll", false) => TypeId::LONG_LONG,
            ("ll", true) => TypeId::ULONG_LONG,
            _ => return Ok(None),
        };
        if !generic(op) {
            return Ok(None);
        }
        let (a, b) = (self.arg_as(args, 0, ty, pos)?, self.arg_as(args, 1, ty, pos)?);
        let to = self.types.pointer(ty);
        let result = self.arg_as(args, 2, to, pos)?;
        Ok(Some(self.builtin(&format!("__builtin_{op}_overflow"), vec![a, b, result], TypeId::BOOL, pos)))
    }
}

/// The number in `__builtin_nan("0x12")`.
fn nan_payload(units: &[u32]) -> u128 {
    let text: String = units.iter().filter_map(|u| char::from_u32(*u)).collect();
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.unwrap_or(0)
}
