//! Pages of vehicles.
//!
//! A page consists of ranges of one index, in the order of the page: each has its own `LIMIT`, and `UNION ALL`
//! joins them. A row comparison, or conditions joined by `OR`, would read the index from its start.

use std::ops::Bound;

use chrono::NaiveDate;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, FromQueryResult, IdenStatic,
    Iterable, Order, QueryFilter, QueryOrder, QueryTrait, Statement,
    sea_query::{
        Asterisk, Expr, ExprTrait, NullOrdering, Query, SelectStatement, UnionType,
        extension::mysql::{IndexHintScope, MySqlSelectStatementExt},
    },
};

use crate::catalogue::vehicle::{self, Column, Model, Row};
use crate::catalogue::{Filter, PageRequest, Position};
use crate::contract::VehicleOrder;

/// Before every launch date. `IS NOT NULL` is no range of an index on SQLite.
const MIN_DATE: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("it is in the calendar");

/// The vehicles of a page in its order, and one more if another page follows.
pub(super) async fn read(
    db: &impl ConnectionTrait,
    request: &PageRequest,
) -> Result<Vec<Model>, DbErr> {
    match page_statement(db.get_database_backend(), request) {
        Some(statement) => {
            let rows = Row::find_by_statement(statement).all(db).await?;
            Ok(rows.into_iter().map(|Row(vehicle)| vehicle).collect())
        }
        None => Ok(Vec::new()),
    }
}

/// A range of an index.
enum Range {
    /// The vehicles after this id.
    Ids(Option<i64>),
    /// The vehicles with this launch date after this id.
    SameDate(NaiveDate, i64),
    /// The vehicles with a launch date between these.
    Dates(Bound<NaiveDate>, Bound<NaiveDate>),
    /// The vehicles without launch date after this id.
    Undated(Option<i64>),
}

/// The statement of a page, or `None` if no vehicle can be on it.
#[doc(hidden)]
pub fn page_statement(backend: DbBackend, request: &PageRequest) -> Option<Statement> {
    let filter = request.filter.as_ref()?;
    let ranges = ranges(request, filter);
    let mut selects = ranges
        .iter()
        .map(|range| select(backend, range, request, filter));
    let mut page = selects.next()?;
    if ranges.len() > 1 {
        // SQLite accepts no `ORDER BY` and no `LIMIT` in a part of a union.
        let part = |select| {
            let mut part = Query::select();
            part.column(Asterisk).from_subquery(select, "part");
            part
        };
        page = part(page);
        for select in selects {
            page.union(UnionType::All, part(select));
        }
        page.limit(limit(request));
    }
    let mut page = backend.build(&page);
    if backend == DbBackend::Sqlite && is_by_date(request.order) {
        // After `ANALYZE`, SQLite may prefer to search another index for each value of its first column. sea-query does not
        // write `INDEXED BY`.
        let indexed = format!("{FROM} INDEXED BY {}", index(filter));
        page.sql = page.sql.replace(FROM, &indexed);
    }
    Some(page)
}

const FROM: &str = "FROM \"vehicle\"";

/// Selects from a range.
fn select(
    backend: DbBackend,
    range: &Range,
    request: &PageRequest,
    filter: &Filter,
) -> SelectStatement {
    let (is_by_date, is_ascending) = (is_by_date(request.order), is_ascending(request.order));
    let order = if is_ascending {
        Order::Asc
    } else {
        Order::Desc
    };
    let after = |id: i64| {
        if is_ascending {
            Column::Id.gt(id)
        } else {
            Column::Id.lt(id)
        }
    };
    let mut select = vehicle::select();
    if let Some(text) = &filter.text {
        select = select.filter(has_text(backend, text));
    }
    select = match range {
        Range::Ids(None) => select,
        Range::Ids(Some(id)) => select.filter(after(*id)),
        Range::SameDate(date, id) => select
            .filter(Column::LaunchDate.eq(*date))
            .filter(after(*id)),
        Range::Dates(from, until) => {
            let select = select.filter(match from {
                Bound::Included(from) => Column::LaunchDate.gte(*from),
                Bound::Excluded(from) => Column::LaunchDate.gt(*from),
                Bound::Unbounded => Column::LaunchDate.gte(MIN_DATE),
            });
            match until {
                Bound::Included(until) => select.filter(Column::LaunchDate.lte(*until)),
                Bound::Excluded(until) => select.filter(Column::LaunchDate.lt(*until)),
                Bound::Unbounded => select,
            }
        }
        Range::Undated(id) => {
            let select = select.filter(Column::LaunchDate.is_null());
            match id {
                None => select,
                Some(id) => select.filter(after(*id)),
            }
        }
    };
    let is_dated = !matches!(range, Range::Undated(_));
    if is_by_date {
        let (date, order) = (Column::LaunchDate, order.clone());
        match backend {
            DbBackend::Postgres => {
                let nulls = nulls(filter, is_ascending);
                select = select.order_by_with_nulls(date, order, nulls);
            }
            // MariaDB would sort the vehicles without launch date.
            _ if is_dated => select = select.order_by(date, order),
            _ => {}
        }
    }
    let mut select = select.order_by(Column::Id, order).into_query();
    if backend == DbBackend::MySql && is_by_date {
        // MariaDB prefers to search an index by equality alone, and to filter or sort what it finds.
        select.force_index(index(filter), IndexHintScope::All);
    }
    select.limit(limit(request)).take()
}

