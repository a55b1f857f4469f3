//! What a program is like.

use raddle_ir::Program;

pub struct Traits {
    threads: bool,
}

impl Traits {
    pub fn of(program: &Program) -> Traits {
        Traits { threads: program.starts_threads() }
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        is_trait(name).then(|| if name == "threads" { f64::from(u8::from(self.threads)) } else { 0.0 })
    }
}

pub fn is_trait(name: &str) -> bool {
    ["threads", "floats", "bitwise", "loops", "cyclomatic", "inputs", "variables"].contains(&name)
}
