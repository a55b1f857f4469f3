//! Boolean predicate abstraction: a state is a disjunction of cubes, those that `pred_split` makes states of, kept together.

use crate::domains::state::Cube;

/// A state has at most so many cubes.
const MOST_CUBES: usize = 64;

/// The same disjunction with fewer cubes, sorted: none implies another, and no two differ in one sign alone.
pub fn merge(cubes: &mut Vec<Cube>) {
    if cubes.len() <= 1 {
        return;
    }
    loop {
        cubes.sort_unstable();
        cubes.dedup();
        let mut changed = false;
        let mut i = 0;
        while i < cubes.len() {
            let mut j = i + 1;
            while j < cubes.len() {
                if cubes[i].implies(&cubes[j]) {
                    cubes.swap(i, j);
                } else if let Some(common) = without_sign(&cubes[i], &cubes[j]) {
                    cubes[i] = common;
                } else if !cubes[j].implies(&cubes[i]) {
                    j += 1;
                    continue;
                }
                // The other one says no more now.
                cubes.swap_remove(j);
                changed = true;
                j = i + 1;
            }
            i += 1;
        }
        if !changed {
            return;
        }
    }
}

/// What two cubes have in common if they differ in nothing but the sign of one predicate.
fn without_sign(a: &Cube, b: &Cube) -> Option<Cube> {
    if a.0.len() != b.0.len() {
        return None;
    }
    let mut differing = None;
    for (i, (x, y)) in a.0.iter().zip(&b.0).enumerate() {
        if x.0 != y.0 || (x.1 != y.1 && differing.is_some()) {
            return None;
        }
        if x.1 != y.1 {
            differing = Some(i);
        }
    }
    let mut common = a.clone();
    common.0.remove(differing?);
    Some(common)
}

/// Joins cubes, of neighbours what they have in common, until they are not too many.
pub fn limit(cubes: &mut Vec<Cube>) {
    while cubes.len() > MOST_CUBES {
        let joined = |pair: &[Cube]| match pair {
            [a, b] => Cube(a.0.iter().copied().filter(|(id, holds)| b.get(*id) == Some(*holds)).collect()),
            _ => pair[0].clone(),
        };
        *cubes = cubes.chunks(2).map(joined).collect();
        merge(cubes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::precision::PredId;

    fn cubes(text: &str) -> Vec<Cube> {
        let literal = |(i, sign): (usize, char)| match sign {
            '.' => None,
            sign => Some((PredId(i as u32), sign == '1')),
        };
        text.split_whitespace().map(|cube| Cube(cube.chars().enumerate().filter_map(literal).collect())).collect()
    }

    fn merged(text: &str) -> Vec<Cube> {
        let mut result = cubes(text);
        merge(&mut result);
        result
    }

    #[test]
    fn merging() {
        assert_eq!(merged("11 10 01 00"), cubes(".."));
        assert_eq!(merged("10 01"), cubes("01 10"));
        assert_eq!(merged("1. 10 11"), cubes("1."));
        assert_eq!(merged("111 110 0.1 1.0"), cubes("0.1 11. 1.0"));
    }

    #[test]
    fn merging_keeps_what_is_possible() {
        // All disjunctions of full cubes over three predicates.
        for set in 1u32..256 {
            let all: Vec<u32> = (0..8).filter(|cube| set >> cube & 1 == 1).collect();
            let text: Vec<String> = all.iter().map(|cube| format!("{cube:03b}")).collect();
            let merged = merged(&text.join(" "));
            for cube in 0..8u32 {
                let point = &cubes(&format!("{cube:03b}"))[0];
                assert_eq!(merged.iter().any(|m| point.implies(m)), all.contains(&cube), "{set:b} {merged:?}");
            }
        }
    }

    #[test]
    fn joining_says_less() {
        let text: Vec<String> = (0..1024u32).filter(|n| n.count_ones() % 2 == 0).map(|n| format!("{n:010b}")).collect();
        let all = cubes(&text.join(" "));
        let mut some = all.clone();
        limit(&mut some);
        assert!(some.len() <= MOST_CUBES);
        assert!(all.iter().all(|cube| some.iter().any(|other| cube.implies(other))));
    }
}
