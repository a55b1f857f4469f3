//! Lifting: short interpolants over words in place of those over bits.
//!
//! For each cut there are candidates: what the parts themselves say about the variables that both sides mention, and comparisons of such variables with
//! each other and with constants. From left to right, `Jk` becomes a conjunction of candidates that `Jk-1 ∧ Ak` implies and that
//! implies the bit-level `Ik`; or dually a disjunction. If there is none, or none that is shorter, `Jk` is `Ik` itself. As `Jk` implies `Ik` in
//! any case, the sequence stays inductive and still contradicts the last part.
//!
//! All of it is cheap or not done: each question to the SAT solver has a small budget of conflicts.

use super::encode::{Shared, array_rules};
use super::to_expr::{Plan, conjunction, plan};
use super::{Failure, Limits};
use crate::aig::{Aig, Lit, Node};
use crate::blast::Blaster;
use crate::cnf::{Clauses, Cnf, SatLit};
use crate::words::{self, Word};
use cadical_sys::{CaDiCal, Status};
use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, Sort, UnOp, eval};
use rustc_hash::{FxHashMap, FxHashSet};

/// Conflicts for one question, and for all questions about one cut.
const CONFLICTS: i64 = 1000;
const ALL_CONFLICTS: i64 = 2000;
/// Questions about one cut.
const QUESTIONS: u32 = 60;
/// Above so many gates in a part and the interpolant behind it, nothing is cheap.
const MOST_GATES: usize = 30_000;
/// How many of each there may be at one cut.
const MOST_WORDS: usize = 12;
const MOST_CONSTANTS: usize = 12;
const MOST_ATOMS: usize = 60;
/// A lifted interpolant has at most so many atoms.
const MOST_CHOSEN: usize = 12;

/// A formula about variables that both sides of a cut mention.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Candidate {
    /// A formula that occurs in some part, or its negation.
    Atom(ExprId, bool),
    Compare(BinOp, Side, Side),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Side {
    Var(ExprId),
    Constant(Const),
}

/// What became of one cut.
#[derive(Clone)]
enum Lifted {
    /// All of these, or one of these.
    All(Vec<Candidate>),
    Any(Vec<Candidate>),
    /// The bit-level interpolant.
    Bits(Lit),
}

/// The bit-level interpolants of all cuts.
pub struct BitLevel<'a> {
    pub aig: &'a Aig,
    pub interpolants: &'a [Lit],
    pub shared: &'a Shared,
}

/// The interpolants as expressions, lifted where that makes them shorter. The second result tells how many were.
pub fn lift(
    pool: &mut ExprPool,
    parts: &[ExprId],
    bit_level: &BitLevel,
    limits: &Limits,
) -> Result<(Vec<ExprId>, usize), Failure> {
    let context = Context { parts, mentions: Mentions::new(pool, parts, bit_level.shared), bit_level, limits };
    let (mut results, mut count) = (Vec::new(), 0);
    let mut before = Lifted::All(Vec::new());
    for (cut, &interpolant) in bit_level.interpolants.iter().enumerate() {
        let plan = plan(bit_level.aig, &bit_level.shared.bits, interpolant);
        let lifted = match interpolant.is_constant() {
            true => None,
            false => lift_one(pool, &context, cut, &before, &plan)?,
        };
        limits.check()?;
        match lifted {
            Some(lifted) => {
                count += 1;
                results.push(express(pool, &lifted));
                before = lifted;
            }
            None => {
                results.push(plan.build(pool));
                before = Lifted::Bits(interpolant);
            }
        }
    }
    Ok((results, count))
}

fn express(pool: &mut ExprPool, lifted: &Lifted) -> ExprId {
    let candidate = |pool: &mut ExprPool, candidate: &Candidate| match *candidate {
        Candidate::Atom(atom, true) => atom,
        Candidate::Atom(atom, false) => pool.not(atom),
        Candidate::Compare(op, a, b) => {
            let mut side = |side| match side {
                Side::Var(var) => var,
                Side::Constant(c) => pool.constant(c),
            };
            let (a, b) = (side(a), side(b));
            pool.binary(op, a, b)
        }
    };
    match lifted {
        Lifted::All(all) => {
            let all: Vec<ExprId> = all.iter().map(|one| candidate(pool, one)).collect();
            conjunction(pool, &all)
        }
        Lifted::Any(any) => {
            let none: Vec<ExprId> = any
                .iter()
                .map(|one| {
                    let one = candidate(pool, one);
                    pool.not(one)
                })
                .collect();
            let none = conjunction(pool, &none);
            pool.not(none)
        }
        Lifted::Bits(_) => pool.bool(true),
    }
}

