//! Random schemas, composed of edits of the kitchen sink, and random documents for a schema.

use std::fmt::Write;

use apollo_compiler::{
    Node, Schema,
    ast::{InputValueDefinition, OperationType, Type},
    schema::ExtendedType,
};

/// A generator of pseudorandom numbers (`SplitMix64`).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// The edits that several edited texts have, line by line; the first edit of a line wins.
pub(crate) fn composed(base: &str, edits: &[&String]) -> String {
    let lines = base.lines().enumerate().map(|(index, line)| {
        let mut edited = edits.iter().filter_map(|edit| edit.lines().nth(index));
        edited.find(|edited| *edited != line).unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A random document with one operation, which is mostly valid under the schema.
pub(crate) fn document(schema: &Schema, random: &mut Random) -> String {
    let mut writer = Writer { schema, random, variables: Vec::new(), fragments: Vec::new(), fragment_count: 0 };
    let kinds = [OperationType::Query, OperationType::Query, OperationType::Query, OperationType::Mutation];
    let kind = *writer.random.choose(&kinds);
    let (kind, root) = match schema.root_operation(kind) {
        Some(root) => (kind, root),
        None => (OperationType::Query, schema.root_operation(OperationType::Query).unwrap()),
    };
    let selections = writer.selections(root, 0);
    let mut text = kind.name().to_owned();
    if !writer.variables.is_empty() {
        let _ = write!(text, "({})", writer.variables.join(" "));
    }
    if writer.random.percent(10) {
        text.push_str(" @trace");
    }
    text.push_str(&selections);
    text + &writer.fragments.concat()
}

struct Writer<'a> {
    schema: &'a Schema,
    random: &'a mut Random,
    variables: Vec<String>,
    fragments: Vec<String>,
    fragment_count: usize,
}

impl Writer<'_> {
    fn selections(&mut self, ty: &str, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        let selections: Vec<String> = (0..count).map(|_| self.selection(ty, depth)).collect();
        format!(" {{ {} }}", selections.join(" "))
    }

    fn selection(&mut self, ty: &str, depth: usize) -> String {
        let fields = match &self.schema.types[ty] {
            ExtendedType::Object(object) => Some(&object.fields),
            ExtendedType::Interface(interface) => Some(&interface.fields),
            _ => None,
        };
        if depth < 4 && self.random.percent(if fields.is_some() { 20 } else { 90 }) {
            let conditions = ["Book", "Car", "Named", "Node", "Found", "Boat"];
            let other = conditions[self.random.below(conditions.len())];
            let is_known = self.schema.types.get(other).is_some_and(is_composite);
            let condition = if is_known { other } else { ty };
            let selections = self.selections(condition, depth + 1);
            if self.random.percent(50) {
                return format!("... on {condition}{selections}");
            }
            let name = format!("F{}", self.fragment_count);
            self.fragment_count += 1;
            self.fragments.push(format!("\nfragment {name} on {condition}{selections}"));
            return format!("...{name}");
        }
        let Some(fields) = fields.filter(|_| !self.random.percent(5)) else {
            return "__typename".to_owned();
        };
        let (name, field) = fields.get_index(self.random.below(fields.len())).unwrap();
        let mut text = match self.random.below(10) {
            0 => format!("x: {name}"),
            1 => format!("y: {name}"),
            _ => name.to_string(),
        };
        text.push_str(&self.arguments(&field.arguments, 70));
        match self.random.below(20) {
            0 => text.push_str(" @include(if: true)"),
            1 => text.push_str(" @trace(depth: 3)"),
            2 => text.push_str(" @trace @trace"),
            _ => {}
        }
        let output = field.ty.inner_named_type();
        if is_composite(&self.schema.types[output]) {
            let selections = if depth < 4 { self.selections(output, depth + 1) } else { " { __typename }".to_owned() };
            text.push_str(&selections);
        }
        text
    }

    fn arguments(&mut self, arguments: &[Node<InputValueDefinition>], chance: usize) -> String {
        let mut given = Vec::new();
        for argument in arguments {
            if self.random.percent(if argument.is_required() { 98 } else { chance }) {
                let value = self.value(&argument.ty, 0);
                given.push(format!("{}: {value}", argument.name));
            }
        }
        if given.is_empty() {
            return String::new();
        }
        format!("({})", given.join(", "))
    }

    fn value(&mut self, ty: &Type, depth: usize) -> String {
        if self.random.percent(25) {
            return self.variable(ty);
        }
        self.literal(ty, depth)
    }

    /// A variable of the type, or of a similar one.
    fn variable(&mut self, ty: &Type) -> String {
        let name = format!("$v{}", self.variables.len());
        let ty = match self.random.below(5) {
            0 => ty.clone().nullable(),
            1 => ty.clone().non_null(),
            2 if ty.is_list() => ty.item_type().clone(),
            _ => ty.clone(),
        };
        // The variable is added before its default value, which has none.
        let default = match self.random.below(8) {
            0 => " = null".to_owned(),
            1 if !matches!(&self.schema.types[ty.inner_named_type()], ExtendedType::InputObject(_)) => {
                format!(" = {}", self.literal_without_variables(&ty))
            }
            _ => String::new(),
        };
        self.variables.push(format!("{name}: {ty}{default}"));
        name
    }

    fn non_null_variable(&mut self, ty: &Type) -> String {
        let name = format!("$v{}", self.variables.len());
        self.variables.push(format!("{name}: {}", ty.clone().non_null()));
        name
    }

    fn literal_without_variables(&mut self, ty: &Type) -> String {
        let count = self.variables.len();
        loop {
            let literal = self.literal(ty, 3);
            if self.variables.len() == count {
                return literal;
            }
            self.variables.truncate(count);
        }
    }

    fn literal(&mut self, ty: &Type, depth: usize) -> String {
        if self.random.percent(if ty.is_non_null() { 2 } else { 8 }) {
            return "null".to_owned();
        }
        if ty.is_list() && self.random.percent(85) {
            let count = self.random.below(3);
            let item = ty.item_type();
            let items: Vec<String> = (0..count).map(|_| self.value(item, depth + 1)).collect();
            return format!("[{}]", items.join(", "));
        }
        let name = ty.inner_named_type();
        match &self.schema.types[name] {
            ExtendedType::Enum(definition) => {
                let index = self.random.below(definition.values.len());
                definition.values.get_index(index).unwrap().0.to_string()
            }
            ExtendedType::InputObject(input) => {
                let is_one_of = input.directives.has("oneOf") && self.random.percent(90);
                let is_strict = input.directives.has("oneOf") && ty.is_non_null();
                let only = self.random.below(input.fields.len());
                let mut given = Vec::new();
                for (index, field) in input.fields.values().enumerate() {
                    let chance = match (is_one_of, index == only) {
                        (true, is_only) => 100 * usize::from(is_only),
                        _ if field.is_required() => 98,
                        _ => 40 / (depth + 1),
                    };
                    if self.random.percent(chance) {
                        // graphql-js validates nullable variables only if the object is nullable.
                        let value = if is_strict && self.random.percent(25) {
                            self.non_null_variable(&field.ty)
                        } else if is_strict {
                            self.literal(&field.ty, depth + 1)
                        } else {
                            self.value(&field.ty, depth + 1)
                        };
                        given.push(format!("{}: {value}", field.name));
                    }
                }
                format!("{{{}}}", given.join(", "))
            }
            _ => {
                let literals: &[&str] = match name.as_str() {
                    "Int" => &["1", "7", "-3"],
                    "Float" => &["1", "1.5"],
                    "Boolean" => &["true", "false"],
                    "ID" => &["1", "\"a\""],
                    "String" => &["\"a\"", "\"\"\"b\"\"\""],
                    _ => &["1", "\"a\"", "1.5", "true", "{a: [1]}", "[1]", "NAME"],
                };
                (*self.random.choose(literals)).to_owned()
            }
        }
    }
}

fn is_composite(ty: &ExtendedType) -> bool {
    matches!(ty, ExtendedType::Object(_) | ExtendedType::Interface(_) | ExtendedType::Union(_))
}
