//! Generators that are killed, find a full disk, or run at the same time: every file is the old one or the new one.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tabletop::balda::Language;
use tabletop::balda::index::{WordTable, spec};
use tabletop::table::{Table, encode, sha256};

/// Number of kills, unless `TABLETOP_KILLS` sets it.
const KILLS: u32 = 40;
const SUMS: &str = "SHA256SUMS";

/// The files of a directory by name.
type Files = BTreeMap<String, Vec<u8>>;

fn files(directory: &Path) -> Files {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".tmp")
}

fn has_temporary(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().any(|entry| is_temporary(entry.unwrap().file_name().to_str().unwrap()))
}

fn command(game: &str, directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    command.args([game, "--jobs", "2", "--out"]).arg(directory).stdout(Stdio::null());
    command
}

fn start(game: &str, directory: &Path) -> Child {
    command(game, directory).spawn().unwrap()
}

fn generate(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabletop-gen")).args(arguments).arg("--out").arg(directory).output().unwrap()
}

/// What `tabletop-gen words` leaves in an empty directory.
fn new_files() -> Files {
    let directory = tempfile::tempdir().unwrap();
    assert!(generate(&["words"], directory.path()).status.success());
    files(directory.path())
}

/// The same tables and their digests, as another version of the generator would write them: intact, but other bytes.
fn old_files(new: &Files) -> Files {
    let mut old = Files::new();
    let mut sums = String::new();
    for language in Language::ALL {
        let name = spec(language).file_name();
        let records = Table::<_, u32>::open(&new[&name], spec(language), Path::new("new")).unwrap().records().unwrap();
        let bytes = encode(spec(language), "an older generator", &records);
        sums.push_str(&format!("{}  {name}\n", sha256(&bytes)));
        assert_ne!(bytes, new[&name]);
        WordTable::read(&Table::open(&bytes, spec(language), Path::new("old")).unwrap(), language).unwrap();
        old.insert(name, bytes);
    }
    old.insert(SUMS.to_owned(), sums.into_bytes());
    old
}

fn restore(files: &Files, directory: &Path) {
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes).unwrap();
    }
}

/// How far the killed runs had got.
#[derive(Debug, Default)]
struct Tally {
    before: u32,
    /// The temporary files have changed, or some files are new and some old.
    during: u32,
    after: u32,
    temporary_files: u32,
}

impl Tally {
    /// Asserts that every file is the whole old one or the whole new one, and counts how far the run had got. `left`
    /// are the temporary files that were there before the run.
    fn count(&mut self, directory: &Path, old: &Files, new: &Files, left: &[String]) {
        let found: Files = files(directory).into_iter().filter(|(name, _)| !is_temporary(name)).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), old.keys().collect::<Vec<_>>());
        for (name, bytes) in &found {
            assert!(*bytes == old[name] || *bytes == new[name], "{name} is neither the old nor the new one");
        }
        let temporary = temporary_names(directory);
        self.temporary_files += temporary.iter().filter(|name| !left.contains(name)).count() as u32;
        if found == *old && temporary == left {
            self.before += 1;
        } else if found == *new && temporary.is_empty() {
            self.after += 1;
        } else {
            self.during += 1;
        }
    }
}

#[test]
fn a_killed_generator_leaves_each_file_old_or_new_and_the_next_run_cleans_up() {
    let new = new_files();
    let old = old_files(&new);
    let directory = tempfile::tempdir().unwrap();
    let (run, publish) = shortest_times(directory.path());

    // Half of the kills are spread over a whole run, the other half over the time of publishing.
    let kills = std::env::var("TABLETOP_KILLS").map_or(KILLS, |text| text.parse().expect("a whole number"));
    let mut tally = Tally::default();
    for kill in 0..kills {
        restore(&old, directory.path());
        let left = temporary_names(directory.path());
        let mut child = start("words", directory.path());
        // The moments are evenly spaced, in an order that mixes early and late ones.
        let part = f64::from(kill / 2 * 37 % (kills / 2)) / f64::from(kills / 2);
        if kill % 2 == 0 {
            sleep(run.mul_f64(part));
        } else {
            wait_for_publishing(&mut child, directory.path());
            sleep(publish.mul_f64(part));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        tally.count(directory.path(), &old, &new, &left);
    }
    println!(
        "killed {kills} times: {} before, {} during, {} after publishing; {} temporary files left",
        tally.before, tally.during, tally.after, tally.temporary_files
    );
    let few = kills / 20;
    assert!(tally.before > few && tally.during > few && tally.temporary_files > few, "{tally:?}");

    assert!(generate(&["words"], directory.path()).status.success());
    assert_eq!(files(directory.path()), new);
}

/// The time of a run and of its publishing: the shortest of a few runs, because a busy machine slows some down.
fn shortest_times(directory: &Path) -> (Duration, Duration) {
    let times = (0..3).map(|_| {
        let started = Instant::now();
        let mut child = start("words", directory);
        let publishing = wait_for_publishing(&mut child, directory);
        assert!(child.wait().unwrap().success());
        (started.elapsed(), publishing.elapsed())
    });
    times.reduce(|best, time| (best.0.min(time.0), best.1.min(time.1))).unwrap()
}

/// Returns when the first temporary file appears, or the generator has ended.
fn wait_for_publishing(child: &mut Child, directory: &Path) -> Instant {
    // A run that is still solving writes nothing, so these files are from killed runs.
    let left = temporary_names(directory);
    while child.try_wait().unwrap().is_none() {
        if temporary_names(directory).iter().any(|name| !left.contains(name)) {
            break;
        }
        sleep(Duration::from_micros(200));
    }
    Instant::now()
}

fn temporary_names(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| is_temporary(name)).collect();
    names.sort();
    names
}