fn size(pool: &ExprPool, chosen: &[Candidate]) -> usize {
    let size = |candidate: &Candidate| match candidate {
        Candidate::Compare(..) => 3,
        Candidate::Atom(atom, positive) => {
            let mut nodes = usize::from(!positive);
            pool.for_each_node(&[*atom], |_, _| nodes += 1);
            nodes
        }
    };
    chosen.iter().map(size).sum::<usize>() + chosen.len().saturating_sub(1)
}

/// What the parts mention, for the candidates.
struct Mentions {
    /// Formulas without connectives, each with the range of cuts at which both sides mention all its variables: from the first
    /// number up to, without, the second.
    atoms: Vec<(ExprId, u32, u32)>,
    /// The variables that can be compared, with the same range.
    words: Vec<(ExprId, u32, u32)>,
    /// The constants of each part.
    constants: Vec<Vec<Const>>,
}

impl Mentions {
    fn new(pool: &ExprPool, parts: &[ExprId], shared: &Shared) -> Self {
        let mut mentions = Mentions { atoms: Vec::new(), words: Vec::new(), constants: Vec::new() };
        let mut nodes: Vec<ExprId> = Vec::new();
        for &part in parts {
            let mut constants = Vec::new();
            pool.for_each_node(&[part], |id, expr| {
                nodes.push(id);
                if let Expr::Const(c) = expr
                    && c.sort.is_bits()
                {
                    constants.push(c);
                }
            });
            constants.sort_unstable();
            mentions.constants.push(constants);
        }
        nodes.sort_unstable();
        nodes.dedup();
        // Operands have smaller ids. Without variables: all cuts, which is of no use.
        let mut ranges: FxHashMap<ExprId, (u32, u32)> = FxHashMap::default();
        for id in nodes {
            let expr = pool.get(id);
            let mut range = (0, u32::MAX);
            if let Expr::Var(var) = expr {
                range = shared.parts.get(&var).copied().unwrap_or(range);
            }
            expr.for_each_operand(|operand| {
                let (first, last) = ranges.get(&operand).copied().unwrap_or((0, u32::MAX));
                range = (range.0.max(first), range.1.min(last));
            });
            ranges.insert(id, range);
            if range.1 == u32::MAX || range.0 >= range.1 {
                continue;
            }
            let is_connective = matches!(
                expr,
                Expr::Unary(UnOp::Not, _) | Expr::Binary(BinOp::And | BinOp::Or | BinOp::Xor, ..) | Expr::Ite(..)
            );
            match (pool.sort(id), expr) {
                (Sort::Bool, _) if !is_connective => mentions.atoms.push((id, range.0, range.1)),
                (Sort::Bits(_), Expr::Var(_)) => mentions.words.push((id, range.0, range.1)),
                _ => {}
            }
        }
        mentions
    }

    fn at(list: &[(ExprId, u32, u32)], cut: u32, most: usize) -> Vec<ExprId> {
        list.iter().filter(|(_, first, last)| *first <= cut && cut < *last).map(|(id, ..)| *id).take(most).collect()
    }

    /// Constants of one width, from the parts nearest to a cut, and their neighbours.
    fn constants(&self, cut: usize, width: u8) -> Vec<u128> {
        let mut order: Vec<usize> = (0..self.constants.len()).collect();
        order.sort_by_key(|part| (2 * part).abs_diff(2 * cut + 1));
        let mut found = Vec::new();
        for part in order {
            for c in self.constants[part].iter().filter(|c| c.sort == Sort::Bits(width)) {
                if found.len() >= MOST_CONSTANTS {
                    break;
                }
                if !found.contains(&c.bits) {
                    found.push(c.bits);
                }
            }
        }
        let near: Vec<u128> =
            found.iter().flat_map(|c| [c.wrapping_sub(1), c.wrapping_add(1)]).map(|c| c & eval::mask(width)).collect();
        for c in near {
            if !found.contains(&c) {
                found.push(c);
            }
        }
        found
    }

