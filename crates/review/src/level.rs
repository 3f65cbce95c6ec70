//! How much a change affects clients.

use crate::named::named;

named! {
    /// How much a change affects clients; ordered, the worst first.
    Level {
        Breaking "breaking" "A valid operation can become invalid, or its response can violate the old contract.",
        Dangerous "dangerous" "A response or the meaning of an omitted value can change, or an operation becomes invalid that few clients have.",
        Safe "safe" "No existing operation is affected.",
    }
}
