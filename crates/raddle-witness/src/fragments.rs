//! Probes in a Program: their edges, and the Program without them.

use raddle_c::probes::Site;
use raddle_ir::{ProcId, Program};
use rustc_hash::FxHashMap;

/// The edges of a probe.
pub struct Fragment {
    /// The position of its site.
    pub site: usize,
    pub edges: Vec<usize>,
}

pub fn fragments(program: &Program, sites: &[Site]) -> Vec<Fragment> {
    let mut by_location: FxHashMap<(ProcId, u32), usize> = FxHashMap::default();
    for (number, site) in sites.iter().enumerate() {
        by_location.insert((site.proc, site.from.0), number);
        by_location.extend(site.inner.clone().map(|loc| ((site.proc, loc), number)));
    }
    let mut all: Vec<Fragment> = (0..sites.len()).map(|site| Fragment { site, edges: Vec::new() }).collect();
    for (number, proc) in program.procs.iter().enumerate() {
        for (at, edge) in proc.edges.iter().enumerate() {
            if let Some(&site) = by_location.get(&(ProcId(number as u32), edge.source.0)) {
                all[site].edges.push(at);
            }
        }
    }
    all
}

/// The Program as if nobody looked on: a probe is an edge that does nothing.
pub fn without_probes(mut program: Program, sites: &[Site]) -> Program {
    for Fragment { site, mut edges } in fragments(&program, sites) {
        let site = &sites[site];
        let proc = &mut program.procs[site.proc.index()];
        if edges.is_empty() {
            continue;
        }
        proc.edges[edges[0]].labels.clear();
        proc.edges[edges[0]].source = site.from;
        proc.edges[edges[0]].target = site.to;
        // The others stay where they are, as others have their numbers: nobody gets there.
        for edge in edges.drain(1..) {
            proc.edges[edge].labels.clear();
            proc.edges[edge].target = site.to;
        }
    }
    program
}
