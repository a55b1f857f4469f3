//! The type checker: syntax trees of all translation units to one typed tree (C11 and what GNU C adds, as gcc takes it for x86).
//!
//! It is as lenient as gcc is by default: what gcc only warns about is a warning here, with the same meaning. Constructs that cannot be
//! modelled count only where an execution reaches them: in a function, the statement becomes a gap (`gaps`). A global with such an initialiser is reported if
//! `main` can use it: a header may declare what it likes. Bodies that nothing uses are dropped.
//!
//! The parts: `scope` (names), `specs` (types as they are written), `layout` (records), `decl` (objects and functions), `symbols` (pragmas and sections), `link` (what units
//! share), `expr`, `operators`, `convert` (expressions), `elements`, `complex`, `vectors` (numbers made of numbers), `const_eval` (constants), `init` (initialisers), `stmt`,
//! `asm` (inline assembly), `arguments` (verification from another function than `main`), `gaps`, `builtins` and `atomics`
//! (gcc's functions), `library` (prototypes that gcc knows without a header).

mod arguments;
mod asm;
mod atomics;
mod builtins;
mod complex;
mod const_eval;
mod convert;
mod decl;
mod elements;
mod expr;
mod gaps;
mod init;
mod layout;
mod library;
mod link;
mod operators;
mod probes;
mod scope;
mod specs;
mod stmt;
mod symbols;
mod vectors;

pub use arguments::Entry;

use crate::ast::{self, Symbol};
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{
    Expr, ExprKind, FnId, Function, Global, GlobalId, Hir, LabelId, Local, LocalId, StrId, StringLiteral,
};
use crate::interner::Interner;
use crate::probes::Probes;
use crate::source::{Pos, SourceMap};
use crate::types::{DataModel, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;

/// What gcc would warn about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub pos: Pos,
    pub message: String,
}

/// Checks and links translation units.
pub fn check(
    units: &[ast::Unit],
    interner: &mut Interner,
    sources: &SourceMap,
    model: DataModel,
) -> Result<(Hir, Vec<Warning>)> {
    check_as(units, interner, sources, model, None, &mut Probes::none())
}

/// The same for a program that may begin elsewhere than with `main`, and with probes where they are asked for.
pub(crate) fn check_as<'a>(
    units: &[ast::Unit],
    interner: &'a mut Interner,
    sources: &'a SourceMap,
    model: DataModel,
    entry: Option<&Entry>,
    probes: &'a mut Probes,
) -> Result<(Hir, Vec<Warning>)> {
    let mut sema = Sema::new(interner, sources, model, probes);
    for (index, unit) in units.iter().enumerate() {
        sema.unit = index as u32;
        sema.check_unit(unit)?;
    }
    sema.finish(entry)
}

