//! Constants and functions that agree.

#[path = "constrained_contract.rs"]
mod contract;

pub mod count {
    pub const MIN: u32 = 0;
}

pub const MAX_PRICE: f64 = 1.5;

pub struct Date;

impl Date {
    pub fn parse(text: &str) -> Result<Self, String> {
        Err(text.to_string())
    }
}

pub struct Code;

impl Code {
    pub fn parse(text: &str) -> Result<Self, String> {
        Err(text.to_string())
    }
}

fn main() {}
