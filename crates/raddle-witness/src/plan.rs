//! What a witness asks to be looked at: its waypoints, and the places and conditions that they name.

use crate::format::{Action, Location, Segment, Waypoint, WaypointKind};
use crate::returned::Returned;
use raddle_c::probes::{Places, Probe, ProbeKind};

/// The waypoints of a witness, and the probes that they need.
#[derive(Clone, Debug)]
pub struct Plan {
    pub probes: Vec<Probe>,
    pub(crate) uses: Vec<Use>,
    /// Segments that have something to avoid.
    pub(crate) avoiding: Vec<bool>,
}

/// A waypoint.
#[derive(Clone, Debug)]
pub struct Use {
    pub segment: u32,
    pub follows: bool,
    pub thread: Option<u32>,
    pub seen: Seen,
}

/// How a waypoint is seen to be passed.
#[derive(Clone, Debug)]
pub enum Seen {
    /// By the probe with this number; a branch, if it goes this way.
    Probe(usize, Option<bool>),
    Target,
    Enter(Spot),
    Return(Spot, Returned),
}

impl Spot {
    /// Is a call at the place that is meant? All calls are given. A call that a macro makes has no column: it is meant by a column only if it is the only one of its line. Without a column, the first
    /// call of the line is meant; those of macros may all be it.
    pub fn means(&self, place: &Location, all: &[Location]) -> bool {
        let is_here = |other: &Location| self.file == other.file_name && self.line == other.line;
        if !is_here(place) {
            return false;
        }
        let on_line = || all.iter().filter(|other| is_here(other));
        let is_named = |other: &Location| other.column == self.column;
        match self.column {
            Some(_) if on_line().any(is_named) => is_named(place),
            Some(_) => place.column.is_none() && on_line().filter(|other| other.column.is_none()).count() == 1,
            None => place.column == on_line().map(|other| other.column).min().flatten(),
        }
    }
}

/// A place of a call in an input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

impl Plan {
    /// The plan of a witness, given the names that it has for the input files (first their own); or what in it cannot be followed.
    pub fn new(segments: &[Segment], files: &[(String, String)]) -> Result<Plan, String> {
        let mut plan = Plan { probes: Vec::new(), uses: Vec::new(), avoiding: Vec::new() };
        for (number, segment) in segments.iter().enumerate() {
            for waypoint in &segment.waypoints {
                let context = |why: String| format!("line {} of the witness: {why}", waypoint.at.0);
                let seen = plan.seen(waypoint, files).map_err(context)?;
                let follows = match waypoint.action {
                    Action::Follow => true,
                    Action::Avoid => false,
                    Action::Cycle => return Err(context("executions that do not end are not validated".into())),
                };
                plan.uses.push(Use { segment: number as u32, follows, thread: waypoint.thread_id, seen });
            }
            plan.avoiding.push(segment.waypoints.len() > 1);
        }
        Ok(plan)
    }

    /// The threads that follow the segments, one after the other, if the witness names them all.
    pub fn turns(&self) -> Option<Vec<u32>> {
        self.uses.iter().filter(|of| of.follows).map(|of| of.thread).collect()
    }

    fn seen(&mut self, waypoint: &Waypoint, files: &[(String, String)]) -> Result<Seen, String> {
        let file = input_file(&waypoint.location.file_name, files)?;
        let (line, column) = (waypoint.location.line, waypoint.location.column);
        let value = waypoint.constraint.as_ref().map_or("", |constraint| constraint.value.trim());
        let mut probe = |kind, condition: Option<&str>| {
            let condition = condition.map(str::to_owned);
            let places = Places::One;
            let probe = Probe { kind, file: file.clone(), line, column, places, condition, is_optional: false };
            self.probes.iter().position(|known| *known == probe).unwrap_or_else(|| {
                self.probes.push(probe);
                self.probes.len() - 1
            })
        };
        Ok(match waypoint.kind {
            WaypointKind::Assumption if value.contains('\\') => return Err(format!("`{value}` is no expression of C")),
            WaypointKind::Assumption => Seen::Probe(probe(ProbeKind::Before, Some(value)), None),
            WaypointKind::Branching => match value {
                "true" | "false" => Seen::Probe(probe(ProbeKind::Branch, None), Some(value == "true")),
                _ => return Err("branches of a `switch` are not followed".into()),
            },
            WaypointKind::Target => {
                probe(ProbeKind::Around, None);
                Seen::Target
            }
            WaypointKind::FunctionEnter => Seen::Enter(Spot { file, line, column }),
            WaypointKind::FunctionReturn => {
                let returned = Returned::read(value);
                let returned = returned.ok_or_else(|| format!("`{value}` does not compare a result with constants"))?;
                Seen::Return(Spot { file, line, column }, returned)
            }
        })
    }
}

/// The input file that a witness means. Tools write the path that they were given: the file of that path, or else the one whose path ends with the most of its last parts.
pub fn input_file(name: &str, files: &[(String, String)]) -> Result<String, String> {
    let parts = |path: &str| -> Vec<String> {
        path.rsplit('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let wanted = parts(name);
    let common = |theirs: &str| match parts(theirs) {
        same if same == wanted => usize::MAX,
        other => other.iter().zip(&wanted).take_while(|(a, b)| a == b).count(),
    };
    let most = files.iter().map(|(_, theirs)| common(theirs)).max().unwrap_or(0);
    let mut meant: Vec<&String> =
        files.iter().filter(|(_, theirs)| common(theirs) == most).map(|(own, _)| own).collect();
    meant.dedup();
    match meant[..] {
        _ if most == 0 => Err(format!("{name} is none of the input files")),
        [own] => Ok(own.clone()),
        [one, other, ..] => Err(format!("{name} may be {one} or {other}")),
        [] => Err("there are no input files".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_meant() {
        let files = ["d1/a.c", "d2/a.c", "a.c", "e/f/b.c"].map(|name| (format!("own/{name}"), name.to_owned()));
        let meant = |name: &str| input_file(name, &files);
        assert_eq!(meant("./d2/a.c").as_deref(), Ok("own/d2/a.c"));
        assert_eq!(meant("/home/x/d2/a.c").as_deref(), Ok("own/d2/a.c"));
        assert_eq!(meant("a.c").as_deref(), Ok("own/a.c"));
        assert_eq!(meant("b.c").as_deref(), Ok("own/e/f/b.c"));
        assert!(meant("d3/a.c").is_err_and(|why| why.contains("may be own/d1/a.c or own/d2/a.c")));
        assert!(meant("c.c").is_err());
    }
}
