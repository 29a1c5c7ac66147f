//! Generators that are killed, find a full disk, or run at the same time: every file is the old one or the new one.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tabletop::balda::Language;
use tabletop::balda::index::{WordTable, spec};
use tabletop::internal::balda::library;
use tabletop::table::{Table, encode, sha256};

use crate::support::{Files, files, generate};

/// Number of kills, unless `TABLETOP_KILLS` sets it.
const KILLS: u32 = 40;
const SUMS: &str = "SHA256SUMS";

/// The longest time to wait for a sign. Only a test that fails waits that long.
const PATIENCE: Duration = Duration::from_secs(300);

/// The start of the name of a file that a run writes and removes before it solves anything, to see whether it can write
/// at all.
const TRIAL: &str = ".writable.";

fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".tmp")
}

fn command(game: &str, directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabletop-gen"));
    command.args([game, "--jobs", "2", "--out"]).arg(directory).stdout(Stdio::null());
    command
}

/// Starts a generator. Its message about a lock that the test holds is not shown.
fn start(game: &str, directory: &Path) -> Child {
    command(game, directory).stderr(Stdio::null()).spawn().unwrap()
}

/// Takes the lock under which generators publish into a directory.
fn lock(directory: &Path) -> File {
    let opened = File::open(directory).unwrap();
    opened.lock().unwrap();
    opened
}

/// Returns when the generator waits for the lock of its directory.
#[track_caller]
fn wait_until_blocked(child: &mut Child) {
    let deadline = Instant::now() + PATIENCE;
    while !is_blocked(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "it must wait for the lock");
        assert!(Instant::now() < deadline, "it did not ask for the lock");
        sleep(Duration::from_millis(1));
    }
}

/// Whether the system lists a process among those that wait for a lock: `1: -> FLOCK ADVISORY WRITE <process> …`.
fn is_blocked(process: u32) -> bool {
    let is_of_process = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        words.next() == Some("->") && words.nth(3).and_then(|word| word.parse().ok()) == Some(process)
    };
    fs::read_to_string("/proc/locks").unwrap().lines().any(is_of_process)
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

/// How far a killed run had got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    Before,
    /// The temporary files have changed, or some files are new and some old.
    During,
    After,
}

/// How far the killed runs had got.
#[derive(Debug, Default)]
struct Tally {
    before: u32,
    during: u32,
    after: u32,
    temporary_files: u32,
}

impl Tally {
    /// Asserts that every file is the whole old one or the whole new one, and counts how far the run had got. `left`
    /// are the temporary files that were there before the run.
    fn count(&mut self, directory: &Path, old: &Files, new: &Files, left: &[String]) -> Moment {
        let found: Files = files(directory).into_iter().filter(|(name, _)| !is_temporary(name)).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), old.keys().collect::<Vec<_>>());
        for (name, bytes) in &found {
            assert!(*bytes == old[name] || *bytes == new[name], "{name} is neither the old nor the new one");
        }
        let temporary = temporary_names(directory);
        self.temporary_files += temporary.iter().filter(|name| !left.contains(name)).count() as u32;
        let (moment, count) = if found == *old && temporary == left {
            (Moment::Before, &mut self.before)
        } else if found == *new && temporary.is_empty() {
            (Moment::After, &mut self.after)
        } else {
            (Moment::During, &mut self.during)
        };
        *count += 1;
        moment
    }
}