/// A global or function: what another one can refer to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Global(GlobalId),
    Function(FnId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Definition {
    None,
    /// An inline definition: another one replaces it.
    Inline,
    Full,
}

/// What is known of a function beyond its `hir::Function`.
struct FnInfo {
    definition: Definition,
    is_weak: bool,
    /// What the body refers to.
    refs: Vec<Node>,
    /// Why the body cannot be modelled.
    error: Option<Error>,
    /// The types that calls took it to have.
    called_as: Vec<TypeId>,
}

/// What is known of a global beyond its `hir::Global`.
#[derive(Default)]
struct GlobalInfo {
    /// Where it is initialised.
    initialised: Option<Pos>,
    is_weak: bool,
    is_declared_weak: bool,
    refs: Vec<Node>,
    error: Option<Error>,
}

/// The function whose body is being checked.
struct Body {
    id: FnId,
    name: String,
    result: TypeId,
    locals: Vec<Local>,
    labels: Vec<String>,
    label_ids: FxHashMap<Symbol, LabelUse>,
    /// Labels that are used as values.
    addressed: Vec<LabelId>,
    /// Assignments to hidden locals (VLA lengths) that must come before what is being checked.
    pending: Vec<Expr>,
    switches: Vec<stmt::Switch>,
    /// How many loops, and loops and switches, are open.
    loops: u32,
    breakables: u32,
    /// `__func__`.
    own_name: Option<StrId>,
}

struct LabelUse {
    id: LabelId,
    defined: bool,
    pos: Pos,
}

struct Sema<'a> {
    types: Types,
    interner: &'a mut Interner,
    sources: &'a SourceMap,
    warnings: Vec<Warning>,
    globals: Vec<Global>,
    global_info: Vec<GlobalInfo>,
    functions: Vec<Function>,
    fn_info: Vec<FnInfo>,
    strings: Vec<StringLiteral>,
    scopes: Scopes,
    unit: u32,
    /// Names with external linkage, of all units; with internal linkage, of this one.
    external: FxHashMap<Symbol, Node>,
    /// Names of this unit whose symbol has another name: `int x asm("y")`.
    symbols: FxHashMap<Symbol, Symbol>,
    /// Names that this unit declares weak.
    weak: FxHashSet<Symbol>,
    /// Names of this unit that pragmas make another name of a symbol.
    aliases: FxHashMap<Symbol, Symbol>,
    /// What assembly at file scope may define, in all units.
    assembly: FxHashSet<String>,
    internal: FxHashMap<Symbol, Node>,
    /// How often a static local of a name was made.
    static_names: FxHashMap<String, u32>,
    enumerators: Vec<(TypeId, u128)>,
    /// Names of constructs that declared names cannot be used for.
    poisons: Vec<String>,
    /// Something unsupported that counts even if nothing refers to it.
    always: Option<Error>,
    /// With their priorities, in the order of the text.
    constructors: Vec<(u64, FnId)>,
    destructors: Vec<(u64, FnId)>,
    body: Option<Box<Body>>,
    /// What the global or function being checked refers to.
    refs: Vec<Node>,
    /// Inside `sizeof` and the like: nothing is evaluated.
    unevaluated: u32,
    /// Inside a prototype: array lengths are not evaluated.
    prototype: u32,
    /// Inside a constant initialiser.
    static_init: bool,
    probes: &'a mut Probes,
    declarations: FxHashMap<Pos, Option<Pos>>,
    /// The lengths of parameters that are written as arrays, by their places.
    array_params: FxHashMap<Pos, u64>,
    /// Places of labels: what is asked for there is found at the statement behind them.
    carried: Vec<Pos>,
}

impl<'a> Sema<'a> {
    fn new(interner: &'a mut Interner, sources: &'a SourceMap, model: DataModel, probes: &'a mut Probes) -> Self {
        Sema {
            types: Types::new(model),
            interner,
            sources,
            warnings: Vec::new(),
            globals: Vec::new(),
            global_info: Vec::new(),
            functions: Vec::new(),
            fn_info: Vec::new(),
            strings: Vec::new(),
            scopes: Scopes::default(),
            unit: 0,
            external: FxHashMap::default(),
            symbols: FxHashMap::default(),
            weak: FxHashSet::default(),
            aliases: FxHashMap::default(),
            assembly: FxHashSet::default(),
            internal: FxHashMap::default(),
            static_names: FxHashMap::default(),
            enumerators: Vec::new(),
            poisons: Vec::new(),
            always: None,
            constructors: Vec::new(),
            destructors: Vec::new(),
            body: None,
            refs: Vec::new(),
            unevaluated: 0,
            prototype: 0,
            static_init: false,
            probes,
            declarations: FxHashMap::default(),
            array_params: FxHashMap::default(),
            carried: Vec::new(),
        }
    }

