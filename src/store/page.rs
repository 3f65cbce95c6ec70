//! Pages of vehicles.
//!
//! A page consists of ranges of one index, in the order of the page: each has its own `LIMIT`, and `UNION ALL`
//! joins them. A row comparison, or conditions joined by `OR`, would read the index from its start.

use std::ops::Bound;
use std::sync::Arc;

use chrono::NaiveDate;
use database::{BatchedQuery, Error, Reader};
use sea_orm::sea_query::extension::mysql::{IndexHintScope, MySqlSelectStatementExt};
use sea_orm::sea_query::{Expr, ExprTrait, NullOrdering, Order, Query, SelectStatement, UnionType};
use sea_orm::{DbBackend, EntityName, Statement};

use super::entity::{Column, Entity, columns};
use super::traced::Traced;
use crate::catalogue::{
    Direction, Filter, PageRequest, Position, SortKey, TextCondition, Vehicle, VehicleId,
};

/// Before every launch date. `IS NOT NULL` is no range of an index on SQLite.
const MIN_DATE: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("it is in the calendar");

/// One statement for all equal requests.
pub(super) struct Page {
    reader: Reader,
}

impl Page {
    /// The maximum number of requests in a batch.
    pub(super) const MAX_BATCH: usize = 256;

    pub(super) fn new(reader: Reader) -> Self {
        Self { reader }
    }

    async fn page(&self, request: &PageRequest) -> Result<Arc<[Arc<Vehicle>]>, Error> {
        let Some(statement) = statement(request, self.reader.backend()) else {
            return Ok(Arc::default());
        };
        let values = statement.values.expect("a page has a size");
        let vehicles = self.reader.rows(&statement.sql, &values).await?;
        Ok(vehicles.into_iter().map(Arc::new).collect())
    }
}

impl BatchedQuery for Page {
    type Request = PageRequest;
    /// The vehicles of the page, and one more if another page follows.
    type Output = Result<Arc<[Arc<Vehicle>]>, Error>;
    type Observer = Traced;

    const NAME: &'static str = "SELECT page of vehicle";

    fn can_batch(first: &PageRequest, next: &PageRequest) -> bool {
        first == next
    }

    async fn run(&self, requests: Vec<PageRequest>) -> Vec<Self::Output> {
        let result = self.page(&requests[0]).await;
        vec![result; requests.len()]
    }
}

/// A range of an index.
enum Range {
    /// The vehicles after this id.
    Ids(Option<VehicleId>),
    /// The vehicles with this launch date after this id.
    SameDate(NaiveDate, VehicleId),
    /// The vehicles with a launch date between these.
    Dates(Bound<NaiveDate>, Bound<NaiveDate>),
    /// The vehicles without launch date after this id.
    Undated(Option<VehicleId>),
}

/// The statement of a page, or `None` if no vehicle can be on it.
pub fn statement(request: &PageRequest, backend: DbBackend) -> Option<Statement> {
    let filter = request.filter.as_ref()?;
    let ranges = ranges(request, filter).into_iter();
    let mut selects = ranges.map(|range| range.select(request, filter, backend));
    let first = selects.next()?;
    let others: Vec<_> = selects.collect();
    let select = if others.is_empty() {
        first
    } else {
        let others = others.into_iter();
        let others = others.map(|select| (UnionType::All, every_column(select)));
        let mut joined = every_column(first);
        joined.unions(others).limit(limit(request));
        joined
    };
    let mut statement = backend.build(&select);
    if backend == DbBackend::Sqlite && request.order.key() == SortKey::LaunchDate {
        // After `ANALYZE`, SQLite may prefer to search another index for each value of its first column.
        let table = format!("FROM \"{}\"", Entity.table_name());
        let index = format!("{table} INDEXED BY \"{}\"", index(filter));
        statement.sql = statement.sql.replace(&table, &index);
    }
    Some(statement)
}

/// The index of pages in the order of launch dates.
fn index(filter: &Filter) -> &'static str {
    match filter.text {
        None => "vehicle_launch_date",
        Some(TextCondition::Type(_)) => "vehicle_type_launch_date",
        Some(TextCondition::ModelCode(_)) => "vehicle_model_code_launch_date",
        Some(TextCondition::BrandName(_)) => "vehicle_brand_name_launch_date",
    }
}

/// One more than the page has, to detect whether another page follows.
fn limit(request: &PageRequest) -> u64 {
    u64::from(request.size) + 1
}

