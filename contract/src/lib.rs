//! Two GraphQL schemas compared, one schema linted: what a change means for its clients.
