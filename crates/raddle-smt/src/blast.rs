//! Bit-blasting: expressions to circuits, each expression once.
//!
//! Every scalar expression becomes a word of literals (a Bool one literal, a float its encoding), by the circuits in `words.rs` and
//! `floats/`; reads of arrays and comparisons of arrays by `arrays.rs`. A variable becomes a word of inputs when it is first met, or
//! is bound to an expression before (another name for it), and then costs nothing.

use crate::aig::{Aig, Lit};
use crate::arrays::{Arrays, End};
use crate::floats;
use crate::limits::Limits;
use crate::model::Model;
use crate::solver::Why;
use crate::words::{self, Word};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

const NOT_YET: u32 = u32::MAX;

/// The circuits of expressions of one pool.
#[derive(Default)]
pub struct Blaster {
    pub aig: Aig,
    pub arrays: Arrays,
    /// Where in `lits` the word of each expression begins. Array-sorted expressions have an empty word.
    starts: Vec<u32>,
    lits: Vec<Lit>,
    /// The words of the variables that were met.
    variables: FxHashMap<VarId, (Sort, u32)>,
    /// Clauses over the circuit that must hold because of what array terms mean.
    pub side_clauses: Vec<Vec<Lit>>,
}

impl Blaster {
    /// The word of an expression that was blasted before.
    pub fn known(&self, pool: &ExprPool, expr: ExprId) -> Option<&[Lit]> {
        let start = *self.starts.get(expr.0 as usize).filter(|start| **start != NOT_YET)? as usize;
        let width = pool.sort(expr).bits().map_or(0, usize::from);
        Some(&self.lits[start..start + width])
    }

    /// The sort and word of a variable that was met or bound.
    pub fn variable(&self, var: VarId) -> Option<(Sort, &[Lit])> {
        let &(sort, start) = self.variables.get(&var)?;
        let width = sort.bits().map_or(0, usize::from);
        Some((sort, &self.lits[start as usize..start as usize + width]))
    }

    fn store(&mut self, expr: ExprId, word: &[Lit]) -> u32 {
        if self.starts.len() <= expr.0 as usize {
            self.starts.resize(expr.0 as usize + 1, NOT_YET);
        }
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(word);
        self.starts[expr.0 as usize] = start;
        start
    }

    /// Makes a variable another name for an expression (blasted already) of its sort, if nobody has met the variable yet.
    pub fn bind(&mut self, pool: &ExprPool, variable: ExprId, to: ExprId) -> bool {
        let Expr::Var(var) = pool.get(variable) else { return false };
        if self.variables.contains_key(&var) {
            return false;
        }
        let Some(word) = self.known(pool, to).map(<[Lit]>::to_vec) else { return false };
        if pool.sort(variable).bits().is_none() {
            self.arrays.bound.insert(var, to);
        }
        self.bind_word(pool, variable, &word)
    }

    /// Makes a variable another name for a word, if nobody has met the variable yet.
    pub fn bind_word(&mut self, pool: &ExprPool, variable: ExprId, word: &[Lit]) -> bool {
        let Expr::Var(var) = pool.get(variable) else { return false };
        if self.variables.contains_key(&var) {
            return false;
        }
        let start = self.store(variable, word);
        self.variables.insert(var, (pool.sort(variable), start));
        true
    }

    pub fn is_met(&self, var: VarId) -> bool {
        self.variables.contains_key(&var)
    }

    /// The literal of a Bool expression.
    pub fn literal(&mut self, pool: &ExprPool, expr: ExprId, limits: &Limits) -> Result<Lit, Why> {
        self.blast(pool, expr, limits)?;
        Ok(self.known(pool, expr).and_then(|word| word.first().copied()).unwrap_or(Lit::FALSE))
    }

