//! A layered drawing of a control-flow automaton, after Sugiyama, Tagawa and Toda (1981).
//!
//! Loops are cut at the back edges of a depth-first search. A location's layer is the longest path to it. An edge passes the layers between its ends through points of its own; its label is
//! one of them, on a layer between locations, so that labels take room as locations do. A few sweeps put points near their neighbours (barycentres), first in order, then in coordinates:
//! the least squares under which neighbours in a layer keep their distance.

use crate::{Automaton, AutomatonEdge};
use serde::Serialize;

/// Larger automata are not drawn: nobody reads them, and layers of so many points take long.
pub const MOST_LOCATIONS: usize = 400;

const SWEEPS: usize = 24;
/// Of the sweeps for coordinates so many look in one direction only: a shift gets from one end to the other at once.
const ONE_WAY: usize = 16;
/// Half the width of a location.
const LOCATION: f64 = 13.0;
/// Half the width of a point where an edge passes.
const PASSING: f64 = 4.0;
const CHARACTER: f64 = 6.7;
const LONGEST_LABEL: usize = 34;
/// How much more two points of one edge pull at each other.
const STRAIGHT: f64 = 12.0;
const GAP: f64 = 12.0;
/// From a layer of locations to the layer of labels below.
const HALF_LAYER: f64 = 30.0;

#[derive(Serialize, PartialEq, Debug)]
pub struct Drawing {
    pub width: i64,
    pub height: i64,
    pub entry: usize,
    pub exit: usize,
    /// The centre of each location.
    pub locations: Vec<(i64, i64)>,
    pub edges: Vec<Line>,
}

#[derive(Serialize, PartialEq, Debug)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    /// From one end to the other; a loop at a location has none.
    pub points: Vec<(i64, i64)>,
    /// The centre of the label.
    pub label: (i64, i64),
    pub text: String,
    pub line: u32,
}

pub fn draw(automaton: &Automaton) -> Drawing {
    let mut layout = Layout::of(automaton);
    layout.order();
    layout.place();
    layout.drawing(automaton)
}

/// A graph whose edges go from one layer to the next.
struct Layout {
    locations: usize,
    /// The points of each layer, from left to right. Locations come first in the numbers of points.
    layers: Vec<Vec<usize>>,
    layer: Vec<usize>,
    half_width: Vec<f64>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    x: Vec<f64>,
    /// For each edge the points that it passes, from its start to its end, and the one with its label. None: a loop at a location.
    passes: Vec<Option<(Vec<usize>, usize)>>,
}

