//! Random small Programs for tests: structured code with branches, bounded loops, shared variables, memory, locks,
//! atomic blocks, calls and threads. Every third has one thread only.

use crate::{Builder, EXIT, Random, input, load, store};
use raddle_ir::*;

/// Values have few bits, so that all of them can be tried.
const WIDTH: u8 = 8;
const OBJECT: u64 = 0x1_0000_0000;
const TABLE: u64 = OBJECT + 0x10_0000;
const LOCK: u64 = OBJECT + 0x20_0000;
const ARRAY: u64 = OBJECT + 0x30_0000;
const UNION: u64 = OBJECT + 0x40_0000;
const HELPER: u64 = 0x1_0000;

struct Maker {
    b: Builder,
    random: Random,
    globals: Vec<VarId>,
    helper: ProcId,
    worker: ProcId,
    /// The procedure that is being made, its locals, and a pointer.
    proc: ProcId,
    locals: Vec<VarId>,
    pointer: VarId,
    next_loc: u32,
    statements: u32,
    in_atomic: bool,
    has_worker: bool,
}

/// A random Program; the same for the same seed.
pub fn random_program(seed: u64) -> Program {
    let mut b = Builder::new();
    let main = b.proc("main");
    let worker = b.proc("worker");
    let helper = b.proc("helper");
    let globals = vec![b.global("g", WIDTH, Some(0)), b.global("h", WIDTH, Some(1)), b.global("quiet", WIDTH, Some(2))];
    b.object("pair", OBJECT, 2, Some(vec![1, 2]), true);
    b.object("table", TABLE, 4, Some(vec![0, 1, 2, 3]), false);
    b.object("lock", LOCK, 8, Some(vec![]), true);
    b.object("array", ARRAY, 3, Some(vec![0, 1]), true);
    b.object("union", UNION, 4, Some(vec![2, 1]), true);
    b.function(helper, HELPER);
    let mut maker = Maker {
        b,
        random: Random::new(seed),
        globals,
        helper,
        worker,
        proc: main,
        locals: Vec::new(),
        pointer: VarId(0),
        next_loc: 1,
        statements: 0,
        in_atomic: false,
        has_worker: !seed.is_multiple_of(3),
    };
    for (proc, statements) in [(main, 9), (worker, 5), (helper, 3)] {
        maker.procedure(proc, statements);
    }
    maker.b.finish()
}

impl Maker {
    fn procedure(&mut self, proc: ProcId, statements: u32) {
        self.proc = proc;
        self.next_loc = 1;
        self.statements = statements;
        self.locals = ["x", "y", "z"].map(|name| self.b.local(proc, name, WIDTH)).to_vec();
        if proc != ProcId(0) {
            let param = self.b.param(proc, "arg", WIDTH);
            self.locals.push(param);
        }
        self.pointer = self.b.local(proc, "p", 64);
        let mut at = 0;
        for i in 0..3 {
            if self.random.chance(70) {
                let value = self.small();
                at = self.step(at, vec![Label::Assign { var: self.locals[i], value }]);
            }
        }
        if proc == ProcId(0) && !self.has_worker {
            at = self.block(at);
        } else if proc == ProcId(0) {
            let handle = self.b.local(proc, "thread", 32);
            let (vhandle, arg) = (self.b.get(handle), self.b.num(WIDTH, 1));
            at = self.step(at, vec![Label::Start { var: handle, callee: Callee::Proc(self.worker), arg }]);
            at = self.block(at);
            if self.random.chance(60) {
                at = self.step(at, vec![Label::Join { var: None, handle: vhandle }]);
                self.statements = 2;
                at = self.block(at);
            }
        } else {
            let result = self.b.result(proc, WIDTH);
            at = self.block(at);
            let value = self.expr();
            at = self.step(at, vec![Label::Assign { var: result, value }]);
        }
        self.b.edge(proc, at, EXIT, vec![]);
    }

    fn loc(&mut self) -> u32 {
        self.next_loc += 1;
        self.next_loc - 1
    }

    fn step(&mut self, from: u32, labels: Vec<Label>) -> u32 {
        let to = self.loc();
        self.b.edge(self.proc, from, to, labels);
        to
    }

    fn block(&mut self, mut at: u32) -> u32 {
        while self.statements > 0 {
            self.statements -= 1;
            at = self.statement(at);
            if self.random.chance(10) {
                break;
            }
        }
        at
    }

