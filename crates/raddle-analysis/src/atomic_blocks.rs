//! May a thread be inside an atomic block where it is?
//!
//! Blocks may begin in one procedure and end in another, so procedures are looked at once for each depth at which they are entered (a functional summary over a
//! domain of four depths; three stands for all that is deeper).

use raddle_ir::{Callee, Edge, Label, LocId, ObjectKind, ProcId, Program};

/// A set of depths, as bits.
type Depths = u8;

const DEEPEST: usize = 3;
const OUTSIDE: Depths = 1;

pub struct AtomicBlocks {
    /// By procedure and location.
    depths: Vec<Vec<Depths>>,
}

impl AtomicBlocks {
    pub fn may_be_inside(&self, proc: ProcId, at: LocId) -> bool {
        self.depths[proc.index()][at.index()] & !OUTSIDE != 0
    }

    pub fn may_be_outside(&self, proc: ProcId, at: LocId) -> bool {
        self.depths[proc.index()][at.index()] & OUTSIDE != 0
    }
}

pub fn atomic_blocks(program: &Program) -> AtomicBlocks {
    let mut search = Search {
        program,
        contexts: vec![[const { None }; DEEPEST + 1]; program.procs.len()],
        changed: true,
        with_address: with_address(program),
    };
    search.enter(program.entry, 0);
    while std::mem::take(&mut search.changed) {
        for proc in 0..program.procs.len() {
            for depth in 0..=DEEPEST {
                search.follow(proc, depth);
            }
        }
    }
    let union = |proc: usize| {
        let mut all = vec![0; program.procs[proc].locations.len()];
        for context in search.contexts[proc].iter().flatten() {
            all.iter_mut().zip(context).for_each(|(all, depths)| *all |= depths);
        }
        all
    };
    AtomicBlocks { depths: (0..program.procs.len()).map(union).collect() }
}

fn with_address(program: &Program) -> Vec<ProcId> {
    let function = |kind: &ObjectKind| match kind {
        ObjectKind::Function(proc) => Some(*proc),
        ObjectKind::Data { .. } => None,
    };
    program.objects.iter().filter_map(|object| function(&object.kind)).collect()
}

struct Search<'a> {
    program: &'a Program,
    /// By procedure and the depth at its entry: the depths at its locations.
    contexts: Vec<[Option<Vec<Depths>>; DEEPEST + 1]>,
    changed: bool,
    with_address: Vec<ProcId>,
}

impl Search<'_> {
    /// A procedure is entered at a depth: the depths at its exit, as far as they are known.
    fn enter(&mut self, proc: ProcId, depth: usize) -> Depths {
        let procedure = self.program.proc(proc);
        if self.contexts[proc.index()][depth].is_none() {
            let mut depths = vec![0; procedure.locations.len()];
            depths[procedure.entry.index()] = 1 << depth;
            self.contexts[proc.index()][depth] = Some(depths);
            self.changed = true;
        }
        self.contexts[proc.index()][depth].as_ref().map_or(0, |depths| depths[procedure.exit.index()])
    }

    /// Follows the edges of a procedure once.
    fn follow(&mut self, proc: usize, depth: usize) {
        for edge in &self.program.procs[proc].edges {
            let Some(depths) = &self.contexts[proc][depth] else { return };
            let after = self.after(edge, depths[edge.source.index()]);
            if let Some(depths) = &mut self.contexts[proc][depth] {
                let target = &mut depths[edge.target.index()];
                self.changed |= after & !*target != 0;
                *target |= after;
            }
        }
    }

    fn after(&mut self, edge: &Edge, mut depths: Depths) -> Depths {
        for label in &edge.labels {
            depths = match label {
                _ if depths == 0 => 0,
                Label::AtomicBegin => (depths << 1 | depths & 1 << DEEPEST) & 0xf,
                Label::AtomicEnd => depths >> 1 | depths & (1 | 1 << DEEPEST),
                Label::Call { callee, .. } => self.after_call(callee, depths),
                Label::Start { callee, .. } => {
                    self.after_call(callee, OUTSIDE);
                    depths
                }
                Label::ThreadExit { .. } | Label::Halt { .. } | Label::Error(_) => 0,
                _ => depths,
            };
        }
        depths
    }

    fn after_call(&mut self, callee: &Callee, depths: Depths) -> Depths {
        let callees = match callee {
            Callee::Proc(proc) => vec![*proc],
            Callee::Address(_) => self.with_address.clone(),
        };
        let mut after = 0;
        for proc in callees {
            for depth in (0..=DEEPEST).filter(|depth| depths >> depth & 1 != 0) {
                after |= self.enter(proc, depth);
            }
        }
        after
    }
}
