//! `--report` in a real browser: the pages of five programs open without a complaint, their steps can be walked with the keyboard, and they say what is so.
//!
//! `RADDLE_SCREENSHOTS=DIR` writes pictures of two of them there, as `docs/report.md` shows them. Without Chromium the tests say that they skip.

mod browser;
mod long;

use browser::Browser;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const COUNTER: &str = include_str!("../../../../examples/counter.c");

const CLOCK: &str = r#"// The hand of a clock stays on its face, however it is wound.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int hour = 12;

void wind(int steps) {
  for (int i = 0; i < steps; i++)
    hour = hour == 12 ? 1 : hour + 1;
}

int main(void) {
  while (__VERIFIER_nondet_int())
    wind(__VERIFIER_nondet_int());
  assert(hour >= 1 && hour <= 12);
  return 0;
}
"#;

const ACCOUNT: &str = r#"// A transfer checks the balance before it takes the lock.
#include <assert.h>
#include <pthread.h>

struct account {
  int balance;
  pthread_mutex_t lock;
};

struct account savings = {100, PTHREAD_MUTEX_INITIALIZER};

void *withdraw(void *amount) {
  int wanted = *(int *)amount;
  if (savings.balance >= wanted) {
    pthread_mutex_lock(&savings.lock);
    savings.balance -= wanted;
    pthread_mutex_unlock(&savings.lock);
  }
  return 0;
}

int main(void) {
  int first = 80, second = 50;
  pthread_t one, two;
  pthread_create(&one, 0, withdraw, &first);
  pthread_create(&two, 0, withdraw, &second);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(savings.balance >= 0);
  return 0;
}
"#;

const INPUT: &str = r#"#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* </script><script>alert("a comment is text")</script> */
int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || low > 9 || high < low || high > 9)
    return 0;
  int found = middle(low, high);
  assert(found != 6 || low < 5);
  return 0;
}
"#;

const GAP: &str = r#"typedef int handler(int);
extern handler *lookup(int key);

int main(void) {
  handler *found = lookup(7);
  if (found)
    return found(3);
  return 0;
}
"#;

