//! Limits of the text, the tree and the cost of a document. An error reports the name of the limit, its value,
//! and the actual value.

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection};

use super::merged_size::MergedSize;
use crate::{
    error_code::ErrorCode,
    error_facts::{ErrorFacts, ExceededLimit},
    response::{Refused, refused_with},
};

/// The limits of one document.
#[derive(Clone, Debug)]
pub struct DocumentLimits {
    /// The size of its text in bytes, also with fragments expanded.
    pub query_bytes: u32,
    /// The number of its tokens, including white space, and of its selections with fragments expanded.
    pub tokens: u32,
    /// The depth of nested selection sets, with fragments expanded.
    pub depth: u32,
    /// The number of aliases.
    pub aliases: u32,
    /// The number of root fields of an operation, with fragments expanded.
    pub root_fields: u32,
    /// The number of directives at one location.
    pub directives: u32,
    /// The number of fragments, named and inline.
    pub fragments: u32,
    /// The depth of nested selection sets of `__schema` and `__type`, with fragments expanded.
    pub introspection_depth: u32,
    /// The cost of an operation: the number of its fields, multiplied by the maximum length of their lists;
    /// introspection fields count as often as they are resolved.
    pub cost: u32,
    /// The size in bytes of the response.
    pub response_bytes: u32,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        Self {
            query_bytes: 65_536,
            tokens: 4000,
            depth: 20,
            aliases: 100,
            root_fields: 100,
            directives: 10,
            fragments: 100,
            introspection_depth: 20,
            cost: 100_000,
            response_bytes: 8 * 1024 * 1024,
        }
    }
}

impl DocumentLimits {
    /// The names of the limits.
    pub const NAMES: [&'static str; 10] = [
        "query-limit-bytes",
        "token-limit",
        "depth-limit",
        "alias-limit",
        "root-field-limit",
        "directive-limit",
        "fragment-limit",
        "introspection-depth-limit",
        "cost-limit",
        "response-limit-bytes",
    ];

    /// Checks the limits of the text, before it is parsed.
    pub(super) fn check_text(&self, text: &str) -> Result<(), Refused> {
        let actual = text.len();
        check("query-limit-bytes", self.query_bytes, actual)
    }

    /// Checks the number of tokens. Parsing stops after the limit, so `reached` is a lower bound.
    pub(super) fn check_tokens(&self, reached: usize) -> Result<(), Refused> {
        let actual = reached.min(self.tokens as usize + 1);
        check("token-limit", self.tokens, actual)
    }

    /// Checks the limits of the tree, before it is validated.
    pub(super) fn check_tree(&self, document: &Document) -> Result<(), Refused> {
        let measurement = Measurement::of(document);
        let size = measurement.size;
        for (name, limit, actual) in [
            ("alias-limit", self.aliases, measurement.aliases),
            ("directive-limit", self.directives, measurement.directives),
            ("fragment-limit", self.fragments, measurement.fragments),
            ("depth-limit", self.depth, size.depth),
            ("root-field-limit", self.root_fields, size.fields),
            (
                "introspection-depth-limit",
                self.introspection_depth,
                size.introspection_depth,
            ),
        ] {
            check(name, limit, actual)?;
        }
        Ok(())
    }

    /// The maximum size of a merged operation of a document with a text of this size. If the document uses each fragment
    /// once, it is smaller.
    pub(super) fn merged_size(&self, text_bytes: u64) -> MergedSize {
        MergedSize {
            selections: self.tokens.into(),
            bytes: text_bytes.max(self.query_bytes.into()),
        }
    }

    /// Checks the size of a merged operation. Merging stops after the maximum, so the size is a lower bound.
    pub(super) fn check_merged(&self, size: MergedSize, max: MergedSize) -> Result<(), Refused> {
        let limits = [
            ("token-limit", self.tokens, size.selections, max.selections),
            ("query-limit-bytes", self.query_bytes, size.bytes, max.bytes),
        ];
        for (name, limit, actual, max) in limits {
            if actual > max {
                let message = format!(
                    "the query exceeds {name} with its fragments expanded ({actual}, limit {limit})"
                );
                return Err(limit_exceeded(message, name, limit, Some(actual)));
            }
        }
        Ok(())
    }

    /// Checks the cost of an operation with its variables.
    pub(crate) fn check_cost(&self, cost: u64) -> Result<(), Refused> {
        let actual = usize::try_from(cost).unwrap_or(usize::MAX);
        check("cost-limit", self.cost, actual)
    }

    /// The maximum cost of introspection, given the cost of the other fields.
    pub(crate) fn remaining_cost(&self, cost: u64) -> u64 {
        u64::from(self.cost).saturating_sub(cost)
    }

    /// The error for a response that exceeds the size limit.
    pub(crate) fn response_too_large(&self) -> Refused {
        let (name, value) = ("response-limit-bytes", self.response_bytes);
        let message =
            format!("the response exceeds {name} ({value} bytes); request fewer items or fields");
        limit_exceeded(message, name, value, None)
    }