    /// The candidates at a cut, those that one would rather see first.
    fn candidates(&self, pool: &ExprPool, cut: usize) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for atom in Self::at(&self.atoms, cut as u32, MOST_ATOMS) {
            candidates.extend([Candidate::Atom(atom, true), Candidate::Atom(atom, false)]);
        }
        let words = Self::at(&self.words, cut as u32, MOST_WORDS);
        for (i, &a) in words.iter().enumerate() {
            for &b in words[..i].iter().filter(|b| pool.sort(**b) == pool.sort(a)) {
                let (a, b) = (Side::Var(a), Side::Var(b));
                candidates.push(Candidate::Compare(BinOp::Eq, a, b));
                for op in [BinOp::ULe, BinOp::SLe] {
                    candidates.extend([Candidate::Compare(op, a, b), Candidate::Compare(op, b, a)]);
                }
            }
        }
        for &word in &words {
            let Sort::Bits(width) = pool.sort(word) else { continue };
            for c in self.constants(cut, width) {
                comparisons(&mut candidates, word, Const { sort: Sort::Bits(width), bits: c });
            }
        }
        let mut seen = FxHashSet::default();
        candidates.retain(|candidate| seen.insert(*candidate));
        candidates
    }
}

fn comparisons(candidates: &mut Vec<Candidate>, word: ExprId, c: Const) {
    let (x, c) = (Side::Var(word), Side::Constant(c));
    for op in [BinOp::ULe, BinOp::SLe] {
        candidates.extend([Candidate::Compare(op, x, c), Candidate::Compare(op, c, x)]);
    }
    candidates.push(Candidate::Compare(BinOp::Eq, x, c));
}

/// What is the same for all cuts.
struct Context<'a> {
    parts: &'a [ExprId],
    mentions: Mentions,
    bit_level: &'a BitLevel<'a>,
    limits: &'a Limits,
}

/// Lifts the interpolant behind part `cut`, whose bit-level form is as planned, after the one before it.
fn lift_one(
    pool: &ExprPool,
    context: &Context,
    cut: usize,
    before: &Lifted,
    plan: &Plan,
) -> Result<Option<Lifted>, Failure> {
    let Context { mentions, bit_level, limits, .. } = context;
    let part = context.parts[cut];
    let Some(mut checker) = Checker::new(pool, part, limits)? else { return Ok(None) };
    let interpolant = checker.transfer(bit_level, bit_level.interpolants[cut])?;
    let before = checker.lifted(bit_level, before)?;
    if checker.blaster.aig.len() > MOST_GATES {
        return Ok(None);
    }
    let part = checker.blaster.literal(pool, part, limits)?;
    let assumed = [checker.sat_literal(before), checker.sat_literal(part)];
    let interpolant = checker.sat_literal(interpolant);

    // A first model tells what the words can be.
    let mut candidates = mentions.candidates(pool, cut);
    match checker.solve(&assumed) {
        Some(false) => return Ok(Some(Lifted::Any(Vec::new()))),
        None => return Ok(None),
        Some(true) => {}
    }
    let words = Mentions::at(&mentions.words, cut as u32, MOST_WORDS);
    let values: Vec<(ExprId, u128)> = words.iter().map(|&word| (word, checker.value(word))).collect();
    for (word, bits) in values {
        comparisons(&mut candidates, word, Const { sort: pool.sort(word), bits });
    }
    let mut literals: Vec<(Candidate, SatLit)> = Vec::new();
    for candidate in candidates {
        let lit = checker.candidate(candidate)?;
        // Atoms of other parts may be large.
        if checker.blaster.aig.len() > MOST_GATES {
            return Ok(None);
        }
        if !lit.is_constant() {
            literals.push((candidate, checker.sat_literal(lit)));
        }
    }
    if !checker.rules() {
        return Ok(None);
    }
    // Once more, now that the SAT solver knows what array terms mean.
    match checker.solve(&assumed) {
        Some(false) => return Ok(Some(Lifted::Any(Vec::new()))),
        None => return Ok(None),
        Some(true) => {}
    }

    let shorter = |chosen: &[Candidate]| chosen.len() <= MOST_CHOSEN && size(pool, chosen) < plan.size();
    // All that holds here: enough for the interpolant?
    let Some(all) = checker.hold(&assumed, &literals) else { return Ok(None) };
    if let Some(chosen) = checker.enough(&[!interpolant], &all) {
        let chosen = join(chosen, &all);
        let lits = all.iter().filter(|(candidate, _)| chosen.contains(candidate)).map(|(_, lit)| *lit);
        let refuted: Vec<SatLit> = lits.chain([!interpolant]).collect();
        if shorter(&chosen) && checker.solve(&refuted) == Some(false) {
            return Ok(Some(Lifted::All(chosen)));
        }
    }
    // Each that is enough for the interpolant, as its complement: does one of them hold here?
    let complements: Vec<(Candidate, SatLit)> = literals.iter().map(|&(candidate, lit)| (candidate, !lit)).collect();
    let Some(any) = checker.hold(&[!interpolant], &complements) else { return Ok(None) };
    if let Some(any) = checker.enough(&assumed, &any)
        && shorter(&any)
    {
        return Ok(Some(Lifted::Any(any)));
    }
    Ok(None)
}

