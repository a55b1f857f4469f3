//! The model that a check found: values of the circuit's inputs, and from them everything else that somebody asks for.

use crate::aig::{Aig, Lit, Node};
use crate::blast::Blaster;
use raddle_ir::eval::Evaluated;
use raddle_ir::{ArrayValue, Expr, ExprId, ExprPool, Value, VarId};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::sync::Arc;

#[derive(Default)]
pub(crate) struct Model {
    /// The values of the circuit's nodes, as far as somebody asked.
    values: Vec<Option<bool>>,
    /// The array variables that are no other name for something.
    arrays: FxHashMap<VarId, Arc<ArrayValue>>,
    /// Those that are, as far as somebody asked.
    named: FxHashMap<VarId, Value>,
    /// The expressions that somebody asked for, and those below them. A schedule asks for thousands that share most nodes.
    evaluated: Evaluated,
}

impl Model {
    /// A model by the values of the inputs.
    pub(crate) fn new(aig: &Aig, mut input: impl FnMut(u32) -> bool) -> Model {
        let mut values = vec![None; aig.len()];
        for &node in aig.inputs() {
            values[node as usize] = Some(input(node));
        }
        Model { values, ..Model::default() }
    }

    fn lit(&mut self, aig: &Aig, lit: Lit) -> bool {
        if self.values.len() < aig.len() {
            self.values.resize(aig.len(), None);
        }
        let mut open = vec![lit.node()];
        while let Some(&node) = open.last() {
            if self.values[node as usize].is_some() {
                open.pop();
                continue;
            }
            let value = match aig.get(node) {
                // The SAT solver does not know this input: anything goes.
                Node::False | Node::Input => Some(false),
                Node::And(a, b) => {
                    let read = |lit: Lit| self.values[lit.node() as usize].map(|value| value != lit.is_inverted());
                    match (read(a), read(b)) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        (None, _) => {
                            open.push(a.node());
                            None
                        }
                        (_, None) => {
                            open.push(b.node());
                            None
                        }
                    }
                }
            };
            if value.is_some() {
                self.values[node as usize] = value;
                open.pop();
            }
        }
        self.values[lit.node() as usize] == Some(!lit.is_inverted())
    }

    /// The array that a variable is: for a start, its default everywhere. Whoever asks may change it.
    pub(crate) fn array(&mut self, blaster: &Blaster, var: VarId, expr: ExprId) -> &mut ArrayValue {
        self.evaluated = Evaluated::default();
        let default = match self.arrays.contains_key(&var) {
            true => 0,
            false => blaster.arrays.known_default(expr).map_or(0, |word| self.word(&blaster.aig, word)),
        };
        Arc::make_mut(self.arrays.entry(var).or_insert_with(|| Arc::new(ArrayValue::constant(default))))
    }

    pub(crate) fn word(&mut self, aig: &Aig, word: &[Lit]) -> u128 {
        word.iter().rev().fold(0, |value, &lit| value << 1 | u128::from(self.lit(aig, lit)))
    }

    /// The array that a variable is from now on.
    pub(crate) fn set_array(&mut self, var: VarId, array: ArrayValue) {
        self.arrays.insert(var, Arc::new(array));
        self.named.clear();
        self.evaluated = Evaluated::default();
    }

    /// The value of an expression: by the evaluator, on the values of the variables.
    pub(crate) fn value(&mut self, blaster: &Blaster, pool: &ExprPool, expr: ExprId) -> Value {
        // Array variables that are other names, those first that others are made of. There may be long chains of them.
        let names = |expr: ExprId| pool.vars(expr).into_iter().filter(|var| blaster.arrays.bound.contains_key(var));
        let mut open: Vec<VarId> = if blaster.arrays.bound.is_empty() { Vec::new() } else { names(expr).collect() };
        while let Some(&var) = open.last() {
            if self.named.contains_key(&var) {
                open.pop();
                continue;
            }
            let other = blaster.arrays.bound[&var];
            let before = open.len();
            open.extend(names(other).filter(|var| !self.named.contains_key(var)));
            if open.len() == before {
                let value = self.evaluate(blaster, pool, other);
                self.named.insert(var, value);
            }
        }
        self.evaluate(blaster, pool, expr)
    }

    fn evaluate(&mut self, blaster: &Blaster, pool: &ExprPool, expr: ExprId) -> Value {
        let mut evaluated = std::mem::take(&mut self.evaluated);
        let mut env = |var: VarId| -> Result<Value, Infallible> {
            if let Some(value) = self.named.get(&var) {
                return Ok(value.clone());
            }
            Ok(match blaster.variable(var) {
                Some((sort, word)) if sort.bits().is_some() => Value::Bits(self.word(&blaster.aig, word)),
                Some(_) => {
                    let array = pool.find(Expr::Var(var)).map(|expr| self.array(blaster, var, expr).clone());
                    Value::Array(Arc::new(array.unwrap_or_default()))
                }
                None => {
                    let is_array = pool.find(Expr::Var(var)).is_some_and(|id| pool.sort(id).bits().is_none());
                    if is_array { Value::Array(Arc::default()) } else { Value::Bits(0) }
                }
            })
        };
        let Ok(value) = evaluated.eval(pool, expr, &mut env);
        self.evaluated = evaluated;
        value
    }
}