#[test]
fn a_killed_generator_leaves_each_file_old_or_new_and_the_next_run_cleans_up() {
    let new = new_files();
    let old = old_files(&new);
    let directory = tempfile::tempdir().unwrap();
    let (run, publish) = shortest_times(directory.path());

    let mut tally = Tally::default();
    let mut kill_when = |moment: &dyn Fn(&mut Child)| {
        restore(&old, directory.path());
        let left = temporary_names(directory.path());
        let mut child = start("words", directory.path());
        moment(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        tally.count(directory.path(), &old, &new, &left)
    };
    let while_publishing = |child: &mut Child, delay: Duration| {
        wait_for_publishing(child, directory.path());
        sleep(delay);
    };

    // Half of the kills are spread over a whole run, the other half over the time of publishing. A busy machine moves
    // them, so only their sum is known.
    let kills = std::env::var("TABLETOP_KILLS").map_or(KILLS, |text| text.parse().expect("a whole number"));
    let half = (kills / 2).max(1);
    for kill in 0..kills {
        // The moments are evenly spaced, in an order that mixes early and late ones.
        let part = f64::from(kill / 2 * 37 % half) / f64::from(half);
        if kill % 2 == 0 {
            kill_when(&|_| sleep(run.mul_f64(part)));
        } else {
            kill_when(&|child| while_publishing(child, publish.mul_f64(part)));
        }
    }

    // Two moments are hit for certain: before publishing, and while files are written or renamed.
    let locked = lock(directory.path());
    assert_eq!(kill_when(&wait_until_blocked), Moment::Before);
    drop(locked);
    let deadline = Instant::now() + PATIENCE;
    while kill_when(&|child| while_publishing(child, Duration::ZERO)) != Moment::During {
        assert!(Instant::now() < deadline, "no kill hit a generator that published");
    }
    println!(
        "killed {} times: {} before, {} during, {} after publishing; {} temporary files left",
        tally.before + tally.during + tally.after,
        tally.before,
        tally.during,
        tally.after,
        tally.temporary_files
    );

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

/// The temporary files of tables and their digests.
fn temporary_names(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| is_temporary(name) && !name.starts_with(TRIAL)).collect();
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

/// The unit of `ulimit -f`, in bytes.
const BLOCK: usize = 512;

/// What happens to a generator that writes more than the disk takes.
#[derive(Clone, Copy)]
enum Excess {
    Fails,
    Kills,
}

/// Runs the generator with a limit on the size of a file, in blocks, as if the disk were nearly full.
fn generate_in(blocks: usize, excess: Excess, arguments: &[&str], directory: &Path) -> Output {
    let trap = match excess {
        Excess::Fails => "trap '' XFSZ;",
        Excess::Kills => "",
    };
    let script = format!("{trap} ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_tabletop-gen")]).args(arguments).arg("--out").arg(directory);
    shell.output().unwrap()
}

#[track_caller]
fn assert_cannot_be_written(output: &Output, path: &Path) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let what = format!("{}: cannot be written: ", path.display());
    assert!(message.contains(&what) && message.contains("--out"), "{message}");
}

#[test]
fn a_full_disk_changes_nothing() {
    let new = new_files();
    let old = old_files(&new);
    let directory = tempfile::tempdir().unwrap();
    // The first table that is written does not fit: hardly any of it does, half of it, all but its end.
    let first = spec(Language::ALL[0]).file_name();
    let length = new[&first].len();
    for blocks in [1, length / 2 / BLOCK, (length - 1) / BLOCK] {
        restore(&old, directory.path());
        let output = generate_in(blocks, Excess::Fails, &["words"], directory.path());
        assert_cannot_be_written(&output, &directory.path().join(&first));
        assert_eq!(files(directory.path()), old);

        // The same if the limit kills the generator. The next run removes its temporary files.
        let output = generate_in(blocks, Excess::Kills, &["words"], directory.path());
        assert!(output.status.signal().is_some(), "{output:?}");
        let (temporary, found): (Files, Files) =
            files(directory.path()).into_iter().partition(|(name, _)| is_temporary(name));
        assert_eq!(found, old);
        let written: Vec<_> = temporary.iter().map(|(name, bytes)| (name.contains(&first), bytes.len())).collect();
        assert_eq!(written, [(true, blocks * BLOCK)]);
    }
    assert!(generate(&["words"], directory.path()).status.success());
    assert_eq!(files(directory.path()), new);
}

