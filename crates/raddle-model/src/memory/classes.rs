//! Alias classes, and how the accesses of a class cut it.

use super::{Class, Memory, Targets};
use crate::instances::{Origin, Vars};
use raddle_analysis::alignment::{Cut, alignment, are_apart};
use raddle_analysis::{AbstractObject, PointsTo, points_to};
use raddle_ir::{ExprId, Label, ObjectId, Place, Program, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

impl Memory {
    /// Fills in what accesses may touch, and the classes.
    pub(super) fn find_classes(&mut self, program: &Program, vars: &mut Vars) {
        // Address, bytes, is it a store.
        let mut accesses: Vec<(ExprId, u64, bool)> = Vec::new();
        for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
            match label {
                Label::Load { var, place: Place::Memory(address), .. } => {
                    accesses.push((*address, program.var(*var).sort.bytes(), false));
                }
                Label::Store { value, place: Place::Memory(address), .. } => {
                    accesses.push((*address, program.pool.sort(*value).bytes(), true));
                }
                _ => {}
            }
        }
        if accesses.is_empty() {
            return;
        }
        let points_to = points_to(program);
        let alignment = alignment(program, &points_to, |_, _| None);
        let positions: FxHashMap<ObjectId, usize> =
            self.objects.iter().enumerate().map(|(i, object)| (object.id, i)).collect();
        let mut union = Union((0..points_to.objects().len()).collect());
        // An object of the class of each address.
        let mut of_address: FxHashMap<ExprId, usize> = FxHashMap::default();
        for &(address, _, is_store) in &accesses {
            let touched = self.targets(program, &points_to, &positions, address, is_store);
            let access = self.accesses.entry(address).or_default();
            for object in &touched.0 {
                match of_address.get(&address) {
                    Some(other) => union.join(*other, *object),
                    None => {
                        of_address.insert(address, *object);
                    }
                }
            }
            access.is_stray = points_to.is_stray(address);
            *(if is_store { &mut access.stores } else { &mut access.loads }) = touched.1;
            (access.modulus, access.residue) = match alignment.as_ref().and_then(|known| known.get(address)) {
                Some(known) => (1 << known.bits, known.residue.into()),
                None => (1, 0),
            };
        }
        for access in self.accesses.values() {
            access.stores.statics.iter().for_each(|i| self.objects[*i].is_written = true);
        }
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        let mut cuts: Vec<FxHashSet<Cut>> = Vec::new();
        for &(address, bytes, _) in &accesses {
            let Some(object) = of_address.get(&address) else { continue };
            let class = *numbers.entry(union.find(*object)).or_insert_with(|| {
                cuts.push(FxHashSet::default());
                cuts.len() as u32 - 1
            });
            if let Some(access) = self.accesses.get_mut(&address) {
                access.class = Some(class);
                cuts[class as usize].insert((access.modulus, access.residue, bytes));
            }
        }
        for (i, cuts) in cuts.into_iter().enumerate() {
            let mut cuts: Vec<Cut> = cuts.into_iter().collect();
            cuts.sort_unstable();
            let is_bytes = !are_apart(&cuts);
            let widest = cuts.iter().map(|(_, _, bytes)| *bytes).max().unwrap_or(1);
            let element = if is_bytes { 8 } else { (8 * widest) as u8 };
            let sort = Sort::Array { index: program.pointer_bits, element };
            let var = vars.make(Origin::Memory(i as u32), sort, None);
            self.classes.push(Class { var, element, is_bytes, cuts, statics: Vec::new(), has_any: false });
        }
        for (i, object) in points_to.objects().iter().enumerate() {
            let Some(class) = numbers.get(&union.find(i)) else { continue };
            let class = &mut self.classes[*class as usize];
            match object {
                AbstractObject::Site { proc, edge, label } => {
                    let labels = &program.proc(*proc).edges[edge.index()].labels;
                    class.has_any |= !matches!(labels[*label as usize], Label::Alloc { zeroed: true, .. });
                }
                AbstractObject::Static(id) => {
                    if let Some(here) = positions.get(id) {
                        class.statics.push(*here);
                        class.has_any |= self.objects[*here].init.is_none();
                    }
                }
            }
        }
    }

    /// What an access may touch: by position in the analysis, and for the access.
    fn targets(
        &self,
        program: &Program,
        points_to: &PointsTo,
        positions: &FxHashMap<ObjectId, usize>,
        address: ExprId,
        is_store: bool,
    ) -> (Vec<usize>, Targets) {
        let (mut objects, mut targets) = (Vec::new(), Targets::default());
        for i in points_to.targets(&program.pool, address).ones() {
            match points_to.objects()[i] {
                AbstractObject::Site { .. } => {
                    targets.is_dynamic = true;
                    objects.push(i);
                }
                AbstractObject::Static(id) => {
                    // Functions have no bytes.
                    let here = positions.get(&id).copied();
                    if let Some(here) = here.filter(|here| self.objects[*here].is_writable || !is_store) {
                        targets.statics.push(here);
                        objects.push(i);
                    }
                }
            }
        }
        (objects, targets)
    }
}

/// Sets of numbers that grow together.
struct Union(Vec<usize>);

impl Union {
    fn find(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
