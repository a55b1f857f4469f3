//! Traits of a Program: what a portfolio chooses engines and configurations by (thesis 1, sections 3.4.2 and 4.5).
//!
//! They are read off the Program as lowered, once, before anything else works on it. All are syntactic: a trait says how the text looks, never what an execution
//! does, and nothing sound may rest on one. One table ([`Traits::TABLE`]) gives each trait its name, its kind and its meaning; conditions in
//! strategies, `raddle show` and statistics all use it.
//!
//! Only what `main` and the threads can reach counts. A procedure whose place is in `<library>` is one of the models of library functions that the frontend adds: its
//! loops, variables and accesses are not the user's and do not count. A call of it counts as what the model does for the user (see `reach.rs`: an input, an
//! allocation, a lock, a thread). A procedure whose name has a space in it was made by lowering (no C function is called `main with arguments`) and does not count either; nor do the temporaries of lowering.
//!
//! What is not here: the numbers of `while` and `for` loops. A loop of the Program does not tell which of the two it was (thesis 1, figure 3.6); `loops-counted` says
//! by the variables what the thesis guesses from the keyword.

mod arrays;
mod definitions;
mod event_loop;
mod expressions;
mod flow;
mod loops;
mod nesting;
mod reach;
mod starts;
#[cfg(test)]
mod tests;
mod variables;

use arrays::Arrays;
use definitions::At;
use expressions::Expressions;
use raddle_ir::{Label, LockOp, Program, Storage};
use reach::{Effects, reach};
use serde::Serialize;
use variables::Variables;

/// How a trait is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// 0 or 1.
    Boolean,
    Number,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Trait {
    pub name: &'static str,
    pub kind: Kind,
    /// One line for people.
    pub meaning: &'static str,
    /// The value of this trait.
    pub of: fn(&Traits) -> f64,
}

