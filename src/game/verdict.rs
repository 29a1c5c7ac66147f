//! The judgement of an answer, and of a whole output.

use std::time::Duration;

use serde::Serialize;

/// The judgement of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

/// How an output is judged.
#[derive(Debug, Clone, Copy)]
pub struct Judging {
    /// How a value halfway between two roundings is judged.
    pub ties: Ties,
    /// The time that the judged program took. A game of points plays as long itself, to compare. Zero compares nothing.
    pub time: Duration,
    /// The largest error of a number, absolute or relative, in a game without a contest's rule.
    pub tolerance: f64,
}

impl Default for Judging {
    fn default() -> Judging {
        Judging { ties: Ties::Either, time: Duration::ZERO, tolerance: 1e-6 }
    }
}

/// How a value halfway between two roundings is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ties {
    /// Both roundings are accepted.
    #[default]
    Either,
    /// Only our rounding is accepted.
    Strict,
}

/// The judgement of an output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// What is wrong with it; `None` if it is accepted.
    pub fault: Option<Fault>,
    /// The number of answers that are the other rounding of an exact tie.
    pub ties: u64,
    /// The points of the output and ours, in a game of points.
    pub points: Option<Points>,
}

/// What is wrong with an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Whether it has the form that the contest requires.
    pub kind: FaultKind,
    /// What was expected and what was found.
    pub reason: String,
    /// The wrongly answered case, from 0, if there is one.
    pub case: Option<usize>,
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The right form and a wrong value.
    Wrong,
    /// Not the form that the contest requires.
    Malformed,
}

impl Judgement {
    /// The judgement of the answer `found` where `expected` is ours.
    #[cfg(feature = "json")]
    pub(super) fn of(verdict: Verdict, expected: &str, found: &str, judging: &Judging) -> Judgement {
        let wrong =
            |end: &str| Judgement::refused(FaultKind::Wrong, format!("expected {expected}, found {found}{end}"));
        match verdict {
            Verdict::Accepted => Judgement::default(),
            Verdict::Tie if judging.ties == Ties::Either => Judgement { ties: 1, ..Judgement::default() },
            Verdict::Tie => wrong(", the other rounding of a tie"),
            Verdict::Wrong => wrong(""),
            Verdict::Malformed(reason) => {
                Judgement::refused(FaultKind::Malformed, format!("expected {expected}, found {found}: {reason}"))
            }
        }
    }

    /// Not accepted, for this reason.
    pub fn refused(kind: FaultKind, reason: impl Into<String>) -> Judgement {
        Judgement { fault: Some(Fault { kind, reason: reason.into(), case: None }), ..Judgement::default() }
    }
}

/// The points of two games on the same input, in the contest's points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Points {
    /// The score of the judged program.
    pub command: u64,
    /// Our score in the time that the program took.
    pub ours: u64,
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

/// Judges a decimal number, or a fraction of two, that may differ from `value` by `tolerance`, absolute or relative.
/// `fraction` is the exact value if there is one.
#[cfg(feature = "json")]
pub(crate) fn accepts_number(value: f64, fraction: Option<&str>, answer: &str, tolerance: f64) -> Verdict {
    let decimal = |word: &str| word.parse::<f64>().ok().filter(|number| number.is_finite());
    let number = match answer.split_once('/') {
        Some((above, below)) => decimal(above).zip(decimal(below)).map(|(above, below)| above / below),
        None => decimal(answer),
    };
    match number.filter(|number| number.is_finite()) {
        None => Verdict::Malformed(String::from("a number or a fraction is expected")),
        Some(_) if fraction == Some(answer) => Verdict::Accepted,
        Some(number) if (number - value).abs() <= tolerance * value.abs().max(1.0) => Verdict::Accepted,
        Some(_) => Verdict::Wrong,
    }
}
