//! Mutexes by initialiser: glibc keeps the kind of a mutex in the object, where `PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP` and its like
//! put it. The states of locks are not in memory; so where an object with mutexes in it is initialised, these become free locks of the
//! kinds that the initialiser says. The same holds of a copy of a static object that has such an initialiser;
//! other copies by assignment of a mutex that has a kind are gaps.

use super::Lower;
use super::builder::Builder;
use crate::hir::{Expr, ExprKind, Hir, Init, InitValue};
use crate::types::{Type, TypeId, Types};
use raddle_ir::{ExprId, GapKind, Label, LockOp, Order, Place, Sort};

/// A mutex inside an object.
#[derive(Clone, Copy)]
struct Mutex {
    offset: u64,
    /// Where its kind stands.
    kind: u64,
}

fn mutexes(types: &Types, ty: TypeId) -> Vec<Mutex> {
    match *types.get(types.strip_atomic(ty)) {
        Type::Array(element, len) => {
            let inside = mutexes(types, element);
            let stride = types.size(element).unwrap_or(0);
            let count = if inside.is_empty() { 0 } else { len.unwrap_or(0) };
            (0..count).flat_map(|i| inside.iter().map(move |m| m.at(i * stride))).collect()
        }
        Type::Record(id) => {
            let record = &types.records[id.0 as usize];
            match (record.mutex_kind, &record.layout) {
                (Some(kind), _) => vec![Mutex { offset: 0, kind }],
                (None, Some(layout)) => {
                    let fields = layout.fields.iter().filter(|f| f.bits.is_none());
                    fields.flat_map(|f| mutexes(types, f.ty).into_iter().map(|m| m.at(f.offset))).collect()
                }
                _ => vec![],
            }
        }
        _ => vec![],
    }
}

impl Mutex {
    fn at(self, offset: u64) -> Mutex {
        Mutex { offset: self.offset + offset, kind: self.kind + offset }
    }
}

/// The int that an initialiser puts at an offset; `None` if it is not known here.
fn int_at(hir: &Hir, init: &Init, offset: u64) -> Option<u128> {
    for entry in init.entries.iter().rev().filter(|e| e.offset <= offset) {
        match &entry.value {
            InitValue::Expr(Expr { kind: ExprKind::Int(value), .. }) if entry.offset == offset => return Some(*value),
            InitValue::Expr(expr) if hir.types.size(expr.ty).is_some_and(|size| offset - entry.offset < size) => {
                let offset = offset - entry.offset;
                return match literal(expr) {
                    Some(init) => int_at(hir, init, offset),
                    None => int_at(hir, copied_init(hir, expr)?, offset).filter(|kind| *kind != 0),
                };
            }
            _ => {}
        }
    }
    Some(0)
}

/// The initialiser of a static object that is copied.
fn copied_init<'a>(hir: &'a Hir, expr: &Expr) -> Option<&'a Init> {
    match &expr.kind {
        ExprKind::Load(lvalue) => match lvalue.kind {
            ExprKind::Global(global) => hir.globals[global.index()].init.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// The initialiser of a compound literal that is read.
fn literal(expr: &Expr) -> Option<&Init> {
    match &expr.kind {
        ExprKind::Load(lvalue) => match &lvalue.kind {
            ExprKind::CompoundLiteral(_, init) => Some(init),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Lower<'a> {
    /// Notes the kinds of the mutexes in a static object; those of kind 0 need no label.
    pub(super) fn note_static_mutexes(&mut self, address: u64, ty: TypeId, init: &'a Init) {
        for mutex in mutexes(&self.hir.types, ty) {
            if let Some(kind @ 1..=2) = int_at(self.hir, init, mutex.kind) {
                self.static_lock_kinds.insert(address + mutex.offset, kind as u8);
            }
        }
    }

    /// The labels that give statically initialised mutexes their kinds.
    pub(super) fn static_lock_labels(&mut self) -> Vec<Label> {
        let kinds = std::mem::take(&mut self.static_lock_kinds);
        let init = |(address, kind): (u64, u8)| {
            let (lock, kind) = (self.address(address), self.pool.bits(32, kind.into()));
            Label::Lock { op: LockOp::Init(kind), lock, var: None }
        };
        kinds.into_iter().map(init).collect()
    }
}

impl<'a> Builder<'_, 'a> {
    /// The mutexes in an object that was just initialised become free.
    pub(super) fn init_mutexes(&mut self, base: ExprId, ty: TypeId, init: &'a Init) {
        for mutex in mutexes(&self.hir().types, ty) {
            let Some(kind) = int_at(self.hir(), init, mutex.kind) else {
                self.gap_where_copied(base, mutex);
                continue;
            };
            let kind = self.cx.pool.bits(32, if kind <= 2 { kind } else { 0 });
            let lock = self.offset(base, mutex.offset);
            self.emit_step(vec![Label::Lock { op: LockOp::Init(kind), lock, var: None }]);
        }
    }

    /// The same after `object = (type){…}`.
    pub(super) fn assign_mutexes(&mut self, base: ExprId, ty: TypeId, value: &'a Expr) {
        if let Some(init) = literal(value) {
            return self.init_mutexes(base, ty, init);
        }
        let Some(init) = copied_init(self.hir(), value) else {
            mutexes(&self.hir().types, ty).into_iter().for_each(|mutex| self.gap_where_copied(base, mutex));
            return;
        };
        if mutexes(&self.hir().types, ty).iter().any(|m| matches!(int_at(self.hir(), init, m.kind), Some(1..=2))) {
            self.init_mutexes(base, ty, init);
        }
    }

    /// Where the bytes of a copy say that it was initialised with a kind, nobody knows what it is now: POSIX gives a copy no meaning.
    fn gap_where_copied(&mut self, base: ExprId, mutex: Mutex) {
        let at = self.offset(base, mutex.kind);
        let kind = self.load(Place::Memory(at), Sort::Bits(32), Order::NonAtomic);
        let (one, two) = (self.cx.pool.bits(32, 1), self.cx.pool.bits(32, 2));
        let (is_one, is_two) = (self.cx.pool.eq(kind, one), self.cx.pool.eq(kind, two));
        let has_kind = self.cx.pool.or(is_one, is_two);
        self.gap_if(has_kind, GapKind::Unsupported, "a copy of a mutex that has a kind");
    }
}
