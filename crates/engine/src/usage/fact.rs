//! Facts: how a coordinate of the contract is used.

use schema::UseFact;

/// The index of a fact: three for each coordinate.
pub(super) type Fact = u32;

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

/// Facts as a bit set, which is empty until there is one.
#[derive(Default)]
pub(crate) struct FactSet(Box<[u64]>);

impl FactSet {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds facts of a contract with this number of coordinates.
    pub(super) fn insert(&mut self, facts: &[Fact], coordinates: usize) {
        if facts.is_empty() {
            return;
        }
        if self.0.is_empty() {
            let bits = coordinates * UseFact::ALL.len();
            self.0 = vec![0; bits.div_ceil(64)].into_boxed_slice();
        }
        for fact in facts {
            self.0[*fact as usize / 64] |= 1 << (fact % 64);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Fact> {
        let words = (0..).step_by(64).zip(&self.0);
        words.flat_map(|(first, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| first + bit)
        })
    }
}
