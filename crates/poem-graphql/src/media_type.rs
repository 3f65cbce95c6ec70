//! The media type of requests, and negotiation of that of responses (RFC 9110, sections 8.3 and 12.5.1).

const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
const JSON: &str = "application/json";

/// The media types of GraphQL responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseType {
    /// The type that GraphQL over HTTP defines: the status reflects the outcome of the request.
    GraphqlResponse,
    /// The legacy type: the response to every valid GraphQL over HTTP request has the status 200.
    Json,
}

impl ResponseType {
    /// The value of the `Content-Type` header.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        }
    }

    /// Chooses by the value of the `Accept` header. `None` if the client accepts no supported type.
    ///
    /// Of two types with the same quality, the one that is listed wins over the one that matches `*`; if both are listed,
    /// the new one, and if both match `*`, the legacy one.
    pub(crate) fn negotiate(accept: &str) -> Option<Self> {
        match accept {
            // The values that most clients send are not parsed.
            JSON | "" | "*/*" => return Some(Self::Json),
            GRAPHQL_RESPONSE => return Some(Self::GraphqlResponse),
            blank if blank.trim().is_empty() => return Some(Self::Json),
            _ => {}
        }
        let new = preference(GRAPHQL_RESPONSE, accept);
        let legacy = preference(JSON, accept);
        if new.0 > 0.0 && (new > legacy || (new == legacy && new.1 == Precision::Type)) {
            Some(Self::GraphqlResponse)
        } else {
            (legacy.0 > 0.0).then_some(Self::Json)
        }
    }
}

/// Whether a `Content-Type` is that of a JSON request in UTF-8.
pub(crate) fn is_json(content_type: &str) -> bool {
    let precision = || precision(content_type, JSON).map(|(precision, _)| precision);
    content_type == JSON || precision() == Some(Precision::Type)
}

/// Whether a `Content-Type` is that of text, which is worth compressing.
pub(crate) fn is_text(content_type: &str) -> bool {
    let name = content_type.split(';').next().unwrap_or_default();
    let (family, subtype) = name.trim().split_once('/').unwrap_or_default();
    let suffix = subtype.rsplit('+').next().unwrap_or_default();
    family.eq_ignore_ascii_case("text") || ["json", "javascript", "xml"].contains(&suffix)
}

/// How precisely a media range matches a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// `*/*`, or no range.
    Anything,
    /// `application/*`
    Family,
    /// `application/json`
    Type,
}

/// The preference of a client for a media type: the quality and the precision of the most precise range that matches the
/// type.
fn preference(media_type: &str, accept: &str) -> (f32, Precision) {
    // No media type of GraphQL has a parameter whose quoted value contains a separator.
    let ranges = accept.split(',').filter_map(|range| {
        let (precision, parameters) = precision(range, media_type)?;
        Some((quality(parameters)?, precision))
    });
    ranges.max_by_key(|(_, precision)| *precision).unwrap_or((0.0, Precision::Anything))
}

/// How precisely a media range matches a type in UTF-8, the only supported charset, and the parameters of the range; `None`
/// if it does not match.
fn precision<'a>(range: &'a str, media_type: &str) -> Option<(Precision, &'a str)> {
    let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
    let name = name.trim();
    let charset = parameter(parameters, "charset").unwrap_or("utf-8");
    if !charset.eq_ignore_ascii_case("utf-8") && !charset.eq_ignore_ascii_case("utf8") {
        return None;
    }
    let family = media_type.split('/').next();
    let precision = match name.strip_suffix("/*") {
        Some("*") => Precision::Anything,
        Some(name) if family.is_some_and(|family| family.eq_ignore_ascii_case(name)) => Precision::Family,
        None if name.eq_ignore_ascii_case(media_type) => Precision::Type,
        _ => return None,
    };
    Some((precision, parameters))
}

/// The quality in the parameters of an element: 1 by default, `None` if it is invalid.
pub(crate) fn quality(parameters: &str) -> Option<f32> {
    let text = parameter(parameters, "q").unwrap_or("1");
    text.parse::<f32>().ok().filter(|quality| (0.0..=1.0).contains(quality))
}

fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    let mut parameters = parameters.split(';').filter_map(|text| text.split_once('='));
    let (_, value) = parameters.find(|(key, _)| key.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().trim_matches('"'))
}
