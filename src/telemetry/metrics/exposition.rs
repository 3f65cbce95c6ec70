//! The two text formats that are read: `OpenMetrics`, and the older one of Prometheus for whoever does
//! not ask for it.

/// A text format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Exposition {
    /// `OpenMetrics` 1.0.
    OpenMetrics,
    /// The text format 0.0.4 of Prometheus.
    Prometheus,
}

impl Exposition {
    /// What the `Accept` header of a reader asks for.
    pub fn negotiate(accept: &str) -> Self {
        let mut types = accept.split(',').map(|element| {
            let media_type = element.split(';').next().unwrap_or_default();
            media_type.trim().to_ascii_lowercase()
        });
        if types.any(|media_type| media_type == "application/openmetrics-text") {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    /// The media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// What is written in `OpenMetrics` in this format.
    pub(super) fn of(self, text: String) -> String {
        match self {
            Self::OpenMetrics => text,
            Self::Prometheus => to_prometheus(&text),
        }
    }
}

/// The older format names a counter with its `_total` everywhere, and has no mark of the end.
fn to_prometheus(text: &str) -> String {
    let mut converted = String::with_capacity(text.len() + 1024);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut words = line.splitn(4, ' ');
        let (mark, keyword, name, rest) = (words.next(), words.next(), words.next(), words.next());
        let (Some("#"), Some(keyword), Some(name)) = (mark, keyword, name) else {
            if line != "# EOF" {
                converted.push_str(line);
                converted.push('\n');
            }
            continue;
        };
        let is_type = |line: &&str| **line == format!("# TYPE {name} counter");
        let counts = is_type(&line) || lines.peek().is_some_and(is_type);
        let ending = if counts { "_total" } else { "" };
        let rest = rest.unwrap_or_default();
        for part in ["# ", keyword, " ", name, ending, " ", rest, "\n"] {
            converted.push_str(part);
        }
    }
    converted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_metrics_has_to_be_asked_for() {
        for (accept, expected) in [
            ("", Exposition::Prometheus),
            ("*/*", Exposition::Prometheus),
            ("text/plain;version=0.0.4", Exposition::Prometheus),
            (
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3",
                Exposition::OpenMetrics,
            ),
        ] {
            assert_eq!(Exposition::negotiate(accept), expected, "{accept}");
        }
    }

    #[test]
    fn the_older_format_names_a_counter_as_its_samples() {
        let text = "# HELP a what it is\n# TYPE a counter\na_total{b=\"# HELP\"} 1\n\
                    # HELP g what else\n# TYPE g gauge\ng 2\n# EOF\n";
        let expected = "# HELP a_total what it is\n# TYPE a_total counter\na_total{b=\"# HELP\"} 1\n\
                        # HELP g what else\n# TYPE g gauge\ng 2\n";
        assert_eq!(Exposition::Prometheus.of(text.to_owned()), expected);
    }
}
