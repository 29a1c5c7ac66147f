//! Reads a judge's input line by line, in bounded memory, and counts the lines.
//!
//! A byte order mark at the start, a carriage return before a line feed, tabs, blank lines and trailing spaces are
//! accepted everywhere. Each game decides what else it accepts.

use std::fmt;
use std::io::{self, Read};
use std::ops::RangeInclusive;

/// No game needs a longer line. The limit bounds the memory for an endless one.
const MAX_LINE_BYTES: usize = 1 << 16;
/// The first read is small: most inputs are small, and every page of memory that is touched costs start-up time.
const FIRST_CHUNK_BYTES: usize = 1 << 12;
const MAX_CHUNK_BYTES: usize = 1 << 16;
/// U+FEFF in UTF-8. Some editors write it at the start of a text. It is skipped there.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Why an input could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A line is not what the game expects there.
    #[error("line {line}: {found}, {expected}")]
    Malformed {
        /// The number of the line, from 1.
        line: u64,
        /// What was found.
        found: String,
        /// What to write instead.
        expected: String,
    },
    /// The system reported an error while reading.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

impl InputError {
    /// An error at a line: what was found there, and what to write instead.
    // Not inlined: there are many callers, and errors need not be fast.
    #[cold]
    #[inline(never)]
    pub fn malformed(line: u64, found: impl Into<String>, expected: impl Into<String>) -> InputError {
        InputError::Malformed { line, found: found.into(), expected: expected.into() }
    }
}

/// One line without its line ending and without white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The number of the line, from 1.
    pub number: u64,
    /// Its bytes, which may not be valid UTF-8.
    pub bytes: &'a [u8],
}

impl<'a> Line<'a> {
    /// The line as text.
    pub fn text(&self) -> Result<&'a str, InputError> {
        str::from_utf8(self.bytes).map_err(|_| {
            InputError::malformed(self.number, "the line is not valid UTF-8", "save the input as plain text")
        })
    }

    /// The words of the line, separated by spaces and tabs.
    pub fn words(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty())
    }

    /// The text after a label such as `to move:` at the start of the line, or `None` if the label is not there. Upper
    /// and lower case are equal.
    pub fn after_label(&self, label: &str) -> Option<&'a [u8]> {
        let (start, rest) = self.bytes.split_at_checked(label.len())?;
        start.eq_ignore_ascii_case(label.as_bytes()).then(|| rest.trim_ascii())
    }

    /// An error at this line. If the line is not valid UTF-8, the error says that instead.
    #[cold]
    #[inline(never)]
    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> InputError {
        match self.text() {
            Ok(_) => InputError::malformed(self.number, found, expected),
            Err(not_text) => not_text,
        }
    }

    /// The line's only word as a whole number within `range`. Errors call the number `what`.
    pub fn whole_number(&self, what: &str, range: RangeInclusive<u32>) -> Result<u32, InputError> {
        let (smallest, largest) = (range.start(), range.end());
        let expected = || format!("write {what} alone on its line, a whole number from {smallest} to {largest}");
        let mut words = self.words();
        let word = words.next().unwrap_or_default();
        if words.next().is_some() {
            return Err(self.error(format!("more than one word where {what} stands"), expected()));
        }
        let number = whole_number(word).and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.error(format!("{} is not {what}", quote(word)), expected()))
    }
}

/// A word in quotes for an error message, escaped and shortened to 24 characters.
pub fn quote(word: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 24;
    let text = String::from_utf8_lossy(word);
    let mut quoted: String = text.chars().take(MAX_CHARACTERS).flat_map(char::escape_debug).collect();
    if text.chars().count() > MAX_CHARACTERS {
        quoted.push('…');
    }
    format!("'{quoted}'")
}

