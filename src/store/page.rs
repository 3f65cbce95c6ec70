//! Pages of vehicles.
//!
//! A page consists of ranges of one index, in the order of the page: each has its own `LIMIT`, and `UNION ALL`
//! joins them. A row comparison, or conditions joined by `OR`, would read the index from its start.

use std::ops::Bound;
use std::sync::Arc;

use chrono::NaiveDate;
use database::{BatchedQuery, Error, Reader};
use sea_orm::{DbBackend, IdenStatic, QueryTrait, Statement, Value};

use super::entity::{Column, find_vehicles};
use super::traced::Traced;
use crate::catalogue::{
    Direction, Filter, PageRequest, Position, SortKey, TextCondition, Vehicle, VehicleId,
};

/// Before every launch date. `IS NOT NULL` is no range of an index on SQLite.
const MIN_DATE: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("it is in the calendar");

/// One statement for all equal requests.
pub(super) struct Page {
    reader: Reader,
    sql: PageSql,
}

impl Page {
    /// The maximum number of requests in a batch.
    pub(super) const MAX_BATCH: usize = 256;

    pub(super) fn new(reader: Reader) -> Self {
        let sql = PageSql::new(reader.backend());
        Self { reader, sql }
    }

    async fn page(&self, request: &PageRequest) -> Result<Arc<[Vehicle]>, Error> {
        let Some(statement) = self.sql.statement(request) else {
            return Ok(Arc::default());
        };
        let values = statement.values.expect("a page has a size");
        let vehicles = self.reader.rows(&statement.sql, &values).await?;
        Ok(vehicles.into())
    }
}

impl BatchedQuery for Page {
    type Request = PageRequest;
    /// The vehicles of the page, and one more if another page follows.
    type Output = Result<Arc<[Vehicle]>, Error>;
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

/// Writes the statements of pages, for each request: an expression tree takes more time than the rest of the service.
pub struct PageSql {
    backend: DbBackend,
    /// `SELECT columns FROM vehicle`.
    select: String,
}

impl PageSql {
    /// Writes statements for this kind of database.
    pub fn new(backend: DbBackend) -> Self {
        let select = find_vehicles().build(backend).sql;
        Self { backend, select }
    }

    /// The statement of a page, or `None` if no vehicle can be on it.
    pub fn statement(&self, request: &PageRequest) -> Option<Statement> {
        let filter = request.filter.as_ref()?;
        let mut sql = Sql::new(self.backend);
        match ranges(request, filter).as_slice() {
            [] => return None,
            [range] => self.select(range, request, filter, &mut sql),
            ranges => {
                for (index, range) in ranges.iter().enumerate() {
                    // SQLite accepts no `ORDER BY` and no `LIMIT` in a part of a union.
                    let separator = if index == 0 { "" } else { " UNION ALL " };
                    sql.push(separator).push("SELECT * FROM (");
                    self.select(range, request, filter, &mut sql);
                    sql.push(") AS part");
                }
                sql.push(" LIMIT ").bind(limit(request));
            }
        }
        Some(sql.into())
    }