    fn check_unit(&mut self, unit: &ast::Unit) -> Result<()> {
        self.scopes.push();
        self.internal.clear();
        self.symbols.clear();
        self.weak.clear();
        self.aliases.clear();
        self.pragmas(&unit.pragmas);
        for item in &unit.items {
            match item {
                ast::Item::Declaration(declaration) => self.file_declaration(declaration)?,
                ast::Item::Function(function) => self.function_definition(function)?,
                ast::Item::StaticAssert(assertion) => self.static_assert(assertion)?,
                ast::Item::Asm(_, text) => self.assembly.extend(asm::defined_names(text)),
            }
        }
        self.scopes.pop();
        Ok(())
    }

    fn finish(mut self, entry: Option<&Entry>) -> Result<(Hir, Vec<Warning>)> {
        if let Some(error) = self.always.take() {
            return Err(error);
        }
        self.complete_globals()?;
        self.give_to_assembly();
        self.adapt_calls();
        let main = match entry {
            Some(entry) => Some(self.with_arguments(entry)?),
            None => self.main(),
        };
        if let Some(main) = main {
            let main = &self.functions[main.index()];
            let result = match self.types.get(main.ty) {
                Type::Function(f) => f.result,
                _ => TypeId::INT,
            };
            if !self.types.is_void(result) && !self.types.is_integer(result) {
                return Err(Error::invalid(main.pos, "`main` does not return an integer"));
            }
        }
        self.drop_unreachable(main)?;
        let Sema {
            types,
            globals,
            functions,
            strings,
            warnings,
            mut constructors,
            mut destructors,
            probes,
            declarations,
            ..
        } = self;
        // Small numbers are outermost; of equals, the first comes first, and goes last.
        constructors.retain(|(_, id)| functions[id.index()].body.is_some());
        destructors.retain(|(_, id)| functions[id.index()].body.is_some());
        constructors.sort_by_key(|(priority, _)| *priority);
        destructors.sort_by_key(|(priority, _)| *priority);
        let constructors = constructors.into_iter().map(|(_, id)| id).collect();
        let destructors = destructors.into_iter().rev().map(|(_, id)| id).collect();
        let probed = !probes.is_empty();
        Ok((
            Hir { types, globals, functions, strings, main, constructors, destructors, declarations, probed },
            warnings,
        ))
    }

    fn main(&mut self) -> Option<FnId> {
        let main = self.interner.intern("main");
        match self.external.get(&main) {
            Some(&Node::Function(id)) if self.functions[id.index()].body.is_some() => Some(id),
            _ => None,
        }
    }

    fn warn(&mut self, pos: Pos, message: impl Into<String>) {
        if self.unevaluated == 0 {
            self.warnings.push(Warning { pos, message: message.into() });
        }
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.interner.name(symbol)
    }

    /// The place as people know it.
    fn place(&self, pos: Pos) -> String {
        let span = self.sources.span(pos);
        let file = self.sources.files.get(span.file.0 as usize).map_or("?", |f| f.as_str());
        format!("{file}:{}", span.line)
    }

    fn poison(&mut self, construct: String) -> u32 {
        self.poisons.push(construct);
        self.poisons.len() as u32 - 1
    }

    /// The body that is being checked; an error outside functions.
    fn body(&mut self, pos: Pos) -> Result<&mut Body> {
        self.body.as_deref_mut().ok_or_else(|| Error::invalid(pos, "this is only allowed inside a function"))
    }

    fn local(&mut self, name: impl Into<String>, ty: TypeId, pos: Pos) -> Result<LocalId> {
        let address_taken = self.lives_in_memory(ty);
        let body = self.body(pos)?;
        let id = LocalId(body.locals.len() as u32);
        body.locals.push(Local { name: name.into(), pos, ty, address_taken, align: None });
        Ok(id)
    }

    fn lives_in_memory(&self, ty: TypeId) -> bool {
        self.types.is_aggregate(ty)
            || matches!(self.types.get(self.types.strip_atomic(ty)), Type::Array(..) | Type::Vla(..))
    }

