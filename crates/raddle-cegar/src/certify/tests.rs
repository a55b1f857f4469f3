//! Proofs of the engine are accepted; proofs that somebody tampered with are not.

use super::*;
use crate::config::{CegarConfig, Coi, Domain, Lbe, Por};
use crate::form;
use crate::graph::abstractor::Abstractor;
use crate::search::{Ended, Loop};
use raddle_engine::{Budget, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;
use std::time::Duration;

const NAMES: &str = "typedef unsigned long pthread_t; typedef struct { int kind; } pthread_mutex_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **); extern int pthread_mutex_lock(pthread_mutex_t *);
    extern int pthread_mutex_unlock(pthread_mutex_t *); extern void reach_error(void);
    extern int __VERIFIER_nondet_int(void); extern void exit(int); extern void __VERIFIER_assume(int);
    extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n";

/// Two threads that touch different variables, and one that both touch under a lock.
const THREADS: &str = "int x, y, z; pthread_mutex_t m;
    void *a(void *p) { x = 1; y = 2; y = 3; pthread_mutex_lock(&m); z = 1; pthread_mutex_unlock(&m); return 0; }
    void *b(void *p) { x = 2; pthread_mutex_lock(&m); z = 1; pthread_mutex_unlock(&m); return 0; }
    int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);
        pthread_join(s, 0); pthread_join(t, 0); if (z != 1) reach_error(); return 0; }";
const LOOP: &str = "int main(void) { int i = 0, n = __VERIFIER_nondet_int();
    while (i < n && i < 10) { i++; } if (i > 10) reach_error(); return 0; }";

fn config(domain: Domain, por: Por, coi: Coi) -> CegarConfig {
    CegarConfig { domain, por, coi, max_enum: 3, ..CegarConfig::default() }
}

/// Proves a program, and checks the proof after something happened to its graph.
fn checked(text: &str, config: &CegarConfig, tamper: impl FnOnce(&mut Arg, &mut States)) -> Result<u64, String> {
    let task = Task::new(lowered(&format!("{NAMES}{text}")), MemoryModel::Sc);
    let program = task.prepared(form(config, 1)).expect("it is small");
    let mut model = Model::new(&program).expect("it is supported");
    let mut precision = Precision::default();
    let mut abstractor = Abstractor::new(config, &mut model, &mut precision);
    abstractor.restart(&mut model, &mut precision);
    let (budget, observer) = (&Budget::unlimited(), &Silent);
    let mut search =
        Loop { task: &task, program: &program, config, budget, observer, build_time: Duration::ZERO, iterations: 0 };
    let ended = search.run(&mut model, &mut precision, &mut abstractor);
    assert!(matches!(ended, Ended::Complete), "{ended:?}");
    tamper(&mut abstractor.arg, &mut abstractor.states);
    check(&mut model, &precision, &abstractor.arg, &abstractor.states, &|| None)
}

fn refused(text: &str, config: &CegarConfig, tamper: impl FnOnce(&mut Arg, &mut States)) -> String {
    checked(text, config, tamper).expect_err("the proof was tampered with")
}

/// The first node for which something holds.
fn find(arg: &Arg, is: impl Fn(&crate::graph::arg::Node) -> bool) -> NodeId {
    arg.live().find(|id| is(arg.node(*id))).expect("there is such a node")
}

#[test]
fn proofs_are_accepted() {
    for domain in [Domain::Expl, Domain::PredCart, Domain::PredBool, Domain::PredSplit, Domain::ExplPred] {
        for por in [Por::None, Por::Spor, Por::Aaspor] {
            for coi in [Coi::None, Coi::Dynamic] {
                for text in [THREADS, LOOP] {
                    let result = checked(text, &config(domain, por, coi), |_, _| ());
                    assert!(result.is_ok(), "{domain:?} {por:?} {coi:?}: {result:?}");
                }
            }
        }
    }
}

#[test]
fn a_child_that_is_missing() {
    for domain in [Domain::Expl, Domain::PredCart] {
        let said = refused(THREADS, &config(domain, Por::Aaspor, Coi::None), |arg, _| {
            let leaf = find(arg, |node| matches!(node.status, Status::Covered(_)) || node.children.is_empty());
            let (parent, _) = arg.node(leaf).parent.expect("it is not the root");
            arg.node_mut(parent).children.retain(|child| *child != leaf);
            arg.node_mut(leaf).status = Status::Removed;
        });
        assert!(said.contains("leads to no child"), "{said}");
    }
}

#[test]
fn a_node_that_waits() {
    let said = refused(LOOP, &config(Domain::PredCart, Por::None, Coi::None), |arg, _| {
        let leaf = find(arg, |node| matches!(node.status, Status::Covered(_)));
        arg.node_mut(leaf).status = Status::Waiting;
    });
    assert!(said.contains("nobody has looked"), "{said}");
}

#[test]
fn another_cover() {
    // One at the same place that knows other values, one that is elsewhere, and itself.
    for domain in [Domain::Expl, Domain::PredCart] {
        for way in 0..3 {
            let config = config(domain, Por::Aaspor, Coi::None);
            let said = refused(THREADS, &config, |arg, _| {
                let covered = find(arg, |node| matches!(node.status, Status::Covered(_)));
                let threads = arg.node(covered).threads;
                let by = match way {
                    0 => find(arg, |node| node.threads != threads && node.status == Status::Expanded),
                    1 => covered,
                    _ => NodeId(u32::MAX),
                };
                arg.node_mut(covered).status = Status::Covered(by);
            });
            assert!(said.contains("cover"), "{said}");
        }
    }
}