/// A word as a whole number without sign or leading zeros. A number beyond 64 bits becomes `u64::MAX`.
pub fn whole_number(word: &[u8]) -> Option<u64> {
    let plain = word.iter().all(u8::is_ascii_digit) && (word.len() == 1 || !word.starts_with(b"0"));
    let append = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    (plain && !word.is_empty()).then(|| word.iter().fold(0, append))
}

/// Rejects encodings and line endings that no game reads. All of them can be seen in the first line.
fn check_first_line(line: &[u8]) -> Result<(), InputError> {
    let refuse = |found, expected| Err(InputError::malformed(1, found, expected));
    if line.starts_with(b"\xFF\xFE") || line.starts_with(b"\xFE\xFF") || line.contains(&0) {
        return refuse("the text is UTF-16, or no text", "save the input as plain text in UTF-8");
    }
    // A carriage return at the end belongs to the line ending.
    if line.split_last().is_some_and(|(_, inner)| inner.contains(&b'\r')) {
        return refuse("a carriage return within a line", "end every line with a line feed");
    }
    Ok(())
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The lines of an input.
pub struct Lines<S> {
    source: S,
    buffer: Vec<u8>,
    /// The unread part of the buffer is `start..`.
    start: usize,
    chunk_bytes: usize,
    ended: bool,
    number: u64,
    /// The number of bytes before the buffer.
    before_buffer: u64,
    skips_mark: bool,
}

impl<S> fmt::Debug for Lines<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}

impl<S: Read> Lines<S> {
    /// The lines of `source`.
    pub fn new(source: S) -> Lines<S> {
        Lines {
            source,
            buffer: Vec::new(),
            start: 0,
            chunk_bytes: FIRST_CHUNK_BYTES,
            ended: false,
            number: 0,
            before_buffer: 0,
            skips_mark: true,
        }
    }

    /// Leaves a byte order mark in the first line: a program's answer must not have one.
    pub(crate) fn keep_mark(&mut self) {
        self.skips_mark = false;
    }

