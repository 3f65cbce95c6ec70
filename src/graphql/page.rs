//! Implements the types of the contract for pages of vehicles.

use super::{
    contract::{
        self, PageInfo, VehicleConnectionResolver, VehicleEdgeResolver, VehicleFilter,
        support::Text,
    },
    vehicle::{SharedList, SharedVehicle},
};
use crate::catalogue::{FilterArguments, PageRequest, Position, VehicleOrder};

/// A page of vehicles, which several concurrent responses can share.
#[derive(Clone, Debug)]
pub struct VehiclePage {
    /// The vehicles of the page, and one more if another page follows.
    pub(super) vehicles: SharedList,
    pub(super) request: PageRequest,
}

impl VehiclePage {
    fn size(&self) -> usize {
        self.request.size as usize
    }

    fn on_page(&self) -> impl DoubleEndedIterator<Item = PagedVehicle> {
        let vehicles = SharedVehicle::first(&self.vehicles, self.size());
        vehicles.map(|vehicle| PagedVehicle {
            vehicle,
            order: self.request.order,
        })
    }
}

impl VehicleConnectionResolver for VehiclePage {
    fn edges(&self) -> Vec<PagedVehicle> {
        self.on_page().collect()
    }

    fn nodes(&self) -> Vec<SharedVehicle> {
        self.on_page().map(|edge| edge.node()).collect()
    }

    fn page_info(&self) -> PageInfo {
        let mut edges = self.on_page();
        let first = edges.next();
        let last = edges.next_back().or_else(|| first.clone());
        let cursor = |edge: Option<PagedVehicle>| edge.map(|edge| edge.position());
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
pub struct PagedVehicle {
    vehicle: SharedVehicle,
    order: VehicleOrder,
}

impl PagedVehicle {
    fn position(&self) -> String {
        Position::of(&self.vehicle, self.order).cursor(self.order)
    }
}

impl VehicleEdgeResolver for PagedVehicle {
    fn cursor(&self) -> Text<'_> {
        self.position().into()
    }

    fn node(&self) -> SharedVehicle {
        self.vehicle.clone()
    }
}

impl From<VehicleFilter> for FilterArguments {
    fn from(filter: VehicleFilter) -> Self {
        let VehicleFilter {
            r#type,
            model_code,
            brand_name,
            launched_from,
            launched_until,
        } = filter;
        Self {
            r#type,
            model_code,
            brand_name,
            launched_from,
            launched_until,
        }
    }
}

impl From<contract::VehicleOrder> for VehicleOrder {
    fn from(order: contract::VehicleOrder) -> Self {
        match order {
            contract::VehicleOrder::IdAsc => Self::IdAsc,
            contract::VehicleOrder::IdDesc => Self::IdDesc,
            contract::VehicleOrder::LaunchDateAsc => Self::LaunchDateAsc,
            contract::VehicleOrder::LaunchDateDesc => Self::LaunchDateDesc,
        }
    }
}