macro_rules! traits {
    (@kind bool) => { Kind::Boolean };
    (@kind u32) => { Kind::Number };
    ($($field:ident: $type:ident, $name:literal, $meaning:literal;)*) => {
        /// The traits of one Program. The meaning of each is in the table.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
        pub struct Traits {
            $(#[doc = $meaning] #[serde(rename = $name)] pub $field: $type,)*
        }

        impl Traits {
            /// All traits, in the order in which people read them.
            pub const TABLE: &'static [Trait] = &[$(Trait {
                name: $name,
                kind: traits!(@kind $type),
                meaning: $meaning,
                of: |traits| f64::from(traits.$field),
            }),*];

            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

traits! {
    threads: u32, "threads", "places where a thread is started";
    thread_functions: u32, "thread-functions", "functions that are started as threads";
    threads_of_one: u32, "threads-of-one", "the most places that start the same function";
    threads_in_loops: bool, "threads-in-loops", "a thread is started in a loop, or where a loop or a recursion leads";
    threads_unbounded: bool, "threads-unbounded", "a thread is started in a loop without a visible constant bound, or in a recursion";
    locks: u32, "locks", "places where a lock is acquired";
    atomics: u32, "atomics", "atomic blocks";
    loops: u32, "loops", "loops";
    loops_counted: u32, "loops-counted", "loops that a comparison of a variable with a constant leaves, while the variable changes by constants";
    loops_bounded: u32, "loops-bounded", "counted loops whose variable starts at a constant and changes in each round";
    loops_infinite: u32, "loops-infinite", "loops with no way out, but for the end of the program";
    event_loop: bool, "event-loop", "a loop without a count reads inputs and decides much by comparisons of variables with constants";
    recursion: bool, "recursion", "a function may call itself, perhaps by way of others";
    cyclomatic: u32, "cyclomatic", "cyclomatic complexity: edges - locations + 2, summed over procedures";
    variables: u32, "variables", "variables, parameters and static objects of the source";
    inputs: u32, "inputs", "places where an input is read";
    undetermined: u32, "undetermined", "variables that are given an input, or the result of an undefined function";
    constants: u32, "constants", "variables that only ever have one constant";
    arrays: u32, "arrays", "variables by which memory is accessed at a computed index";
    arrays_fixed: bool, "arrays-fixed", "every object has a size that is known at compile time";
    pointers: u32, "pointers", "loads and stores at computed addresses, indexed arrays included";
    heap: u32, "heap", "places where heap memory is allocated";
    floats: bool, "floats", "there are floating-point values";
    bitwise: bool, "bitwise", "there are bitwise operators on integers (a constant right shift or low mask of an unsigned one aside: that is division)";
    nonlinear: bool, "nonlinear", "there is a multiplication, division or remainder of two non-constants";
    errors: u32, "errors", "places where the property is violated";
    procedures: u32, "procedures", "procedures";
    locations: u32, "locations", "locations";
    edges: u32, "edges", "edges";
    size: u32, "size", "labels, and different expressions in them";
}

impl Traits {
    /// Reads the traits off a Program as lowered.
    pub fn of(program: &Program) -> Traits {
        let reached = reach(program);
        let mut traits = Traits { recursion: reached.calls_itself(), arrays_fixed: true, ..Traits::default() };
        let mut variables = Variables::new(&reached);
        let mut arrays = Arrays::new(&reached);
        let mut expressions = Expressions::new(&reached);
        let mut starts = Vec::new();
        // The labels of a large Program do not fit into caches: all that single labels tell is found on one way through them.
        for (id, proc, flow) in reached.procs_of_user() {
            let edges_before = traits.edges;
            for (at, edge) in flow.edges() {
                traits.edges += 1;
                for (i, label) in edge.labels.iter().enumerate() {
                    let at = At { proc: id, edge: at, label: i };
                    let effects = reached.effects_for_user(label);
                    traits.count(label, effects, program);
                    starts.extend(effects.starts.then_some(at));
                    variables.see(at, label);
                    arrays.see(at, label);
                    expressions.see(label);
                }
            }
            traits.procedures += 1;
            let locations = flow.reachable() as u32;
            traits.locations += locations;
            // An edge that ends the thread or the program counts as one to the exit, which then is a node.
            let nodes = locations + u32::from(!flow.is_reachable(proc.exit));
            traits.cyclomatic += (traits.edges - edges_before + 2).saturating_sub(nodes);
        }
        traits.inputs += reached.inputs_of_arguments();
        let constants = variables.count(&mut traits);
        arrays.count(&mut traits);
        expressions.count(&reached, &mut traits);
        let loops = loops::loops(&reached, &constants);
        let count = |test: fn(&loops::Loop) -> bool| loops.all.iter().filter(|l| test(l)).count() as u32;
        traits.loops = count(|_| true);
        traits.loops_counted = count(|l| l.is_counted);
        traits.loops_bounded = count(|l| l.is_bounded);
        traits.loops_infinite = count(|l| l.is_infinite);
        traits.event_loop = event_loop::has_event_loop(&reached, &loops, &traits);
        starts::count(&reached, &loops, &starts, &mut traits);
        traits
    }

    /// Counts what single labels tell.
    fn count(&mut self, label: &Label, effects: Effects, program: &Program) {
        self.size += 1;
        let Effects { inputs, locks, heap, .. } = effects;
        self.inputs += u32::from(inputs);
        self.locks += u32::from(locks);
        self.heap += u32::from(heap);
        match label {
            Label::Alloc { size, .. } => self.arrays_fixed &= program.pool.as_const(*size).is_some(),
            Label::AtomicBegin => self.atomics += 1,
            Label::Error(_) => self.errors += 1,
            _ => {}
        }
    }

    /// The value of a trait by its name; a Boolean is 0 or 1.
    pub fn get(&self, name: &str) -> Option<f64> {
        Traits::TABLE.iter().find(|row| row.name == name).map(|row| (row.of)(self))
    }

    /// Each trait with its value.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Trait, f64)> + '_ {
        Traits::TABLE.iter().map(|row| (row, (row.of)(self)))
    }
}

/// Does the operation take a lock, if it can?
fn acquires(op: LockOp) -> bool {
    !matches!(op, LockOp::Init(_) | LockOp::Destroy | LockOp::Release)
}

fn is_heap(storage: Storage) -> bool {
    storage == Storage::Heap
}
