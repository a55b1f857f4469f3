//! A Program that asserts the invariants of a witness.
//!
//! Each invariant becomes a probe with its condition (`raddle_c::probes`). Where the condition does not hold or is not defined, there is an error; where it holds, the Program goes on as before.
//! So a proof of this Program is a proof of the property and of the invariants. The condition is evaluated in one step.
//!
//! Where nobody knows whether the condition is defined (it reads through a pointer), an invalid access would end the path and hide what comes behind it. Such a condition is evaluated beside
//! the path: an input chooses whether to look at it, and whether the access in question is made or is a gap. Such an invariant may be refuted, but not confirmed where the access is reached.

use crate::definedness::{Defined, defined};
use crate::format::{Invariant, InvariantKind, Item};
use crate::fragments::{Fragment, fragments};
use crate::plan::input_file;
use raddle_c::probes::{Places, Probe, ProbeKind, Site};
use raddle_ir::{
    Edge, ExprId, Gap, GapId, GapKind, HavocReason, Label, LocId, LocKind, Location, Origin, ProcId, Program, Sort,
    Span, Var, VarId, VarKind, Violation,
};

/// The probes of the invariants, given the names of the input files; or why there are none.
pub fn claims(items: &[Item], files: &[(String, String)]) -> Result<Vec<Probe>, String> {
    items.iter().map(|item| claim(item, files)).collect()
}

fn claim(item: &Item, files: &[(String, String)]) -> Result<Probe, String> {
    let Item::Invariant(Invariant { kind, location, value, at, .. }) = item else {
        return Err("contracts of functions are not checked".into());
    };
    let kind = match kind {
        InvariantKind::Loop => ProbeKind::Loop,
        InvariantKind::Location => ProbeKind::Before,
        InvariantKind::LoopTransition | InvariantKind::LocationTransition => {
            return Err(format!("line {}: a `{}` is not checked", at.0, kind.name()));
        }
    };
    if value.contains('\\') {
        return Err(format!("line {}: `{value}` is no expression of C", at.0));
    }
    let file = input_file(&location.file_name, files)?;
    let (line, column, places) = (location.line, location.column, Places::Copies);
    Ok(Probe { kind, file, line, column, places, condition: Some(value.clone()), is_optional: false })
}

/// A Program with an error wherever a condition does not hold.
pub struct Asserted {
    pub program: Program,
    /// The locations with an error because the condition of a probe is not defined.
    pub undefined: Vec<(ProcId, LocId, usize)>,
}

/// An invariant that does not hold is a violation of the property like any other.
pub fn asserted(mut program: Program, sites: &[Site], probes: &[Probe], violation: Violation) -> Asserted {
    let threads = program.starts_threads();
    let mut undefined = Vec::new();
    for fragment in fragments(&program, sites) {
        let site = &sites[fragment.site];
        let checks = checks(&mut program, site, &fragment);
        let asserting = Asserting { program: &mut program, site, checks, threads, violation };
        let error = asserting.assert(&fragment, &probes[site.probe]);
        undefined.push((site.proc, error, site.probe));
    }
    Asserted { program, undefined }
}

/// What it takes for an edge's labels to be defined, by their positions.
type Checks = Vec<(usize, Vec<Defined>)>;

fn checks(program: &mut Program, site: &Site, fragment: &Fragment) -> Checks {
    let of = |edge: &usize| {
        let labels = program.proc(site.proc).edges[*edge].labels.clone();
        (*edge, labels.iter().map(|label| defined(program, site.proc, label)).collect())
    };
    fragment.edges.iter().map(of).collect()
}

/// What an input chooses: whether the condition is looked at, and whether accesses that may not be defined are gaps.
struct Choice {
    var: VarId,
    looks: ExprId,
    doubts: ExprId,
    gap: LocId,
    /// The condition is evaluated in an atomic block.
    is_atomic: bool,
}

struct Asserting<'a> {
    program: &'a mut Program,
    site: &'a Site,
    checks: Checks,
    threads: bool,
    violation: Violation,
}

