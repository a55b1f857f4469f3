//! Functions and variables that the program declares and nobody defines: whoever compiles the program elsewhere must supply them.

use crate::hir::{Function, Hir};
use crate::library_names;
use crate::source::SourceMap;
use crate::types::Type;
use raddle_ir::{LIBRARY, Sort};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A function and the sort of its result, and whether that is signed; none for no result or a record.
    Function { name: String, result: Option<(Sort, bool)> },
    /// A variable and its size in bytes.
    Variable { name: String, size: u64 },
}

/// What the program's own declarations leave open, without the library's functions.
pub fn undefined(hir: &Hir, sources: &SourceMap) -> Vec<Undefined> {
    let of_library = |name: &str, pos| {
        library_names::is_library(name)
            || sources.is_system_header(pos)
            || sources.physical(pos).is_none_or(|(text, ..)| text.path == LIBRARY)
    };
    let functions = hir.functions.iter().filter(|f| f.body.is_none() && !f.in_assembly && !f.weak);
    let functions = functions.filter(|f| !of_library(&f.name, f.pos)).map(|f| function(hir, f));
    let variables = hir.globals.iter().filter(|g| !g.defined && g.used && !of_library(&g.name, g.pos));
    let variables =
        variables.map(|g| Undefined::Variable { name: g.name.clone(), size: hir.types.size(g.ty).unwrap_or(0) });
    functions.chain(variables).collect()
}

fn function(hir: &Hir, function: &Function) -> Undefined {
    let result = match hir.types.get(function.ty) {
        Type::Function(ty) => ty.result,
        _ => function.ty,
    };
    let sort = hir.types.scalar_sort(result);
    Undefined::Function { name: function.name.clone(), result: sort.map(|sort| (sort, hir.types.is_signed(result))) }
}
