//! Verifies the contract, creates and lists vehicles, and shows the violations of invalid input:
//!
//! ```sh
//! cargo run -p vehicle-catalogue-client --example create_and_list [URL]
//! ```
//!
//! The URL of the endpoint defaults to `http://127.0.0.1:8000/graphql`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use std::{error::Error, pin::pin, process::ExitCode};

use futures_util::TryStreamExt;
use vehicle_catalogue_client::{CatalogueClient, NewVehicle, PageArguments, Vehicle, VehicleOrder, Verified};

#[tokio::main]
async fn main() -> ExitCode {
    match create_and_list().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  caused by: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

async fn create_and_list() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1);
    let url = url.unwrap_or_else(|| "http://127.0.0.1:8000/graphql".to_owned());
    let client = CatalogueClient::builder(url)
        .header("Call-Source", "PC")
        .header("App-Version", env!("CARGO_PKG_VERSION"))
        .build()?;

    match client.verify_contract().await? {
        Verified::Unchanged => println!("The contract is unchanged."),
        Verified::Compatible => println!("The contract has compatible changes."),
    }

    let new_vehicle = NewVehicle::new("SUV", "XC60").brand_name("Volvo").launch_date("2017-03-07");
    let created = client.create_vehicle(new_vehicle).await?;
    println!("Created {}", format_vehicle(&created));
    let created = client.create_vehicle(NewVehicle::new("Saloon", "S90")).await?;
    println!("Created {}", format_vehicle(&created));

    let found = client.vehicle(created.id).await?;
    println!("Found   {}", found.as_ref().map_or("nothing".to_owned(), format_vehicle));

    let list = client.vehicles(10).await?;
    println!("The first {} vehicles:", list.vehicles.len());
    for vehicle in &list.vehicles {
        println!("  {}", format_vehicle(vehicle));
    }

    let arguments =
        PageArguments { order_by: Some(VehicleOrder::LaunchDateDesc), first: Some(1), ..PageArguments::default() };
    let mut pages = pin!(client.vehicles_pages(arguments));
    println!("Page by page, newest first:");
    while let Some(page) = pages.try_next().await? {
        for vehicle in &page.vehicles {
            println!("  {}", format_vehicle(vehicle));
        }
    }

    let invalid = NewVehicle::new(" ", "XC40").launch_date("2018-02-30");
    match client.create_vehicle(invalid).await {
        Ok(vehicle) => println!("Created {}", format_vehicle(&vehicle)),
        Err(error) => {
            println!("{error}");
            if let Some(response) = error.error_response() {
                for violation in response.violations() {
                    println!("  {}, rule {}: {}", violation.argument, violation.rule, violation.message);
                }
            }
        }
    }
    Ok(())
}

fn format_vehicle(vehicle: &Vehicle) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    format!(
        "{}: {} {} {}, launched {}",
        vehicle.id.inner(),
        text(&vehicle.r#type),
        text(&vehicle.brand_name),
        text(&vehicle.model_code),
        text(&vehicle.launch_date),
    )
}