/// A folder for one test, empty.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// The report of a program.
fn report(dir: &Path, name: &str, text: &str, args: &[&str]) -> PathBuf {
    fs::write(dir.join(name), text).unwrap();
    let page = name.replace(".c", ".html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["verify", name, "--quiet", "--no-config", "--timeout", "120s", "--report", &page]);
    let output = command.args(args).current_dir(dir).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
    dir.join(page)
}

/// The number and the statement of the current step, as the panel, the list and the source have it.
fn current(browser: &mut Browser) -> (u64, String) {
    let number = browser.value("Number(document.querySelector('.step.current').dataset.step)").as_u64().unwrap();
    assert!(browser.text(".now h3").starts_with(&format!("Step {number} of ")));
    assert!(browser.text(".position").starts_with(&format!("step {number} of ")));
    assert_eq!(browser.count(".step[aria-selected=true]"), 1);
    let what = browser.text(".what");
    assert_eq!(browser.text(".line.current code").trim(), what);
    (number, what)
}

/// Walks to the last step with a key; the numbers on the way.
fn walk(browser: &mut Browser, key: &str) -> Vec<u64> {
    let mut way = vec![current(browser).0];
    loop {
        browser.press(key);
        let (number, _) = current(browser);
        if way.last() == Some(&number) {
            return way;
        }
        assert!(way.len() < 1000);
        way.push(number);
    }
}

fn check_counter(browser: &mut Browser, page: &Path) {
    browser.open(page);
    assert_eq!(browser.text("h1"), "✗\nThe property is violated\nunreach-call");
    assert_eq!(browser.count(".lane-head"), 3);
    assert!(browser.text(".line.bad").contains("assert(counter == 2);"));
    // Without folded steps, by each key; then with them.
    let way = walk(browser, "ArrowRight");
    assert!(way.len() >= 4, "{way:?}");
    assert_eq!(current(browser).1, "assert(counter == 2);");
    assert!(browser.text(".now").contains("reads counter = 1"));
    assert!(browser.text(".values").contains("counter"));
    assert_eq!(walk(browser, "k").into_iter().rev().collect::<Vec<_>>(), way);
    assert_eq!(walk(browser, "j"), way);
    browser.value("document.getElementById('steps').focus()");
    browser.press("Home");
    assert_eq!(current(browser).0, way[0]);
    assert_eq!(walk(browser, "ArrowDown"), way);
    browser.press("Home");
    browser.press("End");
    assert_eq!(current(browser).0, *way.last().unwrap());
    browser.press("a");
    browser.press("Home");
    assert!(walk(browser, "j").len() > way.len());
    check_order(browser);
    // The violating write is marked as a change in the table of values.
    let changes =
        "[...document.querySelectorAll('.step')].filter(row => row.textContent.includes('writes counter = 1'))";
    browser.value(&format!("{changes}[0].click()"));
    assert!(browser.text(".values .changed").starts_with("counter"));
}

fn check_order(browser: &mut Browser) {
    let kinds = ["program-order", "read-from", "from-read"];
    for kind in kinds {
        assert!(browser.count(&format!("#order path.edge.{kind}")) > 0, "{kind}");
    }
    // The accesses of an event are told when it has the focus, and Enter makes its step the current one.
    browser.value("[...document.querySelectorAll('#order .event')].at(-1).focus()");
    assert!(browser.text(".order-about").contains("reads counter = 1 (from step "));
    browser.value("document.querySelector('#order .event').focus()");
    browser.press("Enter");
    assert_eq!(browser.count("#order .event.current"), 1);
}

fn check_account(browser: &mut Browser, page: &Path) {
    browser.open(page);
    assert!(browser.text("h1").contains("violated"));
    walk(browser, "ArrowRight");
    assert!(browser.text(".values").contains("savings.balance"));
    assert!(browser.text(".values").contains("-30"));
    browser.press("a");
    assert!(browser.text(".steps").contains("locks savings.lock"));
    // On a narrow screen nothing is wider than it.
    browser.look(380, 800, "dark");
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 380);
    browser.look(1280, 800, "light");
}

fn check_input(browser: &mut Browser, page: &Path) {
    browser.open(page);
    assert_eq!(browser.count(".lane-head"), 1);
    assert_eq!(browser.count("#order"), 0);
    assert_eq!(browser.count(".inputs tbody tr"), 2);
    assert!(browser.text(".inputs").contains("__VERIFIER_nondet_int()"));
    assert!(browser.text(".code").contains("</script><script>alert(\"a comment is text\")</script>"));
    walk(browser, "j");
    assert!(browser.text(".values").contains("found"));
}

fn check_clock(browser: &mut Browser, page: &Path) {
    browser.open(page);
    assert_eq!(browser.text("h1"), "✓\nThe property holds\nunreach-call");
    assert!(browser.text(".facts").contains("cegar"));
    assert!(browser.count(".invariant") > 0, "invariants stand in the source");
    assert!(browser.text(".invariant").contains("hour < 13"));
    assert_eq!(browser.count(".invariant"), browser.count(".invariants li"));
    assert!(browser.text("#statistics").contains("iterations"));
    assert!(browser.count("#statistics .piece") > 4);
    assert!(browser.count(".automaton") >= 2);
    assert!(browser.count(".automaton[open] .location") > 2);
    // Another one is drawn when it is opened.
    browser.value("document.querySelector('.automaton:not([open]) summary').click()");
    browser.wait_until("document.querySelectorAll('.automaton[open] .picture').length === 2");
}

fn check_gap(browser: &mut Browser, page: &Path) {
    browser.open(page);
    assert!(browser.text("h1").starts_with("?\nNo verdict"));
    assert!(browser.text("#reason").contains("What to try."));
    assert!(browser.text(".line.stuck").contains("found(3)"));
}

