//! Counts what makes a document expensive to validate. The parser bounds the recursion.

use apollo_compiler::ast::{Definition, DirectiveList, Document, Selection};

use crate::{
    error::{RequestError, exceeded},
    settings::Limits,
};

#[derive(Default)]
struct Counts {
    aliases: u64,
    fragments: u64,
    /// At one location.
    directives: u64,
}

/// Checks the numbers of aliases, directives and fragments of a document.
pub(super) fn check(document: &Document, limits: &Limits) -> Result<(), RequestError> {
    let mut counts = Counts::default();
    for definition in &document.definitions {
        counts.directives(definition.directives());
        match definition {
            Definition::OperationDefinition(operation) => counts.add(&operation.selection_set),
            Definition::FragmentDefinition(fragment) => {
                counts.fragments += 1;
                counts.add(&fragment.selection_set);
            }
            _ => {}
        }
    }
    exceeded("alias-limit", limits.aliases, counts.aliases)?;
    exceeded("directive-limit", limits.directives, counts.directives)?;
    exceeded("fragment-limit", limits.fragments, counts.fragments)
}

impl Counts {
    fn add(&mut self, selections: &[Selection]) {
        for selection in selections {
            match selection {
                Selection::Field(field) => {
                    self.aliases += u64::from(field.alias.is_some());
                    self.directives(&field.directives);
                    self.add(&field.selection_set);
                }
                Selection::InlineFragment(inline) => {
                    self.fragments += 1;
                    self.directives(&inline.directives);
                    self.add(&inline.selection_set);
                }
                Selection::FragmentSpread(spread) => self.directives(&spread.directives),
            }
        }
    }

    fn directives(&mut self, directives: &DirectiveList) {
        self.directives = self.directives.max(directives.len() as u64);
    }
}
