//! Where a visit of a lowered location is a visit of a prepared one: the copies that inlining made of it, and whether they are heads of loops.
//!
//! Passes that merge edges take locations out, and never lead around one that stays.

use fixedbitset::FixedBitSet;
use raddle_analysis::cfg::Cfg;
use raddle_ir::{Callee, CallerId, Label, LocId, LocOrigin, ObjectKind, ProcId, Procedure, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Looking for heads of loops may visit so many edges.
const MOST_VISITS: usize = 20_000_000;

/// A prepared location, and where it comes from.
type Copied = (ProcId, LocId, LocOrigin);

/// Where a prepared location comes from, and whether it is the head of a loop.
#[derive(Clone, Copy)]
pub struct Visited {
    pub origin: LocOrigin,
    pub is_head: bool,
}

/// The prepared locations that their origins are visited at, and at no others. A thread has done the same there.
pub fn visited(lowered: &Program, prepared: &Program) -> FxHashMap<(ProcId, LocId), Visited> {
    let mut by_origin: BTreeMap<(ProcId, LocId), Vec<Copied>> = BTreeMap::new();
    let mut visits = 0;
    let mut is_head: Vec<FixedBitSet> = Vec::new();
    for (i, proc) in prepared.procs.iter().enumerate() {
        is_head.push(loop_heads(proc, &mut visits));
        for (at, location) in proc.locations.iter().enumerate() {
            if let Some(origin) = location.origin.0.filter(|origin| origin.is_exact) {
                let place = (ProcId(i as u32), LocId(at as u32), origin);
                by_origin.entry((origin.proc, origin.loc)).or_default().push(place);
            }
        }
    }
    let instances = instances(lowered, prepared);
    let mut result = FxHashMap::default();
    for ((proc, _), places) in by_origin {
        let has = |instance: &Option<CallerId>| places.iter().any(|(_, _, origin)| origin.within == *instance);
        if instances.get(&proc).is_some_and(|instances| instances.iter().all(has)) {
            let all_are_heads = places.iter().all(|(proc, loc, _)| is_head[proc.index()].contains(loc.index()));
            let visited = |origin| Visited { origin, is_head: all_are_heads };
            result.extend(places.into_iter().map(|(proc, loc, origin)| ((proc, loc), visited(origin))));
        }
    }
    result
}

/// The heads of natural loops: an edge comes back from where they dominate.
fn loop_heads(proc: &Procedure, visits: &mut usize) -> FixedBitSet {
    let cfg = Cfg::new(proc);
    let on_cycle = cfg.on_cycle(proc);
    let mut heads = FixedBitSet::with_capacity(proc.locations.len());
    for at in on_cycle.ones().map(|at| LocId(at as u32)) {
        let ways = cfg.arriving(at).len() + usize::from(at == proc.entry);
        if ways < 2 || !cfg.is_reachable(at) || *visits > MOST_VISITS {
            continue;
        }
        let mut without = FixedBitSet::with_capacity(proc.locations.len());
        without.insert(at.index());
        let mut open = vec![proc.entry];
        while let Some(loc) = open.pop() {
            if without.put(loc.index()) {
                continue;
            }
            *visits += cfg.leaving(loc).len();
            open.extend(cfg.leaving(loc).iter().map(|edge| proc.edges[edge.index()].target));
        }
        let comes_back = |source: LocId| source == at || !without.contains(source.index());
        if cfg.arriving(at).iter().any(|edge| comes_back(proc.edges[edge.index()].source)) {
            heads.insert(at.index());
        }
    }
    heads
}

/// The copies of each procedure: by the call that inlining replaced, or as a process.
fn instances(lowered: &Program, prepared: &Program) -> FxHashMap<ProcId, Vec<Option<CallerId>>> {
    let mut result: FxHashMap<ProcId, Vec<Option<CallerId>>> = FxHashMap::default();
    let functions: Vec<ProcId> = lowered
        .objects
        .iter()
        .filter_map(|object| match object.kind {
            ObjectKind::Function(proc) => Some(proc),
            ObjectKind::Data { .. } => None,
        })
        .collect();
    let called = |callee: Callee| match callee {
        Callee::Proc(proc) => vec![proc],
        Callee::Address(_) => functions.clone(),
    };
    result.entry(lowered.entry).or_default().push(None);
    let mut calls: FxHashMap<u32, Vec<ProcId>> = FxHashMap::default();
    for label in lowered.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        match label {
            Label::Start { callee, .. } => {
                called(*callee).into_iter().for_each(|proc| result.entry(proc).or_default().push(None));
            }
            Label::Call { callee, site, .. } => {
                calls.extend(site.0.map(|site| (site.label, called(*callee))));
            }
            _ => {}
        }
    }
    for (i, caller) in prepared.callers.iter().enumerate() {
        for &proc in calls.get(&caller.call).into_iter().flatten() {
            result.entry(proc).or_default().push(Some(CallerId(i as u32)));
        }
    }
    result
}

/// The procedures of which a process has one copy.
pub fn single(lowered: &Program, prepared: &Program) -> FxHashSet<(ProcId, ProcId)> {
    let calls = procs_of_calls(lowered);
    let mut counts: FxHashMap<(ProcId, ProcId), u32> = FxHashMap::default();
    for (proc, instances) in instances(lowered, prepared) {
        let of = |within: Option<CallerId>| (outermost(&calls, prepared, within).unwrap_or(proc), proc);
        let all: FxHashSet<Option<CallerId>> = instances.into_iter().collect();
        all.into_iter().for_each(|within| *counts.entry(of(within)).or_default() += 1);
    }
    counts.into_iter().filter(|(_, count)| *count == 1).map(|(key, _)| key).collect()
}

/// The procedure that each numbered label of the lowered Program stands in.
pub fn procs_of_calls(lowered: &Program) -> FxHashMap<u32, ProcId> {
    let mut result = FxHashMap::default();
    for (i, proc) in lowered.procs.iter().enumerate() {
        let sites = proc.edges.iter().flat_map(|edge| &edge.labels).filter_map(Label::site);
        result.extend(sites.map(|site| (site.label, ProcId(i as u32))));
    }
    result
}

/// The procedure that the outermost of some calls stands in: a process. `None`: there are no calls.
pub fn outermost(calls: &FxHashMap<u32, ProcId>, prepared: &Program, mut within: Option<CallerId>) -> Option<ProcId> {
    let mut result = None;
    while let Some(caller) = within.and_then(|id| prepared.callers.get(id.0 as usize)) {
        result = calls.get(&caller.call).copied();
        within = caller.within;
    }
    result
}
