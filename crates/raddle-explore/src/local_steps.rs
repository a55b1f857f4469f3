//! Locations that a thread leaves by local steps only: what it does there nobody else can see or influence, and it neither looks
//! at its pending stores nor adds to them.
//!
//! Such a step commutes with every step of the other threads and with every commit, and nothing but the thread itself can
//! enable or disable it. So it may be taken right after the step before it (the reduction that exploration keeps under weak
//! memory models, where the footprints of `persistent` know nothing of commits): whatever others, or commits, do in between they can
//! do as well afterwards.

use raddle_interp::machine::code::{Code, LabelCode};

/// For each location, by its number among all locations.
pub fn local_locations(code: &Code) -> Vec<bool> {
    let mut local = Vec::new();
    for proc in &code.procs {
        for location in &proc.locs {
            let stays = location.edges.iter().all(|edge| {
                let e = code.edges[*edge as usize];
                // Arriving at the exit may end the lives of objects.
                e.target != proc.exit && code.labels[e.first as usize..e.end as usize].iter().all(is_local)
            });
            local.push(stays && !location.edges.is_empty() && !location.cut_off);
        }
    }
    local
}

fn is_local(label: &LabelCode) -> bool {
    matches!(
        label,
        LabelCode::Assign { .. }
            | LabelCode::Move { .. }
            | LabelCode::Havoc { .. }
            | LabelCode::Assume(_)
            | LabelCode::Await(_)
            | LabelCode::Require { .. }
            | LabelCode::LoadOwn { .. }
            | LabelCode::StoreOwn { .. }
            | LabelCode::SelfHandle { .. }
            | LabelCode::Error(_)
    )
}
