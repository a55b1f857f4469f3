//! Leaves out what cannot be reached: locations and edges, procedures that nothing calls, starts or takes the address
//! of, objects whose address occurs nowhere, and variables that nothing mentions. What stays is numbered anew without
//! gaps, and the expression pool holds only what is used.
//!
//! An object counts as mentioned if a constant in code that can be reached, or in an initial value, may be its
//! address (see `addresses.rs`), or if it is exposed. Any other object could be reached only by an access that runs out of
//! another object, or through a number that is no pointer; both are invalid accesses.

use fixedbitset::FixedBitSet;
use raddle_analysis::addresses::{Addresses, Mention};
use raddle_analysis::cfg::Cfg;
use raddle_ir::{
    Callee, Edge, Expr, ExprId, ExprPool, Label, LocId, Object, ObjectId, ObjectInit, ObjectKind, Place, ProcId,
    Procedure, Program, VarId, VarKind,
};

/// Leaves out what cannot be reached, and renumbers.
pub fn reachable(program: Program) -> Program {
    let live = mark(&program);
    sweep(program, &live)
}

struct Live {
    /// The control-flow graph of each procedure that is live.
    procs: Vec<Option<Cfg>>,
    objects: FixedBitSet,
    vars: FixedBitSet,
    exprs: FixedBitSet,
}

fn mark(program: &Program) -> Live {
    let addresses = Addresses::new(&program.objects, program.pointer_bits);
    let mut live = Live {
        procs: program.procs.iter().map(|_| None).collect(),
        objects: FixedBitSet::with_capacity(program.objects.len()),
        vars: FixedBitSet::with_capacity(program.vars.len()),
        exprs: FixedBitSet::with_capacity(program.pool.len()),
    };
    let mut procs = vec![program.entry];
    let exposed = program.objects.iter().enumerate().filter(|(_, object)| object.exposed);
    let mut objects: Vec<ObjectId> = exposed.map(|(i, _)| ObjectId(i as u32)).collect();
    let mut vars: Vec<VarId> = Vec::new();
    loop {
        if let Some(var) = vars.pop() {
            if !live.vars.put(var.index())
                && let VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) = &program.var(var).kind
            {
                addresses.at(initial.bits, |object| objects.push(object));
            }
        } else if let Some(id) = objects.pop() {
            if live.objects.put(id.index()) {
                continue;
            }
            match &program.objects[id.index()].kind {
                ObjectKind::Function(proc) => procs.push(*proc),
                ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } => {
                    objects.extend(pointers.iter().map(|(_, target)| *target));
                }
                ObjectKind::Data { init: ObjectInit::Any, .. } => {}
            }
        } else if let Some(id) = procs.pop() {
            if live.procs[id.index()].is_some() {
                continue;
            }
            let proc = program.proc(id);
            let cfg = Cfg::new(proc);
            vars.extend(proc.params.iter().chain(&proc.result));
            let mut roots: Vec<ExprId> = Vec::new();
            for label in proc.edges.iter().filter(|edge| cfg.is_reachable(edge.source)).flat_map(|edge| &edge.labels) {
                label.for_each_expr(|expr| {
                    if !live.exprs.put(expr.0 as usize) {
                        roots.push(expr);
                    }
                });
                vars.extend(label.written_local());
                match label {
                    Label::Load { place: Place::Var(var), .. } | Label::Store { place: Place::Var(var), .. } => {
                        vars.push(*var);
                    }
                    Label::Call { callee: Callee::Proc(callee), .. }
                    | Label::Start { callee: Callee::Proc(callee), .. } => procs.push(*callee),
                    _ => {}
                }
            }
            addresses.mentioned(&program.pool, &roots, |mention| match mention {
                Mention::Object(object) => objects.push(object),
                Mention::Any => objects.extend(data_objects(program)),
            });
            program.pool.for_each_node(&roots, |id, expr| {
                live.exprs.insert(id.0 as usize);
                if let Expr::Var(var) = expr {
                    vars.push(var);
                }
            });
            live.procs[id.index()] = Some(cfg);
        } else {
            return live;
        }
    }
}

