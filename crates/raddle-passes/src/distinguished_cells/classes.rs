//! Alias classes: objects that one access may touch belong together. A class is given to cells if every access to it is understood.

use raddle_analysis::alignment::{Alignment, Cut, are_apart};
use raddle_analysis::{AbstractObject, PointsTo};
use raddle_ir::{ExprId, Label, ObjectInit, ObjectKind, Place, Program, Sort};
use rustc_hash::FxHashMap;

/// A load or store of memory in the only process.
#[derive(Clone, Debug)]
pub struct Access {
    pub edge: usize,
    pub label: usize,
    pub address: ExprId,
    pub sort: Sort,
    pub is_store: bool,
}

#[derive(Default, Debug)]
pub struct Class {
    pub accesses: Vec<Access>,
    /// Allocations of objects of the class: edge and label.
    pub sites: Vec<(usize, usize)>,
    /// Are there static objects in it?
    pub has_statics: bool,
    /// Do its objects hold zeros before anything runs? Never with allocated objects.
    pub begins_with_zeros: bool,
    pub is_eligible: bool,
}

impl Class {
    /// Does an allocation (edge and label) make all objects of the class?
    pub fn is_only(&self, site: (usize, usize)) -> bool {
        !self.has_statics && self.sites == [site]
    }
}

pub struct Classes {
    pub all: Vec<Class>,
    of_address: FxHashMap<ExprId, usize>,
}

impl Classes {
    /// The class of an access, if it is eligible.
    pub fn eligible(&self, address: ExprId) -> Option<usize> {
        self.of_address.get(&address).copied().filter(|class| self.all[*class].is_eligible)
    }

    /// May a store to one address change what is at another?
    pub fn may_change(&self, a: ExprId, b: ExprId) -> bool {
        match (self.of_address.get(&a), self.of_address.get(&b)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

pub fn classes(program: &Program, points_to: &PointsTo, alignment: &Alignment) -> Classes {
    let mut parent: Vec<usize> = (0..points_to.objects().len()).collect();
    let mut accesses: Vec<(Access, usize)> = Vec::new();
    for (e, edge) in program.procs[0].edges.iter().enumerate() {
        for (l, label) in edge.labels.iter().enumerate() {
            let (address, sort, is_store) = match *label {
                Label::Load { var, place: Place::Memory(address), .. } => (address, program.var(var).sort, false),
                Label::Store { value, place: Place::Memory(address), .. } => (address, program.pool.sort(value), true),
                _ => continue,
            };
            let mut objects = points_to.targets(&program.pool, address);
            objects.grow(parent.len());
            let mut objects = objects.ones().filter(|object| has_bytes(program, points_to.objects()[*object]));
            // An access to no object ends the path: it stays.
            let Some(first) = objects.next() else { continue };
            objects.for_each(|other| join(&mut parent, first, other));
            accesses.push((Access { edge: e, label: l, address, sort, is_store }, first));
        }
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut result = Classes { all: Vec::new(), of_address: FxHashMap::default() };
    for (access, object) in accesses {
        let class = *numbers.entry(find(&mut parent, object)).or_insert_with(|| {
            result.all.push(Class { begins_with_zeros: true, ..Class::default() });
            result.all.len() - 1
        });
        result.of_address.insert(access.address, class);
        result.all[class].accesses.push(access);
    }
    for (i, object) in points_to.objects().iter().enumerate() {
        let Some(class) = numbers.get(&find(&mut parent, i)) else { continue };
        let class = &mut result.all[*class];
        match *object {
            AbstractObject::Site { edge, label, .. } => {
                class.sites.push((edge.index(), label as usize));
                class.begins_with_zeros = false;
            }
            AbstractObject::Static(id) => {
                class.has_statics = true;
                class.begins_with_zeros &= match &program.objects[id.index()].kind {
                    ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, .. } => {
                        pointers.is_empty() && bytes.iter().all(|byte| *byte == 0)
                    }
                    ObjectKind::Data { init: ObjectInit::Any, .. } => false,
                    ObjectKind::Function(_) => true,
                };
            }
        }
    }
    for class in &mut result.all {
        class.is_eligible = is_eligible(class, points_to, alignment);
    }
    result
}

fn has_bytes(program: &Program, object: AbstractObject) -> bool {
    match object {
        AbstractObject::Static(id) => matches!(program.objects[id.index()].kind, ObjectKind::Data { .. }),
        AbstractObject::Site { .. } => true,
    }
}

/// Tables that nobody writes stay as they are: their contents are known. A stray pointer need not point to any object of its class.
fn is_eligible(class: &Class, points_to: &PointsTo, alignment: &Alignment) -> bool {
    let is_plain = |access: &Access| match access.sort {
        Sort::Bits(bits) => bits % 8 == 0,
        Sort::Float(format) => format.bits() % 8 == 0,
        _ => false,
    };
    let mut cuts: Vec<Cut> =
        class.accesses.iter().map(|access| alignment.cut(access.address, access.sort.bytes())).collect();
    cuts.sort_unstable();
    cuts.dedup();
    class.accesses.iter().any(|access| access.is_store)
        && class.accesses.iter().any(|access| !access.is_store)
        && class.accesses.iter().all(|access| is_plain(access) && !points_to.is_stray(access.address))
        && are_apart(&cuts)
}

fn find(parent: &mut [usize], mut of: usize) -> usize {
    while parent[of] != of {
        parent[of] = parent[parent[of]];
        of = parent[of];
    }
    of
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}
