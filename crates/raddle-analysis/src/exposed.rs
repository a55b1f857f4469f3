//! Exposed objects: static objects whose address may be rebuilt from numbers that do not look like it.
//!
//! Addresses of static objects are constants, constants fold, and analyses recognise an object by the value of a constant
//! (`addresses.rs`). Of `&a ^ &b`, of a distance `&d - &s` that is stored in a variable, or of one byte of an address
//! they do not: but the program may make `&a` of it again. So before constants of different expressions are folded,
//! points-to analysis follows each address from the constant that it is in the beginning to where it is used, and an
//! object is *exposed* if there is an operation on the way that hides it. Whoever relies on knowing where an address
//! occurs then leaves that object alone.
//!
//! What hides: everything but the following, which make of a constant in an object another one in it, or one that
//! `addresses.rs` recognises.
//! - An addition, unless both operands carry objects (of a sum of two addresses nobody knows) or one is a constant that
//!   is larger than the object that the other points to. Pointers never go that far, but numbers may, and come back.
//! - A subtraction of something that carries no object. The distance of two places in the same object is just a number
//!   and carries nothing.
//! - A choice (`ite`), and conversions that keep at least the bits of a pointer.
//!
//! Masks and tag bits hide as well: `p & ~63` may lie before the object that `p` points into. So does a load or store
//! that is narrower than a pointer. Comparisons carry nothing: a program that finds out an address by comparing is not
//! understood.
//!
//! What it takes for an object to be exposed is that its address arrives hidden at a place where it is used. That it arrives there
//! unhidden as well does not help: that way may be one that cannot be taken, and gone with the next pass.
//!
//! An object of an `Alloc` needs no mark: its address is a variable, which does not fold.

use crate::addresses::{Addresses, Mention};
use crate::points_to::{
    AbstractObject, PointsTo, for_each_carrying_operand, is_narrow, may_carry, points_to, points_to_hiding,
};
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, Callee, Const, Expr, ExprId, Label, ObjectKind, Place, Program, Sort, UnOp, Use, VarId, eval};
use rustc_hash::FxHashSet;

/// The exposed objects, by id. Those that are marked already are not looked for.
pub fn exposed(program: &Program) -> FixedBitSet {
    let mut exposed = FixedBitSet::with_capacity(program.objects.len());
    let (accessed, called) = computed_addresses(program);
    if accessed.is_empty() && called.is_empty() {
        return exposed;
    }
    let plain = points_to(program);
    let Some(hiding) = Hiding::new(program, &plain) else { return exposed };
    let flows = points_to_hiding(program, &hiding);
    for (addresses, of_functions) in [(accessed, false), (called, true)] {
        for address in addresses {
            for i in flows.hidden(&program.pool, &hiding, address).ones() {
                if let AbstractObject::Static(id) = flows.objects()[i]
                    && matches!(program.objects[id.index()].kind, ObjectKind::Function(_)) == of_functions
                {
                    exposed.insert(id.index());
                }
            }
        }
    }
    exposed
}

/// The expressions that are used as addresses of data and of functions, and are no plain constants.
fn computed_addresses(program: &Program) -> (FxHashSet<ExprId>, FxHashSet<ExprId>) {
    let (mut accessed, mut called) = (FxHashSet::default(), FxHashSet::default());
    let is_computed = |expr: &ExprId| program.pool.as_const(*expr).is_none();
    let is_wide = |expr: &ExprId| !is_narrow(program, program.pool.sort(*expr));
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        match label {
            Label::Load { place: Place::Memory(address), .. }
            | Label::Store { place: Place::Memory(address), .. }
            | Label::ObjectSize { address, .. }
            | Label::Valid { address, used: Use::Read(_) | Use::Write(_) | Use::Free, .. }
            | Label::Free { address, .. }
            | Label::Lock { lock: address, .. } => accessed.extend(Some(*address).filter(is_computed)),
            // What is printed may be a string.
            Label::Print { .. } => accessed.extend(label.exprs().into_iter().filter(is_computed).filter(is_wide)),
            Label::Valid { address, used: Use::Call, .. }
            | Label::Call { callee: Callee::Address(address), .. }
            | Label::Start { callee: Callee::Address(address), .. } => {
                called.extend(Some(*address).filter(is_computed));
            }
            _ => {}
        }
    }
    (accessed, called)
}

