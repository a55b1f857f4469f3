//! Where the members of a struct or union lie: what gcc does for the System V ABIs of x86-64 and i386.
//!
//! Plain members go to the next multiple of their alignment. A bit-field follows the bits before it, unless it would then
//! touch more units of its type's alignment than its type has; then it starts at the next unit. Only named bit-fields align the record;
//! one of width zero aligns what follows, even in a packed record. Under `#pragma pack`, no member is aligned to more than it says, and
//! bit-fields are packed.

use crate::ast::Symbol;
use crate::types::{BitField, DataModel, Field, IntKind, Layout, Type, TypeId, Types};

/// A member as it was declared.
pub(crate) struct Member {
    pub name: Option<Symbol>,
    pub ty: TypeId,
    /// A bit-field's width, which is at most that of its type.
    pub width: Option<u8>,
    pub packed: bool,
    /// The largest alignment that `#pragma pack` allows.
    pub limit: Option<u64>,
    /// An alignment in bytes that was asked for.
    pub align: Option<u64>,
}

/// The layout of a record; `None` if it is too large for any address space.
pub(crate) fn layout(types: &Types, is_union: bool, members: &[Member], align: Option<u64>) -> Option<Layout> {
    // In bits: the end of what is placed, and the size of the largest member of a union.
    let mut end = 0u128;
    let mut largest = 0u128;
    let mut record_align = 1u64;
    let mut fields = Vec::with_capacity(members.len());
    for member in members {
        let start = if is_union { 0 } else { end };
        let type_align = types.align(member.ty);
        let limited = |align: u64| member.limit.map_or(align, |limit| align.min(limit));
        let (position, width) = match member.width {
            Some(0) => (round_up(start, u128::from(type_align) * 8), 0),
            Some(width) => {
                let width = u128::from(width);
                let unit = u128::from(type_align) * 8;
                let type_bits = u128::from(types.size(member.ty)?) * 8;
                let mut asked = limited(member.align.unwrap_or(0));
                let mut position = round_up(start, u128::from(asked) * 8);
                if let Some(whole) = whole_unit(types, member, start) {
                    // To gcc it is no bit-field then.
                    asked = asked.max(limited(whole));
                    position = round_up(start, u128::from(asked) * 8);
                } else if !member.packed
                    && member.limit.is_none()
                    && (position % unit + width).div_ceil(unit) > type_bits / unit
                {
                    position = round_up(position, unit);
                }
                if member.name.is_some() {
                    // Under the pragma, `packed` says nothing here.
                    let own = if member.packed && member.limit.is_none() { 1 } else { limited(type_align) };
                    record_align = record_align.max(own).max(asked);
                }
                (position, width)
            }
            None => {
                let own = limited(member_align(types, member));
                record_align = record_align.max(own);
                let size = match *types.get(member.ty) {
                    Type::Array(_, None) => 0,
                    _ => types.size(member.ty)?,
                };
                (round_up(start, u128::from(own) * 8), u128::from(size) * 8)
            }
        };
        end = position + width;
        largest = largest.max(end);
        if member.width == Some(0) {
            continue;
        }
        let bits = member.width.map(|width| BitField { shift: (position % 8) as u8, width });
        let offset = u64::try_from(position / 8).ok()?;
        fields.push(Field { name: member.name, ty: member.ty, offset, bits });
    }
    let align = record_align.max(align.unwrap_or(1));
    let bytes = if is_union { largest } else { end }.div_ceil(8);
    let size = u64::try_from(round_up(bytes, align.into())).ok().filter(|size| *size < 1 << 62)?;
    Some(Layout { size, align, fields })
}

/// If a bit-field is as wide as a machine integer and lies where one may lie: that integer's alignment.
fn whole_unit(types: &Types, member: &Member, start: u128) -> Option<u64> {
    let width = member.width?;
    let largest = if types.model == DataModel::Lp64 { 128 } else { 64 };
    if !matches!(width, 8 | 16 | 32 | 64 | 128) || width > largest || matches!(types.get(member.ty), Type::Bool) {
        return None;
    }
    let align = u64::from(width / 8);
    if member.packed && align > 1 || !start.is_multiple_of(u128::from(width)) {
        return None;
    }
    let limited = types.model == DataModel::Ilp32 && member.align.is_none();
    Some(if limited { align.min(4) } else { align })
}

/// The alignment of a member that is no bit-field.
fn member_align(types: &Types, member: &Member) -> u64 {
    match member.align {
        Some(asked) if member.packed => asked,
        None if member.packed => 1,
        Some(asked) if asked >= full_align(types, member.ty) => asked,
        _ => types.align(member.ty),
    }
}

/// The alignment of a variable of the type, which on i386 is larger than a member's for 8-byte scalars.
pub(crate) fn full_align(types: &Types, ty: TypeId) -> u64 {
    if types.model == DataModel::Lp64 || types.variant_of(ty).align != 0 {
        return types.align(ty);
    }
    match *types.get(ty) {
        Type::Array(element, _) | Type::Vla(element, _) | Type::Complex(element) => full_align(types, element),
        Type::Int(IntKind::LongLong | IntKind::ULongLong) => 8,
        Type::Float(crate::types::FloatKind::Double) => 8,
        _ => types.align(ty),
    }
}

/// What `_Alignof` says of a type: vectors that nobody aligned count at most 16 bytes, whatever they get.
pub(crate) fn standard_align(types: &Types, ty: TypeId) -> u64 {
    const MOST: u64 = 16;
    let align = types.align(ty);
    if align <= MOST || types.variant_of(ty).align != 0 {
        return align;
    }
    match *types.get(ty) {
        Type::Vector(..) => MOST,
        Type::Array(element, _) => standard_align(types, element),
        Type::Record(id) => {
            let fields = types.records[id.0 as usize].layout.iter().flat_map(|layout| &layout.fields);
            let (mut own, mut standard) = (1, 1);
            for field in fields {
                own = own.max(types.align(field.ty));
                standard = standard.max(standard_align(types, field.ty));
            }
            if own == align { standard } else { align }
        }
        _ => align,
    }
}

fn round_up(position: u128, to: u128) -> u128 {
    if to <= 1 { position } else { position.div_ceil(to) * to }
}
