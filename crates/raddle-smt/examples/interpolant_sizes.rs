//! How large interpolants become: McMillan's and Pudlák's systems, over bits and lifted to words, from proofs with and without the SAT
//! solver's simplifications. `cargo run --release -p raddle-smt --example interpolant_sizes [CASES [NAME]]`

#[path = "../tests/contradictions/mod.rs"]
mod contradictions;
#[path = "../tests/random/mod.rs"]
mod random;

use contradictions::{SHAPES, parts, path};
use raddle_ir::{BinOp, ExprId, ExprPool, Sort, VarId};
use raddle_smt::{Interpolation, InterpolationOptions, Interpolator, NativeInterpolator, System};
use random::{Formulas, Random};
use std::time::{Duration, Instant};

type Case = (ExprPool, Vec<ExprId>);

/// A loop that adds 1 to x and 3 to y, unrolled; behind it, `y = 3 · x` and a bound do not hold.
fn counter(steps: u32, width: u8) -> Case {
    let mut pool = ExprPool::new();
    let sort = Sort::Bits(width);
    let var = |pool: &mut ExprPool, step: u32, which: u32| pool.var(VarId(10 * step + which), sort);
    let (zero, one, three) = (pool.bits(width, 0), pool.bits(width, 1), pool.bits(width, 3));
    let (x, y) = (var(&mut pool, 0, 0), var(&mut pool, 0, 1));
    let (x, y) = (pool.eq(x, zero), pool.eq(y, zero));
    let mut parts = vec![pool.and(x, y)];
    for step in 0..steps {
        let (x, y) = (var(&mut pool, step, 0), var(&mut pool, step, 1));
        let (next_x, next_y) = (var(&mut pool, step + 1, 0), var(&mut pool, step + 1, 1));
        let (x, y) = (pool.binary(BinOp::BvAdd, x, one), pool.binary(BinOp::BvAdd, y, three));
        let (x, y) = (pool.eq(next_x, x), pool.eq(next_y, y));
        parts.push(pool.and(x, y));
    }
    let (x, y) = (var(&mut pool, steps, 0), var(&mut pool, steps, 1));
    let product = pool.binary(BinOp::BvMul, x, three);
    parts.push(pool.ne(y, product));
    (pool, parts)
}

/// A loop up to n, whose n is an input of at most 10, unrolled; behind it x is too large.
fn bounded(steps: u32, width: u8) -> Case {
    let mut pool = ExprPool::new();
    let sort = Sort::Bits(width);
    let (zero, one, ten) = (pool.bits(width, 0), pool.bits(width, 1), pool.bits(width, 10));
    let n = pool.var(VarId(1), sort);
    let x = pool.var(VarId(10), sort);
    let (start, bound) = (pool.eq(x, zero), pool.binary(BinOp::SLe, n, ten));
    let mut parts = vec![pool.and(start, bound)];
    let mut x = x;
    for step in 1..=steps {
        let next = pool.var(VarId(10 + step), sort);
        let (more, larger) = (pool.binary(BinOp::SLt, x, n), pool.binary(BinOp::BvAdd, x, one));
        let moved = pool.eq(next, larger);
        parts.push(pool.and(more, moved));
        x = next;
    }
    parts.push(pool.binary(BinOp::SLt, ten, x));
    (pool, parts)
}

/// `x · (y + z)` is `x · y + x · z`.
fn distribution(width: u8) -> Case {
    let mut pool = ExprPool::new();
    let [x, y, z, left, right] = [0, 1, 2, 3, 4].map(|number| pool.var(VarId(number), Sort::Bits(width)));
    let sum = pool.binary(BinOp::BvAdd, y, z);
    let product = pool.binary(BinOp::BvMul, x, sum);
    let (xy, xz) = (pool.binary(BinOp::BvMul, x, y), pool.binary(BinOp::BvMul, x, z));
    let sum = pool.binary(BinOp::BvAdd, xy, xz);
    let parts = vec![pool.eq(left, product), pool.eq(right, sum), pool.ne(left, right)];
    (pool, parts)
}

fn random_cases(wanted: usize, mut make: impl FnMut(&mut Formulas) -> Option<Vec<ExprId>>) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut seed = 1u64 << 40;
    while cases.len() < wanted {
        let mut random = Random(seed);
        let mut formulas = Formulas::new(&mut random, SHAPES[(seed % 4) as usize].1);
        if let Some(parts) = make(&mut formulas) {
            cases.push((formulas.pool, parts));
        }
        seed += 1;
    }
    cases
}

fn size(pool: &ExprPool, expr: ExprId) -> usize {
    let mut nodes = 0;
    pool.for_each_node(&[expr], |_, _| nodes += 1);
    nodes
}

fn measure(name: &str, cases: &[Case]) {
    for plain in [false, true] {
        for system in [System::McMillan, System::Pudlak] {
            for lift in [false, true] {
                let mut interpolator = NativeInterpolator::with(InterpolationOptions { system, lift, plain });
                let (mut sizes, mut lifted, mut derived, mut needed) = (Vec::new(), 0, 0, 0);
                let mut time = Duration::ZERO;
                for (pool, parts) in cases {
                    let mut pool = pool.clone();
                    let start = Instant::now();
                    let answer = interpolator.interpolate(&mut pool, parts);
                    time += start.elapsed();
                    match answer {
                        Ok(Interpolation::Interpolants(interpolants)) => {
                            sizes.extend(interpolants.iter().map(|&interpolant| size(&pool, interpolant)));
                        }
                        other => println!("{name}: {other:?}"),
                    }
                    let figures = interpolator.figures();
                    lifted += figures.lifted;
                    derived += figures.derived;
                    needed += figures.needed;
                }
                sizes.sort_unstable();
                let at = |share: usize| sizes.get(sizes.len() * share / 100).copied().unwrap_or(0);
                println!(
                    "{name:<10} {:<8} {:<8} {:<5} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
                    if plain { "plain" } else { "default" },
                    format!("{system:?}"),
                    if lift { "words" } else { "bits" },
                    sizes.len(),
                    lifted,
                    at(50),
                    at(90),
                    sizes.iter().sum::<usize>() / sizes.len().max(1),
                    derived / cases.len().max(1),
                    needed / cases.len().max(1),
                    time.as_millis()
                );
            }
        }
    }
}

fn main() {
    let cases = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    println!(
        "{:<10} {:<8} {:<8} {:<5} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "options", "system", "", "count", "lifted", "median", "90 %", "mean", "derived", "needed", "ms"
    );
    let only = std::env::args().nth(2).unwrap_or_default();
    let measure = |name: &str, make: &dyn Fn() -> Vec<Case>| {
        if name.contains(&only) {
            measure(name, &make());
        }
    };
    measure("pairs", &|| random_cases(cases, |formulas| parts(formulas, 2)));
    measure("sequences", &|| random_cases(cases / 2, |formulas| parts(formulas, 4)));
    measure("paths", &|| random_cases(cases / 2, |formulas| path(formulas, 3)));
    measure("counter", &|| [5, 20, 100].map(|steps| counter(steps, 32)).into());
    measure("bounded", &|| [11, 15, 20].map(|steps| bounded(steps, 32)).into());
    measure("products", &|| [4, 5, 6, 7].map(distribution).into());
}
