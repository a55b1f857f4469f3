//! Alignment: the low bits that a value always has.
//!
//! A value is known to be congruent to a residue modulo a power of two (Granger 1989, restricted to powers of two, so
//! that it agrees with wrapping arithmetic). It is insensitive to flow: a variable has one congruence for the whole
//! Program, and so has each cell of memory that accesses are known to hit. The analysis starts with nothing being
//! possible and weakens what it knows until all labels agree with it.

use crate::addresses::Addresses;
use crate::initial_memory::constant_in_bytes;
use crate::liveness::read_before_written;
use crate::points_to::PointsTo;
use raddle_ir::{
    BinOp, Callee, Const, Expr, ExprId, ExprPool, Label, ObjectInit, ObjectKind, Place, ProcId, Program, Sort, UnOp,
    VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// All values that have this residue modulo 2^bits; `bits` is at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congruence {
    pub bits: u8,
    pub residue: u64,
}

/// What is known of a value; `None` if it cannot exist.
type Known = Option<Congruence>;

const ANY: Congruence = Congruence { bits: 0, residue: 0 };

/// After so many rounds over all labels the analysis gives up.
const MOST_ROUNDS: u32 = 100;

impl Congruence {
    fn new(bits: u32, residue: u64) -> Congruence {
        let bits = bits.min(64) as u8;
        let residue = if bits == 64 { residue } else { residue & ((1 << bits) - 1) };
        Congruence { bits, residue }
    }

    fn of_constant(constant: Const) -> Congruence {
        match constant.sort {
            Sort::Bits(width) => Congruence::new(width.into(), constant.bits as u64),
            _ => ANY,
        }
    }

    /// How many low bits are known to be zero.
    fn zeros(self) -> u32 {
        self.residue.trailing_zeros().min(self.bits.into())
    }

    fn bits(self) -> u32 {
        self.bits.into()
    }

    /// The same residue, of which no more than so many bits count.
    fn up_to(self, bits: u32) -> Congruence {
        Congruence::new(self.bits().min(bits), self.residue)
    }

    fn join(self, other: Congruence) -> Congruence {
        self.up_to(other.bits()).up_to((self.residue ^ other.residue).trailing_zeros())
    }
}

/// The result of the analysis: what is known of each expression of the pool.
pub struct Alignment {
    of_expr: Vec<Known>,
}

impl Alignment {
    pub fn get(&self, expr: ExprId) -> Option<Congruence> {
        self.of_expr[expr.0 as usize]
    }

    /// How an access of so many bytes at an address cuts memory.
    pub fn cut(&self, address: ExprId, bytes: u64) -> Cut {
        match self.get(address) {
            Some(known) => (1 << known.bits, known.residue.into(), bytes),
            None => (1, 0, bytes),
        }
    }
}

/// How an access cuts memory: the power of two and residue of its address, and how many bytes it touches.
pub type Cut = (u128, u128, u64);

/// More kinds of accesses than these are not compared with each other.
const MOST_CUTS: usize = 300;

/// Do no two accesses overlap, unless they touch exactly the same bytes?
pub fn are_apart(cuts: &[Cut]) -> bool {
    let pairs = || cuts.iter().enumerate().flat_map(|(i, a)| cuts[i..].iter().map(move |b| (*a, *b)));
    cuts.len() <= MOST_CUTS && pairs().all(|(a, b)| is_apart(a, b))
}

fn is_apart((m, r, a): Cut, (n, s, b): Cut) -> bool {
    let modulus = m.min(n);
    // The distance from the first to the second is this, modulo that.
    let distance = (s + modulus - r % modulus) % modulus;
    let (a, b) = (u128::from(a), u128::from(b));
    if distance == 0 { a == b && modulus >= a } else { distance >= a && modulus - distance >= b }
}

