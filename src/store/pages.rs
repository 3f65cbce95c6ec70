//! The statements of pages.
//!
//! A page consists of ranges of one index, in the order of the page: each has its own `LIMIT`, and `UNION ALL`
//! joins them. A row comparison, or conditions joined by `OR`, would read the index from its start.

use chrono::NaiveDate;
use sea_orm::{
    ColumnTrait, Condition, DbBackend, IdenStatic, Iterable, Order, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Statement,
    sea_query::{
        Asterisk, Expr, ExprTrait, NullOrdering, Query, SelectStatement, UnionType,
        extension::mysql::{IndexHintScope, MySqlSelectStatementExt},
    },
};

use crate::catalogue::vehicle::{self, Column};
use crate::catalogue::{Filter, PageRequest};

/// Before every launch date. `IS NOT NULL` is no range of an index on SQLite.
const MIN_DATE: NaiveDate = NaiveDate::from_ymd_opt(1, 1, 1).expect("it is in the calendar");

/// A range of an index.
struct Range {
    condition: Condition,
    is_dated: bool,
}

/// The statement of a page, or `None` if no vehicle can be on it.
#[doc(hidden)]
pub fn page_statement(backend: DbBackend, request: &PageRequest) -> Option<Statement> {
    let filter = request.filter.as_ref()?;
    let ranges = ranges(request, filter);
    let mut selects = ranges.iter().map(|range| select(backend, range, request, filter));
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
    if backend == DbBackend::Sqlite && request.order.is_by_date() {
        // After `ANALYZE`, SQLite may prefer to search another index for each value of its first column. sea-query does not
        // write `INDEXED BY`.
        let indexed = format!("{FROM} INDEXED BY {}", index(filter));
        page.sql = page.sql.replace(FROM, &indexed);
    }
    Some(page)
}

const FROM: &str = "FROM \"vehicle\"";

/// Selects from a range.
fn select(backend: DbBackend, range: &Range, request: &PageRequest, filter: &Filter) -> SelectStatement {
    let (is_by_date, is_ascending) = (request.order.is_by_date(), request.order.is_ascending());
    let order = if is_ascending { Order::Asc } else { Order::Desc };
    let mut select = vehicle::select().filter(range.condition.clone());
    if let Some(text) = &filter.text {
        select = select.filter(has_text(backend, text));
    }
    if is_by_date {
        let (date, order) = (Column::LaunchDate, order.clone());
        select = match backend {
            DbBackend::Postgres => select.order_by_with_nulls(date, order, nulls(filter, is_ascending)),
            // MariaDB would sort the vehicles without launch date.
            _ if range.is_dated => select.order_by(date, order),
            _ => select,
        };
    }
    let select = select.order_by(Column::Id, order).limit(limit(request));
    let mut select = select.into_query();
    if backend == DbBackend::MySql && is_by_date {
        // MariaDB prefers to search an index by equality alone, and to filter or sort what it finds.
        select.force_index(index(filter), IndexHintScope::All);
    }
    select
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

/// One more than the page has, to detect whether another page follows.
fn limit(request: &PageRequest) -> u64 {
    u64::from(request.size) + 1
}

/// The ranges of a page in its order.
fn ranges(request: &PageRequest, filter: &Filter) -> Vec<Range> {
    let is_ascending = request.order.is_ascending();
    let after = |id: i64| {
        if is_ascending { Column::Id.gt(id) } else { Column::Id.lt(id) }
    };
    let range = |is_dated, condition| Range { condition, is_dated };
    let all = Condition::all;
    if !request.order.is_by_date() {
        let ids = request.after.map(|position| after(position.id));
        return vec![range(true, all().add_option(ids))];
    }
    let (from, until) = (filter.launched_from, filter.launched_until);
    let (date, id) = match request.after {
        None => (None, None),
        Some(position) => (position.launch_date, Some(position.id)),
    };
    let mut ranges = Vec::new();
    if date.is_some() || id.is_none() {
        let is_met =
            |date: &NaiveDate| from.is_none_or(|from| from <= *date) && until.is_none_or(|until| *date <= until);
        if let Some((date, id)) = date.filter(is_met).zip(id) {
            let same_date = all().add(Column::LaunchDate.eq(date)).add(after(id));
            ranges.push(range(true, same_date));
        }
        // A cursor of other conditions can be before or after all dates that meet these.
        let first = match date {
            Some(date) if is_ascending && from.is_none_or(|from| from <= date) => Column::LaunchDate.gt(date),
            _ => Column::LaunchDate.gte(from.unwrap_or(MIN_DATE)),
        };
        let last = match date {
            Some(date) if !is_ascending && until.is_none_or(|until| date <= until) => Some(Column::LaunchDate.lt(date)),
            _ => until.map(|until| Column::LaunchDate.lte(until)),
        };
        ranges.push(range(true, all().add(first).add_option(last)));
    }
    if from.is_none() && until.is_none() {
        let ids = id.filter(|_| date.is_none()).map(after);
        let undated = all().add(Column::LaunchDate.is_null()).add_option(ids);
        ranges.push(range(false, undated));
    }
    ranges
}

/// The order of nulls in the index of PostgreSQL. That without a text has nulls first, so that it cannot serve
/// pages with one: PostgreSQL would read it for a frequent text and filter it for a rare one. No range has
/// both dates and nulls.
fn nulls(filter: &Filter, is_ascending: bool) -> NullOrdering {
    if filter.text.is_none() == is_ascending { NullOrdering::First } else { NullOrdering::Last }
}
