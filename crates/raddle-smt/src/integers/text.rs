//! Terms as SMT-LIB text, and back.
//!
//! Every term with operands gets a name by `define-fun`, so that the text is as long as there are terms. A leaf is named by how it is read and the expression
//! that it stands for: `s7` and `u7` are the signed and unsigned value of expression 7, `b7` is its truth.

use super::ranges::View;
use super::terms::{Term, TermId, Terms};
use crate::smtlib::sexpr::{Sexpr, SexprId, Sexprs};
use raddle_ir::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// What was declared and defined in one process.
#[derive(Default)]
pub struct Printer {
    done: FxHashSet<TermId>,
}

impl Printer {
    /// The name of a term. What it needs is declared and defined in `out`.
    pub fn term(&mut self, terms: &Terms, root: TermId, out: &mut String) -> String {
        for id in terms.below(root) {
            if self.done.insert(id) {
                define(terms, id, out);
            }
        }
        name(terms, root)
    }
}

fn define(terms: &Terms, id: TermId, out: &mut String) {
    let term = terms.get(id);
    let of = |id: TermId| name(terms, id);
    let body = match term {
        Term::Truth(_) | Term::Number(_) => return,
        Term::Holds(_) => {
            let _ = writeln!(out, "(declare-fun {} () Bool)", of(id));
            return;
        }
        Term::Value(..) => {
            let _ = writeln!(out, "(declare-fun {} () Int)", of(id));
            return;
        }
        Term::Not(a) => format!("not {}", of(a)),
        Term::And(a, b) => format!("and {} {}", of(a), of(b)),
        Term::Or(a, b) => format!("or {} {}", of(a), of(b)),
        Term::Iff(a, b) | Term::Eq(a, b) => format!("= {} {}", of(a), of(b)),
        Term::Le(a, b) => format!("<= {} {}", of(a), of(b)),
        Term::Ite(c, a, b) => format!("ite {} {} {}", of(c), of(a), of(b)),
        Term::Add(a, b) => format!("+ {} {}", of(a), of(b)),
        Term::Mul(a, b) => format!("* {} {}", of(a), of(b)),
        Term::Div(a, by) => format!("div {} {by}", of(a)),
        Term::Mod(a, by) => format!("mod {} {by}", of(a)),
    };
    let sort = if terms.is_int(id) { "Int" } else { "Bool" };
    let _ = writeln!(out, "(define-fun {} () {sort} ({body}))", of(id));
}

