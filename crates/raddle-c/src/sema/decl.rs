//! Declarations and definitions of objects and functions.

use super::scope::{Ident, Left};
use super::specs::{Attrs, Params};
use super::{Body, Definition, FnInfo, Node, Sema};
use crate::ast::{self, Derived, ParamList, StorageClass, Symbol, TypeSpec};
use crate::error::{Error, ErrorKind, Result};
use crate::hir::{Expr, FnId, Function, GlobalId, Init, InitEntry, InitValue, LocalId, Stmt, StmtKind};
use crate::source::Pos;
use crate::types::{FnType, Type, TypeId};
use rustc_hash::FxHashMap;

/// A name with what was said about it.
struct Declared<'b> {
    name: Symbol,
    pos: Pos,
    ty: TypeId,
    specs: &'b ast::DeclSpecs,
    attrs: Attrs,
    init: Option<&'b ast::Initializer>,
}

impl Sema<'_> {
    /// A declaration at file scope. What it cannot express spoils only the names that it declares.
    pub(super) fn file_declaration(&mut self, declaration: &ast::Declaration) -> Result<()> {
        let mut nothing = Vec::new();
        let alone = declaration.declarators.is_empty();
        if matches!(declaration.specs.ty, TypeSpec::Auto) {
            return self.auto_declaration(declaration, &mut nothing);
        }
        let base = match self.specs_type(&declaration.specs, alone) {
            Ok(base) => base,
            Err(error) => {
                self.recover(&error)?;
                self.spoil_inside(&declaration.specs, &error);
                for one in &declaration.declarators {
                    self.spoil_object(&declaration.specs, one, &error);
                }
                return Ok(());
            }
        };
        for one in &declaration.declarators {
            if let Err(error) = self.declare_one(&declaration.specs, base, one, &mut nothing) {
                self.recover(&error)?;
                self.spoil_object(&declaration.specs, one, &error);
            }
        }
        Ok(())
    }

    /// What refers to a global by an earlier declaration, or in another unit, is spoilt as well if this would have defined it.
    fn spoil_object(&mut self, specs: &ast::DeclSpecs, one: &ast::InitDeclarator, error: &Error) {
        self.spoil(one.declarator.name, error);
        let Some(name) = one.declarator.name else { return };
        let is_function = matches!(one.declarator.derived.first(), Some(Derived::Function(_)));
        let defines =
            one.init.is_some() || !matches!(specs.storage, Some(StorageClass::Extern | StorageClass::Typedef));
        if is_function || !defines {
            return;
        }
        let is_static = specs.storage == Some(StorageClass::Static);
        match self.linked_as(name, is_static) {
            Some(Node::Global(id)) => self.global_info[id.index()].error = Some(error.clone()),
            Some(Node::Function(_)) => {}
            None => {
                let id = self.global(self.name(name).to_string(), TypeId::INT, one.declarator.pos);
                self.global_info[id.index()].error = Some(error.clone());
                self.link(name, Node::Global(id), is_static);
            }
        }
    }

    /// The same for a function that would have been defined.
    fn spoil_function(&mut self, f: &ast::FunctionDef, error: &Error) {
        self.spoil(f.declarator.name, error);
        let Some(name) = f.declarator.name else { return };
        let is_static = f.specs.storage == Some(StorageClass::Static);
        let id = match self.linked_as(name, is_static) {
            Some(Node::Function(id)) => id,
            Some(Node::Global(_)) => return,
            None => {
                let shape = FnType { result: TypeId::INT, params: Vec::new(), variadic: false, unprototyped: true };
                let ty = self.types.intern(Type::Function(shape));
                self.new_function(name, ty, f.declarator.pos, is_static)
            }
        };
        self.fn_info[id.index()].error = Some(error.clone());
        // It may run though nobody refers to it.
        let runs = |attr: &ast::Attribute| matches!(attr.name.as_str(), "constructor" | "destructor");
        let is_listed = self.constructors.iter().chain(&self.destructors).any(|(_, listed)| *listed == id);
        if is_listed || f.specs.attrs.iter().chain(&f.declarator.attrs).any(runs) {
            self.always.get_or_insert(error.clone());
        }
    }

    /// Goes back to file scope after something unsupported; passes other errors on.
    fn recover(&mut self, error: &Error) -> Result<()> {
        if error.kind == ErrorKind::Invalid {
            return Err(error.clone());
        }
        self.scopes.pop_to(1);
        self.unevaluated = 0;
        self.prototype = 0;
        self.static_init = false;
        self.body = None;
        Ok(())
    }

    pub(super) fn spoil(&mut self, name: Option<Symbol>, error: &Error) {
        if let Some(name) = name {
            let index = self.poison(error.message.clone());
            self.scopes.declare(name, Ident::Poison(index));
        }
    }

    /// A declaration in a block.
    pub(super) fn block_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) -> Result<()> {
        if matches!(declaration.specs.ty, TypeSpec::Auto) {
            return self.auto_declaration(declaration, out);
        }
        let base = self.specs_type(&declaration.specs, declaration.declarators.is_empty())?;
        self.flush_pending(out);
        declaration.declarators.iter().try_for_each(|one| self.declare_one(&declaration.specs, base, one, out))
    }

    /// Lengths of variable arrays that were met are computed here.
    pub(super) fn flush_pending(&mut self, out: &mut Vec<Stmt>) {
        if let Some(body) = &mut self.body {
            out.extend(body.pending.drain(..).map(|e| Stmt { pos: e.pos, kind: StmtKind::Expr(e) }));
        }
    }

    fn auto_declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) -> Result<()> {
        for one in &declaration.declarators {
            let Some(ast::Initializer::Expr(value)) = &one.init else {
                return Err(Error::invalid(declaration.pos, "`__auto_type` needs an initialiser"));
            };
            let value = self.value(value)?;
            let ty = value.ty;
            let quals = declaration.specs.quals;
            let ty = if quals.is_const { self.types.qualified(ty, crate::types::QualSet::CONST) } else { ty };
            if self.body.is_none() || declaration.specs.storage.is_some() {
                self.declare_one(&declaration.specs, ty, one, out)?;
                continue;
            }
            // The value was checked before the name is in scope, and is checked once.
            let pos = one.declarator.pos;
            let Some(name) = one.declarator.name else { continue };
            self.check_fresh(name, pos)?;
            let text = self.name(name).to_string();
            let id = self.local(text, ty, pos)?;
            self.scopes.declare(name, Ident::Local(id));
            let ty = self.types.value_type(ty);
            let entry = InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value) };
            let init = Init { entries: vec![entry], zero_rest: false };
            out.push(Stmt { pos, kind: StmtKind::Local(id, Some(init)) });
        }
        Ok(())
    }

    fn declare_one(
        &mut self,
        specs: &ast::DeclSpecs,
        base: TypeId,
        one: &ast::InitDeclarator,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let pos = one.declarator.pos;
        let Some(name) = one.declarator.name else { return Err(Error::invalid(pos, "a declaration without a name")) };
        let ty = self.declarator(base, &one.declarator)?;
        let mut attrs = self.attributes(specs.attrs.iter().chain(&one.declarator.attrs))?;
        if attrs.alias.is_none() && self.scopes.is_file_scope() {
            attrs.alias = self.aliases.get(&name).map(|target| self.name(*target).to_string());
        }
        let ty = self.apply_mode(ty, &attrs, pos)?;
        self.flush_pending(out);
        if specs.storage != Some(StorageClass::Typedef) {
            self.note_symbol(&one.declarator, specs.storage == Some(StorageClass::Static));
        }
        let declared = Declared { name, pos, ty, specs, attrs, init: one.init.as_ref() };
        if specs.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(declared);
        }
        if let Some(target) = declared.attrs.alias.clone() {
            return self.declare_alias(declared, &target);
        }
        if matches!(self.types.get(ty), Type::Function(_)) {
            if let Some(what) = declared.attrs.unsupported {
                self.always.get_or_insert(Error::unsupported(pos, what));
            }
            // A header may mean X/Open's variant of a function, which has another type: `strerror_r`. Other labels only choose a version.
            let label = one.declarator.asm_label.as_deref().and_then(|label| std::str::from_utf8(label).ok());
            if let Some(variant) = label.map(|l| l.trim_end_matches('\0')).filter(|l| l.starts_with("__xpg_")) {
                let variant = self.interner.intern(variant);
                let (id, _) = self.external_function(variant, ty, pos);
                self.scopes.declare(name, Ident::Function(id, ty));
                return Ok(());
            }
            return self.declare_function(&declared).map(|_| ());
        }
        if self.scopes.is_file_scope() || specs.storage == Some(StorageClass::Extern) {
            return self.declare_global(declared);
        }
        if let Some(what) = declared.attrs.unsupported {
            return Err(Error::unsupported(pos, what));
        }
        if specs.storage == Some(StorageClass::Static) {
            return self.declare_static_local(declared);
        }
        self.declare_local(declared, out)
    }

    fn declare_typedef(&mut self, declared: Declared) -> Result<()> {
        let ty = self.with_align(declared.ty, declared.attrs.align);
        if declared.attrs.transparent_union
            && let Type::Record(id) = *self.types.get(ty)
        {
            self.types.records[id.0 as usize].transparent = true;
        }
        if let Type::Record(id) = *self.types.get(ty) {
            let record = &mut self.types.records[id.0 as usize];
            record.typedef = record.typedef.or(record.tag.is_none().then_some(declared.name));
        }
        match self.scopes.own_ident(declared.name) {
            None | Some(Ident::Typedef(_) | Ident::Poison(_)) => {}
            Some(_) => return Err(self.redeclared(declared.name, declared.pos)),
        }
        self.scopes.declare(declared.name, Ident::Typedef(ty));
        Ok(())
    }

    fn redeclared(&self, name: Symbol, pos: Pos) -> Error {
        Error::invalid(pos, format!("`{}` is declared a second time as something else", self.name(name)))
    }

    fn declare_alias(&mut self, declared: Declared, target: &str) -> Result<()> {
        let symbol = self.interner.intern(target);
        let ident = match self.linked(symbol) {
            Some(Node::Function(id)) => Ident::Function(id, declared.ty),
            Some(Node::Global(id)) => Ident::Global(id, declared.ty),
            None => Ident::Poison(self.poison("alias of a later symbol".into())),
        };
        let node = match ident {
            Ident::Function(id, _) => Some(Node::Function(id)),
            Ident::Global(id, _) => Some(Node::Global(id)),
            _ => None,
        };
        match (self.external.get(&declared.name).copied(), node) {
            (None, Some(node)) => {
                self.external.insert(declared.name, node);
            }
            (Some(before), Some(node)) if before != node => {
                let is_defined = match before {
                    Node::Function(id) => self.fn_info[id.index()].definition != Definition::None,
                    Node::Global(id) => self.globals[id.index()].defined,
                };
                if is_defined && declared.attrs.weak {
                    return Ok(());
                }
                // What was checked so far takes them for two.
                let what = "an alias of which something was declared before";
                self.always.get_or_insert(Error::unsupported(declared.pos, what));
            }
            _ => {}
        }
        self.scopes.declare(declared.name, ident);
        Ok(())
    }

    /// What a name with linkage refers to in this unit.
    pub(super) fn linked(&self, name: Symbol) -> Option<Node> {
        self.internal.get(&name).or_else(|| self.external.get(&self.symbol(name))).copied()
    }

    fn link(&mut self, name: Symbol, node: Node, internal: bool) {
        if internal {
            self.internal.insert(name, node);
        } else {
            self.external.insert(self.symbol(name), node);
        }
    }

    /// The name that linking goes by.
    fn symbol(&self, name: Symbol) -> Symbol {
        self.symbols.get(&name).copied().unwrap_or(name)
    }

    /// `asm("y")` behind a declarator: linking goes by this name. Headers of the library choose among versions of a function in this way, which are one here.
    fn note_symbol(&mut self, declarator: &ast::Declarator, is_static: bool) {
        if let (Some(name), Some(label)) = (declarator.name, &declarator.asm_label)
            && !is_static
            && !label.starts_with(b"__")
            && !self.sources.is_system_header(declarator.pos)
        {
            let symbol = self.interner.intern(label);
            self.symbols.insert(name, symbol);
        }
    }

    /// The node of a name with linkage, if it was declared before with the same linkage.
    fn linked_as(&self, name: Symbol, is_static: bool) -> Option<Node> {
        match self.internal.get(&name) {
            Some(node) => Some(*node),
            None if is_static => None,
            None => self.external.get(&self.symbol(name)).copied(),
        }
    }

    // ---- functions ----

    fn declare_function(&mut self, declared: &Declared) -> Result<FnId> {
        let Declared { name, pos, ty, specs, .. } = *declared;
        let is_static = specs.storage == Some(StorageClass::Static);
        match self.scopes.own_ident(name) {
            None | Some(Ident::Function(..) | Ident::Poison(_)) => {}
            Some(_) => return Err(self.redeclared(name, pos)),
        }
        let id = match self.linked_as(name, is_static) {
            Some(Node::Function(id)) => id,
            Some(Node::Global(_)) => return Err(self.redeclared(name, pos)),
            None => self.new_function(name, ty, pos, is_static),
        };
        let visible = match self.scopes.ident(name) {
            Some(Ident::Function(known, ty)) if known == id => Some(ty),
            _ => None,
        };
        let merged = match visible {
            Some(before) => self.merge_functions(before, ty, pos),
            None => ty,
        };
        if self.fn_info[id.index()].definition == Definition::None {
            let before = self.functions[id.index()].ty;
            self.functions[id.index()].ty = self.more_complete(before, merged);
        }
        if declared.attrs.weak || self.weak.contains(&name) {
            self.weak.insert(name);
            self.functions[id.index()].weak = true;
        }
        self.note_around_main(id, declared.attrs.constructor, declared.attrs.destructor, pos);
        if declared.attrs.noreturn || specs.noreturn {
            self.functions[id.index()].noreturn = true;
        }
        self.scopes.declare(name, Ident::Function(id, merged));
        Ok(id)
    }

    pub(super) fn new_function(&mut self, name: Symbol, ty: TypeId, pos: Pos, internal: bool) -> FnId {
        let id = FnId(self.functions.len() as u32);
        self.functions.push(Function {
            name: self.name(self.symbol(name)).to_string(),
            pos,
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            body: None,
            end: pos,
            labels: Vec::new(),
            addressed_labels: Vec::new(),
            noreturn: false,
            weak: false,
            in_assembly: false,
        });
        self.fn_info.push(FnInfo {
            definition: Definition::None,
            is_weak: false,
            refs: Vec::new(),
            error: None,
            called_as: Vec::new(),
        });
        self.link(name, Node::Function(id), internal);
        id
    }

    /// The function of a name with external linkage, declared with a type if it is new.
    pub(super) fn external_function(&mut self, name: Symbol, ty: TypeId, pos: Pos) -> (FnId, TypeId) {
        let id = match self.linked(name) {
            Some(Node::Function(id)) => id,
            _ => self.new_function(name, ty, pos, false),
        };
        (id, self.functions[id.index()].ty)
    }

    /// A call of a function that was not declared declares it.
    pub(super) fn implicit_function(&mut self, name: Symbol, pos: Pos) {
        let message = format!("the function `{}` is not declared", self.name(name));
        self.warn(pos, message);
        let f = FnType { result: TypeId::INT, params: Vec::new(), variadic: false, unprototyped: true };
        let ty = self.types.intern(Type::Function(f));
        let (id, ty) = self.external_function(name, ty, pos);
        self.scopes.declare(name, Ident::Function(id, ty));
    }

    fn function_shape(&self, ty: TypeId) -> Option<&FnType> {
        match self.types.get(ty) {
            Type::Function(f) => Some(f),
            _ => None,
        }
    }

    fn more_complete(&self, before: TypeId, now: TypeId) -> TypeId {
        match (self.function_shape(before), self.function_shape(now)) {
            (Some(a), Some(b)) if a.unprototyped && (!b.unprototyped || a.params.is_empty()) => now,
            _ => before,
        }
    }

    fn merge_functions(&mut self, before: TypeId, now: TypeId, pos: Pos) -> TypeId {
        if before == now {
            return before;
        }
        if !self.types.compatible(before, now, false) {
            let (a, b) = (self.type_name(before), self.type_name(now));
            self.warn(pos, format!("conflicting types: `{b}` after `{a}`"));
        }
        self.more_complete(before, now)
    }

    pub(super) fn function_definition(&mut self, f: &ast::FunctionDef) -> Result<()> {
        match self.define_function(f) {
            Err(error) if error.kind == ErrorKind::Unsupported => {
                self.recover(&error)?;
                self.spoil_inside(&f.specs, &error);
                self.spoil_function(f, &error);
                Ok(())
            }
            result => result,
        }
    }

    fn define_function(&mut self, f: &ast::FunctionDef) -> Result<()> {
        let pos = f.declarator.pos;
        let (Some(name), Some((Derived::Function(list), outer))) =
            (f.declarator.name, f.declarator.derived.split_first())
        else {
            return Err(Error::invalid(f.pos, "a function definition without parameters"));
        };
        let base = self.specs_type(&f.specs, false)?;
        let result = self.derive(base, outer)?;
        let result = self.with_mode(result, &f.specs.attrs, &f.declarator.attrs, pos)?;
        if matches!(self.types.get(result), Type::Array(..) | Type::Vla(..) | Type::Function(_)) {
            return Err(Error::invalid(pos, "a function cannot return an array or function"));
        }
        self.scopes.push();
        let params = match list {
            ParamList::Prototype { .. } => self.params_in_scope(list),
            ParamList::Identifiers(names) => self.old_style_params(names, &f.kr_declarations),
        };
        let left = self.scopes.pop();
        let params = params?;
        let mut ty = self.function_type(result, list, params.types.clone());
        if let (Some(Ident::Function(_, before)), ParamList::Identifiers(_)) = (self.scopes.ident(name), list) {
            // A prototype before an old-style definition stays in force.
            if self.function_shape(before).is_some_and(|b| !b.unprototyped && b.params.len() == params.types.len()) {
                let shape = FnType { result, params: params.types.clone(), variadic: false, unprototyped: false };
                ty = self.types.intern(Type::Function(shape));
            }
        }
        let attrs = self.attributes(f.specs.attrs.iter().chain(&f.declarator.attrs))?;
        let unsupported = attrs.unsupported;
        self.note_symbol(&f.declarator, f.specs.storage == Some(StorageClass::Static));
        let id = self.declare_function(&Declared { name, pos, ty, specs: &f.specs, attrs, init: None })?;
        if let Some(what) = unsupported {
            self.always.get_or_insert(Error::unsupported(pos, what));
        }
        let is_weak = self.weak.contains(&name);
        let is_inline = f.specs.inline && f.specs.storage != Some(StorageClass::Static);
        let definition = if is_inline { Definition::Inline } else { Definition::Full };
        match (self.fn_info[id.index()].definition, definition) {
            (Definition::Full | Definition::Inline, Definition::Inline) => return Ok(()),
            // Of several, the first that is not weak counts.
            (Definition::Full, Definition::Full) if is_weak => return Ok(()),
            (Definition::Full, Definition::Full) if self.fn_info[id.index()].is_weak => {}
            (Definition::Full, Definition::Full) => {
                let other = self.place(self.functions[id.index()].pos);
                let name = self.name(name);
                return Err(Error::invalid(pos, format!("`{name}` is defined a second time; the first is at {other}")));
            }
            _ => {}
        }
        self.fn_info[id.index()].definition = definition;
        self.fn_info[id.index()].is_weak = is_weak;
        let function = &mut self.functions[id.index()];
        (function.ty, function.pos, function.end) = (ty, pos, f.end);
        self.scopes.declare(name, Ident::Function(id, ty));
        self.check_body(f, id, result, list, params, left)
    }

    /// A function may run before or after `main` without being called.
    pub(super) fn note_around_main(&mut self, id: FnId, constructor: Option<u64>, destructor: Option<u64>, pos: Pos) {
        let has_params = self.function_shape(self.functions[id.index()].ty).is_some_and(|f| !f.params.is_empty());
        if has_params && (constructor.is_some() || destructor.is_some()) {
            self.always.get_or_insert(Error::unsupported(pos, "a constructor with parameters"));
        }
        for (priority, all) in [(constructor, &mut self.constructors), (destructor, &mut self.destructors)] {
            if let Some(priority) = priority
                && all.iter().all(|(_, listed)| *listed != id)
            {
                all.push((priority, id));
            }
        }
    }

    fn check_body(
        &mut self,
        f: &ast::FunctionDef,
        id: FnId,
        result: TypeId,
        list: &ParamList,
        params: Params,
        left: Left,
    ) -> Result<()> {
        let (depth, pos) = (self.scopes.depth(), self.functions[id.index()].pos);
        self.body = Some(Box::new(Body {
            id,
            name: self.functions[id.index()].name.clone(),
            result: self.types.value_type(result),
            locals: Vec::new(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            addressed: Vec::new(),
            pending: Vec::new(),
            switches: Vec::new(),
            loops: 0,
            breakables: 0,
            own_name: None,
        }));
        self.refs.clear();
        self.scopes.push();
        left.tags.into_iter().for_each(|(symbol, tag)| self.scopes.declare_tag(symbol, tag));
        left.enumerators.into_iter().for_each(|(symbol, meaning)| self.scopes.declare(symbol, meaning));
        let checked = self.check_body_in_scope(f, list, &params);
        let refs = std::mem::take(&mut self.refs);
        self.fn_info[id.index()].refs = refs;
        let stmts = match checked {
            Ok(stmts) => {
                self.scopes.pop_to(depth);
                stmts
            }
            Err(error) => {
                let body = self.body.take().filter(|body| body.locals.len() >= params.types.len());
                self.recover(&error)?;
                self.body = body;
                if self.body.is_none() {
                    self.fn_info[id.index()].error = Some(error.clone());
                }
                // Whoever calls it goes no further.
                vec![super::gaps::gap(error, pos)]
            }
        };
        let function = &mut self.functions[id.index()];
        function.body = Some(stmts);
        if let Some(body) = self.body.take() {
            function.locals = body.locals;
            function.labels = body.labels;
            function.addressed_labels = body.addressed;
            function.params = (0..params.types.len() as u32).map(LocalId).collect();
        }
        Ok(())
    }

    fn check_body_in_scope(&mut self, f: &ast::FunctionDef, list: &ParamList, params: &Params) -> Result<Vec<Stmt>> {
        // All parameters first: they are the first locals, and lengths may mention any of them.
        let names: Vec<(Option<Symbol>, Pos)> = match list {
            ParamList::Prototype { params, .. } => params.iter().map(|p| (p.declarator.name, p.pos)).collect(),
            ParamList::Identifiers(names) => names.iter().map(|(name, pos)| (Some(*name), *pos)).collect(),
        };
        for ((name, pos), ty) in names.into_iter().zip(&params.types) {
            if !self.types.is_complete(*ty) && !matches!(self.types.get(*ty), Type::Pointer(_)) {
                return Err(Error::invalid(pos, "a parameter has an incomplete type"));
            }
            let text = name.map_or(String::new(), |n| self.name(n).to_string());
            let id = self.local(text, *ty, pos)?;
            if let Some(name) = name {
                if self.scopes.own_ident(name).is_some() {
                    return Err(self.redeclared(name, pos));
                }
                self.scopes.declare(name, Ident::Local(id));
            }
        }
        let mut stmts = Vec::new();
        if let ParamList::Prototype { params: list, .. } = list {
            for (index, (param, base)) in list.iter().zip(&params.bases).enumerate() {
                self.outermost_length(param.pos, *base, &param.declarator)?;
                if has_length(&param.declarator) {
                    let ty = self.param_type(*base, &param.declarator)?;
                    let ty = self.types.plain(ty);
                    self.body(param.pos)?.locals[index].ty = ty;
                }
            }
            self.flush_pending(&mut stmts);
        }
        // The outermost block is the parameters' scope.
        self.block_items(&f.body.items, &mut stmts)?;
        self.check_labels()?;
        if self.body.as_ref().is_some_and(|b| b.name == "main" && b.result == TypeId::INT) {
            let zero = self.int(TypeId::INT, 0, f.end);
            stmts.push(Stmt { pos: f.end, kind: StmtKind::Return(Some(zero)) });
        }
        Ok(stmts)
    }

    /// The length of an array that is a parameter says nothing of its type, but it is evaluated.
    fn outermost_length(&mut self, param: Pos, base: TypeId, declarator: &ast::Declarator) -> Result<()> {
        if let (Type::Array(_, Some(length)), []) = (self.types.get(base), &declarator.derived[..]) {
            self.array_params.insert(param, *length);
        }
        if let Some(Derived::Array { pos, len: ast::ArrayLen::Expr(len), .. }) = declarator.derived.first() {
            let length = self.value(len)?;
            if let Some(Ok(length)) = self.const_bits(&length).map(u64::try_from) {
                self.array_params.insert(param, length);
            }
            if !super::asm::is_simple(len) {
                self.body(*pos)?.pending.push(length);
            }
        }
        Ok(())
    }

    /// The types of old-style parameters: those that are not declared are ints.
    fn old_style_params(&mut self, names: &[(Symbol, Pos)], declarations: &[ast::Declaration]) -> Result<Params> {
        let mut types: FxHashMap<Symbol, TypeId> = FxHashMap::default();
        self.prototype += 1;
        let checked = declarations.iter().try_for_each(|declaration| {
            let base = self.specs_type(&declaration.specs, declaration.declarators.is_empty())?;
            for one in &declaration.declarators {
                let ty = self.param_type(base, &one.declarator)?;
                if let Some(name) = one.declarator.name {
                    types.insert(name, self.types.plain(ty));
                }
            }
            Ok(())
        });
        self.prototype -= 1;
        checked?;
        let types = names.iter().map(|(name, _)| types.get(name).copied().unwrap_or(TypeId::INT)).collect();
        Ok(Params { types, bases: Vec::new() })
    }

    // ---- objects ----

    fn declare_global(&mut self, declared: Declared) -> Result<()> {
        let Declared { name, pos, ty, specs, init, .. } = declared;
        if self.types.is_void(ty) && specs.storage != Some(StorageClass::Extern) {
            return Err(Error::invalid(pos, format!("`{}` is declared void", self.name(name))));
        }
        match self.scopes.own_ident(name) {
            None | Some(Ident::Global(..) | Ident::Poison(_)) => {}
            Some(_) => return Err(self.redeclared(name, pos)),
        }
        let is_static = specs.storage == Some(StorageClass::Static);
        let id = match self.linked_as(name, is_static) {
            Some(Node::Global(id)) => id,
            Some(Node::Function(_)) => return Err(self.redeclared(name, pos)),
            None => {
                let id = self.global(self.name(name).to_string(), ty, pos);
                self.link(name, Node::Global(id), is_static);
                id
            }
        };
        let visible = match self.scopes.ident(name) {
            Some(Ident::Global(known, ty)) if known == id => Some(ty),
            _ => None,
        };
        let ty = match visible {
            Some(before) => self.merge_objects(before, ty, pos)?,
            None => ty,
        };
        self.scopes.declare(name, Ident::Global(id, ty));
        if declared.attrs.weak || self.weak.contains(&name) {
            self.weak.insert(name);
            self.global_info[id.index()].is_declared_weak = true;
        }
        let align = self.asked_align(specs, &declared.attrs)?;
        let defines = init.is_some() || specs.storage != Some(StorageClass::Extern);
        let before = self.globals[id.index()].ty;
        // Another unit may see it differently (then it is bytes in memory).
        let differs = self.types.scalar_sort(before) != self.types.scalar_sort(ty);
        let better = defines && !self.globals[id.index()].defined || !self.types.is_complete(before);
        let global = &mut self.globals[id.index()];
        global.thread_local |= specs.thread_local;
        global.address_taken |= differs;
        global.align = global.align.max(align);
        if defines && !global.defined {
            global.pos = pos;
        }
        global.defined |= defines;
        if better {
            self.set_global_type(id, ty);
        }
        if let Some(init) = init {
            let is_weak = declared.attrs.weak || self.weak.contains(&name);
            let info = &mut self.global_info[id.index()];
            match info.initialised {
                Some(_) if is_weak => return Ok(()),
                Some(_) if info.is_weak => info.initialised = None,
                _ => {}
            }
            info.is_weak = is_weak;
            if let Some(other) = self.global_info[id.index()].initialised {
                let (name, other) = (self.name(name).to_string(), self.place(other));
                return Err(Error::invalid(pos, format!("`{name}` is defined a second time; the first is at {other}")));
            }
            self.global_info[id.index()].initialised = Some(pos);
            self.globals[id.index()].pos = pos;
            let ty = self.init_global(id, ty, init)?;
            self.scopes.declare(name, Ident::Global(id, ty));
            if let Some(section) = &declared.attrs.section {
                self.run_around_main(id, section, pos);
            }
        }
        Ok(())
    }

    fn set_global_type(&mut self, id: GlobalId, ty: TypeId) {
        let (is_const, in_memory) = (self.types.quals(ty).is_const(), self.lives_in_memory(ty));
        let global = &mut self.globals[id.index()];
        global.ty = ty;
        global.is_const = is_const;
        global.address_taken |= in_memory;
    }

    fn merge_objects(&mut self, before: TypeId, now: TypeId, pos: Pos) -> Result<TypeId> {
        if before == now {
            return Ok(before);
        }
        if !self.types.compatible(before, now, false) {
            let message = format!("conflicting types: `{}` after `{}`", self.type_name(now), self.type_name(before));
            let sort = |ty| self.types.scalar_sort(ty);
            // What was accessed in one way cannot be accessed in the other.
            if sort(before).is_none() || sort(before) != sort(now) {
                return Err(Error::invalid(pos, message));
            }
            self.warn(pos, message);
            return Ok(now);
        }
        Ok(if self.types.is_complete(now) { now } else { before })
    }

    /// Checks a static object's initialiser, and returns the type that names of it have.
    fn init_global(&mut self, id: GlobalId, ty: TypeId, init: &ast::Initializer) -> Result<TypeId> {
        let outer = std::mem::take(&mut self.refs);
        let was = std::mem::replace(&mut self.static_init, true);
        let checked = self.initializer(ty, init, true);
        self.static_init = was;
        let refs = std::mem::replace(&mut self.refs, outer);
        self.global_info[id.index()].refs = refs;
        match checked {
            Ok((init, full)) => {
                let flexible = self.grown(full, &init);
                self.set_global_type(id, flexible);
                self.globals[id.index()].init = Some(init);
                Ok(full)
            }
            Err(error) if error.kind == ErrorKind::Unsupported => {
                self.global_info[id.index()].error = Some(error);
                Ok(ty)
            }
            Err(error) => Err(error),
        }
    }

    fn declare_static_local(&mut self, declared: Declared) -> Result<()> {
        let Declared { name, pos, ty, specs, init, .. } = declared;
        let owner = self.body(pos)?.name.clone();
        let text = format!("{owner}::{}", self.name(name));
        let count = self.static_names.entry(text.clone()).or_insert(0);
        *count += 1;
        let text = if *count > 1 { format!("{text}#{count}") } else { text };
        self.check_fresh(name, pos)?;
        let align = self.asked_align(specs, &declared.attrs)?;
        let id = self.global(text, ty, pos);
        let global = &mut self.globals[id.index()];
        global.defined = true;
        global.thread_local = specs.thread_local;
        global.align = align;
        self.scopes.declare(name, Ident::Global(id, ty));
        if let Some(init) = init {
            self.global_info[id.index()].initialised = Some(pos);
            let ty = self.init_global(id, ty, init)?;
            self.scopes.declare(name, Ident::Global(id, ty));
        }
        Ok(())
    }

    fn check_fresh(&self, name: Symbol, pos: Pos) -> Result<()> {
        match self.scopes.own_ident(name) {
            None => Ok(()),
            Some(_) => Err(Error::invalid(pos, format!("`{}` is declared a second time", self.name(name)))),
        }
    }

    fn declare_local(&mut self, declared: Declared, out: &mut Vec<Stmt>) -> Result<()> {
        let Declared { name, pos, ty, specs, init, .. } = declared;
        self.check_fresh(name, pos)?;
        let text = self.name(name).to_string();
        let id = self.local(text, ty, pos)?;
        let align = self.asked_align(specs, &declared.attrs)?;
        self.body(pos)?.locals[id.index()].align = align;
        self.scopes.declare(name, Ident::Local(id));
        let init = match init {
            Some(init) => {
                let (init, ty) = self.initializer(ty, init, false)?;
                self.body(pos)?.locals[id.index()].ty = ty;
                // A compound literal of variable type may have brought lengths.
                self.flush_pending(out);
                Some(init)
            }
            None => None,
        };
        let ty = self.local_type(id);
        if !self.types.is_complete(ty) {
            let (name, ty) = (self.name(name), self.type_name(ty));
            return Err(Error::invalid(pos, format!("`{name}` is of the incomplete type `{ty}`")));
        }
        out.push(Stmt { pos, kind: StmtKind::Local(id, init) });
        if let Some(function) = declared.attrs.cleanup {
            let call = self.cleanup(function, name, pos)?;
            out.push(Stmt { pos, kind: StmtKind::Cleanup(call) });
        }
        Ok(())
    }

    /// The call that the attribute `cleanup` asks for when a variable's scope is left.
    fn cleanup(&mut self, function: Symbol, variable: Symbol, pos: Pos) -> Result<Expr> {
        let name = |symbol| Box::new(ast::Expr { pos, kind: ast::ExprKind::Name(symbol) });
        let address = ast::Expr { pos, kind: ast::ExprKind::Unary(ast::UnaryOp::AddrOf, name(variable)) };
        self.value(&ast::Expr { pos, kind: ast::ExprKind::Call { callee: name(function), args: vec![address] } })
    }
}

/// Has a declarator an array length that may have to be computed (other than the outermost, which a parameter loses)?
fn has_length(declarator: &ast::Declarator) -> bool {
    let is_array = |d: &Derived| matches!(d, Derived::Array { len: ast::ArrayLen::Expr(_), .. });
    declarator.derived.iter().skip(1).any(is_array)
}