/// What becomes of the objects that the operands of an operation carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Keeps,
    Hides,
    /// It carries nothing.
    Drops,
}

/// The role of each expression of a pool.
pub(crate) struct Hiding {
    roles: Vec<Role>,
}

impl Hiding {
    pub(crate) fn role(&self, expr: ExprId) -> Role {
        self.roles[expr.0 as usize]
    }

    /// `None` if nothing hides an object.
    fn new(program: &Program, points_to: &PointsTo) -> Option<Hiding> {
        let unknown = points_to.objects().len();
        let of_var: Vec<Carries> =
            (0..program.vars.len() as u32).map(|var| Carries::of_set(points_to.of_var(VarId(var)), unknown)).collect();
        let mut carries: Vec<Carries> = Vec::with_capacity(program.pool.len());
        let mut roles: Vec<Role> = Vec::with_capacity(program.pool.len());
        let all_roles = Roles::new(program, points_to.addresses());
        let mut any = false;
        // Operands come before the nodes above them.
        for (_, expr, sort) in program.pool.nodes() {
            let (mut own, mut role) = (Carries::NOTHING, Role::Keeps);
            if may_carry(sort) {
                if let Expr::Var(var) = expr {
                    own = of_var[var.index()];
                }
                for_each_carrying_operand(expr, |operand| own = own.join(carries[operand.0 as usize]));
                role = all_roles.of(expr, &carries);
                points_to.addresses().mentions(&program.pool, expr, |mention| match mention {
                    Mention::Object(object) => own = own.join(Carries::object(object.0)),
                    Mention::Any => own = own.join(Carries { objects: Objects::Many, unknown: false }),
                });
                match role {
                    Role::Keeps => {}
                    Role::Hides => any |= own.objects != Objects::None,
                    Role::Drops => own = Carries::NOTHING,
                }
            }
            carries.push(own);
            roles.push(role);
        }
        let hides = |label: &Label| match label {
            Label::Load { var, place: Place::Memory(_), .. } => {
                is_narrow(program, program.var(*var).sort) && of_var[var.index()].objects != Objects::None
            }
            Label::Store { value, place: Place::Memory(_), .. } => {
                is_narrow(program, program.pool.sort(*value)) && carries[value.0 as usize].objects != Objects::None
            }
            _ => false,
        };
        any |= program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(hides);
        any.then_some(Hiding { roles })
    }
}

/// What a value carries, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Carries {
    objects: Objects,
    unknown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Objects {
    None,
    One(u32),
    Many,
}

impl Carries {
    const NOTHING: Carries = Carries { objects: Objects::None, unknown: false };

    fn object(object: u32) -> Carries {
        Carries { objects: Objects::One(object), unknown: false }
    }

    fn of_set(set: &FixedBitSet, unknown: usize) -> Carries {
        let mut objects = set.ones().take_while(|i| *i < unknown);
        let objects = match (objects.next(), objects.next()) {
            (None, _) => Objects::None,
            (Some(one), None) => Objects::One(one as u32),
            _ => Objects::Many,
        };
        Carries { objects, unknown: set.contains(unknown) }
    }

    fn join(self, other: Carries) -> Carries {
        let objects = match (self.objects, other.objects) {
            (Objects::None, objects) | (objects, Objects::None) => objects,
            (one, other) if one == other => one,
            _ => Objects::Many,
        };
        Carries { objects, unknown: self.unknown || other.unknown }
    }
}

/// What tells the role of an operation.
struct Roles<'a> {
    program: &'a Program,
    addresses: &'a Addresses,
    largest_size: u64,
    any_exposed: bool,
}

impl<'a> Roles<'a> {
    fn new(program: &'a Program, addresses: &'a Addresses) -> Self {
        let largest_size = program.objects.iter().map(|object| object.size).max().unwrap_or(0);
        let any_exposed = program.objects.iter().any(|object| object.exposed);
        Roles { program, addresses, largest_size, any_exposed }
    }

