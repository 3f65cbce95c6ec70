//! The kind of client, from the header `Call-Source`.

/// The kind of client that sent a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CallSource {
    /// An application on iOS.
    Ios,
    /// An application on Android.
    Android,
    /// A program on a computer.
    Pc,
    /// A page or mini program in `WeChat`.
    Wechat,
    /// A web page.
    Web,
    /// Any other value of the header.
    Other,
    /// The header is absent.
    Unknown,
}

impl CallSource {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Ios,
        Self::Android,
        Self::Pc,
        Self::Wechat,
        Self::Web,
        Self::Other,
        Self::Unknown,
    ];

    /// Parses the value of the header.
    pub fn parse(call_source: Option<&str>) -> Self {
        let Some(text) = call_source else {
            return Self::Unknown;
        };
        let kind = Self::ALL.into_iter().find(|kind| kind.as_str() == text);
        kind.filter(|kind| *kind != Self::Unknown)
            .unwrap_or(Self::Other)
    }

    /// The value of the header, `OTHER`, or `NONE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ios => "IOS",
            Self::Android => "ANDROID",
            Self::Pc => "PC",
            Self::Wechat => "WECHAT",
            Self::Web => "WEB",
            Self::Other => "OTHER",
            Self::Unknown => "NONE",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CallSource;

    #[test]
    fn an_unknown_call_source_is_other() {
        for (header, expected) in [
            (None, "NONE"),
            (Some("IOS"), "IOS"),
            (Some("WECHAT"), "WECHAT"),
            (Some("ios"), "OTHER"),
            (Some("NONE"), "OTHER"),
            (Some(""), "OTHER"),
        ] {
            assert_eq!(CallSource::parse(header).as_str(), expected, "{header:?}");
        }
    }
}