/// Selects from a range, whose `ORDER BY` and `LIMIT` SQLite does not accept in a part of a union.
fn every_column(range: SelectStatement) -> SelectStatement {
    let mut select = Query::select();
    select.columns(columns()).from_subquery(range, "range");
    select
}

/// The ranges of a page in its order.
fn ranges(request: &PageRequest, filter: &Filter) -> Vec<Range> {
    if request.order.key() == SortKey::Id {
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
            let is_ascending = request.order.direction() == Direction::Ascending;
            if is_before || is_after {
                // A cursor of other conditions: every date follows it, or none.
                let follows = is_before == is_ascending;
                if follows { vec![all_dates] } else { Vec::new() }
            } else {
                let dates = if is_ascending {
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

impl Range {
    fn select(
        &self,
        request: &PageRequest,
        filter: &Filter,
        backend: DbBackend,
    ) -> SelectStatement {
        let mut select = Query::select();
        select.columns(columns()).from(Entity);
        if let Some(text) = &filter.text {
            for condition in text_conditions(text, backend) {
                select.and_where(condition);
            }
        }
        let direction = request.order.direction();
        let after = |id: VehicleId| match direction {
            Direction::Ascending => Expr::col(Column::Id).gt(id.get()),
            Direction::Descending => Expr::col(Column::Id).lt(id.get()),
        };
        let launch_date = || Expr::col(Column::LaunchDate);
        match self {
            Self::Ids(None) => {}
            Self::Ids(Some(id)) => {
                select.and_where(after(*id));
            }
            Self::SameDate(date, id) => {
                select.and_where(launch_date().eq(*date));
                select.and_where(after(*id));
            }
            Self::Dates(from, until) => {
                match from {
                    Bound::Included(from) => select.and_where(launch_date().gte(*from)),
                    Bound::Excluded(from) => select.and_where(launch_date().gt(*from)),
                    Bound::Unbounded => select.and_where(launch_date().gte(MIN_DATE)),
                };
                match until {
                    Bound::Included(until) => select.and_where(launch_date().lte(*until)),
                    Bound::Excluded(until) => select.and_where(launch_date().lt(*until)),
                    Bound::Unbounded => &mut select,
                };
            }
            Self::Undated(id) => {
                select.and_where(launch_date().is_null());
                if let Some(id) = id {
                    select.and_where(after(*id));
                }
            }
        }
        let order = match direction {
            Direction::Ascending => Order::Asc,
            Direction::Descending => Order::Desc,
        };
        if request.order.key() == SortKey::LaunchDate {
            if backend == DbBackend::MySql {
                // MariaDB prefers to search an index by equality alone, and to filter or sort what it finds.
                select.force_index(index(filter), IndexHintScope::All);
            }
            if backend == DbBackend::Postgres {
                let nulls = nulls(filter, direction);
                select.order_by_with_nulls(Column::LaunchDate, order.clone(), nulls);
            } else if !matches!(self, Self::Undated(_)) {
                // MariaDB would sort the vehicles without launch date.
                select.order_by(Column::LaunchDate, order.clone());
            }
        }
        select.order_by(Column::Id, order).limit(limit(request));
        select
    }
}

/// The order of nulls in the index of PostgreSQL. That without a text has nulls first, so that it cannot serve
/// pages with one: PostgreSQL would read it for a frequent text and filter it for a rare one. No range has
/// both dates and nulls.
fn nulls(filter: &Filter, direction: Direction) -> NullOrdering {
    match (filter.text.is_none(), direction) {
        (true, Direction::Ascending) | (false, Direction::Descending) => NullOrdering::First,
        (true, Direction::Descending) | (false, Direction::Ascending) => NullOrdering::Last,
    }
}

/// The text of a column is equal, byte for byte.
fn text_conditions(condition: &TextCondition, backend: DbBackend) -> Vec<Expr> {
    let (column, text) = match condition {
        TextCondition::Type(text) => (Column::Type, text.as_str()),
        TextCondition::ModelCode(text) => (Column::ModelCode, text.as_str()),
        TextCondition::BrandName(text) => (Column::BrandName, text.as_str()),
    };
    let mut conditions = vec![Expr::col(column).eq(text)];
    if backend == DbBackend::MySql {
        // Not every server has a collation that distinguishes texts by their trailing spaces.
        let bytes = Expr::val(text).cast_as("BINARY");
        conditions.push(Expr::col(column).cast_as("BINARY").eq(bytes));
    }
    conditions
}
