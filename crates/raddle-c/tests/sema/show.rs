//! The typed tree in a notation like C's, so that tests read like examples. A read of an object is its name, conversions are casts,
//! arrays decay by `@`, strides stand in braces.

use raddle_c::hir::*;
use raddle_c::types::{Type, TypeId, Types};

pub struct Show<'a> {
    pub hir: &'a Hir,
    pub function: Option<&'a Function>,
}

impl Show<'_> {
    pub fn ty(&self, id: TypeId) -> String {
        let types: &Types = &self.hir.types;
        match types.get(id) {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int(kind) => format!("{kind:?}").to_lowercase(),
            Type::Float(kind) => format!("{kind:?}").to_lowercase(),
            Type::Pointer(to) => format!("{}*", self.ty(*to)),
            Type::Array(element, Some(len)) => format!("{}[{len}]", self.ty(*element)),
            Type::Array(element, None) => format!("{}[]", self.ty(*element)),
            Type::Vla(element, len) => format!("{}[%{}]", self.ty(*element), len.0),
            Type::Function(f) => {
                let params: Vec<String> = f.params.iter().map(|p| self.ty(*p)).collect();
                format!("{}({})", self.ty(f.result), params.join(","))
            }
            Type::Record(id) => format!("record{}", id.0),
            Type::Complex(element) => format!("complex {}", self.ty(*element)),
            Type::Vector(element, len) => format!("vector {len} {}", self.ty(*element)),
            Type::Atomic(inner) => format!("atomic {}", self.ty(*inner)),
        }
    }

    fn local(&self, id: LocalId) -> String {
        match self.function.and_then(|f| f.locals.get(id.index())) {
            Some(local) if !local.name.is_empty() => local.name.clone(),
            _ => format!("%{}", id.0),
        }
    }

    fn stride(&self, stride: &Stride) -> String {
        match stride {
            Stride::Bytes(bytes) => format!("{{{bytes}}}"),
            Stride::Computed(e) => format!("{{{}}}", self.expr(e)),
        }
    }

    pub fn expr(&self, e: &Expr) -> String {
        let show = |e: &Expr| self.expr(e);
        match &e.kind {
            ExprKind::Global(id) => self.hir.globals[id.index()].name.clone(),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Str(id) => format!("{:?}", String::from_utf8_lossy(&self.hir.strings[id.index()].bytes)),
            ExprKind::Function(id) => self.hir.functions[id.index()].name.clone(),
            ExprKind::Deref(p) => format!("*{}", show(p)),
            ExprKind::Member { base, offset, bits: None } => format!("{}.{offset}", show(base)),
            ExprKind::Member { base, offset, bits: Some(b) } => {
                format!("{}.{offset}:{}:{}", show(base), b.shift, b.width)
            }
            ExprKind::CompoundLiteral(id, init) => format!("({} = {})", self.local(*id), self.init(init)),
            ExprKind::LabelAddress(_, id) => format!("&&L{}", id.0),
            ExprKind::Int(bits) => match raddle_c_signed(&self.hir.types, e.ty, *bits) {
                Some(value) => value.to_string(),
                None => bits.to_string(),
            },
            ExprKind::Float(bits) => format!("float#{bits:x}"),
            ExprKind::Load(e) => show(e),
            ExprKind::Decay(e) => format!("@{}", show(e)),
            ExprKind::AddrOf(e) => format!("&{}", show(e)),
            ExprKind::Unary(op, e) => format!("{op:?}({})", show(e)),
            ExprKind::Binary(op, a, b) => format!("{op:?}({}, {})", show(a), show(b)),
            ExprKind::PtrAdd { pointer, index, stride, subtract } => {
                let sign = if *subtract { "-" } else { "+" };
                format!("({} {sign} {}{})", show(pointer), show(index), self.stride(stride))
            }
            ExprKind::PtrDiff { left, right, stride } => {
                format!("({} - {}){}", show(left), show(right), self.stride(stride))
            }
            ExprKind::LogAnd(a, b) => format!("({} && {})", show(a), show(b)),
            ExprKind::LogOr(a, b) => format!("({} || {})", show(a), show(b)),
            ExprKind::Conditional { cond, then, otherwise } => {
                format!("({} ? {} : {})", show(cond), show(then), show(otherwise))
            }
            ExprKind::Elvis { cond, otherwise } => format!("({} ?: {})", show(cond), show(otherwise)),
            ExprKind::Comma(a, b) => format!("({}, {})", show(a), show(b)),
            ExprKind::Assign(a, b) => format!("{} = {}", show(a), show(b)),
            ExprKind::AssignOp { op, target, value, compute } => {
                format!("{} {op:?}= {} in {}", show(target), show(value), self.ty(*compute))
            }
            ExprKind::AssignPtrAdd { target, index, stride, subtract } => {
                let sign = if *subtract { "-=" } else { "+=" };
                format!("{} {sign} {}{}", show(target), show(index), self.stride(stride))
            }
            ExprKind::IncDec { target, decrement, postfix, compute, stride } => {
                let op = if *decrement { "--" } else { "++" };
                let place = show(target);
                let text = if *postfix { format!("{place}{op}") } else { format!("{op}{place}") };
                match stride {
                    Some(stride) => format!("{text}{}", self.stride(stride)),
                    None => format!("{text} in {}", self.ty(*compute)),
                }
            }
            ExprKind::Call { callee, args } => {
                let args: Vec<String> = args.iter().map(show).collect();
                let callee = match callee {
                    Callee::Direct(id) => self.hir.functions[id.index()].name.clone(),
                    Callee::Pointer(p) => format!("(*{})", show(p)),
                    Callee::Builtin(name) => name.clone(),
                };
                format!("{callee}({})", args.join(", "))
            }
            ExprKind::Convert(inner) => format!("({}){}", self.ty(e.ty), show(inner)),
            ExprKind::StmtExpr(stmts, value) => {
                let value = value.as_ref().map_or(String::new(), |v| format!(" {}", show(v)));
                format!("({{ {}{value} }})", self.stmts(stmts))
            }
            ExprKind::Elements(elements) => {
                format!("<{}>", elements.iter().map(show).collect::<Vec<_>>().join(", "))
            }
            ExprKind::VaArg(list) => format!("va_arg({}, {})", show(list), self.ty(e.ty)),
        }
    }

    pub fn init(&self, init: &Init) -> String {
        let entries: Vec<String> = init
            .entries
            .iter()
            .map(|entry| {
                let bits = entry.bits.map_or(String::new(), |b| format!(":{}:{}", b.shift, b.width));
                let value = match &entry.value {
                    InitValue::Expr(e) => self.expr(e),
                    InitValue::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
                };
                format!("{}{bits}={value}", entry.offset)
            })
            .collect();
        let rest = if init.zero_rest { ", 0..." } else { "" };
        format!("{{{}{rest}}}", entries.join(", "))
    }

    pub fn stmts(&self, stmts: &[Stmt]) -> String {
        stmts.iter().map(|s| self.stmt(s)).collect::<Vec<_>>().join(" ")
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Gap(what) => format!("gap: {what};"),
            StmtKind::Expr(e) => format!("{};", self.expr(e)),
            StmtKind::Local(id, init) => {
                let ty = self.function.map_or(String::new(), |f| self.ty(f.locals[id.index()].ty));
                let init = init.as_ref().map_or(String::new(), |i| format!(" = {}", self.init(i)));
                format!("{ty} {}{init};", self.local(*id))
            }
            StmtKind::Block(stmts) => format!("{{ {} }}", self.stmts(stmts)),
            StmtKind::If { cond, then, otherwise } => {
                let otherwise = otherwise.as_ref().map_or(String::new(), |s| format!(" else {}", self.stmt(s)));
                format!("if ({}) {}{otherwise}", self.expr(cond), self.stmt(then))
            }
            StmtKind::While { cond, body } => format!("while ({}) {}", self.expr(cond), self.stmt(body)),
            StmtKind::DoWhile { body, cond } => format!("do {} while ({});", self.stmt(body), self.expr(cond)),
            StmtKind::For { init, cond, step, body } => {
                let show = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.expr(e));
                format!("for ({} {}; {}) {}", self.stmts(init), show(cond), show(step), self.stmt(body))
            }
            StmtKind::Switch { value, body } => format!("switch ({}) {}", self.expr(value), self.stmt(body)),
            StmtKind::Case { first, last, body } if first == last => format!("case {first}: {}", self.stmt(body)),
            StmtKind::Case { first, last, body } => format!("case {first}...{last}: {}", self.stmt(body)),
            StmtKind::Default(body) => format!("default: {}", self.stmt(body)),
            StmtKind::Label(id, body) => format!("L{}: {}", id.0, self.stmt(body)),
            StmtKind::GotoAddress(e) => format!("goto *{};", self.expr(e)),
            StmtKind::Cleanup(e) => format!("at end: {};", self.expr(e)),
            StmtKind::Goto(id) => format!("goto L{};", id.0),
            StmtKind::Break => "break;".into(),
            StmtKind::Continue => "continue;".into(),
            StmtKind::Return(Some(e)) => format!("return {};", self.expr(e)),
            StmtKind::Return(None) => "return;".into(),
            StmtKind::Barrier(order) => format!("barrier {order:?};"),
            StmtKind::Probe(number, ..) => format!("probe {number};"),
            StmtKind::Empty => ";".into(),
        }
    }
}

fn raddle_c_signed(types: &Types, ty: TypeId, bits: u128) -> Option<i128> {
    let width = types.scalar_sort(ty)?.bits()?;
    types.is_signed(ty).then(|| raddle_ir::eval::to_signed(width, bits))
}
