//! The orders of the vehicles on pages.

/// The order of the vehicles on pages. The number of an order is part of its cursors and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VehicleOrder {
    /// By id, lowest first.
    IdAsc = 0,
    /// By id, highest first.
    IdDesc = 1,
    /// By launch date, earliest first, then by id; vehicles without a launch date are last.
    LaunchDateAsc = 2,
    /// By launch date, latest first, then by id, highest first; vehicles without a launch date are last.
    LaunchDateDesc = 3,
}

/// What an order compares first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The id.
    Id,
    /// The launch date.
    LaunchDate,
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Lowest or earliest first.
    Ascending,
    /// Highest or latest first.
    Descending,
}

impl VehicleOrder {
    /// Every order.
    pub const ALL: [Self; 4] = [
        Self::IdAsc,
        Self::IdDesc,
        Self::LaunchDateAsc,
        Self::LaunchDateDesc,
    ];

    /// What the order compares first.
    pub fn key(self) -> SortKey {
        match self {
            Self::IdAsc | Self::IdDesc => SortKey::Id,
            Self::LaunchDateAsc | Self::LaunchDateDesc => SortKey::LaunchDate,
        }
    }

    /// The direction of the order.
    pub fn direction(self) -> Direction {
        match self {
            Self::IdAsc | Self::LaunchDateAsc => Direction::Ascending,
            Self::IdDesc | Self::LaunchDateDesc => Direction::Descending,
        }
    }
}
