//! Memory that functions of the library read though no model needs what is there: texts that are printed, names of files, bytes that are written. Where memory safety or data races count,
//! all of it is read.

use super::builder::Builder;
use super::formatted::{Piece, Precision, pieces};
use crate::hir::Expr;
use raddle_ir::{BinOp, ExprId, GapKind, Object, ObjectKind, Order, Place, Sort};

/// Functions that read texts, and which arguments these are.
const TEXTS: [(&str, &[usize]); 35] = [
    ("puts", &[0]),
    ("fputs", &[0]),
    ("fputs_unlocked", &[0]),
    ("perror", &[0]),
    ("system", &[0]),
    ("remove", &[0]),
    ("unlink", &[0]),
    ("rmdir", &[0]),
    ("rename", &[0, 1]),
    ("renameat", &[1, 3]),
    ("renameat2", &[1, 3]),
    ("link", &[0, 1]),
    ("symlink", &[0, 1]),
    ("truncate", &[0]),
    ("open", &[0]),
    ("open64", &[0]),
    ("openat", &[1]),
    ("openat64", &[1]),
    ("creat", &[0]),
    ("creat64", &[0]),
    ("fopen", &[0, 1]),
    ("fopen64", &[0, 1]),
    ("popen", &[0, 1]),
    ("access", &[0]),
    ("chdir", &[0]),
    ("chmod", &[0]),
    ("chown", &[0]),
    ("mkdir", &[0]),
    ("mkfifo", &[0]),
    ("readlink", &[0]),
    ("realpath", &[0]),
    ("stat", &[0]),
    ("lstat", &[0]),
    ("sem_open", &[0]),
    ("sem_unlink", &[0]),
];

/// Functions that read bytes: where they are, and the arguments whose product says how many.
const BYTES: [(&str, usize, &[usize]); 6] = [
    ("fwrite", 0, &[1, 2]),
    ("fwrite_unlocked", 0, &[1, 2]),
    ("write", 1, &[2]),
    ("pwrite", 1, &[2]),
    ("send", 1, &[2]),
    ("sendto", 1, &[2]),
];

/// Functions that read a time, and which argument it is.
const TIMES: [(&str, usize); 8] = [
    ("pthread_cond_timedwait", 2),
    ("pthread_mutex_timedlock", 1),
    ("pthread_rwlock_timedrdlock", 1),
    ("pthread_rwlock_timedwrlock", 1),
    ("sem_timedwait", 1),
    ("cnd_timedwait", 2),
    ("mtx_timedlock", 1),
    ("nanosleep", 0),
];

impl Builder<'_, '_> {
    fn follows_reads(&self) -> bool {
        self.checks_memory() || self.finds_races()
    }

    /// Nobody writes it, and it is there.
    fn is_literal(&self, address: ExprId) -> bool {
        let Some(at) = self.cx.pool.as_const(address) else { return false };
        let holds = |object: &&Object| {
            (u128::from(object.address)..u128::from(object.address + object.size)).contains(&at.bits)
        };
        let object = self.cx.objects.iter().find(holds);
        object.is_some_and(|object| matches!(object.kind, ObjectKind::Data { writable: false, .. }))
    }

    /// Reads what a function of the library reads.
    pub fn read_arguments(&mut self, name: &str, args: &[ExprId]) {
        if !self.follows_reads() || self.cx.is_of_library(self.pos) {
            return;
        }
        let texts = TEXTS.iter().find(|(function, _)| *function == name).map_or(&[][..], |(_, at)| at);
        for text in texts.iter().filter_map(|at| args.get(*at)) {
            self.read_text(*text, None);
        }
        if let Some((_, at)) = TIMES.iter().find(|(function, _)| *function == name)
            && let Some(time) = args.get(*at)
        {
            let bytes = self.cx.address(2 * u64::from(self.cx.pointer_bits) / 8);
            self.read_bytes(*time, bytes, false);
        }
        if let Some((_, at, counts)) = BYTES.iter().find(|(function, ..)| *function == name)
            && let Some(from) = args.get(*at)
        {
            let pointer = self.cx.pointer_sort();
            let mut bytes = self.cx.address(1);
            for count in counts.iter().filter_map(|at| args.get(*at)) {
                let count = self.fit(*count, pointer);
                bytes = self.cx.pool.binary(BinOp::BvMul, bytes, count);
            }
            self.read_bytes(*from, bytes, false);
        }
    }