/// Analyses a Program; `None` if that takes too long. The loads and stores of memory are numbered in the order of
/// procedures, edges and labels; `cells` gives the addresses that such an access may hit if its own address has a
/// congruence, or `None` if it hits no cells. All accesses that may hit a cell must be known to, and must have the
/// width of the cell.
pub fn alignment(
    program: &Program,
    points_to: &PointsTo,
    cells: impl Fn(usize, Congruence) -> Option<Vec<u64>>,
) -> Option<Alignment> {
    let mut solver = Solver {
        program,
        points_to,
        addresses: Addresses::new(&program.objects, program.pointer_bits),
        of_var: vec![None; program.vars.len()],
        of_cell: FxHashMap::default(),
        of_expr: vec![None; program.pool.len()],
        changed: false,
    };
    for (var, i) in program.vars.iter().zip(0..) {
        match var.kind {
            VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) => {
                solver.join(VarId(i), Some(Congruence::of_constant(initial)));
            }
            VarKind::Global(None) | VarKind::ThreadLocal(None) => solver.join(VarId(i), Some(ANY)),
            VarKind::Local(_) => {}
        }
    }
    for proc in &program.procs {
        read_before_written(proc, &program.pool).into_iter().for_each(|var| solver.join(var, Some(ANY)));
    }
    for _ in 0..MOST_ROUNDS {
        solver.changed = false;
        for (id, expr, sort) in program.pool.nodes() {
            solver.of_expr[id.0 as usize] = solver.expr(&program.pool, expr, sort);
        }
        let mut access = 0;
        for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
            if let Some(Place::Memory(address)) = label.place() {
                if let Some(address) = solver.of_expr[address.0 as usize] {
                    solver.access(label, cells(access, address));
                }
                access += 1;
            } else {
                solver.label(label);
            }
        }
        if !solver.changed {
            return Some(Alignment { of_expr: solver.of_expr });
        }
    }
    None
}

struct Solver<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    addresses: Addresses,
    of_var: Vec<Known>,
    /// By address and width in bytes.
    of_cell: FxHashMap<(u64, u64), Congruence>,
    of_expr: Vec<Known>,
    changed: bool,
}