fn name(terms: &Terms, id: TermId) -> String {
    match terms.get(id) {
        Term::Truth(value) => value.to_string(),
        Term::Number(value) => number(value),
        Term::Holds(expr) => format!("b{}", expr.0),
        Term::Value(expr, View::Signed) => format!("s{}", expr.0),
        Term::Value(expr, View::Unsigned) => format!("u{}", expr.0),
        _ => format!("t{}", id.index()),
    }
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// What is left to do, newest last. Scopes of `let` follow the order of the work, so one map of stacks holds them.
enum Task {
    Read(SexprId),
    /// The arguments are on top of the results.
    Apply(SexprId, usize),
    /// The values of the bindings are on top of the results; then comes the body.
    Bind(SexprId, SexprId),
    Unbind(SexprId),
}

/// The term that a solver's answer means. It may be made of leaves that are there.
pub fn read(sexprs: &Sexprs, root: SexprId, terms: &mut Terms) -> Result<TermId, String> {
    let mut bound: FxHashMap<&str, Vec<TermId>> = FxHashMap::default();
    let mut results: Vec<TermId> = Vec::new();
    let mut tasks = vec![Task::Read(root)];
    let binding = |id: SexprId| match sexprs.items(id) {
        [name, value] => sexprs.atom(*name).map(|name| (name, *value)).ok_or("a `let` binds no symbol"),
        _ => Err("a binding of `let` is no pair"),
    };
    while let Some(task) = tasks.pop() {
        match task {
            Task::Read(id) => match sexprs.get(id) {
                Sexpr::Text(text) => return Err(format!("`\"{text}\"` is no term")),
                Sexpr::Atom(name) => {
                    let known = bound.get(name.as_str()).and_then(|values| values.last()).copied();
                    results.push(known.or_else(|| leaf(terms, name)).ok_or_else(|| format!("`{name}` is not known"))?);
                }
                Sexpr::List(items) => match (items.first().and_then(|head| sexprs.atom(*head)), &items[..]) {
                    (Some("let"), [_, bindings, body]) => {
                        tasks.push(Task::Bind(*bindings, *body));
                        for item in sexprs.items(*bindings).iter().rev() {
                            tasks.push(Task::Read(binding(*item)?.1));
                        }
                    }
                    (Some("!"), [_, term, ..]) => tasks.push(Task::Read(*term)),
                    (Some(_), [_, arguments @ ..]) => {
                        tasks.push(Task::Apply(items[0], arguments.len()));
                        tasks.extend(arguments.iter().rev().map(|argument| Task::Read(*argument)));
                    }
                    _ => return Err("an operation without a name".to_string()),
                },
            },
            Task::Apply(head, count) => {
                let arguments = results.split_off(results.len() - count);
                let name = sexprs.atom(head).unwrap_or("");
                let result = apply(terms, name, &arguments);
                results.push(result.ok_or_else(|| format!("`{name}` of these operands is not known, or too large"))?);
            }
            Task::Bind(bindings, body) => {
                let items = sexprs.items(bindings);
                let values = results.split_off(results.len() - items.len());
                for (item, value) in items.iter().zip(values) {
                    bound.entry(binding(*item)?.0).or_default().push(value);
                }
                tasks.push(Task::Unbind(bindings));
                tasks.push(Task::Read(body));
            }
            Task::Unbind(bindings) => {
                for item in sexprs.items(bindings) {
                    if let Some(values) = bound.get_mut(binding(*item)?.0) {
                        values.pop();
                    }
                }
            }
        }
    }
    results.pop().ok_or_else(|| "there is no term".to_string())
}

fn leaf(terms: &mut Terms, name: &str) -> Option<TermId> {
    match name {
        "true" => return Some(terms.truth(true)),
        "false" => return Some(terms.truth(false)),
        _ => {}
    }
    if let Ok(value) = name.parse() {
        return Some(terms.number(value));
    }
    let (kind, number) = name.split_at_checked(1)?;
    let expr = ExprId(number.parse().ok()?);
    terms.find(match kind {
        "s" => Term::Value(expr, View::Signed),
        "u" => Term::Value(expr, View::Unsigned),
        "b" => Term::Holds(expr),
        _ => return None,
    })
}

fn apply(terms: &mut Terms, name: &str, arguments: &[TermId]) -> Option<TermId> {
    let ints = arguments.iter().all(|a| terms.is_int(*a));
    let truths = !arguments.iter().any(|a| terms.is_int(*a));
    let (&first, rest) = arguments.split_first()?;
    // Comparisons hold between all neighbours.
    let chain = |terms: &mut Terms, compare: &mut dyn FnMut(&mut Terms, TermId, TermId) -> TermId| {
        let mut all = terms.truth(true);
        for pair in arguments.windows(2) {
            let holds = compare(terms, pair[0], pair[1]);
            all = terms.and(all, holds);
        }
        all
    };
    Some(match (name, rest) {
        ("not", []) if truths => terms.not(first),
        ("and", _) if truths => rest.iter().fold(first, |all, a| terms.and(all, *a)),
        ("or", _) if truths => rest.iter().fold(first, |any, a| terms.or(any, *a)),
        ("=>", [last]) if truths => {
            let not = terms.not(first);
            terms.or(not, *last)
        }
        ("xor", [last]) | ("distinct", [last]) if truths => {
            let same = terms.iff(first, *last);
            terms.not(same)
        }
        ("distinct", [last]) if ints => {
            let same = terms.eq(first, *last);
            terms.not(same)
        }
        ("=", [_, ..]) if ints => chain(terms, &mut Terms::eq),
        ("=", [_, ..]) if truths => chain(terms, &mut Terms::iff),
        ("<=", [_, ..]) if ints => chain(terms, &mut Terms::le),
        ("<", [_, ..]) if ints => chain(terms, &mut Terms::lt),
        (">=", [_, ..]) if ints => chain(terms, &mut |terms, a, b| terms.le(b, a)),
        (">", [_, ..]) if ints => chain(terms, &mut |terms, a, b| terms.lt(b, a)),
        ("ite", [a, b]) if !terms.is_int(first) && terms.is_int(*a) == terms.is_int(*b) => terms.ite(first, *a, *b),
        ("+", _) if ints => rest.iter().try_fold(first, |sum, a| terms.add(sum, *a))?,
        ("*", _) if ints => rest.iter().try_fold(first, |product, a| terms.mul(product, *a))?,
        ("-", []) if ints => terms.scale(first, -1)?,
        ("-", _) if ints => rest.iter().try_fold(first, |sum, a| {
            let negated = terms.scale(*a, -1)?;
            terms.add(sum, negated)
        })?,
        ("div" | "mod", [by]) if ints => {
            let by = terms.range(*by).only()?;
            match name {
                // The remainder is never negative, whatever the sign of the divisor.
                "mod" => terms.rem(first, by.checked_abs()?)?,
                _ if by < 0 => {
                    let quotient = terms.div(first, by.checked_neg()?)?;
                    terms.scale(quotient, -1)?
                }
                _ => terms.div(first, by)?,
            }
        }
        _ => return None,
    })
}