#[test]
fn five_programs() {
    let dir = folder("programs");
    let pages = [
        report(&dir, "counter.c", COUNTER, &[]),
        report(&dir, "account.c", ACCOUNT, &[]),
        report(&dir, "input.c", INPUT, &[]),
        report(&dir, "clock.c", CLOCK, &["--engine", "cegar"]),
        report(&dir, "gap.c", GAP, &[]),
    ];
    let Some(mut browser) = Browser::start(&dir) else {
        eprintln!("chromium is not installed: reports are not opened");
        return;
    };
    browser.look(1280, 800, "light");
    let [counter, account, input, clock, gap] = &pages;
    check_counter(&mut browser, counter);
    check_account(&mut browser, account);
    check_input(&mut browser, input);
    check_clock(&mut browser, clock);
    check_gap(&mut browser, gap);
    assert_eq!(browser.complaints, Vec::<String>::new());
    if let Some(folder) = std::env::var_os("RADDLE_SCREENSHOTS") {
        take_pictures(&mut browser, Path::new(&folder), account, clock);
    }
    drop(browser);
    fs::remove_dir_all(dir).unwrap();
}

/// So long may a browser take to open a large report. On an idle machine it is a few tenths of a second; tests share theirs.
const LONGEST: Duration = Duration::from_secs(20);

#[test]
fn five_thousand_steps() {
    let dir = folder("long");
    let page = dir.join("long.html");
    let text = raddle_report::html(&long::report(5000));
    fs::write(&page, &text).unwrap();
    assert!(text.len() < 3_000_000, "{} bytes", text.len());
    let Some(mut browser) = Browser::start(&dir) else {
        eprintln!("chromium is not installed: the long report is not opened");
        return;
    };
    browser.look(1280, 800, "light");
    let time = browser.open(&page);
    println!("a report of 5000 steps: {} kB, opened in {time:.2?}", text.len() / 1000);
    assert!(time < LONGEST, "{time:?}");
    browser.value("document.getElementById('steps').focus()");
    browser.press("End");
    assert_eq!(current(&mut browser).0, 5000);
    // All the others are made meanwhile.
    browser.wait_until("document.querySelectorAll('.step').length === 5000");
    assert!(browser.text("#order").contains("events of"));
    assert_eq!(browser.complaints, Vec::<String>::new());
    drop(browser);
    fs::remove_dir_all(dir).unwrap();
}

/// One property has one page.
#[test]
fn several_properties_have_no_report() {
    let dir = folder("several");
    fs::write(dir.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["a.c", "--report", "a.html", "--property", "unreach-call", "--property", "no-overflow"]);
    let output = command.current_dir(&dir).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("--report is for one property at a time"));
    assert_eq!(output.status.code(), Some(3));
    fs::remove_dir_all(dir).unwrap();
}

fn take_pictures(browser: &mut Browser, folder: &Path, violation: &Path, proof: &Path) {
    let mut take = |name: &str, page: &Path, width, height, scheme, keys: &[&str]| {
        browser.look(width, height, scheme);
        browser.open(page);
        keys.iter().for_each(|key| browser.press(key));
        browser.value("document.activeElement.blur()");
        fs::write(folder.join(name), decoded(&browser.picture())).unwrap();
    };
    let keys = ["j"; 7];
    take("report-violation.webp", violation, 1280, 2080, "light", &keys);
    take("report-violation-narrow.webp", violation, 380, 1500, "light", &keys);
    take("report-proof.webp", proof, 1280, 1500, "light", &[]);
}

/// Base64, without anything else in it.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|c| *c != b'=').map(|c| u32::from(digit(c))).collect();
    let mut bytes = Vec::new();
    for chunk in digits.chunks(4) {
        let group = (0..4).fold(0, |group, i| group << 6 | chunk.get(i).copied().unwrap_or(0));
        bytes.extend((1..chunk.len()).map(|i| (group >> (24 - 8 * i)) as u8));
    }
    bytes
}
