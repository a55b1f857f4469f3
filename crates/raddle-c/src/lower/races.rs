//! What lowering knows of data races: which accesses are volatile, which are the library's way to synchronise, and which functions POSIX does not make safe for threads.
//!
//! Everything here is for the property `no-data-race` alone; other properties get the Program without it. The pass `races` in raddle-passes does the rest.

use super::Lower;
use super::builder::Builder;
use crate::types::{BitField, Field, QualSet, Type, TypeId};
use raddle_ir::{BinOp, Const, ExprId, Label, Order, Origin, Place, Sort, Span, Var, VarId, VarKind, Violation};

impl Lower<'_> {
    /// A variable that stands for what the callers of some functions share.
    fn shared_state(&mut self, name: &str, span: Span) -> VarId {
        let is_it = |var: &Var| var.name == name && matches!(var.kind, VarKind::Global(_));
        match self.vars.iter().position(is_it) {
            Some(at) => VarId(at as u32),
            None => {
                let (sort, zero) = (Sort::Bits(8), Const { sort: Sort::Bits(8), bits: 0 });
                let (kind, origin) = (VarKind::Global(Some(zero)), Origin::default());
                self.add_var(Var { name: name.into(), sort, kind, signed: false, span, origin })
            }
        }
    }
}

impl Builder<'_, '_> {
    pub fn finds_races(&self) -> bool {
        self.cx.options.counts.has(Violation::DataRace)
    }

    /// The order of an access that is not atomic.
    pub fn plain_order(&self, ty: TypeId) -> Order {
        let is_volatile = || self.hir().types.quals(ty).contains(QualSet::VOLATILE);
        if self.finds_races() && is_volatile() { Order::Volatile } else { Order::NonAtomic }
    }

    /// The models of functions that synchronise do with loads and stores what the library does with atomic operations.
    pub fn synchronised(&self, mut label: Label) -> Label {
        if self.finds_races()
            && self.cx.is_of_library(self.pos)
            && let name = self.cx.hir_function(self.function).name.as_str()
            && synchronises(name)
        {
            match &mut label {
                Label::Store { place: Place::Memory(_), .. } if stores_plainly(name) => {}
                Label::Load { order, .. } if orders_nothing(name) => *order = Order::Relaxed,
                Label::Load { order, .. } | Label::Store { order, .. } => *order = Order::SeqCst,
                _ => {}
            }
        }
        label
    }

    /// A call of a function that need not be safe for threads is as good as a write to something that all its callers share.
    pub fn note_unsafe_call(&mut self, name: &str) {
        if !self.finds_races() || self.cx.is_of_library(self.pos) {
            return;
        }
        let Some(group) = unsafe_for_threads(name) else { return };
        let var = self.cx.shared_state(group, self.cx.span(self.pos));
        let place = Place::Var(var);
        // To look at the environment races with changing it only (C11 7.22.4.6).
        if name == "getenv" {
            self.load(place, Sort::Bits(8), Order::NonAtomic);
            return;
        }
        let zero = self.cx.pool.bits(8, 0);
        self.emit(Label::Store { place, value: zero, order: Order::NonAtomic });
    }
}

/// Bytes of bit-fields beside one, by their distance from its first byte: those before it, and those behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Neighbours {
    first: i64,
    own_end: i64,
    end: i64,
}

impl Builder<'_, '_> {
    /// Adjacent bit-fields are one memory location (C11 3.14), unless one of no width is between them, which the layout does not tell. So to touch one is to touch the others, and whether
    /// that is a race is left open: the accesses are marked as volatile ones are.
    pub fn neighbours(&self, record: TypeId, offset: u64, bits: BitField) -> Neighbours {
        let types = &self.hir().types;
        let Type::Record(id) = *types.get(types.strip_atomic(record)) else { return Neighbours::default() };
        let layout = types.records[id.0 as usize].layout.as_ref().filter(|_| self.finds_races());
        let Some(layout) = layout else { return Neighbours::default() };
        let bytes =
            |offset: u64, bits: BitField| offset..offset + (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8);
        let own = bytes(offset, bits);
        let runs = layout.fields.split(|field| field.bits.is_none());
        let is_run = |run: &&[Field]| run.iter().any(|field| field.offset == offset && field.bits == Some(bits));
        let run = runs.into_iter().find(is_run).unwrap_or_default();
        let touched = || run.iter().filter_map(|field| Some(bytes(field.offset, field.bits?)));
        let distance = |byte: u64| byte as i64 - offset as i64;
        let first = touched().map(|bytes| bytes.start).min().unwrap_or(own.start);
        let end = touched().map(|bytes| bytes.end).max().unwrap_or(own.end);
        Neighbours { first: distance(first), own_end: distance(own.end), end: distance(end) }
    }

