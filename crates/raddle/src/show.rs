//! `raddle show`: what Raddle makes of a program.

use crate::args::{ShowArgs, ShowForm};
use crate::portfolio;
use crate::{HOLDS, Manner, bad_input, console, frontend_failure, frontend_options, start_limits};
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
use raddle_ir::Violations;
use raddle_ir::{Label, Program};
use raddle_portfolio::Traits;

pub fn run(args: &ShowArgs) -> u8 {
    if matches!(args.form, ShowForm::Portfolio | ShowForm::PortfolioDot) {
        return strategies(args);
    }
    let budget = match start_limits(&args.limits, &Manner::Aside) {
        Ok(budget) => budget,
        Err(message) => return bad_input(&message),
    };
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    let options = frontend_options(&args.sources, lower, &budget);
    if args.form == ShowForm::Ast {
        return match driver::show_syntax(&args.sources.files, &options) {
            Ok(text) => print(&text),
            Err(failure) => frontend_failure(&Manner::Aside, &failure),
        };
    }
    let loaded = match driver::load_from(args.sources.entry().as_ref(), &args.sources.files, &options) {
        Ok(loaded) => loaded,
        Err(failure) => return frontend_failure(&Manner::Aside, &failure),
    };
    for warning in &loaded.warnings {
        eprint!("{warning}");
    }
    let program = if args.simplified { raddle_passes::simplify(loaded.program) } else { loaded.program };
    match args.form {
        ShowForm::Xcfa => print(&raddle_ir::to_text(&program)),
        ShowForm::Dot => print(&raddle_ir::dot::to_dot(&program)),
        ShowForm::Json => print(&raddle_ir::json::to_json(&program)),
        ShowForm::Traits => print(&traits(&program)),
        ShowForm::Ast | ShowForm::Portfolio | ShowForm::PortfolioDot => HOLDS,
    }
}

/// `--as portfolio NAME`: the files are names of strategies.
fn strategies(args: &ShowArgs) -> u8 {
    for name in &args.sources.files {
        let name = name.to_string_lossy();
        let shown = match args.form {
            // What is wrong with a file is said, and not shown.
            ShowForm::Portfolio => portfolio::dot(&name).and_then(|_| portfolio::text(&name)),
            _ => portfolio::dot(&name),
        };
        match shown {
            Ok(text) => println!("{}", text.trim_end()),
            Err(message) => return bad_input(&message),
        }
    }
    HOLDS
}

fn print(text: &str) -> u8 {
    console::wait_for_the_floor();
    println!("{}", text.strip_suffix('\n').unwrap_or(text));
    HOLDS
}

/// What the choice of an engine depends on, one a line; then the size of the whole Program, with what the library models add.
fn traits(program: &Program) -> String {
    let labels = || program.procs.iter().flat_map(|p| &p.edges).flat_map(|e| &e.labels);
    let count = |test: &dyn Fn(&Label) -> bool| labels().filter(|l| test(l)).count();
    let traits = Traits::of(program);
    let mut text: String = traits.rows().map(|(row, value)| format!("{}: {value}\n", row.name)).collect();
    let rows = [
        ("pointer bits", usize::from(program.pointer_bits)),
        ("objects", program.objects.len()),
        ("expressions", program.pool.len()),
        ("loads", count(&|l| matches!(l, Label::Load { .. }))),
        ("stores", count(&|l| matches!(l, Label::Store { .. }))),
        ("allocations", count(&|l| matches!(l, Label::Alloc { .. }))),
        ("calls", count(&|l| matches!(l, Label::Call { .. }))),
    ];
    text.extend(rows.iter().map(|(name, value)| format!("{name}: {value}\n")));
    text
}
