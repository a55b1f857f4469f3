//! Command-line options of a configuration as an entry of a strategy: `--engine cegar --max-enum 10 --coi none` is the engine `cegar` with
//! `max-enum = 10, coi = "none"`. On the command line, options may begin with the name of their engine (`--oc-unroll-end`); in a strategy they do not.

#[derive(Clone, PartialEq, Debug)]
pub struct Engine {
    pub name: String,
    /// As TOML: the key, and the value as it is written.
    pub config: Vec<(String, String)>,
}

/// Options of the whole run that change nothing about what an engine does: a step is as good without them.
const HARMLESS: [&str; 2] = ["jobs", "log"];
/// Options of the whole run that a step cannot have.
const OF_THE_RUN: [&str; 5] = ["solver", "memory-model", "cpp", "include", "data-model"];

/// Or why the configuration can be no step of a strategy.
pub fn engine(options: &[String]) -> Result<Engine, String> {
    let mut name = None;
    let mut config: Vec<(String, Vec<String>)> = Vec::new();
    let mut rest = options.iter().peekable();
    while let Some(option) = rest.next() {
        let Some(option) = option.strip_prefix("--").filter(|o| is_key(o.split('=').next().unwrap_or(o))) else {
            return Err(format!("has `{option}`, which is no long option"));
        };
        let (key, value) = match option.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => (option, rest.next_if(|next| !next.starts_with("--")).cloned()),
        };
        match (key, value) {
            ("engine", Some(engine)) => name = Some(engine),
            ("portfolio", _) => name = Some("auto".to_owned()),
            (key, _) if HARMLESS.contains(&key) => {}
            (key, _) if OF_THE_RUN.contains(&key) => {
                return Err(format!("has `--{key}`, which is no option of an engine"));
            }
            (key, value) => {
                let value = value.map_or_else(|| "true".to_owned(), |v| toml_value(&v));
                match config.iter_mut().find(|(k, _)| k == key) {
                    Some((_, values)) => values.push(value),
                    None => config.push((key.to_owned(), vec![value])),
                }
            }
        }
    }
    let list = |(key, mut values): (String, Vec<String>)| {
        let value = if values.len() == 1 { values.remove(0) } else { format!("[{}]", values.join(", ")) };
        (key, value)
    };
    match name {
        Some(name) if name != "auto" => {
            let prefix = format!("{name}-");
            let own =
                |(key, values): (String, Vec<String>)| (key.strip_prefix(&prefix).unwrap_or(&key).to_owned(), values);
            Ok(Engine { config: config.into_iter().map(own).map(list).collect(), name })
        }
        _ => Err("is a portfolio itself".to_owned()),
    }
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn toml_value(text: &str) -> String {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let number = match text.strip_prefix('-').unwrap_or(text).split_once('.') {
        Some((whole, fraction)) => no_leading_zero(whole) && digits(whole) && digits(fraction),
        None => no_leading_zero(text.trim_start_matches('-')) && text.parse::<i64>().is_ok(),
    };
    match text {
        "on" | "true" => "true".to_owned(),
        "off" | "false" => "false".to_owned(),
        _ if number => text.to_owned(),
        _ => quoted(text),
    }
}

/// `007` is a number on a command line, and none in TOML.
fn no_leading_zero(whole: &str) -> bool {
    (whole == "0" || !whole.starts_with('0')) && !whole.starts_with('+')
}

/// A basic string of TOML.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &str) -> Result<Engine, String> {
        engine(&options.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_become_entries() {
        let cegar = read("--engine cegar --domain expl --max-enum 10 --slack=-1.5 --lazy --tag 007 --x a --x b")
            .expect("well-formed");
        assert_eq!(cegar.name, "cegar");
        let config: Vec<String> = cegar.config.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        assert_eq!(
            config,
            [
                "domain = \"expl\"",
                "max-enum = 10",
                "slack = -1.5",
                "lazy = true",
                "tag = \"007\"",
                "x = [\"a\", \"b\"]"
            ]
        );
    }

    #[test]
    fn keys_and_switches_are_those_of_strategies() {
        let oc = read("--jobs 2 --engine oc --oc-unroll-end 4 --trust-bound").expect("well-formed");
        assert_eq!(
            oc.config,
            [("unroll-end", "4"), ("trust-bound", "true")].map(|(k, v)| (k.to_owned(), v.to_owned()))
        );
        let cegar = read("--cex-monitor off --engine=cegar").expect("well-formed");
        assert_eq!(cegar.config, [("cex-monitor".to_owned(), "false".to_owned())]);
        assert_eq!(
            read("--engine cegar --memory-model tso"),
            Err("has `--memory-model`, which is no option of an engine".to_owned())
        );
    }

    #[test]
    fn a_portfolio_is_no_step() {
        assert!(read("--engine auto").is_err());
        assert!(read("--domain expl").is_err());
        assert!(read("--engine oc --portfolio x.toml").is_err());
        assert!(read("--engine oc file.c extra").is_err());
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000A\"");
    }
}
