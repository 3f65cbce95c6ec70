//! The types of the contract for pages of vehicles.

use std::sync::Arc;

use super::vehicle::Vehicle;
use crate::{
    catalogue::{PageRequest, Position},
    contract::{PageInfo, VehicleConnectionResolver, VehicleEdgeResolver, VehicleOrder, support::Text},
    store::Vehicles,
};

/// A page of vehicles, which several concurrent responses can share.
#[derive(Clone, Debug)]
pub struct Page {
    /// The vehicles of the page, and one more if another page follows.
    pub(super) vehicles: Vehicles,
    pub(super) request: PageRequest,
}

impl Page {
    fn size(&self) -> usize {
        self.request.size as usize
    }

    fn on_page(&self) -> impl DoubleEndedIterator<Item = Edge> {
        let order = self.request.order;
        let vehicles = &self.vehicles[..self.vehicles.len().min(self.size())];
        vehicles.iter().map(move |vehicle| Edge { vehicle: Vehicle(Arc::clone(vehicle)), order })
    }
}

impl VehicleConnectionResolver for Page {
    fn edges(&self) -> Vec<Edge> {
        self.on_page().collect()
    }

    fn nodes(&self) -> Vec<Vehicle> {
        self.on_page().map(|edge| edge.vehicle).collect()
    }

    fn page_info(&self) -> PageInfo {
        let mut edges = self.on_page();
        let first = edges.next();
        let last = edges.next_back().or_else(|| first.clone());
        let cursor = |edge: Option<Edge>| edge.map(|edge| edge.position());
        PageInfo {
            has_next_page: self.vehicles.len() > self.size(),
            has_previous_page: self.request.after.is_some(),
            start_cursor: cursor(first),
            end_cursor: cursor(last),
        }
    }
}

/// A vehicle on a page.
#[derive(Clone, Debug)]
pub struct Edge {
    vehicle: Vehicle,
    order: VehicleOrder,
}

impl Edge {
    fn position(&self) -> String {
        Position::of(&self.vehicle.0, self.order).cursor(self.order)
    }
}

impl VehicleEdgeResolver for Edge {
    fn cursor(&self) -> Text<'_> {
        self.position().into()
    }

    fn node(&self) -> Vehicle {
        self.vehicle.clone()
    }
}