    /// The next line that is not blank, or `None` at the end of the input.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, InputError> {
        loop {
            let Some((from, to)) = self.advance()? else { return Ok(None) };
            if self.number == 1 {
                check_first_line(&self.buffer[from..to])?;
            }
            let (from, to) = self.trim(from, to);
            if from < to {
                return Ok(Some(Line { number: self.number, bytes: &self.buffer[from..to] }));
            }
        }
    }

    /// Whether only blank lines follow; waits for the next line.
    pub fn is_at_end(&mut self) -> Result<bool, InputError> {
        if self.buffer.get(self.start).is_some_and(u8::is_ascii_graphic) {
            return Ok(false);
        }
        loop {
            let number = self.number;
            let Some((from, to)) = self.advance()? else { return Ok(true) };
            let (first, last) = self.trim(from, to);
            if first < last {
                // The line stays unread.
                (self.start, self.number) = (from, number);
                return Ok(false);
            }
        }
    }

    /// The next line that is not blank. At the end of the input, an error with the text `expected`.
    #[inline]
    pub fn require_line(&mut self, expected: &str) -> Result<Line<'_>, InputError> {
        let after = self.number + 1;
        match self.next_line()? {
            Some(line) => Ok(line),
            None => Err(InputError::malformed(after, "the input ends too early", expected)),
        }
    }

    /// Succeeds if only blank lines follow; otherwise an error with the text `expected`.
    pub fn require_end(&mut self, expected: &str) -> Result<(), InputError> {
        match self.next_line()? {
            None => Ok(()),
            Some(line) => {
                let found = format!("{} after the end of the input", quote(line.words().next().unwrap_or_default()));
                Err(line.error(found, expected))
            }
        }
    }

    /// The number of the next line, which may be blank.
    pub fn next_number(&self) -> u64 {
        self.number + 1
    }

    /// The position of the next line in the source, in bytes from 0.
    pub fn position(&self) -> u64 {
        self.before_buffer + self.start as u64
    }

    /// The number of bytes that were read from the source.
    pub fn bytes_read(&self) -> u64 {
        self.before_buffer + self.buffer.len() as u64
    }

    /// Whether reading the next line may block.
    pub fn may_wait(&self) -> bool {
        self.start == self.buffer.len() && !self.ended
    }

    /// Moves past the next line and returns its range in the buffer, without the line feed.
    #[inline]
    fn advance(&mut self) -> Result<Option<(usize, usize)>, InputError> {
        let mut searched = self.start;
        loop {
            let found = self.buffer[searched..].iter().position(|&byte| byte == b'\n').map(|found| searched + found);
            let line = (self.start, found.unwrap_or(self.buffer.len()));
            // The limit applies to the line itself, not to the bytes that one read returns.
            if line.1 - line.0 > MAX_LINE_BYTES {
                let found = format!("a line of more than {MAX_LINE_BYTES} bytes");
                return Err(InputError::malformed(self.number + 1, found, "break it as the format says"));
            }
            if found.is_some() || (self.ended && line.0 < line.1) {
                self.start = self.buffer.len().min(line.1 + 1);
                self.number += 1;
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            self.refill()?;
            searched = line.1 - line.0;
        }
    }

    /// Moves the unfinished line to the front of the buffer and reads more bytes after it.
    fn refill(&mut self) -> Result<(), InputError> {
        self.buffer.drain(..self.start);
        self.before_buffer += self.start as u64;
        self.start = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + self.chunk_bytes, 0);
        self.chunk_bytes = MAX_CHUNK_BYTES.min(2 * self.chunk_bytes);
        let read = loop {
            match self.source.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => break other,
            }
        };
        self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
        self.ended = read.map_err(InputError::Unreadable)? == 0;
        Ok(())
    }

    /// Removes the line's carriage return, the white space around it, and a byte order mark before the first line.
    #[inline(always)]
    fn trim(&self, mut from: usize, to: usize) -> (usize, usize) {
        if self.number == 1 && self.skips_mark && self.buffer[from..to].starts_with(BYTE_ORDER_MARK) {
            from += BYTE_ORDER_MARK.len();
        }
        let line = &self.buffer[from..to];
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        while let [rest @ .., last] = line
            && is_blank(*last)
        {
            line = rest;
        }
        let to = from + line.len();
        while let [first, rest @ ..] = line
            && is_blank(*first)
        {
            line = rest;
        }
        (to - line.len(), to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte per read, like a slow pipe.
    struct OneByteReader<'a>(&'a [u8]);

    impl Read for OneByteReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((&first, rest)) = self.0.split_first() else { return Ok(0) };
            buffer[0] = first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn numbered_lines(source: impl Read) -> Vec<(u64, String)> {
        let mut lines = Lines::new(source);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.text().unwrap().to_owned()));
        }
        found
    }

    #[test]
    fn blank_lines_are_skipped_but_counted_and_white_space_around_a_line_is_removed() {
        let text = b"one\r\n\n \t\r\n\ttwo  words \n\nlast";
        let expected = [(1, "one"), (4, "two  words"), (6, "last")].map(|(number, text)| (number, text.to_owned()));
        assert_eq!(numbered_lines(&text[..]), expected);
        assert_eq!(numbered_lines(OneByteReader(text)), expected);
    }

    #[test]
    fn the_position_is_that_of_the_next_line_whatever_the_size_of_the_reads() {
        let text = b"\xEF\xBB\xBFone\r\n\n  two\nlast";
        for source in [Box::new(&text[..]) as Box<dyn Read>, Box::new(OneByteReader(text))] {
            let mut lines = Lines::new(source);
            let mut positions = vec![lines.position()];
            while lines.next_line().unwrap().is_some() {
                positions.push(lines.position());
            }
            assert_eq!(positions, [0, 8, 15, 19]);
            assert_eq!(lines.bytes_read(), 19);
        }
        // Looking for the end skips blank lines only.
        let mut lines = Lines::new(&b"one\n\n  two\n"[..]);
        lines.next_line().unwrap();
        assert!(!lines.is_at_end().unwrap());
        assert_eq!((lines.position(), lines.next_number()), (5, 3));
    }

    #[test]
    fn an_endless_line_is_an_error() {
        let error = Lines::new(io::repeat(b'1')).next_line().unwrap_err();
        assert_eq!(error.to_string(), "line 1: a line of more than 65536 bytes, break it as the format says");
    }

    #[test]
    fn the_limit_of_a_line_does_not_depend_on_the_size_of_the_reads() {
        for (bytes, is_read) in [(MAX_LINE_BYTES, true), (MAX_LINE_BYTES + 1, false), (2 * MAX_LINE_BYTES - 9, false)] {
            for end in ["", "\n"] {
                let text = "x".repeat(bytes) + end;
                // The length of the first part shifts where the later reads end.
                for first in [0, 1, FIRST_CHUNK_BYTES, 3 * FIRST_CHUNK_BYTES + 7] {
                    let (one, other) = text.as_bytes().split_at(first);
                    let line = Lines::new(one.chain(other)).next_line().map(|line| line.unwrap().bytes.len()).ok();
                    assert_eq!(line, is_read.then_some(bytes), "{bytes} {end:?} {first}");
                }
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_and_nowhere_else() {
        for (text, first) in [
            (&b"\xEF\xBB\xBF 1\n"[..], Some((1, "1"))),
            (b"\xEF\xBB\xBF\r\n1\n", Some((2, "1"))),
            (b"\xEF\xBB\xBF\xEF\xBB\xBF1", Some((1, "\u{FEFF}1"))),
            (b"\xEF\xBB\xBF\n", None),
            (b"\xEF\xBB\xBF", None),
        ] {
            let first: Vec<(u64, String)> = first.iter().map(|(number, text)| (*number, text.to_string())).collect();
            assert_eq!(numbered_lines(OneByteReader(text)), first);
            let mut lines = Lines::new(OneByteReader(text));
            assert_eq!(lines.is_at_end().unwrap(), first.is_empty());
            assert_eq!(lines.next_line().unwrap().is_none(), first.is_empty());
        }
        assert_eq!(numbered_lines(&b"1\n\xEF\xBB\xBF2"[..]), [(1, "1".to_owned()), (2, "\u{FEFF}2".to_owned())]);
    }

    #[test]
    fn unsupported_encodings_are_named_in_the_error() {
        let message = |text: &[u8]| Lines::new(text).next_line().unwrap_err().to_string();
        let utf_16 = "line 1: the text is UTF-16, or no text, save the input as plain text in UTF-8";
        for text in [&b"\xFF\xFE1\0\n\0"[..], b"\xFE\xFF\x001\0\n", b"1\0\n\0"] {
            assert_eq!(message(text), utf_16);
        }
        let returns = "line 1: a carriage return within a line, end every line with a line feed";
        for text in [&b"1\r1 2 3\r"[..], b"1\r2\n", b"\r\r1\n"] {
            assert_eq!(message(text), returns);
        }
    }

    #[test]
    fn whole_numbers_have_no_sign_and_no_leading_zeros() {
        let number = |text: &str| Line { number: 7, bytes: text.as_bytes() }.whole_number("n", 0..=20);
        assert_eq!(number("0").unwrap(), 0);
        assert_eq!(number("20").unwrap(), 20);
        for wrong in ["21", "-1", "+1", "07", "1 2", "x", "99999999999999999999"] {
            let message = number(wrong).unwrap_err().to_string();
            assert!(message.starts_with("line 7: "), "{message}");
            assert!(message.ends_with("write n alone on its line, a whole number from 0 to 20"), "{message}");
        }
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_named_in_the_error() {
        let error = Line { number: 3, bytes: b"6 \xff" }.error("a bad die", "write a good one");
        assert_eq!(error.to_string(), "line 3: the line is not valid UTF-8, save the input as plain text");
    }
}