/// Several bounds on one word, where it has only one value (or is another word): the equality says it all.
fn join(mut chosen: Vec<Candidate>, holding: &[(Candidate, SatLit)]) -> Vec<Candidate> {
    let equalities = holding.iter().filter(|(candidate, _)| matches!(candidate, Candidate::Compare(BinOp::Eq, ..)));
    for &(equality, _) in equalities {
        let Candidate::Compare(_, a, b) = equality else { continue };
        let follows = |candidate: &Candidate| match *candidate {
            Candidate::Compare(_, Side::Constant(_), other) | Candidate::Compare(_, other, Side::Constant(_)) => {
                other == a && matches!(b, Side::Constant(_))
            }
            Candidate::Compare(_, x, y) => (x, y) == (a, b) || (x, y) == (b, a),
            Candidate::Atom(..) => false,
        };
        if chosen.iter().filter(|candidate| follows(candidate)).count() > 1 {
            chosen.retain(|candidate| !follows(candidate));
            chosen.push(equality);
        }
    }
    chosen
}

/// Answers the questions about one cut.
struct Checker<'a> {
    sat: CaDiCal,
    blaster: Blaster,
    cnf: Cnf,
    pool: &'a ExprPool,
    part: ExprId,
    limits: &'a Limits,
    questions: u32,
}

impl<'a> Checker<'a> {
    /// Nothing if the part is too large.
    fn new(pool: &'a ExprPool, part: ExprId, limits: &'a Limits) -> Result<Option<Self>, Failure> {
        let mut blaster = Blaster::default();
        blaster.blast(pool, part, limits)?;
        if blaster.aig.len() > MOST_GATES {
            return Ok(None);
        }
        let sat = limits.sat_solver();
        Ok(Some(Checker { sat, blaster, cnf: Cnf::default(), pool, part, limits, questions: 0 }))
    }

    fn sat_literal(&mut self, lit: Lit) -> SatLit {
        self.cnf.literal(&mut self.sat, &self.blaster.aig, lit)
    }

    /// Tells the SAT solver what array terms mean, unless there are too many.
    fn rules(&mut self) -> bool {
        let Ok(rules) = array_rules(&mut self.blaster, self.pool, &[self.part]) else { return false };
        for clause in rules {
            self.cnf.clause(&mut self.sat, &self.blaster.aig, &clause);
        }
        true
    }

    fn word(&mut self, var: ExprId) -> Result<Word, Failure> {
        self.blaster.blast(self.pool, var, self.limits)?;
        Ok(self.blaster.known(self.pool, var).map(<[Lit]>::to_vec).unwrap_or_default())
    }

    fn candidate(&mut self, candidate: Candidate) -> Result<Lit, Failure> {
        Ok(match candidate {
            Candidate::Atom(atom, positive) => self.blaster.literal(self.pool, atom, self.limits)? ^ !positive,
            Candidate::Compare(op, a, b) => {
                let mut side = |side| match side {
                    Side::Var(var) => self.word(var),
                    Side::Constant(c) => Ok(words::constant(c.sort.bits().map_or(0, usize::from), c.bits)),
                };
                let (a, b) = (side(a)?, side(b)?);
                let aig = &mut self.blaster.aig;
                match op {
                    BinOp::ULe => words::ule(aig, &a, &b),
                    BinOp::SLe => words::sle(aig, &a, &b),
                    _ => words::eq(aig, &a, &b),
                }
            }
        })
    }

    fn lifted(&mut self, bit_level: &BitLevel, lifted: &Lifted) -> Result<Lit, Failure> {
        Ok(match lifted {
            Lifted::Bits(lit) => self.transfer(bit_level, *lit)?,
            Lifted::All(all) | Lifted::Any(all) => {
                let mut lits = Vec::new();
                for &one in all {
                    lits.push(self.candidate(one)?);
                }
                match lifted {
                    Lifted::Any(_) => self.blaster.aig.or_all(lits),
                    _ => self.blaster.aig.and_all(lits),
                }
            }
        })
    }