#[test]
fn a_disk_that_is_full_at_the_last_table_changes_nothing() {
    // With the boards of the last language alone, the table that is written last is the longest.
    let [.., last] = Language::ALL;
    let (work, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, bytes) in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("boards")) {
        if name.starts_with(&format!("{last}-")) {
            fs::write(work.path().join(name), bytes).unwrap();
        }
    }
    let merge = ["boards", "--merge", "--work", work.path().to_str().unwrap()];
    assert!(generate(&merge, whole.path()).status.success());
    let mut others = files(whole.path());
    let last = library::spec(last).file_name();
    let blocks = (others.remove(&last).unwrap().len() - 1) / BLOCK;
    assert!(others.values().all(|bytes| bytes.len() <= blocks * BLOCK), "all others fit");

    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("other.tbl"), "not a table of ours").unwrap();
    let before = files(directory.path());
    let output = generate_in(blocks, Excess::Fails, &merge, directory.path());
    assert_cannot_be_written(&output, &directory.path().join(last));
    assert_eq!(files(directory.path()), before);

    let output = generate_in(blocks, Excess::Kills, &merge, directory.path());
    assert!(output.status.signal().is_some(), "{output:?}");
    let (temporary, found): (Files, Files) =
        files(directory.path()).into_iter().partition(|(name, _)| is_temporary(name));
    assert_eq!((temporary.len(), found), (Language::ALL.len(), before.clone()));
    let output = generate(&merge, directory.path());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(files(directory.path()).len(), before.len() + Language::ALL.len() + 1);
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
    let directory = tempfile::tempdir().unwrap();
    let temporary = directory.path().join(".dice.tbl.aB3xYz.tmp");
    let trial = directory.path().join(".writable.aB3xYz.tmp");
    let unrelated = directory.path().join(".notes.aB3xYz.tmp");
    fs::write(&temporary, "half a table").unwrap();
    fs::write(&trial, "").unwrap();
    fs::write(&unrelated, "not ours").unwrap();
    let locked = lock(directory.path());
    let mut waiting = start("words", directory.path());
    wait_until_blocked(&mut waiting);
    assert_eq!(files(directory.path()).len(), 3);
    drop(locked);
    assert!(waiting.wait().unwrap().success());
    assert!(!temporary.exists() && !trial.exists() && unrelated.exists());
    fs::remove_file(unrelated).unwrap();
    assert_eq!(files(directory.path()), new_files());
}

#[test]
fn a_generator_that_waits_for_the_lock_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let locked = lock(directory.path());
    let mut waiting = command("words", directory.path()).stderr(Stdio::piped()).spawn().unwrap();
    let mut message = String::new();
    // It writes nothing else before the lock is free, and would wait for ever.
    BufReader::new(waiting.stderr.take().unwrap()).read_line(&mut message).unwrap();
    let expected = "locked by another program, waiting until that one releases it or ends";
    assert_eq!(message, format!("tabletop-gen: {}: {expected}\n", directory.path().display()));
    drop(locked);
    assert!(waiting.wait().unwrap().success());
}

#[test]
fn a_directory_with_the_name_of_a_temporary_file_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let foreign = directory.path().join(".dice.tbl.aB3xYz.tmp");
    fs::create_dir(&foreign).unwrap();
    let output = generate(&["words"], directory.path());
    assert!(output.status.success(), "{output:?}");
    assert!(foreign.is_dir());
}

#[test]
fn generators_that_publish_at_the_same_time_keep_each_others_digests() {
    let alone = |game: &str| {
        let directory = tempfile::tempdir().unwrap();
        assert!(generate(&[game], directory.path()).status.success());
        files(directory.path())
    };
    let (dice, words) = (alone("dice"), alone("words"));
    let mut expected: Files = dice.iter().chain(&words).map(|(k, v)| (k.clone(), v.clone())).collect();
    let lines = [&dice[SUMS][..], &words[SUMS]].concat();
    let mut lines: Vec<&str> = str::from_utf8(&lines).unwrap().lines().collect();
    lines.sort_by_key(|line| &line[66..]);
    expected.insert(SUMS.to_owned(), format!("{}\n", lines.join("\n")).into_bytes());

    for games in [&["dice", "words"][..], &["words", "dice", "words"]] {
        let directory = tempfile::tempdir().unwrap();
        // All of them are ready to publish before the first one may.
        let locked = lock(directory.path());
        let mut children: Vec<Child> = Vec::new();
        for game in games {
            children.push(start(game, directory.path()));
            wait_until_blocked(children.last_mut().unwrap());
        }
        drop(locked);
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let found = files(directory.path());
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{games:?}");
        assert!(found == expected, "{games:?}: {}", String::from_utf8_lossy(&found[SUMS]));
    }
}