    /// The error for a mutation whose estimated response exceeds the size limit.
    pub(crate) fn mutation_response_too_large(&self) -> Refused {
        let (name, value) = ("response-limit-bytes", self.response_bytes);
        let message = format!(
            "the response could exceed {name} ({value} bytes), so the mutation was not executed; request fewer items or \
             fields"
        );
        limit_exceeded(message, name, value, None)
    }
}

fn check(name: &'static str, limit: u32, actual: usize) -> Result<(), Refused> {
    if actual <= limit as usize {
        return Ok(());
    }
    let message = format!("the query exceeds {name} ({actual}, limit {limit})");
    Err(limit_exceeded(message, name, limit, Some(actual as u64)))
}

fn limit_exceeded(message: String, name: &'static str, value: u32, actual: Option<u64>) -> Refused {
    let value = value.into();
    let limit = ExceededLimit {
        name,
        value,
        actual,
    };
    let code = ErrorCode::LimitExceeded;
    let facts = ErrorFacts {
        limit: Some(limit),
        ..ErrorFacts::of_code(code)
    };
    refused_with(code, vec![facts.into_server_error(message)])
}

/// The size of a selection set with its fragments expanded.
#[derive(Clone, Copy, Default)]
struct Size {
    depth: usize,
    fields: usize,
    introspection_depth: usize,
}

impl Size {
    /// The maximum of each size, and another number of fields.
    fn max(self, other: Self, fields: usize) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            fields,
            introspection_depth: self.introspection_depth.max(other.introspection_depth),
        }
    }
}

/// The numbers of a document, without expanding fragments, and the largest sizes of its operations.
#[derive(Default)]
struct Measurement<'a> {
    aliases: usize,
    /// At one location.
    directives: usize,
    fragments: usize,
    size: Size,
    /// The selections of the fragments.
    selections: HashMap<&'a str, &'a [Selection]>,
    /// The sizes of measured fragments. Each is measured and counted once, because expanding nested fragments takes
    /// exponential time.
    fragment_sizes: HashMap<&'a str, Size>,
}

impl<'a> Measurement<'a> {
    fn of(document: &'a Document) -> Self {
        let definitions = || document.definitions.iter();
        let selections = definitions().filter_map(|definition| match definition {
            Definition::FragmentDefinition(fragment) => {
                Some((fragment.name.as_str(), &*fragment.selection_set))
            }
            _ => None,
        });
        let mut measurement = Self {
            selections: selections.collect(),
            ..Self::default()
        };
        for definition in definitions() {
            measurement.count_directives(definition.directives());
            match definition {
                Definition::OperationDefinition(operation) => {
                    let size = measurement.size(&operation.selection_set);
                    let fields = measurement.size.fields.max(size.fields);
                    measurement.size = measurement.size.max(size, fields);
                }
                Definition::FragmentDefinition(fragment) => {
                    measurement.fragments += 1;
                    measurement.fragment(&fragment.name);
                }
                _ => {}
            }
        }
        measurement
    }

    fn count_directives(&mut self, directives: &DirectiveList) {
        self.directives = self.directives.max(directives.len());
    }

    /// Also counts the aliases, directives and inline fragments. The parser bounds the recursion.
    fn size(&mut self, selections: &'a [Selection]) -> Size {
        let mut size = Size::default();
        for selection in selections {
            let inner = match selection {
                Selection::Field(field) => {
                    self.count_directives(&field.directives);
                    self.aliases += usize::from(field.alias.is_some());
                    let nested = self.size(&field.selection_set);
                    let depth = nested.depth + usize::from(!field.selection_set.is_empty());
                    let introspects = matches!(field.name.as_str(), "__schema" | "__type");
                    Size {
                        // The depth of introspection has a separate limit.
                        depth: if introspects { 0 } else { depth },
                        fields: 1,
                        introspection_depth: if introspects {
                            depth
                        } else {
                            nested.introspection_depth
                        },
                    }
                }
                Selection::InlineFragment(fragment) => {
                    self.count_directives(&fragment.directives);
                    self.fragments += 1;
                    self.size(&fragment.selection_set)
                }
                Selection::FragmentSpread(spread) => {
                    self.count_directives(&spread.directives);
                    self.fragment(&spread.fragment_name)
                }
            };
            size = size.max(inner, size.fields.saturating_add(inner.fields));
        }
        size
    }

    fn fragment(&mut self, name: &'a str) -> Size {
        if let Some(size) = self.fragment_sizes.get(name) {
            return *size;
        }
        let Some(selections) = self.selections.get(name).copied() else {
            return Size::default();
        };
        // A fragment in its own cycle counts as empty; validation refuses cycles.
        self.fragment_sizes.insert(name, Size::default());
        let size = self.size(selections);
        self.fragment_sizes.insert(name, size);
        size
    }
}
