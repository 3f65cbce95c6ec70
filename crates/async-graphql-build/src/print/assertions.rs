//! Compile-time assertions about constraints.

use proc_macro2::TokenStream;
use quote::quote;

use super::locations;
use crate::model::Assertion;

pub(super) fn assertion(assertion: &Assertion) -> TokenStream {
    match assertion {
        Assertion::Limit {
            location,
            constant,
            limit,
            message,
        } => {
            let location = locations::marker(*location);
            quote!(#location const _: () = if #constant != #limit { support::limit_differs(#message, #constant as f64) };)
        }
        Assertion::Parser { location, function } => {
            let location = locations::marker(*location);
            quote!(const _: () = { #location let _: fn(&str) -> Result<_, _> = #function; };)
        }
    }
}
