//! Pages of vehicles, one by one or as a stream.

use futures_util::{Stream, stream};

use crate::{
    client::null,
    error::{Effect, Error},
    operations::{self, PageArguments, Vehicle, VehicleConnection},
    transport::CatalogueClient,
};

/// A page of vehicles.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The vehicles in order.
    pub vehicles: Vec<Vehicle>,
    /// The next page starts after this cursor. `None` on the last page.
    pub next: Option<String>,
}

impl CatalogueClient {
    /// Returns a page of vehicles.
    pub async fn vehicles_page(&self, arguments: PageArguments) -> Result<Page, Error> {
        let response = self.query(operations::vehicles_page(arguments)).await?;
        let page = response.data.vehicles_connection;
        let VehicleConnection { nodes, page_info } = page.ok_or_else(|| null("vehiclesConnection", Effect::Nothing))?;
        Ok(Page { vehicles: nodes, next: page_info.end_cursor.filter(|_| page_info.has_next_page) })
    }

    /// Returns all pages, the first one with these arguments, and requests each when the stream is polled. The
    /// stream ends after the last page and after an error; another stream can continue after [`Page::next`] of
    /// the last page.
    pub fn vehicles_pages(&self, arguments: PageArguments) -> impl Stream<Item = Result<Page, Error>> + Send + use<> {
        let client = self.clone();
        stream::try_unfold(Some(arguments), move |arguments| {
            let client = client.clone();
            async move {
                let Some(mut arguments) = arguments else {
                    return Ok(None);
                };
                let page = client.vehicles_page(arguments.clone()).await?;
                arguments.after.clone_from(&page.next);
                let next = page.next.is_some().then_some(arguments);
                Ok(Some((page, next)))
            }
        })
    }
}