    /// Reads the bytes, or writes what they hold.
    pub fn touch_neighbours(&mut self, address: ExprId, neighbours: Neighbours, writes: bool) {
        let Neighbours { first, own_end, end } = neighbours;
        for distance in (first..0).chain(own_end..end) {
            let distance = self.cx.address(distance as u64 & raddle_ir::eval::mask(self.cx.pointer_bits) as u64);
            let place = Place::Memory(self.cx.pool.binary(BinOp::BvAdd, address, distance));
            let (var, order) = (self.temp(Sort::Bits(8)), Order::Volatile);
            let value = self.var_value(var);
            let mut labels = vec![Label::Load { var, place, order }];
            labels.extend(writes.then_some(Label::Store { place, value, order }));
            self.emit_step(labels);
        }
    }
}

/// Is it a function of the library's that synchronises threads, or a part of one?
fn synchronises(name: &str) -> bool {
    const PREFIXES: [&str; 8] = ["pthread_", "__pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "call_once"];
    const PARTS: [&str; 30] = [
        "give_away",
        "set_cancel",
        "join",
        "joins",
        "start",
        "starts",
        "started",
        "run",
        "create",
        "thread_ends",
        "act",
        "cancel_point",
        "cancel_perhaps",
        "cancel_waiting",
        "cancel_changed",
        "await_request",
        "is_requested",
        "own_index",
        "run_destructors",
        "is_detached",
        "note_detached",
        "begin_detached",
        "end_detached",
        "find_default",
        "find_named",
        "make_named",
        "open_named",
        "exit_thread",
        "once_begins",
        "once_ends",
    ];
    // Attributes are plain data.
    let is_attribute = name.contains("attr_");
    !is_attribute && PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || name.strip_prefix("__raddle_").is_some_and(|part| PARTS.contains(&part))
}

/// Functions that may find something and then order nothing: POSIX 4.12 demands it of those that succeed.
fn orders_nothing(name: &str) -> bool {
    ["sem_getvalue", "sem_trywait", "sem_timedwait", "sem_clockwait"].contains(&name)
}

/// Functions that answer in a variable of the caller's, or make an object that nobody may use yet.
fn stores_plainly(name: &str) -> bool {
    let answers = ["sem_getvalue", "__raddle_set_cancel", "pthread_setcancelstate", "pthread_setcanceltype"];
    let makes = ["pthread_key_create", "sem_init", "pthread_barrier_init", "pthread_cond_init"];
    answers.contains(&name) || makes.contains(&name)
}

/// The functions that need not be safe for threads (POSIX.1-2017, 2.9.1, and C11's `rand`), by what they share.
fn unsafe_for_threads(name: &str) -> Option<&'static str> {
    Some(match name {
        "rand" | "srand" => "the state of rand",
        "drand48" | "lrand48" | "mrand48" | "srand48" | "seed48" | "lcong48" => "the state of drand48",
        "strtok" => "the state of strtok",
        "asctime" | "ctime" | "gmtime" | "localtime" => "the broken-down time of the library",
        "getenv" | "setenv" | "unsetenv" | "putenv" | "clearenv" => "the environment",
        "strerror" => "the text of strerror",
        "strsignal" => "the text of strsignal",
        "setlocale" | "localeconv" => "the locale",
        "tmpnam" => "the name of tmpnam",
        "hcreate" | "hsearch" | "hdestroy" => "the table of hsearch",
        "getpwnam" | "getpwuid" | "getpwent" | "setpwent" | "endpwent" => "the entry of getpwnam",
        "getgrnam" | "getgrgid" | "getgrent" | "setgrent" | "endgrent" => "the entry of getgrnam",
        "gethostbyname" | "gethostbyaddr" | "gethostent" => "the entry of gethostbyname",
        "inet_ntoa" => "the text of inet_ntoa",
        "basename" => "the text of basename",
        "dirname" => "the text of dirname",
        "ttyname" => "the name of ttyname",
        "getlogin" => "the name of getlogin",
        "getopt" => "the state of getopt",
        "lgamma" | "lgammaf" | "lgammal" => "signgam",
        "mblen" | "mbtowc" | "wctomb" => "the state of multibyte conversion",
        "l64a" => "the text of l64a",
        "ecvt" | "fcvt" => "the text of ecvt",
        "getchar_unlocked" | "getc_unlocked" | "putchar_unlocked" | "putc_unlocked" => "a stream without its lock",
        _ => return None,
    })
}