    /// Reads what `printf` and its like read.
    pub fn read_printed(&mut self, format: ExprId, literal: Option<&str>, args: &[ExprId], exprs: Option<&[Expr]>) {
        if !self.follows_reads() || self.cx.is_of_library(self.pos) {
            return;
        }
        if literal.is_none() {
            self.read_text(format, None);
        }
        let may_be_text = |expr: &Expr| self.hir().types.is_pointer(expr.ty);
        let Some(pieces) = literal.and_then(|format| pieces(format.as_bytes())) else {
            if exprs.is_none_or(|exprs| exprs.iter().any(may_be_text)) {
                self.gap(GapKind::Unmodelled, "a format that may print texts");
            }
            return;
        };
        let mut next = 0;
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            let most = match conversion.precision {
                Precision::None => None,
                Precision::Number(most) => Some(self.cx.address(most.into())),
                Precision::Argument => {
                    next += 1;
                    args.get(next - 1).copied().map(|most| self.precision(most))
                }
            };
            match args.get(next) {
                Some(text) if conversion.letter == b's' => self.read_text(*text, most),
                None if conversion.letter == b's' => {
                    return self.gap(GapKind::Unmodelled, "a text that is printed from a list of arguments");
                }
                _ => {}
            }
            next += 1;
        }
    }

    /// So many characters at most; all of them where it is negative.
    fn precision(&mut self, most: ExprId) -> ExprId {
        let int = self.fit(most, Sort::Bits(32));
        let bits = self.cx.pointer_bits;
        if bits > 32 { self.cx.pool.sign_ext(bits, int) } else { int }
    }

    /// Reads a text to its end, or as many characters of it.
    fn read_text(&mut self, text: ExprId, most: Option<ExprId>) {
        let all = self.cx.pool.bits(self.cx.pointer_bits, u128::from(u64::MAX) >> (64 - self.cx.pointer_bits));
        self.read_bytes(text, most.unwrap_or(all), true);
    }

    /// Reads so many bytes; of a text, not beyond its end.
    fn read_bytes(&mut self, from: ExprId, most: ExprId, is_text: bool) {
        let pointer = self.cx.pointer_sort();
        let from = self.fit(from, pointer);
        if !self.checks_memory() && self.is_literal(from) {
            return;
        }
        let (index, start, end) = (self.temp(pointer), self.temp(pointer), self.temp(pointer));
        let zero = self.cx.address(0);
        for (var, value) in [(start, from), (end, most), (index, zero)] {
            self.assign(var, value);
        }
        let (head, inside, next, after) =
            (self.new_location(), self.new_location(), self.new_location(), self.new_location());
        self.enter(head);
        let (at, last) = (self.var_value(index), self.var_value(end));
        let goes_on = self.cx.pool.binary(BinOp::ULt, at, last);
        self.branch(goes_on, inside, after);
        self.here = inside;
        let from = self.var_value(start);
        let address = self.cx.pool.binary(BinOp::BvAdd, from, at);
        let byte = self.load(Place::Memory(address), Sort::Bits(8), Order::NonAtomic);
        if is_text {
            let zero = self.cx.pool.bits(8, 0);
            let is_end = self.cx.pool.eq(byte, zero);
            self.branch(is_end, after, next);
        } else {
            self.jump(next);
        }
        self.here = next;
        let one = self.cx.address(1);
        let behind = self.cx.pool.binary(BinOp::BvAdd, at, one);
        self.assign(index, behind);
        self.jump(head);
        self.here = after;
    }
}