    fn global(&mut self, name: String, ty: TypeId, pos: Pos) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name,
            pos,
            ty,
            thread_local: false,
            is_const: self.types.quals(ty).is_const(),
            address_taken: self.lives_in_memory(ty),
            init: None,
            defined: false,
            align: None,
            used: true,
        });
        self.global_info.push(GlobalInfo::default());
        id
    }

    /// Notes that what is being checked uses something.
    fn refer(&mut self, node: Node) {
        if self.unevaluated == 0 {
            self.refs.push(node);
        }
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) -> Result<()> {
        self.unevaluated += 1;
        let value = self.value(&assertion.cond);
        self.unevaluated -= 1;
        let value = match value {
            // It says something about a type that is not modelled: of no use here.
            Err(error) if error.kind == ErrorKind::Unsupported => return Ok(()),
            value => value?,
        };
        match self.const_bits(&value) {
            Some(0) => {
                let text = assertion.message.as_deref().map(String::from_utf8_lossy);
                let message =
                    text.map_or("static assertion failed".into(), |t| format!("static assertion failed: {t}"));
                Err(Error::invalid(assertion.pos, message))
            }
            Some(_) => Ok(()),
            None => Err(Error::invalid(assertion.pos, "the expression in a static assertion is not constant")),
        }
    }

    /// A type in the words of C, for messages.
    fn type_name(&self, ty: TypeId) -> String {
        let quals = self.types.variant_of(ty).quals;
        let text = match self.types.get(ty) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(kind) => int_name(*kind).to_string(),
            Type::Float(crate::types::FloatKind::Float) => "float".into(),
            Type::Float(crate::types::FloatKind::Double) => "double".into(),
            Type::Float(crate::types::FloatKind::LongDouble) => "long double".into(),
            Type::Float(crate::types::FloatKind::Float128) => "_Float128".into(),
            Type::Pointer(to) => match self.types.get(*to) {
                Type::Function(f) => return self.function_name(f, "(*)"),
                _ => format!("{} *", self.type_name(*to)),
            },
            Type::Array(element, Some(len)) => format!("{}[{len}]", self.type_name(*element)),
            Type::Array(element, None) => format!("{}[]", self.type_name(*element)),
            Type::Vla(element, _) => format!("{}[*]", self.type_name(*element)),
            Type::Function(f) => return self.function_name(f, ""),
            Type::Record(id) => {
                let record = &self.types.records[id.0 as usize];
                let kind = if record.is_union { "union" } else { "struct" };
                format!("{kind} {}", record.tag.map_or("<anonymous>", |t| self.name(t)))
            }
            Type::Complex(element) => format!("_Complex {}", self.type_name(*element)),
            Type::Vector(element, len) => {
                let bytes = self.types.size(*element).unwrap_or(0) * len;
                format!("{} __attribute__((vector_size({bytes})))", self.type_name(*element))
            }
            Type::Atomic(inner) => format!("_Atomic({})", self.type_name(*inner)),
        };
        if quals.is_const() { format!("const {text}") } else { text }
    }

    fn function_name(&self, f: &crate::types::FnType, middle: &str) -> String {
        let mut params: Vec<String> = f.params.iter().map(|p| self.type_name(*p)).collect();
        if f.variadic {
            params.push("...".into());
        }
        format!("{} {middle}({})", self.type_name(f.result), params.join(", "))
    }
}

/// The name of the object that a compound literal is.
const COMPOUND_LITERAL: &str = "(compound literal)";
/// An automatic one that nobody can change: it may be one object with others, see `raddle_analysis::places`.
const CONST_COMPOUND_LITERAL: &str = "(const compound literal)";

fn int_name(kind: crate::types::IntKind) -> &'static str {
    use crate::types::IntKind::*;
    match kind {
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned int",
        Long => "long",
        ULong => "unsigned long",
        LongLong => "long long",
        ULongLong => "unsigned long long",
        Int128 => "__int128",
        UInt128 => "unsigned __int128",
    }
}

fn expr(ty: TypeId, pos: Pos, kind: ExprKind) -> Expr {
    Expr { ty, pos, kind }
}