#[test]
fn a_table_newer_than_its_digest_is_reported_with_the_remedy() {
    let new = new_files();
    let directory = tempfile::tempdir().unwrap();
    restore(&new, directory.path());
    fs::write(directory.path().join(SUMS), &old_files(&new)[SUMS]).unwrap();
    let output = generate(&["words", "--check"], directory.path());
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    let remedy = format!("run `tabletop-gen words --out {}`", directory.path().display());
    assert!(message.contains("its digest in SHA256SUMS is missing or wrong") && message.contains(&remedy), "{message}");
    assert!(generate(&["words"], directory.path()).status.success());
    assert!(generate(&["words", "--check"], directory.path()).status.success());
}

/// Runs the generator with a limit on the size of a file, in blocks of 512 bytes, as if the disk were nearly full.
fn generate_in(blocks: u32, on_excess: &str, directory: &Path) -> Output {
    let script = format!("{on_excess} ulimit -f {blocks}; exec \"$0\" words --out \"$1\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_tabletop-gen")]).arg(directory).output().unwrap()
}

#[test]
fn a_full_disk_changes_nothing() {
    let new = new_files();
    let old = old_files(&new);
    let directory = tempfile::tempdir().unwrap();
    // Room for no table, for the digests alone, for one of the three tables, for two of them.
    for blocks in [1, 60, 140, 200] {
        restore(&old, directory.path());
        let output = generate_in(blocks, "trap '' XFSZ;", directory.path());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{blocks} blocks: {message}");
        assert!(message.contains(".tbl: cannot be written: ") && message.contains("--out"), "{message}");
        assert_eq!(files(directory.path()), old);

        // The same if the limit kills the generator. The next run removes its temporary files.
        let output = generate_in(blocks, "", directory.path());
        assert!(output.status.signal().is_some(), "{output:?}");
        assert!(has_temporary(directory.path()));
        let found: Files = files(directory.path()).into_iter().filter(|(name, _)| !is_temporary(name)).collect();
        assert_eq!(found, old);
    }
    assert!(generate(&["words"], directory.path()).status.success());
    assert_eq!(files(directory.path()), new);
}

#[test]
fn the_tables_are_published_even_if_the_report_cannot_be_written() {
    let directory = tempfile::tempdir().unwrap();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = command("words", directory.path()).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("stdout: cannot be written"));
    assert_eq!(files(directory.path()), new_files());
}

#[test]
fn a_generator_waits_for_the_lock_before_it_removes_temporary_files() {
    // A generator that did not wait would have ended within this time.
    let patience = 3 * shortest_times(tempfile::tempdir().unwrap().path()).0;
    let directory = tempfile::tempdir().unwrap();
    let temporary = directory.path().join(".dice.tbl.aB3xYz.tmp");
    let unrelated = directory.path().join(".notes.aB3xYz.tmp");
    fs::write(&temporary, "half a table").unwrap();
    fs::write(&unrelated, "not ours").unwrap();
    let lock = File::open(directory.path()).unwrap();
    lock.lock().unwrap();
    let mut waiting = start("words", directory.path());
    sleep(patience);
    assert!(waiting.try_wait().unwrap().is_none(), "it must wait for the lock");
    assert_eq!(files(directory.path()).len(), 2);
    drop(lock);
    assert!(waiting.wait().unwrap().success());
    assert!(!temporary.exists() && unrelated.exists());
    fs::remove_file(unrelated).unwrap();
    assert_eq!(files(directory.path()), new_files());
}

#[test]
fn generators_that_publish_at_the_same_time_keep_each_others_digests() {
    let elapsed = |game: &str| {
        let directory = tempfile::tempdir().unwrap();
        let started = Instant::now();
        assert!(generate(&[game], directory.path()).status.success());
        (started.elapsed(), files(directory.path()))
    };
    let ((dice, dice_files), (words, words_files)) = (elapsed("dice"), elapsed("words"));
    let mut expected: Files = dice_files.iter().chain(&words_files).map(|(k, v)| (k.clone(), v.clone())).collect();
    let lines = [&dice_files[SUMS][..], &words_files[SUMS]].concat();
    let mut lines: Vec<&str> = str::from_utf8(&lines).unwrap().lines().collect();
    lines.sort_by_key(|line| &line[66..]);
    expected.insert(SUMS.to_owned(), format!("{}\n", lines.join("\n")).into_bytes());

    for round in 0..8 {
        let directory = tempfile::tempdir().unwrap();
        // The slower generator starts first, so that all of them publish at about the same time.
        let mut children = vec![start("dice", directory.path())];
        sleep(dice.saturating_sub(words).mul_f64(0.8 + 0.05 * f64::from(round)));
        children.push(start("words", directory.path()));
        if round % 2 == 0 {
            children.push(start("words", directory.path()));
        }
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let found = files(directory.path());
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "round {round}");
        assert!(found == expected, "round {round}: {}", String::from_utf8_lossy(&found[SUMS]));
    }
}