fn data_objects(program: &Program) -> impl Iterator<Item = ObjectId> {
    let is_data = |id: &ObjectId| matches!(program.objects[id.index()].kind, ObjectKind::Data { .. });
    (0..program.objects.len() as u32).map(ObjectId).filter(is_data)
}

/// New numbers for what is kept.
fn renumber(kept: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut next = 0;
    kept.map(|keep| {
        let number = next;
        next += u32::from(keep);
        number
    })
    .collect()
}

fn sweep(program: Program, live: &Live) -> Program {
    let procs = renumber(live.procs.iter().map(Option::is_some));
    let objects = renumber((0..program.objects.len()).map(|i| live.objects.contains(i)));
    let vars = renumber((0..program.vars.len()).map(|i| live.vars.contains(i)));
    let new_var = |var: VarId| VarId(vars[var.index()]);
    let new_proc = |proc: ProcId| ProcId(procs[proc.index()]);
    let (pool, exprs) = copy_pool(&program, live, &new_var);

    let rename_label = |mut label: Label| {
        label.for_each_expr_mut(|expr| *expr = exprs[expr.0 as usize]);
        if let Some(var) = label.written_local_mut() {
            *var = new_var(*var);
        }
        match &mut label {
            Label::Load { place: Place::Var(var), .. } | Label::Store { place: Place::Var(var), .. } => {
                *var = new_var(*var)
            }
            Label::Call { callee: Callee::Proc(callee), .. } | Label::Start { callee: Callee::Proc(callee), .. } => {
                *callee = new_proc(*callee);
            }
            _ => {}
        }
        label
    };
    let sweep_proc = |(proc, cfg): (Procedure, &Cfg)| {
        let is_kept = |edge: &Edge| cfg.is_reachable(edge.source);
        let mut kept: FixedBitSet = (0..proc.locations.len()).filter(|&i| cfg.is_reachable(LocId(i as u32))).collect();
        kept.grow(proc.locations.len());
        kept.insert(proc.exit.index());
        // An edge that ends the thread has a target all the same.
        kept.extend(proc.edges.iter().filter(|edge| is_kept(edge)).map(|edge| edge.target.index()));
        let locations = renumber((0..proc.locations.len()).map(|i| kept.contains(i)));
        let new_loc = |loc: LocId| LocId(locations[loc.index()]);
        Procedure {
            params: proc.params.into_iter().map(new_var).collect(),
            result: proc.result.map(new_var),
            locals: proc.locals.into_iter().filter(|var| live.vars.contains(var.index())).map(new_var).collect(),
            locations: keep(proc.locations, |i| kept.contains(i)).collect(),
            edges: proc
                .edges
                .into_iter()
                .filter(is_kept)
                .map(|edge| Edge {
                    source: new_loc(edge.source),
                    target: new_loc(edge.target),
                    labels: edge.labels.into_iter().map(rename_label).collect(),
                    span: edge.span,
                    is_silent: edge.is_silent,
                })
                .collect(),
            entry: new_loc(proc.entry),
            exit: new_loc(proc.exit),
            name: proc.name,
            span: proc.span,
        }
    };
    Program {
        pointer_bits: program.pointer_bits,
        files: program.files,
        pool,
        vars: keep(program.vars, |i| live.vars.contains(i))
            .map(|mut var| {
                if let VarKind::Local(proc) = &mut var.kind {
                    *proc = new_proc(*proc);
                }
                var
            })
            .collect(),
        objects: keep(program.objects, |i| live.objects.contains(i))
            .map(|object| rename_object(object, &objects, &procs))
            .collect(),
        procs: program
            .procs
            .into_iter()
            .zip(&live.procs)
            .filter_map(|(proc, cfg)| Some((proc, cfg.as_ref()?)))
            .map(sweep_proc)
            .collect(),
        entry: ProcId(procs[program.entry.index()]),
        dynamic_base: program.dynamic_base,
        gaps: program.gaps,
        callers: program.callers,
    }
}

