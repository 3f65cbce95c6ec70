//! Enums whose variants have names.

/// Defines an enum by a list of its variants, their names in reports, and what they mean.
macro_rules! named {
    ($(#[$attribute:meta])* $type:ident { $($variant:ident $name:literal $meaning:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, serde::Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, serde::Serialize)]
        pub enum $type {
            $(#[doc = $meaning] #[serde(rename = $name)] $variant,)*
        }

        impl $type {
            /// Every variant, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }
    };
}

pub(crate) use named;