    /// The role of a node, by what its operands carry.
    fn of(&self, expr: Expr, carries: &[Carries]) -> Role {
        let (program, pool) = (self.program, &self.program.pool);
        let keeps_if = |keeps| if keeps { Role::Keeps } else { Role::Hides };
        let is_wide = |id: ExprId| !is_narrow(program, pool.sort(id));
        let get = |id: ExprId| carries[id.0 as usize];
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Ite(..) | Expr::Store(..) | Expr::ConstArray { .. } => Role::Keeps,
            Expr::Binary(BinOp::BvAdd, a, b) => match pool.as_const(b) {
                Some(k) => match self.addresses.subtracted(k) {
                    Some(object) => self.subtraction(get(a), Carries::object(object.0)),
                    // A constant that lies before its object (`a[i - 9]`) is an address as well.
                    None if self.addresses.is_among_data(k) => keeps_if(get(a).objects == Objects::None),
                    None => keeps_if(distance(k) <= self.largest_offset(get(a).objects)),
                },
                None => keeps_if(get(a).objects == Objects::None || get(b).objects == Objects::None),
            },
            Expr::Binary(BinOp::BvSub, a, b) => self.subtraction(get(a), get(b)),
            Expr::Extract { high, low, .. } => {
                keeps_if(low == 0 && !is_narrow(program, Sort::Bits(high.saturating_add(1))))
            }
            Expr::ZeroExt { arg, .. }
            | Expr::SignExt { arg, .. }
            | Expr::BitsToF { arg, .. }
            | Expr::Unary(UnOp::FToBits, arg) => keeps_if(is_wide(arg)),
            Expr::Select(array, _) => keeps_if(match pool.sort(array) {
                Sort::Array { element, .. } => !is_narrow(program, Sort::Bits(element)),
                _ => false,
            }),
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Fma(..)
            | Expr::FToF { .. }
            | Expr::FToS { .. }
            | Expr::FToU { .. }
            | Expr::SToF { .. }
            | Expr::UToF { .. } => Role::Hides,
        }
    }

    fn subtraction(&self, a: Carries, b: Carries) -> Role {
        match (a.objects, b.objects) {
            (_, Objects::None) => Role::Keeps,
            // Where objects are exposed already, one object may not be all that a value points to.
            (Objects::One(from), Objects::One(to)) if from == to && !a.unknown && !b.unknown && !self.any_exposed => {
                Role::Drops
            }
            _ => Role::Hides,
        }
    }

    /// An offset beyond this leads out of the objects that a value points into. Of allocated objects nothing is known.
    fn largest_offset(&self, objects: Objects) -> u128 {
        match objects {
            Objects::None => u128::MAX,
            Objects::One(object) => {
                self.program.objects.get(object as usize).map_or(u128::MAX, |object| object.size.into())
            }
            Objects::Many => self.largest_size.into(),
        }
    }
}