    fn small(&mut self) -> ExprId {
        let value = self.random.below(4).into();
        self.b.num(WIDTH, value)
    }

    fn read_local(&mut self) -> ExprId {
        let var = self.random.pick(&self.locals);
        self.b.get(var)
    }

    fn expr(&mut self) -> ExprId {
        match self.random.below(6) {
            0 => self.small(),
            1 | 2 => self.read_local(),
            3 => {
                let (a, b) = (self.read_local(), self.small());
                self.b.bin(BinOp::BvAdd, a, b)
            }
            4 => {
                let (a, b) = (self.read_local(), self.read_local());
                let op = self.random.pick(&[BinOp::BvXor, BinOp::BvAnd, BinOp::BvSub]);
                self.b.bin(op, a, b)
            }
            _ => {
                let (c, a, b) = (self.cond(), self.read_local(), self.small());
                self.b.pool().ite(c, a, b)
            }
        }
    }

    fn cond(&mut self) -> ExprId {
        let (a, b) = (self.read_local(), self.small());
        let op = self.random.pick(&[BinOp::Eq, BinOp::Eq, BinOp::ULt, BinOp::SLe]);
        self.b.bin(op, a, b)
    }

    /// `start + scale * (x & mask)`.
    fn element(&mut self, start: u64, mask: u128, scale: u128) -> ExprId {
        let (index, mask) = (self.read_local(), self.b.num(WIDTH, mask));
        let index = self.b.bin(BinOp::BvAnd, index, mask);
        let (index, scale) = (self.b.pool().zero_ext(64, index), self.b.num(64, scale));
        let (offset, start) = (self.b.bin(BinOp::BvMul, index, scale), self.b.num(64, start.into()));
        self.b.bin(BinOp::BvAdd, start, offset)
    }

    /// An address: of a static object, or what the pointer holds.
    fn address(&mut self, writable: bool) -> ExprId {
        match self.random.below(10) {
            0 if !writable => self.element(TABLE, 3, 1),
            1 if !writable => self.b.num(64, (TABLE + 1).into()),
            2 => self.b.get(self.pointer),
            // The last one may lie outside.
            3 => self.element(ARRAY, 1, 1),
            4 => self.element(ARRAY, 1, 2),
            5 => self.element(ARRAY, 3, 1),
            6 => {
                let at = UNION + self.random.below(4);
                self.b.num(64, at.into())
            }
            n => self.b.num(64, (OBJECT + n % 2).into()),
        }
    }

    fn place(&mut self, writable: bool) -> Place {
        if self.random.chance(60) {
            Place::Var(self.random.pick(&self.globals[..if writable { 2 } else { 3 }]))
        } else {
            Place::Memory(self.address(writable))
        }
    }

    fn statement(&mut self, at: u32) -> u32 {
        let var = self.random.pick(&self.locals);
        match self.random.below(21) {
            0..=3 => {
                let value = self.expr();
                self.step(at, vec![Label::Assign { var, value }])
            }
            4..=6 => {
                let place = self.place(false);
                self.step(at, vec![load(var, place)])
            }
            7 => {
                // An atomic read-modify-write.
                let (place, value) = (self.place(true), self.b.get(var));
                let one = self.b.num(WIDTH, 1);
                let value = self.b.bin(BinOp::BvAdd, value, one);
                let other = Place::Memory(self.address(true));
                let to = if self.random.chance(80) { place } else { other };
                self.step(at, vec![load(var, place), store(to, value)])
            }
            8 | 9 => {
                let (place, value) = (self.place(true), self.expr());
                self.step(at, vec![store(place, value)])
            }
            10 => {
                let three = self.b.num(WIDTH, 3);
                let read = self.b.get(var);
                let small = self.b.bin(BinOp::ULt, read, three);
                self.step(at, vec![input(var), Label::Assume(small)])
            }
            11 => {
                let cond = self.cond();
                let label = match self.random.below(3) {
                    0 => Label::Assume(cond),
                    1 => Label::Require { cond, hazard: Hazard::DivisionByZero },
                    _ => Label::Await(cond),
                };
                self.step(at, vec![label])
            }
            12 | 13 => self.branch(at),
            14 => {
                let cond = self.cond();
                self.error_if(at, cond)
            }
            15 => self.bounded_loop(at),
            16 if !self.in_atomic => {
                self.in_atomic = true;
                let at = self.step(at, vec![Label::AtomicBegin]);
                let at = self.block(at);
                self.in_atomic = false;
                self.step(at, vec![Label::AtomicEnd])
            }
            17 => {
                let lock = self.b.num(64, LOCK.into());
                let at = self.step(at, vec![Label::Lock { op: LockOp::Acquire, lock, var: None }]);
                let at = self.block(at);
                self.step(at, vec![Label::Lock { op: LockOp::Release, lock, var: None }])
            }
            18 if self.proc != self.helper => {
                let arg = self.expr();
                let callee = if self.random.chance(30) {
                    let address = self.b.num(64, HELPER.into());
                    Callee::Address(address)
                } else {
                    Callee::Proc(self.helper)
                };
                self.step(
                    at,
                    vec![Label::Call { callee, args: vec![arg], var: Some(var), site: raddle_ir::Origin::default() }],
                )
            }
            19 => self.two_bytes(at, var),
            _ => self.new_pointer(at),
        }
    }

