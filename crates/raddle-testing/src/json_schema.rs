//! JSON against a JSON Schema, with the keywords that Raddle's own schemas use; another keyword is an error, so that nothing is skipped silently.

use serde_json::{Map, Value};

/// Keywords that say nothing about values.
const COMMENTS: [&str; 5] = ["$schema", "$id", "$defs", "title", "description"];

/// Where a value does not fit, and why; nothing where it fits.
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Check { whole: schema, found: &mut found }.fits(schema, value, "");
    found
}

struct Check<'a> {
    whole: &'a Value,
    found: &'a mut Vec<String>,
}

impl Check<'_> {
    fn wrong(&mut self, at: &str, why: String) {
        self.found.push(format!("{}: {why}", if at.is_empty() { "/" } else { at }));
    }

    fn fits(&mut self, schema: &Value, value: &Value, at: &str) {
        if *schema == Value::Bool(false) {
            return self.wrong(at, "it should not be there".into());
        }
        let Some(keywords) = schema.as_object() else { return self.wrong(at, format!("no schema: {schema}")) };
        for (keyword, wanted) in keywords.iter().filter(|(keyword, _)| !COMMENTS.contains(&keyword.as_str())) {
            match keyword.as_str() {
                "$ref" => self.refer(wanted, value, at),
                "type" => self.has_type(wanted, value, at),
                "const" if value != wanted => self.wrong(at, format!("{value} is not {wanted}")),
                "enum" if !elements(wanted).contains(value) => self.wrong(at, format!("{value} is not in {wanted}")),
                "minimum" if value.as_f64() < wanted.as_f64() => self.wrong(at, format!("{value} is below {wanted}")),
                "minItems" if (elements(value).len() as u64) < wanted.as_u64().unwrap_or(0) => {
                    self.wrong(at, format!("fewer than {wanted} elements"))
                }
                "pattern" => self.matches(wanted, value, at),
                "oneOf" => self.one_of(elements(wanted), value, at),
                "required" => {
                    let missing =
                        elements(wanted).iter().filter(|name| value.get(name.as_str().unwrap_or("")).is_none());
                    missing.for_each(|name| self.wrong(at, format!("{name} is missing")));
                }
                "properties" => self.members(wanted.as_object(), value, at),
                "items" => {
                    let parts = elements(value).iter().enumerate();
                    parts.for_each(|(index, part)| self.fits(wanted, part, &format!("{at}/{index}")));
                }
                "additionalProperties" => {
                    let named = |name: &String| schema.get("properties").and_then(|all| all.get(name)).is_some();
                    let others = value.as_object().into_iter().flatten().filter(|(name, _)| !named(name));
                    others.for_each(|(name, member)| self.fits(wanted, member, &format!("{at}/{name}")));
                }
                "contains" => self.contains(keywords, wanted, value, at),
                "const" | "enum" | "minimum" | "minItems" | "minContains" | "maxContains" => {}
                _ => self.wrong(at, format!("the keyword {keyword} is not known here")),
            }
        }
    }

    fn refer(&mut self, to: &Value, value: &Value, at: &str) {
        let target = to.as_str().and_then(|to| to.strip_prefix('#')).and_then(|path| self.whole.pointer(path));
        match target {
            Some(target) => self.fits(target, value, at),
            None => self.wrong(at, format!("{to} leads nowhere")),
        }
    }

    fn has_type(&mut self, wanted: &Value, value: &Value, at: &str) {
        let is = |name: &Value| match name.as_str() {
            Some("null") => value.is_null(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_u64() || value.is_i64(),
            Some("number") => value.is_number(),
            Some("string") => value.is_string(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => false,
        };
        if !(is(wanted) || elements(wanted).iter().any(is)) {
            self.wrong(at, format!("{value} is no {wanted}"));
        }
    }

    fn matches(&mut self, pattern: &Value, value: &Value, at: &str) {
        let (Some(pattern), Some(text)) = (pattern.as_str(), value.as_str()) else { return };
        match regex_lite::Regex::new(pattern) {
            Ok(regex) if regex.is_match(text) => {}
            Ok(_) => self.wrong(at, format!("{value} does not match {pattern}")),
            Err(error) => self.wrong(at, format!("no pattern: {pattern}: {error}")),
        }
    }

    /// How many elements fit, where the schema around says how many should.
    fn contains(&mut self, around: &Map<String, Value>, wanted: &Value, value: &Value, at: &str) {
        let Some(parts) = value.as_array() else { return };
        let fits = |part: &&Value| {
            let mut found = Vec::new();
            Check { whole: self.whole, found: &mut found }.fits(wanted, part, at);
            found.is_empty()
        };
        let count = parts.iter().filter(fits).count() as u64;
        let limit = |name: &str, otherwise| around.get(name).and_then(Value::as_u64).unwrap_or(otherwise);
        let (least, most) = (limit("minContains", 1), limit("maxContains", u64::MAX));
        if !(least..=most).contains(&count) {
            self.wrong(at, format!("{count} elements fit what {least} to {most} should"));
        }
    }

    fn one_of(&mut self, choices: &[Value], value: &Value, at: &str) {
        let all: Vec<Vec<String>> = choices
            .iter()
            .map(|choice| {
                let mut found = Vec::new();
                Check { whole: self.whole, found: &mut found }.fits(choice, value, at);
                found
            })
            .collect();
        if all.iter().filter(|found| found.is_empty()).count() != 1 {
            let why: Vec<String> = all.into_iter().flatten().collect();
            self.wrong(at, format!("fits not one of the choices: {}", why.join("; ")));
        }
    }

    fn members(&mut self, schemas: Option<&Map<String, Value>>, value: &Value, at: &str) {
        for (name, schema) in schemas.into_iter().flatten() {
            if let Some(member) = value.get(name) {
                self.fits(schema, member, &format!("{at}/{name}"));
            }
        }
    }
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::violations;
    use serde_json::{Value, json};

    #[test]
    fn what_fits_and_what_does_not() {
        let schema = json!({
            "type": "object",
            "required": ["verdict", "steps"],
            "properties": {
                "verdict": { "type": "string", "pattern": "^(true|false\\([a-z-]+\\))$" },
                "kind": { "enum": ["read", "write"] },
                "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/step" } },
                "marks": { "contains": { "const": 1 }, "maxContains": 1 },
                "names": { "additionalProperties": { "type": "string" } },
                "old": false,
            },
            "$defs": { "step": { "oneOf": [{ "type": "null" }, { "type": "integer", "minimum": 1 }] } },
        });
        let count = |value: Value| violations(&schema, &value).len();
        assert_eq!(count(json!({ "verdict": "true", "steps": [1, null], "more": 1 })), 0);
        assert_eq!(count(json!({ "verdict": "false(no-overflow)", "kind": "read", "steps": [1] })), 0);
        assert_eq!(count(json!({ "verdict": "false()", "kind": "look", "steps": [0] })), 3);
        assert_eq!(count(json!({ "verdict": 3, "steps": [] })), 2);
        assert_eq!(count(json!([])), 3);
        let with = |name: &str, value: Value| count(json!({ "verdict": "true", "steps": [1], name: value }));
        assert_eq!([json!([]), json!([2, 1]), json!([1, 1])].map(|marks| with("marks", marks)), [1, 0, 1]);
        assert_eq!((with("names", json!({ "a": "b", "c": 1 })), with("old", json!(null))), (1, 1));
        assert_eq!(violations(&json!({ "maximum": 3 }), &json!(1)), ["/: the keyword maximum is not known here"]);
    }
}