fn keep<T>(items: Vec<T>, kept: impl Fn(usize) -> bool) -> impl Iterator<Item = T> {
    items.into_iter().enumerate().filter(move |(i, _)| kept(*i)).map(|(_, item)| item)
}

fn rename_object(mut object: Object, objects: &[u32], procs: &[u32]) -> Object {
    match &mut object.kind {
        ObjectKind::Function(proc) => *proc = ProcId(procs[proc.index()]),
        ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } => {
            pointers.iter_mut().for_each(|(_, target)| *target = ObjectId(objects[target.index()]));
        }
        ObjectKind::Data { init: ObjectInit::Any, .. } => {}
    }
    object
}

/// A pool with the live expressions, and their new ids by the old ones. Operands have smaller ids than the nodes
/// above them.
fn copy_pool(program: &Program, live: &Live, new_var: &dyn Fn(VarId) -> VarId) -> (ExprPool, Vec<ExprId>) {
    let mut pool = ExprPool::new();
    let mut ids = vec![ExprId(0); program.pool.len()];
    for old in live.exprs.ones() {
        let id = ExprId(old as u32);
        ids[old] = match program.pool.get(id) {
            Expr::Var(var) => pool.var(new_var(var), program.pool.sort(id)),
            expr => {
                let mapped = expr.map_operands(|operand| ids[operand.0 as usize]);
                pool.rebuild(mapped, program.pool.sort(id))
            }
        };
    }
    (pool, ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    #[test]
    fn what_nothing_leads_to_is_gone() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let unused = b.proc("unused");
        let called = b.proc("called");
        let x = b.local(main, "x", 32);
        let y = b.local(called, "y", 32);
        b.global("forgotten", 32, Some(0));
        let vy = b.get(y);
        b.edge(
            main,
            0,
            1,
            vec![Label::Call {
                callee: Callee::Proc(called),
                args: vec![],
                var: None,
                site: raddle_ir::Origin::default(),
            }],
        );
        b.edge(main, 2, EXIT, vec![input(x)]);
        b.edge(unused, 0, EXIT, vec![]);
        b.edge(called, 0, EXIT, vec![Label::Halt { status: vy }]);
        let program = reachable(b.finish());
        let names: Vec<_> = program.procs.iter().map(|proc| proc.name.as_str()).collect();
        assert_eq!(names, ["main", "called"]);
        assert_eq!(program.procs[0].edges.len(), 1);
        assert_eq!(program.vars.iter().map(|var| var.name.as_str()).collect::<Vec<_>>(), ["y"]);
        assert_eq!(program.vars[0].kind, VarKind::Local(ProcId(1)));
    }

    #[test]
    fn a_function_stays_if_its_address_is_in_an_initial_value_that_is_used() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let handler = b.proc("handler");
        let other = b.proc("other");
        b.function(other, 0x900);
        b.function(handler, 0x1000);
        let table = b.global("table", 64, Some(0x1000));
        let p = b.local(main, "p", 64);
        let vp = b.get(p);
        b.edge(main, 0, 1, vec![load(p, Place::Var(table))]);
        b.edge(
            main,
            1,
            EXIT,
            vec![Label::Call {
                callee: Callee::Address(vp),
                args: vec![],
                var: None,
                site: raddle_ir::Origin::default(),
            }],
        );
        let program = reachable(b.finish());
        assert_eq!(program.objects.len(), 1);
        assert_eq!(program.objects[0].kind, ObjectKind::Function(ProcId(1)));
        assert_eq!(program.procs[1].name, "handler");
    }
}
