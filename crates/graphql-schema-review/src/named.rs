//! Enums whose variants have names.

/// Defines an enum by a list of its variants, their names in reports, and what they mean.
macro_rules! named {
    ($(#[$attribute:meta])* $type:ident { $($variant:ident $name:literal $meaning:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum $type {
            $(#[doc = $meaning] $variant,)*
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

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                let mut variants = Self::ALL.into_iter();
                let found = variants.find(|variant| variant.name() == name);
                found.ok_or_else(|| serde::de::Error::unknown_variant(&name, &[$($name),*]))
            }
        }
    };
}

pub(crate) use named;