    /// Copies a bit-level interpolant into the circuit.
    fn transfer(&mut self, bit_level: &BitLevel, root: Lit) -> Result<Lit, Failure> {
        let mut copies: FxHashMap<u32, Lit> = FxHashMap::default();
        copies.insert(0, Lit::FALSE);
        let mut open = vec![root.node()];
        while let Some(&node) = open.last() {
            if copies.contains_key(&node) {
                open.pop();
                continue;
            }
            let copy = match bit_level.aig.get(node) {
                Node::False => Some(Lit::FALSE),
                Node::Input => {
                    let (var, bit) = bit_level.shared.bits[node as usize - 1];
                    Some(self.word(var)?[usize::from(bit)])
                }
                Node::And(a, b) => match (copies.get(&a.node()), copies.get(&b.node())) {
                    (Some(&x), Some(&y)) => Some(self.blaster.aig.and(x ^ a.is_inverted(), y ^ b.is_inverted())),
                    _ => {
                        open.extend([a.node(), b.node()]);
                        None
                    }
                },
            };
            if let Some(copy) = copy {
                copies.insert(node, copy);
                open.pop();
            }
        }
        Ok(copies[&root.node()] ^ root.is_inverted())
    }

    /// Can the assumptions all be true? `None` if that costs too much.
    fn solve(&mut self, assumptions: &[SatLit]) -> Option<bool> {
        self.questions += 1;
        let conflicts = CONFLICTS.min(ALL_CONFLICTS - self.sat.get_statistic_value("conflicts"));
        if self.questions > QUESTIONS || conflicts <= 0 || self.limits.why().is_some() {
            return None;
        }
        for lit in assumptions {
            self.sat.assume(lit.0);
        }
        self.sat.limit("conflicts", conflicts as i32);
        match self.sat.solve() {
            Status::SATISFIABLE => Some(true),
            Status::UNSATISFIABLE => Some(false),
            Status::UNKNOWN => None,
        }
    }

    /// The value of a variable in the model.
    fn value(&mut self, var: ExprId) -> u128 {
        let word = self.blaster.known(self.pool, var).map(<[Lit]>::to_vec).unwrap_or_default();
        word.iter().rev().fold(0, |value, lit| {
            let bit = self.cnf.variable(lit.node()).is_some_and(|variable| self.sat.val(variable.0) > 0);
            value << 1 | u128::from(bit != lit.is_inverted())
        })
    }

    /// Those candidates that follow from the assumptions, unless that costs too much.
    fn hold(&mut self, assumed: &[SatLit], candidates: &[(Candidate, SatLit)]) -> Option<Vec<(Candidate, SatLit)>> {
        let mut alive = candidates.to_vec();
        while !alive.is_empty() {
            // Is there a model in which one of them is false? Each model may rule out many.
            let switch = self.cnf.fresh();
            let clause: Vec<SatLit> = alive.iter().map(|(_, lit)| !*lit).chain([!switch]).collect();
            self.sat.clause(&clause);
            let assumptions: Vec<SatLit> = assumed.iter().copied().chain([switch]).collect();
            let answer = self.solve(&assumptions);
            if answer == Some(true) {
                alive.retain(|(_, lit)| self.sat.val(lit.0.abs()).is_positive() == lit.0.is_positive());
            }
            self.sat.clause(&[!switch]);
            match answer {
                Some(true) => {}
                Some(false) => break,
                None => return None,
            }
        }
        Some(alive)
    }

    /// Few of the candidates that contradict the assumptions together, if all of them do.
    fn enough(&mut self, assumed: &[SatLit], candidates: &[(Candidate, SatLit)]) -> Option<Vec<Candidate>> {
        let mut core = self.core(assumed, candidates)?;
        // The last ones go first: they are those that one would rather not see.
        let mut i = core.len();
        while i > 0 && core.len() > 1 {
            i -= 1;
            let mut fewer = core.clone();
            fewer.remove(i);
            if let Some(found) = self.core(assumed, &fewer) {
                core = found;
                i = i.min(core.len());
            }
        }
        Some(core.into_iter().map(|(candidate, _)| candidate).collect())
    }

    fn core(&mut self, assumed: &[SatLit], candidates: &[(Candidate, SatLit)]) -> Option<Vec<(Candidate, SatLit)>> {
        let assumptions: Vec<SatLit> = candidates.iter().map(|(_, lit)| *lit).chain(assumed.iter().copied()).collect();
        match self.solve(&assumptions)? {
            true => None,
            false => Some(candidates.iter().filter(|(_, lit)| self.sat.failed(lit.0)).copied().collect()),
        }
    }
}
