//! Candidates for loop invariants. Preconditions of a path through a loop speak of so many rounds (`i < 4`, `i < 3`, …), and there is always
//! another round; what holds in every round has to be guessed. A path that takes the same action twice shows a loop: its updates `x := x + c` and
//! the values that it begins with give
//!
//! - bounds by the first value (`0 <= x`) and by conditions of the loop (`x < n`, therefore `x <= n` after the last round),
//! - remainders (`x % 2 == 0`),
//! - equations between two variables (`x + y == n`).
//!
//! Guesses that are false somewhere on the path are left out. All others are only predicates: wrong ones cost time and nothing else.

use crate::model::statements::Statement;
use crate::model::{ActionId, Model};
use crate::refine::facts;
use crate::refine::path::Path;
use raddle_ir::{BinOp, Expr, ExprId, UnOp, VarId, eval};
use raddle_smt::{Answer, Effort, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Guesses for one path, and conflicts for testing one.
const MOST_CANDIDATES: usize = 40;
const MOST_CONFLICTS: u32 = 300;

/// Visits of the beginning of the loop that a guess is tested at.
const MOST_VISITS: usize = 3;

/// Loops of a path, and conditions behind them, that are looked at.
const MOST_LOOPS: usize = 4;
const MOST_GOALS: usize = 8;

/// What a loop does to a variable.
#[derive(Default)]
struct Updates {
    /// What is added to it.
    steps: BTreeSet<i128>,
    /// Something else is done to it as well.
    is_irregular: bool,
}

/// A loop of a path: the action that it begins with, and where that is.
struct Loop {
    visits: Vec<u32>,
    /// The last action that may belong to it.
    last: u32,
}

/// Predicates, and the first node where they should be known.
pub fn candidates(model: &mut Model, path: &Path, actions: &[ActionId], core: &[usize]) -> Vec<(u32, ExprId)> {
    let mut counts: FxHashMap<ActionId, u32> = FxHashMap::default();
    actions.iter().for_each(|action| *counts.entry(*action).or_default() += 1);
    let mut result = Vec::new();
    let loops = loops(actions, &counts);
    for found in &loops {
        let first = found.visits[0];
        let repeated = |action: u32| action >= first && action <= found.last && counts[&actions[action as usize]] > 1;
        let updates = updates(model, path, &repeated);
        let concerned = concerned(model, path, core, &updates);
        let mut guesses: Vec<ExprId> = Vec::new();
        for (&var, of) in updates.iter().filter(|(var, of)| !of.steps.is_empty() && concerned.contains(var)) {
            let entry = entry_value(model, path, first, var);
            from_entry(model, var, of, entry, &mut guesses);
        }
        from_conditions(model, path, &repeated, &updates, &mut guesses);
        from_pairs(model, path, first, &updates, &concerned, &mut guesses);
        let mut once = FxHashSet::default();
        guesses.retain(|guess| model.pool.as_const(*guess).is_none() && once.insert(*guess));
        guesses.truncate(MOST_CANDIDATES);
        let guesses = not_refuted(model, path, &found.visits, guesses);
        result.extend(guesses.into_iter().map(|guess| (known_from(model, path, first, guess), guess)));
    }
    if let Some(last) = loops.iter().map(|found| found.last).max() {
        result.extend(goals(model, path, last));
    }
    result
}

/// The loops of a path, outer ones before inner ones.
fn loops(actions: &[ActionId], counts: &FxHashMap<ActionId, u32>) -> Vec<Loop> {
    let mut loops: Vec<Loop> = Vec::new();
    let mut seen: FxHashSet<ActionId> = FxHashSet::default();
    for (first, action) in actions.iter().enumerate() {
        if counts[action] < 2 || !seen.insert(*action) || loops.len() >= MOST_LOOPS {
            continue;
        }
        let here = actions.iter().enumerate().filter(|(_, other)| *other == action);
        let visits: Vec<u32> = here.map(|(at, _)| at as u32).collect();
        // An action that comes as often as one before it belongs to the same loop.
        let is_inside = |found: &Loop| first as u32 <= found.last && found.visits.len() >= visits.len();
        if !loops.iter().any(is_inside) {
            let last = visits.last().copied().unwrap_or(0);
            loops.push(Loop { visits, last });
        }
    }
    loops
}

/// What the conditions behind the last loop ask for: a contradiction within the loop is about so many rounds, and may not even touch what is
/// to be shown after it.
fn goals(model: &mut Model, path: &Path, last: u32) -> Vec<(u32, ExprId)> {
    let mut needed: Vec<ExprId> = Vec::new();
    let mut result: Vec<(u32, ExprId)> = Vec::new();
    let mut at = path.statements.len();
    for action in (last + 1..path.length).rev() {
        while at > 0 && path.statements[at - 1].action == action {
            at -= 1;
            match path.statements[at].statement {
                Statement::Assume(cond) => facts::add(&mut model.pool, &mut needed, cond),
                Statement::Assign { var, value } => needed = facts::substitute(&mut model.pool, &needed, var, value),
                Statement::Havoc { var, .. } => needed = facts::eliminate(&mut model.pool, &needed, var),
            }
        }
        let mut atoms = BTreeSet::new();
        for fact in &needed {
            facts::atoms_of(&mut model.pool, *fact, &mut atoms);
        }
        result.extend(atoms.into_iter().take(MOST_GOALS).map(|atom| (action, atom)));
        if result.len() > MOST_CANDIDATES {
            break;
        }
    }
    result
}

fn updates(model: &Model, path: &Path, repeated: &dyn Fn(u32) -> bool) -> BTreeMap<VarId, Updates> {
    let mut updates: BTreeMap<VarId, Updates> = BTreeMap::new();
    for statement in &path.statements {
        if !repeated(statement.action) {
            continue;
        }
        match statement.statement {
            Statement::Assign { var, value } => {
                let of = updates.entry(var).or_default();
                let mut open = vec![value];
                while let Some(value) = open.pop() {
                    match model.pool.get(value) {
                        Expr::Ite(_, a, b) => open.extend([a, b]),
                        Expr::Var(same) if same == var => {
                            of.steps.insert(0);
                        }
                        _ => match step(model, var, value) {
                            Some(step) => {
                                of.steps.insert(step);
                            }
                            None => of.is_irregular = true,
                        },
                    }
                }
            }
            Statement::Havoc { var, .. } => updates.entry(var).or_default().is_irregular = true,
            Statement::Assume(_) => {}
        }
    }
    updates
}

/// The constant that an assignment adds to its variable.
fn step(model: &Model, var: VarId, value: ExprId) -> Option<i128> {
    let Expr::Binary(op, a, b) = model.pool.get(value) else { return None };
    let (Expr::Var(same), Some(constant)) = (model.pool.get(a), model.pool.as_const(b)) else { return None };
    let by = eval::to_signed(constant.sort.bits()?, constant.bits);
    match op {
        BinOp::BvAdd if same == var => Some(by),
        BinOp::BvSub if same == var => by.checked_neg(),
        _ => None,
    }
}

/// The variables that the contradiction is about, and those that conditions compare them with.
fn concerned(model: &Model, path: &Path, core: &[usize], updates: &BTreeMap<VarId, Updates>) -> FxHashSet<VarId> {
    let mut vars: FxHashSet<VarId> = FxHashSet::default();
    for &i in core {
        let statement = path.statements[i].statement;
        vars.extend(statement.read(&model.pool));
        vars.extend(statement.written());
    }
    for statement in &path.statements {
        let read = statement.statement.read(&model.pool);
        let is_condition = matches!(statement.statement, Statement::Assume(_));
        if is_condition && read.iter().any(|var| updates.contains_key(var)) {
            vars.extend(read);
        }
    }
    vars
}

/// What a variable is when the loop begins, if that is still the same value later: a constant, or an expression over variables that do not change.
fn entry_value(model: &mut Model, path: &Path, first: u32, var: VarId) -> Option<ExprId> {
    let before = path.statements.iter().rposition(|s| s.action < first && s.statement.written() == Some(var));
    let Some(at) = before else {
        return model.vars.initial(var).map(|initial| model.pool.constant(initial));
    };
    let Statement::Assign { value, .. } = path.statements[at].statement else { return None };
    let vars = model.pool.vars(value);
    let changes = path.statements[at..].iter().filter_map(|s| s.statement.written()).any(|var| vars.contains(&var));
    if changes {
        // Perhaps it is a constant all the same.
        return model.pool.as_const(path.statements[at].folded).map(|constant| model.pool.constant(constant));
    }
    Some(value)
}

fn from_entry(model: &mut Model, var: VarId, of: &Updates, entry: Option<ExprId>, guesses: &mut Vec<ExprId>) {
    let (sort, Some(entry)) = (model.vars.sort(var), entry) else { return };
    let Some(width) = sort.bits() else { return };
    let pool = &mut model.pool;
    let x = pool.var(var, sort);
    if !of.is_irregular && of.steps.iter().all(|step| *step >= 0) {
        guesses.push(pool.binary(BinOp::SLe, entry, x));
        guesses.push(pool.binary(BinOp::ULe, entry, x));
    }
    if !of.is_irregular && of.steps.iter().all(|step| *step <= 0) {
        guesses.push(pool.binary(BinOp::SLe, x, entry));
        guesses.push(pool.binary(BinOp::ULe, x, entry));
    }
    let divisor = of.steps.iter().fold(0, |a, b| gcd(a, b.unsigned_abs()));
    if divisor >= 2
        && divisor < (1 << (width.min(64) - 1))
        && !of.is_irregular
        && let Some(constant) = pool.as_const(entry)
    {
        let by = pool.bits(width, divisor);
        let rest = pool.binary(BinOp::BvURem, x, by);
        let value = pool.bits(width, constant.bits % divisor);
        guesses.push(pool.eq(rest, value));
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `x < n` in the loop: at its end, `x <= n`.
fn from_conditions(
    model: &mut Model,
    path: &Path,
    repeated: &dyn Fn(u32) -> bool,
    updates: &BTreeMap<VarId, Updates>,
    guesses: &mut Vec<ExprId>,
) {
    let mut atoms: BTreeSet<ExprId> = BTreeSet::new();
    for statement in path.statements.iter().filter(|s| repeated(s.action)) {
        if let Statement::Assume(cond) = statement.statement {
            facts::atoms_of(&mut model.pool, cond, &mut atoms);
        }
    }
    for atom in atoms {
        let pool = &mut model.pool;
        let atom = if let Expr::Unary(UnOp::Not, inner) = pool.get(atom) { inner } else { atom };
        let Expr::Binary(op, a, b) = pool.get(atom) else { continue };
        let Some(width) = pool.sort(a).bits() else { continue };
        let counter = |pool: &raddle_ir::ExprPool, expr: ExprId| match pool.get(expr) {
            Expr::Var(var) => updates.get(&var).filter(|of| !of.steps.is_empty()),
            _ => None,
        };
        let is_float = !matches!(pool.sort(a), raddle_ir::Sort::Bits(_));
        if is_float {
            continue;
        }
        for (x, y) in [(a, b), (b, a)] {
            let Some(of) = counter(pool, x) else { continue };
            let is_rising = of.steps.iter().all(|step| *step >= 0);
            let by = of.steps.iter().map(|step| step.unsigned_abs()).max().unwrap_or(1).max(1);
            let signs: &[BinOp] = match op {
                BinOp::SLt | BinOp::SLe => &[BinOp::SLe],
                BinOp::ULt | BinOp::ULe => &[BinOp::ULe],
                BinOp::Eq => &[BinOp::SLe, BinOp::ULe],
                _ => continue,
            };
            for &sign in signs {
                guesses.push(if is_rising { pool.binary(sign, x, y) } else { pool.binary(sign, y, x) });
                if by > 1
                    && let Some(limit) = pool.as_const(y)
                {
                    let far = if is_rising { limit.bits.wrapping_add(by - 1) } else { limit.bits.wrapping_sub(by - 1) };
                    let far = pool.bits(width, far & eval::mask(width));
                    guesses.push(if is_rising { pool.binary(sign, x, far) } else { pool.binary(sign, far, x) });
                }
            }
        }
    }
}

/// Variables that change together: `b * x - a * y` stays what it is when `a` is added to `x` and `b` to `y`.
fn from_pairs(
    model: &mut Model,
    path: &Path,
    first: u32,
    updates: &BTreeMap<VarId, Updates>,
    concerned: &FxHashSet<VarId>,
    guesses: &mut Vec<ExprId>,
) {
    let regular: Vec<(VarId, i128)> = updates
        .iter()
        .filter(|(var, of)| !of.is_irregular && of.steps.len() == 1 && concerned.contains(var))
        .filter_map(|(var, of)| of.steps.first().map(|step| (*var, *step)))
        .filter(|(_, step)| *step != 0 && step.unsigned_abs() <= 1 << 16)
        .take(6)
        .collect();
    for (i, &(x, a)) in regular.iter().enumerate() {
        for &(y, b) in &regular[i + 1..] {
            let sort = model.vars.sort(x);
            let Some(width) = sort.bits().filter(|_| sort == model.vars.sort(y)) else { continue };
            let entries = (entry_value(model, path, first, x), entry_value(model, path, first, y));
            if a == b {
                let (x, y) = (model.pool.var(x, sort), model.pool.var(y, sort));
                guesses.push(model.pool.binary(BinOp::SLe, x, y));
                guesses.push(model.pool.binary(BinOp::SLe, y, x));
            }
            let (Some(x0), Some(y0)) = entries else { continue };
            let divisor = gcd(a.unsigned_abs(), b.unsigned_abs()) as i128;
            let (a, b) = (a / divisor, b / divisor);
            let pool = &mut model.pool;
            let (x, y) = (pool.var(x, sort), pool.var(y, sort));
            let mut combined = |x: ExprId, y: ExprId| {
                let scaled = |pool: &mut raddle_ir::ExprPool, factor: i128, of: ExprId| {
                    let factor = pool.bits(width, factor as u128 & eval::mask(width));
                    pool.binary(BinOp::BvMul, of, factor)
                };
                let (left, right) = if b < 0 { (-b, a) } else { (b, -a) };
                let left = scaled(pool, left, x);
                let right = scaled(pool, right, y);
                pool.binary(BinOp::BvAdd, left, right)
            };
            let (now, at_first) = (combined(x, y), combined(x0, y0));
            guesses.push(model.pool.eq(now, at_first));
        }
    }
}

/// The guesses that hold at the beginning of each round of the path.
fn not_refuted(model: &mut Model, path: &Path, visits: &[u32], guesses: Vec<ExprId>) -> Vec<ExprId> {
    let mut solver = model.solvers.within(Effort { conflicts: Some(MOST_CONFLICTS), time: None });
    let mut left = guesses;
    for &visit in visits.iter().take(MOST_VISITS) {
        let (values, assumed) = path.values_at(model, visit);
        left.retain(|&guess| {
            let mut replace: FxHashMap<VarId, ExprId> = FxHashMap::default();
            for var in model.pool.vars(guess) {
                let value = values.get(&var).copied().unwrap_or_else(|| path.first_value(model, var));
                replace.insert(var, value);
            }
            let then = model.pool.substitute(guess, &mut |var| replace.get(&var).copied());
            let mut formulas = assumed.clone();
            formulas.push(model.pool.not(then));
            !matches!(solver.check(&model.pool, &formulas), Ok(Answer::Sat))
        });
    }
    left
}

/// The node behind the first write of a variable of it, or where the loop begins.
fn known_from(model: &Model, path: &Path, first: u32, guess: ExprId) -> u32 {
    let vars = model.pool.vars(guess);
    if vars.iter().any(|var| model.vars.initial(*var).is_some()) {
        return 0;
    }
    let writes = |s: &&crate::refine::path::PathStatement| s.statement.written().is_some_and(|var| vars.contains(&var));
    path.statements.iter().find(writes).map_or(first, |s| s.action + 1).min(first)
}
