//! `tabletop jenga`.

use std::fmt::{self, Write as _};

use clap::Args;
use serde::Serialize;
use tabletop::input::InputError;
use tabletop::jenga::judge::{self, Height};
use tabletop::jenga::{Advice, Answers, Choice, Colour, Level, Place, Spot, Tower};
use tabletop::table::{MappedFile, Places};

use super::failure::Failure;
use super::paint::Paint;
use super::query::{self, Explain, Game, QueryArguments, Source};

/// What the overview of all commands says of this one.
pub(super) const ABOUT: &str = "Coloured Jenga: the expected minutes until the game ends";

/// The arguments of `tabletop jenga`.
#[derive(Args)]
#[command(about = ABOUT, after_help = "\
Input: the number of levels, then three letters of R, G, B and . (an empty place) per level, the bottom first.
Towers of up to 18 blocks, six levels before the first move, are looked up; larger ones are searched, up to 24 blocks.

Examples:
  printf '2\\nRGB\\nGRG\\n' | tabletop jenga
  printf '3\\nRGB\\n.RG\\nG..\\n' | tabletop jenga --explain")]
pub(crate) struct JengaArguments {
    #[command(flatten)]
    query: QueryArguments,
}

/// Answers the towers that the arguments name.
pub(super) fn run(arguments: &JengaArguments, places: &Places) -> Result<(), Failure> {
    query::run(JengaGame { places, answers: None, height: None }, &arguments.query)
}

/// Opens the table when the first tower needs it.
struct JengaGame<'a> {
    places: &'a Places,
    answers: Option<Answers<MappedFile>>,
    /// What the current input has announced.
    height: Option<Height>,
}

impl JengaGame<'_> {
    fn answers(&mut self) -> Result<&Answers<MappedFile>, Failure> {
        Ok(match &mut self.answers {
            Some(open) => open,
            closed => closed.insert(Answers::open(self.places)?),
        })
    }
}

impl Game for JengaGame<'_> {
    const NAME: &'static str = "jenga";
    const FORMAT: &'static str = "write the number of levels, then a line of three letters per level, the bottom first";
    type Case = Tower;
    type Explanation = Explanation;

    fn begin(&mut self, lines: &mut Source) -> Result<Option<u32>, InputError> {
        self.height = judge::read_height(lines)?;
        Ok(self.height.map(|_| 1))
    }

    fn read(&mut self, lines: &mut Source) -> Result<Tower, InputError> {
        let height = self.height.expect("a case is read after its input has begun");
        judge::read_tower(lines, height)
    }

    fn answer(&mut self, tower: &Tower, out: &mut Vec<u8>) -> Result<(), Failure> {
        judge::write_answer(self.answers()?.minutes(tower)?, out);
        Ok(())
    }

    fn explain(&mut self, tower: &Tower) -> Result<Explanation, Failure> {
        Ok(Explanation::from(&self.answers()?.advise(tower)?))
    }
}

/// A tower with every move for every face of the die, as people and scripts read it.
#[derive(Serialize)]
struct Explanation {
    game: &'static str,
    levels: Vec<String>,
    answer: String,
    minutes: f64,
    faces: Vec<FaceText>,
}

/// A face of the die with its moves, the best first; without moves the player waits.
#[derive(Serialize)]
struct FaceText {
    face: String,
    sides: u8,
    moves: Vec<MoveText>,
}

#[derive(Serialize)]
struct MoveText {
    take: SpotText,
    put: SpotText,
    ways: usize,
    minutes: f64,
}

#[derive(PartialEq, Eq, Serialize)]
struct SpotText {
    level: usize,
    place: String,
}

