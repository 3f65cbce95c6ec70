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

    /// Chooses by the value of the `Accept` header; several header lines are joined by commas. `None` if the client
    /// accepts no supported type.
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
        if new.0 > 0 && (new > legacy || (new == legacy && new.1 == Precision::Type)) {
            Some(Self::GraphqlResponse)
        } else {
            (legacy.0 > 0).then_some(Self::Json)
        }
    }
}

/// Whether `Accept` lists HTML itself, as browsers do.
pub(crate) fn lists_html(accept: &str) -> bool {
    let (quality, precision) = preference("text/html", accept);
    quality > 0 && precision == Precision::Type
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

/// The preference of a client for a media type: the quality in thousandths and the precision of the most precise range
/// that matches the type.
fn preference(media_type: &str, accept: &str) -> (u16, Precision) {
    let ranges = split_unquoted(accept, ',').filter_map(|range| {
        let (precision, parameters) = precision(range, media_type)?;
        Some((precision, quality(parameters)?))
    });
    let (precision, quality) = ranges.max().unwrap_or((Precision::Anything, 0));
    (quality, precision)
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

/// The quality in the parameters of an element, in thousandths: 1000 by default, `None` if it is invalid.
pub(crate) fn quality(parameters: &str) -> Option<u16> {
    let Some(text) = parameter(parameters, "q") else {
        return Some(1000);
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{fraction:0<3.3}").parse();
    let thousandths = thousandths.ok().filter(|_| is_number)?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    let mut parameters = split_unquoted(parameters, ';').filter_map(|text| text.split_once('='));
    let (_, value) = parameters.find(|(key, _)| key.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().trim_matches('"'))
}

/// Splits at separators outside quotation marks.
fn split_unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |character| {
        let is_escaped = std::mem::take(&mut escaped);
        escaped = quoted && character == '\\' && !is_escaped;
        quoted ^= character == '"' && !is_escaped;
        character == separator && !quoted
    })
}
