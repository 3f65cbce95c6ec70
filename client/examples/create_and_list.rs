//! Creates vehicles, lists them, breaks a rule on purpose and asks whether the contract is kept:
//!
//! ```sh
//! cargo run -p vehicle-catalogue-client --example create_and_list [URL]
//! ```
//!
//! The URL is that of the endpoint, `http://127.0.0.1:8000/graphql` unless it is given.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it does"
)]

use std::{error::Error, process::ExitCode};

use vehicle_catalogue_client::{CallSource, CatalogueClient, NewVehicle, Vehicle};

#[tokio::main]
async fn main() -> ExitCode {
    match create_and_list().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because {error}");
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
        .call_source(CallSource::Pc)
        .app_version(env!("CARGO_PKG_VERSION"))
        .build()?;

    match client.verify_contract().await? {
        changes if changes.is_empty() => println!("The service keeps the contract."),
        changes => println!("The contract has {} harmless changes.", changes.len()),
    }

    let new_vehicle = NewVehicle::new("SUV", "XC60")
        .brand_name("Volvo")
        .launch_date("2017-03-07");
    let created = client.create_vehicle(new_vehicle).await?;
    println!("Created {}", line(&created));
    let created = client
        .create_vehicle(NewVehicle::new("Saloon", "S90"))
        .await?;
    println!("Created {}", line(&created));

    let found = client.vehicle(created.id).await?;
    println!(
        "Found   {}",
        found.as_ref().map_or("nothing".to_owned(), line)
    );

    let list = client.vehicles(10).await?;
    println!("The first {} vehicles:", list.vehicles.len());
    for vehicle in &list.vehicles {
        println!("  {}", line(vehicle));
    }

    let wrong = NewVehicle::new(" ", "XC40").launch_date("2018-02-30");
    match client.create_vehicle(wrong).await {
        Ok(vehicle) => println!("Created {}", line(&vehicle)),
        Err(error) => {
            println!("{error}");
            let refused = error.refused();
            for violation in refused.iter().flat_map(|refused| refused.violations()) {
                println!(
                    "  {} breaks {}: {}",
                    violation.argument, violation.rule, violation.message
                );
            }
        }
    }
    Ok(())
}

fn line(vehicle: &Vehicle) -> String {
    let text = |part: &Option<String>| part.clone().unwrap_or_else(|| "–".to_owned());
    format!(
        "{}: {} {} {}, launched {}",
        vehicle.id.inner(),
        text(&vehicle.r#type),
        text(&vehicle.brand_name),
        text(&vehicle.model_code),
        text(&vehicle.launch_date),
    )
}
