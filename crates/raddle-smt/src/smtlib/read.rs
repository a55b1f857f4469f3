//! What solvers say, read back: terms (interpolants) as expressions, and values of variables.
//!
//! A value is a term without variables, so it is read as one and evaluated. Solvers print arrays as `store` over a constant array, often
//! with `let`, or as a `lambda` that compares its argument with constants.

use super::sexpr::{Sexpr, SexprId, Sexprs};
use raddle_ir::{ArrayValue, BinOp, Const, Expr, ExprId, ExprPool, Sort, UnOp, Value, VarId, eval};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// Gives the expressions that names stand for.
pub type Names<'a> = dyn Fn(&mut ExprPool, &str) -> Option<ExprId> + 'a;

/// What is left to do, newest last. Scopes of `let` follow the order of the work, so one map of stacks holds them.
enum Task {
    Read(SexprId),
    /// The arguments are on top of the results.
    Apply(SexprId, usize),
    /// The values of the bindings are on top of the results; then comes the body.
    Bind(SexprId, SexprId),
    Unbind(SexprId),
}

/// The expression that a term means.
pub fn read_term(sexprs: &Sexprs, root: SexprId, pool: &mut ExprPool, names: &Names) -> Result<ExprId, String> {
    let mut bound: FxHashMap<&str, Vec<ExprId>> = FxHashMap::default();
    let mut results: Vec<ExprId> = Vec::new();
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
                    let value = known.or_else(|| literal(pool, name)).or_else(|| names(pool, name));
                    results.push(value.ok_or_else(|| format!("`{name}` is not known"))?);
                }
                Sexpr::List(items) => match (items.first().and_then(|head| sexprs.atom(*head)), &items[..]) {
                    (Some("let"), [_, bindings, body]) => {
                        tasks.push(Task::Bind(*bindings, *body));
                        for item in sexprs.items(*bindings).iter().rev() {
                            tasks.push(Task::Read(binding(*item)?.1));
                        }
                    }
                    (Some("!"), [_, term, ..]) => tasks.push(Task::Read(*term)),
                    (Some("_"), [_, value, width]) => results.push(indexed_literal(sexprs, *value, *width, pool)?),
                    (_, [_, arguments @ ..]) => {
                        tasks.push(Task::Apply(id, arguments.len()));
                        tasks.extend(arguments.iter().rev().map(|argument| Task::Read(*argument)));
                    }
                    (_, []) => return Err("`()` is no term".to_string()),
                },
            },
            Task::Apply(id, count) => {
                let arguments = results.split_off(results.len() - count);
                results.push(apply(sexprs, sexprs.items(id)[0], &arguments, pool)?);
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

/// Makes a node if its operands fit.
fn make(pool: &mut ExprPool, expr: Expr) -> Result<ExprId, String> {
    let sort = pool.check(expr)?.ok_or("a variable")?;
    Ok(pool.rebuild(expr, sort))
}

/// `true`, `false`, `#b…`, `#x…`.
fn literal(pool: &mut ExprPool, name: &str) -> Option<ExprId> {
    let digits = |digits: &str, radix: u32, each: usize| {
        let width = u8::try_from(digits.len() * each).ok().filter(|w| (1..=128).contains(w))?;
        Some((width, u128::from_str_radix(digits, radix).ok()?))
    };
    let (width, bits) = match name {
        "true" => return Some(pool.bool(true)),
        "false" => return Some(pool.bool(false)),
        _ => match name.split_at_checked(2)? {
            ("#b", rest) => digits(rest, 2, 1)?,
            ("#x", rest) => digits(rest, 16, 4)?,
            _ => return None,
        },
    };
    Some(pool.bits(width, bits))
}

/// `(_ bvN width)`.
fn indexed_literal(sexprs: &Sexprs, value: SexprId, width: SexprId, pool: &mut ExprPool) -> Result<ExprId, String> {
    let value = sexprs.atom(value).and_then(|name| name.strip_prefix("bv")?.parse::<u128>().ok());
    match (value, number(sexprs, width)) {
        (Some(value), Some(width @ 1..=128)) if width == 128 || value >> width == 0 => {
            Ok(pool.bits(width as u8, value))
        }
        _ => Err("an unknown constant".to_string()),
    }
}

fn number(sexprs: &Sexprs, id: SexprId) -> Option<u32> {
    sexprs.atom(id)?.parse().ok()
}

fn apply(sexprs: &Sexprs, head: SexprId, arguments: &[ExprId], pool: &mut ExprPool) -> Result<ExprId, String> {
    if let Some(name) = sexprs.atom(head) {
        return apply_named(name, arguments, pool);
    }
    let (Some(name), [arg]) = (sexprs.items(head).get(1).and_then(|name| sexprs.atom(*name)), arguments) else {
        return Err("an unknown operation".to_string());
    };
    let (arg, width) = (*arg, pool.sort(*arg).bits().unwrap_or(0));
    let index = |i: usize| sexprs.items(head).get(i).and_then(|id| number(sexprs, *id));
    if sexprs.list_of(head, "as").is_some() && name == "const" {
        let Some((index, _)) = sexprs.items(head).get(2).and_then(|sort| array_sort(sexprs, *sort)) else {
            return Err("an array of an unknown sort".to_string());
        };
        return make(pool, Expr::ConstArray { index, value: arg });
    }
    let wider = |by: u32| u8::try_from(by + u32::from(width)).map_err(|_| "a bit-vector is too wide".to_string());
    match (name, index(2), index(3)) {
        ("extract", Some(high @ ..=127), Some(low @ ..=127)) => {
            let expr = Expr::Extract { high: high as u8, low: low as u8, arg };
            make(pool, expr)
        }
        ("zero_extend" | "sign_extend", Some(0), _) => Ok(arg),
        ("zero_extend", Some(by @ 1..=127), _) => make(pool, Expr::ZeroExt { width: wider(by)?, arg }),
        ("sign_extend", Some(by @ 1..=127), _) => make(pool, Expr::SignExt { width: wider(by)?, arg }),
        ("repeat", Some(times @ 1..=128), _) => {
            (1..times).try_fold(arg, |so_far, _| make(pool, Expr::Binary(BinOp::Concat, so_far, arg)))
        }
        ("rotate_left" | "rotate_right", Some(by), _) if width > 0 => {
            let by = (by % u32::from(width)) as u8;
            let left = if name == "rotate_left" || by == 0 { by } else { width - by };
            if left == 0 {
                return Ok(arg);
            }
            let low = make(pool, Expr::Extract { high: width - left - 1, low: 0, arg })?;
            let high = make(pool, Expr::Extract { high: width - 1, low: width - left, arg })?;
            make(pool, Expr::Binary(BinOp::Concat, low, high))
        }
        _ => Err(format!("an unknown operation `{name}`")),
    }
}

/// The widths of an array's indices and elements.
fn array_sort(sexprs: &Sexprs, sort: SexprId) -> Option<(u8, u8)> {
    match sexprs.list_of(sort, "Array")? {
        [index, element] => Some((bits_sort(sexprs, *index)?, bits_sort(sexprs, *element)?)),
        _ => None,
    }
}

fn bits_sort(sexprs: &Sexprs, sort: SexprId) -> Option<u8> {
    match sexprs.list_of(sort, "_")? {
        [name, width] if sexprs.atom(*name) == Some("BitVec") => number(sexprs, *width)?.try_into().ok(),
        _ => None,
    }
}

fn apply_named(name: &str, arguments: &[ExprId], pool: &mut ExprPool) -> Result<ExprId, String> {
    let left_to_right = |pool: &mut ExprPool, op: BinOp| {
        let (first, rest) = arguments.split_first().ok_or("an operator without operands")?;
        rest.iter().try_fold(*first, |so_far, next| make(pool, Expr::Binary(op, so_far, *next)))
    };
    // An operator of which the solver prints a variant: operands changed, or the result negated.
    let (op, swap, negate) = match name {
        "and" => (BinOp::And, false, false),
        "or" => (BinOp::Or, false, false),
        "xor" => (BinOp::Xor, false, false),
        "bvadd" => (BinOp::BvAdd, false, false),
        "bvsub" => (BinOp::BvSub, false, false),
        "bvmul" => (BinOp::BvMul, false, false),
        "bvand" => (BinOp::BvAnd, false, false),
        "bvor" => (BinOp::BvOr, false, false),
        "bvxor" => (BinOp::BvXor, false, false),
        "bvnand" => (BinOp::BvAnd, false, true),
        "bvnor" => (BinOp::BvOr, false, true),
        "bvxnor" => (BinOp::BvXor, false, true),
        "concat" => (BinOp::Concat, false, false),
        "bvudiv" | "bvudiv_i" => (BinOp::BvUDiv, false, false),
        "bvsdiv" | "bvsdiv_i" => (BinOp::BvSDiv, false, false),
        "bvurem" | "bvurem_i" => (BinOp::BvURem, false, false),
        "bvsrem" | "bvsrem_i" => (BinOp::BvSRem, false, false),
        "bvshl" => (BinOp::Shl, false, false),
        "bvlshr" => (BinOp::LShr, false, false),
        "bvashr" => (BinOp::AShr, false, false),
        "bvult" => (BinOp::ULt, false, false),
        "bvule" => (BinOp::ULe, false, false),
        "bvslt" => (BinOp::SLt, false, false),
        "bvsle" => (BinOp::SLe, false, false),
        "bvugt" => (BinOp::ULt, true, false),
        "bvuge" => (BinOp::ULe, true, false),
        "bvsgt" => (BinOp::SLt, true, false),
        "bvsge" => (BinOp::SLe, true, false),
        _ => return apply_other(name, arguments, pool),
    };
    let many = matches!(
        op,
        BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::BvAdd
            | BinOp::BvMul
            | BinOp::BvAnd
            | BinOp::BvOr
            | BinOp::BvXor
            | BinOp::Concat
    );
    let result = match arguments {
        [a, b] if swap => make(pool, Expr::Binary(op, *b, *a))?,
        [a, b] => make(pool, Expr::Binary(op, *a, *b))?,
        _ if many && !negate => left_to_right(pool, op)?,
        _ => return Err(format!("`{name}` with {} operands", arguments.len())),
    };
    if negate { make(pool, Expr::Unary(UnOp::BvNot, result)) } else { Ok(result) }
}

fn apply_other(name: &str, arguments: &[ExprId], pool: &mut ExprPool) -> Result<ExprId, String> {
    match (name, arguments) {
        ("not", [a]) => make(pool, Expr::Unary(UnOp::Not, *a)),
        ("bvnot", [a]) => make(pool, Expr::Unary(UnOp::BvNot, *a)),
        ("bvneg", [a]) => make(pool, Expr::Unary(UnOp::BvNeg, *a)),
        ("bvcomp", [a, b]) => {
            let equal = make(pool, Expr::Binary(BinOp::Eq, *a, *b))?;
            let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
            make(pool, Expr::Ite(equal, one, zero))
        }
        ("=>", [conditions @ .., last]) if !conditions.is_empty() => {
            conditions.iter().rev().try_fold(*last, |so_far, condition| {
                let not = make(pool, Expr::Unary(UnOp::Not, *condition))?;
                make(pool, Expr::Binary(BinOp::Or, not, so_far))
            })
        }
        ("=", [_, _, ..]) => {
            let all = pool.bool(true);
            arguments.windows(2).try_fold(all, |so_far, pair| {
                let equal = make(pool, Expr::Binary(BinOp::Eq, pair[0], pair[1]))?;
                make(pool, Expr::Binary(BinOp::And, so_far, equal))
            })
        }
        ("distinct", [_, _, ..]) => {
            let mut all = pool.bool(true);
            for (i, a) in arguments.iter().enumerate() {
                for b in &arguments[i + 1..] {
                    let equal = make(pool, Expr::Binary(BinOp::Eq, *a, *b))?;
                    let not = make(pool, Expr::Unary(UnOp::Not, equal))?;
                    all = make(pool, Expr::Binary(BinOp::And, all, not))?;
                }
            }
            Ok(all)
        }
        ("ite", [c, a, b]) => make(pool, Expr::Ite(*c, *a, *b)),
        ("select", [array, index]) => make(pool, Expr::Select(*array, *index)),
        ("store", [array, index, value]) => make(pool, Expr::Store(*array, *index, *value)),
        _ => Err(format!("an unknown operation `{name}` with {} operands", arguments.len())),
    }
}

/// The value of a variable of a sort.
pub fn read_value(sexprs: &Sexprs, id: SexprId, sort: Sort) -> Result<Value, String> {
    if let Some(parts) = sexprs.list_of(id, "lambda") {
        return read_lambda(sexprs, parts, sort);
    }
    let mut pool = ExprPool::new();
    let term = read_term(sexprs, id, &mut pool, &|_, _| None)?;
    let fits = match sort {
        Sort::Float(f) => pool.sort(term) == Sort::Bits(f.bits()),
        sort => pool.sort(term) == sort,
    };
    if !fits {
        return Err(format!("a value of sort {} for a variable of sort {sort}", pool.sort(term)));
    }
    value_of(&pool, term, 0)
}

/// The value of an expression whose only variable has these bits.
fn value_of(pool: &ExprPool, term: ExprId, variable: u128) -> Result<Value, String> {
    let mut env = |_| Ok::<_, Infallible>(Value::Bits(variable));
    eval::eval(pool, term, &mut env).map_err(|never| match never {})
}

/// `(lambda ((i S)) body)`, where the body does nothing with `i` but compare it with constants: it is the same for all indices that are
/// not among them.
fn read_lambda(sexprs: &Sexprs, parts: &[SexprId], sort: Sort) -> Result<Value, String> {
    let (Sort::Array { index, element }, [parameters, body]) = (sort, parts) else {
        return Err("an array is not understood".to_string());
    };
    let parameter = match sexprs.items(*parameters) {
        [one] => sexprs.items(*one).first().and_then(|name| sexprs.atom(*name)),
        _ => None,
    };
    let mut pool = ExprPool::new();
    let variable = pool.var(VarId(0), Sort::Bits(index));
    let names = |_: &mut ExprPool, name: &str| (Some(name) == parameter).then_some(variable);
    let body = read_term(sexprs, *body, &mut pool, &names)?;
    if pool.sort(body) != Sort::Bits(element) {
        return Err("an array's elements have another sort".to_string());
    }
    let mut special = Vec::new();
    let mut simple = true;
    pool.for_each_node(&[body], |_, expr| match expr {
        Expr::Binary(BinOp::Eq, a, b) => {
            special.extend([a, b].iter().filter_map(|id| pool.as_const(*id)).map(|Const { bits, .. }| bits));
            simple &= [a, b].iter().all(|id| *id == variable || pool.as_const(*id).is_some());
        }
        Expr::Const(_) | Expr::Var(_) | Expr::Ite(..) => {}
        Expr::Unary(UnOp::Not, _) | Expr::Binary(BinOp::And | BinOp::Or, ..) => {}
        _ => simple = false,
    });
    if !simple {
        return Err("an array is not understood".to_string());
    }
    special.sort_unstable();
    special.dedup();
    // The least index that is none of them. If all are, it does not matter.
    let other = (0..).zip(&special).find(|(i, bits)| i != *bits).map_or(special.len() as u128, |(i, _)| i);
    let mut array = ArrayValue::constant(value_of(&pool, body, other)?.bits());
    for at in special {
        array.set(at, value_of(&pool, body, at)?.bits());
    }
    Ok(Value::Array(Arc::new(array)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::sexpr::parse;

    fn value(text: &str, sort: Sort) -> Result<Value, String> {
        let (sexprs, id) = parse(text)?;
        read_value(&sexprs, id, sort)
    }

    #[test]
    fn scalars() {
        assert_eq!(value("#b101", Sort::Bits(3)), Ok(Value::Bits(5)));
        assert_eq!(value("#xff", Sort::Bits(8)), Ok(Value::Bits(255)));
        assert_eq!(value("(_ bv10 32)", Sort::Bits(32)), Ok(Value::Bits(10)));
        assert_eq!(value("#x3f800000", Sort::F32), Ok(Value::Bits(0x3f80_0000)));
        assert_eq!(value("true", Sort::Bool), Ok(Value::Bits(1)));
        for text in ["#b", "#b2", "#xff", "(_ bv8 3)", "x", "()", "(1)", "\"a\"", "(_ +oo 8 24)", "#é"] {
            assert!(value(text, Sort::Bits(3)).is_err(), "{text}");
        }
    }

    #[test]
    fn arrays() {
        let sort = Sort::Array { index: 2, element: 8 };
        let constant = "((as const (Array (_ BitVec 2) (_ BitVec 8))) #x07)";
        let store = format!("(let ((a {constant})) (store (store a #b01 #xff) #b10 #x07))");
        let lambda = "(lambda ((i (_ BitVec 2))) (ite (= i #b01) #xff #x07))";
        for text in [store.as_str(), lambda] {
            let Ok(Value::Array(array)) = value(text, sort) else { panic!("{text}") };
            assert_eq!([0, 1, 2, 3].map(|i| array.get(i)), [7, 255, 7, 7]);
        }
        assert!(value("(lambda ((i (_ BitVec 2))) (concat i i i i))", sort).is_err());
        assert!(value("(_ as-array k!0)", sort).is_err());
    }

    #[test]
    fn terms_with_scopes() {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(3), Sort::Bits(8));
        let names = |_: &mut ExprPool, name: &str| (name == "v3").then_some(x);
        let mut read = |text: &str| {
            let (sexprs, id) = parse(text)?;
            let term = read_term(&sexprs, id, &mut pool, &names)?;
            let mut env = |_| Ok::<_, String>(Value::Bits(5));
            Ok::<u128, String>(eval::eval(&pool, term, &mut env)?.bits())
        };
        assert_eq!(read("(let ((a (bvadd v3 #x01))) (let ((a (bvmul a a)) (b a)) (bvsub a b)))"), Ok(30));
        assert_eq!(read("(bvuge v3 #x05)"), Ok(1));
        assert_eq!(read("(=> (= v3 #x05) (distinct v3 #x01 #x02) (not false))"), Ok(1));
        assert_eq!(read("((_ rotate_right 1) v3)"), Ok(0x82));
        assert_eq!(read("((_ repeat 2) ((_ extract 3 0) v3))"), Ok(0x55));
        assert_eq!(read("(bvcomp v3 (_ bv5 8))"), Ok(1));
        for text in
            ["(bvadd v3 #b1)", "(foo v3)", "(let ((a)) a)", "v4", "((_ extract 9 0) v3)", "(bvsub v3 v3 v3)", "(not)"]
        {
            assert!(read(text).is_err(), "{text}");
        }
        let deep = "(bvnot ".repeat(200_000) + "v3" + &")".repeat(200_000);
        assert_eq!(read(&deep), Ok(5));
    }
}
