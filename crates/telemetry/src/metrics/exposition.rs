//! The exposition formats: `OpenMetrics` and the Prometheus text format.

/// An exposition format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Exposition {
    /// `OpenMetrics` 1.0.
    OpenMetrics,
    /// Prometheus text format 0.0.4.
    Prometheus,
}

impl Exposition {
    /// The media type.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }

    /// Converts `OpenMetrics` text to this format.
    pub(super) fn convert(self, text: String) -> String {
        match self {
            Self::OpenMetrics => text,
            Self::Prometheus => to_prometheus(&text),
        }
    }
}

/// The Prometheus text format appends `_total` to counter names in HELP and TYPE, and has no EOF marker.
fn to_prometheus(text: &str) -> String {
    let mut converted = String::with_capacity(text.len() + 1024);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut parts = line.splitn(4, ' ');
        let (hash, keyword, name, text) = (parts.next(), parts.next(), parts.next(), parts.next());
        let (Some("#"), Some(keyword), Some(name)) = (hash, keyword, name) else {
            if line != "# EOF" {
                converted.push_str(line);
                converted.push('\n');
            }
            continue;
        };
        let is_type = |line: &&str| **line == format!("# TYPE {name} counter");
        let is_counter = is_type(&line) || lines.peek().is_some_and(is_type);
        let suffix = if is_counter { "_total" } else { "" };
        let text = text.unwrap_or_default();
        for part in ["# ", keyword, " ", name, suffix, " ", text, "\n"] {
            converted.push_str(part);
        }
    }
    converted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prometheus_format_names_a_counter_as_its_samples() {
        let text = "# HELP a what it is\n# TYPE a counter\na_total{b=\"# HELP\"} 1\n\
                    # HELP g what else\n# TYPE g gauge\ng 2\n# EOF\n";
        let expected = "# HELP a_total what it is\n# TYPE a_total counter\na_total{b=\"# HELP\"} 1\n\
                        # HELP g what else\n# TYPE g gauge\ng 2\n";
        assert_eq!(Exposition::Prometheus.convert(text.to_owned()), expected);
    }
}