impl Layout {
    fn of(automaton: &Automaton) -> Layout {
        let back = back_edges(automaton);
        let layer: Vec<usize> = layers(automaton, &back).iter().map(|layer| 2 * layer).collect();
        let mut layout = Layout {
            locations: automaton.locations,
            layers: vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)],
            half_width: vec![LOCATION; layer.len()],
            above: vec![Vec::new(); layer.len()],
            below: vec![Vec::new(); layer.len()],
            x: Vec::new(),
            passes: Vec::new(),
            layer,
        };
        for location in 0..automaton.locations {
            layout.layers[layout.layer[location]].push(location);
        }
        for (edge, back) in automaton.edges.iter().zip(back) {
            let passes = (edge.from != edge.to).then(|| layout.pass(edge, back));
            layout.passes.push(passes);
        }
        layout
    }

    /// Makes the points of an edge; the label is next to its start.
    fn pass(&mut self, edge: &AutomatonEdge, back: bool) -> (Vec<usize>, usize) {
        let [top, bottom] = if back { [edge.to, edge.from] } else { [edge.from, edge.to] };
        let label_layer = if back { self.layer[bottom] - 1 } else { self.layer[top] + 1 };
        let mut points = vec![top];
        let mut label = top;
        for layer in self.layer[top] + 1..self.layer[bottom] {
            let point = self.layer.len();
            self.layer.push(layer);
            self.layers[layer].push(point);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            let width =
                if layer == label_layer { shortened(&edge.text).chars().count() as f64 * CHARACTER } else { 0.0 };
            self.half_width.push(PASSING + width / 2.0);
            label = if layer == label_layer { point } else { label };
            points.push(point);
        }
        points.push(bottom);
        for pair in points.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        if back {
            points.reverse();
        }
        (points, label)
    }

    /// Orders each layer by the barycentres of the neighbours, downwards and upwards in turn.
    fn order(&mut self) {
        let mut position = vec![0.0; self.layer.len()];
        let index = |layer: &[usize], position: &mut [f64]| {
            layer.iter().enumerate().for_each(|(at, point)| position[*point] = at as f64);
        };
        self.layers.iter().for_each(|layer| index(layer, &mut position));
        for sweep in 0..SWEEPS {
            let down = sweep.is_multiple_of(2);
            let neighbours = if down { &self.above } else { &self.below };
            let mut visit = |layer: &mut Vec<usize>| {
                let centre = |point: &usize| mean(&neighbours[*point], &position).unwrap_or(position[*point]);
                let mut keyed: Vec<(f64, usize)> = layer.iter().map(|point| (centre(point), *point)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                *layer = keyed.into_iter().map(|(_, point)| point).collect();
                index(layer, &mut position);
            };
            match down {
                true => self.layers.iter_mut().for_each(&mut visit),
                false => self.layers.iter_mut().rev().for_each(&mut visit),
            }
        }
    }

    fn place(&mut self) {
        self.x = vec![0.0; self.layer.len()];
        for layer in 0..self.layers.len() {
            let wanted: Vec<f64> = vec![0.0; self.layers[layer].len()];
            self.settle(layer, &wanted);
        }
        let last = self.layers.len().saturating_sub(1);
        for sweep in 0..SWEEPS {
            for at in 0..self.layers.len() {
                let layer = if sweep.is_multiple_of(2) { at } else { last - at };
                let wanted: Vec<f64> = self.layers[layer].iter().map(|point| self.wish(*point, sweep)).collect();
                self.settle(layer, &wanted);
            }
        }
    }

    /// Where a point would like to be: between its neighbours. An edge that passes layers would like to be straight there.
    fn wish(&self, point: usize, sweep: usize) -> f64 {
        let passes = |point: usize| point >= self.locations;
        let weight = |other: usize| if passes(point) && passes(other) { STRAIGHT } else { 1.0 };
        let (above, below): (&[usize], &[usize]) = (&self.above[point], &self.below[point]);
        let (above, below) = match (sweep < ONE_WAY, sweep.is_multiple_of(2)) {
            (true, true) if !above.is_empty() => (above, &[][..]),
            (true, false) if !below.is_empty() => (&[][..], below),
            _ => (above, below),
        };
        let neighbours = || above.iter().chain(below);
        let sum: f64 = neighbours().map(|other| weight(*other) * self.x[*other]).sum();
        let weights: f64 = neighbours().map(|other| weight(*other)).sum();
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    /// Gives the points of a layer the coordinates nearest to the wanted ones such that none overlap: pools of adjacent violators.
    fn settle(&mut self, layer: usize, wanted: &[f64]) {
        let points = &self.layers[layer];
        let mut offsets = Vec::with_capacity(points.len());
        let mut offset = 0.0;
        for (at, point) in points.iter().enumerate() {
            offset += if at == 0 { 0.0 } else { self.half_width[points[at - 1]] + GAP + self.half_width[*point] };
            offsets.push(offset);
        }
        // Sum and number of the members of each pool.
        let mut pools: Vec<(f64, usize)> = Vec::new();
        for (wish, offset) in wanted.iter().zip(&offsets) {
            pools.push((wish - offset, 1));
            while let [.., (first, count), (second, other)] = pools[..]
                && first / count as f64 > second / other as f64
            {
                pools.pop();
                pools.pop();
                pools.push((first + second, count + other));
            }
        }
        let settled = pools.iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / *count as f64, *count));
        let settled: Vec<f64> = settled.zip(&offsets).map(|(base, offset)| base + offset).collect();
        for (point, x) in self.layers[layer].iter().zip(settled) {
            self.x[*point] = x;
        }
    }

    fn drawing(&self, automaton: &Automaton) -> Drawing {
        let left = (0..self.x.len()).map(|point| self.x[point] - self.half_width[point]).fold(0.0, f64::min);
        let right = (0..self.x.len()).map(|point| self.x[point] + self.half_width[point]).fold(0.0, f64::max);
        let at = |point: usize| {
            ((self.x[point] - left).round() as i64, (LOCATION + self.layer[point] as f64 * HALF_LAYER).round() as i64)
        };
        let line = |edge: &AutomatonEdge, passes: &Option<(Vec<usize>, usize)>| Line {
            from: edge.from,
            to: edge.to,
            points: passes.iter().flat_map(|(points, _)| points.iter().map(|point| at(*point))).collect(),
            label: passes.as_ref().map_or_else(|| at(edge.from), |(_, label)| at(*label)),
            text: edge.text.clone(),
            line: edge.line,
        };
        Drawing {
            width: (right - left).ceil() as i64,
            height: (2.0 * LOCATION + self.layers.len().saturating_sub(1) as f64 * HALF_LAYER) as i64,
            entry: automaton.entry,
            exit: automaton.exit,
            locations: (0..automaton.locations).map(at).collect(),
            edges: automaton.edges.iter().zip(&self.passes).map(|(edge, passes)| line(edge, passes)).collect(),
        }
    }
}

/// A label as it is drawn; the page does the same.
fn shortened(text: &str) -> String {
    match text.chars().count() > LONGEST_LABEL {
        true => text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect(),
        false => text.into(),
    }
}