    fn error_if(&mut self, at: u32, cond: ExprId) -> u32 {
        let not = self.b.pool().not(cond);
        let error = self.step(at, vec![Label::Assume(cond)]);
        self.b.edge(self.proc, error, EXIT, vec![Label::Error(raddle_ir::Violation::ErrorCall)]);
        self.step(at, vec![Label::Assume(not)])
    }

    /// An access to two bytes, which others may access one by one. What was read may be an error.
    fn two_bytes(&mut self, at: u32, var: VarId) -> u32 {
        let address = UNION + self.random.below(3);
        let place = Place::Memory(self.b.num(64, address.into()));
        if self.random.chance(50) {
            let (low, high) = (self.expr(), self.expr());
            let value = self.b.bin(BinOp::Concat, high, low);
            return self.step(at, vec![store(place, value)]);
        }
        let both = self.b.local(self.proc, "both", 2 * WIDTH);
        let read = self.b.get(both);
        let low = if self.random.chance(50) { 0 } else { WIDTH };
        let value = self.b.pool().extract(low + WIDTH - 1, low, read);
        let at = self.step(at, vec![load(both, place), Label::Assign { var, value }]);
        let (read, wrong) = (self.b.get(var), self.small());
        let cond = self.b.bin(BinOp::Eq, read, wrong);
        if self.random.chance(50) { self.error_if(at, cond) } else { at }
    }

    fn branch(&mut self, at: u32) -> u32 {
        let cond = self.cond();
        let not = self.b.pool().not(cond);
        let then = self.step(at, vec![Label::Assume(cond)]);
        let otherwise = self.step(at, vec![Label::Assume(not)]);
        let (then, otherwise) = (self.block(then), self.block(otherwise));
        let after = self.loc();
        self.b.edge(self.proc, then, after, vec![]);
        self.b.edge(self.proc, otherwise, after, vec![]);
        after
    }

    fn bounded_loop(&mut self, at: u32) -> u32 {
        let counter = self.b.local(self.proc, "i", WIDTH);
        let (read, zero, one, two) =
            (self.b.get(counter), self.b.num(WIDTH, 0), self.b.num(WIDTH, 1), self.b.num(WIDTH, 2));
        let next = self.b.bin(BinOp::BvAdd, read, one);
        let more = self.b.bin(BinOp::ULt, read, two);
        let done = self.b.pool().not(more);
        let head = self.step(at, vec![Label::Assign { var: counter, value: zero }]);
        let body = self.step(head, vec![Label::Assume(more)]);
        let body = self.block(body);
        self.b.edge(self.proc, body, head, vec![Label::Assign { var: counter, value: next }]);
        self.step(head, vec![Label::Assume(done)])
    }

    fn new_pointer(&mut self, at: u32) -> u32 {
        let var = self.pointer;
        match self.random.below(4) {
            0 => {
                let address = self.address(true);
                self.step(at, vec![Label::Assign { var, value: address }])
            }
            n => {
                let size = self.b.num(64, 1);
                let storage = if n == 1 { Storage::Heap } else { Storage::Stack };
                let at = self.step(
                    at,
                    vec![Label::Alloc { var, size, storage, zeroed: n != 2, site: raddle_ir::Origin::default() }],
                );
                let (place, value) = (self.b.get(var), self.expr());
                self.step(at, vec![store(Place::Memory(place), value)])
            }
        }
    }
}
