//! The verdict on a run of a command.

use std::fmt;

use serde::Serialize;
use tabletop::game::{self, FaultKind, Points};

/// The verdict on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is right.
    Accepted,
    /// The answer has the right format and the wrong value.
    WrongAnswer,
    /// The command did not end in time.
    TimeLimitExceeded,
    /// The command exited with a code other than 0, or was killed by a signal.
    RunTimeError,
    /// The command printed too much.
    OutputLimitExceeded,
    /// The command held too much memory.
    MemoryLimitExceeded,
    /// The answer does not have the format that the contest requires.
    PresentationError,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 7] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
        Verdict::OutputLimitExceeded,
        Verdict::MemoryLimitExceeded,
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
            Verdict::MemoryLimitExceeded => "memory limit exceeded",
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
    /// Why the run is not accepted; empty if it is.
    pub reason: String,
    /// The wrongly answered case, from 0, if there is one.
    pub case: Option<usize>,
    /// The number of answers that are the other rounding of an exact tie.
    pub ties: u64,
    /// In a game without exact answers: the command's points, and ours in the same time.
    pub points: Option<Points>,
}

impl Judgement {
    /// Accepted, without ties or points.
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

impl From<game::Judgement> for Judgement {
    fn from(game::Judgement { fault, ties, points, .. }: game::Judgement) -> Judgement {
        let Some(game::Fault { kind, reason, case }) = fault else {
            return Judgement { ties, points, ..Judgement::ACCEPTED };
        };
        let verdict = match kind {
            FaultKind::Wrong => Verdict::WrongAnswer,
            FaultKind::Malformed => Verdict::PresentationError,
        };
        Judgement { verdict, reason, case, ties, points }
    }
}
