//! The questions of property-directed reachability, to one solver that has the block from any state, and the first one, for good.
//!
//! The state before a block has the number 0; what variables are after it has names for each cut point, and so has what they are after the first block. Clauses of a level are switched on by a
//! literal of that level; a frame is all of its own level and of those above.

use super::Cube;
use crate::Missing;
use crate::facts::AtCuts;
use crate::frames::{Frame, any, exactly_one, first, holds, is_at, named, next, wrong};
use crate::summaries::{Summaries, choices};
use raddle_invariants::system::System;
use raddle_ir::{Expr, ExprId, Sort, VarId};
use raddle_smt::{Answer, Effort, Interrupt, NativeSolver, Solver};
use rustc_hash::FxHashMap;

/// Numbers of the guards of state 0, of those after a block and after the first one, and of the first level.
const BEFORE: u32 = 0;
const AFTER: u32 = 1;
const BEGIN: u32 = 2;
const LEVELS: u32 = 3;

/// Whether a smaller cube is excluded as well may not cost more than this.
const ATTEMPT: Effort = Effort { conflicts: Some(3000), time: None };

pub struct Blocks<'a, 'p> {
    pub system: &'a mut System<'p>,
    pub of: &'a Summaries,
    facts: AtCuts,
    solver: NativeSolver,
    /// The error after the state 0, or that nobody knows what follows.
    error: ExprId,
    /// The cut points that have a place in state 0, and inputs of the blocks from there.
    sources: Vec<(usize, Vec<ExprId>)>,
    renamed: FxHashMap<(ExprId, usize, Meant), ExprId>,
    levels: Vec<ExprId>,
    pub questions: u64,
}

/// When a literal is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Meant {
    Before,
    After,
    Begin,
}

/// A state before a block, with the inputs.
pub struct State {
    pub cut: usize,
    pub values: FxHashMap<VarId, u128>,
    inputs: Vec<ExprId>,
}

pub enum Met {
    /// By this state.
    At(State),
    /// By none; these literals are enough for that.
    No(Cube),
}

impl<'a, 'p> Blocks<'a, 'p> {
    pub fn new(
        system: &'a mut System<'p>,
        of: &'a Summaries,
        facts: &AtCuts,
        interrupt: &Interrupt,
    ) -> Result<Self, Missing> {
        let solver = NativeSolver::stopped_by(interrupt.clone());
        let mut before = any(system, of, BEFORE);
        // Where the program begins it does not come again, unless that is a cut point of a cycle.
        let comes_again = of.cuts.iter().flat_map(|cut| &cut.summaries).any(|summary| summary.target == 0);
        before.here.retain(|here| here.cut != 0 || comes_again);
        let here = wrong(system, of, &before, 0);
        let error = system.pool.or(here.error, here.open);
        let mut sources = Vec::new();
        for here in &before.here {
            let cut = &of.cuts[here.cut];
            let exprs = cut.summaries.iter().flat_map(|summary| summary.after.values().copied().chain([summary.cond]));
            let exprs: Vec<ExprId> = exprs.chain([cut.error, cut.open]).collect();
            let mut inputs: Vec<ExprId> = choices(system, exprs.into_iter(), 0).into_values().collect();
            inputs.retain(|input| !matches!(system.pool.sort(*input), Sort::Array { .. }));
            inputs.sort_unstable();
            sources.push((here.cut, inputs));
        }
        let (facts, renamed) = (facts.clone(), FxHashMap::default());
        let mut blocks =
            Blocks { system, of, facts, solver, error, sources, renamed, levels: Vec::new(), questions: 0 };
        let after = next(blocks.system, of, &before, 0);
        blocks.bind(&after, Meant::After)?;
        let (start, initially) = first(blocks.system, of);
        let begin = next(blocks.system, of, &start, 1);
        for fact in initially {
            blocks.assert(fact)?;
        }
        blocks.bind(&begin, Meant::Begin)?;
        let known = holds(blocks.system, &before, &blocks.facts);
        let one = exactly_one(blocks.system, &before);
        blocks.assert(known)?;
        blocks.assert(one)?;
        blocks.open_level(0)?;
        blocks.only_the_first(&before)?;
        Ok(blocks)
    }

    fn assert(&mut self, formula: ExprId) -> Result<(), Missing> {
        Ok(self.solver.assert(&self.system.pool, formula)?)
    }

    /// Names for where a block leads to, and with which values.
    fn bind(&mut self, frame: &Frame, meant: Meant) -> Result<(), Missing> {
        for cut in 0..self.of.cuts.len() {
            let here = frame.here.iter().find(|here| here.cut == cut);
            let guard = self.guard(cut, meant);
            let never = self.system.pool.bool(false);
            let is_it = self.system.pool.eq(guard, here.map_or(never, |here| here.guard));
            self.assert(is_it)?;
            for &var in &self.of.cuts[cut].live {
                let Some(here) = here else { continue };
                let same = self.system.pool.var(var, self.system.vars.sort(var));
                let value = here.values.get(&var).copied().unwrap_or(same);
                let name = self.name(var, cut, meant);
                let is_it = self.system.pool.eq(name, value);
                self.assert(is_it)?;
            }
        }
        Ok(())
    }

