//! What the root fields of an operation ask for, worked out before it is executed, and once for all
//! requests that bring the same document.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_graphql::{
    Context, Name, Positioned, ServerResult, Value,
    parser::types::{Selection, SelectionSet},
};

use super::plain::{Fragments, Plain, Plan};

/// A root type of the contract.
pub trait Root {
    /// Plans the answer of a field, unless it has resolvers of its own or is not of the contract.
    #[doc(hidden)]
    fn plan(
        field: &str,
        fragments: &Fragments,
        selections: &[&SelectionSet],
    ) -> Option<ServerResult<Plan>>;
}

/// The plans of the root fields of an operation.
///
/// A request that has them among its data, as `Arc<Plans>`, is answered with JSON text for these
/// fields: as binary values, which `write_value` writes as they are.
#[derive(Default)]
pub struct Plans(Vec<Planned>);

/// The plan of one root field.
pub(crate) struct Planned {
    key: Name,
    plan: Plan,
    /// How many bytes the last answer had: the next one will be much the same.
    bytes: AtomicUsize,
}

impl Plans {
    /// Plans what these root fields ask for, of which no two may have the same response key, and takes
    /// the selection sets away that are planned. What `@skip` and `@include` leave out must be gone.
    pub fn take<T: Root>(
        fields: &mut [Positioned<Selection>],
        fragments: &Fragments,
    ) -> ServerResult<Self> {
        let mut plans = Vec::with_capacity(fields.len());
        for selection in fields {
            let Selection::Field(field) = &mut selection.node else {
                continue;
            };
            let field = &mut field.node;
            let selections = &mut field.selection_set.node;
            if let Some(plan) = T::plan(&field.name.node, fragments, &[selections]) {
                selections.items.clear();
                plans.push(Planned {
                    plan: plan?,
                    key: field.response_key().node.clone(),
                    bytes: AtomicUsize::new(0),
                });
            }
        }
        Ok(Self(plans))
    }

    /// The plan for this field of this request.
    pub(crate) fn find<'a>(ctx: &Context<'a>) -> Option<&'a Planned> {
        let plans: &'a Arc<Self> = ctx.data_opt()?;
        let key = &ctx.item.node.response_key().node;
        plans.0.iter().find(|planned| planned.key == *key)
    }
}

impl Planned {
    /// The answer as JSON text.
    pub(crate) fn json(&self, answer: &impl Plain) -> Value {
        // Somewhat more: growing by a few bytes would cost a second buffer.
        let before = self.bytes.load(Ordering::Relaxed);
        let mut json = Vec::with_capacity(before + before / 8 + 32);
        answer.write(&self.plan, &mut json);
        self.bytes.store(json.len(), Ordering::Relaxed);
        Value::Binary(json.into())
    }
}
