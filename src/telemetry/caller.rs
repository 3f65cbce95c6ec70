//! Which kind of client asks: what the header `Call-Source` says.

/// Which kind of client asks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Caller {
    /// An application on iOS.
    Ios,
    /// An application on Android.
    Android,
    /// A program on a computer.
    Pc,
    /// A page or programme within `WeChat`.
    Wechat,
    /// A web page.
    Web,
    /// It says something else.
    Other,
    /// It does not say.
    Unknown,
}

impl Caller {
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

    /// Reads the value of the header.
    pub fn parse(call_source: Option<&str>) -> Self {
        match call_source {
            None => Self::Unknown,
            Some(text) => {
                let mut kinds = Self::ALL.into_iter();
                let kind = kinds.find(|kind| kind.as_str() == text);
                kind.filter(|kind| *kind != Self::Unknown)
                    .unwrap_or(Self::Other)
            }
        }
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
    use super::Caller;

    #[test]
    fn a_caller_is_one_of_those_that_are_known_or_another() {
        for (header, expected) in [
            (None, "NONE"),
            (Some("IOS"), "IOS"),
            (Some("WECHAT"), "WECHAT"),
            (Some("ios"), "OTHER"),
            (Some("NONE"), "OTHER"),
            (Some(""), "OTHER"),
        ] {
            assert_eq!(Caller::parse(header).as_str(), expected, "{header:?}");
        }
    }
}
