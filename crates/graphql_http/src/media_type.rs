//! The media type of requests, and negotiation of that of responses (RFC 9110, sections 8.3 and 12.5.1).

use std::iter;

const GRAPHQL_RESPONSE: (&str, &str) = ("application", "graphql-response+json");
const JSON: (&str, &str) = ("application", "json");
pub(super) const HTML: (&str, &str) = ("text", "html");
const OPEN_METRICS: (&str, &str) = ("application", "openmetrics-text");
const TEXT: (&str, &str) = ("text", "plain");

/// The media types of GraphQL responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseType {
    /// The type that GraphQL over HTTP defines: the status reflects the outcome of the request.
    GraphqlResponse,
    /// The legacy type: every response of the engine has the status 200.
    Json,
}

impl ResponseType {
    /// The value of the `Content-Type` header.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        }
    }

    /// Chooses by the value of the `Accept` header; several header lines are joined by commas. `None` if the client
    /// accepts no supported type.
    ///
    /// Of two types with the same quality, the one that is listed wins over the one that matches
    /// `*`; if both are listed, the new one, and if both match `*`, the legacy one.
    pub(super) fn negotiate(accept: &str) -> Option<Self> {
        Self::fast_path(accept).or_else(|| Self::negotiate_ranges(accept))
    }

    /// The values that most clients send are not parsed.
    fn fast_path(accept: &str) -> Option<Self> {
        match accept {
            "" | "*/*" | "application/json" => Some(Self::Json),
            "application/graphql-response+json"
            | "application/graphql-response+json, application/json"
            | "application/graphql-response+json,application/json;q=0.9" => {
                Some(Self::GraphqlResponse)
            }
            _ => None,
        }
    }

    fn negotiate_ranges(accept: &str) -> Option<Self> {
        if accept.trim().is_empty() {
            return Some(Self::Json);
        }
        if prefers(GRAPHQL_RESPONSE, JSON, accept) {
            Some(Self::GraphqlResponse)
        } else {
            (preference(JSON, accept).0 > 0).then_some(Self::Json)
        }
    }
}

/// Whether a client prefers the format of `OpenMetrics` to text.
pub(super) fn prefers_open_metrics(accept: &str) -> bool {
    prefers(OPEN_METRICS, TEXT, accept)
}

/// Whether the first type is preferred to the second one, which is the default. Of two with the same quality, the one
/// that is listed wins over the one that matches `*`; if both are listed, the first one.
fn prefers(first: (&str, &str), default: (&str, &str), accept: &str) -> bool {
    let (first, default) = (preference(first, accept), preference(default, accept));
    first.0 > 0 && (first > default || (first == default && first.1 == Precision::Type))
}

/// Whether `Accept` lists the type itself, as browsers list HTML.
pub(super) fn lists(accept: &str, media_type: (&str, &str)) -> bool {
    let (qvalue, precision) = preference(media_type, accept);
    qvalue > 0 && precision == Precision::Type
}

/// Whether a `Content-Type` is that of a JSON request in UTF-8.
pub(super) fn is_json(content_type: &str) -> bool {
    // Fast path: the value that most clients send is not parsed.
    content_type == "application/json"
        || MediaRange::parse(content_type)
            .is_some_and(|range| range.precision_for(JSON) == Some(Precision::Type))
}

/// Whether a `Content-Type` is that of text, which is worth compressing.
pub(super) fn is_text(content_type: &str) -> bool {
    MediaRange::parse(content_type).is_some_and(|range| {
        range.family.eq_ignore_ascii_case("text")
            || ["json", "javascript", "xml", "wasm", "openmetrics-text"]
                .iter()
                .any(|subtype| range.subtype.rsplit('+').next() == Some(subtype))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// `*/*`, or no range.
    Anything,
    /// `application/*`
    Family,
    /// `application/json`
    Type,
}

/// The preference of a client for a media type: the quality value in thousandths and the precision of the most
/// precise range that matches the type.
fn preference(media_type: (&str, &str), accept: &str) -> (u16, Precision) {
    split_unquoted(accept, ',')
        .filter_map(MediaRange::parse)
        .filter_map(|range| {
            let precision = range.precision_for(media_type)?;
            Some((precision, qvalue(range.parameters)?))
        })
        .max()
        .map_or((0, Precision::Anything), |(precision, qvalue)| {
            (qvalue, precision)
        })
}

/// A media type or range with its parameters, as a header contains it.
#[derive(Debug, Clone, Copy)]
struct MediaRange<'a> {
    family: &'a str,
    subtype: &'a str,
    parameters: &'a str,
}

impl<'a> MediaRange<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (name, parameters) = text.split_once(';').unwrap_or((text, ""));
        let (family, subtype) = name.trim().split_once('/')?;
        (is_token(family) && is_token(subtype)).then_some(Self {
            family,
            subtype,
            parameters,
        })
    }

    /// How precisely this range matches the type in UTF-8, the only supported charset; `None` if it does
    /// not match.
    fn precision_for(self, (family, subtype): (&str, &str)) -> Option<Precision> {
        let in_utf8 = parameter(self.parameters, "charset").is_none_or(|charset| {
            ["utf-8", "utf8"]
                .iter()
                .any(|name| charset.eq_ignore_ascii_case(name))
        });
        if !in_utf8 {
            None
        } else if self.family == "*" && self.subtype == "*" {
            Some(Precision::Anything)
        } else if !self.family.eq_ignore_ascii_case(family) {
            None
        } else if self.subtype == "*" {
            Some(Precision::Family)
        } else {
            self.subtype
                .eq_ignore_ascii_case(subtype)
                .then_some(Precision::Type)
        }
    }
}

/// The quality value in the parameters of an element, in thousandths: 1000 by default, `None` if it is
/// invalid.
pub(super) fn qvalue(parameters: &str) -> Option<u16> {
    let Some(text) = parameter(parameters, "q") else {
        return Some(1000);
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(iter::repeat(b'0')).take(3);
    let thousandths = digits.fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    split_unquoted(parameters, ';')
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(key, _)| key.trim().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim().trim_matches('"'))
}

/// Splits at separators outside quotation marks.
fn split_unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |character| {
        if escaped {
            escaped = false;
        } else if quoted && character == '\\' {
            escaped = true;
        } else if character == '"' {
            quoted = !quoted;
        }
        character == separator && !quoted
    })
}

fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests;