    /// On level 0, the state before a block is one after the first block.
    fn only_the_first(&mut self, before: &Frame) -> Result<(), Missing> {
        let off = self.system.pool.not(self.levels[0]);
        for here in &before.here {
            let begins = self.guard(here.cut, Meant::Begin);
            let mut same = self.system.pool.eq(here.guard, begins);
            for &var in &self.of.cuts[here.cut].live {
                let (a, b) = (self.name(var, here.cut, Meant::Before), self.name(var, here.cut, Meant::Begin));
                let equal = self.system.pool.eq(a, b);
                let elsewhere = self.system.pool.not(here.guard);
                let equal = self.system.pool.or(elsewhere, equal);
                same = self.system.pool.and(same, equal);
            }
            let rule = self.system.pool.or(off, same);
            self.assert(rule)?;
        }
        Ok(())
    }

    fn guard(&mut self, cut: usize, meant: Meant) -> ExprId {
        let number = match meant {
            Meant::Before => BEFORE,
            Meant::After => AFTER,
            Meant::Begin => BEGIN,
        };
        is_at(self.system, self.of, cut, number)
    }

    fn name(&mut self, var: VarId, cut: usize, meant: Meant) -> ExprId {
        let (cut, cuts) = (cut as u32, self.of.cuts.len() as u32);
        let number = match meant {
            Meant::Before => BEFORE,
            Meant::After => 1 + cut,
            Meant::Begin => 1 + cuts + cut,
        };
        named(self.system, var, number)
    }

    fn meant(&mut self, literal: ExprId, cut: usize, meant: Meant) -> ExprId {
        if let Some(&known) = self.renamed.get(&(literal, cut, meant)) {
            return known;
        }
        let names: FxHashMap<VarId, ExprId> =
            self.system.pool.vars(literal).into_iter().map(|var| (var, self.name(var, cut, meant))).collect();
        let renamed = self.system.pool.substitute(literal, &mut |var| names.get(&var).copied());
        self.renamed.insert((literal, cut, meant), renamed);
        renamed
    }

    fn check(&mut self, assumptions: &[ExprId]) -> Result<Answer, Missing> {
        self.questions += 1;
        match self.solver.check(&self.system.pool, assumptions)? {
            Answer::Unknown(_) => Err(Missing::Answer),
            answer => Ok(answer),
        }
    }

