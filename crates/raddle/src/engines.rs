//! From the command line to the configuration of engines.

use crate::args::{SolverChoice, VerifyArgs};
use raddle_cegar::Arithmetic;
use raddle_portfolio::Settings;
use raddle_smt::interpolates_integers;
use raddle_smt::smtlib::{FoundSolver, dialect};

/// What the command line asks for, and what to tell whoever typed it.
pub fn settings(args: &VerifyArgs) -> (Settings, Vec<String>) {
    let mut settings = Settings {
        explore: args.explore.clone(),
        oc: args.oc.clone(),
        cegar: args.cegar.clone(),
        invariants: args.invariants.clone(),
        modular: args.modular.clone(),
        bmc: args.bmc.clone(),
        kind: args.kind.clone(),
        imc: args.imc.clone(),
    };
    let mut remarks = Vec::new();
    if let Some(por) = args.por {
        settings.explore.por = por;
        settings.cegar.por = por;
    }
    settings.cegar.witnessed = args.witness.is_some();
    settings.oc.solver = args.solvers.solvers.iter().find_map(found);
    if let (Some(found), raddle_oc::Decision::Propagator) = (&settings.oc.solver, settings.oc.decision) {
        remarks.push(format!("the native solver is used; {} would be with --oc-decision basic", found.dialect.name));
    }
    if settings.cegar.arithmetic != Arithmetic::Bitvector {
        let mut named = args.solvers.solvers.iter().filter_map(found);
        let chosen = named.find(|found| interpolates_integers(&found.dialect));
        settings.cegar.integer_solver = chosen;
        settings.find_solvers();
        if settings.cegar.integer_solver.is_none() && settings.cegar.arithmetic == Arithmetic::Efficient {
            let missing = "integer arithmetic needs a solver that interpolates over integers (pip install z3-solver)";
            remarks.push(format!("{missing}; bit-vectors are used"));
        }
    }
    (settings, remarks)
}

/// A solver that is not the one inside.
fn found(choice: &SolverChoice) -> Option<FoundSolver> {
    Some(FoundSolver::at(*dialect(&choice.name)?, choice.path.clone()?))
}