impl From<&Advice> for Explanation {
    fn from(advice: &Advice) -> Explanation {
        let coloured = Colour::ALL.map(|colour| FaceText {
            face: colour.to_string(),
            sides: colour.sides(),
            moves: advice.choices(colour).map(MoveText::from).collect(),
        });
        let black = FaceText { face: String::from("black"), sides: 1, moves: Vec::new() };
        Explanation {
            game: JengaGame::NAME,
            levels: advice.tower.levels().iter().map(Level::to_string).collect(),
            answer: advice.minutes().to_string(),
            minutes: advice.minutes().0,
            faces: coloured.into_iter().chain([black]).collect(),
        }
    }
}

impl From<&Choice> for MoveText {
    fn from(choice: &Choice) -> MoveText {
        MoveText {
            take: choice.first.take.into(),
            put: choice.first.put.into(),
            ways: choice.moves(),
            minutes: choice.minutes.0,
        }
    }
}

impl From<Spot> for SpotText {
    fn from(spot: Spot) -> SpotText {
        SpotText { level: spot.level, place: spot.place.to_string() }
    }
}

impl fmt::Display for SpotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("level {} {}", self.level, self.place))
    }
}

impl Explain for Explanation {
    fn to_text(&self, paint: Paint) -> String {
        let mut text = format!("{}\n", self.answer);
        let mut line = |content: &str| writeln!(text, "{content}").expect("a string takes any text");
        for number in (1..=self.levels.len()).rev() {
            line(&self.picture(number, paint));
        }
        for face in self.faces.iter().filter(|face| !face.moves.is_empty()) {
            line(&format!("    {:<5} takes     puts            ways  minutes then", face.face));
            for row in face.rows(paint) {
                line(&row);
            }
        }
        for face in &self.faces {
            line(&format!("  {}", face.meaning()));
        }
        text.push('\n');
        text
    }
}

impl Explanation {
    /// A level with the best take of every colour in brackets.
    fn picture(&self, number: usize, paint: Paint) -> String {
        let best: Vec<&SpotText> = self.faces.iter().filter_map(|face| Some(&face.moves.first()?.take)).collect();
        let mut row = format!("  {number:>2} ");
        for (place, letter) in Place::ALL.into_iter().zip(self.levels[number - 1].chars()) {
            let spot = SpotText::from(Spot { level: number, place });
            let (open, close) = if best.contains(&&spot) { ('[', ']') } else { (' ', ' ') };
            row.push_str(&format!("{open}{}{close}", painted(letter, paint)));
        }
        if number == self.levels.len() {
            row.push_str(" top");
        }
        row.trim_end().to_owned()
    }
}

/// A letter of the tower in its colour.
fn painted(letter: char, paint: Paint) -> String {
    let text = letter.to_string();
    match letter {
        'R' => paint.ansi(1, &text),
        'G' => paint.ansi(2, &text),
        'B' => paint.ansi(4, &text),
        _ => text,
    }
}

impl FaceText {
    /// A line per move, the best one marked.
    fn rows(&self, paint: Paint) -> impl Iterator<Item = String> {
        self.moves.iter().enumerate().map(move |(place, choice)| {
            let MoveText { take, put, ways, minutes } = choice;
            let row = |mark| format!("  {mark} {take:<14}  {put:<14}  {ways:>4}  {minutes}");
            if place == 0 { paint.bold(&row('*')) } else { row(' ') }
        })
    }

    /// What the face means for the player.
    fn meaning(&self) -> String {
        let face = &self.face;
        match self.moves.first() {
            Some(best) => format!("{face}: take {}, put it on {}", best.take, best.put),
            None if face == "black" => format!("{face}: wait"),
            None => format!("{face}: wait, no {face} block can be taken"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_colour_on_a_terminal_only() {
        assert_eq!(painted('R', Paint::Plain), "R");
        let painted: Vec<String> = "RGB.".chars().map(|letter| painted(letter, Paint::Colour)).collect();
        assert_eq!(painted, ["\x1b[31mR\x1b[0m", "\x1b[32mG\x1b[0m", "\x1b[34mB\x1b[0m", "."]);
    }
}