impl Solver<'_> {
    fn join(&mut self, var: VarId, value: Known) {
        let Some(value) = value else { return };
        let old = &mut self.of_var[var.index()];
        let new = old.map_or(value, |old| old.join(value));
        self.changed |= *old != Some(new);
        *old = Some(new);
    }

    fn get(&self, expr: ExprId) -> Known {
        self.of_expr[expr.0 as usize]
    }

    /// A load or store of memory that hits one of these cells.
    fn access(&mut self, label: &Label, cells: Option<Vec<u64>>) {
        match (label, cells) {
            (Label::Load { var, .. }, None) => self.join(*var, Some(ANY)),
            (Label::Load { var, .. }, Some(cells)) => {
                let sort = self.program.var(*var).sort;
                for address in cells {
                    let value = self.cell(address, sort);
                    self.join(*var, Some(value));
                }
            }
            (Label::Store { value, .. }, Some(cells)) => {
                let Some(new) = self.get(*value) else { return };
                let sort = self.program.pool.sort(*value);
                for address in cells {
                    let old = self.cell(address, sort);
                    let new = old.join(new);
                    self.changed |= new != old;
                    self.of_cell.insert((address, sort.bytes()), new);
                }
            }
            _ => {}
        }
    }

    /// What a cell holds; at first its initial value.
    fn cell(&mut self, address: u64, sort: Sort) -> Congruence {
        let (program, addresses) = (self.program, &self.addresses);
        let initial = || {
            let at = Const { sort: program.pointer_sort(), bits: address.into() };
            let object = &program.objects[addresses.holding(at, sort.bytes())?.index()];
            let ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } = &object.kind else { return None };
            let bits = Sort::Bits(sort.bits()?);
            Some(Congruence::of_constant(constant_in_bytes(bytes, object.size, address - object.address, bits)?))
        };
        *self.of_cell.entry((address, sort.bytes())).or_insert_with(|| initial().unwrap_or(ANY))
    }

    fn label(&mut self, label: &Label) {
        match label {
            Label::Assign { var, value } => self.join(*var, self.get(*value)),
            Label::Load { var, place: Place::Var(from), .. } => self.join(*var, self.of_var[from.index()]),
            Label::Store { place: Place::Var(to), value, .. } => self.join(*to, self.get(*value)),
            Label::Alloc { var, .. } => self.join(*var, Some(Congruence::new(4, 0))),
            Label::Start { var, callee, arg } => {
                self.join(*var, Some(ANY));
                self.call(*callee, &[*arg], None);
            }
            Label::Call { callee, args, var, .. } => self.call(*callee, args, *var),
            other => {
                if let Some(var) = other.written_local() {
                    self.join(var, Some(ANY));
                }
            }
        }
    }

    fn call(&mut self, callee: Callee, args: &[ExprId], var: Option<VarId>) {
        let procs: Vec<ProcId> = match callee {
            Callee::Proc(proc) => vec![proc],
            Callee::Address(address) => {
                self.points_to.functions(self.program, address).into_iter().map(|(_, proc)| proc).collect()
            }
        };
        for proc in procs {
            let proc = self.program.proc(proc);
            for (i, param) in proc.params.iter().enumerate() {
                let has_sort = |arg: &ExprId| self.program.pool.sort(*arg) == self.program.var(*param).sort;
                let value = args.get(i).filter(|arg| has_sort(arg)).map_or(Some(ANY), |arg| self.get(*arg));
                self.join(*param, value);
            }
            if let Some(var) = var {
                let has_sort = |result: &VarId| self.program.var(*result).sort == self.program.var(var).sort;
                let value = proc.result.filter(has_sort).map_or(Some(ANY), |result| self.of_var[result.index()]);
                self.join(var, value);
            }
        }
    }

    /// What is known of a node whose operands have been looked at.
    fn expr(&self, pool: &ExprPool, expr: Expr, sort: Sort) -> Known {
        let Sort::Bits(width) = sort else {
            // Not followed, but a value that cannot exist yields none.
            let mut exists = true;
            expr.for_each_operand(|operand| exists &= self.get(operand).is_some());
            return exists
                .then_some(ANY)
                .filter(|_| !matches!(expr, Expr::Var(var) if self.of_var[var.index()].is_none()));
        };
        let known = match expr {
            Expr::Const(constant) => Congruence::of_constant(constant),
            Expr::Var(var) => self.of_var[var.index()]?,
            Expr::Unary(UnOp::BvNeg, a) => {
                let a = self.get(a)?;
                Congruence::new(a.bits(), a.residue.wrapping_neg())
            }
            Expr::Unary(UnOp::BvNot, a) => {
                let a = self.get(a)?;
                Congruence::new(a.bits(), !a.residue)
            }
            Expr::Binary(op, a, b) => {
                let low_width = pool.sort(b).bits().unwrap_or(0);
                binary(op, self.get(a)?, self.get(b)?, low_width.into())
            }
            Expr::Ite(cond, a, b) => {
                self.get(cond)?;
                match (self.get(a), self.get(b)) {
                    (Some(a), Some(b)) => a.join(b),
                    (a, b) => a.or(b)?,
                }
            }
            Expr::Extract { low, arg, .. } => shifted_right(self.get(arg)?, low.into()),
            Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => self.get(arg)?,
            other => {
                let mut exists = true;
                other.for_each_operand(|operand| exists &= self.get(operand).is_some());
                exists.then_some(ANY)?
            }
        };
        Some(known.up_to(width.into()))
    }
}

fn shifted_right(a: Congruence, by: u32) -> Congruence {
    Congruence::new(a.bits().saturating_sub(by), a.residue.checked_shr(by).unwrap_or(0))
}

