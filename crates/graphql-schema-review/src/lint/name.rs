//! Naming conventions, and the correction of names.

use serde::Deserialize;

/// The operators of filters, as Prisma and Hasura write them.
const OPERATORS: [&str; 3] = ["AND", "OR", "NOT"];

/// A naming convention.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub(super) enum Case {
    /// `PascalCase`
    #[serde(rename = "PascalCase")]
    Pascal,
    /// `camelCase`
    #[serde(rename = "camelCase")]
    Camel,
    /// `snake_case`
    #[serde(rename = "snake_case")]
    Snake,
    /// `UPPER_CASE`
    #[serde(rename = "UPPER_CASE")]
    Upper,
}

/// What has a convention of names of its own.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "lowercase")]
pub(super) enum Named {
    Types,
    Fields,
    Arguments,
    Inputs,
    Values,
    Directives,
}

impl Case {
    /// The corrected name; `None` if the name follows the convention. Abbreviations are words in capitals.
    pub(super) fn correct(self, name: &str, abbreviations: &[String]) -> Option<String> {
        if self.fits(name, abbreviations) {
            return None;
        }
        let words = words(name);
        match self {
            Self::Upper => return Some(words.join("_").to_uppercase()),
            Self::Snake => return Some(words.join("_").to_lowercase()),
            Self::Pascal | Self::Camel => {}
        }
        let mut corrected = String::new();
        for word in words {
            let is_first = corrected.is_empty();
            let capitals = abbreviations.iter().find(|one| one.eq_ignore_ascii_case(&word));
            let mut word = match capitals {
                Some(capitals) if !is_first || self == Self::Pascal => capitals.clone(),
                _ => word.to_lowercase(),
            };
            if (self == Self::Pascal || !is_first)
                && let Some(first) = word.get_mut(..1)
            {
                first.make_ascii_uppercase();
            }
            corrected.push_str(&word);
        }
        Some(corrected)
    }

    /// The name of the convention in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pascal => "PascalCase",
            Self::Camel => "camelCase",
            Self::Snake => "snake_case",
            Self::Upper => "UPPER_CASE",
        }
    }

    fn fits(self, name: &str, abbreviations: &[String]) -> bool {
        let starts = |test: fn(&u8) -> bool| name.as_bytes().first().is_some_and(test);
        let has_single_underscores = !name.ends_with('_') && !name.contains("__");
        match self {
            Self::Camel | Self::Snake if OPERATORS.contains(&name) => true,
            Self::Pascal => starts(u8::is_ascii_uppercase) && !name.contains('_'),
            Self::Camel => {
                let begins = |abbreviation: &String| {
                    let rest = name.strip_prefix(abbreviation.as_str());
                    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
                };
                let begins = starts(u8::is_ascii_lowercase) || abbreviations.iter().any(begins);
                begins && !name.contains('_')
            }
            Self::Snake => {
                starts(u8::is_ascii_lowercase)
                    && !name.contains(|letter: char| letter.is_ascii_uppercase())
                    && has_single_underscores
            }
            Self::Upper => {
                starts(u8::is_ascii_uppercase)
                    && !name.contains(|letter: char| letter.is_ascii_lowercase())
                    && has_single_underscores
            }
        }
    }
}

/// Splits a name at underscores and capitals: `createBook` into `create` and `Book`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let letters: Vec<char> = part.chars().collect();
        let mut word = String::new();
        for (position, letter) in letters.iter().enumerate() {
            let before = position.checked_sub(1).map(|at| letters[at]);
            let after = letters.get(position + 1);
            // A capital starts a word after a lower-case letter or before one, `aURLPath`, but not before the plural of an
            // abbreviation: `bookIDs`.
            let is_plural = after == Some(&'s') && letters.get(position + 2).is_none_or(char::is_ascii_uppercase);
            let is_before_lower = after.is_some_and(char::is_ascii_lowercase) && !is_plural;
            let begins = letter.is_ascii_uppercase()
                && before.is_some_and(|before| !before.is_ascii_uppercase() || is_before_lower);
            if begins {
                words.push(std::mem::take(&mut word));
            }
            word.push(*letter);
        }
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn a_name_is_corrected_word_by_word() {
        for (case, wrong, right) in [
            (Case::Pascal, "book_type", "BookType"),
            (Case::Pascal, "book", "Book"),
            (Case::Camel, "BrandName", "brandName"),
            (Case::Camel, "brand_name", "brandName"),
            (Case::Camel, "_id", "id"),
            (Case::Upper, "inStock", "IN_STOCK"),
            (Case::Upper, "IN__STOCK_", "IN_STOCK"),
            (Case::Snake, "bookURL", "book_url"),
            (Case::Upper, "partnerIDs", "PARTNER_IDS"),
        ] {
            assert_eq!(case.correct(wrong, &[]).as_deref(), Some(right), "{wrong}");
            assert_eq!(case.correct(right, &[]), None, "{right}");
        }
        assert_eq!(Case::Pascal.correct("URL", &[]), None);
        assert_eq!(Case::Camel.correct("x1", &[]), None);
        assert_eq!(Case::Upper.correct("EURO_6", &[]), None);
    }
}
