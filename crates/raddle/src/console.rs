//! What is said on standard output and standard error.
//!
//! The standard library's macros panic when nobody reads any more (`raddle show … | head -1`). The ones here, which take their place
//! in this crate, go on: the exit status still tells the verdict.
//!
//! A run that is asked to stop may come to its end just when the watchdog gives up on it. Whoever takes the floor first says what there
//! is to say, so that there is one verdict.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

macro_rules! print {
    ($($arg:tt)*) => { $crate::console::out(format_args!($($arg)*)) };
}

macro_rules! println {
    ($($arg:tt)*) => { $crate::console::out(format_args!("{}\n", format_args!($($arg)*))) };
}

macro_rules! eprint {
    ($($arg:tt)*) => { $crate::console::err(format_args!($($arg)*)) };
}

macro_rules! eprintln {
    ($($arg:tt)*) => { $crate::console::err(format_args!("{}\n", format_args!($($arg)*))) };
}

pub fn out(text: Arguments) {
    static FAILED: AtomicBool = AtomicBool::new(false);
    let mut stdout = std::io::stdout().lock();
    let line = if LINE_IS_OPEN.swap(false, Ordering::Relaxed) { "\n" } else { "" };
    match stdout.write_all(line.as_bytes()).and_then(|()| stdout.write_fmt(text)).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe && !FAILED.swap(true, Ordering::Relaxed) => {
            eprintln!("standard output cannot be written: {error}");
        }
        _ => {}
    }
}

pub fn err(text: Arguments) {
    // There is nowhere else to complain.
    let _ = std::io::stderr().lock().write_fmt(text);
}

/// What a simulated program printed last was not a whole line.
static LINE_IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Standard output for a simulated program.
#[derive(Default)]
pub struct Foreign {
    pub nobody_reads: bool,
}

impl Write for Foreign {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let result = std::io::stdout().write(bytes);
        if let Ok(count @ 1..) = result {
            LINE_IS_OPEN.store(bytes[count - 1] != b'\n', Ordering::Relaxed);
        }
        self.nobody_reads |= result.as_ref().is_err_and(|e| e.kind() == ErrorKind::BrokenPipe);
        result
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let result = std::io::stdout().flush();
        self.nobody_reads |= result.as_ref().is_err_and(|e| e.kind() == ErrorKind::BrokenPipe);
        result
    }
}

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the caller may give the verdict: once in the life of the process.
pub fn take_the_floor() -> bool {
    !TAKEN.swap(true, Ordering::Relaxed)
}

/// Comes back if the caller may give the verdict. If another thread gives it, that one ends the process.
pub fn wait_for_the_floor() {
    while !take_the_floor() {
        std::thread::park();
    }
}
