//! What a document may ask for before anybody looks at what it means: limits on its text and its
//! tree, each refused with its name, its value and the value of the request.

use std::collections::HashMap;

use apollo_compiler::ast::{Definition, Document, OperationDefinition, Selection};
use async_graphql::{ServerError, value};

use super::Rejected;
use crate::graphql::error_code::ErrorCode;

/// The limits of one document.
#[derive(Clone, Debug)]
pub struct DocumentLimits {
    /// Bytes of its text.
    pub query_bytes: u32,
    /// Tokens of its text, white space between them counted.
    pub tokens: u32,
    /// Nested selection sets, fragments written out.
    pub depth: u32,
    /// Fields that are given another name.
    pub aliases: u32,
    /// Fields of the root type in one operation, fragments written out.
    pub root_fields: u32,
    /// Directives at one place.
    pub directives: u32,
    /// Fragments, named ones and inline ones.
    pub fragments: u32,
    /// Nested selection sets below `__schema` and `__type`, fragments written out.
    pub introspection_depth: u32,
    /// Fields of one operation, below a list counted as often as the list may be long.
    pub cost: u32,
    /// Whether a limit that is exceeded is an error.
    pub mode: LimitsMode,
}

/// What happens when a limit is exceeded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LimitsMode {
    /// The request is refused.
    Enforce,
    /// The request is executed, and the limit and its values are logged.
    Log,
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
            mode: LimitsMode::Enforce,
        }
    }
}

impl DocumentLimits {
    /// Each limit's name, value and unit.
    pub fn list(&self) -> [(&'static str, u32, &'static str); 9] {
        [
            ("query-limit-bytes", self.query_bytes, "bytes"),
            ("token-limit", self.tokens, "tokens"),
            ("depth-limit", self.depth, "selection sets"),
            ("alias-limit", self.aliases, "aliases"),
            ("root-field-limit", self.root_fields, "fields"),
            (
                "directive-limit",
                self.directives,
                "directives at one place",
            ),
            ("fragment-limit", self.fragments, "fragments"),
            (
                "introspection-depth-limit",
                self.introspection_depth,
                "selection sets",
            ),
            ("cost-limit", self.cost, "fields"),
        ]
    }

    /// Checks what is known before parsing.
    pub(super) fn check_text(&self, text: &str) -> Result<(), Rejected> {
        self.check("query-limit-bytes", self.query_bytes, text.len())
    }

    /// Parsing stops behind the limit, so the number is at least so many.
    pub(super) fn check_tokens(&self, reached: usize) -> Result<(), Rejected> {
        // Whatever is not parsed can't be executed: this limit is always enforced.
        let known = reached.min(self.tokens as usize + 1);
        exceeded("token-limit", self.tokens, known).map_or(Ok(()), Err)
    }

    /// Checks what is known before validating.
    pub(super) fn check_tree(&self, document: &Document) -> Result<(), Rejected> {
        let mut measured = Measured::of(document);
        for definition in &document.definitions {
            if let Definition::OperationDefinition(operation) = definition {
                measured.operation(operation);
            }
        }
        let Tree {
            aliases,
            directives,
            fragments,
            depth,
            root_fields,
            introspection_depth,
            ..
        } = measured.tree;
        self.check("alias-limit", self.aliases, aliases)?;
        self.check("directive-limit", self.directives, directives)?;
        self.check("fragment-limit", self.fragments, fragments)?;
        self.check("depth-limit", self.depth, depth)?;
        self.check("root-field-limit", self.root_fields, root_fields)?;
        self.check(
            "introspection-depth-limit",
            self.introspection_depth,
            introspection_depth,
        )
    }

    /// Checks what is known of an operation with its variables.
    pub(in crate::graphql) fn check_cost(&self, cost: u64) -> Result<(), Rejected> {
        self.check(
            "cost-limit",
            self.cost,
            usize::try_from(cost).unwrap_or(usize::MAX),
        )
    }

    fn check(&self, name: &'static str, limit: u32, actual: usize) -> Result<(), Rejected> {
        match exceeded(name, limit, actual) {
            None => Ok(()),
            Some(rejected) if self.mode == LimitsMode::Enforce => Err(rejected),
            Some(_) => {
                tracing::warn!(limit = name, value = limit, actual, "a limit is exceeded");
                Ok(())
            }
        }
    }
}

