//! A row of the table `vehicle`.

#![expect(
    clippy::struct_field_names,
    reason = "`model_code` is the name of the column"
)]
#![expect(
    unreachable_pub,
    reason = "what SeaORM's macros make is public and refers to these"
)]

use sea_orm::entity::prelude::*;

/// A row of the table `vehicle`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "vehicle")]
pub struct Model {
    /// Made by the database.
    #[sea_orm(primary_key)]
    pub id: i64,
    #[sea_orm(column_name = "type", column_type = "String(StringLen::N(255))")]
    pub r#type: String,
    #[sea_orm(column_type = "String(StringLen::N(255))")]
    pub model_code: String,
    #[sea_orm(column_type = "String(StringLen::N(255))", nullable)]
    pub brand_name: Option<String>,
    pub launch_date: Option<Date>,
}

/// A vehicle refers to nothing.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