fn mean(points: &[usize], of: &[f64]) -> Option<f64> {
    let sum: f64 = points.iter().map(|point| of[*point]).sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

/// The edges to a location that the depth-first search has entered and not left.
fn back_edges(automaton: &Automaton) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let outgoing = outgoing(automaton);
    let mut visits = vec![Visit::New; automaton.locations];
    let mut back = vec![false; automaton.edges.len()];
    for root in std::iter::once(automaton.entry).chain(0..automaton.locations) {
        if visits.get(root) != Some(&Visit::New) {
            continue;
        }
        visits[root] = Visit::Open;
        let mut stack = vec![(root, 0)];
        while let Some((location, next)) = stack.last_mut() {
            let Some(edge) = outgoing[*location].get(*next) else {
                visits[*location] = Visit::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = automaton.edges[*edge].to;
            match visits[to] {
                Visit::New => {
                    visits[to] = Visit::Open;
                    stack.push((to, 0));
                }
                Visit::Open => back[*edge] = true,
                Visit::Done => {}
            }
        }
    }
    back
}

fn outgoing(automaton: &Automaton) -> Vec<Vec<usize>> {
    let mut outgoing = vec![Vec::new(); automaton.locations];
    for (number, edge) in automaton.edges.iter().enumerate() {
        outgoing[edge.from].push(number);
    }
    outgoing
}

/// The longest path to each location without back edges.
fn layers(automaton: &Automaton, back: &[bool]) -> Vec<usize> {
    let outgoing = outgoing(automaton);
    let forward = |edge: &&usize| !back[**edge];
    let mut missing = vec![0; automaton.locations];
    for edge in outgoing.iter().flatten().filter(forward) {
        missing[automaton.edges[*edge].to] += 1;
    }
    let mut layers = vec![0; automaton.locations];
    let mut ready: Vec<usize> = (0..automaton.locations).filter(|location| missing[*location] == 0).collect();
    while let Some(location) = ready.pop() {
        for edge in outgoing[location].iter().filter(forward) {
            let to = automaton.edges[*edge].to;
            layers[to] = layers[to].max(layers[location] + 1);
            missing[to] -= 1;
            if missing[to] == 0 {
                ready.push(to);
            }
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automaton(locations: usize, edges: &[(usize, usize, &str)]) -> Automaton {
        let edge = |(from, to, text): &(usize, usize, &str)| AutomatonEdge {
            from: *from,
            to: *to,
            text: (*text).into(),
            line: 0,
        };
        let edges = edges.iter().map(edge).collect();
        Automaton { function: "f".into(), locations, entry: 0, exit: locations - 1, edges }
    }

    #[test]
    fn a_loop_with_two_ways() {
        let automaton = automaton(
            5,
            &[
                (0, 1, "i = 0"),
                (1, 2, "assume i < 4"),
                (2, 3, "assume a[i] > 0"),
                (2, 3, "assume !(a[i] > 0)"),
                (3, 1, "i = i + 1"),
                (1, 4, "assume !(i < 4)"),
            ],
        );
        let drawing = draw(&automaton);
        let y = |location: usize| drawing.locations[location].1;
        assert!(y(0) < y(1) && y(1) < y(2) && y(2) < y(3) && y(1) < y(4));
        // The way back goes upwards, past the two ways.
        let back = &drawing.edges[4];
        assert_eq!((back.points[0], *back.points.last().unwrap()), (drawing.locations[3], drawing.locations[1]));
        assert!(back.points.windows(2).all(|pair| pair[0].1 > pair[1].1));
        // No two labels of a layer overlap.
        for (number, a) in drawing.edges.iter().enumerate() {
            for b in &drawing.edges[number + 1..] {
                let room = (a.text.len() + b.text.len()) as f64 * CHARACTER / 2.0;
                assert!(a.label.1 != b.label.1 || (a.label.0 - b.label.0).abs() as f64 >= room, "{a:?} {b:?}");
            }
        }
        assert!(drawing.edges.iter().all(|edge| edge.label.0 >= 0 && edge.label.0 <= drawing.width));
    }

    #[test]
    fn what_is_not_reached_and_what_stays_where_it_is() {
        let drawing = draw(&automaton(3, &[(0, 0, "skip"), (1, 2, "x = 1")]));
        assert!(drawing.edges[0].points.is_empty());
        assert_eq!(drawing.locations.len(), 3);
        assert_eq!(draw(&automaton(1, &[])).locations.len(), 1);
    }

    #[test]
    fn a_large_automaton_is_drawn_in_no_time() {
        let mut edges: Vec<(usize, usize, &str)> =
            (0..MOST_LOCATIONS - 1).map(|at| (at, at + 1, "x = x + 1")).collect();
        edges.extend((0..MOST_LOCATIONS / 4).map(|at| (MOST_LOCATIONS - 1 - at, 2 * at, "assume x > 0")));
        assert_eq!(draw(&automaton(MOST_LOCATIONS, &edges)).edges.len(), edges.len());
    }
}
