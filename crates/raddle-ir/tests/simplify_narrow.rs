//! The simplification rules on narrow bit-vectors: all expressions of one operator over two variables and all constants, then many of two and
//! three operators, each compared on all values of the variables. The tables of values are made from the operators alone, so
//! the constructors are compared with the evaluator.

use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId, eval};
use rustc_hash::FxHashSet;

const UNARY: [UnOp; 3] = [UnOp::Not, UnOp::BvNot, UnOp::BvNeg];

const BINARY: [BinOp; 26] = {
    use BinOp::*;
    [
        And,
        Or,
        Xor,
        Eq,
        BvAdd,
        BvSub,
        BvMul,
        BvUDiv,
        BvSDiv,
        BvURem,
        BvSRem,
        BvAnd,
        BvOr,
        BvXor,
        Shl,
        LShr,
        AShr,
        ULt,
        ULe,
        SLt,
        SLe,
        Concat,
        SAddOverflows,
        SSubOverflows,
        SMulOverflows,
        UMulOverflows,
    ]
};

/// The values of an expression under every assignment.
type Table = Vec<u8>;

struct Universe {
    pool: ExprPool,
    /// Of each expression of the pool.
    tables: Vec<Table>,
    /// What later expressions are made of, with the values that it must have.
    items: Vec<(ExprId, Table)>,
    known: FxHashSet<(ExprId, Table)>,
    width: u8,
}

impl Universe {
    /// The variables are a Bool and two bit-vectors; an assignment is a number of `2 * width + 1` bits.
    fn new(width: u8) -> Universe {
        let mut universe = Universe {
            pool: ExprPool::new(),
            tables: Vec::new(),
            items: Vec::new(),
            known: FxHashSet::default(),
            width,
        };
        for (i, sort) in [Sort::Bool, Sort::Bits(width), Sort::Bits(width)].into_iter().enumerate() {
            let id = universe.pool.var(VarId(i as u32), sort);
            let table = universe.var_table(i);
            universe.add(id, table);
        }
        for value in 0..1 << width {
            let id = universe.pool.bits(width, value);
            let table = vec![value as u8; universe.assignments()];
            universe.add(id, table);
        }
        universe
    }

    fn assignments(&self) -> usize {
        1 << (2 * self.width + 1)
    }

    fn var_table(&self, var: usize) -> Table {
        let n = self.width;
        let value = |assignment: usize| match var {
            0 => assignment & 1,
            1 => (assignment >> 1) & ((1 << n) - 1),
            _ => assignment >> (n + 1),
        };
        (0..self.assignments()).map(|assignment| value(assignment) as u8).collect()
    }

    /// Notes an expression that a constructor made, after comparing its values with the expected ones.
    fn add(&mut self, id: ExprId, expected: Table) {
        while self.tables.len() < self.pool.len() {
            let table = self.compute(self.pool.get(ExprId(self.tables.len() as u32)), |id| &self.tables[id.0 as usize]);
            self.tables.push(table);
        }
        assert_eq!(self.tables[id.0 as usize], expected, "{:?}", self.pool.get(id));
        if self.known.insert((id, expected.clone())) {
            self.items.push((id, expected));
        }
    }

    fn compute<'a>(&'a self, expr: Expr, table: impl Fn(ExprId) -> &'a Table) -> Table {
        let sort = |id: ExprId| self.pool.sort(id);
        (0..self.assignments())
            .map(|i| {
                let value = |id: ExprId| u128::from(table(id)[i]);
                let result = match expr {
                    Expr::Const(c) => c.bits,
                    Expr::Var(var) => return self.var_table(var.index())[i],
                    Expr::Unary(op, a) => eval::unary(op, sort(a), value(a)),
                    Expr::Binary(op, a, b) => eval::binary(op, sort(a), sort(b), value(a), value(b)),
                    Expr::Ite(c, a, b) => value(if value(c) != 0 { a } else { b }),
                    Expr::Extract { arg, .. } | Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => {
                        eval::convert(expr, sort(arg), value(arg))
                    }
                    other => panic!("no rule should make {other:?}"),
                };
                result as u8
            })
            .collect()
    }

    /// Makes an expression of items by a constructor, if it has a sort.
    fn make(&mut self, expr: impl Fn(&[ExprId]) -> Expr, operands: &[usize]) {
        let ids: Vec<ExprId> = operands.iter().map(|&i| self.items[i].0).collect();
        let expr = expr(&ids);
        match self.pool.check(expr) {
            Ok(Some(sort)) if sort.bits().is_some_and(|bits| bits <= 8) => {}
            _ => return,
        }
        let table_of = |id: ExprId| {
            let position = ids.iter().position(|&operand| operand == id).expect("an operand");
            &self.items[operands[position]].1
        };
        let expected = self.compute(expr, table_of);
        let id = self.pool.rebuild(expr, Sort::Bool);
        self.add(id, expected);
    }

    fn make_number(&mut self, kind: usize, operands: [usize; 3]) {
        let [i, j, k] = operands;
        match kind {
            0..3 => self.make(|ids| Expr::Unary(UNARY[kind], ids[0]), &[i]),
            3..29 => self.make(|ids| Expr::Binary(BINARY[kind - 3], ids[0], ids[1]), &[i, j]),
            29..33 => {
                let width = [2, 3, 4, 6][kind - 29];
                self.make(|ids| Expr::ZeroExt { width, arg: ids[0] }, &[i]);
                self.make(|ids| Expr::SignExt { width, arg: ids[0] }, &[i]);
            }
            33..39 => {
                let (high, low) = [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (3, 2)][kind - 33];
                self.make(|ids| Expr::Extract { high, low, arg: ids[0] }, &[i]);
            }
            _ => self.make(|ids| Expr::Ite(ids[0], ids[1], ids[2]), &[i, j, k]),
        }
    }
}

const KINDS: usize = 42;

fn explore(width: u8, random_expressions: usize) {
    let mut universe = Universe::new(width);
    let leaves = universe.items.len();
    for kind in 0..KINDS {
        for i in 0..leaves {
            for j in 0..leaves {
                for k in 0..if kind < 39 { 1 } else { leaves } {
                    universe.make_number(kind, [i, j, k]);
                }
            }
        }
    }
    let mut state = 1u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % bound
    };
    for _ in 0..random_expressions {
        let kind = random(KINDS);
        let first = random(universe.items.len());
        // Operands of the same sort, and often leaves.
        let sort = universe.pool.sort(universe.items[first].0);
        let mut fitting = |sort: Option<Sort>| {
            for _ in 0..30 {
                let bound = if random(3) == 0 { leaves } else { universe.items.len() };
                let candidate = random(bound);
                if sort.is_none_or(|sort| universe.pool.sort(universe.items[candidate].0) == sort) {
                    return candidate;
                }
            }
            first
        };
        let operands = if kind >= 39 {
            let condition = fitting(Some(Sort::Bool));
            [condition, first, fitting(Some(sort))]
        } else {
            let second = fitting(Some(sort));
            if kind % 2 == 0 { [first, second, 0] } else { [second, first, 0] }
        };
        universe.make_number(kind, operands);
    }
}

#[test]
fn one_bit() {
    explore(1, 60_000);
}

#[test]
fn two_bits() {
    explore(2, 300_000);
}

#[test]
fn three_bits() {
    explore(3, 300_000);
}
