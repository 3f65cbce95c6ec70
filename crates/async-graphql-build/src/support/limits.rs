//! Messages of the compiler about limits that differ.

/// A text that is built while the compiler evaluates a constant. It stops at its maximum length.
struct Text {
    bytes: [u8; 1024],
    length: usize,
}

impl Text {
    const fn push(mut self, bytes: &[u8]) -> Self {
        let mut index = 0;
        while index < bytes.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = bytes[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    /// Writes a number with at least so many digits.
    const fn push_digits(mut self, mut number: u64, at_least: usize) -> Self {
        let (mut digits, mut start) = ([b'0'; 20], 20);
        while number > 0 || start > 20 - at_least {
            start -= 1;
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        while start < digits.len() {
            self = self.push(&[digits[start]]);
            start += 1;
        }
        self
    }
}

/// Fails the compilation with what is stated, and the value of the constant up to six decimals.
///
/// # Panics
///
/// Always.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the number is not negative, and one without an exact form is shown rounded"
)]
pub const fn limit_differs(stated: &str, value: f64) -> ! {
    let (bytes, length) = ([0; 1024], 0);
    let mut text = Text { bytes, length }.push(stated.as_bytes());
    if value < 0.0 {
        text = text.push(b"-");
    }
    let value = if value < 0.0 { -value } else { value };
    let whole = value as u64;
    text = text.push_digits(whole, 1);
    let millionths = ((value - whole as f64) * 1e6 + 0.5) as u64;
    if millionths > 0 {
        text = text.push(b".").push_digits(millionths, 6);
    }
    text = text.push(b"; correct one of them");
    match str::from_utf8(text.bytes.split_at(text.length).0) {
        Ok(message) => panic!("{}", message),
        Err(_) => panic!("a limit and its constant differ"),
    }
}
