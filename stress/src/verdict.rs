//! What a judge says of a command's run.

use std::fmt;

use serde::Serialize;

/// What a judge says of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is right.
    Accepted,
    /// The answer has the right form and the wrong value.
    WrongAnswer,
    /// The command did not end in time.
    TimeLimitExceeded,
    /// The command ended with an exit code other than 0, or by a signal.
    RunTimeError,
    /// The command printed too much.
    OutputLimitExceeded,
    /// The answer does not have the form that the contest asks for.
    PresentationError,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 6] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
        Verdict::OutputLimitExceeded,
        Verdict::PresentationError,
    ];

    /// The verdict in words.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::TimeLimitExceeded => "time limit exceeded",
            Verdict::RunTimeError => "run-time error",
            Verdict::OutputLimitExceeded => "output limit exceeded",
            Verdict::PresentationError => "presentation error",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A verdict with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is not accepted, or nothing.
    pub reason: String,
    /// Which case of the input is answered wrongly, from 0, if it is one.
    pub case: Option<usize>,
    /// Answers that are the other rounding of a value halfway between two.
    pub ties: u64,
    /// The points of the game that the command played, and of ours in the same time.
    pub points: Option<Points>,
}

impl Judgement {
    /// Accepted without a remark.
    pub const ACCEPTED: Judgement =
        Judgement { verdict: Verdict::Accepted, reason: String::new(), case: None, ties: 0, points: None };

    /// Not accepted, for this reason.
    pub fn refused(verdict: Verdict, reason: impl Into<String>) -> Judgement {
        Judgement { verdict, reason: reason.into(), ..Judgement::ACCEPTED }
    }

    /// Whether the run is accepted.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accepted
    }
}

/// Points of two games on one input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Points {
    /// What the command scored, in the contest's points.
    pub command: u64,
    /// What our engine scored in the time that the command took.
    pub ours: u64,
}