    /// Selects from a range.
    fn select(&self, range: &Range, request: &PageRequest, filter: &Filter, sql: &mut Sql) {
        let (key, direction) = (request.order.key(), request.order.direction());
        let after = match direction {
            Direction::Ascending => " > ",
            Direction::Descending => " < ",
        };
        sql.push(&self.select);
        if key == SortKey::LaunchDate {
            match self.backend {
                // After `ANALYZE`, SQLite may prefer to search another index for each value of its first column.
                DbBackend::Sqlite => sql.push(" INDEXED BY ").push(index(filter)),
                // MariaDB prefers to search an index by equality alone, and to filter or sort what it finds.
                DbBackend::MySql => sql.push(" FORCE INDEX (").push(index(filter)).push(")"),
                _ => sql,
            };
        }
        sql.keyword = " WHERE ";
        if let Some(text) = &filter.text {
            let (column, text) = match text {
                TextCondition::Type(text) => (Column::Type, text.as_str()),
                TextCondition::ModelCode(text) => (Column::ModelCode, text.as_str()),
                TextCondition::BrandName(text) => (Column::BrandName, text.as_str()),
            };
            sql.condition(column, " = ", text);
            if self.backend == DbBackend::MySql {
                // Not every server has a collation that distinguishes texts by their trailing spaces.
                sql.push(" AND CAST(")
                    .column(column)
                    .push(" AS BINARY) = CAST(");
                sql.bind(text).push(" AS BINARY)");
            }
        }
        match range {
            Range::Ids(None) => {}
            Range::Ids(Some(id)) => sql.condition(Column::Id, after, id.get()),
            Range::SameDate(date, id) => {
                sql.condition(Column::LaunchDate, " = ", *date);
                sql.condition(Column::Id, after, id.get());
            }
            Range::Dates(from, until) => {
                let (operator, from) = match from {
                    Bound::Included(from) => (" >= ", *from),
                    Bound::Excluded(from) => (" > ", *from),
                    Bound::Unbounded => (" >= ", MIN_DATE),
                };
                sql.condition(Column::LaunchDate, operator, from);
                match until {
                    Bound::Included(until) => sql.condition(Column::LaunchDate, " <= ", *until),
                    Bound::Excluded(until) => sql.condition(Column::LaunchDate, " < ", *until),
                    Bound::Unbounded => {}
                }
            }
            Range::Undated(id) => {
                sql.next_condition(Column::LaunchDate).push(" IS NULL");
                if let Some(id) = id {
                    sql.condition(Column::Id, after, id.get());
                }
            }
        }
        let order = match direction {
            Direction::Ascending => " ASC",
            Direction::Descending => " DESC",
        };
        sql.push(" ORDER BY ");
        // MariaDB would sort the vehicles without launch date.
        if key == SortKey::LaunchDate
            && (self.backend == DbBackend::Postgres || !matches!(range, Range::Undated(_)))
        {
            sql.column(Column::LaunchDate).push(order);
            if self.backend == DbBackend::Postgres {
                sql.push(nulls(filter, direction));
            }
            sql.push(", ");
        }
        sql.column(Column::Id).push(order);
        sql.push(" LIMIT ").bind(limit(request));
    }
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

/// The order of nulls in the index of PostgreSQL. That without a text has nulls first, so that it cannot serve
/// pages with one: PostgreSQL would read it for a frequent text and filter it for a rare one. No range has
/// both dates and nulls.
fn nulls(filter: &Filter, direction: Direction) -> &'static str {
    match (filter.text.is_none(), direction) {
        (true, Direction::Ascending) | (false, Direction::Descending) => " NULLS FIRST",
        (true, Direction::Descending) | (false, Direction::Ascending) => " NULLS LAST",
    }
}

/// The text of a statement, and the values of its parameters.
struct Sql {
    backend: DbBackend,
    text: String,
    values: Vec<Value>,
    /// Precedes the next condition.
    keyword: &'static str,
}

impl Sql {
    fn new(backend: DbBackend) -> Self {
        Self {
            backend,
            text: String::with_capacity(1024),
            values: Vec::with_capacity(16),
            keyword: " WHERE ",
        }
    }

    fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    fn column(&mut self, column: Column) -> &mut Self {
        let quote = match self.backend {
            DbBackend::MySql => "`",
            _ => "\"",
        };
        self.push(quote).push(column.as_str()).push(quote)
    }

    fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        match self.backend {
            DbBackend::Postgres => {
                let number = self.values.len().to_string();
                self.push("$").push(&number)
            }
            _ => self.push("?"),
        }
    }

    fn next_condition(&mut self, column: Column) -> &mut Self {
        let keyword = std::mem::replace(&mut self.keyword, " AND ");
        self.push(keyword).column(column)
    }

    fn condition(&mut self, column: Column, operator: &str, value: impl Into<Value>) {
        self.next_condition(column).push(operator).bind(value);
    }
}

impl From<Sql> for Statement {
    fn from(sql: Sql) -> Self {
        Self::from_sql_and_values(sql.backend, sql.text, sql.values)
    }
}
