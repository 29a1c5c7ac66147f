//! The size of the tables, against a plain array of their answers, and against that array compressed by zstd alone.

use std::fs;

use tabletop::balda::index::{WordTable, spec};
use tabletop::balda::{Language, Word};
use tabletop::game::tables;
use tabletop::hopchess::index::{BOARDS, BoardRank, ROWS};
use tabletop::hopchess::matrix::LARGEST_FACTOR;
use tabletop::hopchess::{ErrorFactor, Factors, Hopchess};
use tabletop::internal::balda::library::{self, Library};
use tabletop::table::{Places, Record, RecordTask, Spec, TableError};

use super::markdown::{ratio, significant, table, whole};
use super::plot::{Axes, Series, SeriesLabelPosition, bars};
use super::{Bench, Section};

/// The highest level of the zstd program without further options.
const LEVEL: i32 = 19;

/// The answers of one or more tables, as a plain array.
struct Content {
    name: &'static str,
    /// What one entry of the array is.
    unit: &'static str,
    entries: usize,
    array: Vec<u8>,
    tables: Vec<&'static Spec>,
}

pub fn section(bench: &Bench) -> Section {
    let places = Places::only(&bench.program.tables);
    let mut rows = Vec::new();
    let (mut names, mut raw_sizes, mut packed_sizes, mut table_sizes) = (vec![], vec![], vec![], vec![]);
    for content in contents(&places)? {
        let packed = zstd::bulk::compress(&content.array, LEVEL)?.len() as f64;
        let files = content.tables.iter().map(|spec| fs::metadata(bench.program.tables.join(spec.file_name())));
        let bytes: u64 = files.map(|file| file.map(|file| file.len())).sum::<Result<_, _>>()?;
        let (raw, bytes) = (content.array.len() as f64, bytes as f64);
        rows.push(vec![
            format!("{}, {}", content.name, content.unit),
            whole(content.entries as u64),
            whole(bytes as u64),
            significant(8.0 * bytes / content.entries as f64),
            ratio(raw / bytes),
            ratio(packed / bytes),
        ]);
        // The full name would overlap the next one.
        names.push(content.name.replace("balda-boards", "boards"));
        raw_sizes.push(raw);
        packed_sizes.push(packed);
        table_sizes.push(bytes);
    }
    let axes = Axes {
        title: "Size by encoding",
        x: "table",
        y: "bytes (logarithmic)",
        legend: SeriesLabelPosition::UpperRight,
    };
    let series = [
        Series { name: String::from("plain array"), values: raw_sizes },
        Series { name: String::from("array, zstd -19"), values: packed_sizes },
        Series { name: String::from("table"), values: table_sizes },
    ];
    bars(&bench.plot("sizes.svg"), axes, &names, &series)?;
    Ok(format!(
        "## Table sizes\nBytes of the tables, hashes and index included, against a plain array of what they answer and \
         against that array packed whole by `zstd -19`, out of which no single entry could be read. For Balda's \
         words the array is their list.\n\n{}\n![Size by encoding](benches/plots/sizes.svg)\n",
        table(&["table, entries", "number", "bytes", "bits per entry", "array / table", "`zstd -19` / table"], &rows)
    ))
}

/// The answers of every table in the list.
fn contents(places: &Places) -> Result<Vec<Content>, TableError> {
    let mut contents: Vec<Content> = Vec::new();
    for table in tables() {
        if !contents.iter().any(|content| content.tables.contains(&table)) {
            contents.push(content(places, table)?);
        }
    }
    Ok(contents)
}

/// The answers of a table, alone or with others. For an unknown table these are its records.
fn content(places: &Places, table: &'static Spec) -> Result<Content, TableError> {
    if *table == BOARDS || *table == ROWS {
        return hopchess(places);
    }
    for language in Language::ALL {
        if table == spec(language) {
            return words(places, language);
        }
        if table == library::spec(language) {
            return boards(places, language);
        }
    }
    let unit = match table.name {
        "dice" => "pairs",
        "dice-hands" => "hands",
        "dice-rerolls" => "counts",
        "jenga" => "towers",
        _ => "records",
    };
    table.records.dispatch(Records { places, table, unit })
}

/// A table whose records are its answers.
struct Records<'a> {
    places: &'a Places,
    table: &'static Spec,
    unit: &'static str,
}

impl RecordTask for Records<'_> {
    type Output = Result<Content, TableError>;

    fn run<R: Record>(self) -> Self::Output {
        let Records { places, table, unit } = self;
        let records: Vec<R> = places.open(table)?.records()?;
        let mut array = Vec::new();
        records.iter().for_each(|record| record.put(&mut array));
        Ok(Content { name: table.name, unit, entries: records.len(), array, tables: vec![table] })
    }
}

fn words(places: &Places, language: Language) -> Result<Content, TableError> {
    let words = WordTable::open(places, language)?;
    let list: Vec<String> = words.dawg.dictionary().words().map(|word| Word::from(word).to_string()).collect();
    let (spec, array) = (spec(language), (list.join("\n") + "\n").into_bytes());
    Ok(Content { name: spec.name, unit: "words", entries: words.count, array, tables: vec![spec] })
}

fn boards(places: &Places, language: Language) -> Result<Content, TableError> {
    let library = Library::open(places, language)?;
    let (spec, entries, array) = (library::spec(language), library.boards.len(), library.records());
    Ok(Content { name: spec.name, unit: "boards", entries, array, tables: vec![spec] })
}

/// The chances of all boards and pairs of error factors, as doubles.
fn hopchess(places: &Places) -> Result<Content, TableError> {
    let answers = Hopchess::open(places)?;
    let mut array = Vec::new();
    for rank in BoardRank::all() {
        let matrix = answers.matrix(rank)?;
        for pair in 0..LARGEST_FACTOR * LARGEST_FACTOR {
            let factor = |moves: usize| ErrorFactor::new(moves as u64 + 1).expect("a positive number");
            let factors = Factors { justin: factor(pair / LARGEST_FACTOR), donald: factor(pair % LARGEST_FACTOR) };
            matrix.chance(factors).expect("the tables know these factors").to_f64().put(&mut array);
        }
    }
    let entries = array.len() / size_of::<f64>();
    Ok(Content { name: "hopchess", unit: "chances", entries, array, tables: vec![&BOARDS, &ROWS] })
}
