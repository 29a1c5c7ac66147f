//! The judgement of an answer.

/// The judgement of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is right.
    Accepted,
    /// The exact value lies halfway between two roundings, and the answer is the one that this library does not print.
    Tie,
    /// The answer has the right form and the wrong value.
    Wrong,
    /// The answer does not have the form that the contest requires. The text says what is wrong.
    Malformed(String),
}

/// Judges a decimal number that may differ from `value` by at most `tolerance`.
pub(crate) fn accepts_within(value: f64, answer: &str, tolerance: f64) -> Verdict {
    let is_plain = answer.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    match answer.parse::<f64>() {
        Ok(found) if is_plain && found.is_finite() => {
            if (found - value).abs() <= tolerance {
                Verdict::Accepted
            } else {
                Verdict::Wrong
            }
        }
        _ => Verdict::Malformed(String::from("a decimal number is expected")),
    }
}
