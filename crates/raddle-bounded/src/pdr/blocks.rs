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

pub struct Blocks<'a> {
    pub of: &'a Summaries,
    facts: AtCuts,
    solver: NativeSolver,
    /// The error after the state 0, or that nobody knows what follows.
    error: ExprId,
    /// The cut points that have a place in state 0, and inputs of the blocks from there.
    sources: Vec<(usize, Vec<(VarId, ExprId)>)>,
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
    inputs: FxHashMap<VarId, u128>,
    /// That the inputs are these.
    given: Vec<ExprId>,
}

impl State {
    /// Of a variable or an input.
    pub fn value(&self, var: VarId) -> Option<u128> {
        self.values.get(&var).or_else(|| self.inputs.get(&var)).copied()
    }

    pub fn input(&self, var: VarId) -> Option<u128> {
        self.inputs.get(&var).copied()
    }
}

pub enum Met {
    /// By this state.
    At(State),
    /// By none; these literals are enough for that.
    No(Cube),
}

impl<'a> Blocks<'a> {
    pub fn new(system: &mut System, of: &'a Summaries, facts: &AtCuts, interrupt: &Interrupt) -> Result<Self, Missing> {
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
            let mut inputs: Vec<(VarId, ExprId)> = choices(system, exprs.into_iter(), 0).into_iter().collect();
            inputs.retain(|(_, input)| !matches!(system.pool.sort(*input), Sort::Array { .. }));
            inputs.sort_unstable();
            sources.push((here.cut, inputs));
        }
        let (facts, renamed) = (facts.clone(), FxHashMap::default());
        let mut blocks = Blocks { of, facts, solver, error, sources, renamed, levels: Vec::new(), questions: 0 };
        let after = next(system, of, &before, 0);
        blocks.bind(system, &after, Meant::After)?;
        let (start, initially) = first(system, of);
        let begin = next(system, of, &start, 1);
        for fact in initially {
            blocks.assert(system, fact)?;
        }
        blocks.bind(system, &begin, Meant::Begin)?;
        let known = holds(system, &before, &blocks.facts);
        let one = exactly_one(system, &before);
        blocks.assert(system, known)?;
        blocks.assert(system, one)?;
        blocks.open_level(system, 0)?;
        blocks.only_the_first(system, &before)?;
        Ok(blocks)
    }

    fn assert(&mut self, system: &mut System, formula: ExprId) -> Result<(), Missing> {
        Ok(self.solver.assert(&system.pool, formula)?)
    }

    /// Names for where a block leads to, and with which values.
    fn bind(&mut self, system: &mut System, frame: &Frame, meant: Meant) -> Result<(), Missing> {
        for cut in 0..self.of.cuts.len() {
            let here = frame.here.iter().find(|here| here.cut == cut);
            let guard = self.guard(system, cut, meant);
            let never = system.pool.bool(false);
            let is_it = system.pool.eq(guard, here.map_or(never, |here| here.guard));
            self.assert(system, is_it)?;
            for &var in &self.of.cuts[cut].live {
                let Some(here) = here else { continue };
                let same = system.pool.var(var, system.vars.sort(var));
                let value = here.values.get(&var).copied().unwrap_or(same);
                let name = self.name(system, var, cut, meant);
                let is_it = system.pool.eq(name, value);
                self.assert(system, is_it)?;
            }
        }
        Ok(())
    }

    /// On level 0, the state before a block is one after the first block.
    fn only_the_first(&mut self, system: &mut System, before: &Frame) -> Result<(), Missing> {
        let off = system.pool.not(self.levels[0]);
        for here in &before.here {
            let begins = self.guard(system, here.cut, Meant::Begin);
            let mut same = system.pool.eq(here.guard, begins);
            for &var in &self.of.cuts[here.cut].live {
                let (a, b) =
                    (self.name(system, var, here.cut, Meant::Before), self.name(system, var, here.cut, Meant::Begin));
                let equal = system.pool.eq(a, b);
                let elsewhere = system.pool.not(here.guard);
                let equal = system.pool.or(elsewhere, equal);
                same = system.pool.and(same, equal);
            }
            let rule = system.pool.or(off, same);
            self.assert(system, rule)?;
        }
        Ok(())
    }

    fn guard(&mut self, system: &mut System, cut: usize, meant: Meant) -> ExprId {
        let number = match meant {
            Meant::Before => BEFORE,
            Meant::After => AFTER,
            Meant::Begin => BEGIN,
        };
        is_at(system, self.of, cut, number)
    }

    fn name(&mut self, system: &mut System, var: VarId, cut: usize, meant: Meant) -> ExprId {
        let (cut, cuts) = (cut as u32, self.of.cuts.len() as u32);
        let number = match meant {
            Meant::Before => BEFORE,
            Meant::After => 1 + cut,
            Meant::Begin => 1 + cuts + cut,
        };
        named(system, var, number)
    }

    fn meant(&mut self, system: &mut System, literal: ExprId, cut: usize, meant: Meant) -> ExprId {
        if let Some(&known) = self.renamed.get(&(literal, cut, meant)) {
            return known;
        }
        let names: FxHashMap<VarId, ExprId> =
            system.pool.vars(literal).into_iter().map(|var| (var, self.name(system, var, cut, meant))).collect();
        let renamed = system.pool.substitute(literal, &mut |var| names.get(&var).copied());
        self.renamed.insert((literal, cut, meant), renamed);
        renamed
    }

    fn check(&mut self, system: &mut System, assumptions: &[ExprId]) -> Result<Answer, Missing> {
        self.questions += 1;
        match self.solver.check(&system.pool, assumptions)? {
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

    pub fn open_level(&mut self, system: &mut System, level: usize) -> Result<(), Missing> {
        while self.levels.len() <= level {
            let number = LEVELS + self.levels.len() as u32;
            self.levels.push(is_at(system, self.of, 0, number));
        }
        Ok(())
    }

    fn frame(&self, level: usize) -> Vec<ExprId> {
        self.levels[level..].to_vec()
    }

    /// No state of the cube is in the frame of a level.
    pub fn exclude(&mut self, system: &mut System, level: usize, cut: usize, cube: &[ExprId]) -> Result<(), Missing> {
        let mut clause = self.outside(system, cut, cube);
        let off = system.pool.not(self.levels[level]);
        clause = system.pool.or(off, clause);
        self.assert(system, clause)
    }

    /// The state before the block is not in the cube.
    fn outside(&mut self, system: &mut System, cut: usize, cube: &[ExprId]) -> ExprId {
        let at = self.guard(system, cut, Meant::Before);
        let mut outside = system.pool.not(at);
        for &literal in cube {
            let literal = self.meant(system, literal, cut, Meant::Before);
            let not = system.pool.not(literal);
            outside = system.pool.or(outside, not);
        }
        outside
    }

    /// A state of a frame from which an error is met.
    pub fn error(&mut self, system: &mut System, level: usize) -> Result<Option<State>, Missing> {
        let mut assumptions = self.frame(level);
        assumptions.push(self.error);
        match self.check(system, &assumptions)? {
            Answer::Sat => Ok(Some(self.state(system)?)),
            _ => Ok(None),
        }
    }

    /// Literals because of which no state after the first block is in a cube; nothing if one is.
    pub fn begins_in(&mut self, system: &mut System, cut: usize, cube: &[ExprId]) -> Result<Option<Cube>, Missing> {
        let guard = self.guard(system, cut, Meant::Begin);
        let literals: Cube = cube.iter().map(|literal| self.meant(system, *literal, cut, Meant::Begin)).collect();
        let mut assumptions = vec![guard];
        assumptions.extend(&literals);
        match self.check(system, &assumptions)? {
            Answer::Sat => Ok(None),
            _ => Ok(Some(self.core(cube, &literals)?)),
        }
    }

    /// A state of a frame, outside of the cube if that is asked for, that a block leads into the cube.
    pub fn before(
        &mut self,
        system: &mut System,
        level: usize,
        cut: usize,
        cube: &[ExprId],
        outside: bool,
    ) -> Result<Met, Missing> {
        let guard = self.guard(system, cut, Meant::After);
        let literals: Cube = cube.iter().map(|literal| self.meant(system, *literal, cut, Meant::After)).collect();
        let mut assumptions = self.frame(level);
        assumptions.push(guard);
        if outside {
            assumptions.push(self.outside(system, cut, cube));
        }
        assumptions.extend(&literals);
        match self.check(system, &assumptions)? {
            Answer::Sat => Ok(Met::At(self.state(system)?)),
            _ => Ok(Met::No(self.core(cube, &literals)?)),
        }
    }

    /// The literals of a cube that the last contradiction needed.
    fn core(&mut self, cube: &[ExprId], literals: &[ExprId]) -> Result<Cube, Missing> {
        let failed = self.solver.failed()?;
        Ok(cube.iter().zip(literals).filter(|(_, meant)| failed.contains(meant)).map(|(literal, _)| *literal).collect())
    }

    /// The state before the block in the model at hand.
    fn state(&mut self, system: &mut System) -> Result<State, Missing> {
        for (cut, inputs) in self.sources.clone() {
            let guard = self.guard(system, cut, Meant::Before);
            if self.solver.value(&system.pool, guard)?.bits() == 0 {
                continue;
            }
            let mut values = FxHashMap::default();
            for &var in &self.of.cuts[cut].live {
                if !matches!(system.vars.sort(var), Sort::Array { .. }) {
                    let name = self.name(system, var, cut, Meant::Before);
                    values.insert(var, self.solver.value(&system.pool, name)?.bits());
                }
            }
            let (mut known, mut given) = (FxHashMap::default(), Vec::new());
            for (choice, input) in inputs {
                let value = self.solver.value(&system.pool, input)?.bits();
                known.insert(choice, value);
                let sort = system.pool.sort(input);
                let value = raddle_model::number(&mut system.pool, sort, value);
                given.push(system.pool.eq(input, value));
            }
            return Ok(State { cut, values, inputs: known, given });
        }
        Err(Missing::Answer)
    }

    /// Literals of a state because of which it meets an error, or the cube, with the inputs that it has; nothing if they do not tell.
    pub fn because(
        &mut self,
        system: &mut System,
        state: &State,
        literals: &[ExprId],
        of: Option<(usize, &[ExprId])>,
    ) -> Result<Option<Cube>, Missing> {
        let met = match of {
            None => self.error,
            Some((cut, cube)) => {
                let mut met = self.guard(system, cut, Meant::After);
                for literal in cube {
                    let literal = self.meant(system, *literal, cut, Meant::After);
                    met = system.pool.and(met, literal);
                }
                met
            }
        };
        let here: Cube =
            literals.iter().map(|literal| self.meant(system, *literal, state.cut, Meant::Before)).collect();
        let mut assumptions = vec![self.guard(system, state.cut, Meant::Before), system.pool.not(met)];
        assumptions.extend(&state.given);
        assumptions.extend(&here);
        match self.check(system, &assumptions)? {
            Answer::Sat => Ok(None),
            _ => Ok(Some(self.core(literals, &here)?)),
        }
    }

    /// The facts, and no state of these cubes.
    pub fn invariant<'c>(&mut self, system: &mut System, cubes: impl Iterator<Item = (usize, &'c [ExprId])>) -> AtCuts {
        let mut result = self.facts.clone();
        for (cut, cube) in cubes {
            let pool = &mut system.pool;
            let none = pool.bool(false);
            let clause = cube.iter().fold(none, |clause, literal| {
                let not = pool.not(*literal);
                pool.or(clause, not)
            });
            result[cut].push(clause);
        }
        if self.sources.iter().all(|(cut, _)| *cut != 0) {
            // Nothing comes to where the program begins.
            result[0].push(system.pool.bool(false));
        }
        result
    }

    /// The variable and the constant of a literal that says which value the variable has.
    pub fn is_value(&self, system: &System, literal: ExprId) -> Option<(ExprId, u128)> {
        let pool = &system.pool;
        let Expr::Binary(raddle_ir::BinOp::Eq, a, b) = pool.get(literal) else { return None };
        let var = |a: ExprId, b: ExprId| match pool.get(a) {
            Expr::Var(_) => pool.as_const(b).map(|constant| (a, constant.bits)),
            _ => None,
        };
        var(a, b).or_else(|| var(b, a))
    }
}
