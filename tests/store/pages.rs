//! Lists and pages.

use std::sync::Arc;

use tokio::task::JoinSet;
use vehicle_catalogue::catalogue::VehicleOrder;
use vehicle_catalogue::catalogue::{PageArguments, PageRequest, Position};

use super::support::{Fixture, create, dated};

testkit::tests![
    pages_in_every_order_have_each_vehicle_once,
    concurrent_reads_share_statements_and_see_every_acknowledged_write,
];

async fn pages_in_every_order_have_each_vehicle_once(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let dates = [
        None,
        Some("2020-01-01"),
        Some("2021-01-01"),
        Some("2020-01-01"),
        None,
        Some("1999-12-31"),
        None,
    ];
    let new = dates.iter().map(|date| dated("M", *date)).collect();
    store.create(new).await.expect("they can be stored");
    for (order, expected) in [
        (VehicleOrder::IdAsc, [0, 1, 2, 3, 4, 5, 6]),
        (VehicleOrder::IdDesc, [6, 5, 4, 3, 2, 1, 0]),
        (VehicleOrder::LaunchDateAsc, [5, 1, 3, 2, 0, 4, 6]),
        (VehicleOrder::LaunchDateDesc, [2, 3, 1, 5, 6, 4, 0]),
    ] {
        for size in 1..=8 {
            let (mut ids, mut after) = (Vec::new(), None);
            loop {
                let arguments = PageArguments {
                    filter: None,
                    order_by: Some(order),
                    first: Some(size),
                    after,
                };
                let request = PageRequest::parse(arguments, 1000).expect("it is valid");
                let page = store.page(request).await.expect("it can be read");
                let length = page.len().min(size.unsigned_abs() as usize);
                ids.extend(page[..length].iter().map(|vehicle| vehicle.id));
                if page.len() == length {
                    break;
                }
                after = page[..length]
                    .last()
                    .map(|it| Position::of(it, order).cursor(order));
            }
            let first = ids.iter().min().copied().expect("there are vehicles");
            let positions: Vec<_> = ids.iter().map(|id| id - first).collect();
            assert_eq!(positions, expected, "{order:?} by {size}");
        }
    }
}

async fn concurrent_reads_share_statements_and_see_every_acknowledged_write(fixture: &Fixture) {
    let store = fixture.migrated_store().await;
    let mut tasks = JoinSet::new();
    for number in 0..50 {
        let store = store.clone();
        tasks.spawn(async move {
            let created = create(&store, &format!("M{number}")).await;
            let (list, page) = tokio::join!(store.list(1000), store.page(all()));
            for vehicles in [list, page] {
                let vehicles = vehicles.expect("they can be read");
                assert!(vehicles.iter().any(|vehicle| vehicle.id == created.id));
            }
        });
    }
    tasks.join_all().await;
    let lists = tokio::join!(store.list(3), store.list(50), store.list(7));
    let lengths = [lists.0, lists.1, lists.2].map(|list| list.map(|list| Arc::clone(&list).len()));
    for (length, least) in lengths.into_iter().zip([3, 50, 7]) {
        assert!(length.expect("it can be read") >= least);
    }
}

fn all() -> PageRequest {
    let arguments = PageArguments {
        filter: None,
        order_by: None,
        first: Some(1000),
        after: None,
    };
    PageRequest::parse(arguments, 1000).expect("it is valid")
}