/// How far a constant addend leads, up or down.
fn distance(addend: Const) -> u128 {
    let mask = addend.sort.bits().map_or(0, eval::mask);
    addend.bits.min(addend.bits.wrapping_neg() & mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::ProcId;
    use raddle_testing::*;

    const A: u128 = 0x10000000;
    const B: u128 = 0x10100000;

    /// A main procedure with objects `a` and `b`, variables `x` := &a and `y` := &b, and a global.
    struct Example {
        b: Builder,
        main: ProcId,
        x: VarId,
        y: VarId,
        global: Place,
    }

    impl Example {
        fn new() -> Example {
            let mut b = Builder::new();
            let main = b.proc("main");
            b.object("a", A as u64, 40, None, true);
            b.object("b", B as u64, 40, None, true);
            let (x, y) = (b.local(main, "x", 64), b.local(main, "y", 64));
            let global = Place::Var(b.global("g", 64, Some(0)));
            let (at_a, at_b) = (b.num(64, A), b.num(64, B));
            b.edge(main, 0, 1, vec![Label::Assign { var: x, value: at_a }, Label::Assign { var: y, value: at_b }]);
            Example { b, main, x, y, global }
        }

        fn get(&mut self) -> (ExprId, ExprId) {
            (self.b.get(self.x), self.b.get(self.y))
        }

        /// Stores a value in the global, loads it to `x`, and reads at the address that `address` makes of `x` and `y`.
        fn exposed(mut self, value: ExprId, address: impl Fn(&mut Builder, ExprId, ExprId) -> ExprId) -> Vec<String> {
            self.b.edge(self.main, 1, 2, vec![store(self.global, value)]);
            let z = self.b.local(self.main, "z", 64);
            let (vz, vy) = (self.b.get(z), self.b.get(self.y));
            let at = address(&mut self.b, vz, vy);
            let to = self.b.local(self.main, "to", 32);
            self.b.edge(self.main, 2, 3, vec![load(z, self.global)]);
            self.b.edge(self.main, 3, EXIT, vec![load(to, Place::Memory(at))]);
            names(&self.b.finish())
        }
    }

    fn names(program: &Program) -> Vec<String> {
        exposed(program).ones().map(|object| program.objects[object].name.clone()).collect()
    }

    #[test]
    fn an_exclusive_or_exposes_both() {
        let mut example = Example::new();
        let (x, y) = example.get();
        let both = example.b.bin(BinOp::BvXor, x, y);
        assert_eq!(example.exposed(both, |b, z, y| b.bin(BinOp::BvXor, z, y)), ["a", "b"]);
    }

    #[test]
    fn offsets_in_an_object_expose_nothing() {
        let mut example = Example::new();
        let (x, _) = example.get();
        let (four, at_a) = (example.b.num(64, 4), example.b.num(64, A));
        let place = example.b.bin(BinOp::BvAdd, x, four);
        let distance = example.b.bin(BinOp::BvSub, place, at_a);
        let again = example.b.bin(BinOp::BvAdd, x, distance);
        assert_eq!(example.exposed(again, |_, z, _| z), [] as [&str; 0]);
    }

    #[test]
    fn a_distance_of_two_objects_exposes_both() {
        let mut example = Example::new();
        let (x, y) = example.get();
        let distance = example.b.bin(BinOp::BvSub, x, y);
        assert_eq!(example.exposed(distance, |b, z, y| b.bin(BinOp::BvAdd, z, y)), ["a", "b"]);
        let mut example = Example::new();
        let (x, _) = example.get();
        let at_b = example.b.num(64, B);
        let distance = example.b.bin(BinOp::BvSub, x, at_b);
        assert_eq!(example.exposed(distance, |b, z, y| b.bin(BinOp::BvAdd, z, y)), ["a", "b"]);
    }

    #[test]
    fn an_offset_that_leads_far_away_exposes() {
        for (offset, wanted) in [(40, &[][..]), (4096, &["a"])] {
            let mut example = Example::new();
            let (x, _) = example.get();
            let offset = example.b.num(64, offset);
            let far = example.b.bin(BinOp::BvAdd, x, offset);
            assert_eq!(example.exposed(far, |b, z, _| b.bin(BinOp::BvSub, z, offset)), wanted);
        }
    }

    #[test]
    fn what_is_hidden_and_never_used_as_an_address_is_not_exposed() {
        let mut example = Example::new();
        let (x, _) = example.get();
        let four = example.b.num(64, 4);
        let hash = example.b.bin(BinOp::LShr, x, four);
        assert_eq!(example.exposed(hash, |_, _, y| y), [] as [&str; 0]);
    }

    #[test]
    fn a_load_of_a_part_exposes() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", A as u64, 8, None, true);
        b.object("cell", B as u64, 8, None, true);
        let (low, to) = (b.local(main, "low", 32), b.local(main, "to", 32));
        let (at_a, cell, vlow) = (b.num(64, A), b.num(64, B), b.get(low));
        let again = b.pool().zero_ext(64, vlow);
        b.edge(main, 0, 1, vec![store(Place::Memory(cell), at_a)]);
        b.edge(main, 1, 2, vec![load(low, Place::Memory(cell))]);
        b.edge(main, 2, EXIT, vec![load(to, Place::Memory(again))]);
        assert_eq!(names(&b.finish()), ["a"]);
    }
}
