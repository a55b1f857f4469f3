//! The oracle of exploration: goes through all answers to a step's questions by running the step again and again.
//!
//! The answers of a run form a list; the next run takes the same list with its last answer advanced. Domains
//! that are too large are sampled, and the exploration is then incomplete.

use crate::address_guess::AddressGuess;
use raddle_engine::{Code as Why, Reason};
use raddle_interp::machine::code::Code;
use raddle_interp::machine::oracle::{Ask, Asked, Oracle};
use raddle_interp::machine::state::Machine;
use raddle_interp::sample::{corner_values, float_constants, sample};
use raddle_interp::trace::show_span;
use raddle_ir::unknown_result::c_name;
use raddle_ir::{Function, Sort, VarId, eval};
use rustc_hash::FxHashMap;

pub struct Enumerator<'a> {
    code: &'a Code<'a>,
    guess: &'a AddressGuess,
    most: u128,
    corners: Vec<u128>,
    floats: Vec<(Sort, u128)>,
    samples: FxHashMap<(Sort, u128, u128), Vec<u128>>,
    /// Which answer of how many, for each question of the run.
    answers: Vec<(u32, u32)>,
    cursor: usize,
    /// Do not answer, only notice that a question was asked.
    pub frozen: bool,
    pub wanted: bool,
    /// The first choice that was only sampled.
    pub incomplete: Option<Reason>,
    /// An access contradicted the guess of `address_guess`.
    pub surprised: bool,
    /// The answers as they were given, for the record.
    pub given: Vec<u128>,
}

impl<'a> Enumerator<'a> {
    pub fn new(code: &'a Code<'a>, guess: &'a AddressGuess, most: u64) -> Self {
        Enumerator {
            code,
            guess,
            most: most.max(1).into(),
            corners: corner_values(code.program),
            floats: float_constants(code.program),
            samples: FxHashMap::default(),
            answers: Vec::new(),
            cursor: 0,
            frozen: false,
            wanted: false,
            incomplete: None,
            surprised: false,
            given: Vec::new(),
        }
    }

    /// Before the first run of a step.
    pub fn begin(&mut self) {
        self.answers.clear();
        self.cursor = 0;
    }

    /// Before running once more with the same answers.
    pub fn rewind(&mut self) {
        self.cursor = 0;
    }

    /// Before another run; false if all have been.
    pub fn advance(&mut self) -> bool {
        self.cursor = 0;
        while let Some((answer, of)) = self.answers.pop() {
            if answer + 1 < of {
                self.answers.push((answer + 1, of));
                return true;
            }
        }
        false
    }

    /// The answer to the next question, one of so many.
    pub fn answer(&mut self, of: u32) -> u32 {
        if self.frozen {
            self.wanted = true;
            return 0;
        }
        if self.cursor == self.answers.len() {
            self.answers.push((0, of));
        }
        self.cursor += 1;
        self.answers[self.cursor - 1].0
    }
}

impl Oracle for Enumerator<'_> {
    const NARROW: bool = true;
    const TOUCHES: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        if self.frozen {
            self.wanted = true;
            return ask.low;
        }
        let mask = eval::mask(ask.sort.bits().unwrap_or(1));
        let more = ask.high.wrapping_sub(ask.low) & mask;
        let value = if more < self.most {
            ask.low.wrapping_add(self.answer(more as u32 + 1).into()) & mask
        } else {
            if self.incomplete.is_none() {
                self.incomplete = Some(Reason::new(Why::NondetDomain, explain(self.code, ask, self.most)));
            }
            let key = (ask.sort, ask.low, ask.high);
            if !self.samples.contains_key(&key) {
                let most = self.most.min(1 << 16) as usize;
                let values = sample(ask.sort, ask.low, ask.high, &self.corners, &self.floats, most);
                self.samples.insert(key, values);
            }
            let count = self.samples[&key].len() as u32;
            let answer = self.answer(count);
            self.samples[&key][answer as usize]
        };
        self.given.push(value);
        value
    }

    /// Violations count only with the library's result. Proofs must hold of others.
    fn computed(&mut self, var: VarId, of: Function, native: Option<u128>) -> Option<u128> {
        let value = native?;
        // With a made-up argument, the result will be taken back.
        if self.incomplete.is_none() && !(self.frozen && self.wanted) {
            let function = c_name(of, self.code.program.var(var).sort);
            let words = format!("only bounds are known of results of `{function}`; this machine's were tried");
            self.incomplete = Some(Reason::new(Why::Unmodelled, words));
        }
        Some(value)
    }

    fn pick(&mut self, ways: u32) -> u32 {
        let way = self.answer(ways);
        self.given.push(way.into());
        way
    }

    fn touched(&mut self, machine: &Machine, thread: u32, label: u32, object: Option<u32>, address: u64) {
        // With a made-up answer, the access will be taken back.
        if !(self.frozen && self.wanted) {
            self.surprised |= !self.guess.allows(self.code, machine, thread, label, object, address);
        }
    }
}

fn explain(code: &Code, ask: &Ask, most: u128) -> String {
    match (ask.asked, ask.var) {
        (_, Some(var)) => {
            let v = code.program.var(var);
            let place = show_span(code, v.span);
            format!("`{}` ({place}) can have more than {most} values where one is needed; only some were tried", v.name)
        }
        (Asked::Memory { address, .. }, _) => {
            format!("memory at {address:#x} that was never written is read; only some of its values were tried")
        }
        _ => "only some of the possible values were tried".into(),
    }
}