    /// Blasts an expression and all below it.
    pub fn blast(&mut self, pool: &ExprPool, root: ExprId, limits: &Limits) -> Result<(), Why> {
        if self.known(pool, root).is_some() {
            return Ok(());
        }
        self.aig.limit(limits);
        if self.starts.len() < pool.len() {
            self.starts.resize(pool.len(), NOT_YET);
        }
        let mut open = vec![root];
        let mut steps = 0u32;
        while let Some(&id) = open.last() {
            if self.starts[id.0 as usize] != NOT_YET {
                open.pop();
                continue;
            }
            let expr = pool.get(id);
            let before = open.len();
            expr.for_each_operand(|operand| {
                if self.starts[operand.0 as usize] == NOT_YET {
                    open.push(operand);
                }
            });
            if open.len() > before {
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(256) {
                limits.check()?;
            }
            open.pop();
            let word = self.node(pool, id, expr);
            if self.aig.was_stopped() {
                return Err(limits.why().unwrap_or(Why::Interrupted));
            }
            let start = self.store(id, &word);
            if let Expr::Var(var) = expr {
                self.variables.insert(var, (pool.sort(id), start));
            }
        }
        Ok(())
    }

    /// The word of an operand.
    fn word(&self, pool: &ExprPool, expr: ExprId) -> Word {
        self.known(pool, expr).map(<[Lit]>::to_vec).unwrap_or_default()
    }

    /// One node, whose operands have their words.
    fn node(&mut self, pool: &ExprPool, id: ExprId, expr: Expr) -> Word {
        let sort = pool.sort(id);
        match expr {
            Expr::Const(c) => words::constant(sort.bits().map_or(0, usize::from), c.bits),
            Expr::Var(_) => (0..sort.bits().unwrap_or(0)).map(|_| self.aig.input()).collect(),
            Expr::Unary(op, a) => {
                let word = self.word(pool, a);
                match (op, pool.sort(a)) {
                    (UnOp::Not | UnOp::BvNot, _) => words::not(&word),
                    (UnOp::BvNeg, _) => words::neg(&mut self.aig, &word),
                    (_, Sort::Float(f)) => floats::unary(&mut self.aig, op, f, &word),
                    // Not an expression that the pool would make.
                    _ => Word::new(),
                }
            }
            Expr::Binary(BinOp::Eq, a, b) if pool.sort(a).bits().is_none() => {
                let (starts, lits) = (&self.starts, &self.lits);
                let words = |expr: ExprId| word_of(starts, lits, pool, expr);
                vec![self.arrays.equal(&mut self.aig, pool, &words, (a, b), &mut self.side_clauses)]
            }
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.word(pool, a), self.word(pool, b));
                self.binary(op, pool.sort(a), &x, &y)
            }
            // Of two arrays: no word, as for all arrays.
            Expr::Ite(c, a, b) => {
                let (c, x, y) = (self.word(pool, c), self.word(pool, a), self.word(pool, b));
                words::ite(&mut self.aig, c[0], &x, &y)
            }
            Expr::Fma(a, b, c) => {
                let (x, y, z) = (self.word(pool, a), self.word(pool, b), self.word(pool, c));
                match sort {
                    Sort::Float(f) => floats::fma(&mut self.aig, f, &x, &y, &z),
                    _ => Word::new(),
                }
            }
            Expr::Extract { high, low, arg } => self.word(pool, arg)[usize::from(low)..=usize::from(high)].to_vec(),
            Expr::ZeroExt { width, arg } => words::zero_extend(&self.word(pool, arg), width.into()),
            Expr::SignExt { width, arg } => words::sign_extend(&self.word(pool, arg), width.into()),
            Expr::BitsToF { arg, .. } => self.word(pool, arg),
            Expr::SToF { to, arg } | Expr::UToF { to, arg } => {
                let word = self.word(pool, arg);
                let signed = matches!(expr, Expr::SToF { .. });
                floats::from_integer(&mut self.aig, to, signed, &word)
            }
            Expr::FToF { arg, .. } | Expr::FToS { arg, .. } | Expr::FToU { arg, .. } => {
                let word = self.word(pool, arg);
                match (expr, pool.sort(arg)) {
                    (Expr::FToF { to, .. }, Sort::Float(from)) => floats::to_float(&mut self.aig, from, to, &word),
                    (Expr::FToS { width, .. }, Sort::Float(f)) => {
                        floats::to_integer(&mut self.aig, f, true, width, &word)
                    }
                    (Expr::FToU { width, .. }, Sort::Float(f)) => {
                        floats::to_integer(&mut self.aig, f, false, width, &word)
                    }
                    _ => Word::new(),
                }
            }
            Expr::Select(array, index) => {
                let index = self.word(pool, index);
                let (starts, lits) = (&self.starts, &self.lits);
                let words = |expr: ExprId| word_of(starts, lits, pool, expr);
                self.arrays.read(&mut self.aig, pool, &words, array, index)
            }
            Expr::Store(..) | Expr::ConstArray { .. } => Word::new(),
        }
    }

    fn binary(&mut self, op: BinOp, sort: Sort, a: &[Lit], b: &[Lit]) -> Word {
        let aig = &mut self.aig;
        match op {
            BinOp::And | BinOp::BvAnd => words::and(aig, a, b),
            BinOp::Or | BinOp::BvOr => words::or(aig, a, b),
            BinOp::Xor | BinOp::BvXor => words::xor(aig, a, b),
            BinOp::Eq => vec![words::eq(aig, a, b)],
            BinOp::BvAdd => words::add(aig, a, b),
            BinOp::BvSub => words::sub(aig, a, b),
            BinOp::BvMul => words::mul(aig, a, b),
            BinOp::BvUDiv => words::udivrem(aig, a, b).0,
            BinOp::BvURem => words::udivrem(aig, a, b).1,
            BinOp::BvSDiv => words::sdivrem(aig, a, b).0,
            BinOp::BvSRem => words::sdivrem(aig, a, b).1,
            BinOp::Shl => words::shl(aig, a, b),
            BinOp::LShr => words::lshr(aig, a, b),
            BinOp::AShr => words::ashr(aig, a, b),
            BinOp::ULt => vec![words::ult(aig, a, b)],
            BinOp::ULe => vec![words::ule(aig, a, b)],
            BinOp::SLt => vec![words::slt(aig, a, b)],
            BinOp::SLe => vec![words::sle(aig, a, b)],
            BinOp::Concat => b.iter().chain(a).copied().collect(),
            BinOp::SAddOverflows => vec![words::sadd_overflows(aig, a, b)],
            BinOp::SSubOverflows => vec![words::ssub_overflows(aig, a, b)],
            BinOp::SMulOverflows => vec![words::smul_overflows(aig, a, b)],
            BinOp::UMulOverflows => vec![words::umul_overflows(aig, a, b)],
            BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FEq
            | BinOp::FLt
            | BinOp::FLe => match sort {
                Sort::Float(f) => floats::binary(aig, op, f, a, b),
                // Not an expression that the pool would make.
                _ => Word::new(),
            },
        }
    }

    /// See `Arrays::end_of`.
    pub fn end_of(&self, pool: &ExprPool, read: usize, model: &mut Model) -> End {
        let words = |expr: ExprId| word_of(&self.starts, &self.lits, pool, expr);
        self.arrays.end_of(&self.aig, pool, &words, read, model)
    }

    /// See `Arrays::lemmas`.
    pub fn array_lemmas(
        &mut self,
        pool: &ExprPool,
        read: usize,
        model: &mut Model,
        lemmas: &mut Vec<Vec<Lit>>,
    ) -> Option<usize> {
        let (starts, lits) = (&self.starts, &self.lits);
        let words = |expr: ExprId| word_of(starts, lits, pool, expr);
        self.arrays.lemmas(&mut self.aig, pool, &words, read, model, lemmas)
    }

    /// All that holds of one read whatever the model, as clauses: how it relates to the array below a store, to the arrays of a choice,
    /// and to the earlier reads of an array variable. It may add reads to the end of the list.
    pub fn read_rules(&mut self, pool: &ExprPool, read: usize) -> Vec<Vec<Lit>> {
        let (starts, lits) = (&self.starts, &self.lits);
        let words = |expr: ExprId| word_of(starts, lits, pool, expr);
        let (aig, arrays) = (&mut self.aig, &mut self.arrays);
        let (array, index, value) = {
            let read = &arrays.reads[read];
            (read.array, read.index.clone(), read.value.clone())
        };
        match pool.get(array) {
            Expr::Store(below, place, stored) => {
                let hit = words::eq(aig, &words(place), &index);
                let other = arrays.read(aig, pool, &words, below, index);
                let (here, there) = (words::eq(aig, &value, &words(stored)), words::eq(aig, &value, &other));
                vec![vec![!hit, here], vec![hit, there]]
            }
            Expr::Ite(c, a, b) => {
                let c = words(c)[0];
                let a = arrays.read(aig, pool, &words, a, index.clone());
                let b = arrays.read(aig, pool, &words, b, index);
                let (then, otherwise) = (words::eq(aig, &value, &a), words::eq(aig, &value, &b));
                vec![vec![!c, then], vec![c, otherwise]]
            }
            _ => {
                let earlier: Vec<usize> = (0..read).filter(|&other| arrays.reads[other].array == array).collect();
                earlier.into_iter().map(|other| arrays.congruence(aig, other, read)).collect()
            }
        }
    }

    /// Two arrays are the same at an index.
    pub fn equal_at(&mut self, pool: &ExprPool, arrays: (ExprId, ExprId), index: Word) -> Lit {
        let (starts, lits) = (&self.starts, &self.lits);
        let words = |expr: ExprId| word_of(starts, lits, pool, expr);
        let a = self.arrays.read(&mut self.aig, pool, &words, arrays.0, index.clone());
        let b = self.arrays.read(&mut self.aig, pool, &words, arrays.1, index);
        words::eq(&mut self.aig, &a, &b)
    }

    /// The indices of all stores that an array is made of.
    pub fn places(&self, pool: &ExprPool, array: ExprId) -> Vec<Word> {
        let mut places = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![array];
        while let Some(array) = open.pop() {
            if !seen.insert(array) {
                continue;
            }
            match pool.get(array) {
                Expr::Var(var) => open.extend(self.arrays.bound.get(&var)),
                Expr::Ite(_, a, b) => open.extend([a, b]),
                Expr::Store(below, place, _) => {
                    places.push(self.word(pool, place));
                    open.push(below);
                }
                _ => {}
            }
        }
        places
    }
}

fn word_of(starts: &[u32], lits: &[Lit], pool: &ExprPool, expr: ExprId) -> Word {
    let width = pool.sort(expr).bits().map_or(0, usize::from);
    match starts.get(expr.0 as usize) {
        Some(&start) if start != NOT_YET => lits[start as usize..start as usize + width].to_vec(),
        _ => Word::new(),
    }
}
