//! Values without resolvers as JSON text, written by one loop over what is selected.

use std::fmt::Write as _;

use async_graphql::{ID, PathSegment, Value};

use super::{
    registered::TypeInfo,
    selections::{Selected, Selections},
};

/// What is written of a value.
pub enum Plan {
    /// A scalar or an enum.
    Leaf,
    /// The selected fields of an object.
    Object(Vec<Step>),
    /// A plan for each possible type of an interface or union.
    Abstract(Vec<Plan>),
}

/// A selected field.
pub struct Step {
    /// Its response key, and what separates it from the value and from the field before.
    key: String,
    /// Its position among the fields of the object; `None` for `__typename`.
    field: Option<usize>,
    plan: Plan,
}

impl Plan {
    /// The plan of the possible type at this position.
    pub fn member(&self, position: usize) -> &Self {
        match self {
            Self::Abstract(members) => members.get(position).unwrap_or(&Self::Leaf),
            _ => &Self::Leaf,
        }
    }
}

/// Plans the selected fields of an object; `plan` is the plan of the field at a position.
pub fn plan_object(
    selections: &Selections<'_>,
    object: &TypeInfo,
    plan: impl Fn(usize, &Selections<'_>) -> Plan,
) -> Plan {
    let fragments = selections.fragments;
    let selected = selections.collect(object.conditions);
    let steps = selected.into_iter().enumerate();
    let steps = steps.map(|(index, Selected { field, sets })| {
        let start = if index == 0 { "{\"" } else { ",\"" };
        let key = [start, &field.node.response_key().node, "\":"].concat();
        let field = object.field(&field.node.name.node);
        let plan = match field {
            Some(field) if !sets.is_empty() => plan(field, &Selections { fragments, sets }),
            _ => Plan::Leaf,
        };
        Step { key, field, plan }
    });
    Plan::Object(steps.collect())
}

/// A value without resolvers.
pub trait WriteJson {
    /// The plan of the selected fields.
    fn plan(_: &Selections<'_>) -> Plan {
        Plan::Leaf
    }

    /// Writes what is selected. A list or an object stops, incomplete, when the writer stops.
    fn write(&self, plan: &Plan, json: &mut JsonWriter);
}

/// Writes the selected fields of an object, whose field at a position `write` writes.
pub fn write_object(
    plan: &Plan,
    json: &mut JsonWriter,
    object: &TypeInfo,
    write: impl Fn(usize, &Plan, &mut JsonWriter),
) {
    let Plan::Object(steps) = plan else {
        return json.text.push_str("{}");
    };
    if steps.is_empty() {
        json.text.push('{');
    }
    for step in steps {
        let failures = json.failures.len();
        json.text.push_str(&step.key);
        match step.field {
            Some(field) => write(field, &step.plan, json),
            None => json.string(object.name),
        }
        if json.stops() {
            let key = step.key[2..].trim_end_matches("\":").to_owned();
            if json.stop(failures, &PathSegment::Field(key)) {
                return;
            }
        }
    }
    json.text.push('}');
}

/// JSON text, and the values in it that have no representation.
#[derive(Default)]
pub struct JsonWriter {
    pub(super) text: String,
    pub(super) max_bytes: usize,
    /// Whether the value that is written last has failed, and no nullable value contains it.
    pub(super) failed: bool,
    /// The paths of failed values, from the inside to the outside.
    pub(super) failures: Vec<Vec<PathSegment>>,
}

/// The maximum size of what a list reserves.
const MAX_RESERVED_BYTES: usize = 256 * 1024;

/// The size of an error in a response without its message.
const ERROR_BYTES: usize = 128;

impl JsonWriter {
    /// Writes a string (RFC 8259, section 7).
    pub fn string(&mut self, text: &str) {
        let json = &mut self.text;
        json.push('"');
        if has_escapes(text) {
            for letter in text.chars() {
                match letter {
                    '"' => json.push_str("\\\""),
                    '\\' => json.push_str("\\\\"),
                    '\n' => json.push_str("\\n"),
                    '\r' => json.push_str("\\r"),
                    '\t' => json.push_str("\\t"),
                    '\u{8}' => json.push_str("\\b"),
                    '\u{c}' => json.push_str("\\f"),
                    '\0'..' ' => self::write(json, format_args!("\\u{:04x}", u32::from(letter))),
                    _ => json.push(letter),
                }
            }
        } else {
            json.push_str(text);
        }
        json.push('"');
    }

    /// Writes an integer: `fmt` takes as long as the rest of a small object.
    fn integer(&mut self, number: i64) {
        let (mut digits, mut start) = ([b'0'; 20], 20);
        let mut rest = number.unsigned_abs();
        while rest > 0 || start == digits.len() {
            start -= 1;
            digits[start] = b"0123456789"[(rest % 10) as usize];
            rest /= 10;
        }
        if number < 0 {
            self.text.push('-');
        }
        let digits = str::from_utf8(&digits[start..]);
        self.text.push_str(digits.expect("digits are ASCII"));
    }

    /// Writes the value of a scalar.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Number(number) => write(&mut self.text, format_args!("{number}")),
            Value::String(text) => self.string(text),
            Value::Enum(name) => self.string(name),
            Value::Boolean(value) => value.write(&Plan::Leaf, self),
            Value::Binary(bytes) => {
                let bytes: Vec<_> = bytes.iter().map(|byte| i32::from(*byte)).collect();
                bytes.write(&Plan::Leaf, self);
            }
            Value::List(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.value(item);
                }
                self.text.push(']');
            }
            Value::Object(members) => {
                self.text.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.string(key);
                    self.text.push(':');
                    self.value(member);
                }
                self.text.push('}');
            }
        }
    }

    /// Whether something is not as usual: a value failed, or the maximum size is exceeded.
    fn stops(&self) -> bool {
        !self.failures.is_empty() || self.text.len() > self.max_bytes
    }

    /// Adds the segment to the paths of the values that failed in it, and returns whether nothing more is written.
    #[cold]
    fn stop(&mut self, failures: usize, segment: &PathSegment) -> bool {
        for path in &mut self.failures[failures..] {
            path.push(segment.clone());
        }
        let errors = self.failures.len() * ERROR_BYTES;
        self.failed || self.text.len().saturating_add(errors) > self.max_bytes
    }
}