fn has_text(backend: DbBackend, (name, text): &(&'static str, String)) -> Condition {
    let column = Column::iter().find(|column| column.as_str() == *name);
    let column = column.expect("a filter names a column");
    let condition = Condition::all().add(column.eq(text));
    if backend != DbBackend::MySql {
        return condition;
    }
    // Not every server has a collation that distinguishes texts by their trailing spaces.
    let exact = Expr::val(text).cast_as("BINARY");
    condition.add(Expr::col(column).cast_as("BINARY").eq(exact))
}

/// The index of pages in the order of launch dates.
fn index(filter: &Filter) -> String {
    match filter.text {
        None => "vehicle_launch_date".to_owned(),
        Some((column, _)) => format!("vehicle_{column}_launch_date"),
    }
}

/// Whether the launch date is compared before the id.
fn is_by_date(order: VehicleOrder) -> bool {
    matches!(
        order,
        VehicleOrder::LaunchDateAsc | VehicleOrder::LaunchDateDesc
    )
}

/// Whether the lowest or earliest is first.
fn is_ascending(order: VehicleOrder) -> bool {
    matches!(order, VehicleOrder::IdAsc | VehicleOrder::LaunchDateAsc)
}

/// One more than the page has, to detect whether another page follows.
fn limit(request: &PageRequest) -> u64 {
    u64::from(request.size) + 1
}

/// The ranges of a page in its order.
fn ranges(request: &PageRequest, filter: &Filter) -> Vec<Range> {
    if !is_by_date(request.order) {
        return vec![Range::Ids(request.after.map(|position| position.id))];
    }
    let included = |date: Option<NaiveDate>| date.map_or(Bound::Unbounded, Bound::Included);
    let (from, until) = (filter.launched_from, filter.launched_until);
    let all_dates = Range::Dates(included(from), included(until));
    let mut ranges = match request.after {
        None => vec![all_dates, Range::Undated(None)],
        Some(Position {
            launch_date: None,
            id,
        }) => vec![Range::Undated(Some(id))],
        Some(Position {
            launch_date: Some(date),
            id,
        }) => {
            let is_before = from.is_some_and(|from| date < from);
            let is_after = until.is_some_and(|until| date > until);
            let ascending = is_ascending(request.order);
            if is_before || is_after {
                // A cursor of other conditions: every date follows it, or none.
                let follows = is_before == ascending;
                if follows { vec![all_dates] } else { Vec::new() }
            } else {
                let dates = if ascending {
                    Range::Dates(Bound::Excluded(date), included(until))
                } else {
                    Range::Dates(included(from), Bound::Excluded(date))
                };
                vec![Range::SameDate(date, id), dates, Range::Undated(None)]
            }
        }
    };
    if from.is_some() || until.is_some() {
        ranges.retain(|range| !matches!(range, Range::Undated(_)));
    }
    ranges
}

/// The order of nulls in the index of PostgreSQL. That without a text has nulls first, so that it cannot serve
/// pages with one: PostgreSQL would read it for a frequent text and filter it for a rare one. No range has
/// both dates and nulls.
fn nulls(filter: &Filter, is_ascending: bool) -> NullOrdering {
    if filter.text.is_none() == is_ascending {
        NullOrdering::First
    } else {
        NullOrdering::Last
    }
}
