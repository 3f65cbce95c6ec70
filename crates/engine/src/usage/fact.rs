//! Facts: how a coordinate of the contract is used.

use std::collections::BTreeSet;

use schema::UseFact;

/// The index of a fact: three for each coordinate.
pub(crate) type Fact = u32;

pub(super) fn fact(coordinate: u32, fact: UseFact) -> Fact {
    coordinate * 3 + fact as u32
}

/// The facts that depend on the value of a variable.
pub(crate) struct VariableUse {
    pub(super) name: String,
    /// If it is omitted.
    pub(super) omitted: Box<[Fact]>,
    /// If it is null.
    pub(super) null: Box<[Fact]>,
    /// The named type of its values.
    pub(super) ty: String,
}

/// Facts that apply to a request.
pub(crate) type FactSet = BTreeSet<Fact>;
