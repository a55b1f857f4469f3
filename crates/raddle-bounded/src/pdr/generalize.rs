//! From one state to many: which literals of a cube are needed.
//!
//! A state that meets an error is *lifted*: with its inputs, few of its literals lead there (Eén, Mishchenko and Brayton 2011, there by ternary simulation). A cube that is excluded is generalized: a literal is dropped
//! where what is left is still excluded, by the first block and relative to the frame before. Of the values that have to stay, a bound is tried, as far as the next constants of the
//! program allow, and then single bits.

use super::blocks::{Met, State};
use super::literals::Split;
use super::preconditions::preconditions;
use super::{Cube, Pdr};
use crate::Missing;
use raddle_invariants::system::System;
use raddle_ir::eval::to_signed;
use raddle_ir::{BinOp, ExprId, Sort};

/// So often is a core asked for its own core.
const MOST_CORES: usize = 3;
/// So many literals of one cube are tried to be left out.
const MOST_DROPS: usize = 48;
/// Of more bits, it is not asked which of them are needed.
const MOST_BITS: usize = 12;

impl Pdr<'_> {
    /// A cube around a state from which an error, or another cube, is met.
    pub(super) fn lifted(
        &mut self,
        system: &mut System,
        state: State,
        of: Option<(usize, &[ExprId])>,
    ) -> Result<(usize, Cube), Missing> {
        let Split { coarse, fine } = self.literals.of_state(system, state.cut, &state.values);
        if let Some(core) = self.core_of_cores(system, &state, &coarse, of)? {
            return Ok((state.cut, core));
        }
        // The conditions that there are do not say why: those of the way do, unless inputs and arrays matter.
        let more = preconditions(system, self.blocks.of, &state, of);
        let mut all = coarse;
        if self.literals.add(system, state.cut, more) {
            all = self.literals.of_state(system, state.cut, &state.values).coarse;
            if let Some(core) = self.core_of_cores(system, &state, &all, of)? {
                return Ok((state.cut, core));
            }
        }
        all.extend(fine);
        Ok((state.cut, self.core_of_cores(system, &state, &all, of)?.unwrap_or(all)))
    }

    /// A part of some literals because of which a state meets what it meets, if they are enough.
    fn core_of_cores(
        &mut self,
        system: &mut System,
        state: &State,
        literals: &[ExprId],
        of: Option<(usize, &[ExprId])>,
    ) -> Result<Option<Cube>, Missing> {
        let Some(mut core) = self.blocks.because(system, state, literals, of)? else { return Ok(None) };
        for _ in 0..MOST_CORES {
            match self.blocks.because(system, state, &core, of)? {
                Some(smaller) if smaller.len() < core.len() => core = smaller,
                _ => break,
            }
        }
        Ok(Some(core))
    }

    /// A larger cube that is excluded in the frame of a level, as these literals of a cube are.
    pub(super) fn generalize(
        &mut self,
        system: &mut System,
        level: usize,
        cut: usize,
        cube: &[ExprId],
        core: Cube,
    ) -> Result<Cube, Missing> {
        let mut best = self.with_begin(system, cut, cube, core)?;
        // Values are dropped before conditions.
        let mut order: Vec<ExprId> = best.clone();
        order.sort_by_key(|literal| self.blocks.is_value(system, *literal).is_none());
        for literal in order.into_iter().take(MOST_DROPS) {
            if !best.contains(&literal) {
                continue;
            }
            let without: Cube = best.iter().copied().filter(|other| *other != literal).collect();
            if let Some(smaller) = self.is_excluded(system, level, cut, &without)? {
                best = smaller;
            }
        }
        for literal in best.clone() {
            if best.contains(&literal) && self.blocks.is_value(system, literal).is_some() {
                best = match self.bound(system, (level, cut), &best, literal)? {
                    Some(better) => better,
                    None => self.bits(system, (level, cut), best, literal)?,
                };
            }
        }
        Ok(best)
    }

    /// Literals of the core, and of the cube, that also exclude the states after the first block.
    fn with_begin(&mut self, system: &mut System, cut: usize, cube: &[ExprId], core: Cube) -> Result<Cube, Missing> {
        if self.blocks.begins_in(system, cut, &core)?.is_some() {
            return Ok(core);
        }
        let begin = self.blocks.begins_in(system, cut, cube)?.unwrap_or_else(|| cube.to_vec());
        Ok(cube.iter().copied().filter(|literal| core.contains(literal) || begin.contains(literal)).collect())
    }

    /// The part of a cube because of which it is excluded, if it is.
    fn is_excluded(
        &mut self,
        system: &mut System,
        level: usize,
        cut: usize,
        cube: &[ExprId],
    ) -> Result<Option<Cube>, Missing> {
        let excluded = self.blocks.attempt(|blocks| {
            let Some(begin) = blocks.begins_in(system, cut, cube)? else { return Ok(None) };
            match blocks.before(system, level - 1, cut, cube, true)? {
                Met::At(_) => Ok(None),
                Met::No(core) => Ok(Some((begin, core))),
            }
        })?;
        let Some(Some((begin, core))) = excluded else { return Ok(None) };
        Ok(Some(match self.blocks.begins_in(system, cut, &core)? {
            Some(_) => core,
            None => cube.iter().copied().filter(|lit| core.contains(lit) || begin.contains(lit)).collect(),
        }))
    }

    /// A cube with a bound in the place of a value.
    fn bound(
        &mut self,
        system: &mut System,
        (level, cut): (usize, usize),
        cube: &[ExprId],
        literal: ExprId,
    ) -> Result<Option<Cube>, Missing> {
        let Some((var, value)) = self.blocks.is_value(system, literal) else { return Ok(None) };
        let Sort::Bits(width @ 2..) = system.pool.sort(var) else { return Ok(None) };
        let mut limits: Vec<u128> = self.literals.constants.get(&width).into_iter().flatten().copied().collect();
        limits.push(value);
        for (op, upper) in [(BinOp::SLe, true), (BinOp::SLe, false), (BinOp::ULe, true), (BinOp::ULe, false)] {
            let read = |x: u128| if op == BinOp::SLe { to_signed(width, x) } else { x as i128 };
            let mut further: Vec<u128> = limits.clone();
            further.retain(|limit| if upper { read(*limit) >= read(value) } else { read(*limit) <= read(value) });
            further.sort_unstable_by_key(|limit| read(*limit).wrapping_sub(read(value)).unsigned_abs());
            further.dedup();
            let mut with = |this: &mut Self, limit: u128| {
                let pool = &mut system.pool;
                let limit = pool.bits(width, limit);
                let bound = if upper { pool.binary(op, var, limit) } else { pool.binary(op, limit, var) };
                let cube: Cube = cube.iter().map(|other| if *other == literal { bound } else { *other }).collect();
                this.is_excluded(system, level, cut, &cube)
            };
            let Some(mut best) = with(self, value)? else { continue };
            // The furthest limit up to which it is excluded.
            let (mut good, mut bad) = (0, further.len());
            while good + 1 < bad {
                let middle = if bad == further.len() && good == 0 { further.len() - 1 } else { (good + bad) / 2 };
                match with(self, further[middle])? {
                    Some(better) => (best, good) = (better, middle),
                    None => bad = middle,
                }
            }
            return Ok(Some(best));
        }
        Ok(None)
    }

    /// The same cube with some of the bits of a value in its place.
    fn bits(
        &mut self,
        system: &mut System,
        (level, cut): (usize, usize),
        cube: Cube,
        literal: ExprId,
    ) -> Result<Cube, Missing> {
        let Some((var, value)) = self.blocks.is_value(system, literal) else { return Ok(cube) };
        let Sort::Bits(width @ 2..) = system.pool.sort(var) else { return Ok(cube) };
        let pool = &mut system.pool;
        let bits: Vec<ExprId> = (0..width)
            .map(|bit| {
                let (here, set) = (pool.extract(bit, bit, var), pool.bits(1, value >> bit & 1));
                pool.eq(here, set)
            })
            .collect();
        let with: Cube = cube.iter().copied().filter(|other| *other != literal).chain(bits.iter().copied()).collect();
        let Some(mut best) = self.is_excluded(system, level, cut, &with)? else { return Ok(cube) };
        let needed: Vec<ExprId> = best.iter().copied().filter(|lit| bits.contains(lit)).collect();
        if needed.len() > MOST_BITS {
            return Ok(cube);
        }
        for bit in needed {
            let without: Cube = best.iter().copied().filter(|other| *other != bit).collect();
            if best.contains(&bit)
                && let Some(smaller) = self.is_excluded(system, level, cut, &without)?
            {
                best = smaller;
            }
        }
        Ok(best)
    }
}