fn exceeded(name: &'static str, limit: u32, actual: usize) -> Option<Rejected> {
    if actual <= limit as usize {
        return None;
    }
    let mut error = ServerError::new(
        format!("{name} is {limit} at this server, the query has {actual}"),
        None,
    );
    let extensions = error.extensions.get_or_insert_default();
    extensions.set(
        "limit",
        value!({ "name": name, "value": limit, "actual": actual }),
    );
    Some(Rejected {
        code: ErrorCode::LimitExceeded,
        errors: vec![error],
    })
}

/// What the limits are about.
#[derive(Clone, Copy, Default)]
struct Tree {
    aliases: usize,
    directives: usize,
    fragments: usize,
    depth: usize,
    root_fields: usize,
    introspection_depth: usize,
}

/// How large a selection set is with its fragments written out.
#[derive(Clone, Copy, Default)]
struct Size {
    depth: usize,
    fields: usize,
    introspection_depth: usize,
}

struct Measured<'a> {
    fragments: HashMap<&'a str, &'a [Selection]>,
    /// Each fragment is measured once: written out, fragments in fragments grow exponentially.
    known: HashMap<&'a str, Size>,
    tree: Tree,
}

impl<'a> Measured<'a> {
    fn of(document: &'a Document) -> Self {
        let mut fragments = HashMap::new();
        let mut tree = Tree::default();
        for definition in &document.definitions {
            tree.directives = tree.directives.max(definition.directives().len());
            if let Definition::FragmentDefinition(fragment) = definition {
                fragments.insert(fragment.name.as_str(), &*fragment.selection_set);
                tree.fragments += 1;
            }
        }
        let mut measured = Self {
            fragments,
            known: HashMap::new(),
            tree,
        };
        for fragment in measured.fragments.values().copied().collect::<Vec<_>>() {
            measured.count(fragment);
        }
        measured
    }

    fn operation(&mut self, operation: &'a OperationDefinition) {
        self.count(&operation.selection_set);
        let size = self.size(&operation.selection_set);
        self.tree.depth = self.tree.depth.max(size.depth);
        self.tree.root_fields = self.tree.root_fields.max(size.fields);
        self.tree.introspection_depth = self.tree.introspection_depth.max(size.introspection_depth);
    }

    /// Counts what stands in the text. The parser has bounded how deep this goes.
    fn count(&mut self, selections: &[Selection]) {
        for selection in selections {
            let directives = match selection {
                Selection::Field(field) => {
                    self.tree.aliases += usize::from(field.alias.is_some());
                    self.count(&field.selection_set);
                    &field.directives
                }
                Selection::InlineFragment(fragment) => {
                    self.tree.fragments += 1;
                    self.count(&fragment.selection_set);
                    &fragment.directives
                }
                Selection::FragmentSpread(spread) => &spread.directives,
            };
            self.tree.directives = self.tree.directives.max(directives.len());
        }
    }

    fn size(&mut self, selections: &'a [Selection]) -> Size {
        let mut size = Size::default();
        for selection in selections {
            let inner = match selection {
                Selection::Field(field) => {
                    let below = self.size(&field.selection_set);
                    let depth = below.depth + usize::from(!field.selection_set.is_empty());
                    let introspects = matches!(field.name.as_str(), "__schema" | "__type");
                    Size {
                        // The depth of introspection has a limit of its own.
                        depth: if introspects { 0 } else { depth },
                        fields: 1,
                        introspection_depth: if introspects {
                            depth
                        } else {
                            below.introspection_depth
                        },
                    }
                }
                Selection::InlineFragment(fragment) => self.size(&fragment.selection_set),
                Selection::FragmentSpread(spread) => self.fragment(spread.fragment_name.as_str()),
            };
            size.depth = size.depth.max(inner.depth);
            size.fields = size.fields.saturating_add(inner.fields);
            size.introspection_depth = size.introspection_depth.max(inner.introspection_depth);
        }
        size
    }

    fn fragment(&mut self, name: &'a str) -> Size {
        if let Some(size) = self.known.get(name) {
            return *size;
        }
        let Some(selections) = self.fragments.get(name).copied() else {
            return Size::default();
        };
        // In a circle of fragments the inner ones count nothing; validation refuses it.
        self.known.insert(name, Size::default());
        let size = self.size(selections);
        self.known.insert(name, size);
        size
    }
}
