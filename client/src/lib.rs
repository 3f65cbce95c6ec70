//! Typed queries for the vehicle catalogue service.