impl Asserting<'_> {
    /// Returns where executions arrive for which the condition is not defined.
    fn assert(mut self, fragment: &Fragment, probe: &Probe) -> LocId {
        let Site { proc, from, yes, no, .. } = *self.site;
        let is_known = !self.checks.iter().flat_map(|(_, of)| of).any(|of| matches!(of, Defined::OnlyIf(_)));
        let edges = &self.program.proc(proc).edges;
        let is_shared = |edge: &usize| edges[*edge].labels.iter().any(|label| label.place().is_some());
        let is_atomic = self.threads && fragment.edges.iter().any(is_shared);
        let (end, undefined) = (self.location(LocKind::Normal), self.location(LocKind::Normal));
        let choice = (!is_known).then(|| self.choice(probe, is_atomic));
        for &edge in &fragment.edges {
            let edge = &mut self.program.procs[proc.index()].edges[edge];
            if edge.source == from && is_atomic {
                edge.labels.push(Label::AtomicBegin);
            } else if Some(edge.source) == no {
                edge.labels.push(Label::Error(self.violation));
                edge.target = end;
            } else if edge.source == yes {
                edge.labels.extend(is_atomic.then_some(Label::AtomicEnd));
                edge.target = if is_known { edge.target } else { end };
            }
        }
        self.edge(undefined, end, vec![Label::Error(self.violation)]);
        for (edge, checks) in std::mem::take(&mut self.checks) {
            self.check(edge, &checks, undefined, choice.as_ref());
        }
        if let Some(choice) = &choice {
            self.choose(&fragment.edges, choice);
        }
        undefined
    }

    /// Splits an edge where it might not be defined.
    fn check(&mut self, number: usize, checks: &[Defined], undefined: LocId, choice: Option<&Choice>) {
        let proc = self.site.proc.index();
        let edge = self.program.procs[proc].edges[number].clone();
        let (mut source, mut labels) = (edge.source, Vec::new());
        let mut parts: Vec<(LocId, LocId, Vec<Label>)> = Vec::new();
        for (at, label) in edge.labels.into_iter().enumerate() {
            if let Some(Defined::If(cond) | Defined::OnlyIf(cond)) = checks.get(at) {
                let here = self.location(LocKind::Normal);
                parts.push((source, here, std::mem::take(&mut labels)));
                let not = self.program.pool.not(*cond);
                self.edge(here, undefined, vec![Label::Assume(not)]);
                (source, labels) = (here, vec![Label::Assume(*cond)]);
            }
            if let (Some(Defined::OnlyIf(_)), Some(choice)) = (checks.get(at), choice) {
                let here = self.location(LocKind::Normal);
                parts.push((source, here, std::mem::take(&mut labels)));
                let ends = choice.is_atomic.then_some(Label::AtomicEnd);
                let doubts = [Label::Assume(choice.doubts)].into_iter().chain(ends);
                self.edge(here, choice.gap, doubts.collect());
                let not = self.program.pool.not(choice.doubts);
                (source, labels) = (here, vec![Label::Assume(not)]);
            }
            // A call is alone on its edge.
            if matches!(label, Label::Call { .. }) && !labels.is_empty() {
                let here = self.location(LocKind::Normal);
                parts.push((source, here, std::mem::take(&mut labels)));
                source = here;
            }
            if !matches!(label, Label::Require { .. }) {
                labels.push(label);
            }
        }
        parts.push((source, edge.target, labels));
        let mut parts = parts.into_iter();
        if let Some((_, target, labels)) = parts.next() {
            let first = &mut self.program.procs[proc].edges[number];
            (first.target, first.labels) = (target, labels);
        }
        parts.for_each(|(source, target, labels)| self.edge(source, target, labels));
    }

    /// An input says whether the condition is looked at. Whoever looks does not go on.
    fn choose(&mut self, edges: &[usize], choice: &Choice) {
        let Site { proc, from, to, .. } = *self.site;
        let looks = choice.looks;
        let here = self.location(LocKind::Normal);
        for &edge in edges {
            let edge = &mut self.program.procs[proc.index()].edges[edge];
            if edge.source == from {
                edge.source = here;
                edge.labels.insert(0, Label::Assume(looks));
            }
        }
        let passes = self.program.pool.not(looks);
        let input = Label::Havoc { var: choice.var, reason: HavocReason::Input, site: Origin::default() };
        self.edge(from, here, vec![input]);
        self.edge(here, to, vec![Label::Assume(passes)]);
    }

    fn choice(&mut self, probe: &Probe, is_atomic: bool) -> Choice {
        let gap = self.gap(probe);
        let (name, kind, sort) = ("look".into(), VarKind::Local(self.site.proc), Sort::Bits(2));
        let var = Var { name, sort, kind, signed: false, span: Span::NONE, origin: Origin::default() };
        self.program.vars.push(var);
        let var = VarId(self.program.vars.len() as u32 - 1);
        self.program.procs[self.site.proc.index()].locals.push(var);
        let pool = &mut self.program.pool;
        let (value, zero, one) = (pool.var(var, sort), pool.bits(2, 0), pool.bits(2, 1));
        let is_one = pool.eq(value, one);
        let (looks, doubts) = (pool.ne(value, zero), pool.not(is_one));
        Choice { var, looks, doubts, gap, is_atomic }
    }

    fn gap(&mut self, probe: &Probe) -> LocId {
        let Probe { file, line, condition, .. } = probe;
        let condition = condition.as_deref().unwrap_or_default();
        let message = format!(
            "{file}:{line}: the invariant `{condition}` reads through a pointer: whether it is defined is not checked"
        );
        self.program.gaps.push(Gap { kind: GapKind::Unsupported, message });
        let gap = GapId(self.program.gaps.len() as u32 - 1);
        self.location(LocKind::Gap(gap))
    }

    fn location(&mut self, kind: LocKind) -> LocId {
        let proc = &mut self.program.procs[self.site.proc.index()];
        let span = proc.locations[self.site.from.index()].span;
        proc.locations.push(Location { kind, span, origin: Origin::default() });
        LocId(proc.locations.len() as u32 - 1)
    }

    fn edge(&mut self, source: LocId, target: LocId, labels: Vec<Label>) {
        let proc = &mut self.program.procs[self.site.proc.index()];
        let span = proc.locations[self.site.from.index()].span;
        proc.edges.push(Edge { source, target, labels, span, is_silent: false });
    }
}
