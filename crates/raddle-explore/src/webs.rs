//! Which values of a local belong together: passes give one local to temporaries that have nothing to do with each other.
//!
//! A *web* is a set of definitions of a local that reach a common use, and all they reach (Muchnick 1997, section 16.3.3). Webs are made by uniting, along each edge, what a local is
//! at the source or what a label makes of it with what it is at the target, as far as it is live there. A global variable is a web of its own.

use raddle_interp::machine::code::Code;
use raddle_ir::VarId;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Webs {
    parent: Vec<u32>,
    globals: FxHashMap<VarId, u32>,
    /// By location (among those of all procedures) and local.
    at: FxHashMap<(u32, VarId), u32>,
    /// What a label reads, and what it writes.
    read: FxHashMap<(u32, VarId), u32>,
    written: FxHashMap<u32, u32>,
}

pub fn webs(code: &Code) -> Webs {
    let mut webs = Webs::default();
    let program = code.program;
    for edge in &code.edges {
        let proc = &code.procs[edge.proc as usize];
        let (source, target) = (proc.first_loc + edge.source, proc.first_loc + edge.target);
        let mut now: FxHashMap<VarId, u32> = FxHashMap::default();
        for (k, label) in (edge.first..).zip(&program.procs[edge.proc as usize].edges[edge.id.index()].labels) {
            label.for_each_expr(|value| {
                for var in program.pool.vars(value) {
                    let web = *now.entry(var).or_insert_with(|| webs.node(source, var));
                    webs.read.insert((k, var), web);
                }
            });
            if let Some(var) = label.written_local() {
                let web = webs.fresh();
                now.insert(var, web);
                webs.written.insert(k, web);
            }
        }
        for slot in &proc.locs[edge.target as usize].live {
            let web = *now.entry(slot.var).or_insert_with(|| webs.node(source, slot.var));
            let after = webs.node(target, slot.var);
            webs.unite(web, after);
        }
    }
    webs
}

impl Webs {
    fn fresh(&mut self) -> u32 {
        self.parent.push(self.parent.len() as u32);
        self.parent.len() as u32 - 1
    }

    fn node(&mut self, location: u32, var: VarId) -> u32 {
        if let Some(web) = self.at.get(&(location, var)) {
            return *web;
        }
        let web = self.fresh();
        self.at.insert((location, var), web);
        web
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a as usize] = b;
    }

    fn root(&self, mut web: u32) -> u32 {
        while self.parent[web as usize] != web {
            web = self.parent[web as usize];
        }
        web
    }

    /// The web of a local at a location. A local that is not live there has none that anything else is part of.
    pub fn at(&self, location: u32, var: VarId) -> Option<u32> {
        self.at.get(&(location, var)).map(|web| self.root(*web))
    }

    /// The web of a local that a label reads.
    pub fn read(&self, label: u32, var: VarId) -> Option<u32> {
        self.read.get(&(label, var)).map(|web| self.root(*web))
    }

    /// The web of the local that a label writes.
    pub fn written(&self, label: u32) -> Option<u32> {
        self.written.get(&label).map(|web| self.root(*web))
    }

    pub fn global(&mut self, var: VarId) -> u32 {
        if let Some(web) = self.globals.get(&var) {
            return *web;
        }
        let web = self.fresh();
        self.globals.insert(var, web);
        web
    }

    /// The locals at locations that belong to one of some webs.
    pub fn locals_of<'a>(&'a self, of: impl Fn(u32) -> bool + 'a) -> impl Iterator<Item = (u32, VarId)> + 'a {
        self.at.iter().filter(move |(_, web)| of(self.root(**web))).map(|(at, _)| *at)
    }
}
