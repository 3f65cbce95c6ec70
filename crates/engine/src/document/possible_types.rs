//! The object types to which selections apply.

use std::rc::Rc;

use apollo_compiler::{
    Name, Schema,
    collections::HashMap,
    schema::{ExtendedType, Implementers},
};

/// The object types to which a selection applies.
pub(super) type Types<'a> = Rc<[&'a str]>;

/// The possible types of the types of a contract.
#[derive(Clone, Copy)]
pub(super) struct PossibleTypes<'a> {
    pub(super) schema: &'a Schema,
    pub(super) implementers: &'a HashMap<Name, Implementers>,
}

impl<'a> PossibleTypes<'a> {
    /// The types that fulfil a type condition, if there are any.
    pub(super) fn narrowed(
        &self,
        types: &Types<'a>,
        condition: &str,
        mut apply: impl FnMut(&Types<'a>),
    ) {
        let fulfils = |ty: &&&str| self.fulfils(ty, condition);
        let fulfilling = types.iter().filter(fulfils).count();
        if fulfilling == types.len() {
            apply(types);
        } else if fulfilling > 0 {
            apply(&types.iter().filter(fulfils).copied().collect());
        }
    }

    /// Whether a type condition applies to an object type (`DoesFragmentTypeApply`, GraphQL specification, section
    /// 6.3.2).
    fn fulfils(&self, object: &str, condition: &str) -> bool {
        object == condition || self.schema.is_subtype(condition, object)
    }

    /// The possible types of a type (`GetPossibleTypes`, GraphQL specification, section 5.5.2.3).
    pub(super) fn possible(&self, parent: &'a str) -> Types<'a> {
        match self.schema.types.get(parent) {
            Some(ExtendedType::Interface(_)) => {
                let implementers = self.implementers.get(parent).into_iter();
                let objects = implementers.flat_map(|types| &types.objects);
                objects.map(|ty| &**ty).collect()
            }
            Some(ExtendedType::Union(union)) => {
                union.members.iter().map(|member| member.as_str()).collect()
            }
            _ => Rc::new([parent]),
        }
    }
}
