//! Naming conventions, and the correction of names.

/// A naming convention.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Case {
    /// `PascalCase`
    Pascal,
    /// `camelCase`
    Camel,
    /// `UPPER_CASE`
    Upper,
}

impl Case {
    /// The corrected name; `None` if the name follows the convention.
    pub(super) fn correct(self, name: &str) -> Option<String> {
        if self.fits(name) {
            return None;
        }
        let words = words(name);
        if self == Self::Upper {
            return Some(words.join("_").to_uppercase());
        }
        let mut corrected = String::new();
        for word in words {
            let mut word = word.to_lowercase();
            if (self == Self::Pascal || !corrected.is_empty())
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
            Self::Upper => "UPPER_CASE",
        }
    }

    fn fits(self, name: &str) -> bool {
        let starts = |test: fn(&u8) -> bool| name.as_bytes().first().is_some_and(test);
        match self {
            Self::Pascal => starts(u8::is_ascii_uppercase) && !name.contains('_'),
            Self::Camel => starts(u8::is_ascii_lowercase) && !name.contains('_'),
            Self::Upper => {
                starts(u8::is_ascii_uppercase)
                    && !name.contains(|letter: char| letter.is_ascii_lowercase())
                    && !name.ends_with('_')
                    && !name.contains("__")
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
            // A capital starts a word after a lower-case letter or before one: `aURLPath`.
            let begins = letter.is_ascii_uppercase()
                && before.is_some_and(|before| {
                    !before.is_ascii_uppercase() || after.is_some_and(char::is_ascii_lowercase)
                });
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
    use super::{Case, words};

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
        ] {
            assert_eq!(case.correct(wrong).as_deref(), Some(right), "{wrong}");
            assert_eq!(case.correct(right), None, "{right}");
        }
        assert_eq!(Case::Pascal.correct("URL"), None);
        assert_eq!(Case::Camel.correct("x1"), None);
        assert_eq!(Case::Upper.correct("EURO_6"), None);
    }

    #[test]
    fn abbreviations_are_words() {
        assert_eq!(words("aURLPath"), ["a", "URL", "Path"]);
        assert_eq!(words("bookID"), ["book", "ID"]);
    }
}