/// Whether a character must be escaped. Without an early end, so that it is vectorized.
fn has_escapes(text: &str) -> bool {
    let must_escape = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    text.bytes().fold(false, |any, byte| any | must_escape(byte))
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a text can be written");
}

impl<T: WriteJson> WriteJson for Option<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        let start = json.text.len();
        if let Some(value) = self {
            value.write(plan, json);
            if !json.failed {
                return;
            }
            // The failed value propagates to here (GraphQL specification, section 6.4.4).
            json.failed = false;
            json.text.truncate(start);
        }
        json.text.push_str("null");
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        json.text.push('[');
        let start = json.text.len();
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                json.text.push(',');
            }
            let failures = json.failures.len();
            item.write(plan, json);
            if index == 0 {
                // The other items are probably as long as the first one.
                let rest = (json.text.len() - start + 1).saturating_mul(self.len() - 1);
                json.text.reserve(rest.min(MAX_RESERVED_BYTES));
            }
            if json.stops() && json.stop(failures, &PathSegment::Index(index)) {
                return;
            }
        }
        json.text.push(']');
    }
}

impl<T: WriteJson> WriteJson for Box<T> {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        T::write(self, plan, json);
    }
}

impl<T: WriteJson> WriteJson for &T {
    fn plan(selections: &Selections<'_>) -> Plan {
        T::plan(selections)
    }

    fn write(&self, plan: &Plan, json: &mut JsonWriter) {
        T::write(self, plan, json);
    }
}

impl WriteJson for String {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.string(self);
    }
}

impl WriteJson for ID {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.string(self);
    }
}

impl WriteJson for bool {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.text.push_str(if *self { "true" } else { "false" });
    }
}

impl WriteJson for i32 {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        json.integer((*self).into());
    }
}

impl WriteJson for f64 {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        if self.is_finite() {
            write(&mut json.text, format_args!("{self:?}"));
        } else {
            json.failed = true;
            json.failures.push(Vec::new());
        }
    }
}

/// A `String` or an `ID` that a getter returns.
#[derive(Clone)]
pub enum Text<'a> {
    /// A part of the object.
    Borrowed(&'a str),
    /// A computed text.
    Owned(String),
    /// An integer in decimal, as a text.
    Integer(i64),
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self::Borrowed(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self::Owned(text)
    }
}

impl WriteJson for Text<'_> {
    fn write(&self, _: &Plan, json: &mut JsonWriter) {
        match self {
            Self::Borrowed(text) => json.string(text),
            Self::Owned(text) => json.string(text),
            Self::Integer(number) => {
                json.text.push('"');
                json.integer(*number);
                json.text.push('"');
            }
        }
    }
}
