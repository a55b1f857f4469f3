//! The accesses of a lowered Program that may take part in a data race.

use raddle_ir::{Label, LockOp, Order, Place, ProcId, Program, Storage, VarKind};

/// What an access is to others at the same place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Plain,
    Volatile,
    Atomic,
}

/// Accesses of an edge to one place: a load, a store, or both in one (an atomic read-modify-write).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    pub proc: ProcId,
    pub edge: usize,
    /// The positions of its first label, and of the one that writes: that may be executed under a condition.
    pub label: usize,
    pub written_at: usize,
    pub place: Place,
    /// How many bytes it touches; none: all of the object, which is freed.
    pub bytes: Option<u64>,
    pub is_write: bool,
    pub kind: Kind,
    /// In a model of the library's. What is the library's own is synchronised as the library says.
    pub is_library: bool,
}

impl Site {
    /// May the two be a race, if they are to the same memory and nothing orders them?
    pub fn conflicts(&self, other: &Site) -> bool {
        (self.is_write || other.is_write) && (self.kind != Kind::Atomic || other.kind != Kind::Atomic)
    }
}

/// All of them, in the order of procedures and edges.
pub fn sites(program: &Program) -> Vec<Site> {
    let mut sites: Vec<Site> = Vec::new();
    for (p, proc) in program.procs.iter().enumerate() {
        for (e, edge) in proc.edges.iter().enumerate() {
            let first = sites.len();
            let is_library = program.is_of_library(edge.span);
            for (l, label) in edge.labels.iter().enumerate() {
                let site = |place, bytes, is_write, order: Order| Site {
                    proc: ProcId(p as u32),
                    edge: e,
                    label: l,
                    written_at: l,
                    place,
                    bytes,
                    is_write,
                    kind: kind(order),
                    is_library,
                };
                match label {
                    Label::Load { var, place, order } if is_shared(program, *place, is_library) => {
                        add(&mut sites, first, site(*place, Some(program.var(*var).sort.bytes()), false, *order));
                    }
                    Label::Store { place, value, order } if is_shared(program, *place, is_library) => {
                        add(&mut sites, first, site(*place, Some(program.pool.sort(*value).bytes()), true, *order));
                    }
                    // What is freed is as good as overwritten.
                    Label::Free { address, storage: Storage::Heap } => {
                        add(&mut sites, first, site(Place::Memory(*address), None, true, Order::NonAtomic));
                    }
                    // To initialise or destroy a lock is a plain write of it, every other operation an atomic one.
                    Label::Lock { op, lock, .. } if is_shared(program, Place::Memory(*lock), is_library) => {
                        let is_plain = matches!(op, LockOp::Init(_) | LockOp::Destroy);
                        let order = if is_plain { Order::NonAtomic } else { Order::SeqCst };
                        add(&mut sites, first, site(Place::Memory(*lock), Some(1), true, order));
                    }
                    _ => {}
                }
            }
        }
    }
    sites
}

/// One more access of an edge; with one to the same place it is one site.
fn add(sites: &mut Vec<Site>, first: usize, site: Site) {
    let same = sites[first..].iter_mut().find(|known| known.place == site.place && known.bytes == site.bytes);
    match same {
        Some(known) => {
            if site.is_write && !known.is_write {
                (known.is_write, known.written_at) = (true, site.label);
            }
            known.kind = known.kind.min(site.kind);
        }
        None => sites.push(site),
    }
}

fn kind(order: Order) -> Kind {
    match order {
        Order::NonAtomic => Kind::Plain,
        Order::Volatile => Kind::Volatile,
        Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel | Order::SeqCst => Kind::Atomic,
    }
}

/// May threads share it? What the library's models keep for themselves does not count.
fn is_shared(program: &Program, place: Place, is_library: bool) -> bool {
    match place {
        Place::Var(var) => {
            let var = program.var(var);
            matches!(var.kind, VarKind::Global(_)) && !program.is_of_library(var.span)
        }
        Place::Memory(address) => !is_library || !is_librarys(program, address),
    }
}

/// Is a constant address that of an object of the library's?
fn is_librarys(program: &Program, address: raddle_ir::ExprId) -> bool {
    let Some(address) = program.pool.as_const(address) else { return false };
    let holds = |object: &&raddle_ir::Object| {
        (u128::from(object.address)..u128::from(object.address) + u128::from(object.size)).contains(&address.bits)
    };
    program.objects.iter().find(holds).is_some_and(|object| program.is_of_library(object.span))
}