    /// Questions of which the answer is not needed.
    pub fn attempt<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T, Missing>) -> Result<Option<T>, Missing> {
        self.solver.set_effort(ATTEMPT);
        let answer = ask(self);
        self.solver.set_effort(Effort::default());
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(Missing::Answer) if !self.solver.interrupt().is_stopped() => Ok(None),
            Err(missing) => Err(missing),
        }
    }

    pub fn open_level(&mut self, level: usize) -> Result<(), Missing> {
        while self.levels.len() <= level {
            let number = LEVELS + self.levels.len() as u32;
            self.levels.push(is_at(self.system, self.of, 0, number));
        }
        Ok(())
    }

    fn frame(&self, level: usize) -> Vec<ExprId> {
        self.levels[level..].to_vec()
    }

    /// No state of the cube is in the frame of a level.
    pub fn exclude(&mut self, level: usize, cut: usize, cube: &[ExprId]) -> Result<(), Missing> {
        let mut clause = self.outside(cut, cube);
        let off = self.system.pool.not(self.levels[level]);
        clause = self.system.pool.or(off, clause);
        self.assert(clause)
    }

    /// The state before the block is not in the cube.
    fn outside(&mut self, cut: usize, cube: &[ExprId]) -> ExprId {
        let at = self.guard(cut, Meant::Before);
        let mut outside = self.system.pool.not(at);
        for &literal in cube {
            let literal = self.meant(literal, cut, Meant::Before);
            let not = self.system.pool.not(literal);
            outside = self.system.pool.or(outside, not);
        }
        outside
    }

    /// A state of a frame from which an error is met.
    pub fn error(&mut self, level: usize) -> Result<Option<State>, Missing> {
        let mut assumptions = self.frame(level);
        assumptions.push(self.error);
        match self.check(&assumptions)? {
            Answer::Sat => Ok(Some(self.state()?)),
            _ => Ok(None),
        }
    }

    /// Literals because of which no state after the first block is in a cube; nothing if one is.
    pub fn begins_in(&mut self, cut: usize, cube: &[ExprId]) -> Result<Option<Cube>, Missing> {
        let guard = self.guard(cut, Meant::Begin);
        let literals: Cube = cube.iter().map(|literal| self.meant(*literal, cut, Meant::Begin)).collect();
        let mut assumptions = vec![guard];
        assumptions.extend(&literals);
        match self.check(&assumptions)? {
            Answer::Sat => Ok(None),
            _ => Ok(Some(self.core(cube, &literals)?)),
        }
    }

    /// A state of a frame, outside of the cube if that is asked for, that a block leads into the cube.
    pub fn before(&mut self, level: usize, cut: usize, cube: &[ExprId], outside: bool) -> Result<Met, Missing> {
        let guard = self.guard(cut, Meant::After);
        let literals: Cube = cube.iter().map(|literal| self.meant(*literal, cut, Meant::After)).collect();
        let mut assumptions = self.frame(level);
        assumptions.push(guard);
        if outside {
            assumptions.push(self.outside(cut, cube));
        }
        assumptions.extend(&literals);
        match self.check(&assumptions)? {
            Answer::Sat => Ok(Met::At(self.state()?)),
            _ => Ok(Met::No(self.core(cube, &literals)?)),
        }
    }

    /// The literals of a cube that the last contradiction needed.
    fn core(&mut self, cube: &[ExprId], literals: &[ExprId]) -> Result<Cube, Missing> {
        let failed = self.solver.failed()?;
        Ok(cube.iter().zip(literals).filter(|(_, meant)| failed.contains(meant)).map(|(literal, _)| *literal).collect())
    }

    /// The state before the block in the model at hand.
    fn state(&mut self) -> Result<State, Missing> {
        for (cut, inputs) in self.sources.clone() {
            let guard = self.guard(cut, Meant::Before);
            if self.solver.value(&self.system.pool, guard)?.bits() == 0 {
                continue;
            }
            let mut values = FxHashMap::default();
            for &var in &self.of.cuts[cut].live {
                if !matches!(self.system.vars.sort(var), Sort::Array { .. }) {
                    let name = self.name(var, cut, Meant::Before);
                    values.insert(var, self.solver.value(&self.system.pool, name)?.bits());
                }
            }
            let mut known = Vec::new();
            for input in inputs {
                let value = self.solver.value(&self.system.pool, input)?.bits();
                let sort = self.system.pool.sort(input);
                let value = raddle_model::number(&mut self.system.pool, sort, value);
                known.push(self.system.pool.eq(input, value));
            }
            return Ok(State { cut, values, inputs: known });
        }
        Err(Missing::Answer)
    }

    /// Literals of a state because of which it meets an error, or the cube, with the inputs that it has; nothing if they do not tell.
    pub fn because(
        &mut self,
        state: &State,
        literals: &[ExprId],
        of: Option<(usize, &[ExprId])>,
    ) -> Result<Option<Cube>, Missing> {
        let met = match of {
            None => self.error,
            Some((cut, cube)) => {
                let mut met = self.guard(cut, Meant::After);
                for literal in cube {
                    let literal = self.meant(*literal, cut, Meant::After);
                    met = self.system.pool.and(met, literal);
                }
                met
            }
        };
        let here: Cube = literals.iter().map(|literal| self.meant(*literal, state.cut, Meant::Before)).collect();
        let mut assumptions = vec![self.guard(state.cut, Meant::Before), self.system.pool.not(met)];
        assumptions.extend(&state.inputs);
        assumptions.extend(&here);
        match self.check(&assumptions)? {
            Answer::Sat => Ok(None),
            _ => Ok(Some(self.core(literals, &here)?)),
        }
    }

    /// The facts, and no state of these cubes.
    pub fn invariant<'c>(&mut self, cubes: impl Iterator<Item = (usize, &'c [ExprId])>) -> AtCuts {
        let mut result = self.facts.clone();
        for (cut, cube) in cubes {
            let pool = &mut self.system.pool;
            let none = pool.bool(false);
            let clause = cube.iter().fold(none, |clause, literal| {
                let not = pool.not(*literal);
                pool.or(clause, not)
            });
            result[cut].push(clause);
        }
        if self.sources.iter().all(|(cut, _)| *cut != 0) {
            // Nothing comes to where the program begins.
            result[0].push(self.system.pool.bool(false));
        }
        result
    }

    /// The variable and the constant of a literal that says which value the variable has.
    pub fn is_value(&self, literal: ExprId) -> Option<(ExprId, u128)> {
        let pool = &self.system.pool;
        let Expr::Binary(raddle_ir::BinOp::Eq, a, b) = pool.get(literal) else { return None };
        let var = |a: ExprId, b: ExprId| match pool.get(a) {
            Expr::Var(_) => pool.as_const(b).map(|constant| (a, constant.bits)),
            _ => None,
        };
        var(a, b).or_else(|| var(b, a))
    }
}
