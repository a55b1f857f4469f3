//! Which object holds an address: those of the Program, and those that the program allocates.

use crate::symbolic::knowledge::cells::{Dynamic, Site};
use crate::symbolic::memory::Memory;
use raddle_analysis::{AbstractObject, PointsTo, points_to};
use raddle_ir::{ExprId, Object, ObjectInit, ObjectKind, ProcId, Program, VarId};

/// The objects of the Program, and where pointers may point by the points-to analysis.
pub struct Objects<'p> {
    program: &'p Program,
    points_to: PointsTo,
    /// The objects with bytes: address, size, number.
    by_address: Vec<(u64, u64, u32)>,
}

/// An object that holds an address range.
pub(crate) enum Holder<'p> {
    Static(&'p Object),
    Dynamic(Dynamic),
}

impl<'p> Objects<'p> {
    pub fn new(program: &'p Program) -> Objects<'p> {
        let data = program.objects.iter().enumerate().filter(|(_, o)| matches!(o.kind, ObjectKind::Data { .. }));
        let mut by_address: Vec<(u64, u64, u32)> = data.map(|(i, o)| (o.address, o.size, i as u32)).collect();
        by_address.sort_unstable();
        Objects { program, points_to: points_to(program), by_address }
    }

    fn holder(&self, address: u64, end: u64) -> Option<&'p Object> {
        let at = self.by_address.partition_point(|o| o.0 <= address);
        let &(start, size, id) = self.by_address.get(at.checked_sub(1)?)?;
        (end <= start + size).then(|| &self.program.objects[id as usize])
    }

    pub(super) fn program(&self) -> &'p Program {
        self.program
    }

    /// May a variable hold an address in an object of a site?
    pub(super) fn may_hold(&self, var: VarId, site: Site) -> bool {
        let is_site = |of: usize| matches!(self.points_to.objects().get(of), Some(AbstractObject::Site { proc, edge, label }) if (proc.0, edge.0, *label) == site);
        self.points_to.of_var(var).ones().any(is_site)
    }

    pub(super) fn is_stray(&self, ir_address: ExprId) -> bool {
        self.points_to.is_stray(ir_address)
    }
}

impl<'p> Memory<'_, 'p> {
    /// The object that holds `len` bytes from an address on.
    pub(super) fn holder(&self, address: u64, len: u64) -> Option<Holder<'p>> {
        let end = address.checked_add(len)?;
        match self.objects.holder(address, end) {
            Some(object) => Some(Holder::Static(object)),
            None => self.assumptions.object_around(address, end).map(Holder::Dynamic),
        }
    }

    /// The address ranges of the objects that the points-to analysis gives for an address.
    pub(super) fn objects_of(&mut self, ir_address: ExprId) -> Vec<(u64, u64)> {
        let program = self.program;
        let points_to = &self.objects.points_to;
        let mut ranges = Vec::new();
        for target in points_to.targets(&program.pool, ir_address).ones() {
            match points_to.objects()[target] {
                AbstractObject::Static(id) => {
                    let object = &program.objects[id.index()];
                    ranges.push((object.address, object.size));
                }
                AbstractObject::Site { proc, edge, label } => {
                    ranges.extend(self.assumptions.objects_of_site((proc.0, edge.0, label)));
                }
            }
        }
        ranges
    }

    /// The functions that an address may be, with their addresses.
    pub(crate) fn functions(&mut self, address: ExprId, ir_address: ExprId) -> Vec<(u64, ProcId)> {
        let program = self.program;
        let function_at = |at: u64| {
            program.objects.iter().find_map(|o| match o.kind {
                ObjectKind::Function(proc) if o.address == at => Some((at, proc)),
                _ => None,
            })
        };
        match self.assumptions.values_of(self.pool, address) {
            Some(values) => values.into_iter().filter_map(function_at).collect(),
            None => {
                let functions = self.objects.points_to.functions(program, ir_address);
                functions.iter().map(|(o, proc)| (program.objects[o.index()].address, *proc)).collect()
            }
        }
    }
}

impl Holder<'_> {
    pub(super) fn is_writable(&self) -> bool {
        match self {
            Holder::Static(object) => matches!(object.kind, ObjectKind::Data { writable: true, .. }),
            Holder::Dynamic(_) => true,
        }
    }
}

/// The bytes of a static object at the beginning, if they are known. Those beyond the end of the list are zero.
pub(super) fn initial_bytes(object: &Object) -> Option<&[u8]> {
    match &object.kind {
        ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } => Some(bytes),
        _ => None,
    }
}