/// `low_width` is the width of the second operand.
fn binary(op: BinOp, a: Congruence, b: Congruence, low_width: u32) -> Congruence {
    let both = a.bits().min(b.bits());
    // The value of a shift's second operand.
    let amount = (b.bits() == low_width).then_some(b.residue).and_then(|by| u32::try_from(by).ok());
    match op {
        BinOp::BvAdd => Congruence::new(both, a.residue.wrapping_add(b.residue)),
        BinOp::BvSub => Congruence::new(both, a.residue.wrapping_sub(b.residue)),
        // (r + 2^k x) (s + 2^l y): what is not r s is a multiple of the least of these powers.
        BinOp::BvMul => {
            let bits = (a.bits() + b.zeros()).min(b.bits() + a.zeros());
            Congruence::new(bits, a.residue.wrapping_mul(b.residue))
        }
        BinOp::BvAnd => {
            let (short, long) = if a.bits < b.bits { (a, b) } else { (b, a) };
            // Beyond the bits that both have, zeros of one are zeros of the result.
            let zeros = shifted_right(long, short.bits()).zeros();
            let mask = Congruence::new(both, u64::MAX).residue;
            Congruence::new(both + zeros, a.residue & b.residue & mask)
        }
        BinOp::BvOr => Congruence::new(both, a.residue | b.residue),
        BinOp::BvXor => Congruence::new(both, a.residue ^ b.residue),
        BinOp::Shl => match amount {
            Some(by) => Congruence::new(a.bits() + by.min(64), a.residue.checked_shl(by).unwrap_or(0)),
            None => Congruence::new(a.zeros(), 0),
        },
        BinOp::LShr | BinOp::AShr => amount.map_or(ANY, |by| shifted_right(a, by)),
        BinOp::Concat if b.bits() == low_width => {
            let high = a.residue.checked_shl(low_width).unwrap_or(0);
            Congruence::new(low_width + a.bits(), high | b.residue)
        }
        BinOp::Concat => b,
        _ => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points_to::points_to;
    use raddle_testing::*;

    /// What is known of expressions where no access hits a cell.
    fn known(program: &Program, expr: ExprId) -> Option<(u8, u64)> {
        let alignment = alignment(program, &points_to(program), |_, _| None)?;
        alignment.get(expr).map(|known| (known.bits, known.residue))
    }

    #[test]
    fn accesses_that_may_overlap_in_part_are_told() {
        assert!(is_apart((4, 0, 4), (4, 0, 4)), "elements of an array of int");
        assert!(is_apart((16, 0, 4), (16, 8, 8)), "two members of a structure");
        assert!(is_apart((1 << 64, 0x1000, 4), (1 << 64, 0x1004, 4)), "two constants");
        assert!(!is_apart((4, 0, 4), (4, 0, 1)), "the first byte of an int");
        assert!(!is_apart((4, 0, 4), (4, 2, 4)), "two halves");
        assert!(!is_apart((2, 0, 4), (2, 0, 4)), "not aligned");
        assert!(!is_apart((8, 0, 4), (8, 4, 8)), "the second goes beyond the eight bytes");
    }

    #[test]
    fn the_low_bits_of_indexed_addresses_are_known() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (i, p) = (b.local(main, "i", 64), b.local(main, "p", 64));
        let (start, four, vi, vp) = (b.num(64, 0x1008), b.num(64, 4), b.get(i), b.get(p));
        let scaled = b.bin(BinOp::BvMul, vi, four);
        let element = b.bin(BinOp::BvAdd, start, scaled);
        let masked = b.bin(BinOp::BvAnd, vi, four);
        let step = b.bin(BinOp::BvAdd, vp, four);
        b.edge(main, 0, 1, vec![input(i), Label::Assign { var: p, value: start }]);
        b.edge(main, 1, 1, vec![Label::Assign { var: p, value: step }]);
        b.edge(main, 1, EXIT, vec![]);
        let program = b.finish();
        assert_eq!(known(&program, start), Some((64, 0x1008)));
        assert_eq!(known(&program, element), Some((2, 0)));
        assert_eq!(known(&program, masked), Some((2, 0)));
        assert_eq!(known(&program, vp), Some((2, 0)), "it grows in steps of 4");
        assert_eq!(known(&program, vi), Some((0, 0)));
    }

    #[test]
    fn congruences_hold_for_all_small_values() {
        let ops = [BinOp::BvAdd, BinOp::BvSub, BinOp::BvMul, BinOp::BvAnd, BinOp::BvOr, BinOp::BvXor, BinOp::Shl];
        let ops = ops.into_iter().chain([BinOp::LShr, BinOp::AShr, BinOp::Concat]);
        let all: Vec<Congruence> = (0..=3).flat_map(|k| (0..1u64 << k).map(move |r| Congruence::new(k, r))).collect();
        let sort = Sort::Bits(3);
        for op in ops {
            for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
                let result = binary(op, a, b, 3).up_to(op.sort(sort, sort).bits().unwrap_or(0).into());
                let within = |of: Congruence, value: u64| Congruence::new(of.bits(), value) == of;
                for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                    if within(a, x) && within(b, y) {
                        let value = raddle_ir::eval::binary(op, sort, sort, x.into(), y.into()) as u64;
                        assert!(within(result, value), "{op:?} {a:?} {b:?}: {x} {y} gives {value}, not {result:?}");
                    }
                }
            }
        }
    }
}