#[test]
fn a_state_that_knows_too_much() {
    for domain in [Domain::Expl, Domain::PredCart] {
        let said = refused(LOOP, &config(domain, Por::None, Coi::None), |arg, states| {
            let node = find(arg, |node| {
                let data = states.data.get(node.data);
                node.parent.is_some_and(|(above, _)| arg.node(above).parent.is_some())
                    && (data.values.len() > 0 || data.cubes.iter().any(|cube| !cube.0.is_empty()))
            });
            let mut data = (*states.data.shared(arg.node(node).data)).clone();
            data.values = data.values.iter().map(|(var, value)| (var, value ^ 1)).collect();
            data.cubes.iter_mut().flat_map(|cube| &mut cube.0).for_each(|(_, holds)| *holds = !*holds);
            arg.node_mut(node).data = states.data.intern(data);
        });
        assert!(said.contains("leads to no child") || said.contains("knows more"), "{said}");
    }
}

#[test]
fn the_first_node() {
    let said = refused(LOOP, &config(Domain::PredCart, Por::None, Coi::None), |arg, states| {
        let later = find(arg, |node| !states.data.get(node.data).cubes[0].0.is_empty() && node.parent.is_some());
        arg.node_mut(NodeId(0)).data = arg.node(later).data;
        arg.node_mut(NodeId(0)).threads = arg.node(later).threads;
    });
    assert!(said.contains("the first node"), "{said}");
}

#[test]
fn too_few_threads() {
    // Nothing is reduced, and then only one thread counts: wherever more than one can step.
    let refused = |keep: usize| {
        refused(THREADS, &config(Domain::Expl, Por::None, Coi::None), |arg, states| {
            for id in 0..arg.nodes.len() {
                let movable: Vec<u32> =
                    states.threads.get(arg.nodes[id].threads).movable().map(|(slot, _, _)| slot).collect();
                if movable.len() > 1 {
                    arg.nodes[id].explored = movable.get(keep.min(movable.len() - 1)).map(|slot| vec![*slot]);
                }
            }
        })
    };
    assert!(refused(0).contains("certain to step"), "{}", refused(0));
    for keep in 1..3 {
        let said = refused(keep);
        assert!(said.contains("depends on") || said.contains("certain to step"), "{said}");
    }
}

/// A thread that never does anything of interest must not keep another one from doing so.
#[test]
fn a_thread_that_is_put_off() {
    let text = "int x, y; void *a(void *p) { while (1) { y = 1 - y; } return 0; }
        int main(void) { pthread_t s; pthread_create(&s, 0, a, 0); x = 1; if (x != 1) reach_error(); return 0; }";
    let said = refused(text, &config(Domain::Expl, Por::None, Coi::None), |arg, states| {
        for node in &mut arg.nodes {
            if states.threads.get(node.threads).movable().count() > 1 {
                node.explored = Some(vec![1]);
            }
        }
    });
    assert!(said.contains("put off"), "{said}");
}

/// Proves a program without reduction, and then takes only some threads to be explored wherever others can step as well.
fn explores_only(text: &str, keep: &[u32]) -> String {
    // Edges as they are written: blocks are to have inner states.
    let config = CegarConfig { lbe: Some(Lbe::None), ..config(Domain::Expl, Por::None, Coi::None) };
    refused(text, &config, |arg, states| {
        for node in &mut arg.nodes {
            let movable: Vec<u32> = states.threads.get(node.threads).movable().map(|(slot, _, _)| slot).collect();
            if keep.iter().all(|slot| movable.contains(slot)) && movable.len() > keep.len() {
                node.explored = Some(keep.to_vec());
            }
        }
    })
}

/// A thread that enters an atomic block and never leaves it must not be explored alone: nobody steps after it.
#[test]
fn a_block_that_does_not_end() {
    for end in [
        "exit(0);",
        "y = 1; exit(0);",
        "if (y == 0) exit(0);",
        "__VERIFIER_assume(y);",
        "y = 1 / y;",
        "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
        "while (1) ;",
    ] {
        let text = format!(
            "int x, y; pthread_mutex_t m;
            void *t(void *q) {{ __VERIFIER_atomic_begin(); {end} __VERIFIER_atomic_end(); return 0; }}
            int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); x = 1; if (x != 1) reach_error(); return 0; }}"
        );
        let said = explores_only(&text, &[1]);
        assert!(said.contains("certain to step"), "{end}: {said}");
    }
}

#[test]
fn a_block_that_joins() {
    let text = "int x, z; void *q(void *a) { z = 1; return 0; }
        void *p(void *a) { __VERIFIER_atomic_begin(); pthread_join(1, 0); if (x == 2) reach_error(); __VERIFIER_atomic_end(); return 0; }
        void *r(void *a) { x = 1; return 0; }
        int main(void) { pthread_t b, c, d; pthread_create(&b, 0, q, 0); pthread_create(&c, 0, p, 0);
            pthread_create(&d, 0, r, 0); return 0; }";
    let said = explores_only(text, &[2, 3]);
    assert!(said.contains("in an atomic block"), "{said}");
}

/// Inside a block nobody else is there to step, but a cycle of whole blocks puts the others off.
#[test]
fn a_thread_that_blocks_put_off() {
    let text = "int x, y; void *a(void *p) { while (1) { __VERIFIER_atomic_begin(); y = 1; y = 0; __VERIFIER_atomic_end(); } return 0; }
        int main(void) { pthread_t s; pthread_create(&s, 0, a, 0); x = 1; if (x != 1) reach_error(); return 0; }";
    let said = explores_only(text, &[1]);
    assert!(said.contains("put off"), "{said}");
}
